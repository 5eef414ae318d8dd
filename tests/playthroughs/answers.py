"""What the cases answer, word for word: problems with hints and rules, events, and what is disclosed of them.

Then come the charts of every scenario. `python -m tests.playthroughs answers` writes the file again, after a change
that is meant to show.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from campaign.engine.orders.order import Checked
from campaign.engine.values.ids import GM
from campaign.game.casebook import CaseResult, Found, Played, check_case, find_cases
from campaign.game.loading import Loaded, load_scenario, supplied_scenarios
from campaign.game.turn_package import audiences, view_of
from tests.playthroughs.lines import event_lines, passing

FILE = Path(__file__).parent / "answers.txt"
CASES = Path(__file__).parents[1] / "cases"
_HEAD = "=== "


@cache
def approved() -> Mapping[str, list[str]]:
    """The approved lines by their heading: a case's name, or a scenario's."""
    sections: dict[str, list[str]] = {}
    for line in FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith(_HEAD):
            sections[line.removeprefix(_HEAD)] = []
        else:
            sections[next(reversed(sections))].append(line)
    return sections


def answers() -> Iterator[str]:
    """The whole file, as it is today."""
    for found in find_cases([CASES]):
        yield _HEAD + found.name
        yield from case_lines(found, check_case(found))
    for loaded in scenarios():
        yield _HEAD + loaded.scenario.title
        yield from chart_lines(loaded)


def scenarios() -> list[Loaded]:
    return [load_scenario(folder) for folder in supplied_scenarios()]


def case_lines(found: Found, checked: CaseResult) -> Iterator[str]:
    """A case, phase by phase, without changes of the clock and without what the GM reads as well."""
    for number, played in enumerate(checked.phases, 1):
        if len(checked.phases) > 1:
            yield f"--- stop {number}"
        for who, answer in (*played.sheets.items(), *played.reports.items()):
            yield from (f"{who}: {line}" for line in _answer(answer))
        yield from _outcome(found, checked.game_data, played)


def _answer(answer: Checked) -> Iterator[str]:
    yield from (f"{each.line} {each.text}" for each in answer.understood)
    for each in answer.problems:
        place = f"{each.line}:{each.column}"
        yield " | ".join([f"{place} {each.severity.value} {each.code}", each.message, each.hint, each.rule])


def _outcome(found: Found, game_data: Any, played: Played) -> Iterator[str]:
    if played.resolution is None:
        yield f"refused: {played.refusal}"
        return
    state, events = played.resolution.state, played.resolution.events
    everybody, turned = audiences(found.rules), type(found.rules.step(state))
    yield from event_lines([event for event in events if not isinstance(event.fact, turned)], everybody)
    disclosed = {who: list(passing(view_of(found.rules, game_data, state, events, who))) for who in everybody}
    for who, lines in sorted(disclosed.items(), key=lambda each: each[0] != GM):
        yield from (f"{who}: {line}" for line in lines if who == GM or line not in disclosed[GM])


def chart_lines(loaded: Loaded) -> Iterator[str]:
    """The charts that a scenario plays by."""
    for panel in loaded.rules.charts(loaded.scenario.game_data):
        yield " | ".join([panel.key, panel.title, *panel.head])
        yield from (f"  {' | '.join(row)}" for row in panel.rows)


def rules_cited(checked: CaseResult) -> set[str]:
    """The rules that problems, events, and what they are made of, name."""
    answers = [answer for played in checked.phases for answer in (*played.sheets.values(), *played.reports.values())]
    events = [event for played in checked.phases if played.resolution for event in played.resolution.events]
    return {rule for part in (answers, events) for rule in _rules_in(msgspec.to_builtins(part)) if rule}


def _rules_in(part: object) -> Iterator[str]:
    if isinstance(part, Mapping):
        if "rule" in part:
            yield part["rule"]
        yield from _rules_of(part.values())
    elif isinstance(part, list | tuple):
        yield from _rules_of(part)


def _rules_of(parts: Iterable[object]) -> Iterator[str]:
    for part in parts:
        yield from _rules_in(part)
