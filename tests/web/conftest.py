"""The cast of a campaign whose first phase is open, and their browsers."""

from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from campaign.core import clock
from campaign.game import turn_package
from campaign.models import Campaign, Membership, Phase, PhaseState, Role, User
from campaign.people.accounts import new_person
from gm.machine.sweeper import sweep
from tests.gm.campaigns import Clock, blank_map, live, new_campaign, opened, review_drafts, send, sunny_campaign
from tests.kept import kept
from tests.web.layout import laid_out

PARTS = {
    "gm": (Role.GM, ""),
    "co-gm": (Role.GM, ""),
    "german commander": (Role.COMMANDER, "german"),
    "german deputy": (Role.DEPUTY, "german"),
    "german staff": (Role.STAFF, "german"),
    "german tactical": (Role.TACTICAL, "german"),
    "allied commander": (Role.COMMANDER, "allied"),
    "allied staff": (Role.STAFF, "allied"),
    "allied tactical": (Role.TACTICAL, "allied"),
    "spectator": (Role.SPECTATOR, ""),
}
OUTSIDER = "outsider"
ANONYMOUS = "anonymous"


@dataclass(frozen=True)
class Cast:
    """A campaign and those who take part; the outsider has an account and takes part in none."""

    campaign: Campaign

    def user(self, name: str) -> User:
        return User.objects.get(username=name)

    def member(self, name: str) -> Membership:
        return Membership.objects.get(campaign=self.campaign, user__username=name)

    def browser(self, name: str) -> Client:
        """Where this person is signed in; nobody is in the browser of "anonymous"."""
        client = Client()
        if name != ANONYMOUS:
            client.force_login(self.user(name), backend="allauth.account.auth_backends.AuthenticationBackend")
        return client

    def address(self, rest: str = "") -> str:
        return f"/c/{self.campaign.slug}/{rest}"


@pytest.fixture(autouse=True)
def pages_are_read_as_they_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests see pages without the spaces and line breaks that only lay out their templates."""
    request = Client.request

    def read(client: Client, **more: Any) -> Any:
        response = request(client, **more)
        if not response.streaming and response.headers.get("Content-Type", "").startswith("text/html"):
            response.content = laid_out(response.content.decode()).encode()
        return response

    monkeypatch.setattr(Client, "request", read)


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Clock:
    set_clock = Clock()
    monkeypatch.setattr(clock, "now", lambda: set_clock.now)
    return set_clock


@pytest.fixture
def cast(time: Clock, monkeypatch: pytest.MonkeyPatch) -> Cast:
    """Everybody, at the first German sheet."""
    monkeypatch.setattr(turn_package, "draw", blank_map)  # looked at elsewhere
    kept("cast", lambda: gathered(_at_the_first_sheet(), time.now))
    return Cast(Campaign.objects.get())


@pytest.fixture
def morning(time: Clock, monkeypatch: pytest.MonkeyPatch) -> Cast:
    """Everybody, at the air sheets of a sunny day."""
    monkeypatch.setattr(turn_package, "draw", blank_map)  # looked at elsewhere
    kept("sunny morning", lambda: gathered(sunny_campaign(), time.now))
    return Cast(Campaign.objects.get())


def _at_the_first_sheet() -> Campaign:
    campaign = new_campaign()
    opened(campaign)
    return campaign


@pytest.fixture
def draft(cast: Cast) -> Phase:
    """The first German sheet, resolved and not published."""
    phase = live(cast.campaign)
    kept("draft of a cast", lambda: _resolved(cast, phase), after="cast")
    phase.refresh_from_db()
    assert phase.state == PhaseState.REVIEW
    return phase


def _resolved(cast: Cast, phase: Phase) -> None:
    review_drafts()
    send(phase, cast.user("german commander"), "MOVE 12 SS S22\nREADY", ready=True)
    sweep(worker="one")


def gathered(campaign: Campaign, now: datetime) -> Cast:
    """Everyone who plays a campaign, at its present phase."""
    for name, (role, side) in PARTS.items():
        user = new_person(name, email=f"{name.replace(' ', '.')}@example.org")
        Membership.objects.create(campaign=campaign, user=user, role=role, side=side, joined_at=now)
    new_person(OUTSIDER, email="outsider@example.org")
    return Cast(campaign)


NOT_COMPARED = {
    "django_session": "who is signed in",
    "cache": "counts of tries to sign in",
    "campaign_tries": "counts of who comes too often",
    "campaign_lastseen": "when members last opened a page, for their GMs: test_visits says what is written and when",
}
"""The tables that reading may change, each with the reason."""


def _short(value: object) -> object:
    return sha256(value).hexdigest() if isinstance(value, bytes | memoryview) and len(value) > _LONG else value


_LONG = 1000
"""Bytes."""


def rows(*, whole: bool = False) -> dict[str, list[str]]:
    """All rows of all tables, to be compared, but for what comes with reading: see `NOT_COMPARED`.

    Of what is long, as pictures are, there is a digest, unless rows are wanted whole.
    """
    with connection.cursor() as cursor:
        tables = set(connection.introspection.table_names(cursor)) - NOT_COMPARED.keys()
        found = {}
        for table in tables:
            cursor.execute(f'SELECT * FROM "{table}"')  # noqa: S608 # the tables' own names
            found[table] = sorted(repr(row if whole else [*map(_short, row)]) for row in cursor.fetchall())
    return found
