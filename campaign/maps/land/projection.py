"""From map units to pixels: where title, map and legend are on a picture of a given width."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain, pairwise
from math import floor

from campaign.engine.display.views import BaseMap
from campaign.maps.drawing.geometry import Box, Path, Point, bounds, grown
from campaign.maps.style import theme


@dataclass(frozen=True)
class Projection:
    """A sheet of paper:

    `unit` and `down` pixels to the map unit, across and down, and the boxes of its parts in pixels.
    """

    width: int
    height: int
    page: float
    """Pixels per point of the sizes of title and legend."""
    unit: float
    down: float
    """Differs slightly from `unit` if places are on a grid, so that steps are whole pixels both ways."""
    left: float
    top: float
    title: Box
    frame: Box
    cartouche: Box
    legend: Box

    def at(self, point: Point) -> Point:
        return self.left + point[0] * self.unit, self.top + point[1] * self.down

    def path(self, points: Path) -> Path:
        return tuple(self.at(point) for point in points)

    @cached_property
    def scale(self) -> float:
        """Pixels to the point of map sizes: 1 when a place is as wide as the theme was made for.

        Places much larger than that get more room, not larger counters.
        """
        return max(theme.SMALLEST, min(self.unit / theme.UNIT, theme.LARGEST * self.page))

    @property
    def coarse(self) -> bool:
        """Whether places are too small for print."""
        return self.unit / theme.UNIT < theme.COARSE

    @property
    def thumbnail(self) -> bool:
        """Whether the sheet has no legend and no tables."""
        return self.width < theme.THUMBNAIL

    @property
    def points(self) -> float:
        """The width of the page in points."""
        return self.width / self.page


def fit(base: BaseMap, width: int) -> Projection:
    """The projection that fills a sheet of this width with the base map, its margin and its furniture.

    Raises ValueError for a width at which nothing is readable, and for a sheet of too many pixels.
    """
    if width < theme.NARROWEST:
        raise ValueError(f"a map must be at least {theme.NARROWEST} pixels wide, not {width}")
    left, top, right, bottom = _extent(base)
    thumbnail = width < theme.THUMBNAIL
    page = width / (theme.THUMBNAIL_WIDTH if thumbnail else theme.WIDTH)
    rim = round(theme.RIM * page)
    room = width - 2 * rim
    columns, rows = ([ground.at[n] for ground in base.grounds] for n in (0, 1))
    across = _Grid.of(columns, room / (right - left), whole=floor)
    down = _Grid.of(rows, across.unit, whole=round)
    head = round(theme.TITLE_HEIGHT * page)
    foot = head + round((bottom - top) * down.unit)
    under = foot if thumbnail else foot + round(theme.CARTOUCHE_HEIGHT * page)
    height = under + round((theme.FOOT_HEIGHT if thumbnail else theme.LEGEND_HEIGHT) * page)
    if width * height > theme.MOST_PIXELS:
        most = f"at most {theme.MOST_PIXELS:,} pixels are drawn"
        raise ValueError(f"{width:,} pixels wide it would be {height:,} pixels high, and {most}")
    spare = (room - (right - left) * across.unit) / 2
    return Projection(
        width=width,
        height=height,
        page=page,
        unit=across.unit,
        down=down.unit,
        left=across.aligned(rim + spare - left * across.unit),
        top=down.aligned(head - top * down.unit),
        title=(0, 0, width, head),
        frame=(rim, head, width - rim, foot),
        cartouche=(0, foot, width, under),
        legend=(0, under, width, height),
    )


@lru_cache(maxsize=16)
def size_of(base: BaseMap, width: int) -> tuple[int, int]:
    """Width and height in pixels of a map of this width, before tables make it longer."""
    found = fit(base, width)
    return found.width, found.height


# --- the grid ---------------------------------------------------------------------------------------------------------

_MOST_OFF = 0.025
"""How much of a grid's step may be given up for whole pixels."""


@dataclass(frozen=True)
class _Grid:
    """Places in rows or columns, drawn so that the steps between them are whole pixels, or fractions of small steps.

    What is drawn at one place then fits all others, and equal columns pack well.
    """

    unit: float
    first: float
    grain: float
    """The multiple that counts as whole enough; 0 if places are on no grid."""

    @classmethod
    def of(cls, values: Iterable[float], unit: float, *, whole: Callable[[float], int]) -> "_Grid":
        known = sorted({round(value, 6): value for value in values}.values())
        step = _step(known)
        if not step:
            return cls(unit, known[0], 0.0)
        grain = 1.0
        while grain > _MOST_OFF * step * unit:
            grain /= 2
        return cls(whole(step * unit / grain) * grain / step, known[0], grain)

    def aligned(self, origin: float) -> float:
        """A nearby origin from which the first row or column falls on whole pixels."""
        if not self.grain:
            return origin
        at = origin + self.first * self.unit
        return round(at / self.grain) * self.grain - self.first * self.unit


def _step(known: Sequence[float]) -> float:
    """The distance that divides all distances; 0 if there is none."""
    gaps = [b - a for a, b in pairwise(known)]
    least = min(gaps, default=0.0)
    counts = [gap / least for gap in gaps]
    if any(abs(count - round(count)) > 1e-3 for count in counts):
        return 0.0
    return (known[-1] - known[0]) / max(1, sum(map(round, counts)))


def _extent(base: BaseMap) -> Box:
    """The part of the plane to draw: all grounds and margin labels, and room for the names of entries."""
    if not base.grounds:
        raise ValueError(f"the base map {base.title!r} has no places")
    around = bounds(chain((p for ground in base.grounds for p in ground.edge), (label.at for label in base.margin)))
    return grown(around, theme.MARGIN if base.entries else theme.BARE_MARGIN)
