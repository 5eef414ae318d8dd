"""When the GM is away: a draft without flags publishes itself, if they have allowed it."""

from collections.abc import Collection, Iterator
from datetime import datetime

from campaign.core import clock
from campaign.core.isolation import run_each
from campaign.engine.orders.order import Note, Severity
from campaign.engine.sheets import OVERRULED, check_side, read_side
from campaign.engine.state import state_known_to
from campaign.engine.values.ids import GM, Audience, PhaseKey
from campaign.game.store import decode_state, unpack
from campaign.models import BattleState, Phase, PhaseState
from campaign.services import scenario_of
from campaign.templatetags.fieldpost import people
from gm.phases.approval import publishes_unattended_at
from gm.phases.bots import failures
from gm.phases.judging import answers_of, dispute_key, note_key
from gm.phases.lifecycle import approve
from gm.phases.rows import locked_sheets


def publish_unattended(now: datetime) -> int:
    """Publish the drafts that have waited as long as their GM allows; returns how many."""
    waiting = Phase.objects.filter(state=PhaseState.REVIEW, campaign__absent_hours__isnull=False)
    ready = [phase for phase in waiting.select_related("campaign").order_by("drafted_at") if _has_waited(phase, now)]
    return run_each("the draft of phase", ready, _publish)


def _has_waited(phase: Phase, now: datetime) -> bool:
    due = publishes_unattended_at(phase)
    return due is not None and due <= now


def _publish(phase: Phase) -> bool:
    def still(locked: Phase) -> bool:
        return _has_waited(locked, clock.now())

    return not flags(phase) and approve(phase.pk, fence=phase.fence, still=still)


def flags(phase: Phase) -> tuple[str, ...]:
    """What the GM should look at in a draft before others see it.

    A note or a dispute that they have answered is no longer a flag. Other questions that the rules leave to the GM are
    none: without an answer the result stands.
    """
    answered = frozenset(answers_of(phase))
    return (*_battle_flags(phase, answered), *_bot_flags(phase), *_sheet_flags(phase, answered))


def _battle_flags(phase: Phase, answered: Collection[str]) -> Iterator[str]:
    for battle in phase.battles.order_by("key"):
        if battle.state == BattleState.OPEN:
            yield f"The battle of {battle.key} has no reported result."
        elif battle.state in (BattleState.DISPUTED, BattleState.RULED) and dispute_key(battle.key) not in answered:
            yield f"The players did not agree on the result of the battle of {battle.key}."


def _bot_flags(phase: Phase) -> Iterator[str]:
    for side in failures(phase):
        yield f"The bot of {people(side, phase.campaign)} failed. It counts as no sheet."


def _sheet_flags(phase: Phase, answered: Collection[str]) -> Iterator[str]:
    loaded = scenario_of(phase.campaign)
    rules, game_data = loaded.rules, loaded.scenario.game_data
    state = decode_state(rules, unpack(phase.start.state_before), version=phase.state_version)
    for who, sheets in locked_sheets(phase).items():
        known = state_known_to(state, who)
        read = read_side(rules, game_data, known, who, sheets, phase=PhaseKey(phase.key))
        # battle results are no side's orders; they were checked when they were reported
        problems = read.problems if who == GM else check_side(rules, game_data, known, read).problems
        for each in problems:
            if each.severity is Severity.ERROR and each.code != OVERRULED:
                yield (
                    f"{_line(who, each.desk, each.line)} was ignored: {each.message}"
                    if each.line
                    else f"{who.capitalize()} {each.desk}: {each.message}"
                )
        for placed in read.lines:
            if isinstance(placed.order, Note) and note_key(who, placed.order.text) not in answered:
                yield f"{_line(who, placed.desk, placed.line)} is a note for you: {placed.order.text}"


def _line(who: Audience, desk: str, line: int) -> str:
    """Where a flag is from."""
    return f"{who.capitalize()} {desk}, line {line},"
