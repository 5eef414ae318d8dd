"""Rows that many tests begin with: made once in a process, and restored for every further test that needs them."""

from collections.abc import Callable
from typing import Any

from django.apps import apps
from django.contrib.auth.models import Permission
from django.contrib.contenttypes.models import ContentType
from django.core.management.color import no_style
from django.db import connection, models, transaction

from campaign.core import clock
from campaign.game import turn_package

_Rows = dict[str, tuple[list[str], list[tuple[Any, ...]]]]
"""The columns and rows of each table."""
_Counts = dict[str, int]

_kept: dict[tuple[object, ...], _Rows] = {}


def kept(name: str, make: Callable[[], object], *, after: str = "", timeless: bool = False) -> None:
    """Bring the database to the state that `make` creates, from the cache or by a call of it.

    A cached state is used if the database has no rows, or is in the state named `after`. What `make` creates must
    depend only on the clock (not even that if `timeless`) and on how maps are drawn.
    """
    draw = vars(turn_package)["draw"]  # tests replace it
    tables = _tables()
    way = (None if timeless else clock.now(), draw.__module__, draw.__qualname__)
    before = _kept.get((after, *way), {})
    if _counts(tables) != {table: len(before[table][1]) if before else 0 for table in tables}:
        make()
        return
    if (rows := _kept.get((name, *way))) is None:
        make()
        _kept[name, *way] = everything()
    else:
        _put_back(rows)


def everything() -> _Rows:
    """All rows of the database."""
    return {table: _rows(table) for table in _tables()}


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


def _put_back(rows: _Rows) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        for table in rows:
            cursor.execute(f'DELETE FROM "{table}"')  # noqa: S608 # the models' own names
        for table, (columns, values) in rows.items():
            if values:
                names, places = ", ".join(f'"{name}"' for name in columns), ", ".join(["%s"] * len(columns))
                cursor.executemany(f'INSERT INTO "{table}" ({names}) VALUES ({places})', values)  # noqa: S608
        for statement in connection.ops.sequence_reset_sql(no_style(), _models()):
            cursor.execute(statement)
