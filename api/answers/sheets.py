"""Order sheets: what is written, how it is read, what may be added."""

from datetime import datetime
from typing import Annotated

import msgspec

from campaign.engine.orders.order import Gauge, Problem
from campaign.engine.values.ids import PlaceId, UnitId
from campaign.engine.values.value import Value

PhaseMark = Annotated[
    str,
    msgspec.Meta(
        pattern=r"^[0-9]{1,9}\.[0-9]{1,9}$", description="A phase: its number, a dot, how often it was reopened."
    ),
]
Version = Annotated[int, msgspec.Meta(ge=0, le=999_999_999)]


class SheetText(Value, frozen=True):
    """A sheet that is being written."""

    text: str
    """The whole text."""


class ChoicesRequest(Value, frozen=True):
    """A sheet that is being written, and the unit for which lines are wanted."""

    text: str
    """The whole text."""
    unit: UnitId | None = None
    """The unit that is asked about; without one: orders that name none."""
    instead: bool = False
    """Whether what is wanted replaces all lines about the unit that the sheet has."""


class NewSheet(Value, frozen=True):
    """A sheet to submit."""

    phase: PhaseMark
    """The phase that it is for."""
    text: str
    """The whole text."""
    version: Version
    """The newest version that its writer has seen; 0 for none."""
    ready: bool = False
    """Whether to add READY."""
    for_side: bool = False
    """Whether HQ says READY for all desks of its side; only for the desk HQ, and it adds READY."""


class EnteredSheet(Value, frozen=True):
    """A sheet that a game master enters for a desk."""

    phase: PhaseMark
    """The phase that it is for."""
    text: str
    """The whole text, with READY if it is final."""
    version: Version
    """The newest version of the desk's sheet that you have seen; 0 for none."""


class Withdrawal(Value, frozen=True):
    """The version of a sheet to withdraw."""

    phase: PhaseMark
    """The phase that it is for."""
    version: Version
    """The version to withdraw."""


# --- how a sheet is read ---------------------------------------------------------------------------------------------


class LineReading(Value, frozen=True):
    """A line that is an order."""

    line: int
    """The number of the line; 1 is the first."""
    verb: str
    """The word that it begins with."""
    units: tuple[UnitId, ...]
    """The units that it names."""
    ignored: bool
    """Whether it has no effect, because something is wrong with it."""
    text: str = ""
    """How it is read, in words; empty if it is ignored."""
    path: tuple[PlaceId, ...] = ()
    """Where it leads; of a line that is ignored: where it would."""
    arrow: str = ""
    """The declared arrow that shows the path."""


class LineProblem(Value, frozen=True):
    """What is wrong with a line, or worth knowing about the sheet."""

    code: str
    """What kind of problem it is; the same in every phase."""
    severity: str
    """error: the line is ignored; warning; notice."""
    line: int
    """0: no line."""
    column: int
    """Where in the line it begins; 1 is the first character."""
    message: str
    """What is wrong, in words."""
    hint: str = ""
    """What to do about it."""
    rule: str = ""
    """The number of the rule; empty: none."""
    units: tuple[UnitId, ...] = ()
    """The units that it is about."""


def line_problem(each: Problem) -> LineProblem:
    """A problem as programs read it."""
    rule = "" if each.rule == "NOTATION" else each.rule
    return LineProblem(
        each.code, each.severity.value, each.line, each.column, each.message, each.hint, rule, each.units
    )


class SheetReading(Value, frozen=True):
    """How a sheet is read, as far as its side knows."""

    lines: tuple[LineReading, ...]
    """All lines that are orders."""
    summary: tuple[str, ...]
    """About the sheet as a whole."""
    problems: tuple[LineProblem, ...]
    """What is wrong, or worth knowing."""
    ready: bool
    """Whether the sheet says READY."""
    gauges: tuple[Gauge, ...] = ()
    """What the orders of the side use up."""


# --- what may be added -----------------------------------------------------------------------------------------------


class OfferedWay(Value, frozen=True):
    """A place where the unit can go, and the line for it."""

    line: str
    """The line to add to the sheet."""
    path: tuple[PlaceId, ...]
    """The places entered; the last one is where it ends."""
    cost: int
    """The movement points that the way needs."""
    allowance: int
    """The movement points that the unit has."""


class OfferedLine(Value, frozen=True):
    """A line that may be added."""

    line: str
    """The line to add to the sheet."""
    verb: str
    """The word that it begins with."""
    place: PlaceId | None = None
    """The place that it names, if it names one."""
    by_tap: bool = False
    """Whether a tap on that place means this line."""


class SheetChoices(Value, frozen=True):
    """What may be added to a sheet, as far as its side knows."""

    ways: tuple[OfferedWay, ...]
    """Each place where the unit can go, once."""
    lines: tuple[OfferedLine, ...]
    """All other lines."""


# --- what is stored --------------------------------------------------------------------------------------------------


class Receipt(Value, frozen=True):
    """Proof of what was submitted."""

    phase: str
    """The mark of the phase that it is for."""
    desk: str
    """The name of the desk."""
    version: int
    """The number of the new version."""
    received_at: datetime
    """When it was received."""
    digest: str
    """SHA-256 of the text, a line end and the nonce."""
    ready: bool
    """Whether it says READY."""
    ready_at: datetime | None
    """When READY takes effect, which can be cancelled until then by a sheet without it; null: it is not READY."""
    for_side: bool
    """Whether it is READY for all desks of its side."""
