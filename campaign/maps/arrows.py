"""Arrows of what moved and fought: their courses between the counters, and their shapes."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import pi

from PIL import Image

from campaign.engine.ids import PlaceId
from campaign.engine.views import Arrow, ArrowKind, BaseMap
from campaign.maps import theme
from campaign.maps.features import Places
from campaign.maps.geometry import Box, Path, Point, along, dashes, heading, length, moved, part, shifted, through
from campaign.maps.ink import Disc, Fill, Shape, Stroke, lay
from campaign.maps.theme import Livery


@dataclass(frozen=True)
class Track:
    """The visible course of an arrow: from clear of the counters where it starts to clear of those where it ends."""

    kind: ArrowKind
    livery: Livery
    path: Path


Step = tuple[PlaceId, PlaceId]

_LANE = 5.0
"""Points between arrows that run along the same ground."""
_CLEAR = 3.0
"""Points from an arrow's tip to a counter."""
_SHORTEST = 11.0


def tracks(
    base: BaseMap, arrows: Iterable[Arrow], places: Places, boxes: Mapping[PlaceId, Sequence[Box]]
) -> Iterator[Track]:
    """The courses of arrows, side by side where they share their way; `boxes` are those of counters by place."""
    used: Counter[Step] = Counter()
    for arrow in arrows:
        course = _course(arrow, places)
        steps = list(pairwise(arrow.path))
        aside = _aside(steps, used) * _LANE * places.scale
        used.update(min(step, step[::-1]) for step in steps)
        path = shifted(course, aside) if aside else course
        ends = (boxes.get(arrow.path[0], ()) if steps else (), boxes.get(arrow.path[-1], ()))
        yield Track(arrow.kind, theme.livery(base.sides, arrow.side), trimmed(path, *ends, scale=places.scale))


def _aside(steps: Sequence[Step], used: Counter[Step]) -> int:
    """How many lanes to the right of its way an arrow runs: 0, 1, -1, 2 ..., the same strip of ground either way."""
    lane, step = max(((used[min(step, step[::-1])], step) for step in steps), default=(0, (PlaceId(""), PlaceId(""))))
    number = (lane + 1) // 2 * (1 if lane % 2 else -1)
    return number if step[0] < step[1] else -number


def _course(arrow: Arrow, places: Places) -> Path:
    """The smooth line through the places; a lone place is come to from the edge of the map or from the air."""
    what = f"{arrow.kind.value} arrow"
    if not arrow.path:
        raise ValueError(f"{what}: it has no places")
    if len(arrow.path) > 1:
        return through(tuple(places.at(place, what) for place in arrow.path), steps=10)
    centre, edge = places.way_out(arrow.path[0], what)
    if not places.off_the_edge(arrow.path[0], what):
        edge = moved(centre, -pi / 2, 0.9 * places.unit)
    return edge, centre


def trimmed(path: Path, first: Sequence[Box], last: Sequence[Box], *, scale: float) -> Path:
    """The part of a path outside the boxes where it starts and ends, never less than a stub in its middle."""
    total, step = length(path), 1.0
    start, stop = 0.0, total
    while start < total and _inside(along(path, start)[0], first, _CLEAR * scale / 2):
        start += step
    while stop > 0 and _inside(along(path, stop)[0], last, _CLEAR * scale / 2):
        stop -= step
    if stop - start < _SHORTEST * scale:
        middle = min(max((start + stop) / 2, total * 0.2), total * 0.8)
        start, stop = max(0.0, middle - _SHORTEST * scale / 2), min(total, middle + _SHORTEST * scale / 2)
    return part(path, start, stop)


def _inside(point: Point, boxes: Sequence[Box], margin: float) -> bool:
    x, y = point
    return any(b[0] - margin < x < b[2] + margin and b[1] - margin < y < b[3] + margin for b in boxes)


# --- shapes -----------------------------------------------------------------------------------------------------------

_RIM = 2.4
_WIDTH = 3.4


def paint_track(paper: Image.Image, track: Track, scale: float) -> None:
    """Draw an arrow within a light rim."""
    draw = {
        ArrowKind.MOVE: _move,
        ArrowKind.STOPPED: _stopped,
        ArrowKind.ATTACK: _attack,
        ArrowKind.ADVANCE: _advance,
        ArrowKind.RETREAT: _retreat,
    }[track.kind]
    body = list(draw(track.path, scale))
    lay(paper, [*body, *(rimmed(shape, _RIM * scale) for shape in body)], theme.HALO)
    lay(paper, body, track.livery.strong)


def rimmed(shape: Shape, rim: float) -> Shape:
    """The shape made larger all round."""
    if isinstance(shape, Disc):
        return Disc(shape.at, shape.radius + rim / 2)
    if isinstance(shape, Stroke):
        return Stroke(shape.path, shape.width + rim)
    return Stroke((*shape.outline, *shape.outline[:2]), rim)


def _move(path: Path, scale: float) -> Iterator[Shape]:
    shaft, head = _split(path, 10 * scale)
    yield from _shaft(shaft, scale)
    yield _head(head, 6.5 * scale)


def _stopped(path: Path, scale: float) -> Iterator[Shape]:
    yield from _shaft(path, scale)
    tip, way = path[-1], heading(path[-2], path[-1])
    yield Stroke((moved(tip, way + pi / 2, 7 * scale), moved(tip, way - pi / 2, 7 * scale)), 3.6 * scale)


def _attack(path: Path, scale: float) -> Iterator[Shape]:
    """A broad wedge."""
    shaft, head = _split(path, 11 * scale)
    if length(shaft) > 1:
        yield Stroke(shaft, 6 * scale)
    yield _head(head, 8 * scale)


def _advance(path: Path, scale: float) -> Iterator[Shape]:
    """Two heads behind each other."""
    shaft, head = _split(path, 9 * scale)
    back, second = _split(shaft, 7 * scale)
    yield from _shaft(back, scale)
    yield _head(second, 6.5 * scale)
    yield _head(head, 6.5 * scale)


def _retreat(path: Path, scale: float) -> Iterator[Shape]:
    """Dashes and an open head."""
    tip = path[-1]
    way = heading(_split(path, 6 * scale)[1][0], tip)
    yield Disc(path[0], 3.4 * scale)
    for dash in dashes(path, 7 * scale, 4.5 * scale):
        yield Stroke(dash, _WIDTH * scale)
    barbs = tuple(moved(tip, way + pi + turn, 9.5 * scale) for turn in (0.6, -0.6))
    yield Stroke((barbs[0], tip, barbs[1]), 2.8 * scale)


def _shaft(path: Path, scale: float) -> Iterator[Shape]:
    yield Disc(path[0], 3.4 * scale)
    if length(path) > 1:
        yield Stroke(path, _WIDTH * scale)


def _split(path: Path, last: float) -> tuple[Path, Path]:
    """A path but for its last piece, and that piece."""
    total = length(path)
    cut = max(0.0, total - last)
    return part(path, 0.0, cut), part(path, cut, total)


def _head(path: Path, half: float) -> Fill:
    """A solid wedge from the start of a short path to its end."""
    foot, tip = path[0], path[-1]
    way = heading(foot, tip)
    return Fill((tip, moved(foot, way + pi / 2, half), moved(foot, way - pi / 2, half)))
