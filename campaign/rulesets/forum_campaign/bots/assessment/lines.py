"""R7 Supply lines as a bot weighs them: who is cut off if one more enemy stands somewhere."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from campaign.engine.board.board import Bits, Board
from campaign.engine.values.ids import PlaceId, SideId
from campaign.rulesets.forum_campaign.model.game_data import GameData, enemy_of
from campaign.rulesets.forum_campaign.model.state import DepotStatus, State, on_map


@dataclass(frozen=True)
class Lines:
    """The supply of a side whose enemies stand in certain hexes."""

    game_data: GameData
    side: SideId
    depots: frozenset[PlaceId]
    enemies: frozenset[PlaceId]
    friends: frozenset[PlaceId] = frozenset()
    """The hexes that own units keep open, if the campaign has chosen so (ruling 70)."""
    faded: frozenset[PlaceId] = frozenset()
    """The hexes of enemies whose zones do not count, if the campaign has chosen so (ruling 71)."""

    @cached_property
    def _board(self) -> Board:
        return self.game_data.open_board

    @cached_property
    def _edge(self) -> Bits:
        return self._board.bits(self.game_data.supply_edge[self.side])

    @cached_property
    def _always(self) -> Bits:
        """R7.3 Where units are in supply without lines."""
        return self._edge | self._board.bits(self.depots)

    @cached_property
    def _free(self) -> Bits:
        """R7.2 The hexes on its lines: joined to its edge by free hexes."""
        held = self._board.bits(self.enemies)
        barred = held | self._zone(held & ~self._board.bits(self.faded))
        return self._board.flood(self._edge & ~barred, barred=barred)

    def _zone(self, held: Bits) -> Bits:
        """R7.2 The hexes that enemies there close with their zones."""
        return self._board.around(held) & self._not_kept_open

    @cached_property
    def _not_kept_open(self) -> Bits:
        """R7.2 The hexes that own units do not keep open."""
        return ~self._board.bits(self.friends)

    @cached_property
    def supplied(self) -> Bits:
        """R7.2, R7.3 Where its units are in supply: on and next to its lines, at its edge and at depots."""
        return self._free | self._board.around(self._free) | self._always

    def reach(self, place: PlaceId) -> bool:
        """Whether a unit is in supply there."""
        return self._board.holds(self.supplied, place)

    def with_enemies(self, *places: PlaceId) -> "Lines":
        """The lines with enemies in these hexes too."""
        return replace(self, enemies=self.enemies.union(places))

    def without_enemy(self, place: PlaceId) -> "Lines":
        """The lines if an enemy were gone."""
        return replace(self, enemies=self.enemies - {place})

    def lost(self, other: "Lines", worths: Mapping[PlaceId, float]) -> float:
        """The worth of the units that these lines supply and others do not."""
        return self._worth_in(self.supplied & ~other.supplied, worths)

    def _worth_in(self, bits: Bits, worths: Mapping[PlaceId, float]) -> float:
        bit_of = self._board.bit_of
        return sum([worth for at, worth in worths.items() if bits & bit_of[at]]) if bits else 0.0

    # --- one more enemy ----------------------------------------------------------------------------------------------

    def cut_at(self, place: PlaceId, worths: Mapping[PlaceId, float], there: Bits | None = None) -> float:
        """The worth of the units that one more enemy in this hex would cut off. `there`: where they are, if known."""
        at, around = self._board.bit_of[place], self._board.around
        closed = 0 if place in self.faded else around(at) & self._not_kept_open
        barred = (at | closed) & self._free
        if not barred:
            return 0.0
        left, beside = self._free & ~barred, around(barred)
        ring = beside & left
        if barred & self._edge or not self._stays_in_one(ring, left):
            joined = self._board.flood(self._edge & left, barred=~left, until=ring)
            left = joined if ring & ~joined else left
        elif there is not None and not there & (barred | beside):
            return 0.0
        return self._worth_in(self.supplied & ~(left | around(left) | self._always), worths)

    def _stays_in_one(self, ring: Bits, left: Bits) -> bool:
        """Whether the lines in this ring are joined by others nearby: then nothing within it cuts them in two."""
        near = (ring | self._board.around(ring)) & left
        first = ring & -ring
        return not ring & ~self._board.flood(first, barred=~near, until=ring)

    # --- where to cut ------------------------------------------------------------------------------------------------

    def near_lines_of(self, places: Iterable[PlaceId]) -> frozenset[PlaceId]:
        """The hexes in or next to one supply line of each of these units: from elsewhere nobody alone cuts one off."""
        layers = list(self._layers())
        spine: set[PlaceId] = set()
        for place in places:
            self._trace(place, layers, spine)
        bits = self._board.bits(spine)
        return self._board.places_of(bits | self._board.around(bits))

    def _layers(self) -> Iterator[Bits]:
        """The hexes of the lines by their distance from the edge."""
        left = self._free
        front = self._edge & left
        while front:
            yield front
            left &= ~front
            front = self._board.around(front) & left

    def _trace(self, place: PlaceId, layers: list[Bits], spine: set[PlaceId]) -> None:
        """Follow the shortest line from a place to the edge, as far as no line before has come."""
        near = (place, *self._board.neighbours(place))
        begun = ((depth, at) for depth, layer in enumerate(layers) for at in near if self._board.holds(layer, at))
        depth, at = next(begun, (0, None))
        while at is not None and at not in spine:
            spine.add(at)
            depth -= 1
            onward = self._board.neighbours(at) if depth >= 0 else ()
            at = next((each for each in onward if self._board.holds(layers[depth], each)), None)


def lines_of(
    game_data: GameData, known: State, side: SideId, own: Iterable[PlaceId], enemies: Iterable[PlaceId]
) -> Lines:
    """The supply of a side as far as a player's state tells where its units and its enemies are."""
    depots = (place for place, status in known.open.depots.items() if status is not DepotStatus.DESTROYED)
    friends = frozenset(own) if known.open.options.friends_keep_supply else frozenset()
    return Lines(game_data, side, frozenset(depots), frozenset(enemies), friends, _faded(known, side))


def _faded(state: State, side: SideId) -> frozenset[PlaceId]:
    """R7.2 Where its enemies are cut off: a side knows it of its own units only."""
    own = state.own.get(enemy_of(side))
    if own is None or not state.open.options.raiders_fade:
        return frozenset()
    cut_off = [place for unit, place in on_map(own) if not unit.supplied]
    return frozenset(cut_off) - frozenset(place for unit, place in on_map(own) if unit.supplied)
