"""The record of a campaign: what was done in it, each entry sealed to the one before, with every row that it wrote.

Whoever edits a row afterwards leaves it unlike what the record says of it; whoever edits the record breaks its chain.
`gm.verification` looks at both. Whoever takes away the newest entries, or chains all of them anew, is found out by the
heads that game masters have in their mails.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.db.models import Model

from campaign import truth
from campaign.engine.values import encode
from campaign.models import AuditEntry, Campaign
from campaign.on_record import OnRecord

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
    return " ".join([row._meta.model_name or "", *(str(getattr(row, name)) for name in on_record(row).named_by)])


def row_digest(row: Model) -> str:
    """SHA-256 over every column of a stored row but its own id and those that change without a deed.

    A column that a later release added is left out while it says what it says in rows that are older.
    """
    later, columns = on_record(row).later, ((name, _plain(getattr(row, name))) for name in sealed_columns(type(row)))
    said = [(name, value) for name, value in columns if name not in later or later[name] != value]
    return hashlib.sha256(encode(said)).hexdigest()


def sealed_columns(model: type[Model]) -> list[str]:
    """The columns that the record vouches for."""
    free = on_record(model).free
    columns = [field.attname for field in model._meta.concrete_fields if not field.primary_key]
    return sorted(column for column in columns if column not in free)


def _as_stored(rows: Iterable[Model]) -> Iterator[Model]:
    """The rows as the database has them now: what is on record is what it will give back."""
    by_model: dict[type[Model], list[Any]] = {}
    for row in rows:
        by_model.setdefault(type(row), []).append(row.pk)
    for model, keys in by_model.items():
        unread = sorted(on_record(model).free)
        with truth.opened(model.__name__):
            stored = list(model._base_manager.filter(pk__in=keys).defer(None).defer(*unread))
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
