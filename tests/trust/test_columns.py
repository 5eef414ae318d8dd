"""Columns on record: a release that adds one leaves every row of every running campaign as its record says."""

from datetime import UTC, datetime
from typing import Any

from django.db import models
from django.test.utils import isolate_apps

from campaign.audit import on_record, row_digest, sealed_columns
from campaign.on_record import OnRecord
from gm.verification import models_on_record
from tests.trust.columns import FIRST

LATER = OnRecord(campaign="pk", later={"colour": "red", "seen_at": None, "times": 0})


@isolate_apps("campaign")
def test_a_later_column_changes_no_digest_until_it_says_something() -> None:
    class Bridge(models.Model):  # noqa: DJ008 - nobody prints it
        on_record = OnRecord(campaign="pk")
        name = models.CharField(max_length=10)

        class Meta:
            app_label = "campaign"

    class WiderBridge(Bridge):  # noqa: DJ008
        on_record = LATER
        colour = models.CharField(max_length=10, default="red")
        seen_at = models.DateTimeField(null=True)
        times = models.IntegerField(default=0)

        class Meta:
            app_label = "campaign"

    older = row_digest(Bridge(name="Remagen"))
    assert row_digest(WiderBridge(name="Remagen")) == older
    said: list[dict[str, Any]] = [
        {"colour": "blue"},
        {"colour": ""},
        {"seen_at": datetime(2026, 3, 1, tzinfo=UTC)},
        {"times": 1},
    ]
    digests = [row_digest(WiderBridge(name="Remagen", **each)) for each in said]
    assert len({older, *digests}) == 1 + len(said)
    WiderBridge.on_record = OnRecord(campaign="pk")
    assert row_digest(WiderBridge(name="Remagen")) != older


def test_columns_on_record_are_those_of_the_first_release_or_declared_as_later() -> None:
    """Whoever adds a column to a table that was there gives its declaration the value of the rows that were there.

    A new table is added to the list as it is.
    """
    for model in models_on_record():
        later = set(on_record(model).later)
        assert set(sealed_columns(model)) - later == set(FIRST[model._meta.label_lower].split()), model
        assert later <= set(sealed_columns(model)), model
    assert {model._meta.label_lower for model in models_on_record()} == set(FIRST)
