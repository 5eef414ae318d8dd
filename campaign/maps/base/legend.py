"""The legend at the foot of a map: what every sign means, the scale and the credit. The same for every audience."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from PIL import Image

from campaign.engine.ids import SideId
from campaign.engine.views import (
    ArrowKind,
    BaseMap,
    Branch,
    Echelon,
    FlightKind,
    LineKind,
    MarkerKind,
    Sortie,
    UnitState,
)
from campaign.maps.drawing.canvas import Canvas, rectangle
from campaign.maps.drawing.geometry import Point
from campaign.maps.drawing.ink import Fill, Shape, Stroke, width_of
from campaign.maps.drawing.paper import TruePaper
from campaign.maps.drawing.symbols import BRANCHES, STATES, earthwork, placed, size_mark, task_force
from campaign.maps.land import lines
from campaign.maps.land.backdrop import drawn_over
from campaign.maps.land.landmarks import bridge, mark_stamp
from campaign.maps.land.projection import Projection
from campaign.maps.signs.arrows import track_stamp
from campaign.maps.signs.counters import PLANS, Look, Size, counter_stamp
from campaign.maps.signs.markers import Badge, marker_stamp
from campaign.maps.signs.traces import trace_stamp
from campaign.maps.style import terms, theme
from campaign.maps.style.schemes import Livery, Scheme
from campaign.maps.style.terms import ARMS, EVENTS, SIZES
from campaign.maps.style.theme import Mark

Sample = Callable[[Canvas, Point], None]
"""Draws a sign round a point of the board."""


@dataclass(frozen=True)
class Entry:
    sample: Sample
    text: str
    rows: int = 1


@dataclass(frozen=True)
class Group:
    title: str
    sample: float
    """Points across that its signs take."""
    entries: tuple[Entry, ...]


_ROWS = 6
_PITCH = 20.5
_TOP = 37.0
_GUTTER = 14.0
_SPACE = 6.0


def paint_legend(paper: Image.Image, base: BaseMap, projection: Projection, colours: Scheme) -> None:
    """Draw the legend of a base map at its place on the sheet; a thumbnail has none."""
    if projection.thumbnail:
        return
    board = Canvas(TruePaper(paper), projection.legend[:2], projection.page, colours)
    foot = ". ".join(filter(None, (base.title, base.scale, base.credit)))
    board.write(foot, (theme.RIM, theme.LEGEND_HEIGHT - 13), theme.CREDIT_PRINT, ink=colours.quiet)
    _paint_groups(board, tuple(_groups(base, colours)))


def _paint_groups(board: Canvas, groups: Sequence[Group]) -> None:
    """The groups side by side, the spare room between them; if there is none the columns stand closer."""
    widths = [[_width(group, column) for column in _columns(group)] for group in groups]
    spare = theme.WIDTH - 2 * theme.RIM - sum(map(sum, widths))
    closer = min(0.0, spare) / sum(map(len, widths))
    x = float(theme.RIM)
    for group, wide in zip(groups, widths, strict=True):
        columns = [width + closer for width in wide]
        _paint_group(board, group, x, columns)
        x += sum(columns) + max(0.0, spare) / max(len(groups) - 1, 1)


def _columns(group: Group) -> list[list[Entry]]:
    """The entries of a group in as few columns as will do, equally long."""
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
    """The groups of the legend; of the land and its lines only what there is on this map."""
    ours, theirs = colours.two_sides(base.sides)
    teams = _teams(base, colours)
    if base.backdrop is None:
        there = {ground.terrain for ground in base.grounds}
        lands = tuple(Entry(_land(key), land.title) for key, land in theme.LANDS.items() if key in there)
        yield Group("Land", 27, lands)
    yield Group("Lines", 32, tuple(_lines(drawn_over(base), ours, theirs)))
    yield Group("Counters", 50, tuple(_counters(teams)))
    yield Group("Arms", 24, tuple(Entry(_branch(branch), name) for branch, name in ARMS.items()))
    yield Group("Sizes", 18, tuple(Entry(_size(size), name) for size, name in SIZES.items()))
    states = tuple(Entry(_state(state), terms.STATES[state]) for state in STATES)
    yield Group("States", 16, (*states, *_works()))
    yield Group("Events", 38, tuple(_events(ours)))
    yield Group("Places", 22, tuple(_markers(teams, base.sides, colours.neutral)))
    yield Group("Air", 22, tuple(_air(ours, theirs)))


def _works() -> Iterator[Entry]:
    yield Entry(_task_force, terms.STATES[UnitState.REDUCED])
    for state in (UnitState.DUG_IN, UnitState.ENTRENCHED):
        yield Entry(_earthwork(state), terms.STATES[state])
    yield Entry(_gauge, "Strength, in stacks")


def _lines(base: BaseMap, ours: Livery, theirs: Livery) -> Iterator[Entry]:
    roads = {line.kind for line in base.lines}
    borders = {border.kind for border in base.borders}
    if LineKind.MAIN_ROAD in roads:
        yield Entry(_line(lines.main_roads), terms.ROADS[LineKind.MAIN_ROAD])
    if LineKind.SECONDARY_ROAD in roads:
        yield Entry(_line(lines.tracks), terms.ROADS[LineKind.SECONDARY_ROAD])
    for kind, draw in lines.BORDERS.items():
        if kind in borders:
            yield Entry(_line(draw), terms.BORDERS[kind])
    if any(line.bridge for line in base.lines):
        yield Entry(_bridge, "Bridge")
    if any(ground.fortified for ground in base.grounds):
        yield Entry(_line(lines.forts), "Fortified")
    yield Entry(_front(ours, theirs), "Front")


Team = tuple[str, Livery]
"""The title of a side and how it looks."""


def _teams(base: BaseMap, colours: Scheme) -> tuple[Team, ...]:
    """All sides; a map without any is explained by two of none."""
    teams = tuple((terms.side_title(side), colours.livery(base.sides, side)) for side in base.sides)
    return (*teams, ("One side", colours.neutral), ("Other side", colours.neutral))[: max(2, len(teams))]


def _counters(teams: Sequence[Team]) -> Iterator[Entry]:
    (first, ours), (second, theirs), *_ = teams
    own = Look(ours, Branch.INFANTRY, Echelon.DIVISION, "Unit", sure=True, strength=85, movement=3)
    yield Entry(_counter(own), f"{first}: 85 %\nstrength, 3 MP", rows=2)
    yield Entry(
        _counter(Look(theirs, Branch.ARMOR, Echelon.UNKNOWN, "", sure=False)), f"{second}:\nsighted only", rows=2
    )
    gone = Look(theirs, Branch.ARMOR, Echelon.UNKNOWN, "", sure=False, age=2)
    yield Entry(_counter(gone), f"{second}: seen\n2 days ago", rows=2)


def _events(ours: Livery) -> Iterator[Entry]:
    for kind, title in EVENTS.items():
        yield Entry(_arrow(kind, ours), title)
    yield Entry(_trace, terms.BARRED)


_MOST_VICTORIES = 2
"""Sides of which each has its victory in the legend; those of more differ as their flags do."""


def _markers(teams: Sequence[Team], sides: Sequence[SideId], neutral: Livery) -> Iterator[Entry]:
    (_, ours), (_, theirs), *_ = teams
    objective, captured, battle = MarkerKind.OBJECTIVE, MarkerKind.CAPTURED_DEPOT, MarkerKind.BATTLE
    for title, livery in teams:
        yield Entry(_badge(Badge(objective, livery, "2")), f"{title} objective")
    yield Entry(_badge(Badge(objective, ours, "4", theirs)), "Just taken")
    yield Entry(_badge(Badge(MarkerKind.DEPOT, neutral, "3")), "Fuel depot")
    yield Entry(_badge(Badge(captured, neutral)), "Captured depot")
    yield Entry(_badge(Badge(captured, ours, "", theirs)), "Just captured")
    yield Entry(_badge(Badge(MarkerKind.DESTROYED_DEPOT, neutral)), "Destroyed depot")
    yield Entry(_badge(Badge(MarkerKind.POSITION, neutral, "1")), "Dug-in, sighted")
    yield Entry(_badge(Badge(MarkerKind.POSITION, neutral, "2")), "Entrenched, sighted")
    yield Entry(_badge(Badge(battle, neutral)), "Battle, undecided")
    shown = sides if len(sides) <= _MOST_VICTORIES else sides[:1]
    for side, (title, livery) in zip(shown, teams, strict=False):
        yield Entry(_badge(Badge(battle, livery, terms.letter_of(sides, side), decided=True)), f"{title} victory")


def _air(ours: Livery, theirs: Livery) -> Iterator[Entry]:
    strike = FlightKind.INTERDICTION
    yield Entry(_badge(Badge(strike, theirs, "2")), "Air units over it")
    yield Entry(_badge(Badge(strike, theirs, "2", sortie=Sortie.PLANNED)), "Planned")
    yield Entry(_badge(Badge(strike, theirs, "2", sortie=Sortie.FAILED)), "Without success")
    yield Entry(_badge(Badge(FlightKind.SUPPLY_DROP, theirs, "2")), "Supply by air")
    yield Entry(_badge(Badge(FlightKind.PARADROP, ours)), "Paratroops")


# --- samples ----------------------------------------------------------------------------------------------------------


def _land(kind: str) -> Sample:
    mark = theme.LANDS[kind].mark

    def draw(board: Canvas, at: Point) -> None:
        tint = board.colours.lands[kind]
        box = (at[0] - 13, at[1] - 8, at[0] + 13, at[1] + 8)
        board.frame(box, board.colours.quiet, tint.fill)
        if mark is not Mark.NONE:
            for dx in (-6.5, 6.5):
                board.press(mark_stamp(mark, tint.ink, board.scale), (at[0] + dx, at[1]))

    return draw


def _line(paint: lines.Painter) -> Sample:
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


def _counter(look: Look) -> Sample:
    wide, high = PLANS[Size.WHOLE].size

    def draw(board: Canvas, at: Point) -> None:
        board.press(counter_stamp(look, Size.WHOLE, board.scale, board.colours), (at[0] - wide / 2, at[1] - high / 2))

    return draw


def _branch(branch: Branch) -> Sample:
    def draw(board: Canvas, at: Point) -> None:
        corner, size = (at[0] - 11, at[1] - 7), (22.0, 14.0)
        box = rectangle((*corner, corner[0] + 22, corner[1] + 14))
        board.lay([box], board.colours.blank)
        signs: list[Shape] = [placed(sign, corner, size) for sign in BRANCHES[branch]]
        board.lay([*signs, Stroke((*box.outline, *box.outline[:2]), 1.1)], board.colours.ink)

    return draw


def _size(size: Echelon) -> Sample:
    return lambda board, at: board.lay(size_mark(size), board.colours.ink, at)


def _state(state: UnitState) -> Sample:
    def draw(board: Canvas, at: Point) -> None:
        colours, letter = board.colours, theme.ALARMS.get(state)
        board.lay(STATES[state], colours.alarm if letter else colours.ink, at)
        if letter:
            board.write(letter, at, theme.BADGE_PRINT, "ms", ink=colours.reverse, on=colours.alarm)

    return draw


def _task_force(board: Canvas, at: Point) -> None:
    board.lay((*size_mark(Echelon.DIVISION), *task_force(Echelon.DIVISION)), board.colours.ink, (at[0], at[1] + 1))


def _earthwork(state: UnitState) -> Sample:
    def draw(board: Canvas, at: Point) -> None:
        corner = (at[0] - 8.5, at[1] - 7)
        board.frame((*corner, corner[0] + 17, corner[1] + 14), board.colours.quiet, board.colours.blank)
        board.lay([placed(shape, corner) for shape in earthwork((17, 14), 0.0, (state,))], board.colours.ink)

    return draw


def _gauge(board: Canvas, at: Point) -> None:
    """The gauge that counters of high stacks have in the place of digits, over a corner of one."""
    x, y = at
    board.frame((x - 8.5, y - 7, x + 8.5, y + 7), board.colours.quiet, board.colours.blank)
    for top, colour in ((-4.5, board.colours.faint), (-0.5, board.colours.ink)):
        board.lay([Fill(((-1.2, top), (1.2, top), (1.2, 4.5), (-1.2, 4.5)))], colour, at)


def _front(ours: Livery, theirs: Livery) -> Sample:
    def draw(board: Canvas, at: Point) -> None:
        (x, y), half = board.pixels(at), 13 * board.scale
        ends = ((-half, -board.scale), (half, board.scale))
        stamp = lines.front_stamp((ours, theirs), *ends, (0.5, 0.5), board.scale, halo=board.colours.halo)
        board.paper.press(stamp, (x, y))

    return draw


def _arrow(kind: ArrowKind, livery: Livery) -> Sample:
    half = 9 if kind is ArrowKind.ATTACK else 16
    return lambda board, at: board.press(track_stamp(kind, livery, half, board.scale, halo=board.colours.halo), at)


def _trace(board: Canvas, at: Point) -> None:
    board.press(trace_stamp(16, board.scale, board.colours), at)


def _badge(badge: Badge) -> Sample:
    return lambda board, at: board.press(marker_stamp(badge, board.scale, board.colours), at)
