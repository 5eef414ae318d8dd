"""Where a person is signed in, and how they end old sessions; a new key for a person whose part has changed.

A browser in which somebody has signed in keeps a mark of that: strangers cannot use up the codes that it may ask for.
"""

import hashlib
import hmac
from dataclasses import dataclass
from datetime import datetime, timedelta

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import F
from django.http import Http404, HttpRequest, HttpResponse

from campaign.models import User

REVISION = "parts"
"""The session key of the revision of its owner's parts that it was made for."""
_AFTER = "after"
"""The session key with the key of the session that replaced it, alone in its session."""
LINGERS = 60
"""Seconds for which a replaced key still leads to the new one: a sheet may be under way with it."""

_REMEMBERED = timedelta(days=365)

MOST_STEPS = 10
"""The most replacements to follow from one key: nobody's part changes more often in that time."""


@dataclass(frozen=True)
class OwnSession:
    """A browser in which a person is signed in."""

    mark: str
    """Its name on the page: a digest, since the key itself opens the session."""
    browser: str
    address: str
    since: datetime
    here: bool
    """Whether it is the browser of this request."""


def sessions_of(request: HttpRequest, user: User) -> list[OwnSession]:
    """Where the reader is signed in, the newest first."""
    found = sorted(_live(user), key=lambda each: each.created_at, reverse=True)
    here = request.session.session_key
    return [
        OwnSession(_mark(each), each.user_agent or "unknown", each.ip, each.created_at, each.session_key == here)
        for each in found
    ]


def end_session(user: User, mark: str) -> None:
    """Sign a browser out. Http404 for a session that is not theirs or has ended."""
    for each in _live(user):
        if _mark(each) == mark:
            each.end()
            return
    raise Http404


def end_others(request: HttpRequest, user: User) -> int:
    """Sign all other browsers out; returns how many."""
    others = [each for each in _live(user) if each.session_key != request.session.session_key]
    for each in others:
        each.end()
    return len(others)


def remember_browser(response: HttpResponse, user: User) -> None:
    """Mark a browser as one in which a person has signed in, for as long as a year. The mark opens nothing."""
    response.set_cookie(
        _known_browser(),
        _mark_of(user.email, settings.SECRET_KEY),
        max_age=_REMEMBERED,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def is_known_browser(request: HttpRequest, address: str) -> bool:
    """Whether the owner of an address was the last to sign in in this browser."""
    mark = request.COOKIES.get(_known_browser(), "").encode()
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return any(hmac.compare_digest(_mark_of(address, key).encode(), mark) for key in keys)


def _known_browser() -> str:
    return "__Host-known" if settings.SESSION_COOKIE_SECURE else "known"


def _mark_of(address: str, key: str) -> str:
    return hmac.digest(key.encode(), f"fieldpost browser|{address.lower()}".encode(), "sha256").hex()


def part_changed(user_id: int) -> None:
    """Note a change of what a person may do, within the caller's transaction."""
    User.objects.filter(pk=user_id).update(parts_rev=F("parts_rev") + 1)


def renew(request: HttpRequest, user: User) -> None:
    """Give a session a new key if its owner's parts have changed since it was made."""
    if request.session.get(REVISION, 0) == user.parts_rev:
        return
    with transaction.atomic():
        before = Session.objects.select_for_update().filter(pk=request.session.session_key).first()
        if before is None:  # signed out meanwhile
            return
        if _AFTER not in before.get_decoded():  # else their other page was quicker
            _move(request.session, user.parts_rev)
    follow(request, type(request.session)(before.session_key))


def follow(request: HttpRequest, session: SessionBase) -> None:
    """Continue a replaced session under its newest key, which its browser gets again."""
    for _ in range(MOST_STEPS):
        after = session.get(_AFTER)
        if after is None or not session.exists(after):
            return
        session = request.session = type(session)(after)
        session.modified = True


def _move(session: SessionBase, revision: int) -> None:
    """Replace a session; its old key leads to the new one for a while."""
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
