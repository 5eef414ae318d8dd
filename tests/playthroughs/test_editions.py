"""The same input leads to the same result while a ruleset's edition stays; a change of results raises its number."""

from dataclasses import replace
from typing import Any

import pytest

from campaign.engine.ruleset import Ruleset
from tests.laws.games import RULES
from tests.playthroughs import editions
from tests.playthroughs.editions import ResultChanged, Results, changed, keep, kept, results

REMEMBER = "python -m tests.playthroughs editions"


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.key)
def test_cases_and_games_come_out_as_the_edition_says(rules: Ruleset[Any, Any]) -> None:
    before, today = kept(rules), results(rules)
    assert before is not None, REMEMBER
    assert changed(before, today) == [], "a result has changed: raise the ruleset's edition"
    assert before.head == today.head, REMEMBER
    assert before.lines == today.lines, f"inputs are new or gone: {REMEMBER}"


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.key)
def test_every_earlier_edition_is_remembered(rules: Ruleset[Any, Any]) -> None:
    before = kept(rules)
    assert before is not None
    numbers = [int(head.split()[1].rstrip(",")) for head in (*before.earlier, before.head)]
    assert numbers == sorted(numbers)
    assert set(numbers) == set(range(1, rules.edition + 1))


KEPT = Results("edition 1, states 1, events 1", {"a case": "in1 out1", "a game 1": "in2 out2"})


def test_only_a_known_input_with_another_result_asks_for_another_edition() -> None:
    assert changed(KEPT, KEPT) == []
    assert changed(KEPT, Results(KEPT.head, {"a case": "in1 out3"})) == ["a case"]
    assert changed(KEPT, Results(KEPT.head, {"renamed": "in1 out3"})) == ["renamed"]
    assert changed(KEPT, Results(KEPT.head, {"a case": "in3 out3"})) == []
    assert changed(KEPT, Results("edition 2, states 1, events 1", {"a case": "in1 out3"})) == []


def test_a_changed_result_is_not_written_down_under_the_same_edition(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    rules = replace(RULES[-1], key="toy")
    monkeypatch.setattr(editions, "FOLDER", tmp_path)
    monkeypatch.setattr(editions, "results", lambda _rules: KEPT)
    keep(rules)
    assert kept(rules) == KEPT
    other = replace(KEPT, lines={"a case": "in1 out3"})
    monkeypatch.setattr(editions, "results", lambda _rules: other)
    with pytest.raises(ResultChanged, match="raise the edition of toy: a case"):
        keep(rules)
    raised = replace(other, head="edition 2, states 1, events 1")
    monkeypatch.setattr(editions, "results", lambda _rules: raised)
    keep(rules)
    assert kept(rules) == replace(raised, earlier=(KEPT.ending,))
