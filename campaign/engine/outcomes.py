"""What became of each line of a side's sheets: worked out when a phase is resolved, from what the side is told of it.

The truth is not at hand. The states are the player's, the events are those disclosed to the side in this phase, and
every sentence is one of its report. What the side learns only later, no line says.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from campaign.engine.display.outcomes import Because, Consequences, Effect, LineOutcome, Outcomes
from campaign.engine.facts import Disclosure, Rolled
from campaign.engine.orders.order import HQ, Line, Placed, Problem, Severity
from campaign.engine.ruleset import Ruleset
from campaign.engine.sheets import OVERRULED, SideSheet, check_side
from campaign.engine.values.ids import Audience, PhaseKey

Told = Sequence[Disclosure[Any]]


def outcomes_of(
    rules: Ruleset[Any, Any], game_data: Any, sheet: SideSheet, *, before: Any, after: Any, told: Told
) -> Outcomes:
    """What became of each line of a side's sheets for the phase that was open in `before`.

    `before` and `after` are the player's states around the resolution, `told` is all that it disclosed to the side.
    """
    phase = rules.now(before)
    known = _as_resolved(rules, before, told)
    checked = check_side(rules, game_data, known, sheet)
    refused = _refused(checked.problems)
    found = [_refused_line(where, problems) for where, problems in refused.items()]
    accepted = [placed for placed in sheet.orders if placed.where not in refused]
    events = [each for each in told if not _is_known(each, phase)]
    found += _accepted_lines(rules, sheet.who, accepted, events, game_data=game_data, states=(known, after))
    return Outcomes(tuple(sorted(found, key=lambda each: (each.desk != HQ, each.desk, each.line))))


def _as_resolved(rules: Ruleset[Any, Any], before: Any, told: Told) -> Any:
    """The player's state by which the sheet was executed: with the GM rulings that apply before the phase."""
    known, phase = before, rules.now(before)
    for each in told:
        if _is_known(each, phase) and not isinstance(each.fact, Rolled):
            known = rules.evolve(known, each.fact)
    return known


def _is_known(each: Disclosure[Any], phase: PhaseKey) -> bool:
    """Whether it is a GM ruling that applies before the phase: the sheet was executed by it."""
    return bool(each.ruling) and each.phase == phase


def _refused(problems: Sequence[Problem]) -> Mapping[Line, list[Problem]]:
    """The lines that do not count, each with its problems."""
    found: dict[Line, list[Problem]] = defaultdict(list)
    for problem in problems:
        if problem.severity is Severity.ERROR and problem.line:
            found[Line(problem.line, problem.desk)].append(problem)
    return found


def _refused_line(where: Line, problems: Sequence[Problem]) -> LineOutcome:
    replaced = all(problem.code == OVERRULED for problem in problems)
    because = tuple(Because(problem.message, problem.rule) for problem in problems)
    return LineOutcome(where.desk, where.number, Effect.REPLACED if replaced else Effect.IGNORED, because)


def _accepted_lines(
    rules: Ruleset[Any, Any],
    who: Audience,
    accepted: Sequence[Placed],
    told: Told,
    *,
    game_data: Any,
    states: tuple[Any, Any],
) -> list[LineOutcome]:
    """The lines that counted. Those that say the same share the events in turn, or the first has them all.

    `told`: since the sheet was executed, with GM rulings. `states`: the player's, before and after.
    """
    events = [each for each in told if not each.ruling]
    alike = Counter(placed.order for placed in accepted)
    taken: Counter[Any] = Counter()
    found = []
    for placed in accepted:
        order, consequences = placed.order, rules.consequences
        if consequences is None or type(order) not in consequences.of:
            found.append(LineOutcome(placed.desk, placed.line, Effect.ACCEPTED))
            continue
        about = tuple(consequences.of[type(order)](who, order, events))
        if consequences.is_used_up(order):
            about = about[taken[order] :: alike[order]]
        elif taken[order]:
            about = ()
        taken[order] += 1
        unmet = consequences.unmet(game_data, states[0], who, order, told)
        effect = Effect.UNMET if unmet else _effect(consequences, order, about)
        sentences = () if unmet else _sentences(consequences, about, game_data=game_data, after=states[1])
        found.append(LineOutcome(placed.desk, placed.line, effect, sentences))
    return found


def _effect(consequences: Consequences[Any, Any], order: Any, about: Told) -> Effect:
    if not about:
        return Effect.ACCEPTED if type(order) in consequences.at_times else Effect.SILENT
    if all(isinstance(each.fact, consequences.plans) for each in about):
        return Effect.ACCEPTED
    return Effect.SHORT if any(consequences.fell_short(order, each.fact) for each in about) else Effect.DONE


def _sentences(consequences: Consequences[Any, Any], about: Told, *, game_data: Any, after: Any) -> tuple[Because, ...]:
    said = ((each, consequences.describe(game_data, after, each)) for each in about)
    return tuple(Because(sentence.text, each.rule, sentence.reasons) for each, sentence in said if sentence)
