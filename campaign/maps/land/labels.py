"""The placement of the base map's labels: names of places, rivers and entries, and ids, with few overlaps."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import fsum, pi

from campaign.engine.display.views import BaseMap, Ground
from campaign.engine.values.ids import PlaceId
from campaign.maps.drawing.geometry import (
    Box,
    Path,
    Point,
    along,
    bounds,
    drawn_into,
    eased,
    grown,
    heading,
    holds,
    length,
    overlap,
    shifted,
)
from campaign.maps.drawing.ink import cap_height, run_of, width_of
from campaign.maps.land.features import Features, Places, River
from campaign.maps.land.projection import Projection
from campaign.maps.style import theme
from campaign.maps.style.theme import Print

Cell = tuple[int, int]


class Room:
    """The parts of the paper that are already printed on."""

    def __init__(self, limit: Box) -> None:
        self._limit = limit
        self._cells: dict[Cell, list[Box]] = defaultdict(list)

    def take(self, box: Box, *within: Box) -> None:
        """Take a box for print, and again the parts of it that nothing should cover."""
        for cell in cells_of(box):
            self._cells[cell] += (box, *within)

    def free(self, box: Box, *within: Box) -> None:
        """Give up a box that was taken, with the same parts."""
        for cell in cells_of(box):
            for each in (box, *within):
                self._cells[cell].remove(each)

    def around(self, box: Box) -> list[Box]:
        """The boxes of print that a box overlaps."""
        return [*self._met(box, cells_of(box))]

    def cost(self, box: Box) -> float:
        """How many square pixels of print a box would cover or have cut off."""
        cut_off = (box[2] - box[0]) * (box[3] - box[1]) - overlap(box, self._limit)
        return self.covered(box, cells_of(box)) + 2 * cut_off

    def covered(self, box: Box, cells: Sequence[Cell]) -> float:
        """How many square pixels of print a box would cover; `cells`: the cells that it touches."""
        met = self._met(box, cells)
        return fsum([overlap(box, other) for other in met]) if met else 0.0

    def _met(self, box: Box, cells: Sequence[Cell]) -> set[Box]:
        left, top, right, bottom = box
        met: set[Box] = set()
        for cell in cells:
            for other in self._cells.get(cell, ()):
                if other[0] < right and other[2] > left and other[1] < bottom and other[3] > top:
                    met.add(other)
        return met

    def best(self, boxes: Sequence[Box]) -> int:
        """The index of the box that costs least, the first of equals; the box is not taken."""
        costs = [round(self.cost(box), 3) for box in boxes]
        return costs.index(min(costs))


_CELL = 160


def cells_of(box: Box) -> list[Cell]:
    """The squares of the paper that a box touches."""
    left, top, right, bottom = box
    column, row, last, lowest = int(left // _CELL), int(top // _CELL), int(right // _CELL), int(bottom // _CELL)
    if column == last and row == lowest:
        return [(column, row)]
    return [(x, y) for x in range(column, last + 1) for y in range(row, lowest + 1)]


_BELOW = 0.28
"""Of the height of capitals: how far letters reach below the base line."""


@dataclass(frozen=True)
class Name:
    """A place's name: the middle of its base line, and the position of an objective's flag before it."""

    place: PlaceId
    text: str
    importance: int
    at: Point
    flag: Point | None
    box: Box
    """Its capitals and its flag; letters reach below it."""
    part: float = 1.0
    """The fraction of the size that its importance gives it."""

    @property
    def style(self) -> Print:
        style = theme.TOWNS[self.importance]
        return style if self.part == 1 else replace(style, size=style.size * self.part)

    @property
    def letters(self) -> Box:
        return lowered(self.box)

    @property
    def words(self) -> Box:
        """What its letters cover above and below the base line, without the flag."""
        _, top, right, bottom = self.box
        return lowered((2 * self.at[0] - right, top, right, bottom))

    @property
    def great(self) -> bool:
        """Whether every map keeps it: the name of a large town, or of an objective."""
        return self.flag is not None or self.importance >= _LARGE


@dataclass(frozen=True)
class Number:
    """The id of a place: the middle of its base line."""

    text: str
    at: Point


@dataclass(frozen=True)
class RiverName:
    text: str
    great: bool
    path: Path

    @property
    def style(self) -> Print:
        return theme.GREAT_RIVER_PRINT if self.great else theme.RIVER_PRINT

    @property
    def spacing(self) -> float:
        return theme.GREAT_RIVER_SPACING if self.great else theme.RIVER_SPACING


@dataclass(frozen=True)
class Labels:
    names: tuple[Name, ...]
    scale: float
    """Scale of the names."""
    reach: float
    """Pixels per point of the distance between names and the middle of their places."""
    numbers: tuple[Number, ...]
    rivers: tuple[RiverName, ...]


FLAG_ROOM = 20.0
"""Points that an objective's flag takes before a name."""
_NEAR = 0.6
"""How much nearer names are to their places on a coarse map."""
_LARGE = 2
"""Importance of the places that are still named where there is little room."""
_LONGEST_ID = 4
"""Longer ids are words, which no one wants in every place: a map that has one prints no ids."""


def labels(base: BaseMap, lines: Features, projection: Projection) -> Labels:
    """Place all labels on the land: large names first, ids last, each where it covers least."""
    places = Places(base, projection)
    room = Room(projection.frame)
    for ground in base.grounds:
        if ground.name:
            room.take(_round(places.at(ground.id), (theme.TOWN_SIZES[_importance(ground)] + 1) * projection.scale))
    great_first = sorted((g for g in base.grounds if g.name or g.victory_points), key=lambda g: -_importance(g))
    if projection.coarse:
        large = [ground for ground in great_first if ground.importance >= _LARGE]
        names = _settled(large, places, room, theme.COARSE_PRINT, near=_NEAR)
        return Labels(names, theme.COARSE_PRINT, theme.COARSE_PRINT * _NEAR, (), ())
    names = _settled(great_first, places, room, projection.scale)
    rivers = tuple(_river_names(lines.rivers, room, projection.scale))
    short = all(len(ground.id) <= _LONGEST_ID for ground in base.grounds)
    numbered = base.grounds if short else ()
    numbers = tuple(_number(ground, places.at(ground.id), room, projection.scale) for ground in numbered)
    return Labels(names, projection.scale, projection.scale, numbers, rivers)


def _importance(ground: Ground) -> int:
    return max(0, min(ground.importance, len(theme.TOWNS) - 1))


def _round(at: Point, radius: float) -> Box:
    return grown((*at, *at), radius)


# --- names and ids ----------------------------------------------------------------------------------------------------

_ROUNDS = 3
_NAME_SPOTS = tuple((x, y) for x in (0.0, 6.0, -6.0, 12.0, -12.0, 18.0, -18.0, 25.0, -25.0) for y in (24.7, -25.8))
"""Middles of names relative to the middle of their place: in the gaps between rows of counters."""
_FLAGGED_SPOTS = tuple((x, y) for x in (31.0, 37.0, 43.0, 49.0) for y in (24.7, -25.8))
"""Middles of long names whose flag stays in their place."""
_MORE_SPOTS = tuple((x, y) for y in (22.0, -23.0, 28.5, -29.0) for x in (0.0, 8.0, -8.0, 16.0, -16.0, 25.0, -25.0))
"""Further middles, for names that find no room there."""
_ID_SPOTS = ((0.0, -25.5), (0.0, 26.0), (-15.0, -21.0), (15.0, -21.0), (15.0, 21.5), (-15.0, 21.5))


def _settled(
    grounds: Sequence[Ground], places: Places, room: Room, scale: float, *, near: float = 1.0
) -> tuple[Name, ...]:
    """Names where they cover least; early ones are placed again once all have a place."""
    spots = [_spots(ground, places, scale, near) for ground in grounds]
    names = [_name(ground, boxes, room, scale) for ground, boxes in zip(grounds, spots, strict=True)]
    for _ in range(_ROUNDS):
        for n, (ground, boxes) in enumerate(zip(grounds, spots, strict=True)):
            room.free(names[n].box, *_twice(names[n].box))
            names[n] = _name(ground, boxes, room, scale)
    return tuple(names)


@dataclass(frozen=True)
class _Boxes:
    """Where a name may be placed, and how much of it its flag takes."""

    boxes: Sequence[Box]
    flag: float


def _spots(ground: Ground, places: Places, scale: float, near: float) -> _Boxes:
    """The boxes of a name around its place. The flag of an objective stays in the place."""
    style, at = theme.TOWNS[_importance(ground)], places.at(ground.id)
    flag = FLAG_ROOM * scale * near if ground.victory_points else 0.0
    size = (width_of(ground.name, style, scale) + flag, cap_height(style, scale))
    if not flag:
        return _Boxes([_centred(at, spot, size, scale * near) for spot in _NAME_SPOTS], flag)
    outline, reach = places.outline(ground.id), scale * near
    beside = ((size[0] / 2 / reach + _BY_THE_TOWN, y) for y in _BESIDE) if near == 1 else ()
    boxes = [_centred(at, spot, size, reach) for spot in (*_NAME_SPOTS, *_FLAGGED_SPOTS, *beside)]
    within = [box for box in boxes if holds(outline, _flag_in(box, flag, scale))]
    return _Boxes(within or [_drawn_in(box, outline, at, flag, scale) for box in boxes], flag)


def _twice(box: Box) -> tuple[Box, ...]:
    """Covering a name is worse than covering the sign of a town."""
    return grown(box, -0.5), grown(box, -0.75)


def _flag_in(box: Box, flag: float, scale: float) -> Point:
    return box[0] + flag / 2 - scale, (box[1] + box[3]) / 2


def _drawn_in(box: Box, outline: Path, at: Point, flag: float, scale: float) -> Box:
    """The box moved so far that its flag is in its place."""
    stood = _flag_in(box, flag, scale)
    stands = drawn_into(outline, at, stood)
    right, down = stands[0] - stood[0], stands[1] - stood[1]
    return box[0] + right, box[1] + down, box[2] + right, box[3] + down


def _name(ground: Ground, spots: _Boxes, room: Room, scale: float) -> Name:
    flag = spots.flag
    box = spots.boxes[room.best([grown(box, 2 * scale) for box in spots.boxes])]
    room.take(box, *_twice(box))
    return Name(
        place=ground.id,
        text=ground.name,
        importance=_importance(ground),
        at=((box[0] + flag + box[2]) / 2, box[3]),
        flag=_flag_in(box, flag, scale) if flag else None,
        box=box,
    )


_BESIDE = (0.0, -6.0, 6.0, -13.0, 13.0, -20.0, 20.0)
_BY_THE_TOWN = 7.0
"""Points from the middle of a place to the flag before a name next to it."""
_CLEAR = 27.0
"""Points from the middle of a place to the names next to it."""


def elsewhere(name: Name, middle: Point, reach: float) -> Iterator[Box]:
    """Other boxes for a name near the middle of its place: above, below, at the sides."""
    size = (name.box[2] - name.box[0], name.box[3] - name.box[1])
    aside = size[0] / 2 / reach + _CLEAR
    spots = (*_NAME_SPOTS, *((x, y) for y in _BESIDE for x in (aside, -aside)))
    for spot in (*spots, *_MORE_SPOTS):
        yield _centred(middle, spot, size, reach)


def in_print(name: Name, part: float, scale: float) -> Name:
    """The name without its flag, at a fraction of its size."""
    smaller = replace(name, part=part)
    x, foot = name.at
    half, high = width_of(name.text, smaller.style, scale) / 2, cap_height(smaller.style, scale)
    return replace(smaller, box=(x - half, foot - high, x + half, foot))


def lowered(box: Box) -> Box:
    """The box of the capitals with what letters reach below it."""
    left, top, right, bottom = box
    return left, top, right, bottom + (bottom - top) * _BELOW


def moved_to(name: Name, box: Box) -> Name:
    """The name in another box of its size; its flag stays."""
    right, down = box[0] - name.box[0], box[1] - name.box[1]
    return replace(name, at=(name.at[0] + right, name.at[1] + down), flag=None, box=box)


def _number(ground: Ground, at: Point, room: Room, scale: float) -> Number:
    size = (width_of(ground.id, theme.NUMBERS, scale), cap_height(theme.NUMBERS, scale))
    boxes = [_centred(at, spot, size, scale) for spot in _ID_SPOTS]
    box = boxes[room.best(boxes)]
    room.take(box)
    return Number(ground.id, ((box[0] + box[2]) / 2, box[3]))


def _centred(at: Point, spot: Point, size: tuple[float, float], scale: float) -> Box:
    x, y = at[0] + spot[0] * scale, at[1] + spot[1] * scale
    return x - size[0] / 2, y - size[1] / 2, x + size[0] / 2, y + size[1] / 2


# --- rivers -----------------------------------------------------------------------------------------------------------


def _river_names(rivers: Iterable[River], room: Room, scale: float) -> Iterator[RiverName]:
    """One name along the longest stretch of each river; a great river is named several times."""
    longest: dict[str, River] = {}
    for river in rivers:
        if river.name and (river.name not in longest or length(river.path) > length(longest[river.name].path)):
            longest[river.name] = river
    for river in longest.values():
        style = theme.GREAT_RIVER_PRINT if river.great else theme.RIVER_PRINT
        spacing = theme.GREAT_RIVER_SPACING if river.great else theme.RIVER_SPACING
        for path in _stretches(river, run_of(river.name, style, scale=scale, spacing=spacing), room, scale):
            yield RiverName(river.name, river.great, path)


def _stretches(river: River, run: float, room: Room, scale: float) -> Iterator[Path]:
    """The base lines on which to set a river's name."""
    total = length(river.path)
    copies = max(1, round(total / (theme.GREAT_RIVER_REPEAT * scale))) if river.great else 1
    for copy in range(copies):
        windows = _windows(river, (total * copy / copies, total * (copy + 1) / copies), run, scale)
        if windows:
            best = min(windows, key=lambda path: round(_trouble(path, room, scale), 3))
            for box in _letter_boxes(best, scale):
                room.take(box)
            yield best


def _windows(river: River, reach: tuple[float, float], run: float, scale: float) -> list[Path]:
    """Base lines above and below a river, wherever a part of it has room for the name."""
    lift = (9 if river.great else 3.5) * scale
    drop = lift + (11 if river.great else 7) * scale
    starts = range(round(reach[0]), round(reach[1] - run), max(1, round(9 * scale)))
    found = []
    for start in starts:
        base = _reading(tuple(along(river.path, start + run * n / 8)[0] for n in range(-1, 10)))
        found += [shifted(base, side)[1:] for side in (-lift, drop)]
    return found


def _reading(path: Path) -> Path:
    """A smooth line from left to right along a winding path."""
    for _ in range(6):
        path = eased(path)
    return path if path[-1][0] >= path[0][0] else path[::-1]


def _trouble(path: Path, room: Room, scale: float) -> float:
    """How bad a name would be on this path: print that it covers, bends, steepness."""
    covered = sum(room.cost(box) for box in _letter_boxes(path, scale)) / scale**2
    ways = [heading(a, b) for a, b in pairwise(path)]
    bends = sum(abs((b - a + pi) % (2 * pi) - pi) for a, b in pairwise(ways))
    steep = abs(heading(path[0], path[-1])) / (pi / 2)
    return covered + bends * 60 + steep * 40


def _letter_boxes(path: Path, scale: float) -> list[Box]:
    """Boxes around the letters on a base line."""
    raised = shifted(path, -4 * scale)
    return [grown(bounds(pair), 3.5 * scale) for pair in pairwise(raised)]
