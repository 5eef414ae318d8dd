"""Rulings of the game master on draft results: what can be ruled, tries, rulings, rolls entered or void."""

from typing import Annotated

import msgspec

from api.answers.gm.drafts import ChangesFor
from campaign.engine.values.value import Value

Number = Annotated[int, msgspec.Meta(ge=0, le=999_999_999)]
Why = Annotated[str, msgspec.Meta(max_length=500)]


class RulingStage(Value, frozen=True):
    """A phase of the run before which rulings may be applied."""

    stage: str
    """By which rulings name it."""
    title: str
    """What players call it."""


class AppliedRuling(Value, frozen=True):
    """A ruling that is part of the draft results."""

    number: int
    """By which it is undone."""
    before: str
    """The title of the phase before which it is applied."""
    text: str
    """The ruling as it was written."""
    reason: str
    """Why, shown to the players it affects."""
    author: str
    """Who made it."""


class DraftRoll(Value, frozen=True):
    """A roll of the draft results."""

    label: str
    """By which requests name it, with its audience."""
    purpose: str
    """What was rolled for."""
    audience: str
    """Who may see it: a side, public or gm."""
    sides: int
    """The sides of each die."""
    dice: tuple[int, ...]
    """How the dice fell."""
    by_hand: bool
    """Whether a game master has entered it."""
    extra: bool
    """Whether a game master asked for it, so that the rules draw nothing from it."""
    void: str
    """Why it does not count; empty if it does."""


class RulingsOfDraft(Value, frozen=True):
    """What can be ruled on the draft results, and what has been."""

    seen: str
    """The mark of the draft results."""
    stages: tuple[RulingStage, ...]
    """Where a ruling may apply."""
    usages: tuple[str, ...]
    """How rulings are written."""
    applied: tuple[AppliedRuling, ...]
    """The rulings that are part of the draft results."""
    rolls: tuple[DraftRoll, ...]
    """The rolls, those by the rules first."""
    tries: int
    """How often rulings were tried in this phase. Every report says it."""


class NewRulings(Value, frozen=True):
    """Rulings to apply to the draft results, or to try on them."""

    seen: str
    """The mark of the draft results."""
    stage: str
    """The phase before which they are applied."""
    text: str
    """The rulings, one per line."""
    reason: Why = ""
    """Why, shown to the players it affects. A try needs none."""


class TriedRulings(Value, frozen=True):
    """What rulings would change. The draft results are as they were, and the try is on the record."""

    changes: tuple[ChangesFor, ...]
    """What would change, your own first."""
    dice: int
    """The number of dice that you saw in it and that the draft results do not have."""
    tries: int
    """How often rulings were tried in this phase, this try included."""


class RulingToUndo(Value, frozen=True):
    """A ruling to undo."""

    seen: str
    """The mark of the draft results."""
    number: Number
    """The number of the ruling."""


class EnteredRoll(Value, frozen=True):
    """Dice that replace those of a roll."""

    seen: str
    """The mark of the draft results."""
    label: str
    """The label of the roll."""
    dice: tuple[Number, ...]
    """The dice to enter."""
    reason: Why
    """Why, shown to the players it affects."""


class AskedRoll(Value, frozen=True):
    """An extra roll, from which the rules draw nothing."""

    seen: str
    """The mark of the draft results. It changes with the roll, so that a request sent again rolls nothing."""
    audience: str
    """Who may see the roll: a side, public or gm."""
    count: Number
    """The number of dice."""
    sides: Number
    """The sides of each die."""
    purpose: Why
    """What is rolled for. Those who may see the roll can read it."""


class RollToVoid(Value, frozen=True):
    """A roll to make void, so that it does not count."""

    seen: str
    """The mark of the draft results."""
    audience: str
    """Who may see the roll."""
    label: str
    """The label of the roll."""
    reason: Why
    """Why. Those who may see the roll can read it."""
