"""Small campaigns that are played under faults: their people, a GM who approves, and hurried deadlines."""

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from random import Random
from unittest.mock import patch

from django.contrib.sessions.models import Session
from django.db import OperationalError, connection, transaction
from django.db.models import F
from django.test import Client

from campaign.core import clock
from campaign.core.failpoints import Provoked
from campaign.game.loading import find_scenario
from campaign.handling import DEFAULTS
from campaign.models import Campaign, MailNews, Membership, Phase, PhaseState, Role, User
from campaign.people.entrances import entrance_link
from campaign.record import audit
from campaign.services import create_campaign
from gm.machine.sweeper import sweep
from tests.faults.people.players import AREA, Browser
from tests.gm.campaigns import UNREVIEWED
from tests.with_air import with_air

CAST = {
    "model": (Role.COMMANDER, "german"),
    "manteuffel": (Role.DEPUTY, "german"),
    "clarke": (Role.COMMANDER, "allied"),
    "hasbrouck": (Role.DEPUTY, "allied"),
}
GM = "umpire"


def gather() -> None:
    """Create the people."""
    for name in (*CAST, GM):
        User.objects.create_user(name, f"{name}@example.org")


def link_of(name: str) -> str:
    """A link by which this person signs in once; it becomes invalid when another one is used."""
    try:
        return entrance_link(User.objects.get(username=name))
    finally:
        connection.close()


def found(number: int) -> None:
    """Create one more campaign, which begins once everybody is in it; the GM reviews every second one.

    Half of them are of the area game, in which questions come up in the middle of a day. Parts that exist already stay.
    """
    users, area = {user.username: user for user in User.objects.all()}, number % 6 in (0, 2, 3)
    slug = f"{AREA if area else 'vielsalm'}-{number}"
    if not Campaign.objects.filter(slug=slug).exists():
        scenario = find_scenario("area_activation/race-to-the-meuse") if area else with_air()
        handling = UNREVIEWED if number % 2 else DEFAULTS
        create_campaign(slug=slug, title=slug, scenario=scenario, handling=handling, waits=True, founder=users[GM])
    campaign, now = Campaign.objects.get(slug=slug), clock.now()
    with transaction.atomic():
        Campaign.objects.filter(pk=campaign.pk).update(reminder_hours=0)
        for name, (role, side) in CAST.items():
            part = {"role": role, "side": side, "joined_at": now}
            Membership.objects.get_or_create(campaign=campaign, user=users[name], defaults=part)
        campaign.phases.filter(no=0).update(held=False)
        people = User.objects.filter(memberships__campaign=campaign)
        rows = [campaign, *campaign.memberships.all(), *people, *campaign.phases.filter(no=0)]
        audit.record(campaign, "gather", {}, at=now, rows=rows)


def warm_up() -> None:
    """Begin the first campaigns and read pages, so that modules and files are loaded before processes fork."""
    for number in (1, 2, 3):
        found(number)
    with patch("gm.machine.sweeper.send_due", return_value=0):  # mails are for the watched processes
        sweep(worker="warm-up")
    first = Campaign.objects.order_by("pk")[0]
    for name, page in (("model", "orders/HQ/"), (GM, "desk/"), (GM, "desk/draft/")):
        client = Client(headers={"host": "localhost"})
        client.force_login(
            User.objects.get(username=name), backend="allauth.account.auth_backends.AuthenticationBackend"
        )
        client.get("/")
        client.get(f"/c/{first.slug}/{page}")
    Session.objects.all().delete()


class Umpire:
    """The GM, who approves drafts and retries failed phases over HTTP, and hurries some deadlines and digests."""

    def __init__(self, port: int, link: Callable[[], str], campaigns: int, chance: Random) -> None:
        self.browser, self.link, self.campaigns, self.chance = Browser(port), link, campaigns, chance
        self.hurries = True

    def lead(self) -> None:
        """Work until killed, with this many campaigns running at any time; after SIGUSR1 begin no further one."""
        signal.signal(signal.SIGUSR1, lambda *_: setattr(self, "hurries", False))
        self.browser.enter(self.link)
        while True:
            with undisturbed():
                self._decide()
                if self.hurries:
                    self._keep_going()
                    self._hurry()
                    self._hurry_digests()
            time.sleep(0.2)

    def _keep_going(self) -> None:
        begun = Campaign.objects.exclude(pk__in=Phase.objects.filter(no=0, held=True).values("campaign"))
        for _ in range(self.campaigns - begun.filter(phases__state__in=_LIVE).distinct().count()):
            found(begun.count() + 1)

    def _decide(self) -> None:
        for slug in self._slugs(PhaseState.REVIEW):
            page = f"/c/{slug}/desk/draft/"
            self.browser.post(page, {**self.browser.get(page).hidden(), "act": "approve"})
        for slug in self._slugs(PhaseState.FAILED):
            page = f"/c/{slug}/desk/"
            self.browser.post(f"{page}retry/", self.browser.get(page).hidden())

    def _slugs(self, state: PhaseState) -> list[str]:
        return list(Phase.objects.filter(state=state).values_list("campaign__slug", flat=True))

    def _hurry(self) -> None:
        """Let some phases close at once, with sheets on their way, as if their time had passed."""
        late = clock.now() + timedelta(hours=1)
        for pk in Phase.objects.filter(state=PhaseState.OPEN, no__gt=0, deadline_at__gt=late).values_list(
            "pk", flat=True
        ):
            if self.chance.random() < 0.1:
                soon = clock.now() + timedelta(seconds=self.chance.uniform(0.2, 1.5))
                open_ = Phase.objects.filter(pk=pk, state=PhaseState.OPEN)
                open_.update(deadline_at=soon, deadline_rev=F("deadline_rev") + 1)

    def _hurry_digests(self) -> None:
        """Let some news leave soon, as if the evening had come."""
        late = clock.now() + timedelta(minutes=10)
        for pk in MailNews.objects.filter(gathered_at=None, leaves_at__gt=late).values_list("pk", flat=True):
            if self.chance.random() < 0.1:
                soon = clock.now() + timedelta(seconds=self.chance.uniform(0.2, 1.5))
                MailNews.objects.filter(pk=pk, gathered_at=None).update(leaves_at=soon)


_LIVE = [state for state in PhaseState.values if state not in (PhaseState.PUBLISHED, PhaseState.WITHDRAWN)]


@contextmanager
def undisturbed() -> Iterator[None]:
    """Retry soon if the database is busy or gone for a moment."""
    try:
        yield
    except (OperationalError, Provoked):
        connection.close()
