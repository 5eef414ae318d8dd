"""The account of what may be said of a side's lines notices what no report of the side says."""

from typing import Any

import pytest

from tests.secrecy.oracle.outcomes import gaps_in_outcomes

MOVED = {"text": "1 SS moves Q21-R20", "rule": "R4", "reasons": ["R20 forest +2"]}
VIEW = {"log": [{**MOVED, "section": "German movement and attacks", "at": ["Q21", "R20"]}]}


def line(effect: str, *because: Any) -> dict[str, Any]:
    return {"desk": "HQ", "line": 1, "effect": effect, "because": list(because)}


def gaps(*lines: dict[str, Any]) -> list[str]:
    return [gap.field for gap in gaps_in_outcomes({"lines": lines}, VIEW, who="german", phase="german_sheet")]


def test_sentences_of_the_report_are_no_gap() -> None:
    refused = {"text": "12 SS cannot enter R19", "rule": "R5.5", "reasons": []}
    assert gaps(line("done", MOVED), line("short", MOVED), line("ignored", refused), line("accepted")) == []
    assert gaps(line("accepted", MOVED)) == []


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        (line("done", {**MOVED, "text": "1 SS moves Q21-R20 and passes 2 Inf"}), "because"),
        (line("short", {**MOVED, "rule": "R5.6"}), "because"),
        (line("done", {**MOVED, "reasons": ["an enemy that nobody sees +1"]}), "because"),
        (line("silent", MOVED), "effect"),
        (line("accepted", {**MOVED, "text": "1 SS moves Q21-R20 and passes 2 Inf"}), "because"),
    ],
)
def test_what_no_report_says_is_a_gap(changed: dict[str, Any], field: str) -> None:
    assert gaps(line("done", MOVED), changed) == [field]
