"""Tables on record: a release that changes them leaves every row of every running campaign as its record says."""

# ruff: noqa: DJ008 - nobody prints these tables

from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Any

import pytest
from django.db import models
from django.test.utils import isolate_apps

from campaign.core.on_record import OnRecord
from campaign.record.audit import on_record, row_digest, row_name, sealed_columns
from gm.recorded_rows import models_on_record
from tests.trust.record.columns import FIRST

BUILT = date(1916, 8, 15)
SEALED = {"name": "Remagen", "built": BUILT, "charge": b"600 kg"}
"""What the first release says of a bridge; all of it is on record."""


class Table(models.Model):
    """A table as one release has it."""

    class Meta:
        abstract = True
        app_label = "campaign"


@pytest.fixture(autouse=True)
def no_app_keeps_the_tables() -> Iterator[None]:
    with isolate_apps("campaign"):
        yield


@isolate_apps("campaign")
def first_release() -> type[models.Model]:
    class Bridge(Table):
        on_record = OnRecord(campaign="pk", named_by=("name",))
        name = models.CharField(max_length=10)
        built = models.DateField()
        charge = models.BinaryField()

    return Bridge


def test_an_added_column_changes_no_digest_until_it_says_something() -> None:
    class Bridge(Table):
        on_record = OnRecord(campaign="pk", added={"colour": "red", "seen_at": None, "times": 0})
        name = models.CharField(max_length=10)
        built = models.DateField()
        charge = models.BinaryField()
        colour = models.CharField(max_length=10, default="red")
        seen_at = models.DateTimeField(null=True)
        times = models.IntegerField(default=0)

    older = row_digest(first_release()(**SEALED))
    assert row_digest(Bridge(**SEALED)) == older
    said: list[dict[str, Any]] = [
        {"colour": "blue"},
        {"colour": ""},
        {"seen_at": datetime(2026, 3, 1, tzinfo=UTC)},
        {"times": 1},
    ]
    digests = [row_digest(Bridge(**SEALED, **each)) for each in said]
    assert len({older, *digests}) == 1 + len(said)
    Bridge.on_record = OnRecord(campaign="pk")
    assert row_digest(Bridge(**SEALED)) != older


def test_an_added_column_may_have_been_filled_from_the_rest_of_its_row() -> None:
    class Bridge(Table):
        on_record = OnRecord(campaign="pk", added={"title": lambda bridge: f"Bridge of {bridge.name}"})
        name = models.CharField(max_length=10)
        built = models.DateField()
        charge = models.BinaryField()
        title = models.CharField(max_length=20)

    older = row_digest(first_release()(**SEALED))
    assert row_digest(Bridge(**SEALED, title="Bridge of Remagen")) == older
    assert row_digest(Bridge(**SEALED, title="Ludendorff")) != older


def test_a_renamed_table_with_a_renamed_column_keeps_names_and_digests() -> None:
    class Crossing(Table):
        on_record = OnRecord(campaign="pk", name="bridge", named_by=("place",), called={"place": "name"})
        place = models.CharField(max_length=10)
        built = models.DateField()
        charge = models.BinaryField()

    bridge = first_release()(**SEALED)
    crossing = Crossing(place="Remagen", built=BUILT, charge=b"600 kg")
    assert row_name(crossing) == row_name(bridge) == "bridge Remagen"
    assert row_digest(crossing) == row_digest(bridge)
    assert row_digest(Crossing(place="Linz", built=BUILT, charge=b"600 kg")) != row_digest(bridge)


def test_a_column_in_a_table_of_its_own_is_on_record_with_the_row_it_belongs_to() -> None:
    class Bridge(Table):
        on_record = OnRecord(campaign="pk", named_by=("name",), parts=("secret",))
        name = models.CharField(max_length=10)
        built = models.DateField()

    class Secret(Table):
        bridge = models.OneToOneField(Bridge, on_delete=models.CASCADE, related_name="secret", primary_key=True)
        charge = models.BinaryField()

    def with_charge(charge: bytes) -> models.Model:
        bridge = Bridge(pk=1, name="Remagen", built=BUILT)
        bridge.secret = Secret(bridge=bridge, charge=charge)  # type: ignore[attr-defined]
        return bridge

    older = row_digest(first_release()(**SEALED))
    assert row_digest(with_charge(b"600 kg")) == older
    assert row_digest(with_charge(b"300 kg")) != older


def test_a_removed_column_is_recognized_by_what_is_left() -> None:
    """The column that its value went into is vouched for by the one that it replaces."""

    class Bridge(Table):
        on_record = OnRecord(
            campaign="pk",
            added={"year": lambda bridge: bridge.year},
            removed={"built": lambda bridge: f"{bridge.year}-08-15"},
        )
        name = models.CharField(max_length=10)
        year = models.IntegerField()
        charge = models.BinaryField()

    older = row_digest(first_release()(**SEALED))
    assert row_digest(Bridge(name="Remagen", year=1916, charge=b"600 kg")) == older
    assert row_digest(Bridge(name="Remagen", year=1917, charge=b"600 kg")) != older


def test_columns_on_record_are_those_of_the_first_release_or_declared_as_added() -> None:
    """A migration that adds a column to an existing table declares what rows that were there say in it.

    A new table is added to the list as it is.
    """
    for model in models_on_record():
        declared, sealed = on_record(model), set(sealed_columns(model))
        added = set(declared.added)
        assert (sealed | set(declared.removed)) - added == set(FIRST[model._meta.label_lower].split()), model
        assert added <= sealed, model
        assert not sealed & set(declared.removed), model
    assert {model._meta.label_lower for model in models_on_record()} == set(FIRST)
