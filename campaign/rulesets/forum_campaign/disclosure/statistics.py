"""The plots of a campaign: points, ground, strength, losses, fuel, supply and battles by day."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from campaign.engine.display.plots import Shape
from campaign.engine.statistics import Day, Statistic
from campaign.engine.values.ids import PlaceId, SideId, UnitId
from campaign.rulesets.forum_campaign.day.front import german_held
from campaign.rulesets.forum_campaign.day.victory import victory_points
from campaign.rulesets.forum_campaign.measures import lost, unsupplied
from campaign.rulesets.forum_campaign.model.facts.battle import Absorbed, BattleFought, Destroyed, Weakened
from campaign.rulesets.forum_campaign.model.facts.day import DepotCaptured, FuelSpent
from campaign.rulesets.forum_campaign.model.game_data import ALLIED, GERMAN, SIDES, GameData, enemy_of
from campaign.rulesets.forum_campaign.model.state import DepotStatus, Own, State, Unit, Winner, on_map
from campaign.rulesets.forum_campaign.model.words import PEOPLES

Today = Day[State]
_BY_SIDE = tuple((PEOPLES[side], side) for side in SIDES)


def _points(game_data: GameData, day: Today) -> Iterable[int]:
    points = victory_points(game_data, day.state.open.control)
    return (points[side] for side in SIDES)


def _of_own(figure: Callable[[Own], int]) -> Callable[[GameData, Today], Iterable[int]]:
    """The same figure of what each side has."""
    return lambda _, day: (figure(day.state.own[side]) for side in SIDES)


# --- ground -----------------------------------------------------------------------------------------------------------


def _ground_taken(game_data: GameData, day: Today) -> tuple[int, int]:
    """Hexes behind each side's front that the other held when the scenario began."""
    before, now = _at_start(game_data, GERMAN), german_held(game_data, day.state)
    return len(now - before), len(before - now)


def _farthest(game_data: GameData, day: Today) -> Iterator[int]:
    return (_depth(game_data, side, (at for _, at in on_map(day.state.own[side]))) for side in SIDES)


def _depth(game_data: GameData, side: SideId, places: Iterable[PlaceId]) -> int:
    """The most hexes from the ground on which a side began to any of these places."""
    reached = ring = _at_start(game_data, side)
    left, depth = set(places) - reached, 0
    while left and ring:
        ring = {near for place in ring for near in game_data.board.neighbours(place)} - reached
        reached, left, depth = reached | ring, left - ring, depth + 1
    return depth


def _at_start(game_data: GameData, side: SideId) -> set[PlaceId]:
    return {place for place, hex_ in game_data.hexes.items() if hex_.control == side}


# --- strength and losses ----------------------------------------------------------------------------------------------


def _strength(own: Own) -> int:
    """R12.7, R12.11 The headcount on the map, in percent of one full formation."""
    return sum(_worth(unit, unit.strength) for unit, _ in on_map(own)) // 100


def _strength_lost(_: GameData, day: Today) -> Iterator[int]:
    return (sum(_losses(day, side)) // 100 for side in SIDES)


def _losses(day: Today, side: SideId) -> Iterator[int]:
    """R12.5, R12.7, R12.10 What battles cost a side, in hundredths of a percent of a full formation.

    A destroyed unit loses what it still had, but for what another one absorbs.
    """
    own = day.state.own[side]
    for fact in day.facts:
        match fact:
            case Weakened(side=owner, unit=unit, lost=headcount) if owner == side:
                yield _worth(_found(own, unit), headcount)
            case Destroyed(side=owner, unit=unit) if owner == side:
                gone = _found(own, unit)
                yield _worth(gone, gone.strength)
            case Absorbed(side=owner, unit=unit, gained=gained) if owner == side:
                yield -_worth(_found(own, unit), gained)


def _found(own: Own, unit: UnitId) -> Unit:
    return next(units[unit] for units in (own.lost, own.units) if unit in units)


def _worth(unit: Unit, headcount: int) -> int:
    return headcount * unit.establishment


# --- fuel -------------------------------------------------------------------------------------------------------------


def _fuel_flow(_: GameData, day: Today) -> tuple[int, int]:
    """R9.2, R10.4 The fuel that the Germans used in a day, and that they captured."""
    used = sum(fact.points for fact in day.facts if isinstance(fact, FuelSpent))
    return used, sum(fact.value for fact in day.facts if isinstance(fact, DepotCaptured))


def _depots(_: GameData, day: Today) -> Iterator[int]:
    found = list(day.state.open.depots.values())
    return (found.count(status) for status in (DepotStatus.INTACT, DepotStatus.CAPTURED, DepotStatus.DESTROYED))


# --- battles ----------------------------------------------------------------------------------------------------------


def _attacker(fact: BattleFought) -> SideId:
    return fact.attacker


def _winner(fact: BattleFought) -> SideId:
    return fact.attacker if fact.winner is Winner.ATTACKERS else enemy_of(fact.attacker)


def _battles(whose: Callable[[BattleFought], SideId], _: GameData, day: Today) -> Iterator[int]:
    """R12.1 The battles of a day that were a side's."""
    sides = [whose(fact) for fact in day.facts if isinstance(fact, BattleFought)]
    return (sides.count(side) for side in SIDES)


STATISTICS: tuple[Statistic[GameData, State], ...] = (
    Statistic(
        key="points",
        title="Victory points",
        unit="victory points",
        text="What the objectives that each side holds are worth.",
        rule="R15.5",
        shape=Shape.LINES,
        curves=_BY_SIDE,
        figures=_points,
    ),
    Statistic(
        key="ground",
        title="Ground taken",
        unit="hexes",
        text="Hexes behind each side’s front that the other side held at the start of the scenario.",
        shape=Shape.LINES,
        curves=_BY_SIDE,
        figures=_ground_taken,
    ),
    Statistic(
        key="advance",
        title="Farthest advance",
        unit="hexes",
        text="How far the foremost ground unit of each side is from the ground on which its side started.",
        shape=Shape.LINES,
        curves=_BY_SIDE,
        figures=_farthest,
    ),
    Statistic(
        key="battles",
        title="Attacks",
        unit="battles",
        text="Battles that were decided on that day, by the side that attacked.",
        rule="R12.1",
        shape=Shape.BARS,
        curves=_BY_SIDE,
        figures=partial(_battles, _attacker),
    ),
    Statistic(
        key="victories",
        title="Battles won",
        unit="battles",
        text="The same battles, by the side that won.",
        rule="R12.1",
        shape=Shape.BARS,
        curves=_BY_SIDE,
        figures=partial(_battles, _winner),
    ),
    Statistic(
        key="strength",
        title="Strength on the map",
        unit="percent of a full formation",
        text="The headcount of all ground units on the map: 1,000 percent are ten full formations.",
        rule="R12.7",
        shape=Shape.LINES,
        curves=_BY_SIDE,
        figures=_of_own(_strength),
    ),
    Statistic(
        key="losses",
        title="Strength lost",
        unit="percent of a full formation",
        text="What battles cost each side on that day, with all of a destroyed unit that no other unit absorbs.",
        rule="R12.7",
        shape=Shape.BARS,
        curves=_BY_SIDE,
        figures=_strength_lost,
    ),
    Statistic(
        key="units-lost",
        title="Units lost",
        unit="units",
        text="Ground units destroyed since the start.",
        rule="R12.8",
        shape=Shape.LINES,
        curves=_BY_SIDE,
        figures=_of_own(lost),
    ),
    Statistic(
        key="supply",
        title="Units out of supply",
        unit="units",
        text="Ground units on the map with an unsupplied marker.",
        rule="R7.1",
        shape=Shape.LINES,
        curves=_BY_SIDE,
        figures=_of_own(unsupplied),
    ),
    Statistic(
        key="fuel",
        title="Fuel reserve",
        unit="fuel points",
        text="What the Germans have for the day that follows, with the fuel that arrives in its morning.",
        rule="R10.2",
        shape=Shape.LINES,
        curves=((PEOPLES[GERMAN], GERMAN),),
        figures=lambda _, day: (day.state.open.fuel,),
    ),
    Statistic(
        key="fuel-used",
        title="Fuel used and captured",
        unit="fuel points",
        text="What the Germans paid for moves, and what they found in depots.",
        rule="R10.4",
        shape=Shape.BARS,
        curves=(("used", GERMAN), ("captured", GERMAN)),
        figures=_fuel_flow,
    ),
    Statistic(
        key="depots",
        title="Fuel depots",
        unit="depots",
        text="The Allied depots: intact, captured by the Germans, or destroyed.",
        rule="R9.1",
        shape=Shape.LINES,
        curves=(("intact", ALLIED), ("captured", GERMAN), ("destroyed", None)),
        figures=_depots,
    ),
)
"""In the order of the page."""
