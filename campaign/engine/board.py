"""The board: places and which of them adjoin, one graph for hexes, areas and points."""

from collections.abc import Iterable, Mapping

from campaign.engine.ids import PlaceId


class Board:
    """An undirected graph of places. Neighbours stand in a fixed order, so that every walk over it repeats itself."""

    __slots__ = ("_neighbours",)

    def __init__(self, neighbours: Mapping[PlaceId, Iterable[PlaceId]]) -> None:
        self._neighbours = {place: tuple(adjoining) for place, adjoining in neighbours.items()}

    def __contains__(self, place: object) -> bool:
        return place in self._neighbours

    def __len__(self) -> int:
        return len(self._neighbours)

    @property
    def places(self) -> tuple[PlaceId, ...]:
        return tuple(self._neighbours)

    def neighbours(self, place: PlaceId) -> tuple[PlaceId, ...]:
        """The places that adjoin this one; raises KeyError for a place that is not on the board."""
        return self._neighbours[place]

    def adjoin(self, a: PlaceId, b: PlaceId) -> bool:
        return b in self._neighbours[a]
