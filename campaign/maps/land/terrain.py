"""Ground as areas of land: places of one kind melt into one another, and their borders wander a little.

Each kind of land covers the union of itself and all kinds laid over it, so that no gaps open where three meet. The
unions are blurred, disturbed by a fixed relief of noise, and cut off at half their height.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import pi
from typing import cast
from zlib import crc32

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from campaign.engine.display.signs import Sign
from campaign.engine.display.views import BaseMap, Ground
from campaign.maps.drawing.geometry import Knot, Path, Point, heading, knot, moved, sides
from campaign.maps.drawing.ink import Fill, mask_of
from campaign.maps.land.features import clockwise, outer_sides
from campaign.maps.land.landmarks import MARK_PITCH, mark_stamp
from campaign.maps.land.projection import Projection
from campaign.maps.style.declared import declared
from campaign.maps.style.schemes import Scheme, Tint
from campaign.maps.style.theme import LANDS, Mark

COARSE = 0.5
"""Pixels of the blurred fields per pixel of the picture; they have no detail to lose."""
SOFTNESS = 0.30
"""Radius of the blur in map units."""
WANDER = 52
"""How far borders wander, out of 255."""
WANDER_LENGTH = 0.62
"""Map units between the bends of a wandering border."""
LEVEL = 112
"""Where the blurred fields are cut; a little under half, so that single places keep their size."""


def paint_terrain(paper: Image.Image, base: BaseMap, projection: Projection, colours: Scheme) -> None:
    """Paint all ground of the base map; raises ValueError for a kind of land that is not declared."""
    outlines = [projection.path(ground.edge) for ground in base.grounds]
    inside = mask_of(map(Fill, outlines), paper.size)
    lands = declared(base.signs).lands
    kinds = _kinds(sign.symbol for sign in lands.values())
    ranks = [kinds.index(_look(ground, lands)) for ground in base.grounds]
    spilled = list(zip(ranks, _spilled(outlines, projection.unit), strict=True))
    fields = [
        _field([shape for rank, shapes in spilled if rank >= n for shape in shapes], projection)
        for n in range(1, len(kinds))
    ]
    paper.paste(colours.lands[kinds[0]].fill, None, inside)
    for kind, field in zip(kinds[1:], fields, strict=True):
        _cover(paper, colours.lands[kind], field, inside)
    for n, kind in enumerate(() if projection.coarse else kinds[1:], start=1):
        _strew(paper, LANDS[kind], colours.lands[kind], (fields[n - 1], *fields[n : n + 1], inside), projection)


def _kinds(looks: Iterable[str]) -> list[str]:
    """The looks of the declared lands in the order of the layers; below them all lies the first of all looks."""
    first, *others = LANDS
    declared_looks = frozenset(looks)
    return [first, *(look for look in others if look in declared_looks)]


def _look(ground: Ground, lands: Mapping[str, Sign]) -> str:
    if ground.terrain not in lands or lands[ground.terrain].symbol not in LANDS:
        raise ValueError(f"place {ground.id}: no colour for terrain {ground.terrain!r}; there are {', '.join(lands)}")
    return lands[ground.terrain].symbol


# --- fields -----------------------------------------------------------------------------------------------------------


def _field(shapes: Sequence[Path], projection: Projection) -> Image.Image:
    """A field that is high inside the shapes, with soft, wandering borders."""
    size = (round(projection.width * COARSE), round(projection.height * COARSE))
    field = Image.new("L", size)
    pen = ImageDraw.Draw(field)
    for shape in shapes:
        pen.polygon([(x * COARSE, y * COARSE) for x, y in shape], fill=255)
    soft = field.filter(ImageFilter.GaussianBlur(SOFTNESS * projection.unit * COARSE))
    wandering = ImageChops.add(soft, _noise(size, projection), 1, -WANDER // 2)
    return wandering.resize((projection.width, projection.height), Image.Resampling.BICUBIC)


def _spilled(outlines: Sequence[Path], unit: float) -> list[list[Path]]:
    """For each outline, itself and what it would cover beyond the map's edge, so that land does not fade there."""
    outer = outer_sides(outlines)
    away: dict[Knot, Point] = defaultdict(lambda: (0.0, 0.0))
    for p, q in outer:
        normal = moved((0.0, 0.0), heading(p, q) - pi / 2, 1.0)
        for end in (p, q):
            away[knot(end)] = (away[knot(end)][0] + normal[0], away[knot(end)][1] + normal[1])
    edge = set(outer)
    return [
        [
            outline,
            *(
                (p, q, _pushed(q, away, unit), _pushed(p, away, unit))
                for p, q in sides(clockwise(outline))
                if (p, q) in edge
            ),
        ]
        for outline in outlines
    ]


def _pushed(point: Point, away: Mapping[Knot, Point], unit: float) -> Point:
    """A point on the edge of the map, moved well beyond it."""
    return moved(point, heading((0.0, 0.0), away[knot(point)]), 1.5 * unit)


def _noise(size: tuple[int, int], projection: Projection) -> Image.Image:
    """A smooth relief from 0 to WANDER that is the same in every process."""
    step = max(WANDER_LENGTH * projection.unit * COARSE, 4.0)
    columns, rows = int(size[0] / step) + 2, int(size[1] / step) + 2
    levels = bytes(crc32(b"%d %d" % (x, y)) % (WANDER + 1) for y in range(rows) for x in range(columns))
    return Image.frombytes("L", (columns, rows), levels).resize(
        size, Image.Resampling.BICUBIC, (0, 0, size[0] / step, size[1] / step)
    )


# --- painting ---------------------------------------------------------------------------------------------------------


def _cover(paper: Image.Image, tint: Tint, field: Image.Image, inside: Image.Image) -> None:
    """Fill an area and draw its edge."""
    if tint.edge is not None:
        rim = field.point([_ramp(level - LEVEL + 9) for level in range(256)])
        paper.paste(tint.edge, None, ImageChops.multiply(rim, inside))
    area = field.point([_ramp(level - LEVEL) for level in range(256)])
    paper.paste(tint.fill, None, ImageChops.multiply(area, inside))


def _ramp(above: int) -> int:
    """Coverage of a pixel whose field lies so far above the cut: antialiased, since a field changes slowly."""
    return min(255, max(0, 128 + above * 16))


def _strew(paper: Image.Image, mark: Mark, tint: Tint, fields: Sequence[Image.Image], projection: Projection) -> None:
    """Print the land's mark all over its area, whole marks only. Fields: its own, that of the next, the map's."""
    if mark is Mark.NONE:
        return
    own, *over, inside = fields
    stamp = mark_stamp(mark, tint.ink, projection.scale)
    margin = round(6 * projection.scale)
    for x, y in _lattice(mark, projection):
        clear = all(_level(field, x, y) < LEVEL - 48 for field in over)
        if clear and _level(own, x, y) > LEVEL + 48 and _well_inside(inside, x, y, margin):
            stamp.press(paper, (x, y))


def _well_inside(inside: Image.Image, x: int, y: int, margin: int) -> bool:
    around = ((x - margin, y - margin), (x + margin, y - margin), (x - margin, y + margin), (x + margin, y + margin))
    return all(_level(inside, *corner) == 255 for corner in around)


def _level(field: Image.Image, x: int, y: int) -> int:
    return cast(int, field.getpixel((x, y)))


def _lattice(mark: Mark, projection: Projection) -> Iterator[tuple[int, int]]:
    """Whole pixels in rows, every second row shifted by half a step."""
    across, down = (max(2, round(step * projection.scale)) for step in MARK_PITCH[mark])
    left, top, right, bottom = (round(edge) for edge in projection.frame)
    for row, y in enumerate(range(top + down, bottom - down, down)):
        shift = across // 2 if row % 2 else 0
        for x in range(left + across + shift, right - across, across):
            yield x, y
