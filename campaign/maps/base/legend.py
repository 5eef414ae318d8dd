"""The legend at the foot of a map: the meaning of every sign, and the credit, the same for every audience."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from PIL import Image

from campaign.engine.display.signs import Condition, Corner, Holder, Sample, Sign, Signs
from campaign.engine.display.views import BaseMap
from campaign.engine.values.ids import SideId
from campaign.engine.values.value import replace
from campaign.maps.drawing.canvas import Canvas, rectangle
from campaign.maps.drawing.geometry import Point
from campaign.maps.drawing.ink import Fill, Shape, Stroke, width_of
from campaign.maps.drawing.paper import TruePaper
from campaign.maps.drawing.symbols import ARMS, SAMPLE_SIZE, STATES, earthwork, placed, size_mark, task_force
from campaign.maps.land import lines
from campaign.maps.land.backdrop import drawn_over
from campaign.maps.land.holdings import WASH, band_stamp, holding
from campaign.maps.land.landmarks import bridge, mark_stamp
from campaign.maps.land.projection import Projection
from campaign.maps.signs.arrows import ARROWS, track_stamp
from campaign.maps.signs.counters import PLANS, CounterStyle, Size, counter_stamp
from campaign.maps.signs.markers import Badge, marker_stamp
from campaign.maps.signs.traces import trace_stamp
from campaign.maps.style import terms, theme
from campaign.maps.style.schemes import Scheme, SideColours
from campaign.maps.style.theme import Mark

Drawing = Callable[[Canvas, Point], None]
"""Draws a sign round a point of the canvas."""


@dataclass(frozen=True)
class Entry:
    sample: Drawing
    text: str
    rows: int = 1


@dataclass(frozen=True)
class Group:
    title: str
    sample: float
    """The width of its signs, in points."""
    entries: tuple[Entry, ...]


_ROWS = 6
_PITCH = 20.5
_TOP = 37.0
_GUTTER = 14.0
_SPACE = 6.0


def paint_legend(paper: Image.Image, base: BaseMap, projection: Projection, colours: Scheme) -> None:
    """Draw the legend of a base map on its sheet; a thumbnail has none."""
    if projection.thumbnail:
        return
    board = Canvas(TruePaper(paper), projection.legend[:2], projection.page, colours)
    board.write(base.credit, (theme.RIM, theme.LEGEND_HEIGHT - 13), theme.CREDIT_PRINT, ink=colours.quiet)
    _paint_groups(board, tuple(_groups(base, colours)))


def _paint_groups(board: Canvas, groups: Sequence[Group]) -> None:
    """Paint the groups side by side with the spare room between them; without any, the columns are closer together."""
    widths = [[_width(group, column) for column in _columns(group)] for group in groups]
    spare = theme.WIDTH - 2 * theme.RIM - sum(map(sum, widths))
    closer = min(0.0, spare) / sum(map(len, widths))
    x = float(theme.RIM)
    for group, wide in zip(groups, widths, strict=True):
        columns = [width + closer for width in wide]
        _paint_group(board, group, x, columns)
        x += sum(columns) + max(0.0, spare) / max(len(groups) - 1, 1)


def _columns(group: Group) -> list[list[Entry]]:
    """The entries of a group in as few columns as possible, of equal length."""
    rows = sum(entry.rows for entry in group.entries)
    longest = -(-rows // max(1, -(-rows // _ROWS)))
    columns: list[list[Entry]] = [[]]
    for entry in group.entries:
        if sum(e.rows for e in columns[-1]) + entry.rows > longest:
            columns.append([])
        columns[-1].append(entry)
    return columns


def _width(group: Group, column: Sequence[Entry]) -> float:
    texts = (line for entry in column for line in entry.text.split("\n"))
    return group.sample + _SPACE + max((width_of(text, theme.LEGEND_PRINT) for text in texts), default=0.0) + _GUTTER


def _paint_group(board: Canvas, group: Group, x: float, widths: Sequence[float]) -> None:
    board.write(group.title, (x, 15), theme.LEGEND_HEAD)
    for column, width in zip(_columns(group), widths, strict=True):
        y = _TOP
        for entry in column:
            middle = y + (entry.rows - 1) * _PITCH / 2
            entry.sample(board, (x + group.sample / 2, middle))
            _write_lines(board, entry.text.split("\n"), (x + group.sample + _SPACE, middle))
            y += entry.rows * _PITCH
        x += width


def _write_lines(board: Canvas, texts: Sequence[str], at: Point) -> None:
    for n, text in enumerate(texts):
        board.write(text, (at[0], at[1] + (n - (len(texts) - 1) / 2) * 14))


# --- what is explained ------------------------------------------------------------------------------------------------


def _groups(base: BaseMap, colours: Scheme) -> Iterator[Group]:
    """The groups of the legend: the terrain and lines on this map, and all other signs of its ruleset."""
    signs, teams = base.signs, _teams(base, colours)
    groups = (
        Group("Land", 27, tuple(_lands(base))),
        Group("Lines", 32, (*_lines(drawn_over(base)), *_holdings(signs, teams))),
        Group("Counters", 50, tuple(_counters(signs, teams))),
        Group("Arms", 24, tuple(Entry(_arm(sign), sign.words) for sign in signs.arms)),
        Group("Sizes", 18, tuple(Entry(_size(sign.symbol), sign.words) for sign in signs.sizes)),
        Group("States", 16, tuple(_states(signs))),
        Group("Events", 38, tuple(_events(signs, teams))),
        Group("Places", 22, tuple(_markers(base, teams, colours.neutral))),
        Group("Air", 22, tuple(_air(base, teams, colours.neutral))),
    )
    return (group for group in groups if group.entries)


def _lands(base: BaseMap) -> Iterator[Entry]:
    there = {ground.terrain for ground in base.grounds} if base.backdrop is None else ()
    return (Entry(_land(sign.symbol), sign.words) for sign in base.signs.lands if sign.key in there)


Team = tuple[str, SideColours]
"""The title of a side and its colours."""


def _teams(base: BaseMap, colours: Scheme) -> tuple[Team, ...]:
    """All sides; a map without sides gets two neutral ones."""
    teams = tuple((terms.side_title(side), colours.side_colours(base.sides, side)) for side in base.sides)
    return (*teams, ("One side", colours.neutral), ("Other side", colours.neutral))[: max(2, len(teams))]


def _lines(base: BaseMap) -> Iterator[Entry]:
    signs, there = base.signs, {line.kind for line in base.lines}
    borders = {border.kind for border in base.borders}
    for sign in signs.lines:
        if sign.key in there:
            yield Entry(_line(lines.LINES[sign.symbol]), sign.words)
    for sign in signs.borders:
        if sign.key in borders:
            yield Entry(_line(lines.BORDERS[sign.symbol].paint), sign.words)
    if any(line.bridge for line in base.lines):
        yield Entry(_bridge, "Bridge")
    if any(ground.fortified for ground in base.grounds):
        yield Entry(_line(lines.forts), signs.fortified)


_MOST_HOLDERS = 2
"""The most sides whose land the legend shows."""


def _holdings(signs: Signs, teams: Sequence[Team]) -> Iterator[Entry]:
    """The signs that say who holds a place."""
    if signs.front:
        yield Entry(_front(teams[0][1], teams[1][1]), signs.front)
    if signs.control:
        for title, side_colours in teams[:_MOST_HOLDERS]:
            yield Entry(_held(side_colours), signs.control.format(side=title))


def _counters(signs: Signs, teams: Sequence[Team]) -> Iterator[Entry]:
    """Entries for a unit of the first side with its figures, and a sighting of the second."""
    if not signs.arms:
        return
    (first, ours), (second, theirs), *_ = teams
    figures = {sign.corner: str(sign.sample) for sign in signs.figures}
    own = CounterStyle(
        ours,
        signs.arms[0].symbol,
        signs.sizes[-1].symbol if signs.sizes else "",
        "Unit",
        sure=True,
        left=figures.get(Corner.LEFT, ""),
        right=figures.get(Corner.RIGHT, ""),
    )
    shown = ", ".join(sign.legend.format(sign.sample) for sign in signs.figures if sign.corner is not Corner.NONE)
    yield Entry(_counter(own), _in_two(f"{first}: {shown or 'unit'}"), rows=2)
    enemy = CounterStyle(theirs, signs.arms[len(signs.arms) // 2].symbol, "", "", sure=False)
    if signs.sighted:
        yield Entry(_counter(enemy), _in_two(f"{second}: {signs.sighted}"), rows=2)
    if signs.age:
        yield Entry(_counter(replace(enemy, age=2)), _in_two(f"{second}: seen 2 {signs.age}s ago"), rows=2)


def _in_two(text: str) -> str:
    """A text in two lines of about equal length."""
    words = text.split()
    broken = [(" ".join(words[:n]), " ".join(words[n:])) for n in range(1, len(words))]
    best = min(broken, key=lambda pair: max(width_of(line, theme.LEGEND_PRINT) for line in pair), default=(text,))
    return "\n".join(best)


def _states(signs: Signs) -> Iterator[Entry]:
    for sign in signs.conditions:
        yield Entry(_state(sign), sign.words)
    for figure in signs.figures:
        if figure.gauge:
            yield Entry(_gauge, figure.gauge)


def _events(signs: Signs, teams: Sequence[Team]) -> Iterator[Entry]:
    for sign in signs.arrows:
        yield Entry(_arrow(sign.symbol, teams[0][1]), sign.words)
    if signs.barred:
        yield Entry(_trace, signs.barred)


_MOST_VICTORIES = 2
"""The most sides for which the legend shows a victory each; the flags explain the others."""


def _markers(base: BaseMap, teams: Sequence[Team], neutral: SideColours) -> Iterator[Entry]:
    example, words = base.signs.noted
    if words:
        yield Entry(lambda board, at: board.write(example, at, theme.MARGIN_PRINT, "ms"), words)
    for sign in base.signs.markers:
        for sample in sign.samples:
            for title, badge in _badges(Badge(sign.symbol, neutral, sample.text), sample, base.sides, teams):
                yield Entry(_badge(badge), sample.words.format(side=title))


def _badges(
    badge: Badge, sample: Sample, sides: Sequence[SideId], teams: Sequence[Team]
) -> Iterator[tuple[str, Badge]]:
    """A sample as a marker, with the title of its side, for each side that the legend shows."""
    (_, ours), (_, theirs), *_ = teams
    match sample.holder:
        case Holder.NOBODY:
            yield "", badge
        case Holder.FIRST | Holder.SECOND:
            title, side_colours = teams[sample.holder is Holder.SECOND]
            yield title, replace(badge, side_colours=side_colours)
        case Holder.EACH:
            yield from ((title, replace(badge, side_colours=side_colours)) for title, side_colours in teams)
        case Holder.TAKER:
            yield "", replace(badge, side_colours=ours, former=theirs)
        case Holder.WINNER:
            shown = sides if len(sides) <= _MOST_VICTORIES else sides[:1]
            for side, (title, side_colours) in zip(shown, teams, strict=False):
                yield title, replace(badge, side_colours=side_colours, text=terms.letter_of(sides, side), decided=True)


def _air(base: BaseMap, teams: Sequence[Team], neutral: SideColours) -> Iterator[Entry]:
    """The kinds of flight, and the other outcomes of the first kind."""
    others = [sign for sign in base.signs.sorties if sign.words]
    for sign, sample in ((sign, sign.sample) for sign in base.signs.flights if sign.sample):
        for title, badge in _badges(Badge(sign.symbol, neutral, sample.text), sample, base.sides, teams):
            yield Entry(_badge(badge), sample.words.format(side=title))
            yield from (Entry(_badge(replace(badge, sortie=other.symbol)), other.words) for other in others)
            others = []


# --- samples ----------------------------------------------------------------------------------------------------------


def _land(kind: str) -> Drawing:
    mark = theme.LANDS[kind]

    def draw(board: Canvas, at: Point) -> None:
        tint = board.colours.lands[kind]
        box = (at[0] - 13, at[1] - 8, at[0] + 13, at[1] + 8)
        board.frame(box, board.colours.quiet, tint.fill)
        if mark is not Mark.NONE:
            for dx in (-6.5, 6.5):
                board.press(mark_stamp(mark, tint.ink, board.scale), (at[0] + dx, at[1]))

    return draw


def _line(paint: lines.Painter) -> Drawing:
    def draw(board: Canvas, at: Point) -> None:
        x, y = at
        paint(
            board.image,
            [board.path(((x - 14, y), (x - 4, y - 1), (x + 4, y + 1), (x + 14, y)))],
            board.scale,
            board.colours,
        )

    return draw


def _bridge(board: Canvas, at: Point) -> None:
    x, y = at
    lines.rivers(board.image, [board.path(((x, y - 9), (x - 1, y), (x, y + 9)))], board.scale, board.colours)
    lines.main_roads(board.image, [board.path(((x - 14, y), (x + 14, y)))], board.scale, board.colours)
    board.lay(bridge((0, 0), 0.0, 1.0), board.colours.ink, at)


def _counter(style: CounterStyle) -> Drawing:
    wide, high = PLANS[Size.WHOLE].size

    def draw(board: Canvas, at: Point) -> None:
        board.press(counter_stamp(style, Size.WHOLE, board.scale, board.colours), (at[0] - wide / 2, at[1] - high / 2))

    return draw


def _arm(sign: Sign) -> Drawing:
    def draw(board: Canvas, at: Point) -> None:
        corner, size = (at[0] - 11, at[1] - 7), (22.0, 14.0)
        box = rectangle((*corner, corner[0] + 22, corner[1] + 14))
        board.lay([box], board.colours.blank)
        signs: list[Shape] = [placed(shape, corner, size) for shape in ARMS[sign.symbol]]
        board.lay([*signs, Stroke((*box.outline, *box.outline[:2]), 1.1)], board.colours.ink)

    return draw


def _size(symbol: str) -> Drawing:
    return lambda board, at: board.lay(size_mark(symbol), board.colours.ink, at)


def _state(sign: Condition) -> Drawing:
    """Draws the mark of a condition: the bracket has a size mark, an earthwork the edge of a counter."""
    if sign.symbol in STATES:
        return _mark(sign)
    return _task_force if sign.symbol == "bracket" else _earthwork(sign.symbol)


def _mark(sign: Condition) -> Drawing:
    def draw(board: Canvas, at: Point) -> None:
        colours = board.colours
        board.lay(STATES[sign.symbol], colours.alarm if sign.letter else colours.ink, at)
        if sign.letter:
            board.write(sign.letter, at, theme.BADGE_PRINT, "ms", ink=colours.reverse, on=colours.alarm)

    return draw


def _task_force(board: Canvas, at: Point) -> None:
    board.lay((*size_mark(SAMPLE_SIZE), *task_force(SAMPLE_SIZE)), board.colours.ink, (at[0], at[1] + 1))


def _earthwork(symbol: str) -> Drawing:
    def draw(board: Canvas, at: Point) -> None:
        corner = (at[0] - 8.5, at[1] - 7)
        board.frame((*corner, corner[0] + 17, corner[1] + 14), board.colours.quiet, board.colours.blank)
        board.lay([placed(shape, corner) for shape in earthwork((17, 14), 0.0, (symbol,))], board.colours.ink)

    return draw


def _gauge(board: Canvas, at: Point) -> None:
    """Draw the gauge that replaces digits on counters of high stacks, over the corner of a counter."""
    x, y = at
    board.frame((x - 8.5, y - 7, x + 8.5, y + 7), board.colours.quiet, board.colours.blank)
    for top, colour in ((-4.5, board.colours.faint), (-0.5, board.colours.ink)):
        board.lay([Fill(((-1.2, top), (1.2, top), (1.2, 4.5), (-1.2, 4.5)))], colour, at)


def _front(ours: SideColours, theirs: SideColours) -> Drawing:
    def draw(board: Canvas, at: Point) -> None:
        (x, y), half = board.pixels(at), 13 * board.scale
        ends = ((-half, -board.scale), (half, board.scale))
        stamp = lines.front_stamp((ours, theirs), *ends, (0.5, 0.5), board.scale, halo=board.colours.halo)
        board.paper.press(stamp, (x, y))

    return draw


def _held(side_colours: SideColours) -> Drawing:
    def draw(board: Canvas, at: Point) -> None:
        (x, y), half = board.pixels(at), 7 * board.scale
        outline = (
            (x - 2 * half, y - half),
            (x + 2 * half, y - half),
            (x + 2 * half, y + half),
            (x - 2 * half, y + half),
        )
        held, halo = holding([outline], side_colours), board.colours.halo
        board.paper.wash(side_colours.strong, WASH, held.lands)
        for bend in held.border:
            stamp = band_stamp(side_colours, bend.come, bend.go, bend.part, board.scale, halo=halo)
            board.paper.press(stamp, bend.pixel)

    return draw


def _arrow(symbol: str, side_colours: SideColours) -> Drawing:
    half = 9 if ARROWS[symbol].over_counters else 16
    return lambda board, at: board.press(
        track_stamp(symbol, side_colours, half, board.scale, halo=board.colours.halo), at
    )


def _trace(board: Canvas, at: Point) -> None:
    board.press(trace_stamp(16, board.scale, board.colours), at)


def _badge(badge: Badge) -> Drawing:
    return lambda board, at: board.press(marker_stamp(badge, board.scale, board.colours), at)
