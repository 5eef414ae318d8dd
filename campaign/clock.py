"""The only clock. Whatever is about time asks here, so that tests can set it."""

from datetime import UTC, datetime


def now() -> datetime:
    """The present moment, in UTC."""
    return datetime.now(UTC)
