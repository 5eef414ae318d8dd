"""Exposure: somebody saw what they should not. Links are revoked, those concerned are told, the audit records it."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from itertools import islice
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404

from campaign.core import clock
from campaign.core.failpoints import fp
from campaign.core.workers import Job, wake_workers
from campaign.engine.values.ids import GM, PUBLIC
from campaign.links import Fetched, fetched, linked_audiences, revoke_links
from campaign.mail.delivery import EXPOSED
from campaign.mail.messages import Extras, message_to, present_members, to_member
from campaign.mail.outbox import MailMessage
from campaign.models import AuditEntry, Campaign, Membership, Phase, PhaseState, Role, User
from campaign.people import memberships
from campaign.record import audit
from campaign.services import title_of
from campaign.templatetags.fieldpost import who
from campaign.viewers import Viewer
from gm.mail import enqueue_all

ACT = "exposure"
"""Its name in the audit chain."""

MOST_STRANGERS = 100
"""The most visits of strangers that the record keeps, the earliest first: anybody anywhere may have a link."""


@dataclass(frozen=True)
class Part:
    """What somebody was, from a time until their next part."""

    since: datetime
    audience: str


@dataclass(frozen=True)
class Exposed:
    """What was found, and what was done about it."""

    revoked: int
    """The number of links that led there until now."""
    fetches: tuple[Fetched, ...]
    parts: Mapping[int, tuple[Part, ...]]
    """By user, the earliest first."""
    entitled: frozenset[str]
    """The audiences that may see it anyway."""

    @property
    def visitors(self) -> int:
        return len({each.mark for each in self.fetches})

    @property
    def own(self) -> int:
        """The number of visitors who were entitled to every picture that they fetched, at their first fetch."""
        others = {each.mark for each in self.fetches if self.part_of(each) not in self.entitled}
        return self.visitors - len(others)

    def part_of(self, fetch: Fetched) -> str:
        """The audience of somebody when they first fetched a picture; empty for a stranger."""
        until = [part for part in self.parts.get(fetch.user_id or 0, ()) if part.since <= fetch.first_at]
        return until[-1].audience if until else ""

    def kept(self) -> list[Fetched]:
        """The visits for the record: those of all members, and of the first strangers."""
        strangers = dict.fromkeys(each.mark for each in self.fetches if each.user_id is None)
        first = set(islice(strangers, MOST_STRANGERS))
        return [each for each in self.fetches if each.user_id is not None or each.mark in first]


@dataclass(frozen=True)
class Visit:
    """Somebody who had fetched a picture, as recorded."""

    who: str
    part: str
    """The audience that they belonged to when they first fetched it; empty for a stranger."""
    picture: str
    first_at: datetime
    last_at: datetime
    times: int


@dataclass(frozen=True)
class Exposure:
    """An exposure, as recorded."""

    at: datetime
    subject: Mapping[str, Any]
    visits: tuple[Visit, ...]
    """Empty if an older release recorded it."""
    unlisted: int
    """The number of strangers whose visits are not kept."""


class Notify(Enum):
    """Who is mailed about it, as the record names them; the GMs belong to the side here."""

    NOBODY = "nobody"
    SIDE = "side"
    ALL = "all"


def expose(viewer: Viewer, *, no: int, rev: int, side: str, what: str, tells: Notify) -> Exposed:
    """Revoke all links to what a side received of a phase, and tell those concerned.

    Http404 for a phase that was never published, or an unknown side. The phase may have been withdrawn since.
    """
    with transaction.atomic(durable=True):
        phase = _published(viewer, no, rev)
        if side not in linked_audiences(viewer.campaign) or side == PUBLIC:
            raise Http404
        memberships.lock(viewer.campaign)
        now = clock.now()
        came = tuple(fetched(phase, side))
        revoked = revoke_links(phase, side, now=now)
        exposed = Exposed(len(revoked), came, _parts(viewer.campaign), frozenset({side, GM}))
        subject = {**_subject(viewer, phase, side, what, exposed), "told": tells.value}
        audit.record(viewer.campaign, ACT, subject, at=now, rows=revoked)
        number = viewer.campaign.audit.filter(act=ACT).count()
        if tells is not Notify.NOBODY:
            enqueue_all(_messages(phase, side, what, exposed, tell_all=tells is Notify.ALL, number=number, now=now))
        wake_workers(Job.MAIL, phase.pk)
        fp("exposure.before_commit")
    return exposed


def exposable(viewer: Viewer) -> QuerySet[Phase]:
    """The phases that somebody may have seen wrongly, the newest first: all that were ever published."""
    published = Phase.objects.filter(campaign=viewer.campaign, published_at__isnull=False)
    return published.select_related("campaign").order_by("-no", "-rev")


def exposures(viewer: Viewer) -> list[Exposure]:
    """A campaign's exposures from its audit, the newest first."""
    entries = list(viewer.campaign.audit.filter(act=ACT).order_by("-no"))
    users = {visit["user"] for entry in entries for visit in entry.subject.get("visits", ())}
    names = dict(User.objects.filter(pk__in=users).values_list("pk", "username"))
    return [_exposure(entry, names) for entry in entries]


def _exposure(entry: AuditEntry, names: Mapping[int, str]) -> Exposure:
    visits = entry.subject.get("visits", ())
    listed = len({each["mark"] for each in visits})
    return Exposure(
        at=entry.at,
        subject=entry.subject,
        visits=tuple(_visit(each, names) for each in visits),
        unlisted=entry.subject["visitors"] - listed if visits else 0,
    )


def _visit(kept: Mapping[str, Any], names: Mapping[int, str]) -> Visit:
    return Visit(
        who=names.get(kept["user"]) or f"visitor {kept['mark']}",
        part=kept["part"],
        picture=kept["picture"],
        first_at=datetime.fromisoformat(kept["first"]),
        last_at=datetime.fromisoformat(kept["last"]),
        times=kept["times"],
    )


def _published(viewer: Viewer, no: int, rev: int) -> Phase:
    """The row of a phase that was published, locked until the transaction ends; else Http404."""
    phase = exposable(viewer).filter(no=no, rev=rev).select_for_update(of=("self",)).first()
    if phase is None:
        raise Http404
    return phase


def _parts(campaign: Campaign) -> dict[int, tuple[Part, ...]]:
    """Who belonged to which audience since when, from the record. A member who fetched was present then."""
    parts: dict[int, tuple[Part, ...]] = defaultdict(tuple)
    for at, subject in campaign.audit.filter(act__in=("join", "role")).order_by("no").values_list("at", "subject"):
        audience = GM if subject["role"] == Role.GM else subject["side"] or PUBLIC
        parts[subject["person"]] += (Part(at, audience),)
    return parts


def _subject(viewer: Viewer, phase: Phase, side: str, what: str, exposed: Exposed) -> audit.Subject:
    visits: list[dict[str, audit.Said]] = [
        {
            "user": each.user_id or 0,
            "mark": each.mark,
            "part": exposed.part_of(each),
            "picture": each.kind,
            "first": each.first_at.isoformat(),
            "last": each.last_at.isoformat(),
            "times": each.times,
        }
        for each in exposed.kept()
    ]
    return {
        "phase": phase.no,
        "rev": phase.rev,
        "title": f"{title_of(phase)}, {phase.moment}",
        "side": side,
        "what": what,
        "revoked": exposed.revoked,
        "visitors": exposed.visitors,
        "own": exposed.own,
        "fetches": sum(each.times for each in exposed.fetches),
        "visits": visits,
        "by": viewer.person.pk,
    }


def _messages(
    phase: Phase, side: str, what: str, exposed: Exposed, *, tell_all: bool, number: int, now: datetime
) -> Iterator[MailMessage]:
    key = f"{ACT}/{phase.campaign.slug}/{phase.no}.{phase.rev}/{number}"
    for member in present_members(phase.campaign):
        with to_member(member):
            text = _notified(member, phase, side, what, exposed, tell_all=tell_all)
        if text:
            context = {"what": text, "now": now}
            yield message_to(
                member, kind=EXPOSED, key=key, context=context, phase=phase, extras=Extras(template="notice")
            )


def _notified(member: Membership, phase: Phase, side: str, what: str, exposed: Exposed, *, tell_all: bool) -> str:
    """The text for a member; empty for none. Only the side itself and the GM learn how far the leak went."""
    received = f"What the {who(side)} received of “{title_of(phase)}”, {phase.moment}"
    if member.side not in ("", side):
        if not tell_all:
            return ""
        return (
            f"{received}, was seen by people who should not see it. If you have seen it, please tell the"
            " GM, do not pass"
            " it on, and do not use it."
        )
    links = f"{exposed.revoked} link{'' if exposed.revoked == 1 else 's'} to its pictures"
    visitors = f"{exposed.visitors} visitor{'' if exposed.visitors == 1 else 's'}"
    own = f", {exposed.own} of them of the {who(side)} or GM" if exposed.own else ""
    until = "the phase was withdrawn" if phase.state == PhaseState.WITHDRAWN else "now"
    revoked = (
        f"{links} worked until {until}, and {visitors} had opened them{own}. The links are now revoked, and posts that"
        " use them no longer show the picture. You can create new links on the page “Links”."
    )
    if not exposed.revoked and not exposed.visitors:
        revoked = "No link to its pictures was in use."
    return (
        f"{received}, was seen by people who should not see it: {what}\n\n{revoked} Fieldpost cannot delete copies that"
        " people made."
    )
