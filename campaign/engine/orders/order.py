"""Orders: each type is a struct whose annotated fields are its grammar, its help and its form.

A field's type says what is written: a unit, a place, a path, a number, one of some words, free text. `Annotated` adds
the keyword that introduces it and a word of help. A field with a default may be left out. See `notation` for the
parser.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Any, ClassVar, Generic, NamedTuple, NewType, TypeVar

from campaign.engine.values.ids import Audience, PlaceId, SideId, UnitId
from campaign.engine.values.value import Value

T = TypeVar("T")
S = TypeVar("S")

Path = tuple[PlaceId, ...]
"""Hexes entered in order, as a field of an order: written by their ids with strokes between them."""

Text = NewType("Text", str)
"""Free text to the end of the line, as a field of an order."""


class Keyword(Value, frozen=True):
    """The word that introduces a field. For a field of type bool the word is the whole field."""

    word: str


class Help(Value, frozen=True):
    """What a field means, in the words of the form's label."""

    text: str


def _verb(class_name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", class_name).upper()


class Order(Value, frozen=True, tag_field="order", tag=_verb):
    """One line of a sheet. The class's name is its verb: `Move` is MOVE, `AllOthersHold` is ALL OTHERS HOLD."""

    one_of: ClassVar[tuple[str, ...]] = ()
    """Exactly one of these fields must be given."""
    of_the_side: ClassVar[bool] = False
    """It is about the whole side. If a side has several desks, only HQ may write it."""
    beside_others: ClassVar[bool] = False
    """It leaves its unit's other orders alone: HQ may write it without overriding the desk that has the unit."""
    shared_out: ClassVar[bool] = False
    """It asks for a part of what the side has for all desks. A desk that can write nothing else decides nothing."""
    by_tap: ClassVar[bool] = False
    """On a map, a tap on the place that it names means it."""


# --- orders that any ruleset may take --------------------------------------------------------------------------------


class Ready(Order, frozen=True):
    """The sheet is final: the phase may close before its deadline."""


class Hold(Order, frozen=True):
    """A unit stays where it is."""

    unit: Annotated[UnitId, Help("one of your units")]


class AllOthersHold(Order, frozen=True):
    """Every unit without another order stays where it is."""


class Note(Order, frozen=True):
    """A note to the GM."""

    text: Annotated[Text, Help("what the GM should know")]


class NoStandingOrders(Order, frozen=True):
    """The side's standing orders are withdrawn."""

    of_the_side: ClassVar[bool] = True


# --- a side's lines and desks ----------------------------------------------------------------------------------------

HQ = "HQ"
"""The desk that every side has. Its line wins if two desks order the same unit."""

EVERY_DESK = ""
"""The name, in place of a desk's, in a message about all sheets of a side."""


class Line(NamedTuple):
    """The position of an order: a line of a desk's sheet."""

    number: int
    """Counted from 1; 0 means no line."""
    desk: str = HQ


class Placed(Value, frozen=True):
    """An order and its position. Line 0: nobody wrote it."""

    order: Any
    line: int
    desk: str = HQ

    @property
    def where(self) -> Line:
        return Line(self.line, self.desk)


class Desks(Value, frozen=True):
    """The units assigned to a side's desks. Units of no desk are HQ's."""

    units: Mapping[str, frozenset[UnitId]] = {}

    def each(self, units: Iterable[UnitId]) -> dict[str, frozenset[UnitId]]:
        """Which of these units each desk has, HQ's first."""
        asked = frozenset(units)
        given = frozenset(unit for own in self.units.values() for unit in own)
        return {HQ: asked - given, **{desk: asked & own for desk, own in self.units.items()}}


ONE_DESK = Desks()
"""A side whose units are all HQ's."""


@dataclass(frozen=True)
class Submission(Generic[T, S]):
    """The lines of a side's sheets, and what the side knows: nothing else, so that no check can reveal more."""

    game_data: T
    known: S
    """The player's state."""
    who: Audience
    lines: Sequence[Placed]
    desks: Desks = ONE_DESK

    @property
    def side(self) -> SideId:
        return SideId(self.who)

    def has(self, kind: type[Order]) -> bool:
        """Whether a line is of this kind."""
        return any(type(placed.order) is kind for placed in self.lines)


# --- answers to sheets ------------------------------------------------------------------------------------------------


class Severity(Enum):
    """What a problem means for its line."""

    ERROR = "error"
    """The line is ignored."""
    WARNING = "warning"
    """The line is accepted, but worth a second look."""
    NOTICE = "notice"
    """Worth knowing."""


class Problem(Value, frozen=True):
    """What is wrong with a line, where, and how to fix it, as far as its reader knows. Line 0: with no single line."""

    code: str
    severity: Severity
    line: int
    column: int
    message: str
    hint: str = ""
    rule: str = ""
    desk: str = HQ
    units: tuple[UnitId, ...] = ()
    """Of a notice about units: those, for a page that goes from one to the next."""


class Gauge(Value, frozen=True):
    """How much of something a side's sheets use: fuel, air units, points."""

    name: str
    """What it is."""
    used: int
    """How much the sheets use."""
    of: int
    """How much there is."""


class Understood(Value, frozen=True):
    """How a line was read, in words. Line 0: about the sheet as a whole."""

    line: int
    text: str
    desk: str = HQ
    path: tuple[PlaceId, ...] = ()
    """Where it leads on the map, the starting place first; empty: nowhere."""
    arrow: str = ""
    """Key of the declared arrow that shows the path."""


class Checked(Value, frozen=True):
    """The answer to a sheet: how its lines were read, and all its problems."""

    understood: tuple[Understood, ...] = ()
    problems: tuple[Problem, ...] = ()
    gauges: tuple[Gauge, ...] = ()

    def and_also(self, problems: Iterable[Problem]) -> "Checked":
        """The same with further problems."""
        return Checked(self.understood, (*self.problems, *problems), self.gauges)


def in_order(understood: Iterable[Understood], problems: Iterable[Problem], gauges: Iterable[Gauge] = ()) -> Checked:
    """An answer in the order of lines; problems without a line come last."""
    return Checked(
        tuple(sorted(understood, key=lambda each: each.line)),
        tuple(sorted(problems, key=lambda each: (each.line == 0, each.line, each.column))),
        tuple(gauges),
    )


def merged(*parts: Checked) -> Checked:
    """The answers of several checks of a sheet as one."""
    return in_order(
        (each for part in parts for each in part.understood),
        (each for part in parts for each in part.problems),
        (each for part in parts for each in part.gauges),
    )


@dataclass(frozen=True)
class Sheet:
    """A sheet as read: the orders of its lines, and the problems of lines that are no orders."""

    orders: tuple[Placed, ...]
    problems: tuple[Problem, ...]


def verb_of(kind: type[Order]) -> str:
    """The words a line of this type begins with."""
    return _verb(kind.__name__)
