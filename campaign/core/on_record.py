"""How the record of a campaign covers a table's rows: their names, and the columns that it vouches for.

The record has its own names for tables and columns: those that each had when one of its rows was first recorded. A
release that changes a table declares the change here, so that a row keeps its digest:

- a column or table that was renamed: `called`, `name`;
- a column that was added: `added`, with the value that the migration gave to existing rows;
- a column that moved into a table of its own, with at most one row for each row here: `parts`;
- a column that became rows of another table: `removed` here, `migrated` there;
- a column that was removed: `removed`, with a function that gives the old value from what is left.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, kw_only=True)
class OnRecord:
    """Declared by a model as `on_record`. A model without it is on no campaign's record."""

    campaign: str
    """The lookup that leads from a row to its campaign."""
    name: str = ""
    """The table's name on the record; empty: the model's name in lower case."""
    named_by: tuple[str, ...] = ()
    """Columns that identify a row within its campaign; none if there is only one row."""
    free: Mapping[str, str] = field(default_factory=dict)
    """Columns that change without a recorded act, each with the reason: bookkeeping, and people's own preferences."""
    keyed: bool = False
    """Whether digests are keyed with the site's secret key, so that nobody can find out a row's values by trying."""
    lists: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Relations to any number of rows in another table that belong to a row, each with the columns of theirs that
    the record vouches for. They are on record with the row, and have no names there."""
    since: str = ""
    """An act: rows of a campaign in which it was not recorded yet may be missing from the record."""
    called: Mapping[str, str] = field(default_factory=dict)
    """Columns that were renamed, each with its name on the record."""
    added: Mapping[str, object] = field(default_factory=dict)
    """Columns that a later release added, by the record's names, each with the value that its migration gave to
    existing rows, as JSON, or with a function that gives it for a row. While a row has that value, its digest is the
    one that it had without the column."""
    parts: tuple[str, ...] = ()
    """One-to-one relations to the rest of a row, in tables of their own. The record has no name or digest for a part:
    its columns are columns of this row. The columns of a missing part have their defaults."""
    migrated: Callable[[Any], bool] | None = None
    """For a table that a migration filled from columns of others, which are `removed` there: whether a row without a
    recorded act is as the migration made it."""
    removed: Mapping[str, Callable[[Any], object]] = field(default_factory=dict)
    """Columns that no longer exist, by the record's names, each with a function that gives their value for a row, as
    JSON."""
