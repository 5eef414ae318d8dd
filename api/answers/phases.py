"""Phases that were published: their files, events and dice."""

from datetime import datetime

from campaign.engine.values.ids import PlaceId
from campaign.engine.values.value import Value


class PhaseFile(Value, frozen=True):
    """A file that the caller's side received with a phase."""

    name: str
    """Its name: map.png, report.md."""
    media_type: str
    """What kind of file it is."""
    address: str
    """Where it is."""


class PublishedPhase(Value, frozen=True):
    """A phase that was published."""

    phase: str
    """Its mark: its number, a dot, how often it was reopened."""
    number: int
    """Its number in the campaign, by which addresses name it."""
    key: str
    """What kind of phase it was."""
    title: str
    """What players call it."""
    moment: str
    """When it was in the game."""
    whole: bool
    """Whether its report gathers those of the shorter phases before it."""
    lock: int | None
    """The number by which dice logs name it; null for the start of the campaign."""
    published_at: datetime | None
    """When it was published."""


class PhaseDetail(Value, frozen=True):
    """A phase that was published, with all that the caller's side received."""

    phase: PublishedPhase
    """The phase."""
    headlines: tuple[str, ...]
    """The most important events."""
    files: tuple[PhaseFile, ...]
    """The pictures and texts, byte for byte as they were published."""


class EventTold(Value, frozen=True):
    """An event that the caller's side was told."""

    number: int
    """Its number among the events of this phase that this side was told: 1, 2, 3, without gaps."""
    section: str
    """Title of the phase in which it happened."""
    text: str
    """What happened, in words."""
    rule: str
    """The number of the rule; empty: no rule."""
    reasons: tuple[str, ...]
    """The reasons of a result: modifiers, dice, the GM's reason."""
    at: tuple[PlaceId, ...]
    """The places that it is about."""


class EventsTold(Value, frozen=True):
    """What the caller's side was told of a phase."""

    number: int
    """The number of the phase."""
    events: tuple[EventTold, ...]
    """The events in the order of the report."""


class DiceRoll(Value, frozen=True):
    """A roll in a dice log."""

    lock: int
    """The lock of the phase for which it was made."""
    label: str
    """What was rolled for, as the scheme of the dice names it."""
    sides: int
    """The sides of each die."""
    dice: tuple[int, ...]
    """How the dice fell."""
    purpose: str
    """What was rolled for, in words."""
    rule: str
    """The number of the rule."""
    actor: str
    """Who rolled: the engine or a game master."""
    void: str
    """Why it does not count; empty if it does."""


class DiceLog(Value, frozen=True):
    """A dice log that the caller may read, or its part about one phase."""

    name: str
    """Whose log it is: a side, both for the public one, gm."""
    anchor: str
    """The digest that was published before the first roll, against which the log is checked."""
    head: str
    """The head that the newest published report prints."""
    rolls: tuple[DiceRoll, ...]
    """The rolls, the newest first."""
