"""What a View prints round the map: title, date and audience above, small tables next to them and at the foot."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from dataclasses import replace as replaced
from functools import cached_property

from campaign.engine.display.views import BaseMap, Panel, View
from campaign.engine.values.ids import PlaceId, SideId
from campaign.engine.values.value import replace
from campaign.maps.base.cartouche import turn_now
from campaign.maps.base.layout import Layout
from campaign.maps.drawing.canvas import Board
from campaign.maps.drawing.geometry import Box
from campaign.maps.drawing.ink import shrunk, width_of
from campaign.maps.drawing.paper import Paper
from campaign.maps.insets import MOST, Inset, insets
from campaign.maps.land.projection import Projection
from campaign.maps.scene import Scene
from campaign.maps.style import theme
from campaign.maps.style.schemes import Colour, Scheme
from campaign.maps.style.theme import Print

_ROW = 13.5
_HEAD = 22.0
_PAD = 9.0
_GAP = 8.0
_COLUMN = 14.0
_LONGEST = 12
"""The most rows of a table in one box."""
_WIDEST = 48
"""The most letters of a cell."""
_ROOM = theme.WIDTH - 2 * theme.RIM
"""The greatest width of a table, in points."""
_LEAST = 2
"""The most columns of a table that is never split."""


@dataclass(frozen=True)
class Table:
    """A panel, or a part of one that is low enough for the sheet."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    page: float
    """Pixels to the point: print is relatively wider when it is small."""

    @property
    def height(self) -> float:
        return _HEAD + (len(self.rows) + bool(any(self.head))) * _ROW + 2

    @cached_property
    def columns(self) -> list[float]:
        """Widths of its columns in points."""
        lines = [(self.head, theme.PANEL_COLUMN), *((row, theme.PANEL_PRINT) for row in self.rows)]
        count = max((len(line) for line, _ in lines), default=0)
        return [
            max((self._wide(line[n], style) for line, style in lines if n < len(line)), default=0.0)
            for n in range(count)
        ]

    @cached_property
    def width(self) -> float:
        columns = self.columns
        inner = sum(columns) + _COLUMN * max(len(columns) - 1, 0)
        return max(inner, self._wide(self.title, theme.PANEL_HEAD)) + 2 * _PAD

    def paint(self, board: Board, left: float, top: float) -> None:
        colours = board.colours
        board.frame((left, top, left + self.width, top + self.height), colours.faint, colours.border)
        board.write(self.title, (left + _PAD, top + 13), theme.PANEL_HEAD, on=colours.border)
        y = top + _HEAD + _ROW / 2 - 1
        if any(self.head):
            self._paint_row(board, self.head, (left + _PAD, y), theme.PANEL_COLUMN, ink=colours.quiet)
            y += _ROW
        for row in self.rows:
            self._paint_row(board, row, (left + _PAD, y), theme.PANEL_PRINT, ink=colours.ink)
            y += _ROW

    def _paint_row(
        self, board: Board, cells: Sequence[str], at: tuple[float, float], style: Print, *, ink: Colour
    ) -> None:
        x = at[0]
        for cell, width in zip(cells, self.columns, strict=False):
            board.write(cell, (x, at[1]), style, ink=ink, on=board.colours.border)
            x += width + _COLUMN

    def _wide(self, text: str, style: Print) -> float:
        return width_of(text, style, self.page) / self.page


@dataclass(frozen=True)
class Furniture:
    """The positions of what is in the title band and in the strips under the legend, and the strips' height."""

    above: tuple[tuple[Table | Inset, float], ...]
    below: tuple[tuple[Table | Inset, float, float], ...]
    strip: float


def arrange(view: View, drawn: Scene, projection: Projection) -> Furniture:
    """Place every table: next to the title while there is room, otherwise under the legend. In points."""
    above: list[tuple[Table | Inset, float]] = []
    rest: list[Table | Inset] = []
    page = projection.page
    words = heading(view, projection)
    left, right = words.end + 22, words.plate[0] - 10
    for table in () if projection.thumbnail else _tables(view, drawn, page):
        fits = table.height <= theme.TITLE_HEIGHT - 12 and table.width <= right - left
        if fits and not rest:
            above.append((table, left))
            left += table.width + _GAP
        else:
            rest.append(table)
    shift = right - left + _GAP if above else 0.0
    below, strip = _flow(rest)
    return Furniture(tuple((table, x + shift) for table, x in above), below, strip)


def paint_furniture(paper: Paper, view: View, layout: Layout, plan: Furniture) -> None:
    """Print the title band and all tables; the audience is in large print above and in small print at the foot."""
    projection, colours = layout.projection, layout.colours
    board = Board(paper, (0, 0), projection.page, colours)
    _paint_heading(board, heading(view, projection), plate_colour(layout.base, view, colours))
    for table, x in plan.above:
        table.paint(board, x, (theme.TITLE_HEIGHT - 4 - table.height) / 2)
    _paint_turn(paper, view, layout)
    foot = Board(paper, (0, projection.height), projection.page, colours)
    for table, x, y in plan.below:
        table.paint(foot, x, y)
    stamp = f"{view.audience_title.upper()}  ·  {view.date}"
    board.corner = projection.legend[:2]
    low = (projection.height - projection.legend[1]) / projection.page - 13
    board.write(stamp, (projection.points - theme.RIM, low), theme.LEGEND_HEAD, "rs")


def _paint_turn(paper: Paper, view: View, layout: Layout) -> None:
    """Fill the box of the View's turn on the track."""
    colours, projection = layout.colours, layout.projection
    now = turn_now(layout.base, view, projection, colours)
    if now is not None:
        box, number = now
        board = Board(paper, projection.cartouche[:2], projection.page, colours)
        board.fill(box, colours.ink)
        board.write(number.text, number.at, number.style, "ms", ink=number.ink, on=colours.ink)


# --- title ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Heading:
    """The words of the title band, in print that fits."""

    campaign: tuple[str, Print]
    date: str
    stop: tuple[str, Print]
    audience: tuple[str, Print]
    page: float
    points: float
    """The width of the page."""

    @property
    def plate(self) -> Box:
        """The box under the audience's title, in points."""
        right = self.points - theme.RIM + 3.0
        return right - self._wide(self.audience) - 44, 9, right, theme.TITLE_HEIGHT - 14

    @property
    def stop_left(self) -> float:
        return _LEFT + self._wide((self.date, theme.DATE_PRINT)) + 14

    @property
    def end(self) -> float:
        """Its right end, in points."""
        return max(_LEFT + self._wide(self.campaign), self.stop_left + self._wide(self.stop))

    def _wide(self, words: tuple[str, Print]) -> float:
        return width_of(*words, self.page) / self.page


_LEFT = theme.RIM + 2.0


def heading(view: View, projection: Projection) -> Heading:
    audience = shrunk(view.audience_title.upper(), theme.AUDIENCE_PRINT, projection.points * 0.375, smallest=20)
    room = projection.points - width_of(*audience) - 110
    following = f"next: {view.next_stop}" if view.next_stop else ""
    stop = "   ·   ".join(words for words in (view.stop, following) if words)
    left = room - width_of(view.date, theme.DATE_PRINT) - 12
    return Heading(
        campaign=shrunk(view.campaign, theme.CAMPAIGN_PRINT, room, smallest=15),
        date=view.date,
        stop=shrunk(stop, theme.STOP_PRINT, left, smallest=11),
        audience=audience,
        page=projection.page,
        points=projection.points,
    )


def _paint_heading(board: Board, words: Heading, colour: Colour) -> None:
    board.write(words.campaign[0], (_LEFT, 28), words.campaign[1])
    board.write(words.date, (_LEFT, 60), theme.DATE_PRINT)
    board.write(words.stop[0], (words.stop_left, 60), words.stop[1])
    left, top, right, bottom = words.plate
    board.fill(words.plate, colour)
    centre = ((left + right) / 2, (top + bottom) / 2)
    board.write(words.audience[0], centre, words.audience[1], "ms", ink=board.colours.reverse, on=colour)


def plate_colour(base: BaseMap, view: View, colours: Scheme) -> Colour:
    """The colour of the audience's box: a side's own, dark for the GM, green for the public, so mix-ups are noticed."""
    side = SideId(view.audience)
    if side in base.sides:
        return colours.side_colours(base.sides, side).strong
    return colours.plates.get(view.audience, colours.ink)


# --- tables -----------------------------------------------------------------------------------------------------------

_ABREAST = 4
"""The most columns for the labels of a crowd."""


def shown_panels(view: View) -> tuple[Panel, ...]:
    """The panels that belong on a map."""
    return tuple(panel for panel in view.panels if panel.on_map)


def _tables(view: View, drawn: Scene, page: float) -> Iterator[Table | Inset]:
    """The panels that belong on a map, and an inset or a table for each stack that is too high for the map."""
    for panel in shown_panels(view):
        yield from _cut(panel, page)
    for place, styles in drawn.crowds:
        if len(styles) <= MOST:
            yield from insets(place, styles, page)
        else:
            yield from _cut(_crowd(place, [style.label or "?" for style in styles], page), page)


def _crowd(place: PlaceId, labels: Sequence[str], page: float) -> Panel:
    """The labels of a crowd, in as many columns as the sheet is wide."""
    for abreast in range(_ABREAST, 1, -1):
        rows = tuple(tuple(labels[n : n + abreast]) for n in range(0, len(labels), abreast))
        panel = Panel(f"crowd-{place}", f"In {place}", (), rows)
        if _table(panel, page).width <= _ROOM:
            return panel
    return Panel(f"crowd-{place}", f"In {place}", (), tuple((label,) for label in labels))


def _cut(panel: Panel, page: float) -> Iterator[Table]:
    """A panel as one table, or as several if it is long or wide. Each has its first column."""
    whole = _table(panel, page)
    if whole.width > _ROOM and len(whole.columns) > _LEAST:
        half = (len(whole.columns) + 1) // 2
        for columns in (slice(1, half), slice(half, None)):
            rows = tuple(row[:1] + row[columns] for row in panel.rows)
            yield from _cut(replace(panel, head=panel.head[:1] + panel.head[columns], rows=rows), page)
        return
    if len(whole.rows) <= _LONGEST:
        yield whole
        return
    for start in range(0, len(whole.rows), _LONGEST):
        yield replaced(whole, title="" if start else whole.title, rows=whole.rows[start : start + _LONGEST])


def _table(panel: Panel, page: float) -> Table:
    head, *rows = (tuple(map(_clipped, cells)) for cells in (panel.head, *panel.rows))
    return Table(_clipped(panel.title), head, tuple(rows), page)


def _clipped(text: str) -> str:
    """A text, cut short if it is too long for a table on a map."""
    return text if len(text) <= _WIDEST else text[: _WIDEST - 1] + "…"


def _flow(tables: Iterable[Table | Inset]) -> tuple[tuple[tuple[Table | Inset, float, float], ...], float]:
    """Positions of tables in as many strips as needed, and the height of all strips."""
    placed: list[tuple[Table | Inset, float, float]] = []
    x, y, deep = float(theme.RIM), 0.0, 0.0
    for table in tables:
        if x > theme.RIM and x + table.width > theme.WIDTH - theme.RIM:
            x, y, deep = theme.RIM, y + deep + _GAP, 0.0
        placed.append((table, x, y))
        x, deep = x + table.width + _GAP, max(deep, table.height)
    return tuple(placed), y + deep + (theme.RIM if placed else 0)
