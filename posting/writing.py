"""Posts as rows: written in the transaction that publishes a phase, and withdrawn in the one that withdraws it."""

import hashlib
import secrets
from datetime import datetime

from django.contrib.auth.models import AnonymousUser
from django.db.models import F, Q, QuerySet

from campaign import selectors
from campaign.engine.phases import Weight
from campaign.engine.values.ids import Audience
from campaign.engine.values.value import replace
from campaign.handling import handling_of
from campaign.models import Artefact, Mailing, Phase
from campaign.posts import Post, post_of
from campaign.record import audit
from campaign.reports import FORUMS
from campaign.secrecy import truth
from campaign.viewers import Viewer
from posting.adapters import ADAPTERS
from posting.models import Destination, DispatchState, ThreadPost

_ROOM = 200
"""Characters of a post for what an adapter adds: the mark, and the name of the map."""
_NOT_POSTED = "The phase was withdrawn before it was posted."


def write_posts(phase: Phase, *, now: datetime) -> None:
    """The posts of a phase that was just published, for each destination, in the publishing transaction.

    A phase whose report is not mailed is not posted: the next full report gathers it.
    """
    destinations = list(Destination.objects.filter(campaign=phase.campaign_id, withdrawn_at=None).order_by("no"))
    if not destinations or handling_of(phase.campaign, Weight(phase.weight)).mailing is not Mailing.REPORTS:
        return
    for destination in destinations:
        audience = Audience(destination.audience)
        with truth.writing(audience):
            rows = _write(destination, phase, _post_for(audience, phase, destination.kind), now)
        if rows:
            said: dict[str, str | int] = {"phase": phase.no, "rev": phase.rev, "destination": destination.no}
            audit.record(phase.campaign, "forum posts", said, at=now, rows=rows)


def _post_for(audience: Audience, phase: Phase, kind: str) -> Post | None:
    """What an audience received, as the post that its page shows; its map goes with it if it is not linked."""
    viewer = _reader(audience, phase)
    forum = FORUMS[kind]
    room = _ROOM if ADAPTERS[kind].readable else 0
    published = selectors.published_phase(viewer, phase.no)
    return post_of(viewer, published, replace(forum, limit=forum.limit - room), attached=True)


def _write(destination: Destination, phase: Phase, post: Post | None, now: datetime) -> list[ThreadPost]:
    """The rows of a post. Raises Breach unless this block writes to the destination's audience."""
    truth.require_written(Audience(destination.audience))
    if post is None or post.audience != destination.audience:
        return []
    with truth.opened("ThreadPost", "Destination"):
        return ThreadPost.objects.bulk_create(
            ThreadPost(
                destination=destination,
                phase=phase,
                part=part,
                parts=len(post.parts),
                mark=secrets.token_hex(8),
                text=text,
                digest=hashlib.sha256(text.encode()).hexdigest(),
                picture=_picture(post, phase) if part == 1 else None,
                created_at=now,
                next_at=now,
            )
            for part, text in enumerate(post.parts, start=1)
        )


def _picture(post: Post, phase: Phase) -> Artefact | None:
    """The map that goes with a post: that of its own audience, if the text does not show it by a link."""
    kinds = [each.kind for each in post.attachments]
    found = Artefact.objects.for_viewer(_reader(post.audience, phase))
    return found.filter(phase=phase, audience=post.audience, kind__in=kinds).defer("content").first()


def _reader(audience: Audience, phase: Phase) -> Viewer:
    """Somebody who reads the campaign as this audience does."""
    return Viewer(phase.campaign, AnonymousUser(), None, viewing_as=audience)


# --- what should not be there any more -------------------------------------------------------------------------------


def withdraw_posts(phase: Phase, *, now: datetime) -> int:
    """Withdraw the posts of a phase, within the transaction that withdraws it; returns how many may be on a forum.

    A commander may end a campaign, and so withdraw its open phase; they learn nothing of posts by it.
    """
    with truth.opened("Destination", "ThreadPost"):
        posts = ThreadPost.objects.filter(phase=phase, withdrawn_at=None).exclude(state=DispatchState.DELETED)
        rows = list(posts.select_related("destination").order_by("pk"))
        if not rows:
            return 0
        ThreadPost.objects.filter(pk__in=[row.pk for row in rows]).update(withdrawn_at=now)
        said: dict[str, str | int] = {"phase": phase.no, "rev": phase.rev}
        audit.record(phase.campaign, "withdraw forum posts", said, at=now, rows=rows)
        withdrawn = ThreadPost.objects.filter(pk__in=[row.pk for row in rows])
        leave(withdrawn, now)
        return withdrawn.exclude(state=DispatchState.DELETED).count()


def leave(rows: QuerySet[ThreadPost], now: datetime) -> None:
    """Bring withdrawn posts on their way out, wherever they are; one that is being sent follows when that is noted."""
    gone = rows.filter(withdrawn_at__isnull=False)
    never = gone.filter(state__in=(DispatchState.WAITING, DispatchState.DEAD))
    never.update(state=DispatchState.DELETED, next_at=None, lease_until=None, trouble=_NOT_POSTED, fence=F("fence") + 1)
    readable = [kind for kind, adapter in ADAPTERS.items() if adapter.readable]
    in_use = Q(destination__withdrawn_at=None)
    there = gone.filter(in_use & ~Q(remote_id=""), state=DispatchState.SENT)
    looked_up = gone.filter(in_use, state=DispatchState.DOUBT, destination__kind__in=readable)
    for found in (there, looked_up):
        _let_leave(found, next_at=now)
    _let_leave(gone.filter(state__in=(DispatchState.SENT, DispatchState.DOUBT)), next_at=None)


def _let_leave(rows: QuerySet[ThreadPost], *, next_at: datetime | None) -> None:
    keys = list(rows.values_list("pk", flat=True))
    ThreadPost.objects.filter(pk__in=keys).update(
        state=DispatchState.LEAVING,
        next_at=next_at,
        lease_until=None,
        tries=0,
        first_try_at=None,
        fence=F("fence") + 1,
        trouble="" if next_at else "Fieldpost cannot delete it there: look yourself, and delete it.",
    )
