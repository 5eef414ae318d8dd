"""How often somebody may do something, counted in the database: it holds without any cache, for all processes alike.

Counted are tries within windows of fixed length, by a keyed digest of who tries; rows of past windows are swept away.
"""

import hashlib
import hmac
import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import wraps
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from campaign.core import clock
from campaign.core.requests import household
from campaign.models import Tries

View = Callable[..., HttpResponse]

MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
NEIGHBOURS = 5
"""So many busy people may share an address."""


@dataclass(frozen=True)
class Limit:
    """So many tries of one account at most within a window of time."""

    what: str
    window: timedelta
    most: int | None = None
    """None: as many sheets as the settings allow; 0: as many as he likes."""
    strangers: int | None = None
    """Of all who are not logged in and share an address. None: what members who share one have together."""

    @property
    def number(self) -> int:
        allowed: int = settings.SHEETS_PER_MINUTE if self.most is None else self.most
        return allowed


SHEETS = Limit("sheets", MINUTE)
"""What a button of the sheet's page does. Typing takes nothing of it: whoever typed much is still let to send."""
REPORTS = Limit("reports", MINUTE)
"""The same of battles."""
TYPING = Limit("typing", MINUTE)
"""Sheets and reports, checked and kept a few times a minute while they are typed."""
ENTRANCES = Limit("entrances", MINUTE, 20)
"""Tries to come in by a one-time link or an invitation."""
REPLAYS = Limit("replays", MINUTE, 20, strangers=6)
"""Moving pictures, each of which keeps the server busy for a second."""
DRAWINGS = Limit("drawings", MINUTE, 20, strangers=10)
"""Maps in colours and sizes that were not published, each of which may keep the server busy for seconds."""
BOARDS = Limit("boards", MINUTE, 60, strangers=30)
"""Boards and their sheets, which are drawn anew where the server has not kept them."""
FOUNDINGS = Limit("foundings", HOUR, 10)
MAILINGS = Limit("mailings", HOUR, 30)
"""Acts that write to everybody."""


def throttled(limit: Limit) -> Callable[[View], View]:
    """A view that answers 429 to whoever sends it something too often, by his account and by his address.

    Where something is written first, the view itself asks `may`, once it has read that and found no fault.
    """

    def decorator(view: View) -> View:
        @wraps(view)
        def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if request.method == "POST" and not may(request, limit):
                return too_fast(request, limit)
            return view(request, *args, **kwargs)

        return answer

    return decorator


def too_fast(request: HttpRequest, limit: Limit, *, words: Iterable[str] = ()) -> HttpResponse:
    """What is answered to who must wait: how long, and what he wrote in the fields with words, to be copied."""
    written = [text for name in words for text in request.POST.getlist(name) if text.strip()]
    wait = "a minute" if limit.window == MINUTE else "up to an hour"
    return render(request, "429.html", {"wait": wait, "written": written}, status=429)


def may(request: HttpRequest, limit: Limit) -> bool:
    """Count a try of who sends this, by his account and by his address, and say whether he may make it.

    Where strangers have a limit of their own they take nothing of what the members at their address may do.
    """
    most, here, known = limit.number, household(request), request.user.is_authenticated
    if not most:
        return True
    if limit.strangers is not None and not known:
        return allows(limit, f"strangers from {here}", most=limit.strangers)
    if not allows(limit, f"from {here}", most=most * NEIGHBOURS):
        return False
    return not known or allows(limit, f"account {request.user.pk}", most=most)


def allows(limit: Limit, who: str, *, most: int) -> bool:
    """Count a try of somebody, and say whether he has made no more than so many in this window."""
    now = clock.now()
    mark, until = _mark(limit, who, now), _end(limit, now)
    row = Tries.objects.filter(mark=mark)
    if not row.update(count=F("count") + 1):
        try:
            with transaction.atomic():
                Tries.objects.create(mark=mark, until=until)
        except IntegrityError:  # his other try was quicker
            row.update(count=F("count") + 1)
    counted = row.values_list("count", flat=True).first()
    return counted is None or counted <= most  # none: the window ended just now, and its row was swept away


def stand_in(mail: bytes) -> None:
    """A row in place of a mail that is not sent: looked for, and written, as the outbox does."""
    mark = hashlib.sha256(mail + secrets.token_bytes(16)).hexdigest()[:32]
    if not Tries.objects.filter(mark=mark).exists():
        with transaction.atomic():
            Tries.objects.create(mark=mark, until=clock.now())


def forget_tries(now: datetime) -> int:
    """Sweep away what is counted no more; returns how many rows."""
    return Tries.objects.filter(until__lte=now).delete()[0]


def _mark(limit: Limit, who: str, now: datetime) -> str:
    """Neither addresses nor accounts can be read off the table."""
    message = f"fieldpost tries|{limit.what}|{who}|{_end(limit, now).isoformat()}".encode()
    return hmac.digest(settings.SECRET_KEY.encode(), message, "sha256")[:16].hex()


def _end(limit: Limit, now: datetime) -> datetime:
    """When the present window is over."""
    windows = int(now.timestamp() // limit.window.total_seconds())
    return datetime.fromtimestamp(0, UTC) + (windows + 1) * limit.window
