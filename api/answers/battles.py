"""Battles that are fought outside: briefs, reports, who may do what."""

from datetime import datetime

from api.answers.sheets import LineProblem, PhaseMark
from campaign.engine.briefs import Brief
from campaign.engine.values.value import Value


class NewReport(Value, frozen=True):
    """A report of a battle's result."""

    phase: PhaseMark
    """The phase that waits for it."""
    text: str
    """The lines of the result, in the players' notation."""


class ReportText(Value, frozen=True):
    """A report that is being written."""

    text: str
    """The lines of the result, in the players' notation."""


class Confirmation(Value, frozen=True):
    """The confirmation of a report."""

    phase: PhaseMark
    """The phase that waits for it."""
    seen: str
    """The mark of the report that the caller has read."""
    reply: str = ""
    """Lines that the confirming side may add: where its units go."""


class NewDispute(Value, frozen=True):
    """What the caller disputes in a report, or says in a dispute."""

    phase: PhaseMark
    """The phase that waits for the result."""
    seen: str
    """The mark of the report that the caller has read."""
    statement: str
    """What happened, in the caller's words."""
    link: str = ""
    """The address of a proof, like a picture or a recording."""


class NewPlayer(Value, frozen=True):
    """Who shall play a battle for a side."""

    phase: PhaseMark
    """The phase that waits for the result."""
    player: str
    """The player's forum name."""


class BattlePlayer(Value, frozen=True):
    """Who plays a battle for a side."""

    side: str
    """The side."""
    name: str
    """The player's forum name; empty if nobody is named."""


class BattleLine(Value, frozen=True):
    """A battle for whose result the open phase waits."""

    battle: str
    """Its key in addresses: the place fought for."""
    phase: str
    """The mark of the phase."""
    title: str
    """The name of the battle."""
    text: str
    """Who attacks whom."""
    attacker: str
    """The side that attacks."""
    defender: str
    """The side that defends."""
    state: str
    """open, reported, confirmed, disputed, ruled, accepted."""
    reported_by: str
    """Who made the present report: a side, or gm; empty: nobody."""
    accepts_at: datetime | None
    """When the report counts if nobody answers; null: it does not, or the phase is paused."""
    players: tuple[BattlePlayer, ...]
    """The players. Each side reads the other's once both are named."""
    may_report: bool
    """Whether the caller may report the result."""
    may_confirm: bool
    """Whether the caller may confirm the report."""
    may_dispute: bool
    """Whether the caller may dispute the report, or make a statement."""


class ReportReading(Value, frozen=True):
    """How a report is read, as far as its reader's side knows."""

    lines: str
    """What it means, in lines that mean the same to everybody."""
    readings: tuple[str, ...]
    """How each line is read, in words."""
    problems: tuple[LineProblem, ...]
    """What is wrong with it."""


class SideStatement(Value, frozen=True):
    """What a side says in a dispute."""

    side: str
    """The side."""
    text: str
    """Its words."""
    link: str
    """The address of its proof; empty: none."""


class BattleDetail(Value, frozen=True):
    """A battle with its brief and its report, as far as the caller may read them."""

    line: BattleLine
    """The battle."""
    brief: Brief
    """What the caller's side knew of it before it was fought."""
    seen: str
    """The mark of the present report, which an answer to it names; for a game master, the mark of the battle, which a
    decision names."""
    report: ReportReading | None
    """The present result; null if there is none that the caller may read."""
    statements: tuple[SideStatement, ...]
    """The statements in a dispute."""
