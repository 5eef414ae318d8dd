"""What only a game master can decide about a post: that it is there, that it is posted again, and that it goes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.http import Http404

from campaign.core.failpoints import fp
from campaign.people import memberships
from campaign.people.memberships import locked_member
from campaign.viewers import Viewer
from posting.destinations import Refused
from posting.models import DispatchState, ThreadPost
from posting.writing import leave


def posts_of(viewer: Viewer) -> QuerySet[ThreadPost]:
    """A campaign's posts, the newest first, without their texts."""
    found = ThreadPost.objects.filter(destination__campaign=viewer.campaign).defer("text")
    return found.select_related("destination", "phase__campaign").order_by("-created_at", "-pk")


def undecided(viewer: Viewer) -> QuerySet[ThreadPost]:
    """The posts that wait for a game master."""
    waits = Q(state__in=(DispatchState.DOUBT, DispatchState.LEAVING), next_at=None)
    return posts_of(viewer).filter(waits | Q(state=DispatchState.DEAD, destination__withdrawn_at=None))


def on_forums(viewer: Viewer) -> int:
    """How many withdrawn posts may still be on a forum."""
    leaving = posts_of(viewer).filter(withdrawn_at__isnull=False)
    return leaving.filter(state__in=(DispatchState.LEAVING, DispatchState.SENDING)).count()


@dataclass(frozen=True)
class Decision:
    """Something that a game master can do about a post."""

    act: str
    label: str
    done: str
    """What is said when it is done."""
    recorded: str
    """Its name on the record."""
    can: Callable[[ThreadPost], bool]
    changes: Callable[[datetime], Mapping[str, Any]]


def decisions_for(post: ThreadPost) -> list[Decision]:
    """What a game master can do about a post now."""
    return [each for each in DECISIONS if each.can(post)]


def decide(viewer: Viewer, mark: str, act: str, *, seen: int, now: datetime) -> Decision:
    """Do it. `seen`: the post's fence on the page. Raises Refused if it has changed since; Http404 for no such post."""
    with transaction.atomic(durable=True):
        gm = Viewer(viewer.campaign, viewer.user, locked_member(viewer, viewer.member))
        memberships.require_gm(gm)
        post = posts_of(gm).filter(mark=mark).first()
        if post is None:
            raise Http404
        decision = next((each for each in decisions_for(post) if each.act == act), None)
        unchanged = ThreadPost.objects.filter(pk=post.pk, fence=seen, state=post.state, lease_until=None)
        if decision is None or not unchanged.update(fence=F("fence") + 1, **decision.changes(now)):
            raise Refused("Nothing was changed: the post has changed since you opened the page. Look at it again.")
        leave(ThreadPost.objects.filter(pk=post.pk), now)
        said = {"phase": post.phase.no, "rev": post.phase.rev, "destination": post.destination.no, "part": post.part}
        memberships.record(gm, decision.recorded, said, now, rows=[post])
        fp("posting.before_commit")
    return decision


def _is_open(post: ThreadPost) -> bool:
    """Whether nobody can say for the game master whether it is there."""
    return post.state == DispatchState.DEAD or (post.state == DispatchState.DOUBT and post.next_at is None)


def _is_stuck(post: ThreadPost) -> bool:
    """Whether it should be deleted, and only a person can go on."""
    return post.state == DispatchState.LEAVING and post.next_at is None


def _again(now: datetime) -> Mapping[str, Any]:
    return {"state": DispatchState.WAITING, "tries": 0, "first_try_at": None, "next_at": now, "trouble": ""}


DECIDED: Mapping[str, str] = {
    "forum post is there": "the post is on the forum.",
    "post again": "the GM lets Fieldpost post it again.",
    "delete forum post": "the GM lets Fieldpost delete the post there.",
    "forum post is gone": "the post is no longer on the forum.",
}
"""Decisions by their names on the record, in words."""
DECISIONS = (
    Decision(
        act="there",
        label="It is there",
        done="Noted: the post is on the forum.",
        recorded="forum post is there",
        can=_is_open,
        changes=lambda now: {"state": DispatchState.SENT, "sent_at": now, "trouble": "", "next_at": None},
    ),
    Decision(
        act="again",
        label="Post it again",
        done="Fieldpost will post it again within a minute.",
        recorded="post again",
        can=lambda post: _is_open(post) and post.destination.withdrawn_at is None,
        changes=_again,
    ),
    Decision(
        act="delete",
        label="Delete it there",
        done="Fieldpost will delete the post from the forum within a minute.",
        recorded="delete forum post",
        can=lambda post: post.state == DispatchState.SENT and post.withdrawn_at is None,
        changes=lambda now: {"withdrawn_at": now},
    ),
    Decision(
        act="retry",
        label="Try to delete it again",
        done="Fieldpost will try again within a minute.",
        recorded="delete forum post",
        can=lambda post: _is_stuck(post) and bool(post.remote_id) and post.destination.withdrawn_at is None,
        changes=lambda now: {"next_at": now, "tries": 0, "first_try_at": None},
    ),
    Decision(
        act="gone",
        label="It is gone",
        done="Noted: the post is no longer on the forum.",
        recorded="forum post is gone",
        can=_is_stuck,
        changes=lambda _: {"state": DispatchState.DELETED, "next_at": None, "trouble": ""},
    ),
)
