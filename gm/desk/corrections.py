"""Rulings in the GM's notation: read, tried, stored, and the draft re-run."""

import re
from dataclasses import dataclass
from typing import Any

from campaign.engine.orders.notation import parse
from campaign.engine.orders.order import Problem, Severity
from campaign.engine.state import state_known_to
from campaign.engine.values.ids import GM
from campaign.engine.values.value import replace
from campaign.models import Phase, User
from campaign.services import scenario_of
from gm.phases.lifecycle import RulingRefused, rule
from gm.phases.trying import Tried, try_rulings
from gm.selectors import roll_of, state_at


@dataclass(frozen=True)
class Unwritten(Exception):
    """These lines are no rulings; says what is wrong with each."""

    problems: tuple[Problem, ...]


def write_rulings(phase: Phase, *, fence: int, stage: str, text: str, reason: str, author: User) -> bool:
    """Apply the rulings in these lines. Raises Unwritten or RulingRefused, and stores nothing, if one is impossible."""
    facts = _facts(phase, stage, text)
    return rule(phase.pk, fence=fence, at=stage, facts=facts, reason=_reason(reason), author=author)


def try_out(
    phase: Phase, *, fence: int, stage: str, text: str, reason: str, author: User, once: str = ""
) -> Tried | None:
    """Try the rulings in these lines, with or without a reason; changes nothing. None if the draft has changed.

    Raises Unwritten or RulingRefused, and is on no record, if one is impossible. See `try_rulings` for `once`.
    """
    facts, words = _facts(phase, stage, text), " ".join(reason.split()) or "a try"
    return try_rulings(phase, fence=fence, at=stage, facts=facts, reason=words, author=author, once=once)


def _facts(phase: Phase, stage: str, text: str) -> list[tuple[str, Any]]:
    """The rulings in these lines, each with its text; raises Unwritten."""
    loaded = scenario_of(phase.campaign)
    rules, game_data = loaded.rules, loaded.scenario.game_data
    known = state_known_to(state_at(phase, stage), GM)
    sheet = parse(text, rules.corrections, rules.correction_names(game_data, known), of="a ruling")
    ruled, problems = rules.correct(game_data, known, sheet.orders)
    if sheet.problems or problems:
        raise Unwritten((*sheet.problems, *problems))
    if not ruled:
        raise Unwritten(
            (Problem("empty", Severity.ERROR, 0, 1, "no ruling was written", "Write one ruling per line.", "GM"),)
        )
    lines = text.splitlines()
    return [(lines[line - 1].strip(), fact) for line, fact in ruled]


def enter_roll(phase: Phase, *, fence: int, label: str, written: str, reason: str, author: User) -> bool:
    """Replace a roll of the draft by the dice that the GM writes, as numbers with spaces."""
    roll = roll_of(phase, label)
    words = written.replace(",", " ").split()
    dice = [int(word) for word in words if _NUMBER.fullmatch(word)]
    if len(dice) != len(words) or len(dice) != len(roll.dice) or not all(1 <= die <= roll.sides for die in dice):
        count = f"{len(roll.dice)} dice" if len(roll.dice) > 1 else "one die"
        raise RulingRefused(f"the roll for {roll.purpose} takes {count} from 1 to {roll.sides}")
    entered = replace(roll, dice=tuple(dice), by_hand=True)
    facts = [(f"Roll for {roll.purpose}: {', '.join(map(str, dice))}", entered)]
    return rule(phase.pk, fence=fence, at=phase.key, facts=facts, reason=_reason(reason), author=author)


_NUMBER = re.compile("[0-9]{1,4}")


def _reason(reason: str) -> str:
    if not reason.strip():
        raise RulingRefused("a ruling needs a reason, which the players it affects can read")
    return " ".join(reason.split())
