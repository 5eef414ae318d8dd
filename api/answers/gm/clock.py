"""What waits for the game master, and the clock of the open phase."""

from datetime import datetime
from typing import Annotated

import msgspec

from api.answers.campaigns import OpenPhase
from api.answers.sheets import PhaseMark
from campaign.engine.values.value import Value

Moment = Annotated[datetime, msgspec.Meta(tz=True)]


class WaitingItem(Value, frozen=True):
    """A thing of this campaign that waits for the game master, as in their inbox."""

    text: str
    """What it is."""
    button: str
    """What the button of the page says."""
    address: str
    """The page for people where they do it."""
    due: datetime | None
    """When it is too late; null: it waits."""


class DeskReadiness(Value, frozen=True):
    """How far a desk's sheet is. Its text is sealed until the phase is locked."""

    side: str
    """The side, or gm."""
    desk: str
    """The name of the desk."""
    holder: str
    """Who writes it, and whether they are away."""
    version: int
    """The number of the newest version; 0 if nothing was submitted."""
    ready: bool
    """Whether that version says READY."""
    waited_for: bool
    """Whether the phase closes before its deadline only with its READY, or with that of HQ for all desks."""


class GmPhase(Value, frozen=True):
    """The phase in which people act, or that is being resolved, as the game master reads it."""

    phase: OpenPhase
    """The phase."""
    state: str
    """open, resolving, draft, failed."""
    desks: tuple[DeskReadiness, ...]
    """Every desk of the sides that act in this phase."""


class GmCampaign(Value, frozen=True):
    """Where a campaign is now."""

    now: GmPhase | None
    """The phase in which people act, or that is being resolved; null if the campaign is over."""


class NewDeadline(Value, frozen=True):
    """Another deadline for the open phase. All players are notified."""

    phase: PhaseMark
    """The mark of the open phase."""
    until: Moment
    """The new deadline."""
    reason: str = ""
    """Why; all players are notified of it."""


class EarlyClosing(Value, frozen=True):
    """Why the open phase closes now. Everyone can read it, in the report too."""

    phase: PhaseMark
    """The mark of the open phase."""
    reason: str
    """Why."""


class NewPause(Value, frozen=True):
    """Why the campaign is paused, and until when. All players are notified."""

    phase: PhaseMark
    """The mark of the open phase."""
    reason: str
    """Why."""
    until: Moment | None = None
    """When it resumes automatically; null: when somebody resumes it."""


class Resumption(Value, frozen=True):
    """The phase whose clock resumes."""

    phase: PhaseMark
    """The mark of the open phase."""


class Reopening(Value, frozen=True):
    """Why the phase published last opens again, and its publication is withdrawn. Everyone can read it."""

    phase: PhaseMark
    """The mark of the open phase, which follows it."""
    reason: str
    """Why."""
