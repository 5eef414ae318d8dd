"""Migrations that make all tables at once: they make what the migrations that they replace made one by one."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from pytest_django.plugin import DjangoDbBlocker

from tests.stored.database import connected_to, migrate, migrate_to_present, new_database, present_schema


@pytest.fixture
def databases(django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    with django_db_blocker.unblock():
        yield


@pytest.mark.usefixtures("databases")
def test_a_new_database_has_the_tables_of_an_old_one(tmp_path: Path) -> None:
    with new_database(tmp_path) as old, connected_to(old):
        migrate(present_schema())
        one_by_one = _tables()
    with new_database(tmp_path) as new, connected_to(new):
        migrate_to_present()
        at_once = _tables()
        applied = MigrationLoader(connection).applied_migrations
    assert any("_squashed_" in name for _, name in applied), "nothing was made at once"
    assert at_once == one_by_one


def _tables() -> Mapping[str, Any]:
    """By name: the columns and constraints of each table, in no order."""
    with connection.cursor() as cursor:
        return {name: (_columns(cursor, name), _constraints(cursor, name)) for name in _names(cursor)}


def _names(cursor: Any) -> list[str]:
    return connection.introspection.table_names(cursor)


def _columns(cursor: Any, table: str) -> set[tuple[Any, ...]]:
    described = connection.introspection.get_table_description(cursor, table)
    return {
        (column.name, column.type_code, column.display_size, column.null_ok, column.default) for column in described
    }


def _constraints(cursor: Any, table: str) -> list[str]:
    return sorted(map(repr, _each(connection.introspection.get_constraints(cursor, table))))


def _each(found: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[Any, ...]]:
    """Each constraint; by name only the checks, since the others have names that tell nothing."""
    for name, each in found.items():
        named = name if each["check"] and not name.startswith("__unnamed") else ""
        yield (
            named,
            sorted(each["columns"] or ()),
            *(each[kind] for kind in ("primary_key", "unique", "foreign_key", "index")),
        )
