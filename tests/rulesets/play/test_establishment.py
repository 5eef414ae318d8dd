"""Every unit starts with all of its establishment, and the percentages of the rules are of that, in every scenario."""

import datetime
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from campaign.engine.errors import ScenarioError
from campaign.engine.sheets import DeskSheet, check_side, read_side
from campaign.engine.state import with_open
from campaign.engine.values.ids import GM, PUBLIC, PhaseKey, SideId, audience_of
from campaign.engine.values.value import replace
from campaign.game.loading import WithStart, find_scenario, load_scenario, scenario_files, supplied_scenarios
from campaign.rulesets.forum_campaign import RULESET
from campaign.rulesets.forum_campaign.model.game_data import SIDES, GameData, Weather
from campaign.rulesets.forum_campaign.model.options import BattleMode
from campaign.rulesets.forum_campaign.model.state import FULL, Own, State, Unit, WeatherToday
from campaign.rulesets.forum_campaign.model.task_forces import why_not_detach
from campaign.rulesets.forum_campaign.scenario.reading import read_scenario
from campaign.services import create_campaign
from tests.rulesets.game import ALLIES, GERMANS, Game

LOADED = [loaded for folder in supplied_scenarios() if (loaded := load_scenario(folder)).rules is RULESET]
each_scenario = pytest.mark.parametrize("loaded", LOADED, ids=lambda loaded: loaded.scenario.title)


def full_units(loaded: WithStart) -> Iterator[tuple[SideId, Unit]]:
    """The units of both sides that are full-size at the start, with those that arrive later."""
    start: State = loaded.scenario.start
    for side in SIDES:
        for unit in start.own[side].units.values():
            if unit.ground and not unit.small_from_start:
                yield side, unit


@each_scenario
def test_every_unit_starts_with_all_of_its_establishment(loaded: WithStart) -> None:
    units = [unit for own in loaded.scenario.start.own.values() for unit in own.units.values()]
    assert {unit.strength for unit in units} == {FULL}


@each_scenario
def test_every_full_unit_may_create_a_task_force_on_its_first_supplied_day(loaded: WithStart) -> None:
    """R8.1 None is too weak, and a sheet that says so is accepted whole."""
    units = list(full_units(loaded))
    assert {side for side, _ in units} == set(SIDES)
    for side, unit in units:
        assert why_not_detach(replace(unit, supplied=True)) is None, unit.label
        assert first_sheet(loaded, side, unit) == [], unit.label


def first_sheet(loaded: WithStart, side: SideId, unit: Unit) -> list[str]:
    """What is wrong with the sheet that brings a unit onto the map, alone, and lets it create a task force."""
    game_data: GameData = loaded.scenario.game_data
    date = max(unit.arrives or game_data.first_day, game_data.first_day)
    lines = [f"DETACH {unit.label}", "ALL OTHERS HOLD"]
    if unit.entry is not None:
        lines.insert(0, f"MOVE {unit.label} {unit.entry}")
    elif unit.at is None:
        unit = replace(unit, at=min(game_data.charts.commandos.drop_zone))
    known = alone(loaded.scenario.start, side, unit, date)
    who = audience_of(side)
    sheet = read_side(RULESET, game_data, known, who, [DeskSheet("\n".join(lines))], phase=known.open.phase)
    return [problem.message for problem in (*sheet.problems, *check_side(RULESET, game_data, known, sheet).problems)]


def alone(start: State, side: SideId, unit: Unit, date: datetime.date) -> State:
    """What its side would know on a day, if the unit were the only one on the map."""
    phase, weather = PhaseKey(f"{side}_sheet"), WeatherToday(Weather.GLOOMY, 0, 0)
    known = with_open(start, date=date, phase=phase, weather=weather)
    return replace(known, own={side: Own(units={unit.id: unit})}, hidden=None)


def test_only_its_side_and_the_gm_see_an_establishment_and_only_where_the_resolver_may_use_it() -> None:
    units = {
        "german": {"26 VG": {"at": "D7", "establishment": 58}},
        "allied": {"28 Inf": {"at": "D6", "establishment": 63}},
    }
    for battles in BattleMode:
        shown = {
            who: str(Game(units=units, options={"battles": battles.value}).view(who))
            for who in (GERMANS, ALLIES, GM, PUBLIC)
        }
        counts = battles is not BattleMode.OUTSIDE
        for who, figures in ((GERMANS, {58}), (ALLIES, {63}), (GM, {58, 63}), (PUBLIC, set())):
            seen = {figure for figure in (58, 63) if f"establishment {figure} %" in shown[who]}
            assert seen == (figures if counts else set()), (battles, who)


FILES = scenario_files(find_scenario("forum_campaign/ardennes-1944"))


def with_column(name: str, numbers: Sequence[str]) -> dict[str, str]:
    """The files of the Ardennes with one more column in the order of battle; all other rows have its last number."""
    head, *rows = FILES["units.csv"].splitlines()
    numbered = [f"{row},{number}" for row, number in zip_longest(rows, numbers, fillvalue=numbers[-1])]
    return {**FILES, "units.csv": "\n".join([f"{head},{name}", *numbered])}


def test_a_file_that_an_older_release_wrote_is_read_as_it_was_meant() -> None:
    """Its column of strengths was in percent of full formations, so units may start with less than all."""
    read = read_scenario(with_column("strength", ["63", "100"]))
    units = [unit for own in read.start.own.values() for unit in own.units.values()]
    assert {unit.establishment for unit in units} == {FULL}
    assert [(unit.label, unit.strength) for unit in units if unit.strength != FULL] == [("272 VG", 63)]


def test_no_new_campaign_has_strengths_at_the_start(tmp_path: Path) -> None:
    for name, text in with_column("strength", ["100", "63"]).items():
        if "/" not in name:
            (tmp_path / name).write_text(text, encoding="utf-8")
    message = (
        r"^units\.csv, line 3: 326 VG starts at 63 percent; every unit starts at 100 \(R12\.7\)\. "
        r"Delete the column strength, or call it establishment\.$"
    )
    with pytest.raises(CommandError, match=message):
        call_command("check_scenario", str(tmp_path))
    with pytest.raises(ScenarioError, match=message):
        create_campaign(slug="old", title="Old", scenario=tmp_path)


@pytest.mark.parametrize("number", ["0", "201", "-5"])
def test_an_establishment_that_is_none_is_refused(number: str) -> None:
    with pytest.raises(ScenarioError, match="establishment 1 to 200") as error:
        read_scenario(with_column("establishment", [number, "100"]))
    assert (error.value.file, error.value.line) == ("units.csv", 2)
