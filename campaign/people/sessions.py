"""Where a person is logged in, and how he ends what he has forgotten; another key for whose part has changed."""

import hashlib
from dataclasses import dataclass
from datetime import datetime

from allauth.usersessions.models import UserSession
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import F
from django.http import Http404, HttpRequest

from campaign.models import User

REVISION = "parts"
"""Where a session carries the revision of its owner's parts that it was made for."""
_AFTER = "after"
"""Where a session that was replaced carries the key of the one after it, and nothing else."""
LINGERS = 60
"""So many seconds a key that was replaced still leads on: a sheet may be under way with it."""

MOST_STEPS = 10
"""So often at most a key is followed to the one after it: nobody's part changes more often within that time."""


@dataclass(frozen=True)
class OwnSession:
    """A browser in which a person is logged in."""

    mark: str
    """By which it is named on the page: a digest, since the key itself opens the session."""
    browser: str
    address: str
    since: datetime
    here: bool
    """It is the one that asks."""


def sessions_of(request: HttpRequest, user: User) -> list[OwnSession]:
    """Where the reader is logged in, the newest first."""
    found = sorted(_live(user), key=lambda each: each.created_at, reverse=True)
    here = request.session.session_key
    return [
        OwnSession(_mark(each), each.user_agent or "unknown", each.ip, each.created_at, each.session_key == here)
        for each in found
    ]


def end_session(user: User, mark: str) -> None:
    """Log a browser out. Http404 for a session that is not his or has ended."""
    for each in _live(user):
        if _mark(each) == mark:
            each.end()
            return
    raise Http404


def end_others(request: HttpRequest, user: User) -> int:
    """Log all other browsers out; returns how many."""
    others = [each for each in _live(user) if each.session_key != request.session.session_key]
    for each in others:
        each.end()
    return len(others)


def part_changed(user_id: int) -> None:
    """Note that what a person may do has changed, within the caller's transaction."""
    User.objects.filter(pk=user_id).update(parts_rev=F("parts_rev") + 1)


def renew(request: HttpRequest, user: User) -> None:
    """Give a session another key if its owner's parts have changed since it was made."""
    if request.session.get(REVISION, 0) == user.parts_rev:
        return
    with transaction.atomic():
        before = Session.objects.select_for_update().filter(pk=request.session.session_key).first()
        if before is None:  # he has logged out meanwhile
            return
        if _AFTER not in before.get_decoded():  # else another page that he asked for at once was quicker
            _move(request.session, user.parts_rev)
    follow(request, type(request.session)(before.session_key))


def follow(request: HttpRequest, session: SessionBase) -> None:
    """What comes with a key that was replaced goes on under the newest one, and its browser is given that again."""
    for _ in range(MOST_STEPS):
        after = session.get(_AFTER)
        if after is None or not session.exists(after):
            return
        session = request.session = type(session)(after)
        session.modified = True


def _move(session: SessionBase, revision: int) -> None:
    """Another session in place of one; the key of that leads on to it for a while."""
    before, after = type(session)(session.session_key), type(session)()
    after.update({**dict(session.items()), REVISION: revision})
    after.save()
    before.clear()
    before[_AFTER] = after.session_key
    before.set_expiry(LINGERS)
    before.save()
    UserSession.objects.filter(session_key=session.session_key).update(session_key=after.session_key)


def _live(user: User) -> list[UserSession]:
    found: list[UserSession] = UserSession.objects.purge_and_list(user)
    return found


def _mark(session: UserSession) -> str:
    return hashlib.sha256(f"fieldpost session|{session.session_key}".encode()).hexdigest()[:16]
