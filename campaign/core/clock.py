"""The only clock. All code asks it for the time, so tests can set it."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo


def now() -> datetime:
    """The present moment, in UTC."""
    return datetime.now(UTC)


def zone(name: str) -> ZoneInfo:
    """A time zone by its name; UTC if there is no name, or this machine does not know the zone."""
    try:
        return ZoneInfo(name or "UTC")
    except (KeyError, ValueError, OSError):  # names are stored, and a machine's update may remove a zone
        return ZoneInfo("UTC")
