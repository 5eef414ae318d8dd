"""The log of the game master's acts."""

from datetime import datetime

from campaign.engine.values.value import Value


class GmActTold(Value, frozen=True):
    """An act of a game master of which the caller's side was told; a game master reads all."""

    at: datetime
    """When it was."""
    what: str
    """What it was, in words."""
    reason: str
    """Why; empty: no reason was given."""
