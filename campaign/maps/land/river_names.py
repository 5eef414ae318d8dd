"""The placement of the names of rivers, along them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import pi

from campaign.maps.drawing.geometry import Box, Path, along, bounds, eased, grown, heading, length, shifted
from campaign.maps.drawing.ink import run_of
from campaign.maps.land.features import River
from campaign.maps.land.room import Room
from campaign.maps.style import theme
from campaign.maps.style.theme import Print


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


def river_names(rivers: Iterable[River], room: Room, scale: float) -> Iterator[RiverName]:
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
