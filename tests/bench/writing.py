"""What a player waits for while they write, late in the whole campaign: a tap, and the pages round it."""

import json
from collections.abc import Callable, Iterator
from functools import partial
from statistics import median
from time import perf_counter
from typing import Any
from unittest.mock import patch

from django.core.management import call_command
from django.test import Client, override_settings
from django.urls import reverse

from campaign.core import clock
from campaign.models import Campaign, Membership, Role, User
from campaign.people.accounts import new_person
from campaign.people.desks import set_desk
from campaign.selectors import open_phase
from campaign.viewers import gm_viewer, viewer_of
from gm.machine.sweeper import sweep
from orders.desks import place
from orders.services import movable
from tests.bench.measure import REPEATS, Figure
from tests.gm.campaigns import blank_map, live, miss, new_campaign, send_demo_sheets

DAY = 16
LIMIT = 25
FORMATIONS = {"Fifth": ["5th Panzer Army"], "Seventh": ["7th Army"]}


def figures() -> Iterator[Figure]:
    """The German sheet of the sixteenth day of the demonstration, as a multiple of an empty view's time."""
    call_command("migrate", verbosity=0)
    call_command("createcachetable", verbosity=0)
    campaign = new_campaign("writing")
    with patch("campaign.game.turn_package.draw", blank_map):
        _played(campaign)
    gm, commander = _people(campaign)
    with override_settings(ROOT_URLCONF="tests.bench.urls", SHEETS_PER_MINUTE=100_000):
        yield from _taps(campaign, commander)
        sheet = reverse("sheet", args=[campaign.slug, "HQ"])
        for name, user, address in (
            ("sheet", commander, sheet),
            ("rules", commander, reverse("rules", args=[campaign.slug])),
            ("settings", gm, reverse("settings", args=[campaign.slug])),
        ):
            browser = _browser(user)
            yield Figure(f"page-{name}-to-empty-view", _times_empty(browser, partial(browser.get, address)), "x", LIMIT)


def _played(campaign: Campaign) -> None:
    """Play until the German sheet of the day is open: the demonstration's sheets, then nobody sends any."""
    sweep(worker="bench")
    author, days = new_person("writing of old", email="writing.of.old@bench.invalid"), set[object]()
    while True:
        phase = live(campaign)
        days.add(phase.day)
        if len(days) == DAY and phase.key == "german_sheet":
            break
        send_demo_sheets(phase, author)
        miss(phase)


def _people(campaign: Campaign) -> tuple[User, User]:
    """The GM and the German commander; their staff has desks with sheets."""
    made = {}
    parts = {"GM": (Role.GM, ""), "commander": (Role.COMMANDER, "german"), "staff": (Role.STAFF, "german")}
    for name, (role, side) in parts.items():
        user = new_person(f"writing {name}", email=f"writing.{name}@bench.invalid")
        made[name] = Membership.objects.create(
            campaign=campaign, user=user, role=role, side=side, joined_at=clock.now()
        )
    for name, formations in FORMATIONS.items():
        viewer = gm_viewer(made["GM"].user, campaign.slug)
        set_desk(viewer, name=name, formations=formations, holder=made["staff"], now=clock.now())
    return made["GM"].user, made["commander"].user


def _taps(campaign: Campaign, commander: User) -> Iterator[Figure]:
    """A tap on each unit that can move: on an empty sheet, and when all others have their orders."""
    browser, address = _browser(commander), reverse("api_choices", args=[campaign.slug, "HQ"])

    def tap(unit: str, text: str) -> Any:
        body = json.dumps({"text": text, "unit": unit})
        return browser.post(address, body, content_type="application/json")

    viewer = viewer_of(commander, campaign.slug)
    phase = open_phase(viewer)
    assert phase is not None
    units = movable(viewer, phase, place(viewer, "HQ"), "")
    lines: dict[str, str] = {}
    for unit in units:
        ways = json.loads(tap(unit, "\n".join(lines.values())).content)["ways"]
        if ways:
            lines[unit] = ways[0]["line"]
    full = {unit: "\n".join(line for each, line in lines.items() if each != unit) for unit in lines}
    for name, text_of in (("tap", dict.fromkeys(units, "")), ("tap-on-a-full-sheet", full)):
        times = [_times_empty(browser, partial(tap, unit, text)) for unit, text in text_of.items()]
        yield Figure(f"{name}-to-empty-view", median(times), "x", LIMIT)


def _browser(user: User) -> Client:
    client = Client(SERVER_NAME="localhost")
    client.force_login(user, backend="sesame.backends.ModelBackend")
    return client


def _times_empty(browser: Client, work: Callable[[], Any]) -> float:
    """The median time of a request as a multiple of an empty view's, in alternating runs."""
    times, empties = [], []
    for _ in range(REPEATS + 1):
        times.append(_milliseconds(work))
        empties.append(_milliseconds(partial(browser.get, "/empty/")))
    return median(times[1:]) / median(empties[1:])


def _milliseconds(work: Callable[[], Any]) -> float:
    start = perf_counter()
    response = work()
    took = (perf_counter() - start) * 1000
    if response.status_code != 200:
        raise AssertionError(f"{work} answers {response.status_code}")
    return took
