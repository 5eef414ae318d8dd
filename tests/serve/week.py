"""A week of a club's use, in minutes: ten phases of the demonstration's campaign and 300 pages of those who play it."""

import http.cookiejar
import os
import re
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import cycle
from pathlib import Path
from statistics import median
from threading import Event

from campaign.engine.values.ids import GM, SideId, audience_of
from campaign.game.simulation import simulation_of
from campaign.maps.drawing.sizes import FORUM, FULL, THUMBNAIL
from campaign.maps.style.schemes import SCHEMES
from campaign.models import Battle, Phase, PhaseState, User
from campaign.selectors import PhaseInfo, knowledge, open_phase
from campaign.viewers import Viewer, viewer_of
from gm.demo import CAMPAIGN
from gm.phases.battles import decide
from gm.phases.lifecycle import approve
from orders.battles.reporting import Which
from orders.desks import places
from orders.services import send
from tests.bench.measure import Figure
from tests.serve.test_serve import PATIENCE, free_port, serving

PHASES, PAGES = 10, 300
MOST_SECONDS, MOST_MEMORY = 20, 350

LEADERS = ("Game master", "German commander", "Allied commander")
"""Whose links `serve` prints."""
WRITERS = ("Model", "Krebs", "Hodges")
"""Those of the demonstration's people who have a desk of their own."""
EVERYBODY = (
    "",
    "board/",
    "board/sheet.png?colours={colours}",
    "stops/",
    "stops/{no}/",
    "stops/{no}/map.png",
    "stops/{no}/drawn.png?colours={colours}&width={width}",
    "stops/{no}/board/?colours={colours}",
    "stops/{no}/replay.{motion}",
    "rules/",
    "replay.{motion}",
    "people/",
    "dice/",
)
OF_SIDES, OF_GM = ("orders/", "orders/HQ/"), ("desk/", "desk/draft/")
"""Pages below a campaign's address, which are opened in turn."""


def figures() -> Iterator[Figure]:
    """The first start, then memory before and after use: proportional, of `serve` and of all that it has started."""
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    start = time.perf_counter()
    with serving(environment, "--port", str(free_port())) as site:
        links = [
            site.wait_for(rf"{who}: +(http\S+)") for who in ("Game master", "German commander", "Allied commander")
        ]
        yield Figure("first-start-to-links", time.perf_counter() - start, "s", MOST_SECONDS)
        readers = [Reader(link) for link in links]
        yield from _memory("at-first", site.process)
        times: list[float] = []
        most = 0.0
        for _ in range(PHASES):
            _play()
            most = max(most, sum(proportional(site.process.pid).values()))
            times += (reader.open_next() for _ in range(PAGES // PHASES // len(readers)) for reader in readers)
        yield from _memory("after-use", site.process, limit=MOST_MEMORY)
        yield Figure("memory-most-between-phases", most, "MB", float("inf"))
        yield Figure("page", median(times), "ms", float("inf"))
        yield Figure("page-slowest", max(times), "ms", float("inf"))


# --- readers ---------------------------------------------------------------------------------------------------------


class Reader:
    """Somebody at a browser, signed in by a one-time link."""

    def __init__(self, link: str) -> None:
        cookies = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        self._opener = urllib.request.build_opener(cookies)
        self._site = link.partition("/enter/")[0]
        form = self._read(link)
        hidden = re.findall(r'name="(csrfmiddlewaretoken|sesame)" value="([^"]+)"', form)
        home = self._read(f"{self._site}/enter/", urllib.parse.urlencode(hidden).encode())
        mine = OF_GM if f"/c/{CAMPAIGN}/desk/" in home + self._read(self._address("")) else OF_SIDES
        self._next = cycle((*EVERYBODY, *mine))
        self._drawn = cycle((width, name) for width in (FORUM, THUMBNAIL, FULL) for name in SCHEMES)
        self._motion = cycle(("webp", "gif"))

    def open_next(self) -> float:
        """Open the page whose turn it is; the milliseconds that it takes."""
        width, colours = next(self._drawn)
        page = next(self._next).format(width=width, colours=colours, motion=next(self._motion), no=_newest())
        start = time.perf_counter()
        self._read(self._address(page))
        return (time.perf_counter() - start) * 1000

    def _address(self, page: str) -> str:
        return f"{self._site}/c/{CAMPAIGN}/{page}"

    def _read(self, address: str, filled: bytes | None = None) -> str:
        with self._opener.open(address, filled, timeout=PATIENCE) as answer:
            return str(answer.read().decode(errors="replace"))


def _newest() -> int:
    return Phase.objects.filter(campaign__slug=CAMPAIGN, state=PhaseState.PUBLISHED).latest("no").no


# --- players ---------------------------------------------------------------------------------------------------------


def _play() -> None:
    """Everyone who acts is ready, the loop resolves, the game master publishes."""
    open_phase = _opened()
    if GM in open_phase.acts:
        _decide_battles(open_phase)
    else:
        for name in WRITERS:
            _send(_viewer(name), open_phase)
    phase = _in_state(open_phase, PhaseState.REVIEW)
    if not approve(phase.pk, fence=phase.fence):
        raise AssertionError(f"{phase} was not published")


def _send(viewer: Viewer, phase: PhaseInfo) -> None:
    """A bot's sheet from HQ, and from another desk that all is well."""
    if viewer.side not in phase.acts:
        return
    known = knowledge(viewer)
    place = next(each for each in places(viewer) if each.writes)
    bot = simulation_of(known.loaded).bots["all-round"]
    text = (
        bot(known.loaded.scenario.game_data, known.state, audience_of(SideId(viewer.side)))
        if viewer.commands
        else "READY"
    )
    send(viewer, phase, place, text=text, expected_version=0, idem_key=f"{place.side}/{place.name}")


def _decide_battles(open_phase: PhaseInfo) -> None:
    for battle in Battle.objects.filter(phase=open_phase.phase_id):
        decide(_viewer("Umpire"), Which(open_phase.no, open_phase.rev, battle.key), f"RESULT {battle.key} defenders")


@cache
def _viewer(name: str) -> Viewer:
    return viewer_of(User.objects.get(username=name), CAMPAIGN)


def _opened() -> PhaseInfo:
    phase = open_phase(_viewer("Umpire"))
    assert phase is not None
    assert phase.open
    return phase


def _in_state(open_phase: PhaseInfo, state: PhaseState) -> Phase:
    pause = Event()
    for _ in range(int(PATIENCE * 10)):
        phase = Phase.objects.filter(pk=open_phase.phase_id, state=state).first()
        if phase is not None:
            return phase
        pause.wait(0.1)
    raise AssertionError(f"{open_phase.title} does not become {state}")


# --- memory ----------------------------------------------------------------------------------------------------------


def _memory(when: str, process: "subprocess.Popen[str]", limit: float = float("inf")) -> Iterator[Figure]:
    found = proportional(process.pid)
    for name, megabytes in found.items():
        yield Figure(f"memory-{when}-{name}", megabytes, "MB", float("inf"))
    yield Figure(f"memory-{when}", sum(found.values()), "MB", limit)


def proportional(pid: int) -> Mapping[str, float]:
    """The megabytes of a process and of all below it, by what they are; shared pages count in parts."""
    found = {_name(pid): _pss(pid)}
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        for name, megabytes in proportional(int(child)).items():
            found[name if name not in found else f"{name}-of-{child}"] = megabytes
    return found


def _name(pid: int) -> str:
    words = Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
    return next((name for name in ("gunicorn", "runloop") if name in words), "serve")


def _pss(pid: int) -> float:
    kilobytes = re.search(r"^Pss: +(\d+) kB", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.MULTILINE)
    assert kilobytes is not None
    return int(kilobytes[1]) * 1024 / 1_000_000
