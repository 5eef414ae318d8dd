"""Sheets that come by mail. They count at the time at which the mail was received."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from campaign.engine.orders.notation import MOST_CHARACTERS, lines_of, lines_that_say
from campaign.engine.orders.order import Ready, verb_of
from campaign.mail.messages import to_member
from campaign.selectors import PhaseInfo
from campaign.viewers import Viewer
from orders.answers import Answer
from orders.desks import Place, places, still_writes
from orders.intake import NotYours, Receipt, Submission, submit
from orders.models import Channel, Sheet
from orders.services import TooLong, answered, with_ready


@dataclass(frozen=True, kw_only=True)
class Mailed:
    """A sheet as somebody mailed it."""

    place: Place
    text: str
    idem_key: str
    received_at: datetime | None
    """None: now, when its author confirms it on the site."""
    expected_version: int | None = None
    """The last version that they saw when they confirmed it."""


def desk_of(viewer: Viewer, text: str) -> Place | None:
    """The desk whose sheet this is: the one that a comment `# Desk: NAME` names, else the first that they write.

    None if they write no such desk.
    """
    written = [place for place in places(viewer) if place.writes]
    named = _DESK.search(text)
    if named is None:
        return next(iter(written), None)
    return next((place for place in written if place.name.casefold() == named["name"].casefold()), None)


_DESK = re.compile(r"^\s*#\s*desk:\s*(?P<name>.+?)\s*$", re.IGNORECASE | re.MULTILINE)


def whole_text(viewer: Viewer, phase: PhaseInfo, place: Place, text: str) -> str:
    """The sheet that a mail means: READY alone says that the desk's newest sheet is READY as it is."""
    newest = _sheets(viewer, phase, place).order_by("-version").first()
    said = [line for line in lines_of(text) if line.strip() and not line.strip().startswith("#")]
    only_ready = said and all(says for _, says in lines_that_say("\n".join(said), verb_of(Ready)))
    return with_ready(newest.text) if only_ready and newest is not None and newest.text.strip() else text


def require_length(text: str) -> None:
    """Raise TooLong if a sheet is longer than the limit."""
    if len(text) > MOST_CHARACTERS:
        raise TooLong(text)


def replaced(viewer: Viewer, sheet: Sheet) -> Sheet | None:
    """The version before a sheet, if it has any orders."""
    before = Sheet.objects.for_viewer(viewer).filter(phase=sheet.phase_id, side=sheet.side, desk=sheet.desk)
    return before.filter(version=sheet.version - 1).exclude(text="").select_related("author").first()


def submit_mailed(
    viewer: Viewer,
    phase: PhaseInfo,
    mailed: Mailed,
    *,
    noted: Callable[[Sheet, Answer], None],
) -> Receipt:
    """Submit a mailed sheet; `noted` keeps what becomes true with it. Raises TooLong, and what `intake.submit` raises.

    It replaces whatever was submitted before the mail was received, and nothing that was submitted later: then it is
    Outdated. What its author is writing on the page stays.
    """
    place, text = mailed.place, mailed.text
    if not place.writes:
        raise NotYours
    require_length(text)
    with to_member(viewer.member):
        reply = answered(viewer, phase, place, text)
    submission = Submission(
        phase_id=phase.phase_id,
        side=place.side,
        desk=place.name,
        author=viewer.person,
        text=text,
        channel=Channel.MAIL,
        idem_key=mailed.idem_key,
        expected_version=mailed.expected_version,
        received_at=mailed.received_at,
        ready=reply.ready,
    )
    return submit(
        submission,
        allowed=lambda: still_writes(viewer, place),
        noted=lambda sheet: noted(sheet, reply),
    )


def _sheets(viewer: Viewer, phase: PhaseInfo, place: Place) -> QuerySet[Sheet]:
    return Sheet.objects.for_viewer(viewer).filter(phase=phase.phase_id, side=place.side, desk=place.name)
