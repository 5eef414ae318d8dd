"""What may be said of a side's lines: of those that counted, what the same side's report of the phase says."""

from collections.abc import Iterator
from typing import Any

from tests.secrecy.oracle.account import Gap

Json = dict[str, Any]

_TOLD = ("done", "short", "accepted", "unmet")
"""A plan is accepted, and its report says that it is planned."""
_MUTE = ("silent",)


def gaps_in_outcomes(outcomes: Json, view: Json, *, who: str, phase: str) -> Iterator[Gap]:
    """Sentences about lines that counted which are not in the report, and words where there is nothing to tell."""
    report = [_said(line) for line in view["log"]]
    told = [said for line in outcomes["lines"] if line["effect"] in _TOLD for said in line["because"]]
    untold = [said for said in told if _said(said) not in report]
    talkative = [line for line in outcomes["lines"] if line["effect"] in _MUTE and line["because"]]
    for name, found in (("because", untold), ("effect", talkative)):
        if found:
            yield Gap(who, phase, "Outcomes", name, [], found)


def _said(line: Json) -> tuple[Any, ...]:
    return line["text"], line["rule"], tuple(line["reasons"])
