"""What sides hold: a wash of the side's colour over its land, and a band within the border of all that it holds."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from campaign.engine.values.ids import PlaceId, SideId
from campaign.maps.drawing.geometry import Path, Point, knot, shifted
from campaign.maps.drawing.ink import Stamp, Stroke, stamped
from campaign.maps.drawing.inlay import Layer, piece
from campaign.maps.land.bends import Bend, bends
from campaign.maps.land.features import Places, outer_sides
from campaign.maps.style.schemes import Colour, Scheme, SideColours

WASH = 0.17
"""The strength of a wash, from 0 to 1."""
RIM = 0.8
"""The width of the light rim of a band, in points."""
_BAND, _WITHIN = 2.2, 3.4
"""Of a band, in points: its width, and how far within the border its middle runs."""
BAND_REACH = _WITHIN + _BAND / 2 + RIM / 2
"""How far from the border a band reaches, in points."""


@dataclass(frozen=True)
class Holding:
    """All places that one side holds, in pixels."""

    side_colours: SideColours
    lands: tuple[Path, ...]
    """The outline of each place."""
    border: tuple[Bend, ...]
    """The border of them all, with the inside on the right."""


def holdings(
    control: Sequence[tuple[PlaceId, SideId]], sides: tuple[SideId, ...], places: Places, colours: Scheme
) -> tuple[Holding, ...]:
    """What each side holds. Raises ValueError for a place that the map lacks, or a side without colours."""
    return tuple(
        holding([places.outline(at, "control") for at, its in control if its == side], side_colours)
        for side, side_colours in {side: colours.side_colours(sides, side) for _, side in control}.items()
    )


def holding(lands: Sequence[Path], side_colours: SideColours) -> Holding:
    """Lands in one hand: there is no border between neighbours."""
    edges = ((edge, (knot(edge[0]), knot(edge[1]))) for edge in outer_sides(lands))
    return Holding(side_colours, tuple(lands), tuple(bends(edges)))


@stamped
def band_stamp(
    side_colours: SideColours, come: Point | None, go: Point | None, at: Point, scale: float, *, halo: Colour
) -> Stamp:
    """A piece of a band, the border given as in `piece`; anchored in the corner's pixel."""
    return piece(partial(_layers, side_colours.strong, scale), (come, go), at, RIM * scale, halo)


def _layers(colour: Colour, scale: float, path: Path) -> list[Layer]:
    return [([band(path, scale)], colour)]


def band(path: Path, scale: float) -> Stroke:
    """The band along a border that has its inside on the right."""
    return Stroke(shifted(path, _WITHIN * scale), _BAND * scale)
