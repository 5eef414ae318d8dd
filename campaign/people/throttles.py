"""How often somebody may do something, counted in the database: for all processes alike, without a cache.

The table counts tries within windows of fixed length, by a keyed digest of the person; rows of past windows are
deleted.
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
from campaign.core.requests import household, network
from campaign.models import Tries
from campaign.people.sessions import is_known_browser

View = Callable[..., HttpResponse]

MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
NEIGHBOURS = 5
"""The number of busy people who may share an address."""


@dataclass(frozen=True)
class Limit:
    """The most tries of one account within a window of time."""

    what: str
    window: timedelta
    most: int | None = None
    """None: the number of sheets in the settings; 0: no limit."""
    strangers: int | None = None
    """For all who are not signed in and share an address. None: as for members who share one."""

    @property
    def number(self) -> int:
        allowed: int = settings.SHEETS_PER_MINUTE if self.most is None else self.most
        return allowed


SHEETS = Limit("sheets", MINUTE)
"""The buttons of the sheet's page. Typing does not count, so it never blocks a submission."""
REPORTS = Limit("reports", MINUTE)
"""The same for battles."""
TYPING = Limit("typing", MINUTE)
"""Sheets and reports, checked and saved a few times a minute while people type."""
ENTRANCES = Limit("entrances", MINUTE, 20)
"""Tries with a one-time link or an invitation."""
REPLAYS = Limit("replays", MINUTE, 20, strangers=6)
"""Animations, each of which keeps the server busy for a second."""
DRAWINGS = Limit("drawings", MINUTE, 20, strangers=10)
"""Maps in colours and sizes that were not published, each of which may keep the server busy for seconds."""
PLOTS = Limit("plots", MINUTE, 60, strangers=30)
"""Pictures and files of statistics. A post in a forum may show all plots, a dozen, and its reader may load it twice."""
BOARDS = Limit("boards", MINUTE, 60, strangers=30)
"""Boards and their sheets, which are drawn again where the server has not cached them."""
COMMENTS = Limit("comments", MINUTE, 12)
"""Comments in a staff room, written, removed and marked as read."""
STORIES = Limit("stories", MINUTE, 20)
"""Stories of battles, saved and removed; pictures of battle maps, added and removed."""
PICTURES, PICTURES_A_DAY = Limit("pictures", MINUTE, 6), Limit("pictures of a day", DAY, 60)
"""Pictures that are sent for stories and battle maps. Each keeps the server busy for a second or two."""
QUESTIONS = Limit("questions", MINUTE, 12)
"""Questions to the game master, and answers, previewed, published and withdrawn."""
DESTINATIONS = Limit("destinations", MINUTE, 6)
"""Destinations and webhooks, added, tested and withdrawn. A test asks another server, and its page waits for that."""
ARCHIVES = Limit("archives", HOUR, 12)
"""Archives and exports, each of which keeps the server busy for up to a minute."""
READS = Limit("reads", MINUTE, 600)
"""What programs read. They may ask for all that a campaign has at once."""
TOKENS = Limit("tokens", HOUR, 30)
"""Tokens for programs that are made. They can be revoked at any time."""
WRONG_TOKENS = Limit("wrong tokens", MINUTE, 20)
"""Tries of programs with a token, or the address of a calendar, that is not valid."""
FEEDS = Limit("feeds", HOUR, 60)
"""Visits of calendar programs to one person's calendar."""
FOUNDINGS = Limit("foundings", HOUR, 10)
PRACTICES = Limit("practices", HOUR, 6)
INVITATIONS = Limit("invitations", HOUR, 40)
"""Addresses that are invited, and links to pass on."""
MAILINGS = Limit("mailings", HOUR, 30)
"""Acts that mail everybody."""


CODES, CODES_A_DAY = Limit("codes", MINUTE, 3), Limit("codes of a day", DAY, 20)
"""Sign-in codes to one address, asked for from one network, or from browsers where its owner has signed in before."""
CODES_TO_ALL = Limit("codes to all", DAY, 200)
"""Sign-in codes to one address, asked for from anywhere else: against guesses and full mailboxes."""


def throttled(limit: Limit) -> Callable[[View], View]:
    """A view that answers 429 to too many requests, by account and by address.

    A view that reads and checks a text first calls `may` itself, once it has found no fault.
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
    """The answer to somebody who must wait: how long, and their own text from the fields in `words`, to copy."""
    written = [text for name in words for text in request.POST.getlist(name) if text.strip()]
    return render(request, "429.html", {"wait": wait_for(limit), "written": written}, status=429)


def wait_for(limit: Limit) -> str:
    """How long somebody waits who has used up a limit, in words."""
    return "a minute" if limit.window == MINUTE else "up to an hour"


def may(request: HttpRequest, limit: Limit, *, times: int = 1) -> bool:
    """Count a try by account and by address, or several at once; returns whether they are all allowed.

    Where strangers have a limit of their own, they use up nothing of what members at their address may do.
    """
    most, here, known = limit.number, household(request), request.user.is_authenticated
    if not most:
        return True
    if limit.strangers is not None and not known:
        return allows(limit, f"strangers from {here}", most=limit.strangers, times=times)
    if not allows(limit, f"from {here}", most=most * NEIGHBOURS, times=times):
        return False
    return not known or allows(limit, f"account {request.user.pk}", most=most, times=times)


def refused_code(request: HttpRequest, address: str) -> Limit | None:
    """Count a request for a sign-in code; returns the limit that refuses it, for addresses with an account or without.

    Somebody who only knows an address uses up nothing of what its owner may do, unless they share a network; and even
    then its owner signs in from any browser in which they did so with this address, or changed theirs to it. A refused
    request uses up no further limit.
    """
    address = address.lower()
    known = is_known_browser(request, address)
    who = f"{address} from {'a known browser' if known else network(request)}"
    counted = [(CODES, who), (CODES_A_DAY, who), *([] if known else [(CODES_TO_ALL, address)])]
    return next((limit for limit, whose in counted if not allows(limit, whose, most=limit.number)), None)


def allows(limit: Limit, who: str, *, most: int, times: int = 1) -> bool:
    """Count a try of somebody, or several; returns whether they have made at most this many in the window."""
    now = clock.now()
    mark, until = _mark(limit, who, now), _end(limit, now)
    row = Tries.objects.filter(mark=mark)
    if not row.update(count=F("count") + times):
        try:
            with transaction.atomic():
                Tries.objects.create(mark=mark, until=until, count=times)
        except IntegrityError:  # their other request was quicker
            row.update(count=F("count") + times)
    counted = row.values_list("count", flat=True).first()
    return counted is None or counted <= most  # None: the window ended just now, and its row was deleted


def stand_in(mail: bytes) -> None:
    """Query and write a row in place of a mail that is not sent, as the outbox would."""
    mark = hashlib.sha256(mail + secrets.token_bytes(16)).hexdigest()[:32]
    if not Tries.objects.filter(mark=mark).exists():
        with transaction.atomic():
            Tries.objects.create(mark=mark, until=clock.now())


def forget_tries(now: datetime) -> int:
    """Delete the counts of past windows; returns how many rows."""
    return Tries.objects.filter(until__lte=now).delete()[0]


def _mark(limit: Limit, who: str, now: datetime) -> str:
    """A row's mark, from which neither addresses nor accounts can be read."""
    message = f"fieldpost tries|{limit.what}|{who}|{_end(limit, now).isoformat()}".encode()
    return hmac.digest(settings.SECRET_KEY.encode(), message, "sha256")[:16].hex()


def _end(limit: Limit, now: datetime) -> datetime:
    """When the present window ends."""
    windows = int(now.timestamp() // limit.window.total_seconds())
    return datetime.fromtimestamp(0, UTC) + (windows + 1) * limit.window
