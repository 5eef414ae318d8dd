"""Laws of the forum campaign: headcount and tanks, hexes and fuel, over games of random players and of bots."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from campaign.engine.facts import Event, Fact
from campaign.engine.state import with_open, with_own
from campaign.engine.values import value as values
from campaign.engine.values.ids import UnitId
from campaign.game.loading import find_scenario, load_scenario
from campaign.game.simulation import play_phases, simulation_of
from campaign.rulesets.forum_campaign.model.facts.battle import Absorbed, TanksLost, Weakened
from campaign.rulesets.forum_campaign.model.facts.day import DepotCaptured, FuelReceived, FuelSet, FuelSpent, Reinforced
from campaign.rulesets.forum_campaign.model.facts.movement import Detached, Rejoined, StrengthSet
from campaign.rulesets.forum_campaign.model.game_data import ALLIED, GERMAN, Goods
from campaign.rulesets.forum_campaign.model.options import Shortage
from campaign.rulesets.forum_campaign.model.state import State, Unit, on_map
from campaign.rulesets.forum_campaign.model.zoc import occupied_hexes, too_full
from tests.laws.games import answers, play

SCENARIOS = {name: load_scenario(find_scenario(f"forum_campaign/{name}")) for name in ("ardennes-1944", "st-vith-1944")}
_FULL = 100

each_scenario = pytest.mark.parametrize("scenario", sorted(SCENARIOS))
few = settings(max_examples=5)
games = st.integers(0, 10_000)


@dataclass(frozen=True)
class Played:
    """A phase, whoever played it."""

    before: State
    events: tuple[Event[Any], ...]
    after: State


def by_strangers(scenario: str, game: int, stops_: int = 20) -> Iterator[Played]:
    """Random players, who write sense and nonsense; every second game has choices of its own."""
    for phase in play(SCENARIOS[scenario], game, stops_):
        yield Played(phase.before, tuple(phase.resolution.events), phase.resolution.state)


def by_bots(scenario: str, game: int) -> Iterator[Played]:
    """Bots, with all choices but those that need somebody to decide."""
    loaded = SCENARIOS[scenario]
    options = {**answers(loaded.rules, game), **simulation_of(loaded).options}
    bots = list(simulation_of(loaded).bots)
    players = {GERMAN: bots[game % len(bots)], ALLIED: bots[(game + game // len(bots)) % len(bots)]}
    for phase in play_phases(loaded, seed=game, players=players, options=options):
        yield Played(phase.before, tuple(phase.resolution.events), phase.resolution.state)


# --- the laws, each over every sort of game ---------------------------------------------------------------------------


@each_scenario
@few
@given(game=games)
@example(game=33)  # a unit in an enemy zone that costs nothing is ordered into the enemy's hex
def test_the_laws_hold_in_random_play(scenario: str, game: int) -> None:
    for phase in by_strangers(scenario, game):
        assert_all(phase)


@pytest.mark.parametrize("game", range(8))
def test_the_laws_hold_in_the_small_games_of_bots(game: int) -> None:
    for phase in by_bots("st-vith-1944", game):
        assert_all(phase)


@pytest.mark.parametrize("game", range(2))
def test_the_laws_hold_in_the_large_games_of_bots(game: int) -> None:
    for phase in by_bots("ardennes-1944", game):
        assert_all(phase)


def assert_all(phase: Played) -> None:
    assert_everyone_has_a_place(phase.after)
    assert_men_and_tanks_are_accounted_for(phase)
    assert_nobody_has_too_much(phase.after)
    assert_fuel_is_accounted_for(phase)


def assert_everyone_has_a_place(state: State) -> None:
    """R5.5, R5.6 Nobody is in two places, no hex is too full, and no two sides share one."""
    assert not occupied_hexes(state.own[GERMAN]) & occupied_hexes(state.own[ALLIED])
    for own in state.own.values():
        assert not set(own.units) & set(own.lost)
        for place in Counter(place for _, place in on_map(own)):
            assert not too_full(unit for unit in own.units.values() if unit.at == place), place


def assert_nobody_has_too_much(state: State) -> None:
    """R12.7, R14.2 At most the establishment, at home and lent together; nobody survives without a man."""
    units = [unit for own in state.own.values() for unit in own.units.values()]
    parents = {unit.parent for unit in units}
    for unit in units:
        assert 0 < unit.strength <= unit.whole <= _FULL, unit
        assert unit.tanks >= 0 <= unit.heavy_tanks, unit
        assert (unit.lent > 0) == (unit.id in parents), unit


def assert_fuel_is_accounted_for(phase: Played) -> None:
    """R10 The reserve changes by what is disclosed, and is below zero only where a campaign has chosen so."""
    fuel = phase.before.open.fuel
    for event in phase.events:
        match event.fact:
            case FuelReceived(points=points) | DepotCaptured(value=points):
                fuel += points
            case FuelSpent(points=points):
                fuel -= points
            case FuelSet(points=points):
                fuel = points
    assert phase.after.open.fuel == fuel
    assert fuel >= 0 or phase.after.open.options.fuel_shortage is Shortage.DEBT


# --- the muster -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Roll:
    """What a unit has of what can be lost."""

    men: int
    tanks: int
    heavy: int


def assert_men_and_tanks_are_accounted_for(phase: Played) -> None:
    """R12.7, R12.9 They change by facts that say so, by as much as these say, and by nothing else."""
    expected = muster(phase.before)
    for event in phase.events:
        account(expected, event.fact)
    assert muster(phase.after) == expected


def muster(state: State) -> dict[UnitId, Roll]:
    """The living and the dead."""
    return {unit.id: roll(unit) for own in state.own.values() for unit in (*own.units.values(), *own.lost.values())}


def roll(unit: Unit) -> Roll:
    return Roll(unit.strength, unit.tanks + unit.bought.get(Goods.TANKS, 0), unit.heavy_tanks)


def account(rolls: dict[UnitId, Roll], fact: Fact) -> None:
    match fact:
        case Detached(parent=parent, task_force=force):
            rolls[force.id] = roll(force)
            change(rolls, parent, men=-force.strength, tanks=-roll(force).tanks, heavy=-force.heavy_tanks)
        case Rejoined(parent=parent, unit=unit):
            back, rolls[unit] = rolls[unit], Roll(0, 0, 0)
            change(rolls, parent, men=back.men, tanks=back.tanks, heavy=back.heavy)
        case Reinforced(unit=unit, goods=Goods.TANKS, amount=amount):
            change(rolls, unit, tanks=amount)
        case TanksLost(unit=unit, medium=medium, heavy=heavy):
            change(rolls, unit, tanks=-medium, heavy=-heavy)
        case _:
            account_for_men(rolls, fact)


def account_for_men(rolls: dict[UnitId, Roll], fact: Fact) -> None:
    match fact:
        case Weakened(unit=unit, lost=lost, strength=strength):
            change(rolls, unit, men=-lost)
            assert rolls[unit].men == strength
        case StrengthSet(unit=unit, strength=strength):
            rolls[unit] = replace(rolls[unit], men=strength)
        case Absorbed(unit=unit, gained=gained, remains_of=remains):
            assert gained <= rolls[remains].men
            change(rolls, unit, men=gained)
        case Reinforced(unit=unit, goods=Goods.MEN, amount=amount):
            change(rolls, unit, men=amount)


def change(rolls: dict[UnitId, Roll], unit: UnitId, *, men: int = 0, tanks: int = 0, heavy: int = 0) -> None:
    had = rolls[unit]
    rolls[unit] = Roll(had.men + men, had.tanks + tanks, had.heavy + heavy)
    assert min(rolls[unit].men, rolls[unit].tanks, rolls[unit].heavy) >= 0, (unit, had, men, tanks, heavy)


# --- the laws can fail ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("strength", "tanks"), [(-1, 0), (0, 1)])
def test_men_and_tanks_that_no_event_accounts_for_are_found(strength: int, tanks: int) -> None:
    *_, phase = by_bots("st-vith-1944", 0)
    unit = next(unit for unit in phase.after.own[GERMAN].units.values() if unit.strength > 1)
    other = values.replace(unit, strength=unit.strength + strength, tanks=unit.tanks + tanks)
    with pytest.raises(AssertionError):
        assert_men_and_tanks_are_accounted_for(replace(phase, after=_with(phase.after, other)))


def test_a_hex_that_is_too_full_or_held_by_both_is_found() -> None:
    *_, phase = by_bots("st-vith-1944", 0)
    (first, at), (second, _), *_ = on_map(phase.after.own[GERMAN])
    third = next(each for each in on_map(phase.after.own[GERMAN]) if each[0] not in (first, second))[0]
    crowded = _with(_with(phase.after, values.replace(second, at=at)), values.replace(third, at=at))
    shared = _with(phase.after, values.replace(first, at=next(place for _, place in on_map(phase.after.own[ALLIED]))))
    for state in (crowded, shared):
        with pytest.raises(AssertionError):
            assert_everyone_has_a_place(state)


def test_fuel_that_no_event_accounts_for_is_found() -> None:
    *_, phase = by_bots("st-vith-1944", 0)
    with pytest.raises(AssertionError):
        assert_fuel_is_accounted_for(replace(phase, after=with_open(phase.after, fuel=phase.after.open.fuel + 1)))


def _with(state: State, unit: Unit) -> State:
    """With a German unit as it is given."""
    return with_own(state, GERMAN, lambda own: values.replace(own, units={**own.units, unit.id: unit}))
