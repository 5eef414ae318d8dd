"""The service on its embedded database: a phase from its lock to its publication, and the pages people open."""

from collections.abc import Iterator
from statistics import median
from time import perf_counter

from django.core.management import call_command
from django.test import Client, override_settings

from campaign.core import clock
from campaign.models import Campaign, Membership, Role, User
from campaign.people.accounts import new_person
from gm.machine.sweeper import run, sweep
from gm.phases.locking import lock
from tests.bench.measure import REPEATS, Figure
from tests.gm.campaigns import live, new_campaign, send_demo_sheets

PHASES = 8
PARTS = (
    (Role.GM, ""),
    (Role.COMMANDER, "german"),
    (Role.STAFF, "german"),
    (Role.TACTICAL, "german"),
    (Role.COMMANDER, "allied"),
    (Role.STAFF, "allied"),
    (Role.TACTICAL, "allied"),
)
PAGES = {"campaign": "", "orders": "orders/", "history": "stops/", "rules": "rules/", "people": "people/"}


def figures() -> Iterator[Figure]:
    """Two days of the demonstration with seven people; then each page, alternating with an empty one."""
    call_command("migrate", verbosity=0)
    call_command("createcachetable", verbosity=0)
    campaign = new_campaign("bench")
    for number, (role, side) in enumerate(PARTS):
        user = new_person(f"person {number}", email=f"person{number}@bench.invalid")
        Membership.objects.create(campaign=campaign, user=user, role=role, side=side, joined_at=clock.now())
    sweep(worker="bench")
    times = [_phase(campaign) for _ in range(PHASES)]
    yield Figure("phase-lock-to-publication", median(times), "ms", 2000)
    yield Figure("phase-lock-to-publication-slowest", max(times), "ms", 2000)
    yield from _pages(campaign)


def _phase(campaign: Campaign) -> float:
    """A phase of the demonstration from its lock to its publication, with all mails written."""
    phase = live(campaign)
    send_demo_sheets(phase, User.objects.get(username="person 1"))
    start = perf_counter()
    done = lock(phase.pk) and run(phase.pk, worker="bench")
    took = (perf_counter() - start) * 1000
    if not done:
        raise AssertionError(f"{phase} was not published")
    sweep(worker="bench")  # sends the mails
    return took


def _pages(campaign: Campaign) -> Iterator[Figure]:
    client = Client(SERVER_NAME="localhost")
    client.force_login(User.objects.get(username="person 1"), backend="sesame.backends.ModelBackend")
    with override_settings(ROOT_URLCONF="tests.bench.urls"):
        for name, rest in PAGES.items():
            page, empty = _alternating(client, f"/c/{campaign.slug}/{rest}")
            yield Figure(f"page-{name}", page, "ms", 150)
            if name == "campaign":
                yield Figure("page-campaign-to-empty-view", page / empty, "x", 25)


def _alternating(client: Client, address: str) -> tuple[float, float]:
    """Median times of a page and of an empty one, in ms."""
    pages, empties = [], []
    for _ in range(REPEATS + 1):
        pages.append(_get(client, address))
        empties.append(_get(client, "/empty/"))
    return median(pages[1:]), median(empties[1:])


def _get(client: Client, address: str) -> float:
    start = perf_counter()
    response = client.get(address)
    took = (perf_counter() - start) * 1000
    if response.status_code != 200:
        raise AssertionError(f"{address} answers {response.status_code}")
    return took
