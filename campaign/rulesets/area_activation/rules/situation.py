"""A position as somebody knows it: the rules work on it, whether it is what a side sees or the whole truth."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from campaign.engine.values.ids import PlaceId, SideId, UnitId
from campaign.rulesets.area_activation.model.game_data import Border, Card, GameData, Space, enemy_of
from campaign.rulesets.area_activation.model.options import Fog
from campaign.rulesets.area_activation.model.state import MOST_IN_A_SPACE, Open, State, Unit


@dataclass(frozen=True)
class Situation:
    """What a side has, and what it sees of the enemy."""

    game_data: GameData
    open: Open
    side: SideId
    own: Mapping[UnitId, Unit]
    enemies: tuple[Unit, ...]
    crossed: tuple[Border, ...]

    def card(self, unit: Unit) -> Card:
        return self.game_data.cards[unit.id]

    def space(self, place: PlaceId) -> Space:
        return self.game_data.spaces[place]

    def own_in(self, place: PlaceId) -> tuple[Unit, ...]:
        return tuple(unit for unit in self.own.values() if unit.at == place)

    def enemies_in(self, place: PlaceId) -> tuple[Unit, ...]:
        return tuple(unit for unit in self.enemies if unit.at == place)

    @cached_property
    def held_by_enemy(self) -> frozenset[PlaceId]:
        """Spaces with enemy units."""
        return frozenset(unit.at for unit in self.enemies)

    @cached_property
    def crowd(self) -> Mapping[PlaceId, int]:
        """R18 How many own units each space has."""
        return Counter(unit.at for unit in self.own.values())

    def room_in(self, place: PlaceId) -> int:
        """R18 How many more units may end their move there."""
        return MOST_IN_A_SPACE - self.crowd.get(place, 0)

    def has_room(self, place: PlaceId) -> bool:
        """R18 Whether one unit more may end its move there."""
        return self.room_in(place) > 0

    def is_ours(self, place: PlaceId) -> bool:
        """R13"""
        return self.open.control[place] == self.side

    def is_contested(self, place: PlaceId) -> bool:
        """R13"""
        return place in self.open.contested

    def is_safe(self, place: PlaceId) -> bool:
        """R17, R19, R32 Whether the side controls a space alone."""
        return self.is_ours(place) and not self.is_contested(place)


def as_known(game_data: GameData, known: State, side: SideId) -> Situation:
    """The position as a side's own state tells it."""
    own = known.own[side]
    return Situation(game_data, known.open, side, own.units, own.seen, own.crossed)


def as_true(game_data: GameData, state: State, side: SideId) -> Situation:
    """The position as it is."""
    own, enemy = state.own[side], state.own[enemy_of(side)]
    return Situation(game_data, state.open, side, own.units, tuple(enemy.units.values()), own.crossed)


def as_seen(game_data: GameData, state: State, side: SideId) -> Situation:
    """R45 The position as a side sees it at this moment, from the truth."""
    own = state.own[side]
    return Situation(game_data, state.open, side, own.units, picture(game_data, state, side), own.crossed)


def picture(game_data: GameData, state: State, side: SideId) -> tuple[Unit, ...]:
    """R45 The enemy units in sight of a side, in the order of their ids."""
    units = [unit for _, unit in sorted(state.own[enemy_of(side)].units.items())]
    if state.open.options.fog is Fog.OFF:
        return tuple(units)
    seen = watched(game_data, state, side)
    return tuple(unit for unit in units if unit.at in seen)


def watched(game_data: GameData, state: State, side: SideId) -> frozenset[PlaceId]:
    """R45 The spaces into which a side sees: those of its units, those it controls, and all that adjoin them."""
    if state.open.options.fog is Fog.OFF:
        return frozenset(game_data.spaces)
    held = {unit.at for unit in state.own[side].units.values()}
    held |= {place for place, holder in state.open.control.items() if holder == side}
    return frozenset(held.union(*(game_data.board.adjoining[place] for place in held)))
