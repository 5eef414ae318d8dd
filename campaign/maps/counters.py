"""Counters as stamps: what a unit shows of itself at each size of counter. Every stamp is made once and kept."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from PIL import Image

from campaign.engine.values import Value, replace
from campaign.engine.views import Branch, Echelon, UnitState
from campaign.maps import theme
from campaign.maps.geometry import Box, Path, Point, dashes, grown
from campaign.maps.ink import (
    CRISP,
    FULL,
    Fill,
    Shape,
    Stamp,
    Stroke,
    cap_height,
    lay,
    lettering,
    mask_of,
    shrunk,
    squeezed,
    width_of,
)
from campaign.maps.symbols import BRANCHES, STATES, earthwork, frame, placed, size_mark, task_force
from campaign.maps.theme import Colour, Face, Livery, Print


@dataclass(frozen=True)
class Plan:
    """Where everything stands on a counter of one size, in points from its upper left corner."""

    size: tuple[float, float]
    symbol: Box
    marks: Point | None
    """Middle of the size mark, if it has room."""
    pen: float
    label: Box
    """The room for the label, standing on the lower edge; none has no print at all."""
    left: bool
    """The label begins at the left of its room; otherwise it is centred."""
    strength: Point | None
    movement: Point
    """Middles of the digits."""
    states: tuple[Point, ...]
    letter: float
    cut: float


class Size(Enum):
    """The whole counter of a unit that is alone, the smaller ones of stacks, and those of coarse maps."""

    WHOLE = "whole"
    HALF = "half"
    STRIP = "strip"
    BLOCK = "block"


PLANS: dict[Size, Plan] = {
    Size.WHOLE: Plan(
        size=(48, 38),
        symbol=(13, 10, 35, 24),
        marks=(24, 5.6),
        pen=1.0,
        label=(2.5, 26.4, 45.5, 34.2),
        left=False,
        strength=(7.3, 17),
        movement=(40.8, 17),
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
        strength=(28.5, 15.4),
        movement=(52, 15.4),
        states=((45.4, 15.4), (38.0, 15.4)),
        letter=9.5,
        cut=4.5,
    ),
    Size.STRIP: Plan(
        size=(57, 15),
        symbol=(2.5, 3, 16.5, 12),
        marks=None,
        pen=0.75,
        label=(18.5, 3.9, 42.4, 11.1),
        left=True,
        strength=None,
        movement=(52.6, 7.5),
        states=((46.2, 7.5),),
        letter=9.0,
        cut=3.5,
    ),
    Size.BLOCK: Plan(
        size=(38, 30),
        symbol=(5, 5, 33, 25),
        marks=None,
        pen=1.8,
        label=(0, 0, 0, 0),
        left=False,
        strength=None,
        movement=(0, 0),
        states=(),
        letter=10.0,
        cut=6.0,
    ),
}

SHADOW = 1.6
"""Points by which a counter throws its shadow to the right and down."""
_RIM = 0.9
"""Points of light rim at its other edges."""
_SMALLEST = 7.0
_DIGITS = Print(Face.BOLD, 8.0)
_UNKNOWN = "?"


class Look(Value, frozen=True):
    """What a counter shows, whatever its size."""

    livery: Livery
    branch: Branch | None
    echelon: Echelon
    label: str
    sure: bool
    """Its own side or the GM shows it; otherwise it was only sighted."""
    strength: int | None = None
    movement: int | None = None
    states: tuple[UnitState, ...] = ()
    age: int | None = None
    """Days since it was sighted, for one that is out of sight: its counter is faded."""


@lru_cache(maxsize=4096)
def counter_stamp(look: Look, size: Size, scale: float) -> Stamp:
    """The counter as a stamp that is anchored at its upper left corner."""
    if look.age is not None:
        look = replace(look, livery=theme.faded(look.livery))
    counter = _Counter(PLANS[size], look.livery, scale)
    counter.body(sure=look.sure)
    counter.works(look.states)
    counter.symbol(look)
    if size is not Size.BLOCK:
        counter.marks(look)
        counter.label(look)
        counter.numbers(look)
        counter.states(look.states)
    return counter.stamp()


class _Counter:
    """A counter while it is being drawn."""

    def __init__(self, plan: Plan, livery: Livery, scale: float) -> None:
        self.plan, self.livery, self.scale = plan, livery, scale
        rim, shadow = (max(1, round(points * scale)) for points in (_RIM, SHADOW))
        self.corner = rim + 1
        edges = [max(1, round(side * scale)) for side in plan.size]
        self.size = (edges[0] / plan.size[0], edges[1] / plan.size[1])  # edges on whole pixels are sharp
        room = self.corner + shadow + 1
        self.paper = Image.new("RGB", (edges[0] + room, edges[1] + room), theme.HALO)
        body, shade = Fill(self._outline(0.0)), Fill(self._outline(0.0, shift=shadow / self.size[0]))
        edge = Stroke(_closed(body.outline), 2 * rim / scale)
        whole: list[Shape] = [body, edge, shade]
        self.mask = mask_of(map(self._pixels, whole), self.paper.size, levels=CRISP)
        self.lay([shade], theme.SHADE, levels=CRISP)

    def stamp(self) -> Stamp:
        return Stamp(self.paper, self.mask, (self.corner, self.corner))

    def lay(self, shapes: Iterable[Shape], colour: Colour, *, levels: Sequence[int] = FULL) -> None:
        """Lay shapes that are given in points."""
        lay(self.paper, map(self._pixels, shapes), colour, levels=levels)

    def body(self, *, sure: bool) -> None:
        outline, thick = self._outline(0.0), max(1, round(1.5 * self.scale)) / self.scale
        if sure:
            self.lay([Fill(outline)], self.livery.strong, levels=CRISP)
            self.lay([Fill(self._outline(thick))], self.livery.pale, levels=CRISP)
            return
        self.lay([Fill(outline)], theme.SIGHTED, levels=CRISP)
        edge = _closed(self._outline(0.7))
        self.lay((Stroke(dash, 1.3) for dash in dashes(edge, 4.2, 2.6)), self.livery.strong)

    def works(self, states: tuple[UnitState, ...]) -> None:
        self.lay(earthwork(self.plan.size, self.plan.cut, states), theme.INK)

    def symbol(self, look: Look) -> None:
        """The branch in its box; a question mark where nobody knows it."""
        left, top, right, bottom = box = self.plan.symbol
        if look.branch is None:
            if not look.sure:
                self._print(_UNKNOWN, Print(Face.BOLD, (bottom - top) * 1.25, look.livery.strong), _middle(box))
            return
        solid = look.livery.solid and look.sure
        fill, ink = (look.livery.strong, theme.WHITE) if solid else (theme.WHITE, look.livery.strong)
        edge = Stroke(_ring(grown(box, -0.5)), 1.2 * self.plan.pen)
        inner = grown(box, -1.0)
        size = (inner[2] - inner[0], inner[3] - inner[1])
        signs = [placed(sign, inner[:2], size, pen=self.plan.pen) for sign in BRANCHES[look.branch]]
        self.lay([Fill(((left, top), (right, top), (right, bottom), (left, bottom)))], fill)
        self.lay([*signs, *([] if solid else [edge])], ink)

    def marks(self, look: Look) -> None:
        """The size of the formation, in the bracket of a task force where losses have made it one."""
        if self.plan.marks is None:
            return
        shapes = list(size_mark(look.echelon))
        if UnitState.REDUCED in look.states:
            shapes += task_force(look.echelon)
        size = (self.plan.pen, self.plan.pen)
        self.lay((placed(s, self.plan.marks, size, pen=self.plan.pen) for s in shapes), theme.INK)

    def label(self, look: Look) -> None:
        if look.branch is None and not look.label:
            return
        left, top, right, bottom = self.plan.label
        if self.plan.strength is None and not _shown(look.states):
            right += 4.5
        text, style, squeeze = fitted(look.label or _UNKNOWN, self.plan.letter, right - left)
        x = left + width_of(text, style) * squeeze / 2 if self.plan.left else (left + right) / 2
        self._print(text, style, (x, (top + bottom) / 2), squeeze=squeeze)

    def numbers(self, look: Look) -> None:
        """Strength where it is not full, and the movement allowance; of one out of sight the days since."""
        if look.age is not None:
            self._print(f"{look.age}d", _DIGITS, self.plan.movement)
        if look.movement is not None:
            self._print(str(look.movement), _DIGITS, self.plan.movement)
        if look.strength is not None and look.strength < 100 and self.plan.strength is not None:
            self._print(str(look.strength), _DIGITS, self.plan.strength)

    def states(self, states: tuple[UnitState, ...]) -> None:
        """As many state marks as have room, the gravest first."""
        for state, at in zip(_shown(states), self.plan.states, strict=False):
            alarm = state is UnitState.UNSUPPLIED
            self.lay((placed(shape, at) for shape in STATES[state]), theme.ALARM if alarm else theme.INK)
            if alarm:
                self._print(theme.UNSUPPLIED, theme.BADGE_PRINT, at)

    def _outline(self, inset: float, *, shift: float = 0.0) -> tuple[Point, ...]:
        left, top, right, bottom = grown((0.0, 0.0, *self.plan.size), -inset)
        box = (left + shift, top + shift, right + shift, bottom + shift)
        return frame(self.livery.frame, box, max(self.plan.cut - inset, 0.5))

    def _pixels(self, shape: Shape) -> Shape:
        return placed(shape, (self.corner, self.corner), self.size, pen=self.scale)

    def _print(self, text: str, style: Print, at: Point, *, squeeze: float = 1.0) -> None:
        """Print centred on a point, both ways."""
        x, y = self.corner + at[0] * self.size[0], self.corner + at[1] * self.size[1]
        y += cap_height(style, self.scale) / 2
        if squeeze < 1:
            squeezed(text, style, self.scale, squeeze).press(self.paper, (x, y))
        else:
            lettering(text, style, self.scale).press(self.paper, (x, y))


def _shown(states: tuple[UnitState, ...]) -> list[UnitState]:
    return [state for state in STATES if state in states]


_NARROWEST = 0.68
"""How far a long label is squeezed before it is cut short."""


def fitted(text: str, size: float, room: float) -> tuple[str, Print, float]:
    """A label for so much room, in points: in smaller print, then squeezed to a part of its width, then cut short."""
    text, style = shrunk(text, Print(Face.BOLD, size), room, smallest=_SMALLEST, slack=1 / _NARROWEST)
    return text, style, min(1.0, room / max(width_of(text, style), 1.0))


def _closed(outline: Path) -> Path:
    return (*outline, *outline[:2])


def _middle(box: Box) -> Point:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def _ring(box: Box) -> tuple[Point, ...]:
    left, top, right, bottom = box
    return (left, top), (right, top), (right, bottom), (left, bottom), (left, top)
