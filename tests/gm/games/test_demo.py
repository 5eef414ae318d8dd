"""The demonstration: real sheets, and every audience's package of every phase."""

import os
import re
import struct
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from pytest_django import Settings

from campaign.engine.facts import Event, Fact
from campaign.engine.orders.order import Severity
from campaign.engine.state import state_known_to
from campaign.engine.values.ids import GM, PUBLIC, Audience, PhaseKey
from campaign.engine.values.value import encode
from campaign.game.loading import find_scenario, load_scenario
from campaign.game.store import decode_state, unpack
from campaign.models import Campaign, Phase, PhaseState
from campaign.reports import to_bbcode, to_html, to_markdown, to_text
from campaign.rulesets.forum_campaign.model.facts.air import AirAllocated, AirRemoved, CloseSupport, Interdicted, Landed
from campaign.rulesets.forum_campaign.model.facts.battle import BattleFought, BattleOpened, Decision, Supported
from campaign.rulesets.forum_campaign.model.facts.day import CutOff, Demolished, DepotCaptured, Reinforced
from campaign.rulesets.forum_campaign.model.facts.movement import Detached, Moved, Plotted, StopReason
from campaign.rulesets.forum_campaign.model.game_data import ALLIED, GERMAN
from campaign.rulesets.forum_campaign.model.state import Winner
from campaign.selectors import Knowledge
from campaign.services import scenario_of
from gm.demo import SCENARIO, phases_to_play, stand
from orders.answers import answer
from orders.desks import Place
from orders.models import HQ
from tests.demonstration import stand_unheard
from tests.kept import kept
from tests.playthroughs.transcript import demo_phases

AUDIENCES = (Audience(GERMAN), Audience(ALLIED), GM, PUBLIC)
FILES = {"map.png", "thumbnail.png", "chart.png", "chart.md", "chart.bbcode.txt", "chart.txt"}
FILES |= {"view.json", "report.md", "report.bbcode.txt", "report.txt"}


def demonstration() -> Campaign:
    """It is left where it always is, whenever it is created."""
    kept("demonstration", stand_unheard, timeless=True)
    return Campaign.objects.get()


def events() -> list[Event[Any]]:
    return [event for phase in demo_phases() for event in phase.resolution.events]


@pytest.mark.django_db(transaction=True)
def test_the_command_leaves_every_audiences_package_of_every_phase(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], settings: Settings
) -> None:
    """CI names a folder for them, and compares them with those of another process."""
    settings.EMAIL_FILE_PATH, out = tmp_path / "mail", Path(os.environ.get("FIELDPOST_TEST_DEMO") or tmp_path / "out")
    call_command("demo", out=out)
    *progress, last = capsys.readouterr().out.splitlines()
    assert len(progress) == 1 + phases_to_play() == 11
    found = re.fullmatch(r"demo: 2 days, (\d+) phases, (\d+) maps, (\d+) reports, (\d+) mails", last)
    assert found is not None
    folders = sorted(out.iterdir())
    assert len(folders) == int(found[1]) == len(demo_phases())
    assert int(found[2]) == int(found[3]) == 4 * len(folders)
    assert int(found[4]) > len(folders)
    for folder in folders:
        assert re.fullmatch(r"1944-12-1[67]-[a-z-]+", folder.name)
        assert {audience.name for audience in folder.iterdir()} == set(AUDIENCES)
        for audience in AUDIENCES:
            assert {file.name for file in (folder / audience).iterdir()} >= FILES


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("blank_maps")
def test_it_is_left_at_the_third_day_with_the_weather_its_sheets_were_written_for() -> None:
    campaign = demonstration()
    (open_,) = campaign.phases.filter(state=PhaseState.OPEN)
    assert open_.file_stem == "1944-12-18-air"
    rules = scenario_of(campaign).rules
    refused = []
    for phase in campaign.phases.filter(state=PhaseState.PUBLISHED, no__gt=0):
        state = decode_state(rules, unpack(phase.start.state_before), version=phase.state_version)
        for locked in phase.all_locked_sheets.select_related("sheet"):
            who = Audience(locked.side)
            known = Knowledge(scenario_of(campaign), state_known_to(state, who))
            said = answer(known, PhaseKey(phase.key), Place(who, HQ, writes=True, formations=None), locked.sheet.text)
            refused += [problem.message for problem in said.problems if problem.severity is Severity.ERROR]
    assert [message for message in refused if "fuel" not in message] == []


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("blank_maps")
def test_creating_it_twice_creates_it_once() -> None:
    first = demonstration()
    again = stand(lambda _line: None).campaign
    assert first == again
    assert Campaign.objects.count() == 1
    assert Phase.objects.filter(campaign=first).count() == 12


def test_pictures_are_indexed_1600_pixels_wide_and_carry_no_metadata() -> None:
    for phase in demo_phases():
        for package in phase.packages:
            assert package.pictures is not None
            drawn = package.pictures.map
            width, _, depth, colour_type = struct.unpack(">IIBB", drawn[16:26])
            assert (width, depth, colour_type) == (1600, 8, 3)
            assert set(_chunks(drawn)) == {b"IHDR", b"PLTE", b"IDAT", b"IEND"}
            assert len(drawn) < 1_000_000


def _chunks(png: bytes) -> list[bytes]:
    kinds, at = [], 8
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        kinds.append(png[at + 4 : at + 8])
        at += 12 + length
    return kinds


@pytest.mark.parametrize("side", [GERMAN, ALLIED])
@pytest.mark.parametrize("date", ["1944-12-16", "1944-12-17"])
def test_each_side_moves_fifteen_units_and_attacks(side: str, date: str) -> None:
    (phase,) = (phase for phase in demo_phases() if phase.date == date and phase.key == f"{side}_sheet")
    facts = [event.fact for event in phase.resolution.events]
    assert sum(isinstance(fact, Moved) and fact.side == side and bool(fact.path) for fact in facts) >= 15
    if side == GERMAN:
        assert any(isinstance(fact, BattleOpened) for fact in facts)


def test_what_a_campaign_is_made_of_happens() -> None:
    facts = [event.fact for event in events()]
    fought = [fact for fact in facts if isinstance(fact, BattleFought)]
    results = Counter(fact.winner for fact in fought if fact.decision is Decision.REPORTED)
    assert results[Winner.ATTACKERS] >= 1
    assert results[Winner.DEFENDERS] >= 1
    assert any(isinstance(fact, BattleOpened) and fact.battle.attacker == ALLIED for fact in facts)
    assert any(isinstance(fact, DepotCaptured) for fact in facts)
    assert any(isinstance(fact, CutOff) for fact in facts)
    assert any(isinstance(fact, Moved) and fact.stop_reason in (StopReason.ENEMY, StopReason.ZONE) for fact in facts)
    assert any(isinstance(fact, Moved) and fact.start is None for fact in facts)


@pytest.mark.parametrize(
    "kind",
    [AirAllocated, AirRemoved, Interdicted, CloseSupport, Supported, Reinforced, Detached, Plotted, Landed, Demolished],
    ids=lambda kind: kind.__name__,
)
def test_a_day_has_its_air_purchases_and_smaller_units(kind: type[Fact]) -> None:
    assert any(isinstance(event.fact, kind) for event in events())


def test_one_sheet_makes_a_dozen_different_mistakes_and_all_are_named() -> None:
    most = max(
        (len(set(re.findall(r"^Line [^:]*, ignored: (.{12})", answer.answer, re.MULTILINE))), answer.version)
        for phase in demo_phases()
        for answer in phase.answers
    )
    assert most[0] >= 12
    assert most[1] == 1, "a later version corrects them"


def test_every_sheet_that_counts_is_free_of_errors() -> None:
    for phase in demo_phases():
        last = {answered.audience: answered for answered in phase.answers}
        for answered in last.values():
            mistakes = [line for line in answered.answer.splitlines() if re.match(r"Line [^:]*, ignored: ", line)]
            assert [line for line in mistakes if "fuel" not in line] == [], (phase.date, phase.key)


@pytest.mark.parametrize(("side", "enemy"), [(GERMAN, ALLIED), (ALLIED, GERMAN)])
def test_a_side_receives_nothing_of_an_unseen_enemy(side: str, enemy: str) -> None:
    """Full names of units are never shown to the enemy, so they are markers: found anywhere, something leaks."""
    start = load_scenario(find_scenario(SCENARIO)).scenario.start
    secrets = [unit.name for unit in start.own[enemy].units.values()]
    own_secrets = [unit.name for unit in start.own[side].units.values()]
    for phase in demo_phases():
        (package,) = (package for package in phase.packages if package.audience == side)
        document = package.report
        received = "\n".join(
            [to_markdown(document), to_bbcode(document), to_text(document), to_html(document)]
            + [
                encode(value).decode()
                for value in (package.view, state_known_to(phase.resolution.state, package.audience))
            ]
        )
        assert [name for name in secrets if name in received] == []
        assert any(name in received for name in own_secrets)


def test_the_public_sees_no_unit_on_the_map() -> None:
    for phase in demo_phases():
        (package,) = (package for package in phase.packages if package.audience == PUBLIC)
        view = package.view
        assert (view.counters, view.sightings, view.arrows) == ((), (), ())
