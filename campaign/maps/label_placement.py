"""Where names are printed on a map with counters and markers.

A covered name moves to a free spot near by; a small one without such a spot is left out. Names of large towns and of
objectives stay: small names make way for them, then they are printed smaller, then over the edges of counters. On
coarse maps they are left out too if there is no room.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from campaign.engine.values.ids import PlaceId
from campaign.maps.base.layout import Elsewhere, Layout
from campaign.maps.drawing.geometry import Box, between, clear_of, gap, grown, nearest, touching
from campaign.maps.land.labels import Name, moved_to
from campaign.maps.land.room import Room, cells_of
from campaign.maps.signs.arrows import Half
from campaign.maps.signs.leaders import Leader
from campaign.maps.style import theme

_PARTS = (1.0, 0.88, 0.76, 0.66)
"""The smallest print of a great name, as a part of its usual size."""


@dataclass(frozen=True)
class LabelPlacement:
    """The names that differ from those on the sheet."""

    gone: tuple[int, ...]
    """The numbers of names that are taken off the sheet."""
    moved: Mapping[PlaceId, Name | None]
    """Where they are printed instead; None: there was no room."""
    over: tuple[Name, ...]
    """The moved names that are printed over edges of counters."""

    def under(self, boxes: Sequence[Box], layout: Layout) -> tuple[Name, ...]:
        """The names on the map that touch one of the boxes, or are printed over something."""
        met = {number for box in boxes for number in layout.names_at(box)}
        stay = (layout.print_on.names[number] for number in sorted(met.difference(self.gone)))
        moved = (name for name in self.moved.values() if name is not None and name not in self.over)
        return (*stay, *(name for name in moved if touching(boxes, name.box)), *self.over)

    def again(self, layout: Layout, boxes: Iterable[Box], front: Iterable[tuple[PlaceId, PlaceId]]) -> tuple[Name, ...]:
        """The names to print again: those under the boxes or the front, those that lost a part of their rim with a
        name that was taken off, and those that have moved.
        """
        names = layout.print_on.names
        met = {number for box in boxes for number in layout.names_at(box)}
        met |= {number for gone in self.gone for number in layout.names_around(gone)}
        met |= {number for pair in front for number in layout.names_at_front(*pair)}
        stay = (names[number] for number in sorted(met.difference(self.gone)))
        return (*stay, *(name for name in self.moved.values() if name is not None))


def hidden_under(layout: Layout, piles: Mapping[PlaceId, Half]) -> set[int]:
    """The numbers of the names that piles of counters would hide."""
    return {number for place, half in piles.items() for number in layout.names_under(place, half)}


@dataclass(frozen=True)
class Obstacles:
    """What names must leave free."""

    room: Room
    printed: Callable[[], Iterable[Box]]
    """The part of it that nothing may cover."""
    manned: Collection[PlaceId]
    """The places with counters."""


def place_labels(
    layout: Layout, hidden: Collection[int], obstacles: Obstacles, markers: Sequence[Box]
) -> LabelPlacement:
    """Move names away from counters and markers, the greatest names first.

    `hidden`: the numbers of names under counters.
    """
    met = {number for marker in markers for number in layout.names_printed_at(marker)}
    return _Placing(layout, {*hidden, *met}, obstacles).place_labels()


def leaders(layout: Layout, names: LabelPlacement, bodies: Mapping[PlaceId, Box]) -> Iterator[Leader]:
    """The lines that tie names to their places: to the counters that hide the town, or to the town if the middle of the
    name is in another place.

    `bodies`: the boxes of the counters, by place.
    """
    for name in names.moved.values():
        if name is not None and (name.place in bodies or not layout.at_home(name)):
            yield _leader(layout, name, bodies.get(name.place))
    for number in sorted({*layout.far_names, *(layout.number_of[at] for at in bodies if at in layout.number_of)}):
        name = layout.print_on.names[number]
        if number not in names.gone:
            yield _leader(layout, name, bodies.get(name.place))


def _leader(layout: Layout, name: Name, body: Box | None) -> Leader:
    """From a name to the nearest point of the counters, or to the rim of the town's sign."""
    town, scale = layout.places.at(name.place), layout.projection.scale
    box = grown(name.words, _CLEAR * scale)
    if body is None:
        start = nearest(box, town)
        radius = theme.TOWN_SIZES[name.importance] * scale
        return Leader(start, between(start, town, max(0.0, 1 - radius / max(gap(start, town), radius))), pinned=False)
    left, top, right, bottom = body
    stop = nearest(body, nearest(box, ((left + right) / 2, (top + bottom) / 2)))
    return Leader(nearest(box, stop), stop, pinned=True)


_CLEAR = 0.6
"""Points between the letters of a name and its leader."""


class _Placing:
    """Finds room for names, one after the other."""

    def __init__(self, layout: Layout, hidden: set[int], obstacles: Obstacles) -> None:
        self._layout, self._hidden = layout, hidden
        self._room, self._print, self._manned = obstacles.room, obstacles.printed, obstacles.manned
        self._names = layout.print_on.names
        self._moved: dict[PlaceId, Name | None] = {}
        self._over: list[Name] = []
        self._bare: Room | None = None

    def place_labels(self) -> LabelPlacement:
        for number in sorted(n for n in self._hidden if self._names[n].great):
            found = self._among_others(number)
            if found is None and not self._layout.projection.coarse:
                found = self._over_edges(number)
            self._put(number, found)
        for number in sorted(n for n in self._hidden if not self._names[n].great):
            self._put(number, self._free(number))
        return LabelPlacement(tuple(sorted(self._hidden)), self._moved, tuple(self._over))

    def _elsewhere(self, number: int, part: float) -> Elsewhere:
        return self._layout.elsewhere(number, part, manned=self._names[number].place in self._manned)

    def _put(self, number: int, found: Name | None) -> None:
        self._moved[self._names[number].place] = found
        if found is not None:
            self._room.take(found.box)
            if self._bare is not None:
                self._bare.take(found.box)

    def _among_others(self, number: int) -> Name | None:
        """A spot that is free or has only small names, which make way; failing that, the same in smaller print."""
        parts = _PARTS[:2] if self._layout.projection.coarse else _PARTS[:-1]
        places = (self._elsewhere(number, part) for part in parts)
        displacing = (self._displacing(there, self._room) for there in places)
        return self._free(number) or next((found for found in displacing if found is not None), None)

    def _free(self, number: int) -> Name | None:
        """A free spot, in slightly smaller print if necessary."""
        for part in _PARTS[:2]:
            there = self._elsewhere(number, part)
            found = self._found(there, self._room, there.names)
            if found is not None:
                return found
        return None

    def _over_edges(self, number: int) -> Name | None:
        """A spot where it covers no print; if there is none, the one where it covers least."""
        bare = self._bare = self._bare or self._print_only()
        places = [self._elsewhere(number, part) for part in _PARTS]
        near = [replace(there, spots=there.near) for there in places]
        clear = (replace(there, spots=tuple(filter(self._leaves_ids, there.near))) for there in places)
        wanted = (self._displacing(there, bare) for there in chain(clear, near, places))
        found = next((found for found in wanted if found is not None), None)
        if found is None and places[-1].spots:
            found = self._making_way(self._least(places[-1], bare))
        self._over += [found] if found is not None else []
        return found

    def _leaves_ids(self, spot: tuple[Box, Box]) -> bool:
        """Whether a spot is clear of the ids of places with counters."""
        numbers = self._layout.print_on.numbers
        return not any(numbers[n].text in self._manned for n in self._layout.ids_at(spot[1]))

    def _least(self, there: Elsewhere, room: Room) -> Name:
        costs = [round(room.covered(wanted, cells_of(wanted)), 3) for _, wanted in there.spots]
        return moved_to(there.name, there.spots[costs.index(min(costs))][0])

    def _print_only(self) -> Room:
        """The room between the print of counters and markers and the names that have moved."""
        bare = Room(self._layout.projection.frame)
        for box in (*self._print(), *(name.box for name in self._moved.values() if name is not None)):
            bare.take(box)
        return bare

    def _found(self, there: Elsewhere, room: Room, others: Iterable[int]) -> Name | None:
        """The name at the first spot that is free in this room and of these names."""
        stay = (self._layout.letters[n] for n in others if n not in self._hidden)
        taken = [*room.around(there.area), *stay]
        for box, wanted in there.spots:
            if clear_of(taken, wanted):
                return moved_to(there.name, box)
        return None

    def _displacing(self, there: Elsewhere, room: Room) -> Name | None:
        """The same, but small names make way."""
        found = self._found(there, room, (n for n in there.names if self._names[n].great))
        return found and self._making_way(found)

    def _making_way(self, name: Name) -> Name:
        self._hidden |= {n for n in self._layout.names_at(name.letters) if not self._names[n].great}
        return name
