"""The state of a campaign, in the parts that decide who may see it."""

import datetime
from collections.abc import Iterable, Mapping
from enum import Enum

from campaign.engine import state as engine
from campaign.engine.values.ids import PhaseKey, PlaceId, SideId, UnitId
from campaign.engine.values.modifiers import Modifier
from campaign.engine.values.value import Value
from campaign.rulesets.area_activation.model.game_data import Border
from campaign.rulesets.area_activation.model.options import Options
from campaign.rulesets.area_activation.model.orders import Decision, PlanLine

MOST_IN_A_SPACE = 3
"""R18 Units of a side."""
SURPRISE_TURNS = 3
"""R4"""


class Unit(Value, frozen=True):
    """A unit on the map."""

    id: UnitId
    side: SideId
    at: PlaceId
    strength: int
    acted: bool = False
    """R10 It has the cube of a unit that has been activated."""
    active: bool = False
    """R10 It is being activated."""
    unsupplied: bool = False
    """R35"""
    unfuelled: bool = False
    """R37"""
    across: bool = False
    """R29 It entered its space in this turn across a river."""

    @property
    def stuck(self) -> bool:
        """R35, R37 It is out of supply or short of fuel."""
        return self.unsupplied or self.unfuelled


class Due(Value, frozen=True):
    """R38 A unit that waits for its arrival."""

    date: datetime.date
    delayed: bool = False
    """It had no space on its day, and may arrive at any edge now."""


class Stage(Enum):
    """How far a turn has come."""

    CHOICE = "choice"
    """R9 Its side activates a space or passes."""
    COMBATS = "combats"
    """R25 All have moved; the next combat is chosen."""
    RETREAT = "retreat"
    """R32 The dice have fallen; the defender retreats or stands."""
    DEFENDER = "defender"
    """R31 The defender takes hits."""
    ATTACKER = "attacker"
    """R31"""
    BREAKTHROUGH = "breakthrough"
    """R33"""
    DONE = "done"


class Fighter(Value, frozen=True):
    """A unit in a combat, as everybody sees it."""

    unit: UnitId
    strength: int
    """Before the combat."""
    chance: tuple[Modifier, ...]
    """R26 to R29 Its hit chance, part by part: in all the die that hits, or less."""
    dice: tuple[int, ...] = ()
    hits: int = 0


class Fight(Value, frozen=True):
    """R25 A combat in progress, as everybody sees it."""

    at: PlaceId
    attacker: SideId
    attackers: tuple[Fighter, ...]
    defenders: tuple[Fighter, ...]
    shelter: int
    """R30 Hits that the space takes off."""
    can_retreat: bool
    """R32 As far as everybody sees."""
    on_attacker: int = 0
    """Hits."""
    on_defender: int = 0
    """Hits, after shelter and retreat."""
    retreats: bool = False

    def of(self, side: SideId) -> tuple[Fighter, ...]:
        return self.attackers if side == self.attacker else self.defenders


class Question(Value, frozen=True):
    """R48 What a side is asked while a day is played."""

    about: Decision
    side: SideId
    at: PlaceId | None = None
    """The combat that it is about."""


class Open(Value, frozen=True):
    """Known to all."""

    date: datetime.date
    phase: PhaseKey
    turn: SideId
    """R7 Whose turn it is."""
    initiative: SideId
    """R6 The side that has it today."""
    control: Mapping[PlaceId, SideId]
    """R13"""
    contested: tuple[PlaceId, ...] = ()
    """R13 Spaces with units of both sides, in the order of the map."""
    decides: bool = False
    """R5 Whether there is something to decide in the morning: not on the first day."""
    surprise: int = 0
    """R4 The number of the surprise turn; 0 when they are over."""
    turns: Mapping[SideId, int] = {}
    """R7 Turns that each side has had today."""
    passes: int = 0
    """R9 Passes in a row."""
    points: int = 0
    """R42 German victory points."""
    meuse_reached: bool = False
    """R42"""
    british_free: bool = False
    """R23"""
    commando_used: bool = False
    """R41"""
    lost: tuple[UnitId, ...] = ()
    """Units that were eliminated."""
    gone: tuple[UnitId, ...] = ()
    """R24 Units that have left the map."""
    stage: Stage = Stage.CHOICE
    fights: tuple[PlaceId, ...] = ()
    """R25 Where combats are still to be fought in this turn."""
    fight: Fight | None = None
    asks: Mapping[SideId, tuple[Decision, ...]] = {}
    """R47 What each side wants to be asked."""
    asked: Mapping[SideId, int] = {}
    """R48 How often each side was asked today."""
    missed: Mapping[SideId, tuple[Decision, ...]] = {}
    """R48 What each side was asked today and has not answered in time."""
    question: Question | None = None
    answered: tuple[Decision, ...] = ()
    """What was answered about the decision at hand."""
    shown: tuple[Unit, ...] = ()
    """R45 All units on the map where nothing is hidden; else none."""
    winner: SideId | None = None
    ended: bool = False
    options: Options = Options()


class Own(Value, frozen=True):
    """Known to one side."""

    units: Mapping[UnitId, Unit]
    """In the order of their ids, like the other mappings, so that a stored state plays on like this one."""
    due: Mapping[UnitId, Due] = {}
    """R38 Units that have not arrived yet."""
    reserve: tuple[UnitId, ...] = ()
    """R39 Units of the OKW reserve."""
    plan: tuple[PlanLine, ...] = ()
    """R46 The sheet of the day, without lines that were used up."""
    reply: tuple[PlanLine, ...] = ()
    """R48 The answers to the questions of this turn, the last one first."""
    crossed: tuple[Border, ...] = ()
    """R21, R33 River borders that let no further unit across in this turn."""
    seen: tuple[Unit, ...] = ()
    """R45 Enemy units in sight."""


class Hidden(Value, frozen=True):
    """Known to nobody: this game has no such thing."""


State = engine.State[Open, Own, Hidden]


def and_unit(units: Mapping[UnitId, Unit], unit: Unit) -> dict[UnitId, Unit]:
    """The units with another one, or with one changed, in the order of their ids."""
    return dict(sorted({**units, unit.id: unit}.items()))


def in_space(units: Iterable[Unit], place: PlaceId) -> tuple[Unit, ...]:
    """The units that are in a space."""
    return tuple(unit for unit in units if unit.at == place)


def all_units(state: State) -> dict[UnitId, Unit]:
    """Every unit on the map that a state knows as its own."""
    return {id_: unit for own in state.own.values() for id_, unit in own.units.items()}


def is_surprise(open_: Open) -> bool:
    """R4 Whether the surprise turns are being played."""
    return open_.surprise > 0
