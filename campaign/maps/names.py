"""What becomes of the names on the sheet: those under counters go where there is room near by, or off the map."""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass

from campaign.engine.ids import PlaceId
from campaign.maps.arrows import Half
from campaign.maps.geometry import Box, grown, touching
from campaign.maps.labels import Name, Room, moved_to
from campaign.maps.layout import Layout

_AROUND = 9.0
"""Points round a name that are touched when it is taken off."""


@dataclass(frozen=True)
class Settled:
    """Which names no longer stand where the sheet has them."""

    gone: tuple[int, ...]
    """Their numbers."""
    moved: Mapping[PlaceId, Name | None]
    """Where they stand instead; None: there was no room."""

    def name(self, place: PlaceId, layout: Layout) -> Name | None:
        return self.moved[place] if place in self.moved else layout.names.get(place)

    def under(self, boxes: Sequence[Box], layout: Layout) -> tuple[Name, ...]:
        """The names on the map that touch one of the boxes."""
        met = {number for box in boxes for number in layout.names_at(box)}
        stay = (layout.print_on.names[number] for number in sorted(met.difference(self.gone)))
        return (*stay, *(name for name in self.moved.values() if name is not None and touching(boxes, name.box)))

    def again(self, layout: Layout, boxes: Iterable[Box], front: Iterable[tuple[PlaceId, PlaceId]]) -> tuple[Name, ...]:
        """The names to be printed again: those that something runs over, or that lost a part of their rim to a name
        that was taken off, and those that have moved.
        """
        names = layout.print_on.names
        off = (grown(names[number].box, _AROUND * layout.print_on.scale) for number in self.gone)
        met = {number for some in (boxes, off) for box in some for number in layout.names_at(box)}
        met |= {number for pair in front for number in layout.names_at_front(*pair)}
        stay = (names[number] for number in sorted(met.difference(self.gone)))
        return (*stay, *(name for name in self.moved.values() if name is not None))


def settled(layout: Layout, piles: Mapping[PlaceId, Half], room: Room) -> Settled:
    """Names make way for piles of counters, the greatest names first; `room` is what else they must leave free."""
    hidden = {number for place, half in piles.items() for number in layout.names_under(place, half)}
    moved: dict[PlaceId, Name | None] = {}
    for number in sorted(hidden):
        found = _elsewhere(number, layout, room, hidden)
        moved[layout.print_on.names[number].place] = found
        if found is not None:
            room.take(found.box)
    return Settled(tuple(sorted(hidden)), moved)


def _elsewhere(number: int, layout: Layout, room: Room, hidden: Container[int]) -> Name | None:
    """The name at the first spot where nothing is in its way."""
    there, names = layout.elsewhere(number), layout.print_on.names
    taken = [*room.around(there.area), *(names[other].box for other in there.names if other not in hidden)]
    found = next((box for box, wanted in there.spots if not touching(taken, wanted)), None)
    return found and moved_to(names[number], found)
