"""A plot laid out: axes, lines or bars, and their names, in points on a paper of one size."""

from collections.abc import Callable, Iterator, Sequence

from campaign.engine.display.plots import Curve, Plot, in_words
from campaign.engine.display.plots import Shape as PlotShape
from campaign.maps.drawing.geometry import Box, Point, dashes
from campaign.maps.drawing.ink import Disc, Fill, Shape, Stroke, shrunk, width_of
from campaign.maps.plots.axes import Axes, axes_of, named_days, ticks
from campaign.maps.plots.parts import (
    FAINT,
    FIGURE_PRINT,
    INK,
    LABEL_PRINT,
    PAPER,
    QUIET,
    Anchor,
    Drawn,
    Lettered,
    Part,
    Tone,
    tone_of,
)

WIDE, HIGH = 480.0, 270.0
"""The paper in points: as on a phone, where a point is about three quarters of a pixel of its page."""
_RIM = 6.0
_UNIT = 24.0
"""The height of the line that names the unit."""
_KEY = 22.0
"""The same of the line that explains bars."""
_DAYS = 24.0
_LINE = 2.6
_MARK = 4.2
_RISE = 17.0
"""Points between the names of two lines."""
_ROOM = 140.0
"""The most that the names of lines take at the right."""
_DASHES: tuple[tuple[float, ...], ...] = ((), (9, 5), (2.5, 4), (12, 4, 2.5, 4))
"""How the first, second ... line is broken."""
_BETWEEN = 22.0
"""Points between two kinds of bars in the row that explains them."""
_SWATCH = 18 + _BETWEEN
_BARS = 0.76
"""The part of its band that a day's bars take."""


def lay_out(plot: Plot) -> Iterator[Part]:
    """The parts of a plot from bottom to top, without its title."""
    named = ticks([figure for curve in plot.curves for figure in curve.figures])
    axes = axes_of(plot, _box(plot, named), named)
    yield from _scale(plot, axes, named)
    yield from (_bars if axes.banded else _lines)(plot, axes)


def _box(plot: Plot, named: Sequence[int]) -> Box:
    """The ground: what is left of the paper when the figures, days and names have their room."""
    left = _RIM + max(width_of(in_words(figure), FIGURE_PRINT) for figure in named) + 6
    if plot.shape is PlotShape.BARS:
        return left, _RIM + _UNIT + _KEY, WIDE - _RIM, HIGH - _DAYS
    room = max(width_of(_with_last(curve), LABEL_PRINT) for curve in plot.curves)
    return left + _MARK, _RIM + _UNIT, WIDE - _RIM - min(room, _ROOM) - _MARK - 6, HIGH - _DAYS


def _scale(plot: Plot, axes: Axes, named: Sequence[int]) -> Iterator[Part]:
    """The unit, a rule for each figure that is named, and the days."""
    left, _, right, bottom = axes.box
    rules = [axes.y(figure) for figure in named]
    yield Drawn(tuple(Stroke(((left, y), (right, y)), 1) for y in rules), FAINT)
    yield Drawn((Stroke(((left, axes.y(0)), (right, axes.y(0))), 1.4),), QUIET)
    yield Lettered(plot.unit, (_RIM, _RIM + 7), FIGURE_PRINT, QUIET, Anchor.START)
    for figure, y in zip(named, rules, strict=True):
        yield Lettered(in_words(figure), (left - _MARK - 3, y), FIGURE_PRINT, QUIET, Anchor.END)
    for day, name in named_days(plot.moments, axes):
        half = width_of(name, FIGURE_PRINT) / 2
        if axes.x(day) + half <= WIDE:
            yield Lettered(name, (max(axes.x(day), half), bottom + _DAYS / 2 + 2), FIGURE_PRINT, QUIET, Anchor.MIDDLE)


# --- lines ------------------------------------------------------------------------------------------------------------


def _lines(plot: Plot, axes: Axes) -> Iterator[Part]:
    """Each line with its marks, the first on top, and its name at its end."""
    for number, curve in reversed(list(enumerate(plot.curves))):
        tone = tone_of(plot.sides, curve.side)
        path = tuple((axes.x(day), axes.y(figure)) for day, figure in enumerate(curve.figures))
        pattern = _DASHES[number % len(_DASHES)]
        pieces = dashes(path, *pattern) if pattern else [path]
        yield Drawn(tuple(Stroke(piece, _LINE) for piece in pieces), tone)
        yield from _marks(path, number, tone)
    yield from _names(plot, axes)


def _marks(path: Sequence[Point], number: int, tone: Tone) -> Iterator[Part]:
    """A mark for each figure: squares, rings, diamonds, triangles."""
    if number % 4 == 1:
        yield Drawn(tuple(Disc(at, _MARK) for at in path), tone)
        yield Drawn(tuple(Disc(at, _MARK - 1.8) for at in path), PAPER)
    else:
        yield Drawn(tuple(Fill(_OUTLINES[number % 4](at)) for at in path), tone)


def _square(at: Point) -> tuple[Point, ...]:
    x, y, half = *at, _MARK * 0.86
    return (x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)


def _diamond(at: Point) -> tuple[Point, ...]:
    x, y, half = *at, _MARK * 1.25
    return (x, y - half), (x + half, y), (x, y + half), (x - half, y)


def _triangle(at: Point) -> tuple[Point, ...]:
    x, y, half = *at, _MARK * 1.1
    return (x, y - half), (x + half, y + half * 0.8), (x - half, y + half * 0.8)


_OUTLINES: dict[int, Callable[[Point], tuple[Point, ...]]] = {0: _square, 2: _diamond, 3: _triangle}


def _names(plot: Plot, axes: Axes) -> Iterator[Part]:
    """The name of each line at its end, moved up or down where two would touch."""
    _, top, right, bottom = axes.box
    order = sorted(range(len(plot.curves)), key=lambda n: (-plot.curves[n].figures[-1], n))
    heights = _apart([axes.y(plot.curves[n].figures[-1]) for n in order], top, bottom)
    for n, y in zip(order, heights, strict=True):
        curve = plot.curves[n]
        text, style = shrunk(_with_last(curve), LABEL_PRINT, _ROOM, smallest=10)
        yield Lettered(text, (right + _MARK + 6, y), style, tone_of(plot.sides, curve.side), Anchor.START)


def _with_last(curve: Curve) -> str:
    return f"{curve.title} {in_words(curve.figures[-1])}"


def _apart(wanted: Sequence[float], top: float, bottom: float) -> list[float]:
    """Heights in order, as near as possible to those wanted, at least a line of print from each other."""
    heights: list[float] = []
    for y in wanted:
        heights.append(max(y, heights[-1] + _RISE) if heights else max(y, top))
    for n in reversed(range(len(heights))):
        below = heights[n + 1] - _RISE if n + 1 < len(heights) else bottom
        heights[n] = min(heights[n], below)
    return heights


# --- bars -------------------------------------------------------------------------------------------------------------


def _bars(plot: Plot, axes: Axes) -> Iterator[Part]:
    """A bar for each figure, next to each other for a day; every second kind is hollow."""
    width = axes.band * _BARS / len(plot.curves)
    for number, curve in enumerate(plot.curves):
        tone = tone_of(plot.sides, curve.side)
        lefts = (axes.x(day) - axes.band * _BARS / 2 + number * width for day in range(axes.count))
        boxes = [
            (left, min(axes.y(figure), axes.y(0)), left + width * 0.92, max(axes.y(figure), axes.y(0)))
            for left, figure in zip(lefts, curve.figures, strict=True)
            if figure
        ]
        yield from _boxes(boxes, tone, hollow=number % 2 == 1)
    yield Drawn((Stroke(((axes.box[0], axes.y(0)), (axes.box[2], axes.y(0))), 1.4),), QUIET)
    yield from _key(plot, axes)


def _boxes(boxes: Sequence[Box], tone: Tone, *, hollow: bool) -> Iterator[Part]:
    yield Drawn(tuple(map(_filled, boxes)), tone)
    if hollow:
        yield Drawn(tuple(filled for box in boxes if (filled := _inside(box))), PAPER)


def _filled(box: Box) -> Shape:
    left, top, right, bottom = box
    return Fill(((left, top), (right, top), (right, bottom), (left, bottom)))


def _inside(box: Box) -> Shape | None:
    """The inside of a hollow bar; None if it is too small for one."""
    left, top, right, bottom = box
    edge = min(1.8, (right - left) / 4)
    return _filled((left + edge, top + edge, right - edge, bottom - edge)) if bottom - top > 2 * edge else None


def _key(plot: Plot, axes: Axes) -> Iterator[Part]:
    """What each kind of bar is, with its total if there is room, in one row over the ground."""
    x, y = axes.box[0], _RIM + _UNIT + 5
    for number, (curve, text) in enumerate(zip(plot.curves, _explained(plot, axes.box[2] - x), strict=True)):
        yield from _boxes([(x, y - 6, x + 12, y + 6)], tone_of(plot.sides, curve.side), hollow=number % 2 == 1)
        yield Lettered(text, (x + 18, y), FIGURE_PRINT, INK, Anchor.START)
        x += width_of(text, FIGURE_PRINT) + _SWATCH


def _explained(plot: Plot, room: float) -> list[str]:
    """The titles of the bars with their totals; without them, and cut short, if that would be too long."""
    texts = [f"{curve.title} (total {in_words(sum(curve.figures))})" for curve in plot.curves]
    if sum(width_of(text, FIGURE_PRINT) + _SWATCH for text in texts) <= room + _BETWEEN:
        return texts
    share = (room + _BETWEEN) / len(texts) - _SWATCH
    return [shrunk(curve.title, FIGURE_PRINT, share, smallest=FIGURE_PRINT.size)[0] for curve in plot.curves]
