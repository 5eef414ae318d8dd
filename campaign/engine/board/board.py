"""The board: places and their neighbours, one graph for hexes, areas and points.

A set of places can be a whole number with one bit for each place. In this form shifts find all neighbours of all its
places at once: see `around` and `flood`.
"""

from collections.abc import Iterable, Mapping
from itertools import compress

from campaign.engine.values.ids import PlaceId

Bits = int
"""A set of places of one board: bit n is the place with number n."""

_ZERO_ONE = bytes.maketrans(b"01", b"\0\1")


class Board:
    """A graph of places. Neighbours have a fixed order, so that every walk over it is reproducible.

    Places are numbered, by default in their order. Any numbering is correct; one with few different distances between
    neighbours, as in the rows of a grid, makes the work with bits fast.
    """

    __slots__ = (
        "_adjoining",
        "_all",
        "_bits",
        "_down",
        "_masked_down",
        "_masked_up",
        "_neighbours",
        "_numbers",
        "_places",
        "_up",
    )

    def __init__(
        self, neighbours: Mapping[PlaceId, Iterable[PlaceId]], numbers: Mapping[PlaceId, int] | None = None
    ) -> None:
        self._neighbours = {place: tuple(adjoining) for place, adjoining in neighbours.items()}
        self._adjoining = {place: frozenset(near) for place, near in self._neighbours.items()}
        self._numbers = dict(numbers or {place: number for number, place in enumerate(self._neighbours)})
        self._places = _by_number(self._numbers)
        self._bits = {place: 1 << number for place, number in self._numbers.items()}
        self._all = self.bits(self._numbers)
        shifts = _shifts(self._neighbours, self._numbers)
        strays = {by for by, mask in shifts if _shifted(self._all & ~mask, by) & self._all}
        self._up = [by for by, _ in shifts if by > 0 and by not in strays]
        self._down = [-by for by, _ in shifts if by < 0 and by not in strays]
        self._masked_up = [(by, mask) for by, mask in shifts if by > 0 and by in strays]
        """The shifts that also lead to places that are no neighbours, with the places that have a neighbour there."""
        self._masked_down = [(-by, mask) for by, mask in shifts if by < 0 and by in strays]

    def __contains__(self, place: object) -> bool:
        return place in self._neighbours

    def __len__(self) -> int:
        return len(self._neighbours)

    @property
    def places(self) -> tuple[PlaceId, ...]:
        return tuple(self._neighbours)

    @property
    def adjoining(self) -> Mapping[PlaceId, frozenset[PlaceId]]:
        """The neighbours of every place as sets, which are the fastest to join."""
        return self._adjoining

    def neighbours(self, place: PlaceId) -> tuple[PlaceId, ...]:
        """The places that adjoin this one; raises KeyError for a place that is not on the board."""
        return self._neighbours[place]

    def adjoin(self, a: PlaceId, b: PlaceId) -> bool:
        return b in self._neighbours[a]

    def without(self, edges: frozenset[tuple[PlaceId, PlaceId]]) -> "Board":
        """The same places without these edges."""
        kept = {at: [near for near in around if (at, near) not in edges] for at, around in self._neighbours.items()}
        return Board(kept, self._numbers)

    # --- sets of places as bits --------------------------------------------------------------------------------------

    @property
    def numbers(self) -> Mapping[PlaceId, int]:
        return self._numbers

    @property
    def by_number(self) -> tuple[PlaceId | None, ...]:
        """The place of each number; None for a number that none has."""
        return self._places

    @property
    def bit_of(self) -> Mapping[PlaceId, Bits]:
        """Each place alone as bits."""
        return self._bits

    def bits(self, places: Iterable[PlaceId]) -> Bits:
        """A set of places as bits; raises KeyError for a place that is not on the board."""
        found = 0
        for place in places:
            found |= self._bits[place]
        return found

    def holds(self, bits: Bits, place: PlaceId) -> bool:
        return bits & self._bits[place] != 0

    def places_of(self, bits: Bits) -> frozenset[PlaceId]:
        """The inverse of `bits`."""
        return frozenset(compress(self._places, bin(bits)[:1:-1].encode().translate(_ZERO_ONE)))  # type: ignore[arg-type]

    def around(self, bits: Bits) -> Bits:
        """All places that adjoin one of these."""
        return self._shifts_of(bits) & self._all

    def flood(self, sources: Bits, *, barred: Bits, until: Bits | None = None) -> Bits:
        """All places that can be reached from the sources at any distance without entering a barred place.

        With `until` it may stop early: when it has reached all of these places.
        """
        free = self._all & ~(barred | sources)
        reached = front = sources
        while front and (until is None or until & ~reached):
            front = self._shifts_of(front) & free
            reached |= front
            free ^= front
        return reached

    def _shifts_of(self, bits: Bits) -> Bits:
        """All places that adjoin one of these, and bits that belong to no place."""
        found = 0
        for by in self._up:
            found |= bits << by
        for by in self._down:
            found |= bits >> by
        for by, mask in self._masked_up:
            found |= (bits & mask) << by
        for by, mask in self._masked_down:
            found |= (bits & mask) >> by
        return found


def _shifted(bits: Bits, by: int) -> Bits:
    return bits << by if by > 0 else bits >> -by


def _by_number(numbers: Mapping[PlaceId, int]) -> tuple[PlaceId | None, ...]:
    places: list[PlaceId | None] = [None] * (max(numbers.values(), default=-1) + 1)
    for place, number in numbers.items():
        places[number] = place
    return tuple(places)


def _shifts(
    neighbours: Mapping[PlaceId, tuple[PlaceId, ...]], numbers: Mapping[PlaceId, int]
) -> Iterable[tuple[int, Bits]]:
    """Each distance between neighbours, with the places that have one at it."""
    shifts: dict[int, Bits] = {}
    for place, adjoining in neighbours.items():
        for near in adjoining:
            by = numbers[near] - numbers[place]
            shifts[by] = shifts.get(by, 0) | 1 << numbers[place]
    return sorted(shifts.items())
