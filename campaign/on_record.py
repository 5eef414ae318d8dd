"""How the rows of a table stand on the record of their campaign: what names them, and what no deed need account for."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True)
class OnRecord:
    """Declared by a model as `on_record`. A model without it is not on any campaign's record."""

    campaign: str
    """The look-up that leads from a row to its campaign."""
    named_by: tuple[str, ...] = ()
    """Columns that tell a row from all others of its campaign; none where there is but one."""
    free: frozenset[str] = frozenset()
    """Columns that change without a deed: bookkeeping of the machinery, and people's own comfort."""
    later: Mapping[str, object] = field(default_factory=dict)
    """Columns that a later release added, each with the value that its migration gave to rows which were there, as JSON
    has it. While a row has that value its digest is the one that it had without the column."""
