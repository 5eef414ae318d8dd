"""Links to published pictures, for forum posts: addresses that nobody can guess, each of one picture, byte for byte.

A link shows its picture to the audience that the picture was published for, and to the GM. Others, signed in or not,
see it only while the GM allows that for the audience. Links never expire, since forum posts keep their pictures;
they can be revoked. Who fetched a picture is kept for 90 days: members by name, others by a keyed digest of their
network, which tells visitors apart and identifies nobody. The record of an exposure keeps this for good, but only
the first of the strangers.
"""

import hmac
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Case, Count, F, OuterRef, Prefetch, QuerySet, Subquery, When
from django.http import Http404
from django.urls import reverse

from campaign.core import clock
from campaign.core.failpoints import fp
from campaign.engine.values.ids import PUBLIC, Audience
from campaign.models import Artefact, Campaign, Fetch, Link, Membership, Phase, PhaseState, Role, User
from campaign.people import memberships
from campaign.record import audit
from campaign.secrecy import truth
from campaign.selectors import PhaseInfo, published_phases
from campaign.services import scenario_of
from campaign.viewers import Viewer

PICTURES = ("map", "chart", "thumbnail")
"""The kinds of artefact that have links. Texts are pasted into posts, and nobody could revoke them there."""

IN_POSTS = ("map", "chart")
"""The pictures that are part of a forum post."""

_UNSEEN = ("artefact__content", "artefact__sha256")
"""The columns that a page does not need when it only names a picture."""

KEPT = timedelta(days=90)
"""How long the record of who fetched a link is kept."""
MOST_VISITS = 100
"""The most visitors listed for a link, first those whom the reader may name."""


def link_address(link: Link) -> str:
    """The whole address, to paste into a post."""
    return f"{settings.SITE_URL}{reverse('picture', args=[link.token])}"


def is_open(campaign: Campaign, audience: str) -> bool:
    """Whether anybody with a link of this audience sees its picture."""
    return _open_to_all(audience, campaign.open_links, public=campaign.public)


def _open_to_all(audience: str, open_links: Sequence[str], *, public: bool) -> bool:
    return audience in open_links or (audience == PUBLIC and public)


def linked_audiences(campaign: Campaign) -> tuple[Audience, ...]:
    """The audiences whose pictures can have links: all but the GM."""
    return (*map(Audience, scenario_of(campaign).rules.sides), PUBLIC)


def links_to(viewer: Viewer, phase: PhaseInfo) -> dict[str, Link | None]:
    """The pictures that the viewer's audience received of a phase, by kind, each with its live link if it has one."""
    received = _pictures(viewer, viewer.audience).filter(phase=phase.phase_id).values_list("kind", flat=True)
    live = Link.objects.filter(artefact__in=_pictures(viewer, viewer.audience), revoked_at=None)
    with truth.opened("Link"):
        here = live.filter(artefact__phase=phase.phase_id).select_related("artefact").defer(*_UNSEEN)
        found = {link.artefact.kind: link for link in here}
    there = set(received)
    return {kind: found.get(kind) for kind in PICTURES if kind in there}


# --- who may manage links --------------------------------------------------------------------------------------------


def governed(viewer: Viewer) -> tuple[Audience, ...]:
    """The audiences whose links the viewer creates, watches and revokes. Http404 for those who may not."""
    if viewer.is_gm:
        return linked_audiences(viewer.campaign)
    if not viewer.commands:
        raise Http404
    return (viewer.audience,)


def make_link(viewer: Viewer, no: int, audience: str, kind: str = "map", *, now: datetime) -> Link:
    """The live link to an audience's picture of a phase, else a new one. Http404 for another audience's."""
    pictures = _pictures(viewer, _required(viewer, audience)).filter(phase__no=no, kind=kind)
    picture = pictures.only("pk", "audience", "kind").first()
    if picture is None:
        raise Http404
    with transaction.atomic(durable=True), truth.opened("Link"):
        memberships.lock(viewer.campaign)
        found = picture.links.filter(revoked_at=None).first()
        if found is None:
            token = secrets.token_hex(16)
            found = picture.links.create(token=token, made_by=viewer.person, made_at=now)
            _record(viewer, "link", no, picture, now, link=found)
        fp("link.before_commit")
    return found


def link_published(phase: Phase, *, now: datetime) -> None:
    """Links to the maps and charts of a phase that everybody with a link may see, in the caller's transaction.

    So the posts of these audiences have their pictures at once. Nobody made these links.
    """
    shown = Artefact.objects.filter(phase=phase, audience__in=phase.campaign.open_links, kind__in=IN_POSTS)
    for picture in shown.order_by("audience", "kind").only("pk", "audience", "kind"):
        link = picture.links.create(token=secrets.token_hex(16), made_at=now)
        subject: dict[str, str | int] = {"phase": phase.no, "audience": picture.audience, "kind": picture.kind}
        audit.record(phase.campaign, "link", subject, at=now, rows=[link])


def revoke_link(viewer: Viewer, token: str, *, now: datetime) -> None:
    """Revoke a link; no effect if it was revoked already. Http404 for a link that is not in the viewer's hands."""
    governed_links = Link.objects.filter(artefact__in=_pictures(viewer, *governed(viewer)), token=token)
    with truth.opened("Link"):
        link = governed_links.select_related("artefact__phase").defer(*_UNSEEN).first()
    if link is None:
        raise Http404
    with transaction.atomic(durable=True), truth.opened("Link"):
        memberships.lock(viewer.campaign)
        if Link.objects.filter(pk=link.pk, revoked_at=None).update(revoked_at=now):
            _record(viewer, "revoke link", link.artefact.phase.no, link.artefact, now, link=link)
        fp("link.before_commit")


def revoke_links(phase: Phase, audience: str, *, now: datetime) -> list[Link]:
    """Revoke all links of an audience to a phase, within the caller's transaction; returns them.

    Links to a withdrawn phase lead nowhere already; this revokes them for good.
    """
    pictures = Artefact.objects.filter(phase=phase, audience=audience, kind__in=PICTURES)
    live = list(Link.objects.filter(artefact__in=pictures, revoked_at=None))
    Link.objects.filter(pk__in=[link.pk for link in live]).update(revoked_at=now)
    return live


def _required(viewer: Viewer, audience: str) -> Audience:
    allowed = {str(each): each for each in governed(viewer)}
    if audience not in allowed:
        raise Http404
    return allowed[audience]


def _record(viewer: Viewer, act: str, no: int, picture: Artefact, now: datetime, *, link: Link) -> None:
    subject: dict[str, str | int] = {
        "phase": no,
        "audience": picture.audience,
        "kind": picture.kind,
        "by": viewer.person.pk,
    }
    audit.record(viewer.campaign, act, subject, at=now, rows=[link])


def _pictures(viewer: Viewer, *audiences: str) -> QuerySet[Artefact]:
    """Published pictures, without those of withdrawn phases."""
    return Artefact.objects.for_viewer(viewer).filter(
        phase__state=PhaseState.PUBLISHED, audience__in=audiences, kind__in=PICTURES
    )


# --- following a link ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Found:
    """A live link, with its reader's role and side in its campaign; None if they are no member."""

    link: int
    artefact: int
    campaign: int
    audience: str
    public: bool
    open_links: list[str]
    role: str | None
    side: str | None

    @property
    def shows(self) -> bool:
        """Whether the reader may see the picture."""
        if self.role == Role.GM or _open_to_all(self.audience, self.open_links, public=self.public):
            return True
        if self.audience == PUBLIC:
            return self.role is not None
        return self.audience == self.side


def follow(user: User | None, token: str, *, network: str) -> bytes:
    """The picture of a link; records who fetched it.

    Http404 after the same single query for links that never existed, are revoked, or are not for this reader.
    """
    found = _found(user, token)
    if found is None or not found.shows:
        raise Http404
    content = Artefact.objects.values_list("content", flat=True).get(pk=found.artefact)
    _note(found, user, network, clock.now())
    return bytes(content)


def _found(user: User | None, token: str) -> _Found | None:
    here = OuterRef("artefact__phase__campaign")
    part = Membership.objects.filter(campaign=here, user=user.pk if user else 0, left_at=None)
    live = Link.objects.filter(token=token, revoked_at=None, artefact__phase__state=PhaseState.PUBLISHED)
    columns = {
        "link": F("pk"),
        "campaign": F("artefact__phase__campaign"),
        "audience": F("artefact__audience"),
        "public": F("artefact__phase__campaign__public"),
        "open_links": F("artefact__phase__campaign__open_links"),
        "role": Subquery(part.values("role")[:1]),
        "side": Subquery(part.values("side")[:1]),
    }
    with truth.opened("Link"):
        row = live.annotate(**columns).values(*columns, "artefact").first()
    return _Found(**row) if row else None


def _note(found: _Found, user: User | None, network: str, now: datetime) -> None:
    member = user if found.role is not None else None
    mark = _mark(found.campaign, f"user {member.pk}" if member else network)
    again = Fetch.objects.filter(link=found.link, mark=mark)
    if again.update(last_at=now, times=F("times") + 1):
        return
    try:
        with transaction.atomic():
            Fetch.objects.create(link_id=found.link, user=member, mark=mark, first_at=now, last_at=now)
    except IntegrityError:  # their other request was quicker
        again.update(last_at=now, times=F("times") + 1)


def _mark(campaign: int, visitor: str) -> str:
    """A visitor's mark in a campaign. Without the server's secret nobody can test addresses against it."""
    message = f"fieldpost fetch|{campaign}|{visitor}".encode()
    return hmac.digest(settings.SECRET_KEY.encode(), message, "sha256")[:6].hex()


# --- who fetched links -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Visit:
    """Somebody who fetched a link."""

    who: str
    first_at: datetime
    last_at: datetime
    times: int


@dataclass(frozen=True)
class Watched:
    """A link, its picture, and who fetched it."""

    link: Link
    address: str
    phase: PhaseInfo
    audience: Audience
    kind: str
    visitors: int
    """The number of visitors, listed or not."""
    visits: tuple[Visit, ...]
    """The listed visitors, the earliest first."""

    @property
    def unlisted(self) -> int:
        """The number of visitors who are not listed."""
        return self.visitors - len(self.visits)


def watched(viewer: Viewer) -> list[Watched]:
    """All links that the viewer manages, the newest first, with who fetched them.

    A commander reads the names of members of their own side; everybody else is a mark to them. The GM reads all
    names.
    """
    phases = {phase.phase_id: phase for phase in published_phases(viewer)}
    found = Link.objects.filter(artefact__in=_pictures(viewer, *governed(viewer)))
    found = found.select_related("artefact").defer(*_UNSEEN).annotate(visitors=Count("fetches"))
    named = _named(viewer)
    others_last = Case(When(user__in=list(named), then=0), default=1)
    listed = Fetch.objects.order_by(others_last, "first_at", "mark")[:MOST_VISITS]
    found = found.prefetch_related(Prefetch("fetches", listed, to_attr="listed"))
    with truth.opened("Link"):
        every = list(found.order_by("-made_at", "artefact__phase__no", "artefact__audience", "artefact__kind", "-pk"))
    return [
        Watched(
            link=link,
            address=link_address(link),
            phase=phases[link.artefact.phase_id],
            audience=Audience(link.artefact.audience),
            kind=link.artefact.kind,
            visitors=max(link.visitors, len(link.listed)),  # one may have come between the two queries
            visits=tuple(_visit(fetch, named) for fetch in sorted(link.listed, key=lambda each: each.first_at)),
        )
        for link in every
        if link.artefact.phase_id in phases
    ]


def _named(viewer: Viewer) -> Mapping[int, str]:
    """The forum names that the viewer may read, by user."""
    present = memberships.members(viewer)
    own = present if viewer.is_gm else present.filter(side=viewer.side)
    return {member.user_id: member.user.username for member in own}


def _visit(fetch: Fetch, named: Mapping[int, str]) -> Visit:
    who = named.get(fetch.user_id or 0) or f"visitor {fetch.mark}"
    return Visit(who, fetch.first_at, fetch.last_at, fetch.times)


@dataclass(frozen=True)
class Fetched:
    """A fetch of a picture, by one of its links."""

    user_id: int | None
    """None: not a member of the campaign."""
    mark: str
    kind: str
    first_at: datetime
    last_at: datetime
    times: int


def fetched(phase: Phase, audience: str) -> list[Fetched]:
    """Who fetched an audience's pictures of a phase, while that is kept, the earliest first."""
    pictures = {
        "link__artefact__phase": phase,
        "link__artefact__audience": audience,
        "link__artefact__kind__in": PICTURES,
    }
    columns = ("user_id", "mark", "link__artefact__kind", "first_at", "last_at", "times")
    found = Fetch.objects.filter(**pictures).order_by("first_at", "pk")
    return [Fetched(*row) for row in found.values_list(*columns)]


def forget_fetches(now: datetime) -> int:
    """Delete old records of fetches; returns the number of rows."""
    return Fetch.objects.filter(last_at__lt=now - KEPT).delete()[0]
