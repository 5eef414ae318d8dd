"""The quick-reference chart of a View as a PNG picture: a title, and tables in columns."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain

from PIL import Image

from campaign.engine.display.views import BaseMap, Panel, View
from campaign.engine.values.ids import SideId
from campaign.maps.drawing.canvas import Board
from campaign.maps.drawing.ink import shrunk, width_of
from campaign.maps.drawing.paper import IndexedPaper, PalettePrinter
from campaign.maps.drawing.png import FILTER, encode, palette_for
from campaign.maps.furniture import plate_colour
from campaign.maps.style import theme
from campaign.maps.style.schemes import DEFAULT, Colour, Scheme
from campaign.maps.style.theme import Print

WIDTH = 900
"""Pixels: forums show it unscaled, and its smallest print is still readable on a phone."""
_PAGE = 1.25
"""Pixels to the point. Every row is a multiple of 4 points high, so rules fall on whole pixels."""
_POINTS = WIDTH / _PAGE
_COLUMNS = 3
_GAP = 8.0
_COLUMN = (_POINTS - 2 * theme.RIM - (_COLUMNS - 1) * _GAP) / _COLUMNS
"""Points across a table."""
_TITLE = 88.0
_HEAD = 24.0
_ROW = 16.0
_PAD = 8.0
_BETWEEN = 12.0
"""Points between the columns of a table."""
_HAIR = 1 / _PAGE
_FOOT = 28.0
_SMALLEST = 8.5
"""The smallest print of a long cell; if it is still too long, it is cut short."""


def draw_chart(base: BaseMap, view: View, *, colours: Scheme = DEFAULT) -> bytes:
    """The chart of a View as the bytes of a PNG file, `WIDTH` pixels wide and as high as its tables need.

    Equal arguments give equal bytes. It reads nothing of the base map but the sides.
    """
    columns = _columns([panel for panel in view.chart if panel.rows])
    high = max((sum(map(_height, column)) for column in columns), default=0.0)
    press = _press(base.sides, colours)
    row = FILTER + bytes((press.index(colours.paper),)) * WIDTH
    paper = IndexedPaper(bytearray(row * round((_TITLE + high + _FOOT) * _PAGE)), WIDTH, press)
    board = Board(paper, (0, 0), _PAGE, colours)
    _paint_heading(board, base, view)
    for number, column in enumerate(columns):
        _paint_column(board, base, column, theme.RIM + number * (_COLUMN + _GAP))
    stamp = f"{view.audience_title.upper()}  ·  {view.date}"
    board.write(stamp, (_POINTS - theme.RIM, _TITLE + high + _FOOT / 2), theme.LEGEND_HEAD, "rs")
    return encode(paper.finished(), WIDTH, press.palette)


def _paint_heading(board: Board, base: BaseMap, view: View) -> None:
    """Print campaign, date, phase, the phase that is open now, and the audience in large print."""
    audience = shrunk(view.audience_title.upper(), theme.AUDIENCE_PRINT, _POINTS * 0.3, smallest=14)
    plate = (_POINTS - theme.RIM - width_of(*audience) - 40, 12.0, _POINTS - theme.RIM, _TITLE - 12)
    room = plate[0] - theme.RIM - 16
    campaign = shrunk(view.campaign, theme.CAMPAIGN_PRINT, room, smallest=13)
    after = theme.RIM + width_of(view.date, theme.DATE_PRINT) + 12
    stop = shrunk(view.stop, theme.STOP_PRINT, room - after + theme.RIM, smallest=10)
    following = f"Open now: {view.next_stop}" if view.next_stop else "The campaign has ended."
    board.write(campaign[0], (theme.RIM, 22), campaign[1])
    board.write(view.date, (theme.RIM, 48), theme.DATE_PRINT)
    board.write(stop[0], (after, 48), stop[1])
    following, style = shrunk(following, theme.STOP_PRINT, room, smallest=10)
    board.write(following, (theme.RIM, 70), style)
    middle, colour = ((plate[0] + plate[2]) / 2, (plate[1] + plate[3]) / 2), plate_colour(base, view, board.colours)
    board.fill(plate, colour)
    board.write(audience[0], middle, audience[1], "ms", ink=board.colours.reverse, on=colour)


# --- columns of tables ------------------------------------------------------------------------------------------------


def _columns(panels: Sequence[Panel]) -> list[list[Panel]]:
    """The tables in columns, read column by column; the columns are as short as possible."""
    heights = [_height(panel) for panel in panels]
    runs = (sum(heights[start:stop]) for start in range(len(panels)) for stop in range(start + 1, len(panels) + 1))
    filled = (_filled(panels, most) for most in sorted({*runs, 0.0}))
    return next(columns for columns in filled if len(columns) <= _COLUMNS)


def _filled(panels: Sequence[Panel], most: float) -> list[list[Panel]]:
    """The tables in columns, each filled up to a height before the next begins."""
    columns: list[list[Panel]] = []
    room = 0.0
    for panel in panels:
        if not columns or _height(panel) > room + 1e-6:
            columns.append([])
            room = most
        columns[-1].append(panel)
        room -= _height(panel)
    return columns


def _height(panel: Panel) -> float:
    """The height of a table in points, with the gap under it."""
    return _HEAD + (len(panel.rows) + bool(any(panel.head))) * _ROW + 4.0 + _GAP


# --- tables -----------------------------------------------------------------------------------------------------------


def _paint_column(board: Board, base: BaseMap, panels: Iterable[Panel], left: float) -> None:
    top = _TITLE
    for panel in panels:
        bottom = top + _height(panel)
        board.frame((left, top, left + _COLUMN, bottom - _GAP), board.colours.faint, board.colours.border)
        _paint_table(board, base, panel, (left + _PAD, left + _COLUMN - _PAD), top)
        top = bottom


def _paint_table(board: Board, base: BaseMap, panel: Panel, edges: tuple[float, float], top: float) -> None:
    """Paint a title with its rule at the right, and rows separated by hairlines; the head is in quiet print."""
    (left, right), colours = edges, board.colours
    title, _, rule = panel.title.partition(" [")
    board.write(title, (left, top + 13), theme.PANEL_HEAD, on=colours.border)
    if rule:
        board.write(f"[{rule}", (right, top + 13), theme.PANEL_COLUMN, "rs", ink=colours.quiet, on=colours.border)
    places = _places(panel, edges)
    y = top + _HEAD
    for cells, style in _lines(panel):
        board.fill((left, y, right, y + _HAIR), colours.faint)
        for cell, (x, room, anchor) in zip(cells, places, strict=False):
            text, fitting = shrunk(cell, style, room, smallest=_SMALLEST)
            plain = colours.quiet if style is theme.PANEL_COLUMN else colours.ink
            ink = _side_colour(base, cell, colours) or plain
            board.write(text, (x, y + _ROW / 2), fitting, anchor, ink=ink, on=colours.border)
        y += _ROW


def _lines(panel: Panel) -> list[tuple[tuple[str, ...], Print]]:
    """The head, if there is one, and the rows, each with its print."""
    head = [(panel.head, theme.PANEL_COLUMN)] if any(panel.head) else []
    return head + [(row, theme.PANEL_PRINT) for row in panel.rows]


def _places(panel: Panel, edges: tuple[float, float]) -> list[tuple[float, float, str]]:
    """For each column: where its cells are anchored, their width, and the anchor (the first left, others right)."""
    left, right = edges
    lines = _lines(panel)
    count = max(len(cells) for cells, _ in lines)
    places: list[tuple[float, float, str]] = []
    for n in range(count - 1, 0, -1):
        widest = max((width_of(cells[n], style) for cells, style in lines if n < len(cells)), default=0.0)
        room = min(widest, (edges[1] - edges[0]) / count)
        places.append((right, room, "rs"))
        right -= room + _BETWEEN
    return [(left, right - left, "ls"), *reversed(places)]


def _side_colour(base: BaseMap, cell: str, colours: Scheme) -> Colour | None:
    """The colour of a cell that is the name of a side; None for others."""
    side = SideId(cell.casefold())
    return colours.side_colours(base.sides, side).strong if side in base.sides else None


# --- ink --------------------------------------------------------------------------------------------------------------

_SHADES = 9
"""Shades between a ground and the ink on it, for antialiased print."""


@lru_cache(maxsize=16)
def _press(sides: tuple[SideId, ...], colours: Scheme) -> PalettePrinter:
    """The palette printer that cuts stamps for the charts of these sides."""
    strong = [colours.side_colours(sides, side).strong for side in sides]
    plates = [*colours.plates.values(), colours.ink, *strong]
    pairs = [(colours.ink, colours.paper), *((colours.reverse, plate) for plate in plates)]
    pairs += [(ink, colours.border) for ink in (colours.ink, colours.quiet, *strong)]
    exact = (colours.paper, colours.border, colours.ink, colours.faint, colours.halo, *plates)
    shades = (_shade(ink, ground, step / _SHADES) for step in range(_SHADES + 1) for ink, ground in pairs)
    return PalettePrinter(palette_for(Image.new("RGB", (1, 1), colours.paper), chain(exact, shades)), colours.halo)


def _shade(ink: Colour, ground: Colour, part: float) -> Colour:
    red, green, blue = (round(there + (here - there) * part) for here, there in zip(ink, ground, strict=True))
    return red, green, blue
