"""Deadlines on pages: by the reader's clock, with what is left."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from campaign.core import clock
from campaign.models import User
from campaign.templatetags.fieldpost import deadline, duration, left_until
from tests.gm.campaigns import Clock, live
from tests.web.conftest import Cast

AT = datetime(2026, 3, 3, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("length", "words"),
    [
        (timedelta(days=1, hours=4, minutes=59), "1 day 4 h"),
        (timedelta(days=2, minutes=59), "2 days"),
        (timedelta(hours=23, minutes=20), "23 h 20 min"),
        (timedelta(hours=3), "3 h"),
        (timedelta(minutes=1, seconds=59), "1 min"),
        (timedelta(seconds=59), "less than a minute"),
    ],
)
def test_a_length_of_time_has_two_units_at_most(length: timedelta, words: str) -> None:
    assert duration(length) == words


@pytest.mark.parametrize(
    ("now", "zone", "words"),
    [
        (AT - timedelta(days=1, hours=4), "UTC", "Tue 3 Mar 2026, 12:00 UTC (in 1 day 4 h)"),
        (AT - timedelta(hours=1), "Europe/Berlin", "Tue 3 Mar 2026, 13:00 CET (12:00 UTC, in 1 h)"),
        (AT + timedelta(minutes=90), "UTC", "Tue 3 Mar 2026, 12:00 UTC (1 h 30 min ago)"),
        (AT, "UTC", "Tue 3 Mar 2026, 12:00 UTC (less than a minute ago)"),
    ],
)
def test_a_deadline_says_what_is_left(monkeypatch: pytest.MonkeyPatch, now: datetime, zone: str, words: str) -> None:
    monkeypatch.setattr(clock, "now", lambda: now)
    with timezone.override(zone):
        assert deadline(AT) == f'<time datetime="2026-03-03T12:00:00+00:00">{words}</time>'
    assert left_until(now + timedelta(hours=4)) == "4 h"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("reader", "page"),
    [
        ("german commander", ""),
        ("german commander", "orders/HQ/"),
        ("german commander", "/"),
        ("gm", "desk/"),
        ("anonymous", "public/"),
    ],
)
def test_every_page_with_an_open_deadline_says_what_is_left(cast: Cast, time: Clock, reader: str, page: str) -> None:
    time.now = live(cast.campaign).deadline_at - timedelta(hours=5)
    User.objects.filter(username=reader).update(time_zone="Europe/Berlin")
    if reader == "anonymous":
        cast.campaign.public = True
        cast.campaign.save()
    response = cast.browser(reader).get(page if page == "/" else cast.address(page))
    assert response.status_code == 200
    zone = "" if reader == "anonymous" else "12:00 UTC, "
    assert f"({zone}in 5 h)" in response.content.decode()
