"""What one opens to follow a line `MOVE` from its text to its effect, by name."""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from types import CodeType
from typing import Any

from tests.structure.sources import ROOT, RULESET

CHAIN: Mapping[str, str] = {
    "the line as a value": f"{RULESET}.model.orders.Move",
    "its text is read": "campaign.engine.orders.notation.parse",
    "the rule of its phase": f"{RULESET}.sequence.PHASES",
    "its path is found": f"{RULESET}.sheets.reading.read_sheet",
    "it counts or is refused": f"{RULESET}.sheets.checking.accepted_lines",
    "it is planned": f"{RULESET}.movement.plan.plan_moves",
    "it is walked": f"{RULESET}.movement.walking.walk",
    "what the way costs": f"{RULESET}.model.movement_costs.way_cost",
    "what the ground costs": f"{RULESET}.model.terrain_costs.parts",
    "what it meets": f"{RULESET}.model.situation.as_true",
    "it is carried out": f"{RULESET}.movement.plan.execute",
    "the fact": f"{RULESET}.model.facts.movement.Moved",
    "what the fact changes": f"{RULESET}.evolve.units._moved",
    "who is told": f"{RULESET}.disclosure.release.RELEASE",
    "in words": f"{RULESET}.disclosure.describe.describe",
    "on the map": f"{RULESET}.disclosure.show.show",
}
"""Each step with the function, class or table that does it. What every line passes, of any kind, is left out: the desks
of a side, dice, rulings, the ledger."""


def files_of_chain() -> list[Path]:
    return sorted({_file_of(name) for name in CHAIN.values()})


def not_called(called: set[CodeType]) -> list[str]:
    """The functions of the chain that were not called: none, if it names the way that a line takes."""
    functions = ((name, _found(name)) for name in CHAIN.values())
    return [name for name, found in functions if hasattr(found, "__code__") and found.__code__ not in called]


def _file_of(name: str) -> Path:
    _found(name)
    module = import_module(name.rpartition(".")[0])
    assert module.__file__ is not None
    return Path(module.__file__).relative_to(ROOT)


def _found(name: str) -> Any:
    module, _, last = name.rpartition(".")
    return getattr(import_module(module), last)
