"""Battles that are fought outside: briefs, reports, answers to reports."""

from collections.abc import Callable

from django.http import Http404

from api.answers.battles import (
    BattleDetail,
    BattleLine,
    BattlePlayer,
    Confirmation,
    NewDispute,
    NewPlayer,
    NewReport,
    ReportReading,
    ReportText,
    SideStatement,
)
from api.answers.sheets import line_problem
from api.models import Scope
from api.operations import Call, operation, reads
from campaign.fighting import fights
from campaign.models import Battle, PhaseState
from campaign.people.memberships import member_named
from campaign.people.throttles import REPORTS
from campaign.selectors import Knowledge, knowledge
from gm.phases.battles import seen_as
from orders.battles import reading
from orders.battles import reporting as service
from orders.battles.reading import Read
from orders.battles.reporting import OtherPhase, Which
from orders.intake import NotYours


@reads()
def battles(call: Call) -> tuple[BattleLine, ...]:
    """The battles for whose results the open phase waits."""
    reading.require_outside(call.viewer)
    every = list(reading.battles_of(call.viewer))
    known = knowledge(call.viewer) if every else None
    return tuple(battle_line(call, known, each) for each in every) if known else ()


@reads()
def battle(call: Call, key: str) -> BattleDetail:
    """A battle: its brief, its report, and what the caller may do."""
    return battle_detail(call, key)


@operation()
def check_report(call: Call, key: str, body: ReportText) -> ReportReading:
    """How a report is read and what is wrong with it, as far as the caller's side knows. Stores nothing."""
    found = reading.battle_of(call.viewer, key)
    if not (call.viewer.is_gm or fights(call.viewer, found)):
        raise Http404
    return _read(reading.read_report(call.viewer, found, body.text))


@operation(scope=Scope.ORDERS, limit=REPORTS, refuses=(409, 422))
def report_battle(call: Call, key: str, body: NewReport, idempotency_key: str) -> BattleDetail:
    """Report the result of a battle, or report again while the other side has not answered. That side is notified."""
    which = which_battle(key, body.phase)
    return attempt(call, which, lambda: service.report(call.viewer, which, body.text, idempotent=idempotency_key))


@operation(scope=Scope.ORDERS, limit=REPORTS, refuses=(409, 422))
def confirm_battle(call: Call, key: str, body: Confirmation) -> BattleDetail:
    """Confirm the other side's report. The result is final."""
    which = which_battle(key, body.phase)
    return attempt(call, which, lambda: service.confirm(call.viewer, which, body.reply, seen=body.seen))


@operation(scope=Scope.ORDERS, limit=REPORTS, refuses=(409, 422))
def dispute_battle(call: Call, key: str, body: NewDispute) -> BattleDetail:
    """Dispute the other side's report, or make a statement in a dispute. The game master decides."""
    which = which_battle(key, body.phase)
    return attempt(call, which, lambda: service.dispute(call.viewer, which, body.statement, body.link, seen=body.seen))


@operation(scope=Scope.ORDERS, limit=REPORTS, refuses=(409, 422))
def name_player(call: Call, key: str, body: NewPlayer) -> BattleDetail:
    """Name the player who fights a battle for the caller's side; they get the brief by mail.

    Commanders and deputies may, and the game master for both sides.
    """
    which, member = which_battle(key, body.phase), member_named(call.viewer, body.player)
    return attempt(call, which, lambda: service.assign(call.viewer, which, member))


# --- acts ------------------------------------------------------------------------------------------------------------


def which_battle(key: str, mark: str) -> Which:
    """A battle of the phase of this mark."""
    no, _, rev = mark.partition(".")
    return Which(int(no), int(rev), key)


def attempt(call: Call, which: Which, act: Callable[[], None]) -> BattleDetail:
    """Do it, and read the battle again.

    Only those who fought a battle of an earlier phase are told that it is over; for all others there is none.
    """
    try:
        act()
    except NotYours:
        raise Http404 from None
    except Http404:
        if reading.fought_earlier(call.viewer, which.no, which.rev, which.key):
            raise OtherPhase from None
        raise
    return battle_detail(call, which.key)


# --- as answers ------------------------------------------------------------------------------------------------------


def battle_detail(call: Call, key: str) -> BattleDetail:
    """A battle as far as the caller may read it."""
    viewer = call.viewer
    found, known = reading.battle_of(viewer, key), knowledge(viewer)
    report, statements = None, tuple[SideStatement, ...]()
    if reading.reads_report(viewer, found):
        report = reading.shown_report(viewer, found, known)
        statements = tuple(SideStatement(each.side, each.text, each.link) for each in reading.statements_of(found))
    return BattleDetail(
        line=battle_line(call, known, found),
        brief=reading.whole_brief_of(viewer, known, key),
        seen=seen_as(found, reading.mark_of(found)) if viewer.is_gm else reading.mark_of(found),
        report=_read(report) if report else None,
        statements=statements,
    )


def battle_line(call: Call, known: Knowledge, found: Battle) -> BattleLine:
    """A battle in a list, with what the caller may do."""
    viewer = call.viewer
    brief = reading.brief_of(viewer, known, found.key)
    acts = found.phase.state == PhaseState.OPEN and fights(viewer, found)
    return BattleLine(
        battle=found.key,
        phase=f"{found.phase.no}.{found.phase.rev}",
        title=brief.title,
        text=brief.text,
        attacker=found.attacker,
        defender=found.defender,
        state=found.state,
        reported_by=found.reported_by,
        accepts_at=None if found.phase.held else found.accepts_at,
        players=tuple(BattlePlayer(side, name) for side, name in reading.players_told(viewer, found)),
        may_report=acts and reading.may_report(viewer, found),
        may_confirm=acts and reading.may_confirm(viewer, found),
        may_dispute=acts and reading.may_dispute(viewer, found),
    )


def _read(found: Read) -> ReportReading:
    return ReportReading(
        found.lines, tuple(each.text for each in found.understood), tuple(map(line_problem, found.problems))
    )
