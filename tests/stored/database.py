"""A database at any schema: brought there by migrations, its rows read and written column by column.

Tables and columns are those of the migrations, not of today's models.
"""

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.core.management.color import no_style
from django.db import connection, connections, models, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

from tests.stored.files import Table

_FROM_MIGRATIONS = frozenset({"auth.permission", "contenttypes.contenttype"})
"""Django writes their rows itself, after migrations."""

_KINDS = {
    "BinaryField": "bytes",
    "DateTimeField": "datetime",
    "DateField": "date",
    "DurationField": "duration",
    "DecimalField": "decimal",
    "JSONField": "json",
}
"""How values are stored, by the kind of their field; others are as JSON has them."""

if TYPE_CHECKING:
    _Field = models.Field[Any, Any]  # Django's own cannot be subscripted


_NUMBERS = count()


@contextmanager
def new_database(folder: Path, *, like: str = "") -> Iterator[str]:
    """The name of a new database, empty or a copy of another: a file in the folder, or next to the tests' own."""
    name = f"stored_{os.getpid()}_{next(_NUMBERS)}"
    if connection.vendor == "postgresql":
        _on_server(f'CREATE DATABASE "{name}"' + (f' TEMPLATE "{like}"' if like else ""))
        try:
            yield name
        finally:
            _on_server(f'DROP DATABASE "{name}"')
    else:
        path = folder / name
        if like:
            shutil.copyfile(like, path)
        yield str(path)


@contextmanager
def connected_to(name: str) -> Iterator[None]:
    """Let everything go to the database of this name, in the place of the tests' own."""
    before = connections["default"]
    connections["default"] = type(before)({**before.settings_dict, "NAME": name}, "default")
    try:
        yield
    finally:
        connection.close()
        connections["default"] = before


def _on_server(statement: str) -> None:
    with connection._nodb_cursor() as cursor:
        cursor.execute(statement)


class _EachMigration(MigrationLoader):
    """The migrations as they were written one by one, without those that make all tables at once."""

    def load_disk(self) -> None:
        super().load_disk()
        each = self.disk_migrations or {}
        self.disk_migrations = {key: migration for key, migration in each.items() if not migration.replaces}


def _executor() -> MigrationExecutor:
    executor = MigrationExecutor(connection)
    executor.loader = _EachMigration(connection)
    return executor


def present_schema() -> dict[str, str]:
    """The last migration of each app that there is."""
    return dict(sorted(_executor().loader.graph.leaf_nodes()))


def migrate(schema: Mapping[str, str]) -> None:
    """Bring the database to a schema, forward or back. Of an app that it does not name, nothing is undone."""
    _executor().migrate(list(schema.items()))


def migrate_to_present() -> None:
    """Bring the database to the present schema, as `manage.py migrate` does."""
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())


def tables() -> Mapping[str, Any]:
    """The columns and constraints of each table of the database, by its name, in no order."""
    with connection.cursor() as cursor:
        names = connection.introspection.table_names(cursor)
        return {name: (_described(cursor, name), _constraints(cursor, name)) for name in names}


def _described(cursor: Any, table: str) -> set[tuple[Any, ...]]:
    described = connection.introspection.get_table_description(cursor, table)
    return {(each.name, each.type_code, each.display_size, each.null_ok, each.default) for each in described}


def _constraints(cursor: Any, table: str) -> list[str]:
    """Each constraint; by name only the checks that have one, since other names tell nothing."""
    found = connection.introspection.get_constraints(cursor, table).items()
    named = ((name if each["check"] and not name.startswith("__unnamed") else "", each) for name, each in found)
    return sorted(repr((name, sorted(each["columns"] or ()), *map(each.get, _SORTS))) for name, each in named)


_SORTS = ("primary_key", "unique", "foreign_key", "index")


def rows_at(schema: Mapping[str, str]) -> dict[str, Table]:
    """All rows of a database at this schema, except those that migrations bring."""
    return {model._meta.db_table: _rows(model) for model in _models(schema)}


def put(schema: Mapping[str, str], tables: Mapping[str, Table]) -> None:
    """Write rows into the empty tables of a database at this schema, unchanged."""
    found = _models(schema)
    with transaction.atomic(), connection.cursor() as cursor:
        for model in found:
            if model._meta.db_table in tables:
                _put(cursor, model, tables[model._meta.db_table])
        for statement in connection.ops.sequence_reset_sql(no_style(), found):
            cursor.execute(statement)


def _models(schema: Mapping[str, str]) -> list[type[models.Model]]:
    apps = _executor().loader.project_state(list(schema.items())).apps
    every = apps.get_models(include_auto_created=True)
    return [each for each in every if each._meta.label_lower not in _FROM_MIGRATIONS and each._meta.managed]


def _fields(cursor: Any, model: type[models.Model]) -> "dict[str, _Field]":
    """The columns that a table has, by name, with the fields that the migrations gave it."""
    fields = {field.column: field for field in model._meta.concrete_fields}
    described = connection.introspection.get_table_description(cursor, model._meta.db_table)
    return {name: fields[name] for name in sorted(column.name for column in described)}


def _rows(model: type[models.Model]) -> Table:
    with connection.cursor() as cursor:
        fields = _fields(cursor, model)
        cursor.execute(f'SELECT {_names(fields)} FROM "{model._meta.db_table}"')  # noqa: S608 # ours
        raw = cursor.fetchall()
    rows = (tuple(_read(field, value) for field, value in zip(fields.values(), row, strict=True)) for row in raw)
    key = list(fields.values()).index(model._meta.pk)
    columns = {name: _kind(field) for name, field in fields.items()}
    return Table(columns, tuple(sorted(rows, key=lambda row: row[key])))


def _put(cursor: Any, model: type[models.Model], table: Table) -> None:
    fields = _fields(cursor, model)
    here = [fields.pop(name) for name in table.columns]
    assert not fields, f"{model._meta.db_table} has columns that are not stored: {', '.join(fields)}"
    places = ", ".join(["%s"] * len(here))
    statement = f'INSERT INTO "{model._meta.db_table}" ({_names(table.columns)}) VALUES ({places})'  # noqa: S608 # ours
    cursor.executemany(statement, [tuple(_prepared(here, row)) for row in table.rows])


def _prepared(fields: "list[_Field]", row: tuple[Any, ...]) -> Iterator[Any]:
    for field, value in zip(fields, row, strict=True):
        yield field.get_db_prep_save(value, connection)


def _names(columns: Mapping[str, object]) -> str:
    return ", ".join(f'"{name}"' for name in columns)


def _kind(field: "_Field") -> str:
    return _KINDS.get(field.get_internal_type(), "plain")


def _read(field: "_Field", value: Any) -> Any:
    """A value as Python has it, from what the database gave for a column."""
    column = field.get_col(field.model._meta.db_table)
    for convert in (*connection.ops.get_db_converters(column), *field.get_db_converters(connection)):
        value = convert(value, column, connection)
    return bytes(value) if isinstance(value, memoryview) else value
