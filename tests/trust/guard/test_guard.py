"""What no statement guards: the start of a scenario, and what was loaded before. And that no way leads past it."""

import ast
import asyncio
import gc
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from types import FunctionType, ModuleType
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.apps import apps
from django.db import connection, connections, transaction
from django.db.models import Model, OneToOneRel

from campaign import services
from campaign.engine.state import State
from campaign.engine.values.ids import GM, PUBLIC, Audience
from campaign.forms.scenarios import supplied
from campaign.game.loading import Loaded, WithStart, find_scenario, load_scenario, read_files, scenario_files
from campaign.models import Campaign, Phase, Ruling
from campaign.secrecy.tables import Secret
from campaign.secrecy.truth import Breach, Reader, machinery, opened, reading, require_written, watch, writing
from campaign.services import files_of, scenario_of, whole_scenario_of
from gm.demo import SCENARIO
from tests.gm.campaigns import new_campaign
from tests.kept import kept
from tests.locks import ROOT
from tests.trust.guard.test_places import PACKAGES, _nodes_by_function, parsed
from tests.trust.guard.test_truth import GERMAN, PASSER_BY

pytestmark = pytest.mark.django_db(transaction=True)

READERS = (GERMAN, PASSER_BY, Reader(PUBLIC, user=7))


@pytest.fixture
def campaign() -> Campaign:
    kept("campaign", new_campaign, timeless=True)
    return Campaign.objects.get()


# --- the start of a scenario -----------------------------------------------------------------------------------------


def within(root: object) -> Iterator[object]:
    """All that can be reached in memory from an object, but by way of code."""
    found, wait = {id(root)}, [root]
    while wait:
        each = wait.pop()
        yield each
        for other in gc.get_referents(each):
            if id(other) not in found and not isinstance(other, type | ModuleType | FunctionType):
                found.add(id(other))
                wait.append(other)


def holds_a_state(loaded: Loaded) -> bool:
    return any(isinstance(each, State | WithStart) for each in within(loaded))


def test_what_pages_get_of_a_scenario_leads_to_no_state(campaign: Campaign) -> None:
    assert holds_a_state(whole_scenario_of(campaign)), "the test sees one where there is one"
    services._READ.clear()
    for reader in (GERMAN, Reader(GM)):
        with reading(lambda reader=reader: reader):  # type: ignore[misc]
            found = scenario_of(campaign)
            assert not holds_a_state(found)
            assert found.base_map == scenario_of(campaign).base_map
            assert not holds_a_state(found), "nor once it was used"
    assert not any(holds_a_state(each) for each in services._READ.values())


def test_the_form_for_a_new_campaign_holds_no_state() -> None:
    supplied.cache_clear()
    with reading(lambda: PASSER_BY):
        assert not any(holds_a_state(each) for each in supplied().values())


def test_a_page_creates_a_campaign_and_reads_no_start(campaign: Campaign) -> None:
    with reading(lambda: GERMAN):
        made = services.create_campaign(slug="other", title="Other", scenario=find_scenario(SCENARIO))
        assert made.scenario_digest == campaign.scenario_digest
        with pytest.raises(Breach):
            whole_scenario_of(made)


WHOLE: Mapping[str, Callable[[Campaign], object]] = {
    "of a campaign": whole_scenario_of,
    "its files": files_of,
    "its files by the way that leads to them": lambda campaign: campaign.scenario.scenario_files,
    "a supplied one": lambda _: load_scenario(find_scenario(SCENARIO)),
    "files from elsewhere": lambda _: read_files(scenario_files(find_scenario(SCENARIO))),
}


@pytest.mark.parametrize("what", WHOLE)
@pytest.mark.parametrize("reader", READERS, ids=str)
def test_a_whole_scenario_is_for_the_gm_alone(campaign: Campaign, reader: Reader, what: str) -> None:
    with reading(lambda: reader), pytest.raises(Breach), transaction.atomic():
        WHOLE[what](campaign)
    with reading(lambda: reader), machinery():
        WHOLE[what](campaign)
    with reading(lambda: Reader(GM, user=1)):
        WHOLE[what](campaign)


def test_a_campaign_whose_map_was_read_has_not_kept_the_files(campaign: Campaign) -> None:
    services._READ.clear()
    found = Campaign.objects.get(pk=campaign.pk)
    with reading(lambda: GERMAN):
        scenario_of(found)
    assert "scenario" not in found._state.fields_cache


WHOLE_IS_READ = {
    "campaign/forms/positions.py previewed": "a position is read on top of it, for the GM of the campaign to come",
    "campaign/forms/positions.py start_in_words": "a supplied scenario's, as a blank for any new campaign's GM",
    "campaign/forms/scenarios.py supplied": "titles, options and weights of what can be chosen; the starts are let go",
    "campaign/game/bars.py _load": "a command, whose games are no campaign's",
    "campaign/game/casebook.py check_case": "the charts of a case, whose position is its own",
    "campaign/game/loading.py load_scenario": "the function itself",
    "campaign/game/loading.py read_files": "the function itself",
    "campaign/management/commands/check_scenario.py handle": "a command",
    "campaign/management/commands/play.py _load": "a command",
    "campaign/management/commands/play.py _play_one": "a command",
    "campaign/services.py _read_new": "a campaign begins",
    "campaign/services.py scenario_of": "map and charts are taken out of it",
    "campaign/services.py shared_digest": "its files are digested without a position, and not read",
    "campaign/services.py whole_scenario_of": "the function itself",
    "gm/desk/position.py position_of": "the GM, who reads all, compares the position with it",
    "gm/verification.py _beginning": "a command, which compares a campaign's beginning with its scenario",
}
"""The places that read whole scenarios, or their files."""

_READING = {
    "load_scenario",
    "read_files",
    "whole_scenario_of",
    "read_scenario",
    "read_case",
    "scenario_files",
    "files_of",
}
_COLUMN = {"campaign/services.py files_of"}
"""It names the column of the same name."""


def test_every_place_that_reads_a_whole_scenario_is_known() -> None:
    found = {
        place
        for place, node in everything(*_READING)
        if (isinstance(node, ast.Name) and node.id in _READING and isinstance(node.ctx, ast.Load))
        or (isinstance(node, ast.Attribute) and node.attr in _READING)
    }
    assert found - _COLUMN == set(WHOLE_IS_READ)


def everything(*words: str) -> Iterator[tuple[str, ast.AST]]:
    """Every node of our code, with the place that it is in; only of files in whose text one of these words is."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            if "migrations" not in path.parts and "rulesets" not in path.parts:
                for function, node in _nodes_by_function(parsed(path, words)):
                    yield f"{path.relative_to(ROOT)} {function}".strip(), node


# --- what was loaded before ------------------------------------------------------------------------------------------

PARTS = [
    relation
    for model in apps.get_models()
    for relation in model._meta.related_objects
    if isinstance(relation, OneToOneRel) and issubclass(relation.related_model, Secret)
]


@pytest.mark.parametrize("relation", PARTS, ids=lambda relation: relation.related_model.__name__)
def test_a_part_that_was_loaded_before_is_still_refused(relation: OneToOneRel) -> None:
    row: Model = relation.model(pk=1)
    way, part = str(relation.get_accessor_name()), relation.related_model(pk=1)
    relation.field.set_cached_value(part, row)
    relation.set_cached_value(row, part)
    assert getattr(row, way) is part
    for reader in READERS:
        with reading(lambda reader=reader: reader), pytest.raises(Breach):  # type: ignore[misc]
            getattr(row, way)
    with reading(lambda: GERMAN), opened(relation.related_model.__name__):
        assert getattr(row, way) is part


def test_a_phase_that_a_service_hands_on_keeps_its_state_from_a_page(campaign: Campaign) -> None:
    phase = Phase.objects.select_related("start").get(campaign=campaign)
    assert phase.start.state_before
    with reading(lambda: GERMAN), pytest.raises(Breach, match="PhaseStart"):
        phase.start  # noqa: B018 # it is the look that is refused


def test_every_secret_part_is_one_of_these() -> None:
    parts = {
        "Approval",
        "BattleResult",
        "CampaignDice",
        "CampaignScenario",
        "DraftDifferences",
        "JoiningWords",
        "LastSeen",
        "Outcome",
    }
    parts |= {"PhaseProof", "PhaseStart"}
    assert {relation.related_model.__name__ for relation in PARTS} == parts


# --- every connection and every thread --------------------------------------------------------------------------------


def count() -> str:
    """What blocks a statement here that names a secret table; "read" if nothing does."""
    try:
        Ruling.objects.count()
    except Breach as breach:
        return str(breach)
    finally:
        if threading.current_thread() is not threading.main_thread():
            connections.close_all()
    return "read"


def in_a_thread() -> str:
    done: Future[str] = Future()
    thread = threading.Thread(target=lambda: done.set_result(count()))
    thread.start()
    thread.join()
    return done.result()


def in_a_pool() -> str:
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(count).result()


def in_an_executor() -> str:
    """As a library does that has a loop of its own: the executor's threads know nothing of who asks."""

    async def asked() -> str:
        return await asyncio.get_running_loop().run_in_executor(None, count)

    return asyncio.run(asked())


def in_a_timer() -> str:
    done: Future[str] = Future()
    threading.Timer(0, lambda: done.set_result(count())).start()
    return done.result(timeout=30)


NOBODYS = {each.__name__: each for each in (in_a_thread, in_a_pool, in_an_executor, in_a_timer)}


@pytest.mark.parametrize("way", NOBODYS)
def test_where_no_reader_is_named_no_secret_is_read(way: str) -> None:
    """Not even if the GM or the machinery began it."""
    for reader in (GERMAN, Reader(GM, user=1), Reader(GM)):
        with reading(lambda reader=reader: reader):  # type: ignore[misc]
            assert NOBODYS[way]() == "Ruling"


def by_to_thread() -> str:
    return asyncio.run(asyncio.to_thread(count))


def by_sync_to_async() -> str:
    async def asked() -> str:
        return str(await sync_to_async(count, thread_sensitive=False)())

    return asyncio.run(asked())


CALLERS = {each.__name__: each for each in (by_to_thread, by_sync_to_async)}


@pytest.mark.parametrize("way", CALLERS)
def test_a_thread_that_is_given_its_callers_context_reads_as_its_caller(way: str) -> None:
    with reading(lambda: GERMAN):
        assert CALLERS[way]() == "Ruling"
    with reading(lambda: Reader(GM, user=1)):
        assert CALLERS[way]() == "read"


def on_another_connection() -> None:
    other = connections.create_connection("default")
    try:
        with other.cursor() as cursor:
            cursor.execute("SELECT reason FROM campaign_ruling")
    finally:
        other.close()


def on_a_copy_of_the_connection() -> None:
    other = connection.copy()
    try:
        with other.cursor() as cursor:
            cursor.execute("SELECT reason FROM campaign_ruling")
    finally:
        other.close()


def on_a_connection_that_was_opened_again() -> None:
    other = connections.create_connection("default")
    other.connect()
    other.close()
    other.connect()
    try:
        with other.cursor() as cursor:
            cursor.execute("SELECT reason FROM campaign_ruling")
    finally:
        other.close()


def by_another_name() -> None:
    connections.settings["second"] = dict(connections.settings["default"])
    connections["second"].alias = "default"  # else the tests' own guard refuses it first
    try:
        Ruling.objects.using("second").count()
    finally:
        connections["second"].close()
        del connections["second"]
        del connections.settings["second"]


def by_a_cursor_on_the_server() -> None:
    with transaction.atomic(), connection.chunked_cursor() as cursor:
        cursor.execute("SELECT reason FROM campaign_ruling")


def many_at_once() -> None:
    with connection.cursor() as cursor:
        cursor.executemany("UPDATE campaign_ruling SET reason = %s", [("a",), ("b",)])


def with_another_wrapper() -> None:
    def idle(execute: Any, *args: Any) -> Any:
        return execute(*args)

    with connection.execute_wrapper(idle):
        Ruling.objects.count()
    Ruling.objects.count()


CONNECTIONS = {
    each.__name__: each
    for each in (
        *(on_another_connection, on_a_copy_of_the_connection, on_a_connection_that_was_opened_again, by_another_name),
        *(by_a_cursor_on_the_server, many_at_once, with_another_wrapper),
    )
}


@pytest.mark.parametrize("way", CONNECTIONS)
def test_every_connection_is_guarded(way: str) -> None:
    with reading(lambda: GERMAN), pytest.raises(Breach, match="Ruling"):
        CONNECTIONS[way]()
    with reading(lambda: Reader(GM)):
        CONNECTIONS[way]()


PAST = {
    *("execute_wrappers", "execute_wrapper", "get_new_connection", "create_connection", "callproc", "executescript"),
    *("pgconn", "sqlite3", "psycopg", "connection", "cursor", "chunked_cursor", "temporary_connection"),
}
"""What leads past the guard: drivers and their own connections, what changes who is asked at each statement, and
cursors, which hand on to the driver what Django does not know (`copy`, `stream`, the driver's own cursor)."""

GOING_PAST = {
    "campaign/secrecy/truth.py watch": "the guard takes its post there",
    "gm/machine/heartbeat.py database_time": "asks PostgreSQL for the time",
    "posting/network.py _connect": "a connection to a forum",
    "gm/management/commands/serve.py _wait_less_for_the_disk": "a setting of SQLite",
}


def test_no_code_goes_past_the_guard() -> None:
    assert {place for place, node in everything(*PAST) if _goes_past(node)} == set(GOING_PAST)


@pytest.mark.parametrize(
    "code",
    [
        "with connection.cursor() as cursor:\n    cursor.cursor.execute(sql)",
        "with connection.cursor() as cursor:\n    cursor.stream(sql)",
        "with other.chunked_cursor() as rows:\n    rows.copy(sql)",
        "rows.db.connection.execute(sql)",
        "connections['default'].connection.execute(sql)",
        "import sqlite3",
    ],
)
def test_a_way_past_the_guard_is_seen(code: str) -> None:
    assert any(_goes_past(node) for node in ast.walk(ast.parse(code)))


def _goes_past(node: ast.AST) -> bool:
    match node:
        case ast.Attribute(attr=attr):
            return attr in PAST
        case ast.Import(names=names):
            return any(alias.name.partition(".")[0] in PAST for alias in names)
        case ast.ImportFrom(module=str(module)):
            return module.partition(".")[0] in PAST
    return False


BLOCKS = {"reading", "writing", "machinery", "opened", "written_to", "to_member"}


def test_no_block_hands_something_on_before_it_ends() -> None:
    """A generator that waits within such a block would answer as its reader whoever goes on meanwhile."""
    assert [place for place, node in everything(*BLOCKS) if _waits_within(node)] == []
    for code in ("with truth.opened('X'), y:\n for x in y:\n  yield x", "with to_member(m):\n yield from x"):
        assert any(_waits_within(node) for node in ast.walk(ast.parse(code)))


def _waits_within(node: ast.AST) -> bool:
    if not isinstance(node, ast.With):
        return False
    calls = [each.context_expr.func for each in node.items if isinstance(each.context_expr, ast.Call)]
    names = {each.attr if isinstance(each, ast.Attribute) else getattr(each, "id", "") for each in calls}
    return bool(names & BLOCKS) and any(isinstance(each, ast.Yield | ast.YieldFrom) for each in ast.walk(node))


def test_a_guard_that_was_taken_away_is_back_with_the_next_connection() -> None:
    other = connections.create_connection("default")
    other.connect()
    other.execute_wrappers.clear()
    other.close()
    other.connect()
    try:
        with reading(lambda: GERMAN), pytest.raises(Breach), other.cursor() as cursor:
            cursor.execute("SELECT reason FROM campaign_ruling")
    finally:
        other.close()
    watch(other)
    assert len(other.execute_wrappers) == 1


# --- nothing half written is kept -------------------------------------------------------------------------------------


def test_a_breach_that_somebody_catches_lets_nothing_be_kept(campaign: Campaign) -> None:
    """Of the whole transaction, wherever in it that was."""
    with reading(lambda: GERMAN), transaction.atomic():
        Campaign.objects.filter(pk=campaign.pk).update(title="half written")
        with suppress(Breach):
            Ruling.objects.count()
    campaign.refresh_from_db()
    assert campaign.title != "half written"


def test_what_was_refused_without_a_statement_lets_nothing_be_kept_either(campaign: Campaign) -> None:
    for refused in (lambda: require_written(GM), lambda: load_scenario(find_scenario(SCENARIO))):
        with reading(lambda: GERMAN), transaction.atomic():
            Campaign.objects.filter(pk=campaign.pk).update(title="half written")
            with pytest.raises(Breach):
                refused()
    campaign.refresh_from_db()
    assert campaign.title != "half written"


def test_what_is_written_for_an_audience_is_made_for_it_alone() -> None:
    for audience in (Audience("german"), PUBLIC, GM):
        with writing(audience):
            require_written(audience)
            for other in {Audience("german"), Audience("allied"), PUBLIC, GM} - {audience}:
                with pytest.raises(Breach):
                    require_written(other)
            with pytest.raises(Breach):
                require_written(audience, 7)
