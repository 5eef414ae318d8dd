"""Sends what waits for forums, from any number of workers: one machine for posts and for calls.

A worker claims a row under a lease and a fence. A post of which nobody knows whether it arrived, because an answer or a
worker was lost, is in doubt. It is not sent again before its topic was read and it is not there; where the topic
cannot be read, it waits for the game master. Deletions may be repeated: what is gone stays gone.
"""

import logging
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Coalesce

from campaign.core import clock
from campaign.core.failpoints import fp
from campaign.core.isolation import run_isolated
from campaign.core.sealing import SealBroken
from campaign.models import PhaseState
from campaign.viewers import memberships_of
from posting.adapters import Adapter, InDoubt, NotSent, Outgoing, PostRefused, Trouble, Wait
from posting.destinations import adapter_of, why_closed
from posting.models import Destination, Dispatch, DispatchState, ThreadPost, TurnCall, TurnWebhook
from posting.writing import leave

log = logging.getLogger(__name__)

LEASE = timedelta(minutes=5)
"""How long a worker may take for one post before others look after it."""
BATCH = 8
"""The most posts in one sweep."""
LONGEST_SWEEP = 20.0
"""Seconds after which a sweep begins no other post, so that no phase waits for forums."""
LOOK_AFTER = timedelta(seconds=60)
"""How long after a lost answer a topic is read: a slow forum may still be busy with the post."""
FIRST_PAUSE = timedelta(seconds=30)
LONGEST_PAUSE = timedelta(hours=1)
GIVE_UP = timedelta(hours=72)
LONGEST_TROUBLE = 500

INTERRUPTED = "A worker was stopped while it posted this. It may have arrived."
FOR_APPROVAL = "A moderator of the forum must approve it first."
NOT_THERE = "It is not in its topic."
NO_LONGER = "It is no longer their turn."


def send_due(now: datetime, *, goes_on: Callable[[], object] = lambda: True) -> int:
    """Do what is due with posts and calls; returns how many steps were taken. `goes_on` is asked before each."""
    started, done = time.monotonic(), 0
    for row in [*_due_posts(now)[:BATCH], *_due_calls(now)[:BATCH]]:
        if time.monotonic() - started > LONGEST_SWEEP or not goes_on():
            break
        done += run_isolated(f"{type(row).__name__} {row.pk}", lambda row=row: _attend(row))  # type: ignore[misc]
    return done


def _due_posts(now: datetime) -> QuerySet[ThreadPost]:
    """The posts with which something is due: those of a destination one after the other."""
    earlier = ThreadPost.objects.filter(destination=OuterRef("destination"), pk__lt=OuterRef("pk"))
    unfinished = Q(state__in=(DispatchState.WAITING, DispatchState.SENDING, DispatchState.DOUBT))
    blocks = earlier.filter(unfinished | Q(state=DispatchState.DEAD, phase=OuterRef("phase")))
    waiting = Q(state=DispatchState.WAITING, next_at__lte=now) & ~Exists(blocks)
    found = ThreadPost.objects.filter(waiting | _lost(now) | _to_look_after(now))
    return found.select_related("destination", "picture").order_by("next_at", "pk")


def _due_calls(now: datetime) -> QuerySet[TurnCall]:
    waiting = Q(state=DispatchState.WAITING, next_at__lte=now)
    found = TurnCall.objects.filter(waiting | _lost(now))
    return found.select_related("webhook__user", "member", "phase").order_by("next_at", "pk")


def _lost(now: datetime) -> Q:
    """Those whose worker has died, or is so slow that others do not wait for it."""
    return Q(state=DispatchState.SENDING, lease_until__lt=now)


def _to_look_after(now: datetime) -> Q:
    """Those to be looked up or deleted, and that nobody is busy with."""
    idle = Q(lease_until=None) | Q(lease_until__lt=now)
    return Q(state__in=(DispatchState.DOUBT, DispatchState.LEAVING), next_at__lte=now) & idle


# --- one post, or call -----------------------------------------------------------------------------------------------


def _attend(row: Dispatch) -> int:
    """Do what is due with a row; 1 if this worker did it."""
    if row.state == DispatchState.SENDING:
        return _lose(row)
    claimed = _claim(row)
    if claimed is None:
        return 0
    try:
        adapter = _adapter(claimed)
    except SealBroken:
        return _note(claimed, **_stuck(claimed, why_closed(_where(claimed))))
    step = {DispatchState.SENDING: _post, DispatchState.DOUBT: _look_up, DispatchState.LEAVING: _delete}
    return step[DispatchState(row.state)](claimed, adapter)


def _claim(row: Dispatch) -> Dispatch | None:
    """The claim on a row, void once its fence is higher; None if another was first. What is to be posted is SENDING."""
    now = clock.now()
    idle = Q(lease_until=None) | Q(lease_until__lt=now)
    after = DispatchState.SENDING if row.state == DispatchState.WAITING else row.state
    with transaction.atomic(durable=True):
        found = _row(row).filter(idle, state=row.state, fence=row.fence)
        claimed = found.update(
            state=after,
            fence=F("fence") + 1,
            tries=F("tries") + 1,
            lease_until=now + LEASE,
            first_try_at=Coalesce("first_try_at", Value(now)),
        )
    fp("posting.after_commit")
    if not claimed:
        return None
    row.state, row.fence, row.tries = after, row.fence + 1, row.tries + 1
    row.first_try_at = row.first_try_at or now
    return row


def _lose(row: Dispatch) -> int:
    """A worker was stopped while it sent this: nobody knows whether it arrived."""
    now = clock.now()
    with transaction.atomic(durable=True):
        lost = _row(row).filter(_lost(now), fence=row.fence)
        next_at = now if _is_readable(row) else None
        changed = lost.update(
            state=DispatchState.DOUBT, trouble=INTERRUPTED, lease_until=None, next_at=next_at, fence=F("fence") + 1
        )
        _follow(row, now)
        fp("posting.before_commit")
    return changed


def _post(row: Dispatch, adapter: Adapter) -> int:
    """Post a claimed row."""
    objection = _objection(row)
    if objection:
        return _note(row, state=DispatchState.DEAD, trouble=objection, next_at=None)
    try:
        remote = adapter.post(_outgoing(row))
    except InDoubt as why:
        next_at = clock.now() + LOOK_AFTER if _is_readable(row) else None
        return _note(row, state=DispatchState.DOUBT, trouble=str(why), next_at=next_at)
    except NotSent as why:
        return _note(row, **_again(row, why, DispatchState.WAITING))
    except PostRefused as why:
        return _note(row, state=DispatchState.DEAD, trouble=str(why), next_at=None)
    fp("posting.after_post")
    return _note(row, **_sent(remote))


def _look_up(row: Dispatch, adapter: Adapter) -> int:
    """Look a post in doubt up in its topic; it is posted again only if it is not there."""
    try:
        remote = adapter.find(_outgoing(row).mark)
    except PostRefused as why:
        return _note(row, **_stuck(row, f"{why} Look in the topic yourself."))
    except Trouble as why:
        return _note(row, **_again(row, why, DispatchState.DOUBT))
    fp("posting.after_look")
    if remote:
        return _note(row, **_sent(remote))
    return _note(row, state=DispatchState.WAITING, next_at=clock.now())


def _delete(row: Dispatch, adapter: Adapter) -> int:
    """Delete a post that should not be there; one whose number is not known is looked up first."""
    try:
        remote = row.remote_id or adapter.find(_outgoing(row).mark)
        if remote:
            adapter.delete(remote)
    except PostRefused as why:
        return _note(row, **_stuck(row, str(why)))
    except Trouble as why:
        return _note(row, **_again(row, why, DispatchState.LEAVING))
    fp("posting.after_delete")
    trouble = "" if remote else NOT_THERE
    return _note(row, state=DispatchState.DELETED, trouble=trouble, next_at=None, remote_id=remote)


def _sent(remote: str) -> dict[str, Any]:
    trouble = "" if remote else FOR_APPROVAL
    now = clock.now()
    return {"state": DispatchState.SENT, "remote_id": remote, "sent_at": now, "trouble": trouble, "next_at": None}


def _stuck(row: Dispatch, trouble: str) -> dict[str, Any]:
    """What is to be noted of a row with which only a person can go on."""
    state = DispatchState.DEAD if row.state == DispatchState.SENDING else row.state
    return {"state": state, "trouble": trouble, "next_at": None}


def _again(row: Dispatch, why: Trouble, state: DispatchState) -> dict[str, Any]:
    """What is to be noted of a row that is tried again, each time after a longer pause, until it is given up."""
    now = clock.now()
    if row.first_try_at is not None and now - row.first_try_at >= GIVE_UP:
        return _stuck(row, f"Given up after {GIVE_UP // timedelta(hours=1)} hours. {why}")
    pause = min(2 ** min(row.tries, 20) * FIRST_PAUSE, LONGEST_PAUSE)
    if isinstance(why, Wait):
        pause = timedelta(seconds=why.seconds)
    return {"state": state, "trouble": str(why), "next_at": now + pause}


def _note(row: Dispatch, **values: Any) -> int:
    """Note what became of a claimed row, unless another worker or a person has acted since; 1 if it did.

    If this cannot be written, the lease ends, and the post is in doubt.
    """
    values["trouble"] = values.get("trouble", row.trouble)[:LONGEST_TROUBLE]
    now = clock.now()
    with transaction.atomic(durable=True):
        held = _row(row).filter(fence=row.fence, lease_until__isnull=False)
        done = held.update(lease_until=None, **values)
        _follow(row, now)
        fp("posting.before_commit")
    return done


def _row(row: Dispatch) -> QuerySet[Any]:
    """The row in its table, as others may have changed it."""
    return type(row)._default_manager.filter(pk=row.pk)


def _follow(row: Dispatch, now: datetime) -> None:
    """Bring a post on its way out that was withdrawn while it was sent."""
    if isinstance(row, ThreadPost):
        leave(ThreadPost.objects.filter(pk=row.pk), now)


# --- what differs between posts and calls ----------------------------------------------------------------------------


def _where(row: Dispatch) -> Destination | TurnWebhook:
    return row.webhook if isinstance(row, TurnCall) else _post_of(row).destination


def _adapter(row: Dispatch) -> Adapter:
    return adapter_of(_where(row))


def _is_readable(row: Dispatch) -> bool:
    """Whether the row can be looked up where it goes."""
    try:
        return _adapter(row).readable
    except SealBroken:
        return False


def _objection(row: Dispatch) -> str:
    """Why it must not go out any more; empty if it may."""
    if not isinstance(row, TurnCall):
        return ""
    present = memberships_of(row.webhook.user).filter(pk=row.member_id, user__is_active=True).exists()
    return "" if present and row.phase.state == PhaseState.OPEN else NO_LONGER


def _outgoing(row: Dispatch) -> Outgoing:
    """The row as its adapter takes it. Raises ValueError for a picture of another audience."""
    if isinstance(row, TurnCall):
        return Outgoing(row.text, "")
    post = _post_of(row)
    if post.picture is None:
        return Outgoing(post.text, post.mark)
    if (post.picture.audience, post.picture.phase_id) != (post.destination.audience, post.phase_id):
        raise ValueError(f"post {post.pk} has the picture of another audience or phase")
    return Outgoing(post.text, post.mark, bytes(post.picture.content), f"map-{post.destination.audience}.png")


def _post_of(row: Dispatch) -> ThreadPost:
    if not isinstance(row, ThreadPost):
        raise TypeError(type(row).__name__)
    return row
