"""The record of a campaign: what was done in it, each entry sealed to the one before, with every row that it wrote.

Whoever edits a row afterwards leaves it unlike what the record says of it; whoever edits the record breaks its chain.
`gm.verification` looks at both. Whoever takes away the newest entries, or chains all of them anew, is found out by the
heads that game masters have in their mails.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.core.exceptions import ObjectDoesNotExist
from django.db.models import Model, QuerySet

from campaign.core.on_record import OnRecord
from campaign.engine.values import encode
from campaign.models import AuditEntry, Campaign
from campaign.secrecy import truth

FIRST = "0" * 64

Said = str | int
Subject = Mapping[str, Said | Sequence[Mapping[str, Said]]]


def record(
    campaign: Campaign,
    act: str,
    subject: Subject,
    *,
    at: datetime,
    rows: Iterable[Model] = (),
    gone: Iterable[Model] = (),
) -> None:
    """Add an entry, within the caller's transaction; until that ends nobody else adds one to the same campaign.

    `rows` are those that the deed has written, `gone` those that it has removed.
    """
    Campaign.objects.select_for_update(no_key=True).only("pk").get(pk=campaign.pk)
    last, prev = _newest(campaign)
    no = last + 1
    sealed: dict[str, str | None] = {row_name(row): None for row in gone}
    sealed |= {row_name(row): row_digest(row) for row in _as_stored(rows)}
    digest = entry_digest(prev=prev, no=no, at=at.isoformat(), act=act, subject=subject, rows=sealed)
    AuditEntry.objects.create(
        campaign=campaign, no=no, at=at, act=act, subject=dict(subject), rows=sealed, prev=prev, digest=digest
    )


def entry_digest(*, prev: str, no: int, at: str, act: str, subject: Subject, rows: Mapping[str, str | None]) -> str:
    """SHA-256 over the digest before and all that an entry says, its rows last if it names any."""
    named = [dict(rows)] if rows else []
    return hashlib.sha256(encode([prev, no, at, act, dict(subject), *named])).hexdigest()


def names_rows(campaign: Campaign) -> bool:
    """Whether any entry of a campaign's record names rows; those of a release before dice logs do not."""
    return bool(campaign.audit.exclude(rows={}).exists())


def head(campaign: Campaign) -> str:
    """The newest entry as N:DIGEST. Who keeps it elsewhere finds out if that entry, or any before, is changed since."""
    no, digest = _newest(campaign)
    return f"{no}:{digest}"


def _newest(campaign: Campaign) -> tuple[int, str]:
    """Number and digest of the newest entry. They say that something was done, and nothing of what."""
    with truth.opened("AuditEntry"):
        return campaign.audit.order_by("-no").values_list("no", "digest").first() or (0, FIRST)


# --- rows -------------------------------------------------------------------------------------------------------------


def on_record(row: Model | type[Model]) -> OnRecord:
    """How a model's rows stand on record."""
    declared: OnRecord = row.on_record  # type: ignore[union-attr]
    return declared


def row_name(row: Model) -> str:
    """A row's name on the record: its table, and what tells it from the others there."""
    declared = on_record(row)
    named = (str(getattr(row, name)) for name in declared.named_by)
    return " ".join([declared.name or row._meta.model_name or "", *named])


def row_digest(row: Model) -> str:
    """SHA-256 over all that the record vouches for of a stored row, by the names that the record has for it.

    A column that a later release added is left out while it says what it says in rows that are older.
    """
    declared, columns = on_record(row), sealed_columns(type(row))
    said = {name: _plain(_at(row, path)) for name, path in columns.items()}
    said |= {name: _plain(tells(row)) for name, tells in declared.removed.items()}
    kept = [name for name in sorted(said) if name not in declared.added or said[name] != _first_value(row, name)]
    return hashlib.sha256(encode([(name, said[name]) for name in kept])).hexdigest()


def sealed_columns(model: type[Model]) -> dict[str, tuple[str, ...]]:
    """The columns that the record vouches for: by its name for each, the attributes that lead from a row to it.

    Those of the row's parts are among them, and nobody's own id, nor what changes without a deed.
    """
    declared = on_record(model)
    paths: dict[str, tuple[str, ...]] = {name: (name,) for name in _columns(model)}
    for part, table in zip(declared.parts, parts_of(model), strict=True):
        back = model._meta.get_field(part).remote_field.attname  # type: ignore[union-attr] # of a one-to-one relation
        paths |= {name: (part, name) for name in _columns(table) if name != back}
    return {declared.called.get(name, name): path for name, path in paths.items() if name not in declared.free}


def parts_of(model: type[Model]) -> list[type[Model]]:
    """The tables that hold the rest of a table's rows."""
    tables = [model._meta.get_field(part).related_model for part in on_record(model).parts]
    return [table for table in tables if isinstance(table, type)]  # relations, or nothing could be declared a part


def _columns(model: type[Model]) -> list[str]:
    return [field.attname for field in model._meta.concrete_fields if not field.primary_key]


def _at(row: Model, path: Sequence[str]) -> object:
    """What a row has at the end of these attributes; where its part is missing, what the column says by default."""
    *part, name = path
    found: Any = row
    try:
        for relation in part:
            found = getattr(found, relation)
    except ObjectDoesNotExist:
        return row._meta.get_field(part[0]).related_model._meta.get_field(name).get_default()  # type: ignore[union-attr]
    return getattr(found, name)


def _first_value(row: Model, name: str) -> object:
    """What the migration that added a column wrote into it in this row, if the row was there."""
    value = on_record(row).added[name]
    return value(row) if callable(value) else value


def whole_rows(model: type[Model]) -> QuerySet[Any]:
    """A table's rows with their parts, without the columns that the record leaves free, whatever is guarded of them."""
    declared = on_record(model)
    rows = model._base_manager.select_related(*declared.parts) if declared.parts else model._base_manager.all()
    return rows.defer(None).defer(*sorted(declared.free))


def _as_stored(rows: Iterable[Model]) -> Iterator[Model]:
    """The rows as the database has them now: what is on record is what it will give back."""
    by_model: dict[type[Model], list[Any]] = {}
    for row in rows:
        by_model.setdefault(type(row), []).append(row.pk)
    for model, keys in by_model.items():
        with truth.opened(model.__name__, *(part.__name__ for part in parts_of(model))):
            stored = list(whole_rows(model).filter(pk__in=keys))
        yield from stored


def _plain(value: object) -> object:
    """A column's value as JSON has it, the same from every database."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, timedelta):
        return value // timedelta(microseconds=1)
    if isinstance(value, bytes | memoryview):
        return hashlib.sha256(value).hexdigest()
    return value
