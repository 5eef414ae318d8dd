"""Every address for everybody: all routes of the URLconf, and all links on the pages that are read.

A new page needs no test of its own here. A route that is never reached fails the run.
"""

import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product
from random import Random
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urljoin, urlsplit

from django.db.models import Max
from django.urls import Resolver404, URLPattern, URLResolver, get_resolver, resolve, reverse
from django.urls.exceptions import NoReverseMatch

from campaign.engine.display.signs import Layer
from campaign.engine.values.ids import PUBLIC
from campaign.mail.mutes import mute_link
from campaign.maps.drawing.sizes import THUMBNAIL
from campaign.maps.style.schemes import CONTRAST
from campaign.models import Battle, Desk, Membership, Phase, PhaseState
from campaign.reports.forums import DEFAULT as FORUM
from campaign.story import AS
from orders.models import HQ
from tests.secrecy.campaigns import ELSEWHERE, SECOND, SLUG, game, tokens_of
from tests.secrecy.worlds import Answer, World

MOST_OF_A_ROUTE = 2
"""The most addresses of one kind for each reader: there is one for every phase played."""
OF_A_CAMPAIGN = ("c/", "public/", "^m/", "api/v1/campaigns/<")
ON_REQUEST = r"/(?:drawn\.png|board/sheet\.)"
"""Pictures that are drawn when somebody asks for them, which takes long."""
_FOR_ONE = re.compile(rf"{ON_REQUEST}|^api/.*/(?:map\.png|map/|charts/|rules/|files/)")
"""These, and what programs read that everybody has or that a page has too."""
_DOORS = ("/", f"/c/{SLUG}/", f"/c/{SLUG}/public/")
"""Pages that lead to the others, which are always asked for."""
_PUBLIC_DOORS = ("c/<slug:slug>/public/", "c/<slug:slug>/public/stops/<int:no>/")
OF_GM = re.compile(r"^c/<slug:slug>/desk/|/gm/")
_SOME, _MANY = 1 / 3, 1 / 2
"""By lot a reader asks for some of what takes long to draw or is the GM's, and many of the pages of the public."""
_SOME_TRIED = 1 / 4
"""How likely a parameter that a page looks for is given to it, at least."""
_WITH_PARAMETERS = r"\?"
"""What is in an expression that is about addresses with parameters."""
_LINK = re.compile(r'(?:href|src|action|hx-get|hx-post)="([^"#]+)')
_ADDRESS = re.compile(r'"(/(?:api|c|m)/[^"#]+)"')


@dataclass(frozen=True)
class Lot:
    """What a reader asks for: the pages that lead to the others, those that are sure, and some of the rest by lot."""

    seed: str
    share: float = 1.0
    """How likely any other address is asked for, if it is not of a kind that seldom is."""
    sure: tuple[str, ...] = ()
    """Addresses that no lot leaves out: expressions that are searched for in their paths; with `?`, in the whole."""
    share_of_foreign: float = 1.0
    """How likely the reader asks for a page that is not for them."""

    def of(self, path: str) -> float:
        """A number from 0 to 1 for an address, the same in both worlds whatever else is asked for."""
        return Random(f"{self.seed} {path}").random()

    def is_sure(self, path: str) -> bool:
        return path in _DOORS or any(self.named_by(path))

    def asks_with(self, path: str) -> bool:
        """Whether no lot leaves it out for its parameters."""
        return any(_WITH_PARAMETERS in each for each in self.named_by(path))

    def asks_for_foreign(self, path: str) -> bool:
        """Whether the reader asks for a page that is not for them."""
        return self.is_sure(path) or self.of(path) <= self.share_of_foreign

    def named_by(self, path: str) -> Iterator[str]:
        """Those of the expressions that are found in an address."""
        return (
            each for each in self.sure if re.search(each, path if _WITH_PARAMETERS in each else urlsplit(path).path)
        )


@dataclass
class Crawl:
    """All answers to a reader, in the order of the requests, and the routes that led anywhere."""

    answers: dict[str, Answer] = field(default_factory=dict)
    reached: Counter[str] = field(default_factory=Counter)
    looked_for: Counter[str] = field(default_factory=Counter)
    given: Counter[str] = field(default_factory=Counter)
    """Parameters that pages looked for, and those that were given to them, by routes that led anywhere."""
    sure: Counter[str] = field(default_factory=Counter)
    """How many addresses were asked for by each expression in `Lot.sure`."""


def crawl(
    world: World,
    who: str,
    *,
    own_side: str = "",
    accounts: bool = True,
    most: int = MOST_OF_A_ROUTE,
    lot: Lot | None = None,
) -> Crawl:
    """All answers that a reader can get, or those to what a lot makes them ask for.

    Without `accounts`, pages that belong to no campaign are left out, and what one reader of a pair asks for.
    `most`: the limit on addresses of each kind without parameters. Without a link, those of this many phases are asked
    for, the newest. A parameter that a page looks for is given to one. With a `lot` less is asked for: its share, of
    each route one address without a link, and not all that takes long or that others are for.
    """
    reading = _Reading(world, who, bool(own_side), accounts, most, lot)
    with world.present():
        guessed = addresses(who, own_side, phases=most)
    waiting, seen = deque(_by_lot(guessed, lot) if lot else guessed), set[str]()
    while waiting:
        path = waiting.popleft()
        if path in seen or route_of(path) is None or not reading.wants(path):
            continue
        seen.add(path)
        waiting.extend(reading.ask(path))
    return reading.found


@dataclass
class _Reading:
    """What a reader asks for: see `crawl`."""

    world: World
    who: str
    member: bool
    accounts: bool
    most: int
    lot: Lot | None
    found: Crawl = field(default_factory=Crawl)
    asked: Counter["_Kind"] = field(default_factory=Counter)
    tried: set[str] = field(default_factory=set)
    """Addresses made of a page and a parameter that it looked for, where no link gave it."""

    def wants(self, path: str) -> bool:
        """Whether they ask for an address of the service, after all that they have asked for."""
        kind, lot = kind_of(path), self.lot
        most = 1 if path in self.tried else min(self.most, MOST_OF_A_ROUTE) if kind.parameters else self.most
        if self.asked[kind] >= most:
            return False
        if not self.accounts and (not kind.route.startswith(OF_A_CAMPAIGN) or _FOR_ONE.search(kind.route)):
            return False
        if lot is None or (lot.asks_with(path) if path in self.tried else lot.is_sure(path)):
            return True
        share = max(lot.share, _SOME_TRIED) if path in self.tried else lot.share
        return lot.of(path) <= share * _chance_of(kind.route, member=self.member)

    def ask(self, path: str) -> Iterator[str]:
        """Ask for it; yields the addresses to which it leads, and itself with each parameter that it looks for."""
        kind, found, answer = kind_of(path), self.found, self.world.ask(self.who, "GET", path)
        self.asked[kind] += 1
        found.answers[path] = answer
        found.sure.update(self.lot.named_by(path) if self.lot else ())
        if answer.status < 400 or answer.status == 405:
            looked_for = self.world.looked_for.copy()
            found.reached[kind.route] += 1
            found.looked_for.update(f"{kind.route} {name}" for name in looked_for)
            found.given.update(f"{kind.route} {name}" for name in looked_for.intersection(kind.parameters))
            if not kind.parameters:
                with self.world.present():
                    tried = [f"{path}?{query}" for query in _queries(looked_for)]
                self.tried.update(tried)
                yield from tried
        yield from links(path, answer)


def _by_lot(guessed: Iterable[str], lot: Lot) -> list[str]:
    """One of the addresses of each route, and of few that are the GM's; those that are sure stay."""
    chosen = dict[str | None, str]()
    for path in sorted(guessed, key=lot.of):
        chosen.setdefault(route_of(path), path)
    kept = {path for route, path in chosen.items() if not OF_GM.search(route or "") or lot.of(path) < _SOME}
    return [path for path in guessed if path in kept or lot.is_sure(path)]


def _chance_of(route: str, *, member: bool) -> float:
    """How likely a reader asks for an address of a route."""
    if re.search(ON_REQUEST, route):
        return _SOME
    return _MANY if member and "/public/" in route and route not in _PUBLIC_DOORS else 1.0


def links(path: str, answer: Answer) -> Iterator[str]:
    """The links of a page, or of an answer to a program, to this site."""
    targets = _LINK.findall(answer.text) if answer.links_matter else []
    if answer.header("Content-Type") == "application/json":
        targets += _ADDRESS.findall(answer.text)
    if 300 <= answer.status < 400:
        targets.append(answer.header("Location"))
    for target in targets:
        whole = urlsplit(urljoin(f"http://testserver{path}", target.replace("&amp;", "&")))
        if whole.netloc in ("testserver", "localhost:8000") and not whole.path.startswith("/static/"):
            yield whole.path + (f"?{whole.query}" if whole.query else "")


@lru_cache(maxsize=4096)
def route_of(path: str) -> str | None:
    """The route of an address, as the URLconf writes it."""
    try:
        return resolve(urlsplit(path).path).route
    except Resolver404:
        return None


@lru_cache(maxsize=4096)
def file_of(path: str) -> str:
    """The file that an address names; empty for routes without files."""
    return str(resolve(urlsplit(path).path).kwargs.get("name", ""))


class _Kind(NamedTuple):
    """What a limit counts together."""

    route: str
    file: str
    parameters: tuple[str, ...]
    read_as: tuple[str, ...]


@lru_cache(maxsize=4096)
def kind_of(path: str) -> _Kind:
    query = parse_qs(urlsplit(path).query)
    return _Kind(route_of(path) or "", file_of(path), tuple(sorted(query)), tuple(query.get(AS, ())))


_VALUES = {
    "against": "against=2",
    "colours": f"colours={CONTRAST.name}",
    "forum": f"forum={FORUM}",
    "line": f"line=1&desk={HQ}",
    "page": "page=2",
    "rule": "rule=R1",
    "width": f"width={THUMBNAIL}",
    "without": f"without={Layer.COUNTERS.value}",
}
"""Queries for parameters that a page looks for and its address does not have. Others are given a 1."""
OF_LIBRARIES = frozenset({"format", "next"})
"""Parameters by which libraries choose a notation and the next page: nobody gives them."""


def _queries(names: Set[str]) -> Iterator[str]:
    """The queries that give a page parameters, one by one; the audience to read as is each in turn."""
    for name in sorted(names - OF_LIBRARIES):
        if name == AS:
            yield from (f"{AS}={each}" for each in (*game().sides, PUBLIC))
        else:
            yield _VALUES.get(name, f"{name}=1")


def routes(resolver: URLResolver | None = None, prefix: str = "") -> Iterator[tuple[str, URLPattern]]:
    """Every route of the URLconf, as written there."""
    for pattern in (resolver or get_resolver()).url_patterns:
        whole = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from routes(pattern, whole)
        else:
            yield whole, pattern


# --- addresses -------------------------------------------------------------------------------------------------------


def addresses(who: str, own_side: str, *, phases: int = MOST_OF_A_ROUTE) -> list[str]:
    """Every route, filled with values that exist in the present world, and with values that do not."""
    known = fillings(who, own_side, phases)
    found = ["/no/such/page/"]
    for _, pattern in routes():
        found += reversed_with(pattern, known)
    return list(dict.fromkeys(found))


def reversed_with(pattern: URLPattern, known: Mapping[str, Sequence[Any]]) -> Iterator[str]:
    """The addresses of a route with these values for its parameters; none if one is missing."""
    for kwargs in _filled(pattern, known):
        try:
            yield reverse(pattern.name or "", kwargs=kwargs)
        except NoReverseMatch:
            continue


def _filled(pattern: URLPattern, known: Mapping[str, Sequence[Any]]) -> Iterator[dict[str, Any]]:
    names = list(pattern.pattern.regex.groupindex)
    if not pattern.name or any(name not in known for name in names):
        return
    for values in product(*(known[name] for name in names)):
        yield dict(zip(names, values, strict=True))


def fillings(who: str, own_side: str, phases: int = MOST_OF_A_ROUTE) -> dict[str, list[Any]]:
    """Values for the parameters of routes, by name. Addresses with other parameters are found through links."""
    newest = Phase.objects.filter(campaign__slug=SLUG).aggregate(no=Max("no"))["no"]
    opened = Phase.objects.filter(campaign__slug=SLUG).aggregate(rev=Max("rev"))["rev"]
    member = Membership.objects.filter(campaign__slug=SLUG, user__username=who).first()
    desks = Desk.objects.filter(campaign__slug=SLUG, side=own_side).values_list("name", flat=True)
    waiting = Battle.objects.filter(phase__campaign__slug=SLUG, phase__state=PhaseState.OPEN)
    return {
        "slug": [SLUG, ELSEWHERE] if who in ("other gm", SECOND) else [SLUG],
        "no": list(range(max(newest - phases + 1, 0), newest + 1)),
        "rev": list(range(opened + 1)),
        "nth": [1],
        "name": ["map.png", "chart.png", "chart.txt", "thumbnail.png", "report.txt", "points.png"],
        "motion": ["webp"],
        "desk": ["HQ", *sorted(desks)],
        "side": [*game().sides],
        "audience": [*game().sides, PUBLIC],
        "key": sorted(waiting.values_list("key", flat=True))[:2] or ["K16"],
        "token": [
            mute_link(member.campaign, member.user).split("/")[-2] if member else "none",
            *tokens_of(own_side or PUBLIC),
        ],
        "mail": ["none"],
        "mark": ["none"],
    }


BY_SECRET = frozenset(
    {
        "^account/password/",
        "account/password/change/",
        "account/password/set/",
        "account/password/reset/",
        "account/password/reset/done/",
        "account/password/reset/key/done/",
        "account/^password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        "invitation/<str:token>/",
        "c/<slug:slug>/calendar/<str:token>.ics",
        "enter/",
    }
)
"""Routes that need a secret, and allauth's pages about passwords, which answer 404 to everybody."""

AFTER_THE_END = frozenset(
    {
        "c/<slug:slug>/rematch/",
        "c/<slug:slug>/stops/<int:no>/sheets/<str:side>/",
        "c/<slug:slug>/public/stops/<int:no>/sheets/<str:side>/",
        "c/<slug:slug>/public/statistics/",
        "c/<slug:slug>/public/statistics/<str:name>",
        "c/<slug:slug>/public/staff/<str:side>/",
    }
)
"""Routes that answer 404 to everybody until the campaign is closed, and until a side has opened its room.

They are asked for like all others.
"""

AFTER_A_MORNING = frozenset({"c/<slug:slug>/desk/position.csv"})
"""Routes for the campaign's own GM, who is no reader here; the other GM's campaign has published nothing yet."""

WHILE_A_DRAFT_WAITS = frozenset(
    {
        "api/v1/campaigns/<slug:slug>/gm/draft/",
        "api/v1/campaigns/<slug:slug>/gm/draft/rulings/",
    }
)
"""Routes that answer 404 to everybody while no draft waits, as in the phases that are crawled.

They are asked for like all others, and read in `tests/api/gm/test_drafts.py`.
"""
