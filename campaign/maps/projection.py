"""From map units to pixels: where on a picture of a wanted width the title, the map and the legend lie."""

from dataclasses import dataclass
from itertools import chain

from campaign.engine.views import BaseMap
from campaign.maps import theme
from campaign.maps.geometry import Box, Path, Point, bounds, grown


@dataclass(frozen=True)
class Projection:
    """A sheet of paper: `unit` pixels to the map unit, and the boxes of its parts in pixels."""

    width: int
    height: int
    unit: float
    left: float
    top: float
    title: Box
    frame: Box
    legend: Box

    def at(self, point: Point) -> Point:
        return self.left + point[0] * self.unit, self.top + point[1] * self.unit

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
    """The projection that fills a sheet of this width with the base map, its margin and its furniture."""
    if width < theme.NARROWEST:
        raise ValueError(f"a map must be at least {theme.NARROWEST} pixels wide, not {width}")
    left, top, right, bottom = _extent(base)
    page = width / theme.WIDTH
    rim = round(theme.RIM * page)
    unit = (width - 2 * rim) / (right - left)
    head = round(theme.TITLE_HEIGHT * page)
    foot = head + round((bottom - top) * unit)
    height = foot + round(theme.LEGEND_HEIGHT * page)
    return Projection(
        width=width,
        height=height,
        unit=unit,
        left=rim - left * unit,
        top=head - top * unit,
        title=(0, 0, width, head),
        frame=(rim, head, width - rim, foot),
        legend=(0, foot, width, height),
    )


def _extent(base: BaseMap) -> Box:
    """The part of the plane that is drawn: all grounds and margin labels, and room for the names of entries."""
    if not base.grounds:
        raise ValueError(f"the base map {base.title!r} has no places")
    around = bounds(chain((p for ground in base.grounds for p in ground.outline), (label.at for label in base.margin)))
    return grown(around, theme.MARGIN if base.entries else theme.BARE_MARGIN)
