"""The only clock. Whatever is about time asks here, so that tests can set it."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo


def now() -> datetime:
    """The present moment, in UTC."""
    return datetime.now(UTC)


def zone(name: str) -> ZoneInfo:
    """A time zone by its name; UTC if there is no name, or this machine knows no such zone."""
    try:
        return ZoneInfo(name or "UTC")
    except (KeyError, ValueError, OSError):  # names are rows, and zones come and go with the machine's updates
        return ZoneInfo("UTC")
