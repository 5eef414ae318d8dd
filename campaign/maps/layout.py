"""What stays of a base map at one width while views come and go: where places and print are."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from campaign.engine.ids import PlaceId
from campaign.engine.views import BaseMap
from campaign.maps.features import Features, Places, features
from campaign.maps.geometry import Box, grown, overlap
from campaign.maps.labels import Labels, Name, Room, cells_of, labels
from campaign.maps.projection import Projection, fit


@dataclass(frozen=True)
class Layout:
    base: BaseMap
    projection: Projection
    places: Places
    lines: Features
    print_on: Labels

    @classmethod
    def of(cls, base: BaseMap, width: int) -> "Layout":
        projection = fit(base, width)
        lines = features(base, projection)
        return cls(base, projection, Places(base, projection), lines, labels(base, lines, projection))

    @cached_property
    def names(self) -> dict[PlaceId, Name]:
        return {name.place: name for name in self.print_on.names}

    @cached_property
    def room(self) -> Room:
        """The room that names leave."""
        room = Room(self.projection.frame)
        for name in self.print_on.names:
            room.take(name.box)
            room.take(grown(name.box, self.projection.scale))
        return room

    def names_at(self, box: Box) -> Iterator[int]:
        """The numbers of the names that touch a box."""
        for cell in cells_of(box):
            for number in self._named_cells.get(cell, ()):
                if overlap(self.print_on.names[number].box, box):
                    yield number

    @cached_property
    def _named_cells(self) -> dict[tuple[int, int], list[int]]:
        found: dict[tuple[int, int], list[int]] = defaultdict(list)
        for number, name in enumerate(self.print_on.names):
            for cell in cells_of(name.box):
                found[cell].append(number)
        return found
