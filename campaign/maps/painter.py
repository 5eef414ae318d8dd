"""A View as a picture: the sheet of its base map is drawn once and kept, and the View is stamped on a copy."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TypeVar

from PIL import Image

from campaign.core.memory import MB, Memory
from campaign.engine.display.views import BaseMap, View
from campaign.maps.base.layout import Layout, Survey, survey_name
from campaign.maps.base.painting import name_stamp, number_stamp, paint_names, paint_sheet
from campaign.maps.base.rendered_base import RenderedBase, base_name, render_base
from campaign.maps.drawing.disk_cache import DISK_CACHE
from campaign.maps.drawing.ink import Stamp, weight_of
from campaign.maps.drawing.paper import IndexedPaper, PalettePrinter, Paper, TruePaper
from campaign.maps.drawing.png import FILTER, Palette, encode
from campaign.maps.drawing.sizes import FORUM, THUMBNAIL
from campaign.maps.furniture import arrange, paint_furniture
from campaign.maps.land.holdings import WASH, band_stamp
from campaign.maps.land.labels import Name
from campaign.maps.land.lines import closed_stamp, front_stamp
from campaign.maps.scene import Scene, scene
from campaign.maps.signs.counters import counter_stamp, words_stamp
from campaign.maps.signs.markers import marker_stamp
from campaign.maps.signs.traces import cross_stamp
from campaign.maps.style.schemes import DEFAULT, Scheme

P = TypeVar("P", bound=Paper)


@dataclass(frozen=True)
class Sheet:
    """A base map at one width, ready to copy."""

    layout: Layout
    rows: bytes
    """Palette indexes, each row after its filter byte."""
    printer: PalettePrinter
    patches: tuple[Stamp, ...]
    """For each name, the sheet without it."""

    @property
    def width(self) -> int:
        return self.layout.projection.width

    @property
    def weight(self) -> int:
        """Its size in memory in bytes, with its layout and the stamps cut for it."""
        return self._paper + self.printer.weight

    @cached_property
    def _paper(self) -> int:
        return len(self.rows) + sum(map(weight_of, self.patches)) + self.layout.weight

    def copy(self, strip: int) -> IndexedPaper:
        """A copy of the sheet with a strip of this height added at its foot."""
        row = FILTER + bytes((self.printer.index(self.layout.colours.paper),)) * self.width
        return IndexedPaper(bytearray().join((self.rows, row * strip)), self.width, self.printer)


def draw(base: BaseMap, view: View, *, width: int = FORUM, colours: Scheme = DEFAULT) -> bytes:
    """The map of a View as the bytes of a PNG file, `width` pixels wide.

    Equal arguments give equal bytes. Raises ValueError for a place, terrain or side that the base map lacks.
    """
    sheet = sheet_of(base, width, colours)
    return encode(_rows(sheet, view), width, sheet.printer.palette)


def bare_sheet(base: BaseMap, *, width: int = FORUM, colours: Scheme = DEFAULT) -> bytes:
    """The sheet without names of places, as PNG: the same for every audience and phase, since names may move."""
    sheet = sheet_of(base, width, colours)
    paper = sheet.copy(0)
    for patch in sheet.patches:
        paper.press(patch, (0, 0))
    return encode(paper.finished(), width, sheet.printer.palette)


def named_sheet(base: BaseMap, *, width: int = FORUM, colours: Scheme = DEFAULT) -> bytes:
    """The sheet with the names of places and nothing on it, as PNG."""
    sheet = sheet_of(base, width, colours)
    return encode(sheet.rows, width, sheet.printer.palette)


def bare_land(base: BaseMap, *, width: int = THUMBNAIL, colours: Scheme = DEFAULT) -> bytes:
    """The named sheet from the upper to the lower edge of its frame, as PNG: without title and legend."""
    sheet = sheet_of(base, width, colours)
    _, top, _, bottom = sheet.layout.projection.frame
    row = len(FILTER) + width
    return encode(sheet.rows[round(top) * row : round(bottom) * row], width, sheet.printer.palette)


def picture(base: BaseMap, view: View, *, width: int = FORUM, colours: Scheme = DEFAULT) -> Image.Image:
    """The map of `draw` as an indexed picture in memory."""
    sheet = sheet_of(base, width, colours)
    rows = _rows(sheet, view)
    whole = Image.frombytes("P", (width + len(FILTER), len(rows) // (width + len(FILTER))), bytes(rows))
    cut = whole.crop((len(FILTER), 0, *whole.size))
    cut.putpalette([level for colour in sheet.printer.palette.colours for level in colour])
    return cut


def _rows(sheet: Sheet, view: View) -> bytearray:
    return _printed(view, sheet.layout, sheet.patches, sheet.copy).finished()


def proof(base: BaseMap, view: View, *, width: int = FORUM, colours: Scheme = DEFAULT) -> Image.Image:
    """The same map in true colour with every edge antialiased, which `draw` approximates."""
    layout = Layout.of(base, width, colours)
    bare = paint_sheet(layout)
    patches = paint_names(bare, layout)

    def copy(strip: int) -> TruePaper:
        longer = Image.new("RGB", (bare.width, bare.height + strip), colours.paper)
        longer.paste(bare)
        return TruePaper(longer)

    return _printed(view, layout, patches, copy).image


def sheet_of(base: BaseMap, width: int, colours: Scheme = DEFAULT) -> Sheet:
    """The sheet of a base map, width and scheme: from memory, from a file, or drawn now."""
    return SHEETS.get((base, width, colours), partial(_sheet, base, width, colours))


def draw_ahead(base: BaseMap, width: int, colours: Scheme = DEFAULT) -> bool:
    """Draw a sheet into its file in advance. False if the file exists; raises OSError if it cannot be written."""
    names = (survey_name(base, width), base_name(base, width, colours))
    if all(map(DISK_CACHE.use, names)):
        return False
    layout = Layout.made(base, width, colours)
    DISK_CACHE.fetch(names[0], Survey, lambda: layout.survey)
    DISK_CACHE.fetch(names[1], RenderedBase, partial(render_base, layout))
    if not all(map(DISK_CACHE.use, names)):
        raise OSError(f"the sheet {names[1]} is not in its file")
    return True


def _sheet(base: BaseMap, width: int, colours: Scheme) -> Sheet:
    layout = Layout.of(base, width, colours)
    rendered = DISK_CACHE.fetch(base_name(base, width, colours), RenderedBase, partial(render_base, layout))
    printer = PalettePrinter(Palette.of(rendered.colours), colours.halo)
    return Sheet(layout, rendered.rows, printer, tuple(patch.stamp() for patch in rendered.patches))


SHEETS: Memory[tuple[BaseMap, int, Scheme], Sheet] = Memory(40 * MB, lambda sheet: sheet.weight)
"""The sheets in use, with the stamps cut for them. A sheet of 2,400 pixels takes 8 MB without stamps."""


def _printed(view: View, layout: Layout, patches: Sequence[Stamp], copy: Callable[[int], P]) -> P:
    """A View printed on a copy of the sheet, which is lengthened for its tables."""
    drawn = scene(view, layout)
    plan = arrange(view, drawn, layout.projection)
    paper = copy(round(plan.strip * layout.projection.page))
    for number in drawn.gone:
        paper.press(patches[number], (0, 0))
    _paint_scene(paper, drawn, layout)
    paint_furniture(paper, view, layout, plan)
    return paper


def _paint_scene(paper: Paper, drawn: Scene, layout: Layout) -> None:
    """Paint a scene from bottom to top: ways, names, counters, signs, then covered words again."""
    scale, colours = layout.projection.scale, layout.colours
    for held in drawn.holdings:
        paper.wash(held.side_colours.strong, WASH, held.lands)
    for held in drawn.holdings:
        for bend in held.border:
            paper.press(
                band_stamp(held.side_colours, bend.come, bend.go, bend.part, scale, halo=colours.halo), bend.pixel
            )
    _paint_front(paper, drawn, layout)
    _paint_tracks(paper, drawn, colours, attacks=False)
    for step in drawn.traces:
        paper.press(*step.stamp(scale, colours))
    _paint_counters(paper, drawn, layout)
    _paint_tracks(paper, drawn, colours, attacks=True)
    _paint_signs(paper, drawn, layout)
    for piece in drawn.words:
        paper.press(words_stamp(piece.style, piece.size, scale, colours), piece.at)
    _paint_names(paper, drawn.last, layout)


def _paint_counters(paper: Paper, drawn: Scene, layout: Layout) -> None:
    """Paint names, counters over them, and over these what belongs to their edges: dots of leaders, and ids."""
    scale, colours = layout.projection.scale, layout.colours
    for leader in drawn.leaders:
        paper.press(*leader.line_stamp(scale, colours))
    _paint_names(paper, drawn.names, layout)
    for piece in drawn.pieces:
        paper.press(counter_stamp(piece.style, piece.size, scale, colours), piece.at)
    for leader in drawn.leaders:
        if leader.pinned:
            paper.press(*leader.pin_stamp(scale, colours))
    for number in drawn.ids:
        paper.press(number_stamp(number.text, scale, colours, haloed=True), number.at)


def _paint_names(paper: Paper, names: Sequence[Name], layout: Layout) -> None:
    for name in names:
        paper.press(name_stamp(name, layout.print_on.scale, layout.colours), name.at)


def _paint_signs(paper: Paper, drawn: Scene, layout: Layout) -> None:
    """Paint bars of stopped moves, over any counters there, then crosses of supply, then markers."""
    scale, colours = layout.projection.scale, layout.colours
    for track in drawn.tracks:
        if track.head_again:
            paper.press(*track.head_stamp(colours.halo))
    for at in drawn.crosses:
        paper.press(cross_stamp(scale, colours), at)
    for sign in drawn.signs:
        paper.press(marker_stamp(sign.badge, scale, colours), sign.at)


def _paint_front(paper: Paper, drawn: Scene, layout: Layout) -> None:
    """Paint the front, and over it the closed sides, which it would hide."""
    scale, colours = layout.projection.scale, layout.colours
    both = colours.two_sides(layout.base.sides)
    for bend in drawn.front:
        paper.press(front_stamp(both, bend.come, bend.go, bend.part, scale, halo=colours.halo), bend.pixel)
    for path in layout.lines.closed if drawn.front else ():
        paper.press(closed_stamp(path, scale, colours), (0, 0))


def _paint_tracks(paper: Paper, drawn: Scene, colours: Scheme, *, attacks: bool) -> None:
    """Paint the shafts of arrows, then their heads, so that no arrow covers the head of another."""
    tracks = [track for track in drawn.tracks if track.over_counters is attacks]
    for ends in (False, True):
        for track in tracks:
            for leg in track.legs[-1:] if ends else track.legs[:-1]:
                paper.press(*track.stamp(leg, colours.halo))
