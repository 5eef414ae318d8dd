"""From a base map and a View to a picture: the sheet is drawn once and kept, what a View shows is laid over it."""

from dataclasses import dataclass
from functools import lru_cache

from PIL import Image

from campaign.engine.views import ArrowKind, BaseMap, View
from campaign.maps import lines, theme
from campaign.maps.arrows import paint_track
from campaign.maps.counters import counter_stamp
from campaign.maps.features import features
from campaign.maps.furniture import arrange, paint_furniture
from campaign.maps.geometry import Path
from campaign.maps.labels import Labels, labels
from campaign.maps.markers import marker_stamp
from campaign.maps.png import Palette, encode, indexed, palette_for
from campaign.maps.projection import Projection, fit
from campaign.maps.samples import exact_colours, sample_sheet
from campaign.maps.scene import Scene, scene
from campaign.maps.sheet import paint_sheet, press_names


@dataclass(frozen=True)
class Sheet:
    """A base map at one width, ready to be copied."""

    projection: Projection
    print_on: Labels
    closed: tuple[Path, ...]
    """Drawn over fronts, which would hide them."""
    picture: Image.Image
    """Indexed."""
    palette: Palette


def draw(base: BaseMap, view: View, *, width: int = 1600) -> bytes:
    """The map of one View as the bytes of a PNG file, `width` pixels wide.

    Equal arguments give equal bytes. Raises ValueError for a place, terrain or side that the base map does not have.
    """
    sheet = sheet_of(base, width)
    drawn = scene(base, view, sheet.projection, sheet.print_on)
    plan = arrange(view, drawn, sheet.projection.page)
    paper = _copy(sheet, round(plan.strip * sheet.projection.page))
    _paint_scene(paper, base, drawn, sheet)
    paint_furniture(paper, base, view, sheet.projection, plan)
    return encode(indexed(paper, sheet.palette))


@lru_cache(maxsize=4)
def sheet_of(base: BaseMap, width: int) -> Sheet:
    """The sheet under all maps of this base map and width."""
    projection = fit(base, width)
    lines_of_land = features(base, projection)
    print_on = labels(base, lines_of_land, projection)
    paper = paint_sheet(base, lines_of_land, print_on, projection)
    named = paper.copy()
    press_names(named, print_on.names, projection.scale)
    palette = palette_for(sample_sheet(named, base, projection.scale), exact_colours(base))
    return Sheet(projection, print_on, lines_of_land.closed, indexed(paper, palette), palette)


def _copy(sheet: Sheet, strip: int) -> Image.Image:
    """The sheet in true colour, longer by a strip at its foot."""
    if not strip:
        return sheet.picture.convert("RGB")
    paper = Image.new("RGB", (sheet.picture.width, sheet.picture.height + strip), theme.PAPER)
    paper.paste(sheet.picture.convert("RGB"))
    return paper


def _paint_scene(paper: Image.Image, base: BaseMap, drawn: Scene, sheet: Sheet) -> None:
    """Front and arrows, names, counters, attacks, markers: what comes later lies over what came before."""
    scale = sheet.projection.scale
    first, second, *_ = (*(theme.livery(base.sides, side) for side in base.sides), theme.NEUTRAL, theme.NEUTRAL)
    lines.front(paper, drawn.front, (first, second), scale)
    lines.closed_sides(paper, sheet.closed if drawn.front else (), scale)
    _paint_tracks(paper, drawn, scale, attacks=False)
    press_names(paper, sheet.print_on.names, scale)
    for piece in drawn.pieces:
        counter_stamp(piece.look, piece.size, scale).press(paper, piece.at)
    _paint_tracks(paper, drawn, scale, attacks=True)
    for sign in drawn.signs:
        marker_stamp(sign.kind, sign.livery, sign.text, scale).press(paper, sign.at)


def _paint_tracks(paper: Image.Image, drawn: Scene, scale: float, *, attacks: bool) -> None:
    for track in drawn.tracks:
        if (track.kind is ArrowKind.ATTACK) is attacks:
            paint_track(paper, track, scale)
