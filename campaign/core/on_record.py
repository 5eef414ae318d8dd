"""How the rows of a table stand on the record of their campaign: what names them, and which columns it vouches for.

The record has names of its own for tables and columns: those that each had when a row of it was first written down.
A release that changes the tables declares what has become of them, so that a row keeps the digest that it had:

- a column or table that was renamed: `called`, `name`;
- a column that was added: `added`, with the value that the migration gave to the rows that were there;
- a column that moved into a table of its own, with one row at most for each row here: `parts`;
- a column that became rows of another table: `removed` here, `migrated` there;
- a column that was removed: `removed`, with a function that tells from what is left what the row said.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, kw_only=True)
class OnRecord:
    """Declared by a model as `on_record`. A model without it is not on any campaign's record."""

    campaign: str
    """The look-up that leads from a row to its campaign."""
    name: str = ""
    """What the record calls the table; empty: the model's name in lower case."""
    named_by: tuple[str, ...] = ()
    """Columns that tell a row from all others of its campaign; none where there is but one."""
    free: frozenset[str] = frozenset()
    """Columns that change without a deed: bookkeeping of the machinery, and people's own comfort."""
    called: Mapping[str, str] = field(default_factory=dict)
    """Columns that the record calls by another name than the table does now, each with the record's name."""
    added: Mapping[str, object] = field(default_factory=dict)
    """Columns that a later release added, by the record's names, each with the value that its migration gave to the
    rows that were there, as JSON has it, or with a function that tells it of a row. While a row has that value its
    digest is the one that it had without the column."""
    parts: tuple[str, ...] = ()
    """One-to-one relations that lead to the rest of a row, in tables of their own. A part has no name on the record and
    no digest: its columns are columns of this row. One that is missing says what its columns say by default."""
    migrated: Callable[[Any], bool] | None = None
    """Of a table that a migration filled from columns of others, which `removed` tells of there: whether a row that no
    deed has written is as the migration made it."""
    removed: Mapping[str, Callable[[Any], object]] = field(default_factory=dict)
    """Columns that there are no more, by the record's names, each with a function that tells of a row what it said, as
    JSON has it."""
