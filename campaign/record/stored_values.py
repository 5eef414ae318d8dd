"""What the database holds where it is not what Python reads: values that no code of ours can have written.

SQLite stores any value in any column. Rubbish in a date is read as "none" here, while a query takes it for a date: a
member would be gone for all pages, and every digest of their row would still be right. So whatever is stored must be,
to the letter, what would be stored for the value that is read. PostgreSQL's columns are strict, but for dates that
Python does not have, and for numbers in JSON that it cannot tell apart.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from django.db import connection, models
from django.db.models import BinaryField, CharField, F, Func, QuerySet, TextField
from django.db.models.functions import Cast

if TYPE_CHECKING:
    Field = models.Field[Any, Any]  # Django's own cannot be subscripted

_MOMENT = re.compile(r"\d{4}-\d\d-\d\d(?: \d\d:\d\d:\d\d[^ ]*)?")
"""How PostgreSQL writes the dates and times that Python has."""
_TEXTS = ("varchar", "text", "date")
"""The beginnings of the types of columns that SQLite stores as text."""
_PLAIN_TEXTS = ("CharField", "SlugField", "TextField")
"""Columns in which any text is its own value."""
_MOMENTS = ("DateField", "DateTimeField")


def strange_columns(rows: QuerySet[Any], paths: Mapping[str, Sequence[str]]) -> Iterator[tuple[int, list[str]]]:
    """Rows that hold what cannot have been written, by their ids, each with the names of these columns.

    `paths`: for each column, the attributes that lead to it from a row; a row's part may be missing.
    """
    columns = {name: _Column.of(_field(rows.model, path), "__".join(path)) for name, path in paths.items()}
    parts = {part: [name for name, path in paths.items() if path[:-1] == part] for part in _parts(paths)}
    questions = [each for column in columns.values() for each in column.questions]
    for pk, *answers in rows.order_by("pk").values_list("pk", *questions).iterator():
        left = iter(answers)
        found = {name: [next(left) for _ in column.questions] for name, column in columns.items()}
        missing = {part for part, names in parts.items() if not any(_held(found[name]) for name in names)}
        strange = [
            name
            for name, answer in found.items()
            if paths[name][:-1] not in missing and not columns[name].is_ours(*answer)
        ]
        if strange:
            yield pk, strange


def _parts(paths: Mapping[str, Sequence[str]]) -> set[Sequence[str]]:
    return {path[:-1] for path in paths.values()} - {()}


def _held(answer: Sequence[object]) -> bool:
    """Whether a column holds anything; a column that was not asked for does not tell."""
    return bool(answer) and answer[0] not in (None, "null")


def _field(model: type[models.Model], path: Sequence[str]) -> "Field":
    *parts, column = path
    for part in parts:
        model = model._meta.get_field(part).related_model  # type: ignore[assignment] # parts are relations
    return next(field for field in model._meta.concrete_fields if field.attname == column)


# --- questions to the database, and whether an answer can be ours -----------------------------------------------------


class _TypeOf(Func):
    function = "TYPEOF"
    output_field = CharField()


class _Bytes(Func):
    template = "CAST(%(expressions)s AS BLOB)"
    output_field = BinaryField()


@dataclass(frozen=True)
class _Column:
    """What is asked of a column, and whether an answer can be what we wrote."""

    questions: Sequence[Func]
    is_ours: Callable[..., bool]

    @classmethod
    def of(cls, field: "Field", lookup: str) -> "_Column":
        if connection.vendor != "postgresql":
            kind = _kind(field)
            texts = [_Bytes(F(lookup))] if kind == "text" else []
            return cls([_TypeOf(F(lookup)), *texts], partial(_is_ours_in_sqlite, field, kind, _converters(field)))
        if field.get_internal_type() in (*_MOMENTS, "JSONField"):
            return cls([Cast(F(lookup), TextField())], partial(_is_ours_in_postgresql, field))
        return cls([], lambda: True)


_Converter = Callable[[Any], Any]


def _converters(field: "Field") -> list[_Converter]:
    """What turns SQLite's text into a value, in order."""
    column = field.get_col(field.model._meta.db_table)
    each = (*connection.ops.get_db_converters(column), *field.get_db_converters(connection))
    return [partial(convert, expression=column, connection=connection) for convert in each]


def _kind(field: "Field") -> str:
    """How SQLite stores what we write into a column."""
    type_ = (field.db_type(connection) or "").lower()
    return "text" if type_.startswith(_TEXTS) else {"blob": "blob", "real": "real"}.get(type_, "integer")


def _is_ours_in_sqlite(field: "Field", kind: str, converters: Sequence[_Converter], held: str, *texts: bytes) -> bool:
    if held == "null":
        return bool(field.null)
    return held == kind and all(_is_as_written(field, converters, bytes(each)) for each in texts)


def _is_as_written(field: "Field", converters: Sequence[_Converter], stored: bytes) -> bool:
    """Whether SQLite's text is the one that would be written for the value read from it."""
    try:
        text = stored.decode()
        if field.get_internal_type() in _PLAIN_TEXTS:
            return True
        value: Any = text
        for convert in converters:
            value = convert(value)
        return bool(field.get_db_prep_save(value, connection) == text) and _is_plain_json(field, value)
    except (AttributeError, TypeError, ValueError, RecursionError):  # it may hold anything, and converters meet it
        return False


def _is_ours_in_postgresql(field: "Field", text: str | None) -> bool:
    if text is None:
        return bool(field.null)
    if field.get_internal_type() in _MOMENTS:
        return _MOMENT.fullmatch(text) is not None
    try:
        return _is_plain_json(field, json.loads(text)) and not (field.null and text == "null")
    except (ValueError, RecursionError):
        return False


def _is_plain_json(field: "Field", value: object) -> bool:
    """Whether a digest can tell a value of a JSON column from all others: infinite numbers look like none."""
    if field.get_internal_type() == "JSONField":
        json.dumps(value, allow_nan=False)  # a ValueError if it cannot
    return True
