"""Scenarios share charts: each says in its tables.toml what differs and why, and a campaign keeps all of it."""

from pathlib import Path

import pytest

from campaign.engine.errors import ScenarioError
from campaign.engine.values.value import replace
from campaign.game import loading
from campaign.game.beginning import first_state
from campaign.game.loading import find_scenario, load_scenario, read_files, scenario_files, supplied_scenarios
from campaign.game.simulation import play_phases
from campaign.rulesets.forum_campaign.model.game_data import ALLIED, GERMAN, Charts
from campaign.rulesets.forum_campaign.model.options import Parity

NAMES = ("forum_campaign/ardennes-1944", "forum_campaign/st-vith-1944")
LARGE, SMALL = (scenario_files(find_scenario(name)) for name in NAMES)
SHARED = "charts/ardennes.toml"
HEAD = 'charts = "ardennes"\n'
PLAYERS = {GERMAN: "all-round", ALLIED: "all-round"}


def charts_of(files: dict[str, str]) -> Charts:
    charts: Charts = read_files(files).scenario.game_data.charts
    return charts


def with_tables(text: str) -> dict[str, str]:
    return {**LARGE, "tables.toml": text}


def whole(files: dict[str, str]) -> dict[str, str]:
    """The files as older releases have them: the scenario shares no charts, and has all tables itself."""
    others = {name: text for name, text in files.items() if name != SHARED}
    return {**others, "scenario.toml": files["scenario.toml"].replace(HEAD, ""), "tables.toml": LARGE[SHARED]}


# --- what the supplied scenarios share --------------------------------------------------------------------------------


def test_the_small_scenario_plays_by_the_charts_of_the_large_one_but_for_days_fuel_and_paratroops() -> None:
    large, small = charts_of(LARGE), charts_of(SMALL)
    assert small.weather == {day: bands for day, bands in large.weather.items() if day in small.weather}
    assert len(small.weather) == 4
    fuel = replace(small.fuel, start=large.fuel.start, income=large.fuel.income)
    assert small.commandos.last_day == large.commandos.last_day
    assert replace(small, weather=large.weather, fuel=fuel, commandos=large.commandos) == large


def test_the_shared_charts_are_used_by_every_supplied_scenario_of_their_ruleset() -> None:
    folders = [folder for folder in supplied_scenarios() if folder.parent.name == "forum_campaign"]
    assert [SHARED in scenario_files(folder) for folder in folders] == [True, True]


# --- a campaign keeps them --------------------------------------------------------------------------------------------


def test_a_campaign_has_all_that_it_needs_in_its_own_files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Once its files are read, what lies on the disk does not matter."""
    before = charts_of(SMALL)
    monkeypatch.setattr(loading, "SCENARIOS", tmp_path)
    assert charts_of(SMALL) == before


def test_a_scenario_with_all_tables_of_its_own_is_read_as_before() -> None:
    assert charts_of(whole(LARGE)).resolver == charts_of(LARGE).resolver
    assert charts_of(whole(LARGE)).fuel == charts_of(LARGE).fuel
    assert charts_of(whole(SMALL)).fuel == charts_of(LARGE).fuel


def test_tables_of_its_own_need_every_day() -> None:
    files = whole(LARGE)
    files["tables.toml"] = files["tables.toml"].replace("date = 1944-12-20", "date = 1945-12-20")
    with pytest.raises(ScenarioError, match="1944-12-20 has no weather tables"):
        read_files(files)


def test_a_scenario_anywhere_may_name_supplied_charts(tmp_path: Path) -> None:
    for name, text in SMALL.items():
        if name != SHARED:
            (tmp_path / name).write_text(text, encoding="utf-8")
    assert scenario_files(tmp_path)[SHARED] == LARGE[SHARED]
    assert load_scenario(tmp_path).scenario.game_data.charts == charts_of(SMALL)


# --- what differs, and why --------------------------------------------------------------------------------------------


def test_a_difference_with_a_reason_changes_that_number_alone() -> None:
    text = '[movement.terrain.clear]\nstorm = 3\n[reasons]\nmovement.terrain.clear.storm = "The fields are deep."\n'
    now, before = charts_of(with_tables(text)), charts_of(with_tables(""))
    assert [line.storm for kind, line in now.movement.terrain.items() if line != before.movement.terrain[kind]] == [3]
    assert replace(now, movement=before.movement) == before


REASON = '[reasons]\nfuel.start = "Because."\n'


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("[fuel]\nstart = 2\n", 2, "fuel.start differs from the shared charts, and no reason is given. Say why in one"),
        ("[fuel]\nstart = 2\n[reasons]\nfuel.start = ' '\n", 2, "fuel.start differs from the shared charts, and no"),
        (f"[fuel]\nstart = 20\n{REASON}", 2, "fuel.start is the same in the shared charts. Delete it, and its reason."),
        (f"[sight]\ntype = 3\n{REASON}", 2, "sight.type is the same in the shared charts."),
        (f"# nothing\n{REASON}", 2, "reasons.fuel.start: the file does not change fuel.start. Delete the reason."),
        (f"[fuel]\nbegin = 2\n{REASON}", 2, "fuel.begin: contains unknown field 'begin'. Remove the field"),
        (f"[fuel.start]\nfirst = 2\n{REASON}", 1, "fuel.start: Expected 'int', got 'object'."),
        (f"fuel = 2\n{REASON}", 1, "fuel: Expected 'object', got 'int'."),
        ("[purchases]\nware = []\n[reasons]\npurchases = 'All.'", 2, "purchases.ware differs from the shared charts"),
        ("[air]\ndie = 0\n[reasons]\nair.die = 'Fog.'", 2, "air.die: Expected 'int' >= 1."),
        ("[resolver]\nodds = []\n[reasons]\nresolver.odds = 'None.'", 2, "the odds of the resolver must begin at 0"),
    ],
)
def test_what_is_wrong_with_a_difference_is_named(text: str, line: int, said: str) -> None:
    with pytest.raises(ScenarioError) as refused:
        read_files(with_tables(text))
    assert str(refused.value).startswith(f"tables.toml, line {line}: {said}")


@pytest.mark.parametrize("name", ["alps", "../forum_campaign/charts/ardennes", "ardennes.toml", "*"])
def test_charts_that_do_not_exist_are_named(tmp_path: Path, name: str) -> None:
    for file, text in LARGE.items():
        if file != SHARED:
            (tmp_path / file).write_text(text.replace(HEAD, f'charts = "{name}"\n'), encoding="utf-8")
    with pytest.raises(ScenarioError, match="there are no charts") as refused:
        load_scenario(tmp_path)
    assert refused.value.file == "scenario.toml"
    assert LARGE["scenario.toml"].splitlines()[refused.value.line - 1] == HEAD.strip()


# --- what they are made for -------------------------------------------------------------------------------------------


def answered(option: str) -> dict[str, str]:
    """The large scenario with an answer of its own."""
    return with_tables(
        f'{LARGE["tables.toml"]}options.{option.partition(" ")[0]} = "Because."\n\n[options]\n{option}\n'
    )


def test_a_campaign_has_the_answers_that_its_scenario_is_made_for_unless_its_founder_chooses_others() -> None:
    loaded = read_files(answered('parity = "raw"'))
    assert loaded.scenario.options["parity"] == loaded.open.scenario.options["parity"] == "raw"
    assert first_state(loaded, {}).open.options.parity is Parity.RAW
    assert first_state(loaded, {"parity": "even_first"}).open.options.parity is Parity.EVEN_FIRST
    before = next(play_phases(loaded, seed=1, players=PLAYERS)).before
    assert before.open.options.parity is Parity.RAW


@pytest.mark.parametrize(
    ("option", "refused"),
    [
        ('parity = "odd"', "parity must be one of even_first, raw, not 'odd'"),
        ('sunshine = "yes"', "there is no option 'sunshine'"),
    ],
)
def test_an_answer_that_is_not_offered_is_refused_where_it_stands(option: str, refused: str) -> None:
    files = answered(option)
    with pytest.raises(ScenarioError) as error:
        read_files(files)
    line = files["tables.toml"].splitlines().index(option) + 1
    assert str(error.value).startswith(f"tables.toml, line {line}: options: {refused}")
    assert error.value.cure == "Correct it, or delete the line."


def test_the_supplied_scenarios_of_a_ruleset_are_made_for_the_same_answers() -> None:
    """The form for a new campaign asks each question once for all of them."""
    made_for = {tuple(read_files(files).scenario.options.items()) for files in (LARGE, SMALL)}
    assert len(made_for) == 1
