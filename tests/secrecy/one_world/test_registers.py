"""Every hour and limit of the product is reached by a step of two worlds, or declared with the reason why none does.

Limits are those of tries, and numbers named MOST or LONGEST. An hour is a span of time that a module declares, or a
column with a time that is yet to come when it is written.
"""

import ast
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest
from django.apps import apps
from django.db.models import DateTimeField

from campaign.people.throttles import Limit
from tests.secrecy.steps.hours import HOURS
from tests.secrecy.steps.limits import LIMITS
from tests.secrecy.steps.not_reached import NOT_REACHED, names_in, not_reached, noted

_ROOT = Path(__file__).parents[3]
_PACKAGES = (
    *("api", "archive", "campaign", "gm", "incoming", "orders", "posting", "questions", "staff", "stories"),
    "deploy",
)


# --- what there is ---------------------------------------------------------------------------------------------------


@cache
def constants() -> frozenset[str]:
    """The names of all limits and spans of time that the product's modules declare."""
    paths = (path for package in _PACKAGES for path in sorted((_ROOT / package).rglob("*.py")))
    return frozenset(name for path in paths if "migrations" not in path.parts for name in _constants_in(path))


def _constants_in(path: Path) -> Iterator[str]:
    """Imported are the modules that declare something in capitals: others may start a service."""
    names = [name for name in _declared_in(path.read_text(encoding="utf-8")) if name.isupper()]
    if names:
        module = import_module(".".join(path.relative_to(_ROOT).with_suffix("").parts).removesuffix(".__init__"))
        yield from (f"{module.__name__}.{name}" for name in names if _is_one(module, name))


def _declared_in(source: str) -> Iterator[str]:
    """The names that a module binds itself, also several in one statement; none that it imports."""
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.Assign | ast.AnnAssign):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            yield from (node.id for each in targets for node in ast.walk(each) if isinstance(node, ast.Name))


def _is_one(module: ModuleType, name: str) -> bool:
    value = getattr(module, name)
    counts = isinstance(value, int) and name.lstrip("_").startswith(("MOST", "LONGEST"))
    return counts or isinstance(value, Limit | timedelta)


@cache
def columns() -> frozenset[str]:
    """The names of all columns of the product with a time."""
    return frozenset(
        f"{model._meta.app_label}.models.{model.__name__}.{column.attname}"
        for model in apps.get_models()
        if model._meta.app_label in _PACKAGES and model.__module__.startswith(model._meta.app_label)
        for column in model._meta.local_concrete_fields
        if isinstance(column, DateTimeField)
    )


def reached() -> set[str]:
    return {*LIMITS, *(name for _, declared in HOURS.values() for name in declared)}


# --- what the tests ask ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "campaign.people.throttles.COMMENTS",  # a limit of how often
        "campaign.people.throttles.PICTURES_A_DAY",  # the second of two in one statement
        "gm.phases.lifecycle.LEASE",  # a span of time
        "incoming.ways.polling.LONGEST_BREAK",  # the same, in one statement with another
        "campaign.rulesets.forum_campaign.day.weather._DAY",  # the same, with an underscore and deep below
        "posting.destinations.MOST",  # a number
        "campaign.rulesets.forum_campaign.gm.rulings._MOST_GOODS",  # the same, with an underscore
    ],
)
def test_every_kind_of_constant_is_found(name: str) -> None:
    assert name in constants()


@pytest.mark.parametrize(
    "name",
    [
        "gm.models.Approval.publishes_at",
        "campaign.models.Phase.lease_until",
        "api.models.ApiToken.expiry",  # of a class that is not the product's own
        "posting.models.TurnCall.next_at",  # the same, of an abstract one
    ],
)
def test_columns_are_found_by_their_kind_not_by_their_names(name: str) -> None:
    assert name in columns()


def test_what_a_module_imports_is_declared_elsewhere() -> None:
    source = (
        "from campaign.links import KEPT\nA = B = 1\nC, (_D, *E) = 1, (2, 3)\nF: int = 1\ndef f() -> None:\n    G = 1"
    )
    assert list(_declared_in(source)) == ["A", "B", "C", "_D", "E", "F"]
    assert "gm.machine.sweeper.LATE_LOCK" not in constants()


def test_every_limit_and_span_of_time_is_reached_or_declared() -> None:
    declared = reached() | not_reached().keys()
    assert sorted(constants() - declared) == [], "reach it by a step (hours.py, limits.py), or say why (not_reached.py)"


def test_every_column_with_a_time_is_reached_declared_or_notes_the_past() -> None:
    declared = reached() | not_reached().keys() | set(noted())
    assert sorted(columns() - declared) == [], "reach it by a step (hours.py), or say what it notes (not_reached.py)"


def test_every_declaration_names_something_once_that_no_step_reaches() -> None:
    names = Counter([*noted(), *(name for declared, _ in NOT_REACHED for name in names_in(declared))])
    assert sorted(names.keys() - constants() - columns()) == []
    assert [name for name, times in names.items() if times > 1] == []
    assert sorted(names.keys() & reached()) == []


def test_every_declaration_has_a_reason() -> None:
    assert [name for name, reason in not_reached().items() if not reason] == []


@pytest.mark.parametrize("name", sorted(reached()))
def test_every_hour_and_limit_that_steps_reach_is_there(name: str) -> None:
    """What a step counts would otherwise go on being counted when its constant has another name."""
    found: object = None
    *parents, last = name.partition(" ")[0].split(".")
    for length in range(len(parents), 0, -1):
        try:
            found = import_module(".".join(parents[:length]))
        except ModuleNotFoundError:
            continue
        for part in (*parents[length:], last):
            found = getattr(found, part)
        break
    assert found is not None
