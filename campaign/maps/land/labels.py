"""The placement of the base map's labels: ids, names of places and of rivers, with few overlaps."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from campaign.engine.display.views import BaseMap, Ground
from campaign.engine.values.ids import PlaceId
from campaign.maps.drawing.geometry import Box, Path, Point, drawn_into, grown, holds
from campaign.maps.drawing.ink import cap_height, width_of
from campaign.maps.land.features import Features, Places
from campaign.maps.land.projection import Projection
from campaign.maps.land.river_names import RiverName, river_names
from campaign.maps.land.room import Room
from campaign.maps.style import theme
from campaign.maps.style.theme import Print

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
    """The id of a place: the middle of its base line, and the box of its letters and figures."""

    text: str
    at: Point
    box: Box


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
    """Place all labels on the land: ids at the same spot of every place, then names where they cover least, large ones
    first.
    """
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
    short = all(len(ground.id) <= _LONGEST_ID for ground in base.grounds)
    numbers = tuple(_number(ground, places, projection.scale) for ground in (base.grounds if short else ()))
    for number in numbers:
        room.take(number.box)
    names = _settled(great_first, places, room, projection.scale)
    rivers = tuple(river_names(lines.rivers, room, projection.scale))
    return Labels(names, projection.scale, projection.scale, numbers, rivers)


def _importance(ground: Ground) -> int:
    return max(0, min(ground.importance, len(theme.TOWNS) - 1))


def _round(at: Point, radius: float) -> Box:
    return grown((*at, *at), radius)


# --- names and ids ----------------------------------------------------------------------------------------------------

_ROUNDS = 3
_ASIDE = (0.0, 4.0, -4.0, 8.0, -8.0, 12.0, -12.0, 16.0, -16.0, 20.0, -20.0)
_HOME_SPOTS = tuple((x, y) for y in (11.5, -12.5, 17.0, -18.0) for x in _ASIDE)
"""Middles of names relative to the middle of their place, within it: under the sign of the town, or over it."""
_NAME_SPOTS = tuple((x, y) for x in (0.0, 6.0, -6.0, 12.0, -12.0, 18.0, -18.0, 25.0, -25.0) for y in (24.7, -25.8))
"""The same in the gaps between rows of counters."""
_FLAGGED_SPOTS = tuple((x, y) for x in (31.0, 37.0, 43.0, 49.0) for y in (24.7, -25.8))
"""Middles of long names whose flag stays in their place."""
_MORE_SPOTS = tuple((x, y) for y in (22.0, -23.0, 28.5, -29.0) for x in (0.0, 8.0, -8.0, 16.0, -16.0, 25.0, -25.0))
"""Further middles, for names that find no room there."""
_ID_SPOT = (0.0, -23.6)
"""The middle of an id relative to the middle of its place: between the upper corner and the edge of a counter."""


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
    size = (width_of(_text(ground), style, scale) + flag, cap_height(style, scale))
    home = _HOME_SPOTS if near == 1 else _NAME_SPOTS
    if not flag:
        return _Boxes([_centred(at, spot, size, scale * near) for spot in home], flag)
    outline, reach = places.outline(ground.id), scale * near
    beside = ((size[0] / 2 / reach + _BY_THE_TOWN, y) for y in _BESIDE) if near == 1 else ()
    boxes = [_centred(at, spot, size, reach) for spot in (*home, *_FLAGGED_SPOTS, *beside)]
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
    box = spots.boxes[room.best([_apart(box, scale) for box in spots.boxes])]
    room.take(box, *_twice(box))
    return Name(
        place=ground.id,
        text=_text(ground),
        importance=_importance(ground),
        at=((box[0] + flag + box[2]) / 2, box[3]),
        flag=_flag_in(box, flag, scale) if flag else None,
        box=box,
    )


def _text(ground: Ground) -> str:
    """The name with the place's note."""
    return f"{ground.name} {ground.note}".strip()


def _apart(box: Box, scale: float) -> Box:
    """The box that a name wants for itself: two names in one line must not read as one."""
    left, top, right, bottom = grown(box, 2 * scale)
    return left - 5 * scale, top, right + 5 * scale, bottom


_BESIDE = (0.0, -6.0, 6.0, -13.0, 13.0, -20.0, 20.0)
_BY_THE_TOWN = 7.0
"""Points from the middle of a place to the flag before a name next to it."""
_CLEAR = 28.5
"""Points from the middle of a place to the names next to it."""


def elsewhere(name: Name, middle: Point, reach: float, *, manned: bool) -> Iterator[Box]:
    """Other boxes for a name near the middle of its place: in it unless counters are there, over, under, beside it."""
    size = (name.box[2] - name.box[0], name.box[3] - name.box[1])
    aside = size[0] / 2 / reach + _CLEAR
    sides = tuple((x, y) for y in _BESIDE for x in (aside, -aside))
    for spot in (*(() if manned else _HOME_SPOTS), *_NAME_SPOTS, *sides, *_MORE_SPOTS):
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


def _number(ground: Ground, places: Places, scale: float) -> Number:
    """The id of a place at its spot; nearer the middle only where the spot is not in the place."""
    (x, y), (right, down) = places.at(ground.id), _ID_SPOT
    spot = drawn_into(places.outline(ground.id), (x, y), (x + right * scale, y + down * scale))
    half, high = width_of(ground.id, theme.NUMBERS, scale) / 2, cap_height(theme.NUMBERS, scale)
    box = (spot[0] - half, spot[1] - high / 2, spot[0] + half, spot[1] + high / 2)
    return Number(ground.id, (spot[0], box[3]), box)


def _centred(at: Point, spot: Point, size: tuple[float, float], scale: float) -> Box:
    x, y = at[0] + spot[0] * scale, at[1] + spot[1] * scale
    return x - size[0] / 2, y - size[1] / 2, x + size[0] / 2, y + size[1] / 2
