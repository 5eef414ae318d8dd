"""What many tests begin with, rows and pictures: made once in a process, and restored for every further test."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import Permission
from django.contrib.contenttypes.models import ContentType
from django.core.management.color import no_style
from django.db import connection, models, transaction

from campaign.core import clock
from campaign.game import turn_package

_Rows = dict[str, tuple[list[str], list[tuple[Any, ...]]]]
"""The columns and rows of each table."""
_Counts = dict[str, int]


@dataclass(frozen=True)
class _Kept:
    """Rows that can be restored into an empty database."""

    counts: _Counts
    inserts: list[tuple[str, list[Any]]]
    """Statements with their parameters."""
    pictures: dict[Path, bytes]
    """The files that rows name. A sweep of another test, which has none of these rows, deletes them."""


_kept: dict[tuple[object, ...], _Kept] = {}
_made_by: dict[str, tuple[str, str]] = {}


def kept(name: str, make: Callable[[], object], *, after: str = "", timeless: bool = False) -> None:
    """Bring the database to the state that `make` creates, from the cache or by a call of it.

    A cached state is used if the database has no rows, or is in the state named `after`. What `make` creates must
    depend only on the clock and on how maps are drawn. If it is `timeless`, its times are those of whoever made it
    first, and its tests look at none. A name stands for one function, which other files import.
    """
    by = make.__module__, make.__qualname__
    assert _made_by.setdefault(name, by) == by, f"{name} is made by {_made_by[name]} and by {by}"
    draw = vars(turn_package)["draw"]  # tests replace it
    tables = _tables()
    way = (None if timeless else clock.now(), draw.__module__, draw.__qualname__)
    before = _kept.get((after, *way))
    if _counts(tables) != (before.counts if before else dict.fromkeys(tables, 0)):
        make()
    elif found := _kept.get((name, *way)):
        _put_back(found, tables if before else [])
    else:
        make()
        _kept[name, *way] = _keep(everything())


def everything() -> _Rows:
    """All rows of the database."""
    return {table: _rows(table) for table in _tables()}


def unchecked_keys() -> list[str]:
    """Statements that stop PostgreSQL checking foreign keys until the transaction ends or `checked_keys` follows.

    Only a superuser may; for others, and for SQLite, there are none.
    """
    return ["SET LOCAL session_replication_role = replica"] if _may_skip_checks() else []


def checked_keys() -> list[str]:
    """Statements after which foreign keys are checked again."""
    return ["SET LOCAL session_replication_role = origin"] if _may_skip_checks() else []


def _may_skip_checks() -> bool:
    return connection.vendor == "postgresql" and _is_superuser()


@cache
def _is_superuser() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('is_superuser')")
        return bool(cursor.fetchone() == ("on",))


def _tables() -> list[str]:
    return sorted(model._meta.db_table for model in _models())


def _models() -> list[type[models.Model]]:
    """The tables that tests write to: not those that migrations fill."""
    every = apps.get_models(include_auto_created=True)
    return [model for model in every if model not in (Permission, ContentType) and model._meta.managed]


def _counts(tables: list[str]) -> _Counts:
    with connection.cursor() as cursor:
        counts = (f"SELECT '{table}', COUNT(*) FROM \"{table}\"" for table in tables)  # noqa: S608 # models' own names
        cursor.execute(" UNION ALL ".join(counts))
        return dict(cursor.fetchall())


def _rows(table: str) -> tuple[list[str], list[tuple[Any, ...]]]:
    with connection.cursor() as cursor:
        cursor.execute(f'SELECT * FROM "{table}"')  # noqa: S608 # the models' own names
        return [column[0] for column in cursor.description], cursor.fetchall()


def _keep(rows: _Rows) -> _Kept:
    filled = {table: held for table, held in rows.items() if held[1]}
    inserts = [_insert(f'"{table}"', columns, values) for table, (columns, values) in filled.items()]
    if connection.vendor == "postgresql":
        inserts = _keep_on_the_server(filled)
    named = repr([rows[table] for table in rows if table.startswith("stories_")])
    files = (path for path in Path(settings.PICTURES).rglob("*") if path.is_file() and path.stem in named)
    pictures = {path: path.read_bytes() for path in files}
    return _Kept({table: len(values) for table, (_, values) in rows.items()}, inserts, pictures)


def _insert(table: str, columns: list[str], values: list[tuple[Any, ...]]) -> tuple[str, list[Any]]:
    names, row = ", ".join(f'"{name}"' for name in columns), f"({', '.join(['%s'] * len(columns))})"
    places = ", ".join([row] * len(values))
    return f"INSERT INTO {table} ({names}) VALUES {places}", list(chain.from_iterable(values))  # noqa: S608


def _keep_on_the_server(filled: _Rows) -> list[tuple[str, list[Any]]]:
    """A server copies rows much faster than it receives them: committed beside the test, in tables of their own."""
    schema = f"kept_{len(_kept)}"
    beside = connection.copy()
    with beside.cursor() as cursor:
        cursor.execute(f"CREATE SCHEMA {schema}")
        for table, (columns, values) in filled.items():
            cursor.execute(f'CREATE TABLE {schema}."{table}" (LIKE public."{table}")')
            cursor.execute(*_insert(f'{schema}."{table}"', columns, values))
    beside.close()
    numbered = [model for model in _models() if model._meta.db_table in filled]
    copies = [f'INSERT INTO "{table}" SELECT * FROM {schema}."{table}";' for table in filled]  # noqa: S608
    return [(" ".join([*copies, *connection.ops.sequence_reset_sql(no_style(), numbered)]), [])]


def _put_back(kept: _Kept, emptied: list[str]) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        for statement in unchecked_keys():
            cursor.execute(statement)
        for table in emptied:
            cursor.execute(f'DELETE FROM "{table}"')  # noqa: S608 # the models' own names
        for statement, parameters in kept.inserts:
            cursor.execute(statement, parameters or None)
        for statement in checked_keys():
            cursor.execute(statement)
    for path, content in kept.pictures.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
