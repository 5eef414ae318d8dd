"""A campaign that somebody founds, and their own pages: home and profile."""

from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.test import Client

from campaign.engine.phases import Weight
from campaign.handling import Handling, handling_of
from campaign.models import Campaign, Mailing, Membership, Role, User
from campaign.viewers import gm_viewer
from tests.gm.campaigns import START, new_campaign
from tests.web.conftest import OUTSIDER, Cast

pytestmark = pytest.mark.django_db


def test_home_lists_ones_campaigns_with_part_phase_and_deadline(cast: Cast) -> None:
    new_campaign("another")
    page = cast.browser("german deputy").get("/").content.decode()
    for word in ("The Bulge", "German deputy commander", "16 December 1944", "Tue 3 Mar 2026, 12:00 UTC"):
        assert word in page
    assert "another" not in page


def test_strangers_are_told_what_this_is() -> None:
    page = Client().get("/").content.decode()
    assert "game master's assistant" in page
    assert "Sign in" in page


def test_times_are_shown_in_the_zone_that_a_person_chose(cast: Cast) -> None:
    browser = cast.browser("german staff")
    assert browser.post("/profile/", {"time_zone": "Europe/Berlin"}).headers["Location"] == "/profile/"
    assert "Tue 3 Mar 2026, 13:00 CET (12:00 UTC, in 2 days)" in browser.get("/").content.decode()
    page = browser.post("/profile/", {"time_zone": "Middle/Earth"}).content.decode()
    assert "Select a valid choice" in page
    assert cast.user("german staff").time_zone == "Europe/Berlin"


FOUNDING = {
    "title": "Wacht am Rhein",
    "slug": "Wacht",
    "scenario": "forum_campaign/ardennes-1944",
    "full_hours": "24",
    "full_mailing": "reports",
    "weekdays": ["0", "4"],
    "quiet_from": "22",
    "quiet_to": "8",
    "time_zone": "Europe/Vienna",
}


def test_the_creator_of_a_campaign_is_its_gm(cast: Cast) -> None:
    answer = cast.browser(OUTSIDER).post("/new/", FOUNDING)
    assert answer.headers["Location"] == "/c/wacht/"
    campaign = Campaign.objects.get(slug="wacht")
    assert gm_viewer(cast.user(OUTSIDER), "wacht").campaign == campaign
    handling = Handling(hours=24, reviewed=False, mailing=Mailing.REPORTS, pictures=False)
    assert handling_of(campaign, Weight.FULL) == handling
    found = (campaign.weekdays, campaign.quiet_from, campaign.quiet_to, campaign.time_zone)
    assert found == ([0, 4], 22, 8, "Europe/Vienna")
    assert list(campaign.audit.order_by("no").values_list("act", flat=True)) == ["found", "people", "join"]


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"slug": "bulge"}, "Another campaign already has this short name"),
        ({"title": "a\u202eb"}, "cannot be seen in print"),
        ({"title": "two\nlines"}, "cannot be seen in print"),
        ({"title": "第三軍"}, "Maps cannot print '第' (U+7B2C). Use Latin, Greek or Cyrillic letters."),
        ({"quiet_to": ""}, "Enter both hours"),
        ({"quiet_to": "22"}, "two different hours"),
        ({"full_hours": "0"}, "greater than or equal to 1"),
        ({"scenario": "forum_campaign/nowhere"}, "Select a valid choice"),
        ({"weekdays": ["7"]}, "Select a valid choice"),
    ],
)
def test_a_campaign_that_cannot_be_is_refused_and_what_was_typed_stays(
    cast: Cast, given: dict[str, Any], why: str
) -> None:
    answer = cast.browser(OUTSIDER).post("/new/", FOUNDING | given)
    assert answer.status_code == 422
    page = unescape(answer.content.decode())
    assert why in page
    assert 'value="24"' in page or "full_hours" in given
    assert Campaign.objects.count() == 1


@pytest.mark.usefixtures("time")
def test_a_campaign_before_its_first_phase_has_no_formations_to_assign() -> None:
    campaign = new_campaign("fresh")
    user = User.objects.create_user("fresh gm")
    Membership.objects.create(campaign=campaign, user=user, role=Role.GM, joined_at=START - timedelta(days=1))
    client = Client()
    client.force_login(user, backend="allauth.account.auth_backends.AuthenticationBackend")
    assert client.get("/c/fresh/people/").status_code == 200
