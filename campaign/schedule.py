"""The schedule of a campaign: when a phase that opens now is due, as an instant, by wall-clock rules."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from campaign.core import clock
from campaign.models import Campaign

EVERY_DAY = frozenset(range(7))


@dataclass(frozen=True, kw_only=True)
class Schedule:
    """How long a phase is open, and when no deadline may fall."""

    hours: int
    zone: str = "UTC"
    weekdays: Collection[int] = EVERY_DAY
    """Weekdays on which deadlines may fall, Monday 0; empty: every day."""
    quiet_from: int | None = None
    quiet_to: int | None = None
    """Quiet hours run from `quiet_from` to this hour: 22 to 8 is the night. Equal hours, or only one given: none."""

    def allows(self, day: date) -> bool:
        return day.weekday() in (EVERY_DAY.intersection(self.weekdays) or EVERY_DAY)

    def is_quiet(self, hour: int) -> bool:
        start, end = self.quiet_from, self.quiet_to
        if start is None or end is None or start == end:
            return False
        return start <= hour < end if start < end else hour >= start or hour < end


def schedule_of(campaign: Campaign, *, hours: int = 0) -> Schedule:
    """A campaign's schedule, for phases that are open for this many hours; 0 where the deadline is known already."""
    return Schedule(
        hours=hours,
        zone=campaign.time_zone,
        weekdays=campaign.weekdays,
        quiet_from=campaign.quiet_from,
        quiet_to=campaign.quiet_to,
    )


def next_deadline(schedule: Schedule, opened_at: datetime) -> datetime:
    """When a phase that opens then is due: at least an hour later, and only at an allowed time."""
    return at_allowed_time(schedule, opened_at.astimezone(UTC) + timedelta(hours=max(schedule.hours, 1)))


def at_allowed_time(schedule: Schedule, deadline: datetime) -> datetime:
    """This deadline, or the first moment after it that is outside quiet hours and on an allowed day."""
    zone = clock.zone(schedule.zone)
    deadline = deadline.astimezone(UTC)
    while True:
        local = deadline.astimezone(zone)
        if not schedule.allows(local.date()):
            deadline = _instant(local.date() + timedelta(days=1), 0, zone)
        elif schedule.is_quiet(local.hour):
            deadline = _instant(*_end_of_quiet(schedule, local), zone)
        else:
            return deadline


def _end_of_quiet(schedule: Schedule, local: datetime) -> tuple[date, int]:
    end = schedule.quiet_to or 0
    ends_tomorrow = local.hour >= end
    return local.date() + timedelta(days=int(ends_tomorrow)), end


def _instant(day: date, hour: int, zone: ZoneInfo) -> datetime:
    """An hour of the wall clock as an instant. Of an hour that comes twice, the later one; an hour that the clock
    skips is moved forward by as much as the clock."""
    wall = datetime.combine(day, time(hour % 24), zone)
    return max(wall.replace(fold=fold).astimezone(UTC) for fold in (0, 1))
