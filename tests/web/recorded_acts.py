"""The kinds of acts that the code puts on the record, read from the code itself."""

import ast
from collections.abc import Iterator, Mapping
from importlib import import_module

from campaign.models import BattleAct
from campaign.people.memberships import ENDS
from campaign.record.clock_changes import CLOSE
from posting.deciding import DECIDED
from tests.locks import ROOT
from tests.trust.guard.test_places import PACKAGES, _nodes_by_function

RECORD = "record"
"""What puts an act on the record is called so; its second argument is the act."""
VARIABLE: Mapping[str, tuple[str, ...]] = {
    "campaign/links.py _record": ("link", "revoke link"),
    "campaign/people/memberships.py end_part": ENDS,
    "campaign/people/memberships.py record": (),
    "gm/desk/deadlines.py move": ("extend", "hold", "resume", CLOSE),
    "gm/phases/lifecycle.py _count_error": ("fail", "error"),
    "gm/phases/lifecycle.py _record_result": ("adjudicate", "publish"),
    "posting/deciding.py decide": tuple(DECIDED),
    "orders/battles/meetings.py _record": ("battle times accept", "battle times propose", "battle times withdraw"),
    "orders/battles/reporting.py keep": tuple(f"battle {act.value}" for act in BattleAct),
}
"""Where the act is an argument, by file and function: those that there are."""


def recorded_acts() -> Iterator[str]:
    """Every kind of act. Raises KeyError for a place that names none and is not listed."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            if "campaign.record import" in text or "memberships import" in text or "memberships.record(" in text:
                where = path.relative_to(ROOT).with_suffix("")
                for function, node in _nodes_by_function(ast.parse(text)):
                    yield from _acts(node, f"{where}.py {function}", ".".join(where.parts))


def _acts(node: ast.AST, place: str, module: str) -> Iterator[str]:
    match node:
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=[_, act, *_]) if name == RECORD:
            if isinstance(act, ast.Constant):
                yield str(act.value)
            else:
                constant = getattr(import_module(module), act.id, None) if isinstance(act, ast.Name) else None
                yield from (constant,) if isinstance(constant, str) else VARIABLE[place]
