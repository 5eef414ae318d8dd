"""Campaigns that older releases stored: migrations bring them forward and back, they are sound, and they are played on.

The files are kept as they are. A release that changes the tables adds one (`python -m tests.stored`).
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.models import Count, Q
from django.test.utils import override_settings
from pytest_django import DjangoDbBlocker

from campaign.engine.display.views import VIEW_VERSION
from campaign.engine.phases import Weight
from campaign.game.store import decode_ruling, decode_state, decode_view, unpack
from campaign.models import (
    Artefact,
    Campaign,
    Closing,
    DiceLine,
    Membership,
    Phase,
    PhaseState,
    Resolution,
    Role,
    Ruling,
    User,
)
from campaign.services import scenario_of
from gm.phases.rows import events_of
from gm.verification import Doubt, faults
from orders.models import LockedSheet, Sheet
from tests.gm.campaigns import Clock
from tests.stored import files
from tests.stored.campaigns import browser_of, story
from tests.stored.database import (
    connected_to,
    migrate,
    migrate_to_present,
    new_database,
    put,
    rows_at,
    tables,
)
from tests.stored.files import Stored, Table
from tests.stored.onward import PHASES_MORE, play_on

DOUBTS: Mapping[tuple[str, str], str] = {}
"""What `verify` cannot tell of the stored campaigns: a campaign and a place, each with the reason."""

PAGES = ("", "board/", "stops/0/", "dice/", "people/")

OVER = {"ardennes-demo", "vith-over"}


@dataclass(frozen=True)
class Kept:
    """A stored file, and a database at its schema that holds its rows."""

    stored: Stored
    database: str


@pytest.fixture(scope="module", params=files.stored_files(), ids=lambda path: path.name.partition(".")[0])
def kept(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    django_db_setup: None,  # noqa: ARG001
    django_db_blocker: DjangoDbBlocker,
) -> Iterator[Kept]:
    stored = files.read(request.param)
    with (
        django_db_blocker.unblock(),
        override_settings(SECRET_KEY=stored.secret_key),
        new_database(tmp_path_factory.mktemp("stored")) as name,
    ):
        with connected_to(name):
            migrate(stored.schema)
            put(stored.schema, stored.tables)
        yield Kept(stored, name)


@pytest.fixture(scope="module")
def migrated(kept: Kept, tmp_path_factory: pytest.TempPathFactory, django_db_blocker: DjangoDbBlocker) -> Iterator[str]:
    """A database at the present schema to which migrations have brought the same rows."""
    with django_db_blocker.unblock(), new_database(tmp_path_factory.mktemp("migrated"), like=kept.database) as name:
        with connected_to(name):
            migrate_to_present()
            call_command("createcachetable", verbosity=0)
        yield name


@pytest.fixture
def time(kept: Kept, migrated: str, tmp_path: Path) -> Iterator[Clock]:
    """The time at which the story of the stored rows ends; they are brought to the present schema."""
    clock = Clock()
    clock.now = kept.stored.now
    files.put_pictures(kept.stored.pictures, Path(settings.PICTURES))
    with new_database(tmp_path, like=migrated) as name, connected_to(name), story(clock):
        yield clock


def test_migrations_lead_back(kept: Kept, migrated: str, tmp_path: Path) -> None:
    """Every row is then as it was stored, and every table as it was: from there migrations lead forward, as before."""
    with connected_to(kept.database):
        before = tables()
    with new_database(tmp_path, like=migrated) as name, connected_to(name):
        migrate(kept.stored.schema)
        assert rows_at(kept.stored.schema) == kept.stored.tables
        assert {name: table for name, table in tables().items() if name in before} == before


@pytest.mark.django_db
def test_a_new_database_has_the_tables_of_an_old_one(migrated: str) -> None:
    """Some migrations make at once, in a new database, what the migrations that they replace made one by one."""
    with connected_to(migrated):
        one_by_one = tables()
    assert any(migration.replaces for migration in MigrationLoader(connection).graph.nodes.values())
    assert tables() == one_by_one


def test_the_newest_file_has_what_campaigns_have_today() -> None:
    """Settings for each weight of phase, standing orders, reply phases published and open, Views of today's version;
    pictures of battle maps, stories, an offer of a draw; mails that came back, and visits.
    """
    newest = files.read(files.stored_files()[-1])
    tables = {name: _dicts(table) for name, table in newest.tables.items()}
    assert {row["weight"] for row in tables["campaign_phasesettings"]} == {weight.value for weight in Weight}
    replies = [row["state"] for row in tables["campaign_phase"] if row["weight"] == Weight.REPLY.value]
    assert {PhaseState.PUBLISHED, PhaseState.OPEN} <= set(replies)
    assert any(b"StandingOrdersGiven" in unpack(row["events"]) for row in tables["campaign_outcome"])
    assert newest.pictures
    assert all(tables[name] for name in ("stories_mappicture", "stories_story", "campaign_drawoffer"))
    assert {row["bounced_onward"] for row in tables["campaign_outboxmessage"] if row["bounced_at"]} == {False, True}
    assert tables["campaign_lastseen"]
    assert any(row["mail_works_since"] for row in tables["campaign_user"])
    views = [json.loads(row["content"]) for row in tables["campaign_artefact"] if row["kind"] == "view"]
    assert {view["version"] for view in views} == {VIEW_VERSION}


def _dicts(table: Table) -> list[dict[str, Any]]:
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


@pytest.mark.usefixtures("time")
def test_the_stored_campaigns_are_sound(kept: Kept) -> None:
    assert Campaign.objects.count() == len(kept.stored.tables["campaign_campaign"].rows) >= 9
    assert _found() == set(DOUBTS)


def _found() -> set[tuple[str, str]]:
    """Where `verify` has a doubt. It finds no fault."""
    found = [(campaign.slug, each) for campaign in Campaign.objects.order_by("pk") for each in faults(campaign)]
    assert [f"{slug}: {each}" for slug, each in found if not isinstance(each, Doubt)] == []
    return {(slug, doubt.where) for slug, doubt in found}


@pytest.mark.usefixtures("time")
def test_what_is_stored_is_read() -> None:
    """States, known states, events, rulings and Views, each brought forward from the version it was stored in."""
    counts = Counter[str]()
    for phase in Phase.objects.select_related("campaign", "start"):
        counts += _read(phase)
    assert set(counts) == {"state", "slice", "event", "ruling", "view"}
    assert counts["state"] == Phase.objects.count() + Resolution.objects.count()
    assert counts["ruling"] == Ruling.objects.count()


def _read(phase: Phase) -> Counter[str]:
    """How much of each kind was read."""
    rules = scenario_of(phase.campaign).rules
    decode_state(rules, unpack(phase.start.state_before), version=phase.state_version)
    counts = Counter(state=1)
    for row in phase.rulings.all():
        ruling = decode_ruling(rules, at=row.at, fact=row.fact, reason=row.reason, version=row.event_version)
        assert ruling.reason == row.reason
        counts["ruling"] += 1
    result = Resolution.objects.select_related("outcome").filter(phase=phase).first()
    if result is not None:
        decode_state(rules, unpack(result.outcome.state_after), version=result.state_version)
        counts.update(state=1, event=len(events_of(phase)))
        for kind, content in phase.all_artefacts.filter(kind__in=("view", "slice")).values_list("kind", "content"):
            if kind == "view":
                decode_view(bytes(content))
            else:
                decode_state(rules, bytes(content), version=result.state_version)
            counts[kind] += 1
    return counts


def test_the_stored_campaigns_are_played_on(time: Clock) -> None:
    """What waits in them is resolved, and what was there before stays as it was, to the byte."""
    before, published, drafts = _lasting(), _published(), _drafts()
    assert drafts
    play_on(time)
    after = _lasting()
    assert {name: after.get(name) for name in before} == before
    more = {slug: count - published[slug] for slug, count in _published().items()}
    assert {slug for slug, count in more.items() if count < PHASES_MORE} == OVER
    assert {slug for slug, count in more.items() if count} == set(more) - OVER
    assert _drafts(PhaseState.PUBLISHED).items() >= drafts.items()
    assert _found() == set(DOUBTS)


def _lasting() -> dict[tuple[Any, ...], object]:
    """Rows that nothing may change any more: what was published, rolled, ruled, sent in and locked."""
    sent = Artefact.objects.filter(phase__state=PhaseState.PUBLISHED).values_list("phase", "audience", "kind", "sha256")
    lines = DiceLine.objects.values_list("campaign", "audience", "no", "line")
    rulings = Ruling.objects.values_list("phase", "seq", "written", "taken_back_at")
    sheets = Sheet.objects.values_list("pk", "text", "digest")
    locked = LockedSheet.objects.values_list("pk", "digest")
    rows = {"artefact": sent, "line": lines, "ruling": rulings, "sheet": sheets, "locked": locked}
    return {(name, *row[:-1]): row[-1] for name, each in rows.items() for row in each}


def _published() -> dict[str, int]:
    """How many phases each campaign has published."""
    counts = Count("phases", filter=Q(phases__state=PhaseState.PUBLISHED))
    return dict(Campaign.objects.annotate(count=counts).values_list("slug", "count"))


def _drafts(state: PhaseState = PhaseState.REVIEW) -> dict[int, str]:
    """The result's digest of each phase in this state."""
    return dict(Resolution.objects.filter(phase__state=state).values_list("phase", "outcome__digest"))


@pytest.mark.usefixtures("time")
def test_pages_of_the_stored_campaigns_are_shown() -> None:
    read = Counter[str]()
    for member in Membership.objects.filter(user__username__in=("Umpire", "Model", "Nelson")):
        slug, browser = member.campaign.slug, browser_of(member.user.username)
        shown = {page: browser.get(f"/c/{slug}/{page}").status_code for page in PAGES}
        assert shown == dict.fromkeys(PAGES, 200), (slug, member.user.username)
        read[slug] += 1
    assert set(read) == set(Campaign.objects.exclude(memberships=None).values_list("slug", flat=True))
    assert min(read.values()) == 2, "the GM and a commander of each"


@pytest.mark.usefixtures("time")
def test_only_the_gm_reads_statistics_of_campaigns_that_promised_none(kept: Kept) -> None:
    """Not even once they are closed. Their states and events give figures, whatever version they were stored in."""
    promised = "opens_statistics" in kept.stored.tables["campaign_campaign"].columns
    assert promised or not Campaign.objects.filter(opens_statistics=True).exists()
    gm = User.objects.get(username="Umpire")
    for campaign in Campaign.objects.filter(closing=None):
        Closing.objects.create(campaign=campaign, author=gm, at=campaign.created_at)
    for member in Membership.objects.filter(user__username__in=("Umpire", "Model", "Nelson")):
        page = browser_of(member.user.username).get(f"/c/{member.campaign.slug}/statistics/")
        reads = member.role == Role.GM or member.campaign.opens_statistics
        assert page.status_code == (200 if reads else 404), member.campaign.slug
        assert not reads or b"<svg" in page.content or member.campaign.phases.filter(state="PUBLISHED").count() < 2
