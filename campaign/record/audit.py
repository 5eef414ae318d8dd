"""The record of a campaign: its acts, each entry sealed to the one before, with every row written.

A row edited later no longer matches the record; an edited record breaks its chain. `gm.verification` checks both. If
the newest entries are removed, or all are chained again, the heads in the game masters' mails show it.
"""

import hashlib
import hmac
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.conf import settings
from django.core.exceptions import ObjectDoesNotExist
from django.db.models import Model, QuerySet

from campaign.core.on_record import OnRecord
from campaign.engine.values.value import encode
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
    """Add an entry in the caller's transaction; until that ends nobody else adds one to the same campaign.

    `rows`: rows that the act has written; `gone`: rows that it has removed.
    """
    Campaign.objects.select_for_update(no_key=True).only("pk").get(pk=campaign.pk)
    last, prev = _newest(campaign)
    no = last + 1
    sealed: dict[str, str | None] = {row_name(row): None for row in gone}
    sealed |= _as_stored(rows)
    digest = entry_digest(prev=prev, no=no, at=at.isoformat(), act=act, subject=subject, rows=sealed)
    with truth.opened("AuditEntry"):
        AuditEntry.objects.create(
            campaign=campaign, no=no, at=at, act=act, subject=dict(subject), rows=sealed, prev=prev, digest=digest
        )


def entry_digest(*, prev: str, no: int, at: str, act: str, subject: Subject, rows: Mapping[str, str | None]) -> str:
    """SHA-256 over the previous digest and the whole entry, its rows last if it names any."""
    named = [dict(rows)] if rows else []
    return hashlib.sha256(encode([prev, no, at, act, dict(subject), *named])).hexdigest()


def names_rows(campaign: Campaign) -> bool:
    """Whether any entry of a campaign names rows; entries from before dice logs do not."""
    return bool(campaign.audit.exclude(rows={}).exists())


def has(campaign: Campaign, act: str) -> bool:
    """Whether an act is on a campaign's record."""
    with truth.opened("AuditEntry"):
        return bool(campaign.audit.filter(act=act).exists())


def head(campaign: Campaign) -> str:
    """The newest entry as N:DIGEST. Someone who keeps it elsewhere can tell if it or an earlier entry is changed."""
    no, digest = _newest(campaign)
    return f"{no}:{digest}"


def _newest(campaign: Campaign) -> tuple[int, str]:
    """Number and digest of the newest entry. They reveal that something was done, but not what."""
    with truth.opened("AuditEntry"):
        return campaign.audit.order_by("-no").values_list("no", "digest").first() or (0, FIRST)


# --- rows -------------------------------------------------------------------------------------------------------------


def on_record(row: Model | type[Model]) -> OnRecord:
    """How the record treats a model's rows."""
    declared: OnRecord = row.on_record  # type: ignore[union-attr]
    return declared


def row_name(row: Model) -> str:
    """A row's name on the record: its table, and what identifies it there."""
    declared = on_record(row)
    named = (str(getattr(row, name)) for name in declared.named_by)
    return " ".join([declared.name or row._meta.model_name or "", *named])


_SEAL = "2:"
"""What seals begin with since they cover ids; an older one is a row's digest alone."""


def seal(row: Model) -> str:
    """What an entry keeps of a row: a digest of its id, by which other rows refer to it, and of its columns."""
    return _seal(row, settings.SECRET_KEY)


def is_sealed(row: Model, kept: str) -> bool:
    """Whether a row is as an entry kept it, in whichever form and with whichever of the site's keys."""
    make = _seal if kept.startswith(_SEAL) else row_digest
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS) if on_record(row).keyed else (settings.SECRET_KEY,)
    return any(hmac.compare_digest(make(row, key), kept) for key in keys)


def _seal(row: Model, key: str) -> str:
    return _SEAL + hashlib.sha256(encode([row.pk, row_digest(row, key)])).hexdigest()


def row_digest(row: Model, key: str = "") -> str:
    """SHA-256 over the columns of a stored row that the record vouches for, under their recorded names.

    A column added later is left out while it has the value that older rows were given. If the digests of its table
    are keyed, it is an HMAC with this key.
    """
    declared, columns = on_record(row), sealed_columns(type(row))
    said = {name: _plain(_at(row, path)) for name, path in columns.items()}
    said |= {name: _plain(tells(row)) for name, tells in declared.removed.items()}
    said |= {name: _listed(row, name) for name in declared.lists}
    kept = [name for name in sorted(said) if name not in declared.added or said[name] != _first_value(row, name)]
    whole = encode([(name, said[name]) for name in kept])
    if declared.keyed:
        return hmac.digest(key.encode(), b"fieldpost record|" + whole, "sha256").hex()
    return hashlib.sha256(whole).hexdigest()


def sealed_columns(model: type[Model]) -> dict[str, tuple[str, ...]]:
    """The columns that the record vouches for: for each recorded name, the attributes that lead to it from a row.

    Columns of the row's parts are included; ids and free columns are not.
    """
    declared = on_record(model)
    paths = all_columns(model)
    return {declared.called.get(name, name): path for name, path in paths.items() if name not in declared.free}


def all_columns(model: type[Model]) -> dict[str, tuple[str, ...]]:
    """All columns of a table and of its rows' parts, but ids: for each, the attributes that lead to it from a row."""
    paths: dict[str, tuple[str, ...]] = {name: (name,) for name in _columns(model)}
    for part, table in zip(on_record(model).parts, parts_of(model), strict=True):
        back = model._meta.get_field(part).remote_field.attname  # type: ignore[union-attr] # of a one-to-one relation
        paths |= {name: (part, name) for name in _columns(table) if name != back}
    return paths


def parts_of(model: type[Model]) -> list[type[Model]]:
    """The tables that hold the rest of a table's rows."""
    tables = [model._meta.get_field(part).related_model for part in on_record(model).parts]
    return [table for table in tables if isinstance(table, type)]  # parts are always relations


def _columns(model: type[Model]) -> list[str]:
    return [field.attname for field in model._meta.concrete_fields if not field.primary_key]


def _at(row: Model, path: Sequence[str]) -> object:
    """A row's value at the end of these attributes; the column's default if the part is missing."""
    *part, name = path
    found: Any = row
    try:
        for relation in part:
            found = getattr(found, relation)
    except ObjectDoesNotExist:
        return row._meta.get_field(part[0]).related_model._meta.get_field(name).get_default()  # type: ignore[union-attr]
    return getattr(found, name)


def _listed(row: Model, name: str) -> list[list[object]]:
    """The rows that belong to a row by a relation, as the record has them."""
    columns = on_record(row).lists[name]
    return sorted([_plain(getattr(each, column)) for column in columns] for each in getattr(row, name).all())


def _first_value(row: Model, name: str) -> object:
    """The value that the migration which added a column gave to this row, if the row is older."""
    value = on_record(row).added[name]
    return value(row) if callable(value) else value


def whole_rows(model: type[Model]) -> QuerySet[Any]:
    """A table's rows with their parts, without the columns that the record leaves free."""
    declared = on_record(model)
    rows = model._base_manager.select_related(*declared.parts) if declared.parts else model._base_manager.all()
    return rows.defer(*sorted(declared.free)).prefetch_related(*sorted(declared.lists))


def _as_stored(rows: Iterable[Model]) -> dict[str, str]:
    """The seals of rows by name, as the database has them now: the record must match what it will return."""
    seals: dict[str, str] = {}
    by_model: dict[type[Model], list[Any]] = {}
    for row in rows:
        by_model.setdefault(row._meta.model, []).append(row.pk)  # type() of a request's user is another
    for model, keys in by_model.items():
        with truth.opened(model.__name__, *(part.__name__ for part in parts_of(model))):
            seals |= {row_name(row): seal(row) for row in whole_rows(model).filter(pk__in=keys)}
    return seals


def _plain(value: object) -> object:
    """A column's value as JSON, the same from every database."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, timedelta):
        return value // timedelta(microseconds=1)
    if isinstance(value, bytes | memoryview):
        return hashlib.sha256(value).hexdigest()
    return value
