"""A bot's assessment of its side's state: its units, the enemies in sight and what they may do, and supply."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from campaign.engine.board.paths import reach
from campaign.engine.values.ids import PlaceId, SideId, UnitId
from campaign.engine.values.value import replace
from campaign.rulesets.forum_campaign.bots.assessment.foes import Foe, foes
from campaign.rulesets.forum_campaign.bots.assessment.lines import Lines, lines_of
from campaign.rulesets.forum_campaign.bots.assessment.odds import Outlooks, strength
from campaign.rulesets.forum_campaign.bots.styles import Style
from campaign.rulesets.forum_campaign.model.game_data import ALLIED, GERMAN, GameData, Terrain, enemy_of
from campaign.rulesets.forum_campaign.model.situation import Basis, Situation, as_known
from campaign.rulesets.forum_campaign.model.state import State, Unit, on_map
from campaign.rulesets.forum_campaign.model.zoc import zone
from campaign.rulesets.forum_campaign.movement.reach import Range, reachable
from campaign.rulesets.forum_campaign.movement.walking import attack_allowance

PER_STRENGTH = 0.012
"""Victory points that a point of strength is worth while there is time to use it."""
_TIME_TO_USE = 5
"""Days before the end from which on strength is worth less."""
CUT_OFF = 0.4
"""Victory points that a portion without movement and attacks costs a unit, besides a part of its strength."""
_OF_STRENGTH = 0.4
"""That part."""
_AT_ONCE = 3
"""Enemies that may attack one hex together."""


@dataclass(frozen=True)
class Assessment:
    """The open phase as one side sees it. All of it comes from the side's own state. Worths are in victory points."""

    game_data: GameData
    known: State
    side: SideId
    style: Style
    situation: Situation

    # --- own units ---------------------------------------------------------------------------------------------------

    @cached_property
    def units(self) -> Mapping[UnitId, Unit]:
        """Own ground units by id, on the map or not."""
        return {id_: unit for id_, unit in sorted(self.situation.units.items()) if unit.ground}

    @cached_property
    def strengths(self) -> Mapping[UnitId, int]:
        """R12.11 What each is worth in a battle."""
        return {unit.id: strength(self.game_data, self.side, unit) for unit in self.units.values()}

    @cached_property
    def held(self) -> frozenset[PlaceId]:
        """Where own ground units are."""
        return frozenset(unit.at for unit in self.units.values() if unit.at is not None)

    @cached_property
    def ranges(self) -> Mapping[UnitId, Range]:
        """R4 Where each unit that may move can go; its own hex is included."""
        movers = (unit for unit in self.units.values() if unit.supplied and not unit.scattered)
        return {unit.id: reachable(self.situation, unit) for unit in movers}

    # --- the enemy ---------------------------------------------------------------------------------------------------

    @cached_property
    def foes(self) -> tuple[Foe, ...]:
        return foes(self.game_data, self.known, self.side)

    @cached_property
    def foe_strengths(self) -> Mapping[PlaceId, float]:
        """The supposed strength in each enemy hex."""
        found: dict[PlaceId, float] = {}
        for foe in self.foes:
            found[foe.at] = found.get(foe.at, 0.0) + foe.strength
        return found

    @cached_property
    def free_foes(self) -> tuple[Foe, ...]:
        """Enemies that are in supply as far as the side knows, so that they may move and attack."""
        return tuple(foe for foe in self.foes if self.their_lines.reach(foe.at))

    @cached_property
    def theirs(self) -> Situation:
        """What the enemy's units meet, as far as the side knows."""
        return self.theirs_against(frozenset(place for _, place in on_map(self.known.own[self.side])))

    def theirs_against(self, held: frozenset[PlaceId]) -> Situation:
        """What they meet if own units are in these hexes."""
        around = zone(self.game_data, sorted(held))
        terms = replace(self.situation.terms, enemy=held, zone=around, costly_zone=around, commandos=frozenset())
        return replace(
            self.situation, basis=Basis.KNOWLEDGE, side=enemy_of(self.side), terms=terms, units={}, sightings=()
        )

    @cached_property
    def threats(self) -> Mapping[PlaceId, float]:
        """The strength that may attack each hex in the enemy's next portion."""
        found: dict[PlaceId, list[float]] = {}
        costs, near = self.theirs.terms.costs.through, self.game_data.open_board.adjoining
        for foe in self.free_foes:
            ends = reach(costs, foe.at, budget=attack_allowance(foe.unit)).costs
            for place in frozenset().union(*(near[end] for end in ends)):
                found.setdefault(place, []).append(foe.strength)
        return {place: sum(sorted(all_, reverse=True)[:_AT_ONCE]) for place, all_ in found.items()}

    # --- supply ------------------------------------------------------------------------------------------------------

    @cached_property
    def lines(self) -> Lines:
        """Own supply."""
        return lines_of(self.game_data, self.known, self.side, self.held, self.foe_strengths)

    @cached_property
    def their_lines(self) -> Lines:
        """The enemy's supply, as far as the side knows: own units bar it."""
        return lines_of(self.game_data, self.known, enemy_of(self.side), self.foe_strengths, self.held)

    @cached_property
    def firm(self) -> Lines:
        """Own supply if every enemy that is free to move stood in each hex next to it as well."""
        near = self.game_data.open_board.adjoining
        more = (place for foe in self.free_foes for place in near[foe.at] if place not in self.held)
        return self.lines.with_enemies(*more)

    @cached_property
    def foe_worths(self) -> Mapping[PlaceId, float]:
        """What it is worth to cut off the enemies in each hex for a portion."""
        return self._worths((foe.at, foe.strength) for foe in self.free_foes)

    @cached_property
    def own_worths(self) -> Mapping[PlaceId, float]:
        """What it costs to have the own units in each hex cut off for a portion."""
        return self._worths((unit.at, self.strengths[unit.id]) for unit in self.units.values() if unit.at is not None)

    def _worths(self, units: Iterable[tuple[PlaceId, float]]) -> Mapping[PlaceId, float]:
        found: dict[PlaceId, float] = {}
        for at, strength_ in units:
            found[at] = found.get(at, 0.0) + CUT_OFF + strength_ * self.per_strength * _OF_STRENGTH
        return found

    @cached_property
    def in_reach(self) -> frozenset[PlaceId]:
        """Where any own unit can go."""
        return frozenset().union(*(each.costs for each in self.ranges.values()))

    # --- worths ------------------------------------------------------------------------------------------------------

    @cached_property
    def outlooks(self) -> Outlooks:
        return Outlooks(self.game_data.charts.resolver)

    @cached_property
    def days_left(self) -> int:
        """Days after today."""
        return (self.game_data.last_day - self.known.open.date).days

    @cached_property
    def per_strength(self) -> float:
        """What a point of strength is worth: at the end there is no use for it any more."""
        portions = self.days_left + (0.5 if self.side == GERMAN else 0.0)
        return PER_STRENGTH * min(portions / _TIME_TO_USE, 1.0)

    def cover(self, place: PlaceId, defender: SideId, level: int = 0) -> float:
        """R12.11 By what the ground and a prepared position multiply the strength of a defender."""
        rules, here = self.game_data.charts.resolver, self.game_data.hexes[place]
        percent = rules.terrain.get(here.terrain, 0) + (0, rules.dug_in, rules.entrenched)[level]
        if self.game_data.is_town(place) and here.terrain is not Terrain.CITY:
            percent += rules.town
        if defender == GERMAN and here.fortified:
            percent += rules.fortified
        return 1 + percent / 100

    def is_theirs(self, place: PlaceId) -> bool:
        """R15.5 Whether a hex is an objective that the enemy holds."""
        return self.known.open.control.get(place) == enemy_of(self.side)

    @property
    def burns_depots(self) -> bool:
        """R9.5 Only the Allies may."""
        return self.side == ALLIED

    def is_ours(self, place: PlaceId) -> bool:
        return self.known.open.control.get(place) == self.side


def assess(game_data: GameData, known: State, side: SideId, style: Style) -> Assessment:
    """The assessment of the open phase."""
    return Assessment(game_data, known, side, style, as_known(game_data, known, side))
