"""From map units to pixels: where on a picture of a wanted width the title, the map and the legend lie."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from math import floor

from campaign.engine.views import BaseMap
from campaign.maps import theme
from campaign.maps.geometry import Box, Path, Point, bounds, grown


@dataclass(frozen=True)
class Projection:
    """A sheet of paper: `unit` pixels to the map unit across and `down` down, and the boxes of its parts in pixels."""

    width: int
    height: int
    unit: float
    down: float
    """Differs from `unit` by a hair where places stand on a grid: whole pixels lie between them either way."""
    left: float
    top: float
    title: Box
    frame: Box
    legend: Box

    def at(self, point: Point) -> Point:
        return self.left + point[0] * self.unit, self.top + point[1] * self.down

    def path(self, points: Path) -> Path:
        return tuple(self.at(point) for point in points)

    @property
    def scale(self) -> float:
        """Pixels to the point of map sizes: 1 when a hex is as wide as the theme was made for.

        Places much larger than that get more room, not larger counters.
        """
        return min(self.unit / theme.UNIT, theme.LARGEST * self.page)

    @property
    def page(self) -> float:
        """Pixels to the point of the sizes of title and legend."""
        return self.width / theme.WIDTH


def fit(base: BaseMap, width: int) -> Projection:
    """The projection that fills a sheet of this width with the base map, its margin and its furniture.

    Raises ValueError for a width at which nothing could be read, and for a sheet of too many pixels.
    """
    if width < theme.NARROWEST:
        raise ValueError(f"a map must be at least {theme.NARROWEST} pixels wide, not {width}")
    left, top, right, bottom = _extent(base)
    page = width / theme.WIDTH
    rim = round(theme.RIM * page)
    room = width - 2 * rim
    columns, rows = ([ground.at[n] for ground in base.grounds] for n in (0, 1))
    across = _Grid.of(columns, room / (right - left), whole=floor)
    down = _Grid.of(rows, across.unit, whole=round)
    head = round(theme.TITLE_HEIGHT * page)
    foot = head + round((bottom - top) * down.unit)
    height = foot + round(theme.LEGEND_HEIGHT * page)
    if width * height > theme.MOST_PIXELS:
        most = f"at most {theme.MOST_PIXELS:,} pixels are drawn"
        raise ValueError(f"a map {width} pixels wide would be {height} pixels high, and {most}")
    spare = (room - (right - left) * across.unit) / 2
    return Projection(
        width=width,
        height=height,
        unit=across.unit,
        down=down.unit,
        left=across.aligned(rim + spare - left * across.unit),
        top=down.aligned(head - top * down.unit),
        title=(0, 0, width, head),
        frame=(rim, head, width - rim, foot),
        legend=(0, foot, width, height),
    )


# --- the grid ---------------------------------------------------------------------------------------------------------

_MOST_OFF = 0.025
"""How much of the step of a grid may be given up for whole pixels."""


@dataclass(frozen=True)
class _Grid:
    """Places in rows or columns, drawn so that steps between them are whole pixels, or halves ... of small steps.

    What is drawn at one place then fits all others, and equal columns pack well.
    """

    unit: float
    first: float
    grain: float
    """Multiples of it are whole enough; 0 where places stand on no grid."""

    @classmethod
    def of(cls, values: Iterable[float], unit: float, *, whole: Callable[[float], int]) -> "_Grid":
        known = sorted({round(value, 6) for value in values})
        step = _step(known)
        if not step:
            return cls(unit, known[0], 0.0)
        grain = 1.0
        while grain > _MOST_OFF * step * unit:
            grain /= 2
        return cls(whole(step * unit / grain) * grain / step, known[0], grain)

    def aligned(self, origin: float) -> float:
        """An origin near this one from which the first row or column falls on whole pixels."""
        if not self.grain:
            return origin
        at = origin + self.first * self.unit
        return round(at / self.grain) * self.grain - self.first * self.unit


def _step(known: Sequence[float]) -> float:
    """The distance of which all distances are multiples; 0 if there is none."""
    gaps = [b - a for a, b in pairwise(known)]
    step = min(gaps, default=0.0)
    return step if all(abs(gap / step - round(gap / step)) < 1e-3 for gap in gaps) else 0.0


def _extent(base: BaseMap) -> Box:
    """The part of the plane that is drawn: all grounds and margin labels, and room for the names of entries."""
    if not base.grounds:
        raise ValueError(f"the base map {base.title!r} has no places")
    around = bounds(chain((p for ground in base.grounds for p in ground.outline), (label.at for label in base.margin)))
    return grown(around, theme.MARGIN if base.entries else theme.BARE_MARGIN)
