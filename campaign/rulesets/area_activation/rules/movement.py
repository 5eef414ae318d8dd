"""R15 to R24, R33: where units may go."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from campaign.engine.values.ids import PlaceId
from campaign.rulesets.area_activation.model.game_data import ALLIED, GERMAN, Kind, Nation, Terrain
from campaign.rulesets.area_activation.model.state import Unit, is_surprise
from campaign.rulesets.area_activation.model.words import list_of
from campaign.rulesets.area_activation.rules.situation import Situation

MOST_STEPS = 2
"""R15 Of armored and mechanized units, by road."""
STRATEGIC_STEPS = 3
"""R19"""


@dataclass(frozen=True)
class Obstacle:
    """Why a unit cannot go on."""

    why: str
    rule: str
    before: PlaceId | None = None
    """The space that it cannot enter; None: it cannot move at all."""
    passing: bool = False
    """It may be gone when the unit's turn comes."""


@dataclass(frozen=True)
class Walk:
    """How far a way leads."""

    entered: tuple[PlaceId, ...]
    obstacle: Obstacle | None = None


def still(situation: Situation, unit: Unit) -> Obstacle | None:
    """R10, R11, R12, R35 Why a unit cannot move at all today, or in these turns; None: it can."""
    card, open_ = situation.card(unit), situation.open
    if unit.acted:
        return Obstacle("it has acted already", "R10")
    if unit.stuck:
        return Obstacle("it is out of supply or short of fuel", "R35")
    if card.side == GERMAN and is_surprise(open_) and card.kind is not Kind.INFANTRY:
        return Obstacle("only German infantry moves in the surprise turns", "R11")
    if card.side == ALLIED and is_first_day(situation) and card.kind is Kind.INFANTRY:
        return Obstacle("Allied infantry does not move on the first day", "R12")
    return None


def is_first_day(situation: Situation) -> bool:
    """R12 Whether the German surprise still lasts."""
    return situation.open.date <= situation.game_data.attackers_bonus


def walk(situation: Situation, unit: Unit, path: Sequence[PlaceId], *, strategic: bool = False) -> Walk:
    """R15, R19 The part of a path that a unit can follow."""
    why = still(situation, unit) or (_no_strategic(situation, unit, len(path)) if strategic else None)
    if why is not None:
        return Walk((), why)
    entered: list[PlaceId] = []
    for place in path:
        at = entered[-1] if entered else unit.at
        obstacle = (
            _strategic_step(situation, unit, at, place)
            if strategic
            else _step(situation, unit, at, place, done=len(entered), by_road=_all_roads(situation, unit.at, entered))
        )
        if obstacle is not None:
            return Walk(tuple(entered), obstacle)
        entered.append(place)
    return _with_room(situation, unit, tuple(entered))


def ways(situation: Situation, unit: Unit) -> Iterator[tuple[tuple[PlaceId, ...], bool]]:
    """Every path that a unit can follow to its end, with whether it is a strategic move: short ones first."""
    if still(situation, unit) is not None:
        return
    near = situation.game_data.board.neighbours
    ones = [(place,) for place in near(unit.at)]
    twos = [(first, second) for (first,) in ones for second in near(first) if second != unit.at]
    for path in [*ones, *twos]:
        if walk(situation, unit, path).obstacle is None:
            yield path, False
    yield from ((path, True) for path in _strategic_ways(situation, unit))


def _strategic_ways(situation: Situation, unit: Unit) -> Iterator[tuple[PlaceId, ...]]:
    """R19 The shortest strategic move to each space that no shorter one reaches."""
    if _no_strategic(situation, unit, STRATEGIC_STEPS) is not None:
        return
    paths: list[tuple[PlaceId, ...]] = [()]
    found = {unit.at}
    for _ in range(STRATEGIC_STEPS):
        further = []
        for path in paths:
            at = path[-1] if path else unit.at
            for place in situation.game_data.board.neighbours(at):
                if place not in found and _strategic_step(situation, unit, at, place) is None:
                    found.add(place)
                    further.append((*path, place))
        paths = further
        yield from (path for path in paths if walk(situation, unit, path, strategic=True).obstacle is None)


def _all_roads(situation: Situation, start: PlaceId, entered: Sequence[PlaceId]) -> bool:
    steps = zip((start, *entered), entered, strict=False)
    return all(situation.game_data.borders[step].road for step in steps)


def _step(
    situation: Situation, unit: Unit, at: PlaceId, place: PlaceId, *, done: int, by_road: bool
) -> Obstacle | None:
    """R15 to R17, R20 to R23 Why a unit cannot go from a space to the next; None: it can."""
    crossing = situation.game_data.borders.get((at, place))
    if crossing is None:
        return Obstacle("it does not adjoin", "R15", place)
    if done and situation.card(unit).kind is Kind.INFANTRY:
        return Obstacle("infantry moves one space", "R15", place)
    if done == MOST_STEPS:
        return Obstacle("a unit moves two spaces at most", "R15", place)
    if done and not (by_road and crossing.road):
        return Obstacle("the second space is reached by roads only", "R15", place)
    if done and (situation.is_contested(at) or at in situation.held_by_enemy):
        return Obstacle("a unit stops where the enemy is", "R16", place, passing=True)
    if not done and situation.is_contested(at) and not situation.is_safe(place):
        return Obstacle(
            "from a contested space the first step leads to a space of your own that is not", "R17", place, passing=True
        )
    if done and crossing.river and _holds_bridge(situation, place):
        return Obstacle("the enemy alone is there, so that its bridge is no road", "R22", place, passing=True)
    return _barred(situation, unit, at, place)


def _holds_bridge(situation: Situation, place: PlaceId) -> bool:
    """R22"""
    return place in situation.held_by_enemy and not situation.own_in(place)


def _barred(situation: Situation, unit: Unit, at: PlaceId, place: PlaceId) -> Obstacle | None:
    """R21, R23 What a river border forbids, to breakthroughs too."""
    crossing = situation.game_data.borders[at, place]
    if crossing.river and (at, place) in situation.crossed and place in situation.held_by_enemy:
        return Obstacle(
            "a unit has already crossed that river border to the enemy in this turn", "R21", place, passing=True
        )
    free = situation.open.british_free or situation.open.date >= situation.game_data.british_free
    if crossing.great and situation.card(unit).nation is Nation.BRITISH and not free:
        return Obstacle("British units do not cross the Meuse yet", "R23", place, passing=True)
    return None


def _with_room(situation: Situation, unit: Unit, entered: tuple[PlaceId, ...]) -> Walk:
    """R18 The way, unless there is no room at its end."""
    if entered and entered[-1] != unit.at and not situation.has_room(entered[-1]):
        return Walk((), Obstacle("three of your units are there", "R18", entered[-1], passing=True))
    return Walk(entered)


# --- strategic moves, exit, breakthrough -----------------------------------------------------------------------------


def _no_strategic(situation: Situation, unit: Unit, steps: int) -> Obstacle | None:
    """R12, R19 Why a unit has no strategic move of this length; None: it has."""
    card, open_ = situation.card(unit), situation.open
    if steps > STRATEGIC_STEPS or (steps < STRATEGIC_STEPS and not open_.options.short_strategic):
        return Obstacle("a strategic move has three spaces", "R19")
    if card.side == ALLIED:
        return None
    if card.kind is Kind.INFANTRY:
        return Obstacle("German infantry makes no strategic moves", "R19")
    if is_surprise(open_) or not situation.game_data.days[open_.date].german_strategic:
        return Obstacle("German units make no strategic moves today", "R19")
    return None


def _strategic_step(situation: Situation, unit: Unit, at: PlaceId, place: PlaceId) -> Obstacle | None:
    """R19 By road, from and to spaces that the side controls alone."""
    crossing = situation.game_data.borders.get((at, place))
    if crossing is None or not crossing.road:
        return Obstacle("a strategic move follows roads", "R19", place)
    unsafe = next((each for each in (at, place) if not situation.is_safe(each)), None)
    if unsafe is not None:
        return Obstacle(
            "a strategic move stays in spaces that your side controls, without enemies", "R19", unsafe, passing=True
        )
    return _barred(situation, unit, at, place)


def no_exit(situation: Situation, unit: Unit) -> Obstacle | None:
    """R24 Why a unit cannot leave the map; None: it can."""
    why = still(situation, unit)
    could = situation.side == GERMAN and situation.space(unit.at).is_exit
    if not could or not situation.is_safe(unit.at):
        why = why or Obstacle(
            "German units leave from spaces of exit that they control, without enemies", "R24", passing=could
        )
    return why


def no_breakthrough(situation: Situation, unit: Unit, place: PlaceId) -> Obstacle | None:
    """R33 Why a unit that has won cannot break through to a space; None: it can."""
    crossing = situation.game_data.borders.get((unit.at, place))
    if situation.card(unit).kind is not Kind.ARMOR:
        return Obstacle("only armor breaks through", "R33", place)
    if crossing is None:
        return Obstacle("it does not adjoin", "R33", place)
    if situation.space(place).terrain is Terrain.FOREST:
        if not crossing.road:
            return Obstacle("armor breaks through into forest along roads only", "R33", place)
        if crossing.river and _holds_bridge(situation, place):
            return Obstacle("the enemy alone is there, so that its bridge is no road", "R22", place, passing=True)
    if crossing.river and (unit.at, place) in situation.crossed:
        return Obstacle("a unit has already crossed that river border", "R33", place)
    if situation.open.options.breakthrough_limit and not situation.has_room(place):
        return Obstacle("three of your units are there", "R33", place, passing=True)
    return _barred(situation, unit, unit.at, place)


def shelters_of(situation: Situation, place: PlaceId) -> tuple[PlaceId, ...]:
    """R32 Where units that retreat from a space may go, without regard to room."""
    return tuple(near for near in situation.game_data.board.neighbours(place) if situation.is_safe(near))


def described(situation: Situation, obstacle: Obstacle) -> str:
    """An obstacle in words."""
    name = f"{situation.space(obstacle.before).name}: " if obstacle.before else ""
    return f"{name}{obstacle.why}"


def path_in_words(situation: Situation, path: Sequence[PlaceId]) -> str:
    """A path as a list of names."""
    return list_of([situation.space(place).name for place in path], last="then")
