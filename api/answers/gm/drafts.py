"""The draft results of a phase: what happened, what the game master should look at, and its publication."""

from datetime import datetime

from api.answers.desks import LineResult
from api.answers.phases import EventTold
from campaign.engine.values.ids import PlaceId
from campaign.engine.values.value import Value


class ChangeSeen(Value, frozen=True):
    """A thing that differs between two results of the same phase."""

    subject: str
    """What it is about: a unit, a place, a line of a table, the section of an event."""
    before: str
    """What it was; empty: there was nothing."""
    after: str
    """What it is; empty: there is nothing any longer."""


class ChangesFor(Value, frozen=True):
    """All that differs between two results of the same phase for one audience."""

    audience: str
    """Who would read it: a side, public or gm."""
    events: tuple[ChangeSeen, ...]
    """In what happened."""
    units: tuple[ChangeSeen, ...]
    """In units."""
    places: tuple[ChangeSeen, ...]
    """In places."""
    tables: tuple[ChangeSeen, ...]
    """In tables."""
    at: tuple[PlaceId, ...]
    """The places where something differs."""


class ForYouToJudge(Value, frozen=True):
    """A thing that the rules leave to the game master. Without an answer the result stands as it is."""

    key: str
    """By which an answer names it."""
    kind: str
    """What it is about, in a few words."""
    question: str
    """The question, as the readers of the answer know it."""
    audiences: tuple[str, ...]
    """Who reads the answer; empty: everybody."""
    hint: str
    """What the game master alone should know."""
    rule: str
    """The number of the rule; empty: none."""
    answer: str
    """The answer; empty: none yet."""


class MessageTo(Value, frozen=True):
    """A message of the game master that is published with a phase."""

    audience: str
    """Who reads it: a side, or public."""
    text: str
    """The message; empty: none."""


class CountingSheet(Value, frozen=True):
    """A sheet with which the phase was resolved."""

    side: str
    """The side, or gm."""
    desk: str
    """The name of the desk."""
    version: int
    """The number of the version."""
    text: str
    """The text as it was written."""
    outcomes: tuple[LineResult, ...]
    """What became of each order of it."""


class DraftResults(Value, frozen=True):
    """A phase that is resolved and not published."""

    seen: str
    """The mark of these draft results. Every act on them names it, and is refused once they have changed."""
    number: int
    """The number of the phase."""
    title: str
    """What players call the phase."""
    moment: str
    """When it is in the game."""
    opens_next: str
    """The phase that opens when it is published; empty if the campaign ends."""
    drafted_at: datetime | None
    """Since when it is ready."""
    publishes_at: datetime | None
    """When it is published, as you have approved it; null: it waits for you."""
    flags: tuple[str, ...]
    """What to check first."""
    to_judge: tuple[ForYouToJudge, ...]
    """What the rules leave to you, first what has no answer."""
    events: tuple[EventTold, ...]
    """What happened, and why."""
    changes: tuple[ChangesFor, ...] | None
    """What changed since the draft before, your own first; null if this is the first."""
    messages: tuple[MessageTo, ...]
    """Your messages to each audience."""
    sheets: tuple[CountingSheet, ...]
    """The sheets that counted."""


class NewJudgement(Value, frozen=True):
    """An answer to something that the rules leave to the game master."""

    seen: str
    """The mark of the draft results."""
    key: str
    """The key of the question."""
    text: str
    """The answer, at most 2,000 characters; empty: delete it."""


class NewMessages(Value, frozen=True):
    """Messages to save with the draft results."""

    seen: str
    """The mark of the draft results."""
    messages: tuple[MessageTo, ...]
    """Messages; those to other audiences stay as they are."""


class Publication(Value, frozen=True):
    """Draft results to publish to everyone."""

    seen: str
    """The mark of the draft results."""
    messages: tuple[MessageTo, ...] = ()
    """Messages to publish with them; those to other audiences stay as they were saved."""


class PublicationCancelled(Value, frozen=True):
    """Draft results that are about to be published, and should wait for you again."""

    seen: str
    """The mark of the draft results."""
