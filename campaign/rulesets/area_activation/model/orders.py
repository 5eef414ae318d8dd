"""The lines of sheets and of the GM's rulings. A line's fields are its grammar."""

from enum import Enum
from typing import Annotated, ClassVar

from campaign.engine.orders.order import Help, Keyword, Note, Order, Path, Ready
from campaign.engine.values.ids import PlaceId, UnitId
from campaign.rulesets.area_activation.model.game_data import ALLIED, GERMAN


class Decision(Enum):
    """R47 What a side decides while a day is played."""

    ACTIVATIONS = "activations"
    PASSES = "passes"
    COMBATS = "combats"
    LOSSES = "losses"
    RETREATS = "retreats"
    BREAKTHROUGHS = "breakthroughs"


class Time(Enum):
    """R7 The spaces of the time track."""

    T0530 = "0530"
    T0700 = "0700"
    T0830 = "0830"
    T1000 = "1000"
    T1130 = "1130"
    T1300 = "1300"
    T1430 = "1430"
    T1600 = "1600"
    T1730 = "1730"
    T1900 = "1900"


TIMES = tuple(Time)
LAST_TURN = len(TIMES) - 1
"""R7 The turns of a side in a day, at most."""


class Holding(Enum):
    """R49 How a space stands for the side that asks."""

    OURS = "ours"
    THEIRS = "theirs"
    CONTESTED = "contested"


# --- the morning -----------------------------------------------------------------------------------------------------


class Arrive(Order, frozen=True):
    """R38, R39 Where a unit arrives."""

    unit: Annotated[UnitId, Help("a unit that is due, or of the reserve")]
    at: Annotated[PlaceId, Keyword("at"), Help("the space")]


class KeepReserve(Order, frozen=True):
    """R39 No unit of the reserve arrives today."""


class Replace(Order, frozen=True):
    """R40 A replacement point for a unit."""

    unit: Annotated[UnitId, Help("one of your units")]


class Mark(Order, frozen=True):
    """R37 Mark a German unit as short of fuel."""

    unit: Annotated[UnitId, Help("a German armored or mechanized unit")]


class Refuel(Order, frozen=True):
    """R37 Free a marked unit; lines above come first."""

    unit: Annotated[UnitId, Help("one of your armored or mechanized units")]


class Commando(Order, frozen=True):
    """R41 The commando operation: an Allied unit does not act today."""

    unit: Annotated[UnitId, Help("an Allied unit")]


# --- the day ---------------------------------------------------------------------------------------------------------


class Activate(Order, frozen=True):
    """R10 Your units in a space act. Lines further up come first."""

    by_tap: ClassVar[bool] = True

    at: Annotated[PlaceId, Help("the space")]
    after: Annotated[Time | None, Keyword("after"), Help("not before this time")] = None
    when: Annotated[PlaceId | None, Keyword("when"), Help("a space on which it depends")] = None
    holds: Annotated[Holding | None, Keyword("is"), Help("how that space must stand")] = None

    @property
    def is_conditional(self) -> bool:
        """R49.1 Whether its turn may come later than that of lines further down."""
        return self.after is not None or self.when is not None


class Move(Order, frozen=True):
    """R15, R19 Where a unit goes when its space is activated: the first of its lines that it can follow counts."""

    by_tap: ClassVar[bool] = True

    unit: Annotated[UnitId, Help("one of your units")]
    path: Annotated[Path, Help("the spaces entered")]
    strategic: Annotated[bool, Keyword("strategic"), Help("the word strategic")] = False


class Exit(Order, frozen=True):
    """R24 A German unit leaves the map when its space is activated."""

    unit: Annotated[UnitId, Help("one of your units in a space of exit")]


class Pass(Order, frozen=True):
    """R9 Pass, if it is allowed: once when this line's turn has come, or always from a time on."""

    after: Annotated[Time | None, Keyword("after"), Help("from this time on")] = None

    @property
    def is_conditional(self) -> bool:
        """R49.1 Whether it counts again and again, from a time on."""
        return self.after is not None


class GoOn(Order, frozen=True):
    """R9 Do not pass in this turn, whatever the sheet says."""


class Combat(Order, frozen=True):
    """R25 Fight here before the spaces of lines further down."""

    at: Annotated[PlaceId, Help("the space")]


class Lose(Order, frozen=True):
    """R31 This unit takes a hit before the units of lines further down."""

    unit: Annotated[UnitId, Help("one of your units")]


class Retreat(Order, frozen=True):
    """R32 Your units leave a space where they are attacked."""

    at: Annotated[PlaceId, Help("the space they leave")]
    to: Annotated[Path, Keyword("to"), Help("where they go, best first")] = ()
    hits: Annotated[int, Keyword("hits"), Help("only if they take this many hits")] = 0


class Stand(Order, frozen=True):
    """R32 Your units stay in a space, whatever it costs."""

    at: Annotated[PlaceId, Help("the space they hold")]


class BreakThrough(Order, frozen=True):
    """R33 Where an armored unit goes on if all defenders were eliminated: its first possible line counts."""

    unit: Annotated[UnitId, Help("one of your armored units")]
    to: Annotated[PlaceId, Keyword("to"), Help("the space it enters")]


class Halt(Order, frozen=True):
    """R33 An armored unit makes no breakthrough."""

    unit: Annotated[UnitId, Help("one of your armored units")]


class AskMe(Order, frozen=True):
    """R47 You want to be asked when this is to be decided."""

    about: Annotated[Decision, Help("what is decided")]


class Delegate(Order, frozen=True):
    """R47 Your lines decide this, and then the defaults."""

    about: Annotated[Decision, Help("what is decided")]


# --- rulings ---------------------------------------------------------------------------------------------------------


class Holder(Enum):
    """A side, in the GM's lines."""

    GERMAN = GERMAN
    ALLIED = ALLIED


class Sign(Enum):
    """A sign on a unit, in the GM's lines."""

    ACTED = "acted"
    UNSUPPLIED = "unsupplied"
    UNFUELLED = "unfuelled"


class Place(Order, frozen=True):
    """R50 Put a unit of the map somewhere, or one that is not on it yet."""

    unit: Annotated[UnitId, Help("the unit")]
    at: Annotated[PlaceId, Keyword("at"), Help("where it is")]


class Strength(Order, frozen=True):
    """R50 Set a unit's strength."""

    unit: Annotated[UnitId, Help("the unit")]
    points: Annotated[int, Help("its strength")]


class Remove(Order, frozen=True):
    """R50 Take a unit off the map. No points are counted. PLACE puts it back."""

    unit: Annotated[UnitId, Help("the unit")]


class PutSign(Order, frozen=True):
    """R50 Put a sign on a unit."""

    sign: Annotated[Sign, Help("the sign")]
    unit: Annotated[UnitId, Keyword("on"), Help("the unit")]


class TakeSign(Order, frozen=True):
    """R50 Take a sign off a unit."""

    sign: Annotated[Sign, Help("the sign")]
    unit: Annotated[UnitId, Keyword("off"), Help("the unit")]


class Control(Order, frozen=True):
    """R50 Set who controls a space without units. Its points go with it."""

    at: Annotated[PlaceId, Help("the space")]
    side: Annotated[Holder, Keyword("for"), Help("the side")]


class AddPoints(Order, frozen=True):
    """R50 Give the Germans victory points."""

    points: Annotated[int, Help("how many")]


class TakePoints(Order, frozen=True):
    """R50 Take victory points from the Germans."""

    points: Annotated[int, Help("how many")]


# --- by phase --------------------------------------------------------------------------------------------------------

MORNING_ORDERS = (Arrive, KeepReserve, Replace, Mark, Refuel, Commando, Note, Ready)
PLAN_ORDERS = (Activate, Move, Exit, Pass, Combat, Lose, Retreat, Stand, BreakThrough, Halt)
DAY_ORDERS = (*PLAN_ORDERS, AskMe, Delegate, Note, Ready)
ANSWERS = (*PLAN_ORDERS, GoOn)
REPLY_ORDERS = (*ANSWERS, Note, Ready)

PlanLine = Activate | GoOn | Move | Exit | Pass | Combat | Lose | Retreat | Stand | BreakThrough | Halt

OF_DECISION: dict[Decision, tuple[type[Order], ...]] = {
    Decision.ACTIVATIONS: (Activate, Move, Exit, Pass),
    Decision.PASSES: (Pass, GoOn),
    Decision.COMBATS: (Combat,),
    Decision.LOSSES: (Lose,),
    Decision.RETREATS: (Retreat, Stand),
    Decision.BREAKTHROUGHS: (BreakThrough, Halt),
}
"""R47 The lines that decide each."""


def is_used_up(line: Order) -> bool:
    """R49.1 Whether a line of a sheet counts once; others count whenever they fit."""
    return isinstance(line, Activate) or (isinstance(line, Pass) and not line.is_conditional)
