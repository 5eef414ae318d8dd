"""The numbers and the order of rows (M12 and M13)."""

from collections.abc import Mapping
from typing import Any

from django.apps import apps
from django.db import connection, models
from django.db.models import ForeignKey

from tests.secrecy.mutators.change import Change


def shift(change: Change) -> bool:
    """Change the number of every row, as if earlier rows had been deleted."""
    for model in _numbered():
        step = 100_000 + change.chance.randint(1, 9_999)
        numbers = _numbers(model._meta.db_table, model._meta.pk.column)
        _renumber(model, {old: old + step for old in numbers})
    return True


def shuffle(change: Change) -> bool:
    """Change the order of the rows of every table, except mails and what people wrote, whose order counts."""
    for model in _numbered():
        if model._meta.label in _IN_ORDER:
            continue
        numbers = _numbers(model._meta.db_table, model._meta.pk.column)
        mixed = change.chance.sample(numbers, k=len(numbers))
        base = 10 * max([*numbers, 1000])
        _renumber(model, {old: base + new for old, new in zip(numbers, mixed, strict=True)})
    return True


_IN_ORDER = ("campaign.OutboxMessage", "campaign.BattleReport", "campaign.AuditEntry")


def _numbered() -> list[Any]:
    every = apps.get_models(include_auto_created=True)
    return [model for model in every if isinstance(model._meta.pk, models.AutoField | models.BigAutoField)]


def _numbers(table: str, key: str) -> list[int]:
    with connection.cursor() as cursor:
        cursor.execute(f'SELECT "{key}" FROM "{table}" ORDER BY "{key}"')  # noqa: S608 # the tables' own names
        return [row[0] for row in cursor.fetchall()]


def _renumber(model: Any, new: Mapping[int, int]) -> None:
    """Give rows and all references to them other numbers, higher than the old ones."""
    pairs = [(after, before) for before, after in new.items()]
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA foreign_keys = OFF")
        cursor.executemany(_setting(model, model._meta.pk.column), pairs)
        for other in apps.get_models(include_auto_created=True):
            for each in other._meta.local_fields:
                if isinstance(each, ForeignKey) and each.related_model is model:
                    cursor.executemany(_setting(other, each.column), pairs)
        cursor.execute("PRAGMA foreign_keys = ON")


def _setting(model: Any, column: str) -> str:
    return f'UPDATE "{model._meta.db_table}" SET "{column}" = %s WHERE "{column}" = %s'  # noqa: S608 # its own names
