"""Edits of rows past all services, as somebody with the database makes them."""

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date, datetime, timedelta
from typing import Any

from django.db import IntegrityError, connection, models, transaction
from django.db.models import Model

from campaign.models import Artefact, Campaign, OutboxMessage
from campaign.record.audit import on_record, parts_of
from gm.verification import faults

EMPTIED = 0.2
"""This share of texts is taken away instead of being changed."""

BY_DIGEST = {Artefact: {"content"}, OutboxMessage: {"stored"}}
"""Large columns that have their digests on record; the digests are recomputed."""


@contextmanager
def undone() -> Iterator[None]:
    """What is done within is undone afterwards."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def first_fault(campaign: Campaign) -> str:
    return str(next(faults(Campaign.objects.get(pk=campaign.pk)), ""))


def edit(rows: Sequence[Model], path: str, dice: random.Random) -> Model | None:
    """Give one of these rows another value, past all services; None if the database itself has none of that."""
    for _ in range(100 if rows else 0):
        row = dice.choice(rows)
        *part, column = path.split(".")
        held = getattr(row, part[0], None) if part else row
        if held is None:
            continue
        field = next(field for field in held._meta.concrete_fields if field.attname == column)
        stored = type(held)._base_manager.filter(pk=row.pk)
        (value,) = stored.values_list(column, flat=True)
        try:
            with transaction.atomic():
                stored.update(**{column: another(field, value, dice)})
                return row
        except IntegrityError:
            continue
    return None


def columns_of(model: type[Model]) -> list[str]:
    """The columns that matter, those of parts by "part.column"; a foreign key to the campaign is tried on its own."""
    free = () if not hasattr(model, "on_record") else set(on_record(model).free) - BY_DIGEST.get(model, set())
    return [column for column in own_columns(model) if column not in free]


def own_columns(model: type[Model]) -> list[str]:
    """All columns of a table and of its parts, but ids."""
    columns = [field.attname for field in model._meta.concrete_fields if not field.primary_key]
    parts = zip(on_record(model).parts, parts_of(model), strict=True) if hasattr(model, "on_record") else ()
    return [*columns, *(f"{name}.{column}" for name, part in parts for column in own_columns(part))]


def another(field: Any, value: Any, dice: random.Random) -> Any:
    """Another value of the same kind."""
    if isinstance(field, models.ForeignKey):
        others = field.related_model._base_manager.exclude(pk=value).values_list("pk", flat=True)
        return dice.choice(list(others))
    if field.choices:
        return dice.choice([choice for choice, _ in field.choices if choice != value])
    if value is None or value == "":
        return _SOMETHING[type(field)]
    if field.empty_strings_allowed and isinstance(value, str | bytes | memoryview) and dice.random() < EMPTIED:
        return type(value)() if isinstance(value, str) else b""
    if isinstance(field, models.JSONField):
        return forged_json(value, dice)
    return _OTHERWISE[type(value)](value, dice)


_SOMETHING = {
    models.CharField: "x",
    models.TextField: "x",
    models.URLField: "https://example.org",
    models.EmailField: "somebody@example.org",
    models.SlugField: "x",
    models.JSONField: ["x"],
    models.PositiveIntegerField: 7,
    models.PositiveSmallIntegerField: 7,
    models.DurationField: timedelta(hours=1),
    models.DateTimeField: datetime.fromisoformat("2026-03-01T12:00:00+00:00"),
}


def one_byte_changed(content: bytes, dice: random.Random) -> bytes:
    at = dice.randrange(len(content))
    return content[:at] + bytes([(content[at] + dice.randrange(1, 256)) % 256]) + content[at + 1 :]


def one_letter_changed(text: str, dice: random.Random) -> str:
    at = dice.randrange(len(text))
    letter = dice.choice([letter for letter in "abcdefXYZ0123456789-" if letter != text[at]])
    return text[:at] + letter + text[at + 1 :]


_OTHERWISE: dict[type, Callable[[Any, random.Random], Any]] = {
    bool: lambda value, _: not value,
    int: lambda value, dice: value + dice.choice((1, 2, 10, 1000)),
    datetime: lambda value, dice: value + timedelta(microseconds=dice.choice((-1, 1_000_000))),
    date: lambda value, dice: value + timedelta(days=dice.choice((-1, 1))),
    bytes: one_byte_changed,
    memoryview: lambda value, dice: one_byte_changed(bytes(value), dice),
    str: one_letter_changed,
}


def forged_json(value: Any, dice: random.Random) -> Any:
    """One thing changed, somewhere in it."""
    if isinstance(value, dict) and value:
        key = dice.choice(sorted(value))
        return {**value, key: forged_json(value[key], dice)}
    if isinstance(value, list) and value:
        at = dice.randrange(len(value))
        return [*value[:at], forged_json(value[at], dice), *value[at + 1 :]]
    if isinstance(value, str) and value:
        return one_letter_changed(value, dice)
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    return "x" if value != "x" else "y"


# --- rubbish: values of another type, which only SQLite stores --------------------------------------------------------


def rubbish(rows: Sequence[Model], path: str, dice: random.Random) -> Model | None:
    """Store a value of another type in one of these rows, or a text that no column of its kind has."""
    *part, column = path.split(".")
    with _unchecked() as cursor:
        for _ in range(100 if rows else 0):
            row = dice.choice(rows)
            held = getattr(row, part[0], None) if part else row
            if held is None:
                continue
            field = next(field for field in held._meta.concrete_fields if field.attname == column)
            value = dice.choice(_rubbish(field))
            statement = f'UPDATE "{held._meta.db_table}" SET "{field.column}" = {value}'  # noqa: S608
            another_value = f'"{field.column}" IS NOT {value}'
            try:
                with transaction.atomic():
                    cursor.execute(f'{statement} WHERE "{held._meta.pk.column}" = %s AND {another_value}', [row.pk])
            except IntegrityError:
                continue
            if cursor.rowcount:
                return row
    return None


@contextmanager
def _unchecked() -> Iterator[Any]:
    """Without the checks of columns, which a file that is edited by hand does not ask either."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA ignore_check_constraints = ON")
        try:
            yield cursor
        finally:
            cursor.execute("PRAGMA ignore_check_constraints = OFF")


def _rubbish(field: Any) -> list[str]:
    """SQL of values that are none of a column, whatever is in it."""
    column, blob = f'"{field.column}"', "X'00ff'"
    if isinstance(field, models.JSONField):
        return [blob, "'{'", "'NaN'", '\'{"a": 1, "a": 1}\'', "' [1]'", "'1e999'", f"coalesce({column}, 'null') || ' '"]
    if isinstance(field, models.DateTimeField):
        return [blob, "'rubbish'", "'2026-13-45 99:99:99'", "'2026-03-01T12:00:00'", "5", "1.5", "''"]
    if isinstance(field, models.DateField):
        return [blob, "'rubbish'", "'2026-13-45'", "'20260301'", "5", "''"]
    if isinstance(field, models.BinaryField):
        return ["'text'", "5", f"CAST({column} AS TEXT) || 'x'", "''"]
    if isinstance(field, models.CharField | models.TextField):
        return [blob, "CAST(X'61ff' AS TEXT)", f"CAST({column} AS BLOB)"]
    return [blob, "'rubbish'", "1.5", "''", "9e999"]
