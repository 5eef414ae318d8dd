"""The layout of a base map at one width, the same for all Views: where places and print are."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from campaign.core.memory import MB, Memory
from campaign.engine.display.views import BaseMap
from campaign.engine.values.ids import PlaceId
from campaign.engine.values.value import Value
from campaign.maps.drawing.disk_cache import DISK_CACHE
from campaign.maps.drawing.edition import digest_of
from campaign.maps.drawing.geometry import Box, Point, bounds, drawn_into, grown, holds, overlap, touching
from campaign.maps.land.features import Features, Places, features
from campaign.maps.land.labels import Labels, Name, Number, elsewhere, in_print, labels, lowered
from campaign.maps.land.projection import Projection, fit
from campaign.maps.land.room import Cell, Room, cells_of
from campaign.maps.signs.counters import SHADOW
from campaign.maps.style import theme
from campaign.maps.style.schemes import Scheme

_AROUND = 9.0
"""Points round a name that change when it is taken off."""
_MARKER = 14.0
"""Half the size of a marker, in points."""
_NEAR = 5.0
"""Points from the middle of a front within which names are touched."""


_BEYOND = 9.0
"""Points that names may reach beyond the edge of the map, where letters and names of the margin are."""


@dataclass(frozen=True)
class Spot:
    """A possible middle of a marker, and the square pixels of print that the marker covers there."""

    at: Point
    box: Box
    cells: Sequence[Cell]
    cost: float


@dataclass(frozen=True)
class Elsewhere:
    """Another spot for a name: its boxes, and what must be free there."""

    name: Name
    """The name as printed there."""
    spots: tuple[tuple[Box, Box], ...]
    near: tuple[tuple[Box, Box], ...]
    """Those of them that are over or under the middle of the place."""
    area: Box
    """The area that must be free."""
    names: tuple[int, ...]
    """The numbers of the names that the sheet has there."""


class Survey(Value, frozen=True):
    """The parts of a layout that are the same in all schemes. Finding them takes half a second on a large sheet."""

    projection: Projection
    lines: Features
    print_on: Labels


@dataclass(frozen=True)
class Layout:
    base: BaseMap
    colours: Scheme
    projection: Projection
    places: Places
    lines: Features
    print_on: Labels

    @classmethod
    def of(cls, base: BaseMap, width: int, colours: Scheme) -> "Layout":
        """The layout of a base map at one width, kept in memory with its own caches."""
        return _LAYOUTS.get((base, width, colours), partial(cls.made, base, width, colours))

    @classmethod
    def made(cls, base: BaseMap, width: int, colours: Scheme) -> "Layout":
        """The same, not kept in memory."""
        found = _SURVEYS.get((base, width), partial(_fetched, base, width))
        return cls(base, colours, found.projection, Places(base, found.projection), found.lines, found.print_on)

    @property
    def survey(self) -> Survey:
        return Survey(self.projection, self.lines, self.print_on)

    @property
    def weight(self) -> int:
        """Its size in memory in bytes, with filled caches."""
        return 2 * _PLACE * len(self.base.grounds)

    @cached_property
    def number_of(self) -> dict[PlaceId, int]:
        """The number of each place's name."""
        return {name.place: number for number, name in enumerate(self.print_on.names)}

    def at_home(self, name: Name) -> bool:
        """Whether the middle of a name, or the flag before it, is in its own place."""
        left, top, right, bottom = name.words
        middle = ((left + right) / 2, (top + bottom) / 2)
        return name.flag is not None or holds(self.places.outline(name.place), middle)

    @cached_property
    def letters(self) -> tuple[Box, ...]:
        """The boxes of the names with what reaches below their base lines."""
        return tuple(name.letters for name in self.print_on.names)

    @cached_property
    def far_names(self) -> frozenset[int]:
        """The numbers of the names that the sheet has in other places than their own."""
        return frozenset(n for n, name in enumerate(self.print_on.names) if not self.at_home(name))

    @cached_property
    def id_of(self) -> dict[PlaceId, Number]:
        """The id of each place as it is printed, if any is."""
        return {PlaceId(number.text): number for number in self.print_on.numbers}

    @cached_property
    def spots(self) -> dict[tuple[str, PlaceId], tuple[Spot, ...]]:
        """A cache: the spots for a kind of marker in a place."""
        return {}

    def reach_of(self, place: PlaceId) -> Box:
        """A box round all markers of a place."""
        found = self._reaches.get(place)
        if found is None:
            around = bounds(self.places.outline(place))
            found = self._reaches[place] = grown(around, _MARKER * self.projection.scale)
        return found

    @cached_property
    def _reaches(self) -> dict[PlaceId, Box]:
        return {}

    def spot_in(self, place: PlaceId, offset: Point, half: float, dislike: float = 0.0) -> Spot:
        """A spot; `offset` is in points from the middle of a place, and is shortened if it leaves the place."""
        middle, scale = self.places.at(place), self.projection.scale
        point = (middle[0] + offset[0] * scale, middle[1] + offset[1] * scale)
        at = drawn_into(self.places.outline(place), middle, point)
        return self.spot(at, half * scale, dislike * scale**2)

    def spot(self, at: Point, half: float, dislike: float = 0.0) -> Spot:
        box = grown((*at, *at), half)
        return Spot(at, box, cells_of(box), round(self.room.cost(box) + dislike, 3))

    @cached_property
    def room(self) -> Room:
        """The room that names and ids leave."""
        room = Room(self.projection.frame)
        for name in self.print_on.names:
            room.take(grown(name.box, self.projection.scale))
        for number in self.print_on.numbers:
            room.take(number.box)
        return room

    def ids_at(self, box: Box) -> tuple[int, ...]:
        """The numbers of the ids that touch a box."""
        found = self._ids.get(box)
        if found is None:
            near = {n for cell in cells_of(box) for n in self._numbered_cells.get(cell, ())}
            found = tuple(n for n in sorted(near) if touching([self.print_on.numbers[n].box], box))
            self._ids[box] = found
        return found

    @cached_property
    def _ids(self) -> dict[Box, tuple[int, ...]]:
        return {}

    @cached_property
    def _numbered_cells(self) -> dict[Cell, list[int]]:
        found: dict[Cell, list[int]] = defaultdict(list)
        for n, number in enumerate(self.print_on.numbers):
            for cell in cells_of(grown(number.box, self.projection.scale)):
                found[cell].append(n)
        return found

    def names_at(self, box: Box) -> Iterator[int]:
        """The numbers of the names that touch a box."""
        left, top, right, bottom = box
        for cell in cells_of(box):
            for number in self._named_cells.get(cell, ()):
                b = self.print_on.names[number].box
                if b[0] < right and b[2] > left and b[1] < bottom and b[3] > top:
                    yield number

    def names_around(self, number: int) -> tuple[int, ...]:
        """The numbers of the names that lose a part of their rim when this one is taken off."""
        found = self._around.get(number)
        if found is None:
            box = grown(self.print_on.names[number].box, _AROUND * self.print_on.scale)
            found = self._around[number] = tuple(self.names_at(box))
        return found

    @cached_property
    def _around(self) -> dict[int, tuple[int, ...]]:
        return {}

    def names_printed_at(self, marker: Box) -> tuple[int, ...]:
        """The numbers of the names whose words, not only their flags, touch the box of a marker."""
        found = self._printed.get(marker)
        if found is None:
            met = (number for number in self.names_at(marker) if overlap(self.print_on.names[number].words, marker))
            found = self._printed[marker] = tuple(met)
        return found

    @cached_property
    def _printed(self) -> dict[Box, tuple[int, ...]]:
        return {}

    def names_under(self, place: PlaceId, half: tuple[float, float]) -> tuple[int, ...]:
        """The numbers of the names that counters of half this width and height in a place would hide."""
        found = self._hidden.get((place, half))
        if found is None:
            (x, y), names = self.places.at(place), self.print_on.names
            shadow = SHADOW * self.projection.scale
            body = (x - half[0], y - half[1], x + half[0] + shadow, y + half[1] + shadow)
            near = self.names_at(grown(body, body[3] - body[1]))
            met = (number for number in near if touching([grown(names[number].letters, -0.5)], body))
            found = self._hidden[place, half] = tuple(met)
        return found

    @cached_property
    def _hidden(self) -> dict[tuple[PlaceId, tuple[float, float]], tuple[int, ...]]:
        return {}

    def elsewhere(self, number: int, part: float = 1.0, *, manned: bool) -> "Elsewhere":
        """Other spots for a name on the map; `part` scales its print; `manned`: its place has counters."""
        found = self._elsewhere.get((number, part, manned))
        if found is None:
            reach, frame = self.print_on.reach, grown(self.places.extent, _BEYOND * self.projection.scale)
            name = in_print(self.print_on.names[number], part, self.print_on.scale)
            boxes = elsewhere(name, self.places.at(name.place), reach, manned=manned)
            within = (box for box in boxes if round(overlap(box, frame) - overlap(box, box), 6) == 0)
            both = ((box, lowered(grown(box, reach))) for box in within)
            spots = tuple(sorted(both, key=lambda pair: self._hides(pair[1])))
            left, _, right, _ = bounds(self.places.outline(name.place))
            near = tuple(spot for spot in spots if left < (spot[0][0] + spot[0][2]) / 2 < right)
            area = bounds(corner for _, box in spots for corner in (box[:2], box[2:]))
            found = Elsewhere(name, spots, near, area, tuple(self.names_at(area)))
            self._elsewhere[number, part, manned] = found
        return found

    def _hides(self, box: Box) -> bool:
        """Whether a name in a box would cover an id, or the sign of a town."""
        return bool(self._fixed.around(box))

    @cached_property
    def _fixed(self) -> Room:
        """The room that ids and the signs of towns leave."""
        room, scale = Room(self.projection.frame), self.projection.scale
        for number in self.print_on.numbers:
            room.take(number.box)
        for name in self.print_on.names:
            town = self.places.at(name.place)
            room.take(grown((*town, *town), theme.TOWN_SIZES[name.importance] * scale))
        return room

    @cached_property
    def _elsewhere(self) -> dict[tuple[int, float, bool], "Elsewhere"]:
        return {}

    def ids_at_front(self, ours: PlaceId, theirs: PlaceId) -> tuple[int, ...]:
        """The numbers of the ids that a front between two places may cover."""
        found = self._fronts_on_ids.get((ours, theirs))
        if found is None:
            around = bounds(end for edge, _ in self.places.front(ours, theirs) for end in edge)
            found = self.ids_at(grown(around, _NEAR * self.projection.scale))
            self._fronts_on_ids[ours, theirs] = found
        return found

    @cached_property
    def _fronts_on_ids(self) -> dict[tuple[PlaceId, PlaceId], tuple[int, ...]]:
        return {}

    def names_at_front(self, ours: PlaceId, theirs: PlaceId) -> tuple[int, ...]:
        """The numbers of the names that a front between two places covers."""
        found = self._fronts.get((ours, theirs))
        if found is None:
            around = bounds(end for edge, _ in self.places.front(ours, theirs) for end in edge)
            found = self._fronts[ours, theirs] = tuple(self.names_at(grown(around, _NEAR * self.projection.scale)))
        return found

    @cached_property
    def _fronts(self) -> dict[tuple[PlaceId, PlaceId], tuple[int, ...]]:
        return {}

    @cached_property
    def _named_cells(self) -> dict[tuple[int, int], list[int]]:
        found: dict[tuple[int, int], list[int]] = defaultdict(list)
        for number, name in enumerate(self.print_on.names):
            for cell in cells_of(name.box):
                found[cell].append(number)
        return found


def _fetched(base: BaseMap, width: int) -> Survey:
    return DISK_CACHE.fetch(survey_name(base, width), Survey, partial(_surveyed, base, width))


def survey_name(base: BaseMap, width: int) -> str:
    """The name under which a survey is kept."""
    return f"{digest_of(base)}-{width}"


def _surveyed(base: BaseMap, width: int) -> Survey:
    projection = fit(base, width)
    lines = features(base, projection)
    return Survey(projection, lines, labels(base, lines, projection))


_PLACE = 2_500
"""Bytes per place of a survey, and again of the caches of a layout in use."""
_SURVEYS: Memory[tuple[BaseMap, int], Survey] = Memory(8 * MB, lambda survey: _PLACE * len(survey.lines.grid))
_LAYOUTS: Memory[tuple[BaseMap, int, Scheme], Layout] = Memory(16 * MB, lambda layout: layout.weight)
