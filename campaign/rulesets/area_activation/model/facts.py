"""What can happen. What each fact changes is in `evolve`, who learns of it in `show.release`."""

import datetime
from collections.abc import Mapping

from campaign.engine.facts import Fact
from campaign.engine.values.ids import PhaseKey, PlaceId, SideId, UnitId
from campaign.rulesets.area_activation.model.orders import Decision, PlanLine, Sign
from campaign.rulesets.area_activation.model.state import Fight, Question, Stage, Unit


class Turned(Fact, frozen=True):
    """R7 The sequence moves on to a phase, and to a side's turn."""

    phase: PhaseKey
    date: datetime.date
    turn: SideId
    surprise: int
    """R4 The number of the surprise turn; 0: they are over."""
    new_turn: bool
    """Whether a turn begins."""


class DayBegan(Fact, frozen=True):
    """R5 A day begins: units can act again, and marks for fuel are gone."""

    initiative: SideId
    """R6"""
    decides: bool
    """Whether there is something to decide in the morning."""


class SupplyChecked(Fact, frozen=True):
    """R34 Which units of a side are out of supply today."""

    side: SideId
    out: tuple[UnitId, ...]


class Starved(Fact, frozen=True):
    """R36 A unit loses a point of strength for want of supply."""

    side: SideId
    unit: UnitId


class MeuseReached(Fact, frozen=True):
    """R42 A German unit is in supply beyond the Meuse."""

    unit: UnitId | None
    """None for those who do not see it."""
    points: int
    seen: bool
    """R45 Whether the enemy sees it there."""


class BritishFreed(Fact, frozen=True):
    """R23 British units may cross the Meuse from now on."""


class Arrived(Fact, frozen=True):
    """R38, R39 A unit has arrived."""

    side: SideId
    unit: UnitId
    at: PlaceId
    strength: int
    seen: bool
    """R45 Whether the enemy sees it there."""


class Delayed(Fact, frozen=True):
    """R38 A unit that is due has no space to arrive in."""

    side: SideId
    unit: UnitId


class Marked(Fact, frozen=True):
    """R37 The Allies have marked German units as short of fuel."""

    units: tuple[UnitId, ...]


class RanDry(Fact, frozen=True):
    """R37 Marked units that the Germans have not freed are short of fuel today."""

    units: tuple[UnitId, ...]
    seen: tuple[UnitId, ...]
    """R45 Those that the Allies see."""


class Replaced(Fact, frozen=True):
    """R40 A unit has received a replacement point."""

    side: SideId
    unit: UnitId


class CommandoStruck(Fact, frozen=True):
    """R41 The commando operation keeps an Allied unit from acting."""

    unit: UnitId | None
    """None for those who do not see it."""


class CommandoLapsed(Fact, frozen=True):
    """R41 The unit is not on the map. The operation may be tried again."""

    unit: UnitId


class Planned(Fact, frozen=True):
    """R46 A side's sheet for the day is locked."""

    side: SideId
    lines: tuple[PlanLine, ...]


class Wished(Fact, frozen=True):
    """R47 What a side wants to be asked today is open from now on."""

    side: SideId
    decisions: tuple[Decision, ...]


class Asked(Fact, frozen=True):
    """R48 A side is asked."""

    question: Question


class Answered(Fact, frozen=True):
    """R48 A side has answered. Only the side itself learns what."""

    side: SideId
    about: Decision
    lines: tuple[PlanLine, ...]


class Unanswered(Fact, frozen=True):
    """R48 A side has not answered in time: it is not asked this again today."""

    side: SideId
    about: Decision


class Used(Fact, frozen=True):
    """R49 A line of a side's sheet has had its turn."""

    side: SideId
    line: PlanLine


class Passed(Fact, frozen=True):
    """R9 A side passes."""

    side: SideId


class Activated(Fact, frozen=True):
    """R10 A side activates its units in a space. The enemy learns which space only if it sees it."""

    side: SideId
    at: PlaceId | None
    units: tuple[UnitId, ...]
    seen: bool


class Moved(Fact, frozen=True):
    """R15 A unit has moved. The enemy learns only what it sees of it."""

    side: SideId
    unit: UnitId
    path: tuple[PlaceId, ...]
    """The spaces of its way, with the one where it started."""
    strategic: bool
    across: bool
    """R29 Its last step crossed a river."""
    barred: tuple[PlaceId, PlaceId] | None
    """R21 The river border that it has closed for others."""
    seen: tuple[PlaceId, ...]
    """R45 The spaces of its way that the enemy sees."""


class CouldNotMove(Fact, frozen=True):
    """R49 A unit stays where it is, since none of its lines is possible now, or it has halted on its way."""

    side: SideId
    unit: UnitId
    why: str
    rule: str


class Exited(Fact, frozen=True):
    """R24 A German unit has left the map beyond the Meuse."""

    unit: UnitId
    at: PlaceId | None
    """None for those who have not seen it there."""
    points: int
    seen: bool
    """R45 Whether the enemy sees it there."""


class Taken(Fact, frozen=True):
    """R13, R14 A space changes hands."""

    place: PlaceId
    side: SideId
    points: int
    """R42 What it adds to the German points."""


class ContestedNow(Fact, frozen=True):
    """R13 The spaces that hold units of both sides."""

    places: tuple[PlaceId, ...]


class CombatsDue(Fact, frozen=True):
    """R25 The spaces where combats are fought in this turn."""

    places: tuple[PlaceId, ...]


class Joined(Fact, frozen=True):
    """R25 Units that were there already fight alongside those that were activated."""

    side: SideId
    at: PlaceId
    units: tuple[UnitId, ...]


class Fought(Fact, frozen=True):
    """R26 The dice of a combat have fallen."""

    fight: Fight


class Stood(Fact, frozen=True):
    """R32 The defender stays, and takes its hits."""

    side: SideId
    at: PlaceId


class FellBack(Fact, frozen=True):
    """R32 The defender leaves, and takes a hit less."""

    side: SideId
    at: PlaceId


class Hit(Fact, frozen=True):
    """R31 A unit has lost points of strength."""

    side: SideId
    unit: UnitId
    at: PlaceId
    points: int


class Eliminated(Fact, frozen=True):
    """R31 A unit has no strength left."""

    side: SideId
    unit: UnitId
    at: PlaceId
    strength: int
    """What it had left."""
    points: int
    """R42 What it adds to the German points."""


class Retreated(Fact, frozen=True):
    """R32 A unit has retreated, and does not act any more today."""

    side: SideId
    unit: UnitId
    start: PlaceId
    to: PlaceId


class BrokeThrough(Fact, frozen=True):
    """R33 An armored unit has gone on after its victory."""

    side: SideId
    unit: UnitId
    start: PlaceId
    to: PlaceId
    barred: bool
    """Whether it has crossed a river border, which no other unit may."""
    seen: bool
    """R45 Whether the enemy sees it there."""


class Staged(Fact, frozen=True):
    """R25 A turn goes on to its next step."""

    stage: Stage


class CombatOver(Fact, frozen=True):
    """R25 A combat is over."""

    at: PlaceId


class TurnOver(Fact, frozen=True):
    """R10 The units that were activated do not act any more today."""

    side: SideId


class Sighted(Fact, frozen=True):
    """R45 What each side sees of the enemy now; and where nothing is hidden, all units for everybody."""

    pictures: Mapping[SideId, tuple[Unit, ...]]
    shown: tuple[Unit, ...]


class Ended(Fact, frozen=True):
    """R43, R44 The campaign is over."""

    winner: SideId | None
    points: int


# --- rulings ---------------------------------------------------------------------------------------------------------


class UnitPlaced(Fact, frozen=True):
    """R50 The GM puts a unit somewhere."""

    side: SideId
    unit: UnitId
    at: PlaceId
    strength: int
    """If it was not on the map."""


class StrengthSet(Fact, frozen=True):
    """R50 The GM sets a unit's strength."""

    side: SideId
    unit: UnitId
    strength: int


class UnitRemoved(Fact, frozen=True):
    """R50 The GM takes a unit off the map."""

    side: SideId
    unit: UnitId


class SignSet(Fact, frozen=True):
    """R50 The GM puts a sign on a unit, or takes it off."""

    side: SideId
    unit: UnitId
    sign: Sign
    on: bool


class ControlSet(Fact, frozen=True):
    """R50 The GM decides who controls a space."""

    place: PlaceId
    side: SideId
    points: int


class PointsSet(Fact, frozen=True):
    """R50 The GM changes the German points."""

    points: int
