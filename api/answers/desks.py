"""Desks and what is stored for them: versions of sheets, drafts, receipts."""

from datetime import datetime
from typing import Annotated

import msgspec

from api.answers.sheets import PhaseMark, Version
from campaign.engine.values.value import Value


class NewDraft(Value, frozen=True):
    """A draft to save in place of the caller's earlier one."""

    phase: PhaseMark
    """The phase that it is for."""
    text: str
    """The whole text."""
    version: Version
    """The newest version of the sheet that its writer has seen; 0 for none."""
    replaces: Annotated[datetime, msgspec.Meta(tz=True)] | None = None
    """When the draft that this one replaces was saved, as it was read; null if there was none."""


class SavedDraft(Value, frozen=True):
    """What the caller is writing for a desk and has not submitted."""

    text: str
    """The text."""
    version: int
    """The newest version of the sheet that its writer had seen; 0 for none."""
    saved_at: datetime
    """When it was saved."""


class Reason(Value, frozen=True):
    """Why a line of a sheet had its outcome."""

    text: str
    """A sentence of the report, or why the line was refused."""
    rule: str = ""
    """The number of the rule; empty: none."""
    reasons: tuple[str, ...] = ()
    """The reasons of a result: modifiers, dice."""


class LineResult(Value, frozen=True):
    """What became of a line of a sheet, as far as its side was told."""

    line: int
    """The number of the line; 1 is the first."""
    text: str
    """The line as it was written."""
    effect: str
    """done, short, silent, accepted, unmet, ignored, replaced.

    short: not carried out, or not as written; silent: no report says what became of it; accepted: it counted, and a
    report need not answer it; unmet: what it waits for, such as a time, did not come; replaced: HQ gave the unit orders
    itself.
    """
    because: tuple[Reason, ...]
    """Why."""


class SheetVersion(Value, frozen=True):
    """A version of a desk's sheet, exactly as received, with its receipt."""

    phase: str
    """The mark of the phase that it is for."""
    desk: str
    """The name of the desk."""
    version: int
    """Its number: 1 is the first."""
    text: str
    """The text; empty if it was withdrawn."""
    ready: bool
    """Whether it says READY."""
    author: str
    """Who submitted it; empty for a bot, and for results of battles."""
    channel: str
    """How it came: web, api, mail, gm, battles, bot."""
    received_at: datetime
    """When it was received."""
    nonce: str
    """What was added to the text before the digest was made."""
    digest: str
    """SHA-256 of the text, a line end and the nonce."""
    counted: bool
    """Whether the phase was resolved with this version, or will be as it is locked."""
    outcomes: tuple[LineResult, ...] = ()
    """What became of each order of it.

    Empty if it did not count, until the phase is published, and for phases that an older release resolved.
    """


class DeskStatus(Value, frozen=True):
    """A desk whose sheet the caller may read, with its sheet for the open phase."""

    desk: str
    """Its name: HQ, or a desk that the side's commander has made."""
    writes: bool
    """Whether the caller writes its sheet."""
    formations: tuple[str, ...] | None
    """The formations that it may order; null: everything."""
    version: int
    """The number of the newest version of its sheet; 0 if nothing was submitted."""
    ready: bool
    """Whether that version says READY."""
    ready_at: datetime | None
    """When its READY takes effect, which can be cancelled until then; null: it is not READY."""
    for_side: bool
    """Whether it is READY for all desks of its side."""
    waited_for: bool
    """Whether the open phase closes before its deadline only with its READY, or with that of HQ for all desks."""


class DeskSheetNow(Value, frozen=True):
    """A desk's sheet for the open phase."""

    desk: DeskStatus
    """The desk."""
    phase: str
    """The mark of the open phase."""
    text: str
    """The text of the newest version; empty if there is none."""
    draft: SavedDraft | None
    """The caller's own draft; null: there is none."""
    standing: tuple[str, ...]
    """The standing orders of the side that the phase would follow, as lines."""


class VersionLine(Value, frozen=True):
    """A version in the list of all that a desk has submitted for a phase."""

    version: int
    """Its number."""
    ready: bool
    """Whether it says READY."""
    received_at: datetime
    """When it was received."""
    author: str
    """Who submitted it; empty for a bot, and for results of battles."""
    digest: str
    """SHA-256 of the text, a line end and the nonce."""
