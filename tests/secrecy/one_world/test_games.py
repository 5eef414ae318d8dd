"""Every ruleset is looked through for leaks: what its record in `games` must have."""

from collections.abc import Iterator
from random import Random

import pytest

from campaign.engine.adjudication import asked
from campaign.engine.values.ids import Audience, SideId
from campaign.game.loading import scenario_files
from tests.laws.games import RULES, load
from tests.secrecy.games import GAMES
from tests.secrecy.games.forum_campaign.late import cut_off_unseen
from tests.secrecy.games.game import ANYWHERE, EDGE, PATH, Game, Opening, Position

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)


def test_every_ruleset_is_looked_through() -> None:
    assert {rules.key for rules in RULES} == set(GAMES)


def test_openings_have_names_of_their_own() -> None:
    names = [opening.name for game in GAMES.values() for opening in game.openings]
    assert len(set(names)) == len(names)


@every_game
def test_units_that_nobody_sees_are_put_wherever_they_matter(game: Game) -> None:
    placed = set()
    for position, side in _positions(game):
        unit = game.another(position, side, Random(1))
        ways = [way for _, way in game.ways(position.loaded, position.state, game.others(side)[0], Random(1))]
        for kind, places in game.places.items():
            if any(game.has_room(position, side, unit, place) for place in places(position, side, ways)):
                placed.add(kind)
    assert {EDGE, ANYWHERE} <= placed
    assert set(game.places) - placed <= {PATH}, "no path before the first phase in which somebody moves"


@every_game
def test_what_is_hidden_is_another_sides_and_changes_without_a_trace_for_the_observer(game: Game) -> None:
    for position, side in _positions(game):
        known = position.state.open, position.state.own.get(position.observer)
        assert {unit.id for unit in game.hidden(position, side)} <= set(position.units(side))
        before = position.state.own[side]
        game.hand(position, side, Random(2))
        game.renamed(position, side, Random(3))
        game.arrivals(position, side, Random(4))
        for unit in game.hidden(position, side):
            position.put(side, game.described(unit, Random(5)))
        assert position.state.own[side] != before
        assert (position.state.open, position.state.own.get(position.observer)) == known


@every_game
def test_the_files_of_a_scenario_hide_a_sides_set_up_and_are_read_all_the_same(game: Game) -> None:
    files = scenario_files(game.scenario)
    for side in game.sides:
        changed = dict(game.set_up(files, [side], Random(1)))
        read = game.rules.read_scenario(changed)
        others = [other for other in game.sides if other != side]
        assert all(set(game.listed(changed, other)) == set(game.listed(files, other)) for other in others)
        assert not {name for name in game.listed(changed, side) if name in game.listed(files, side)} - _ids(files, game)
        assert game.rules.base_map(read.game_data) == game.rules.base_map(game.rules.read_scenario(files).game_data)


def _late() -> list[Opening]:
    return [opening for game in GAMES.values() for opening in game.openings if opening.first_state]


@pytest.mark.parametrize("opening", _late(), ids=lambda opening: opening.name)
def test_campaigns_that_begin_in_the_middle_wait_for_nobody_and_say_what_they_are_for(opening: Opening) -> None:
    """`python -m tests.secrecy --build` fails if none of their phases has it."""
    assert opening.first_state is not None
    loaded = load(opening.scenario)
    state, start = opening.first_state(loaded), loaded.scenario.start
    assert not asked(loaded.rules, state)
    assert state.open.date > start.open.date
    assert opening.has


@pytest.mark.parametrize("name", ["late", "late-large"])
def test_late_campaigns_begin_with_units_cut_off_by_enemies_that_their_side_does_not_see(name: str) -> None:
    (opening,) = (opening for opening in _late() if opening.name == name)
    assert opening.first_state is not None
    loaded = load(opening.scenario)
    state, game = opening.first_state(loaded), GAMES[loaded.rules.key]
    positions = [Position(game, loaded, state, Audience(side)) for side in game.sides]
    assert any(map(cut_off_unseen, positions))
    early = [Position(game, loaded, loaded.scenario.start, Audience(side)) for side in game.sides]
    assert not any(map(cut_off_unseen, early))


def _ids(files: dict[str, str], game: Game) -> set[str]:
    start = game.rules.read_scenario(files).start
    return {str(unit) for own in start.own.values() for unit in getattr(own, game.units_are)}


def _positions(game: Game) -> Iterator[tuple[Position, SideId]]:
    """The first position of its first campaign, as each side and the public see it, with a foreign side."""
    first = game.openings[0].first_state
    for observer in game.observers:
        loaded = load(game.scenario)
        state = first(loaded) if first else loaded.scenario.start
        for side in game.sides:
            if str(side) != observer:
                yield Position(game, loaded, state, observer), side
