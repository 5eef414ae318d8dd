"""Counters: what a unit shows at each size, as a figure, and as a stamp that is made once and kept."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from PIL import Image

from campaign.engine.display.signs import Condition
from campaign.engine.values.value import Value
from campaign.maps.drawing.geometry import Box, Path, Point, dashes, grown
from campaign.maps.drawing.ink import (
    CRISP,
    FULL,
    Figure,
    Fill,
    Inked,
    Printed,
    Shape,
    Stamp,
    Stroke,
    cap_height,
    lay,
    lettering,
    mask_of,
    shrunk,
    spread,
    squeezed,
    stamped,
    width_of,
)
from campaign.maps.drawing.symbols import ARMS, STATES, earthwork, frame, placed, size_mark, task_force
from campaign.maps.style import theme
from campaign.maps.style.schemes import Scheme, SideColours
from campaign.maps.style.theme import Face, Print


@dataclass(frozen=True)
class Plan:
    """The layout of a counter of one size, in points from its upper left corner."""

    size: tuple[float, float]
    symbol: Box
    marks: Point | None
    """The middle of the size mark; None without room."""
    pen: float
    label: Box
    """The room for the label, on the lower edge; if it is empty, the counter has no print."""
    left: bool
    """Whether the label is left-aligned; otherwise it is centred."""
    left_figure: Point | Box
    """The middle of the digits; the box of a gauge if digits have little room."""
    right_figure: Point
    """The middle of the digits."""
    states: tuple[Point, ...]
    letter: float
    cut: float


class Size(Enum):
    """The counter of a single unit, the smaller ones of stacks, the slip that counts others, those of coarse maps."""

    WHOLE = "whole"
    HALF = "half"
    STRIP = "strip"
    SLIP = "slip"
    BLOCK = "block"


PLANS: dict[Size, Plan] = {
    Size.WHOLE: Plan(
        size=(48, 38),
        symbol=(13, 10, 35, 24),
        marks=(24, 5.6),
        pen=1.0,
        label=(2.5, 26.4, 45.5, 34.2),
        left=False,
        left_figure=(7.3, 17),
        right_figure=(40.8, 17),
        states=((42.6, 5.9), (34.8, 5.9), (5.4, 5.9), (13.2, 5.9)),
        letter=10.0,
        cut=5.5,
    ),
    Size.HALF: Plan(
        size=(57, 21),
        symbol=(3, 8, 20.5, 18.5),
        marks=(11.8, 4.4),
        pen=0.85,
        label=(22.6, 2.8, 55.2, 10.6),
        left=True,
        left_figure=(28.5, 15.4),
        right_figure=(52, 15.4),
        states=((45.4, 15.4), (38.0, 15.4)),
        letter=9.5,
        cut=4.5,
    ),
    Size.STRIP: Plan(
        size=(57, 15),
        symbol=(2.5, 3, 14.3, 12),
        marks=None,
        pen=0.75,
        label=(17.2, 3.9, 41.0, 11.1),
        left=True,
        left_figure=(14.7, 2.6, 16.4, 12.4),
        right_figure=(52.6, 7.5),
        states=((46.2, 7.5),),
        letter=9.0,
        cut=3.5,
    ),
    Size.SLIP: Plan(
        size=(42, 10),
        symbol=(0, 0, 0, 0),
        marks=None,
        pen=0.7,
        label=(2, 1.4, 40, 8.6),
        left=False,
        left_figure=(0, 0),
        right_figure=(0, 0),
        states=(),
        letter=8.5,
        cut=2.5,
    ),
    Size.BLOCK: Plan(
        size=(38, 30),
        symbol=(5, 5, 33, 25),
        marks=None,
        pen=1.8,
        label=(0, 0, 0, 0),
        left=False,
        left_figure=(0, 0),
        right_figure=(0, 0),
        states=(),
        letter=10.0,
        cut=6.0,
    ),
}

SHADOW = 1.6
"""Points by which a counter's shadow is shifted right and down."""
RIM = 0.9
"""The width of the light rim at its other edges, in points."""
_SMALLEST = 7.0
_DIGITS = Print(Face.BOLD, 8.0)
_BESIDE_DIGITS = 5.0
"""Points from the middle of the right figure to the end of a label, if no condition is between them."""
_PAIR = 4.2
"""Points from the middle of the right figure to the middle of both."""
_PAIRED_LABEL = 1.3
"""Points by which a label is further left if there is no gauge before it and both figures are after it."""
_UNKNOWN = "?"


class CounterStyle(Value, frozen=True):
    """What a counter shows, at any size."""

    side_colours: SideColours
    arm: str | None
    """The symbol of its arm."""
    echelon: str
    """The symbol of its size; empty: unknown."""
    label: str
    sure: bool
    """Whether its own side or the GM shows it; otherwise it was only sighted."""
    left: str = ""
    """The figure on the left."""
    gauge: float | None = None
    """How full the unit is, from 0 to 1, for sizes without room for the figure."""
    right: str = ""
    states: tuple[Condition, ...] = ()
    """In order of priority."""
    age: int | None = None
    """Days since a unit that is out of sight was sighted; its counter is faded."""


@stamped
def counter_stamp(style: CounterStyle, size: Size, scale: float, colours: Scheme) -> Stamp:
    """The counter as a stamp, anchored at its upper left corner."""
    counter = _Counter(style, size, scale, colours)
    for layer in counter_figure(style, size, scale, colours):
        counter.lay(layer)
    return counter.stamp()


def counter_figure(style: CounterStyle, size: Size, scale: float, colours: Scheme) -> Figure:
    """A counter without rim and shadow, in points from its upper left corner; `scale` makes its frame crisp."""
    figure = _Figure(style, size, colours)
    layers = [*figure.body(max(1, round(1.5 * scale)) / scale), *figure.works(), *figure.symbol()]
    if size is not Size.BLOCK:
        layers += [*figure.marks(), *figure.label(), *figure.figures(), *figure.states()]
    return tuple(layers)


def counter_outline(style: CounterStyle, size: Size, *, inset: float = 0.0, shift: float = 0.0) -> Path:
    """The edge of a counter without its closing point, moved in by `inset`, and right and down by `shift`."""
    plan = PLANS[size]
    left, top, right, bottom = grown((0.0, 0.0, *plan.size), -inset)
    box = (left + shift, top + shift, right + shift, bottom + shift)
    return frame(style.side_colours.frame, box, max(plan.cut - inset, 0.5))


@stamped
def words_stamp(style: CounterStyle, size: Size, scale: float, colours: Scheme) -> Stamp:
    """The words on a counter, with a little of the counter round them, anchored as the counter is."""
    counter, whole = _Counter(style, size, scale, colours), counter_stamp(style, size, scale, colours)
    letters = Image.new("L", whole.picture.size)
    for words in _printed(style, size, colours):
        counter.lettering(words).ink(letters, counter.foot(words))
    return Stamp(whole.picture, spread(letters, scale), whole.anchor)


@lru_cache(maxsize=4096)
def words_of(style: CounterStyle, size: Size, colours: Scheme) -> tuple[Box, ...]:
    """The boxes of the words on a counter, in points from its upper left corner."""
    return tuple(_box(words) for words in _printed(style, size, colours))


def _printed(style: CounterStyle, size: Size, colours: Scheme) -> list[Printed]:
    return [layer for layer in counter_figure(style, size, 1.0, colours) if isinstance(layer, Printed)]


def _box(words: Printed) -> Box:
    wide, high = width_of(words.text, words.style) * words.squeeze / 2, cap_height(words.style) / 2
    return words.at[0] - wide, words.at[1] - high, words.at[0] + wide, words.at[1] + high


class _Counter:
    """A counter in the making."""

    def __init__(self, style: CounterStyle, size: Size, scale: float, colours: Scheme) -> None:
        self.scale, wide, high = scale, *PLANS[size].size
        rim, shadow = (max(1, round(points * scale)) for points in (RIM, SHADOW))
        self.corner = rim + 1
        edges = [max(1, round(side * scale)) for side in (wide, high)]
        self.size = (edges[0] / wide, edges[1] / high)  # edges on whole pixels are sharp
        room = self.corner + shadow + 1
        self.paper = Image.new("RGB", (edges[0] + room, edges[1] + room), colours.halo)
        body, shade = (Fill(counter_outline(style, size, shift=by)) for by in (0.0, shadow / self.size[0]))
        edge = Stroke(closed(body.outline), 2 * rim / scale)
        whole: list[Shape] = [body, edge, shade]
        self.mask = mask_of(map(self._pixels, whole), self.paper.size, levels=CRISP)
        self.lay(Inked((shade,), colours.shade, crisp=True))

    def stamp(self) -> Stamp:
        return Stamp(self.paper, self.mask, (self.corner, self.corner))

    def lay(self, layer: Inked | Printed) -> None:
        if isinstance(layer, Printed):
            self.lettering(layer).press(self.paper, self.foot(layer))
        else:
            levels = CRISP if layer.crisp else FULL
            lay(self.paper, map(self._pixels, layer.shapes), layer.colour, levels=levels)

    def _pixels(self, shape: Shape) -> Shape:
        return placed(shape, (self.corner, self.corner), self.size, pen=self.scale)

    def foot(self, words: Printed) -> Point:
        """The middle of the baseline of words."""
        x, y = (self.corner + at * size for at, size in zip(words.at, self.size, strict=True))
        return x, y + cap_height(words.style, self.scale) / 2

    def lettering(self, words: Printed) -> Stamp:
        if words.squeeze < 1:
            return squeezed(words.text, words.style, self.scale, words.squeeze, ink=words.ink)
        return lettering(words.text, words.style, self.scale, ink=words.ink)


class _Figure:
    """The layers of a counter, part by part."""

    def __init__(self, style: CounterStyle, size: Size, colours: Scheme) -> None:
        self.style, self.size, self.plan, self.colours = style, size, PLANS[size], colours
        self.side_colours = style.side_colours if style.age is None else colours.faded(style.side_colours)
        gauged = len(self.plan.left_figure) == 4
        self.paired = gauged and style.gauge is None and bool(style.left) and not _shown(style.states)
        """Whether both figures stand on the right: it has no gauge, and no condition takes the room."""

    def body(self, thick: float) -> Iterator[Inked]:
        if self.style.sure:
            yield Inked((Fill(counter_outline(self.style, self.size)),), self.side_colours.strong, crisp=True)
            yield Inked(
                (Fill(counter_outline(self.style, self.size, inset=thick)),), self.side_colours.pale, crisp=True
            )
            return
        yield Inked((Fill(counter_outline(self.style, self.size)),), self.colours.sighted, crisp=True)
        edge = closed(counter_outline(self.style, self.size, inset=0.7))
        yield Inked(tuple(Stroke(dash, 1.3) for dash in dashes(edge, 4.2, 2.6)), self.side_colours.strong)

    def works(self) -> Iterator[Inked]:
        symbols = {state.symbol for state in self.style.states}
        yield Inked(earthwork(self.plan.size, self.plan.cut, symbols), self.colours.ink)

    def symbol(self) -> Iterator[Inked | Printed]:
        """The symbol of the arm in its box; a question mark if it is unknown."""
        box = self.plan.symbol
        if self.style.arm is None:
            if not self.style.sure:
                font = Print(Face.BOLD, (box[3] - box[1]) * 1.25)
                yield Printed(_UNKNOWN, font, self.style.side_colours.strong, _middle(box))
            return
        solid = self.side_colours.solid and self.style.sure
        fill, ink = (
            (self.side_colours.strong, self.colours.reverse)
            if solid
            else (self.colours.blank, self.side_colours.strong)
        )
        edge = Stroke(_ring(grown(box, -0.5)), 1.2 * self.plan.pen)
        inner = grown(box, -1.0)
        size = (inner[2] - inner[0], inner[3] - inner[1])
        signs = [placed(sign, inner[:2], size, pen=self.plan.pen) for sign in ARMS[self.style.arm]]
        yield Inked((Fill(corners(box)),), fill)
        yield Inked((*signs, *([] if solid else [edge])), ink)

    def marks(self) -> Iterator[Inked]:
        """The size mark of the formation; in a bracket if it is a task force."""
        if self.plan.marks is None:
            return
        shapes = list(size_mark(self.style.echelon))
        if any(state.symbol == "bracket" for state in self.style.states):
            shapes += task_force(self.style.echelon)
        size = (self.plan.pen, self.plan.pen)
        yield Inked(tuple(placed(s, self.plan.marks, size, pen=self.plan.pen) for s in shapes), self.colours.ink)

    def label(self) -> Iterator[Printed]:
        if self.style.arm is None and not self.style.label:
            return
        left, top, right, bottom = self.plan.label
        if self.paired:
            left, right = left - _PAIRED_LABEL, right - _PAIRED_LABEL
        if len(self.plan.states) == 1 and not _shown(self.style.states) and not self.paired:
            right = self.plan.right_figure[0] - _BESIDE_DIGITS
        text, font, squeeze = fitted(self.style.label or _UNKNOWN, self.plan.letter, right - left)
        x = left + width_of(text, font) * squeeze / 2 if self.plan.left else (left + right) / 2
        yield Printed(text, font, self.colours.ink, (x, (top + bottom) / 2), squeeze)

    def figures(self) -> Iterator[Inked | Printed]:
        """The left figure in digits, as a gauge, or next to the right one; the right figure, or the age."""
        style, left, right = self.style, self.plan.left_figure, self.plan.right_figure
        if self.paired:
            yield Printed(f"{style.left}-{style.right}", _DIGITS, self.colours.ink, (right[0] - _PAIR, right[1]))
            return
        if len(left) == 2 and style.left:
            yield Printed(style.left, _DIGITS, self.colours.ink, left)
        elif len(left) == 4 and style.gauge is not None:
            west, top, east, bottom = left
            level = top + (bottom - top) * (1 - style.gauge)
            yield Inked((Fill(corners((west, top, east, bottom))),), self.colours.faint, crisp=True)
            yield Inked((Fill(corners((west, level, east, bottom))),), self.colours.ink, crisp=True)
        if style.age is not None:
            yield Printed(f"{style.age}d", _DIGITS, self.colours.ink, right)
        if style.right:
            yield Printed(style.right, _DIGITS, self.colours.ink, right)

    def states(self) -> Iterator[Inked | Printed]:
        """The marks of conditions that have room, in order of priority."""
        for state, at in zip(_shown(self.style.states), self.plan.states, strict=False):
            ink = self.colours.alarm if state.letter else self.colours.ink
            yield Inked(tuple(placed(shape, at) for shape in STATES[state.symbol]), ink)
            if state.letter:
                yield Printed(state.letter, theme.BADGE_PRINT, self.colours.reverse, at)


def _shown(states: tuple[Condition, ...]) -> list[Condition]:
    return [state for state in states if state.symbol in STATES]


_NARROWEST = 0.68
"""The narrowest print of a long label, as a part of its width; if it is still too long, it is cut short."""


def fitted(text: str, size: float, room: float) -> tuple[str, Print, float]:
    """A label made to fit a width in points: text, print, narrowing. It gets smaller, then narrower, then cut short."""
    text, font = shrunk(text, Print(Face.BOLD, size), room, smallest=_SMALLEST, slack=1 / _NARROWEST)
    return text, font, min(1.0, room / max(width_of(text, font), 1.0))


def closed(outline: Path) -> Path:
    return (*outline, *outline[:2])


def _middle(box: Box) -> Point:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def corners(box: Box) -> Path:
    left, top, right, bottom = box
    return (left, top), (right, top), (right, bottom), (left, bottom)


def _ring(box: Box) -> Path:
    return (*corners(box), box[:2])
