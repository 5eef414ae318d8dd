"""The plots that rulesets declare, of games that bots play."""

import re
from functools import cache
from itertools import groupby, islice
from pathlib import Path
from typing import Any

import pytest

from campaign.engine.display.plots import Plot
from campaign.engine.ruleset import Ruleset
from campaign.engine.statistics import Course, Day, plots
from campaign.game.loading import find_scenario
from campaign.game.simulation import play_phases, simulation_of
from campaign.maps.plots import svg_plot
from tests.laws.games import RULES, load, scenarios

PHASES = 12


@cache
def plots_of(folder: Path) -> dict[str, Plot]:
    """The plots of a game's first phases, by key; the first of them is its start."""
    loaded = load(folder)
    rules, bot = loaded.rules, next(iter(simulation_of(loaded).bots))
    start, *others = islice(play_phases(loaded, seed=1, players=dict.fromkeys(rules.sides, bot)), PHASES)
    days = []
    for moment, of_day in groupby(others, key=lambda phase: rules.moment(phase.before)):
        results = [phase.resolution for phase in of_day]
        facts = tuple(event.fact for result in results for event in result.events)
        days.append(Day(moment, results[-1].state, facts))
    course = Course(start.resolution.state, tuple(days), so_far=True)
    return {plot.key: plot for plot in plots(rules.statistics, rules.sides, loaded.scenario.game_data, course)}


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.key)
def test_what_is_declared_is_complete(rules: Ruleset[Any, Any]) -> None:
    assert rules.statistics
    assert len({each.key for each in rules.statistics}) == len(rules.statistics)
    for each in rules.statistics:
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", each.key)
        assert each.text.endswith(".")
        assert {side for _, side in each.curves} <= {*rules.sides, None}
        assert len({title for title, _ in each.curves}) == len(each.curves) <= 4, "a reader can tell four lines apart"


@pytest.mark.parametrize("folder", scenarios(), ids=lambda folder: folder.name)
def test_each_plot_has_a_figure_for_each_day(folder: Path) -> None:
    found = plots_of(folder)
    assert list(found) == [each.key for each in load(folder).rules.statistics]
    for plot in found.values():
        assert len(plot.moments) >= 1
        assert {len(curve.figures) for curve in plot.curves} == {len(plot.moments)}
        assert plot.labels[-1].endswith(", so far")
        assert svg_plot(plot) == svg_plot(plot)


@pytest.mark.parametrize("name", ["ardennes-1944", "st-vith-1944"])
def test_figures_of_the_forum_campaign_add_up(name: str) -> None:
    folder = find_scenario(f"forum_campaign/{name}")
    found = {key: [curve.figures for curve in plot.curves] for key, plot in plots_of(folder).items()}
    hexes = load(folder).scenario.game_data.hexes.values()
    assert {sum(day) for day in zip(*found["points"], strict=True)} == {sum(hex_.victory_points for hex_ in hexes)}
    assert len({sum(day) for day in zip(*found["depots"], strict=True)}) == 1, "no depot appears or vanishes"
    attacks, wins = (list(map(sum, zip(*found[key], strict=True))) for key in ("battles", "victories"))
    assert attacks == wins, "each battle has one winner"
    assert sum(attacks) > 0
    assert all(first == 0 for first, *_ in (*found["units-lost"], *found["ground"], *found["advance"]))
    assert all(sorted(lost) == list(lost) for lost in found["units-lost"]), "who is lost stays lost"
    assert min(map(min, found["strength"])) > 0
