"""Exposure: something was seen where it should not be. Its links die, those concerned are told, the audit keeps it."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import Enum, auto

from django.db import transaction
from django.http import Http404

from campaign import audit, clock, people
from campaign.doorbell import Bell, ring
from campaign.engine.ids import PUBLIC
from campaign.failpoints import fp
from campaign.letters import Extras, letter_to, present_members
from campaign.links import Reach, linked_audiences, reach, revoke_links
from campaign.models import AuditEntry, Membership, Phase, PhaseState
from campaign.outbox import Letter
from campaign.seats import Seat
from campaign.templatetags.fieldpost import who
from gm.asked import title_of
from gm.mail import write

ACT = "exposure"
"""What the audit chain calls it."""


@dataclass(frozen=True)
class Exposed:
    """What was found, and what was done about it."""

    revoked: int
    """Links that led there until now."""
    reach: Reach


class Tells(Enum):
    """Who is mailed about it; the GMs are with the side."""

    NOBODY = auto()
    SIDE = auto()
    ALL = auto()


def expose(seat: Seat, *, no: int, side: str, what: str, tells: Tells) -> Exposed:
    """Revoke all links to what a side received of a stop, and tell those who are to be told.

    Http404 for a stop that is not published, or a side that there is not.
    """
    with transaction.atomic(durable=True):
        phase = _published(seat, no)
        if side not in linked_audiences(seat.campaign) or side == PUBLIC:
            raise Http404
        people.lock(seat.campaign)
        now = clock.now()
        came = reach(seat.campaign, no, side)
        revoked = revoke_links(seat.campaign, no, side, now=now)
        exposed = Exposed(len(revoked), came)
        audit.record(seat.campaign, ACT, _subject(seat, phase, side, what, exposed), at=now, rows=revoked)
        number = seat.campaign.audit.filter(act=ACT).count()
        if tells is not Tells.NOBODY:
            write(_letters(phase, side, what, exposed, tell_all=tells is Tells.ALL, number=number, now=now))
        ring(Bell.MAIL, phase.pk)
        fp("exposure.before_commit")
    return exposed


def exposures(seat: Seat) -> list[AuditEntry]:
    """What was exposed in a campaign, the newest first, as its audit has it."""
    return list(seat.campaign.audit.filter(act=ACT).order_by("-no"))


def _published(seat: Seat, no: int) -> Phase:
    """A published stop's row, with nobody else changing it until the transaction ends; Http404 if there is none."""
    published = Phase.objects.filter(campaign=seat.campaign, no=no, state=PhaseState.PUBLISHED)
    phase = published.select_for_update(of=("self",)).select_related("campaign").first()
    if phase is None:
        raise Http404
    return phase


def _subject(seat: Seat, phase: Phase, side: str, what: str, exposed: Exposed) -> dict[str, str | int]:
    return {
        "phase": phase.no,
        "rev": phase.rev,
        "title": f"{title_of(phase)}, {phase.day:%-d %B %Y}",
        "side": side,
        "what": what,
        "revoked": exposed.revoked,
        "visitors": exposed.reach.visitors,
        "fetches": exposed.reach.fetches,
        "by": seat.person.pk,
    }


def _letters(
    phase: Phase, side: str, what: str, exposed: Exposed, *, tell_all: bool, number: int, now: datetime
) -> Iterator[Letter]:
    key = f"{ACT}/{phase.campaign.slug}/{phase.no}.{phase.rev}/{number}"
    for member in present_members(phase.campaign):
        text = _told(member, phase, side, what, exposed, tell_all=tell_all)
        if text:
            context = {"what": text, "now": now}
            yield letter_to(member, kind=ACT, key=key, context=context, phase=phase, extras=Extras(template="notice"))


def _told(member: Membership, phase: Phase, side: str, what: str, exposed: Exposed, *, tell_all: bool) -> str:
    """What a member is told; empty for nothing. How far it has come is for the side itself and the GM alone."""
    received = f"What the {who(side)} received of “{title_of(phase)}”, {phase.day:%-d %B %Y}"
    if member.side not in ("", side):
        if not tell_all:
            return ""
        return (
            f"{received}, was seen where it should not be. Whoever of you has come across it tells the GM, passes it"
            " on to nobody and makes no use of it."
        )
    links = f"{exposed.revoked} link{'' if exposed.revoked == 1 else 's'} to its pictures"
    visitors = f"{exposed.reach.visitors} visitor{'' if exposed.reach.visitors == 1 else 's'}"
    return (
        f"{received}, was seen where it should not be: {what}\n\n{links} led there until now and lead nowhere any more;"
        f" {visitors} had followed them. Posts that show a picture by them show nothing now. New links can be made on"
        " the page of links. What was copied before cannot be taken back."
    )
