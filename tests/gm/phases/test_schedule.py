"""When a phase is due: the campaign's hours, its quiet nights and its days, whatever the clocks on the wall do."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from campaign.models import Campaign
from campaign.schedule import Schedule, at_allowed_time, next_deadline, schedule_of

BERLIN = "Europe/Berlin"
NIGHT = Schedule(hours=48, zone=BERLIN, quiet_from=22, quiet_to=8)
ZONES = [
    BERLIN,
    "America/New_York",
    "America/Sao_Paulo",
    "Australia/Lord_Howe",
    "Pacific/Apia",
    "Asia/Kathmandu",
    "UTC",
]

hours_of_day = st.one_of(st.none(), st.integers(0, 23))
schedules = st.builds(
    Schedule,
    hours=st.integers(0, 400),
    zone=st.sampled_from(ZONES),
    weekdays=st.lists(st.integers(0, 7), max_size=7),
    quiet_from=hours_of_day,
    quiet_to=hours_of_day,
)
moments = st.datetimes(datetime(2005, 1, 1), datetime(2035, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001


def local(*at: int, zone: str = BERLIN, fold: int = 0) -> datetime:
    return datetime(*at, tzinfo=ZoneInfo(zone), fold=fold).astimezone(UTC)  # type: ignore[misc, arg-type]


@given(schedules, moments)
@example(Schedule(hours=0), datetime(2026, 1, 1, tzinfo=UTC))
@example(Schedule(hours=24, zone="Pacific/Apia", quiet_from=0, quiet_to=23), datetime(2011, 12, 29, 9, tzinfo=UTC))
def test_a_deadline_is_later_never_early_and_never_at_a_time_that_is_not_allowed(
    schedule: Schedule, opened_at: datetime
) -> None:
    deadline = next_deadline(schedule, opened_at)
    assert deadline - opened_at >= timedelta(hours=max(schedule.hours, 1))
    assert deadline.tzinfo is UTC
    wall = deadline.astimezone(ZoneInfo(schedule.zone))
    assert schedule.allows(wall.date())
    assert not schedule.is_quiet(wall.hour)
    assert at_allowed_time(schedule, deadline) == deadline


@given(schedules, moments)
def test_a_deadline_waits_no_longer_than_a_week_and_a_day(schedule: Schedule, opened_at: datetime) -> None:
    plain = opened_at + timedelta(hours=max(schedule.hours, 1))
    assert next_deadline(schedule, opened_at) - plain <= timedelta(days=9)


def test_without_quiet_hours_the_deadline_is_a_number_of_hours_after_the_opening() -> None:
    opened = local(2026, 3, 27, 12)
    assert next_deadline(Schedule(hours=48, zone=BERLIN), opened) == local(2026, 3, 29, 13)  # an hour was put forward


@pytest.mark.parametrize(
    ("due", "moved"),
    [
        (local(2026, 6, 3, 21, 59), local(2026, 6, 3, 21, 59)),
        (local(2026, 6, 3, 22), local(2026, 6, 4, 8)),
        (local(2026, 6, 4, 7, 59), local(2026, 6, 4, 8)),
        (local(2026, 6, 4, 8), local(2026, 6, 4, 8)),
        (local(2026, 3, 28, 23), local(2026, 3, 29, 8)),  # the night in which summer begins
        (local(2026, 10, 25, 2, 30, fold=1), local(2026, 10, 25, 8)),  # and the one in which it ends
    ],
)
def test_a_deadline_in_the_night_is_moved_to_the_morning(due: datetime, moved: datetime) -> None:
    assert at_allowed_time(NIGHT, due) == moved


def test_quiet_hours_within_a_day_end_on_that_day() -> None:
    siesta = Schedule(hours=1, zone=BERLIN, quiet_from=12, quiet_to=15)
    assert at_allowed_time(siesta, local(2026, 6, 3, 14)) == local(2026, 6, 3, 15)


def test_a_deadline_on_a_day_that_is_not_allowed_is_moved_past_its_quiet_hours() -> None:
    friday_night, weekdays = (
        local(2026, 6, 5, 23),
        Schedule(hours=1, zone=BERLIN, weekdays=range(5), quiet_from=22, quiet_to=8),
    )
    assert at_allowed_time(weekdays, friday_night) == local(2026, 6, 8, 8)


def test_the_end_of_quiet_hours_that_comes_twice_is_the_later_one() -> None:
    early = Schedule(hours=1, zone=BERLIN, quiet_from=0, quiet_to=2)
    assert at_allowed_time(early, local(2026, 10, 25, 1)) == local(2026, 10, 25, 2, fold=1)


def test_the_end_of_quiet_hours_that_does_not_exist_is_past_the_gap() -> None:
    early = Schedule(hours=1, zone=BERLIN, quiet_from=0, quiet_to=2)
    assert at_allowed_time(early, local(2026, 3, 29, 1)) == local(2026, 3, 29, 3)


def test_a_campaign_has_the_schedule_that_it_was_given() -> None:
    campaign = Campaign(time_zone=BERLIN, weekdays=[0, 3], quiet_from=22, quiet_to=8)
    given_ = schedule_of(campaign, hours=24)
    assert given_ == Schedule(hours=24, zone=BERLIN, weekdays=[0, 3], quiet_from=22, quiet_to=8)
