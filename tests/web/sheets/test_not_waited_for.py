"""Desks for which a phase does not wait: what their side, the game master and nobody else read of it."""

import pytest

from campaign.models import Desk
from campaign.selectors import open_phase
from campaign.viewers import viewer_of
from gm.desk.reminders import missing_of
from gm.inbox import waiting_for
from orders.selectors import unready_desks
from tests.api.asking import read
from tests.gm.campaigns import live, send
from tests.web.conftest import Cast
from tests.web.sheets.test_both_sides import OTHERS, both, seen

__all__ = ["both"]

pytestmark = pytest.mark.django_db

STAFF = "allied staff"


def hand_out(cast: Cast) -> None:
    Desk.objects.create(
        campaign=cast.campaign, side="allied", name="First", holder=cast.member(STAFF), formations=["First Army"]
    )


def test_its_holder_is_asked_for_nothing(both: Cast) -> None:
    hand_out(both)
    phase = live(both.campaign)
    viewer = viewer_of(both.user(STAFF), both.campaign.slug)
    shown = open_phase(viewer)
    assert shown is not None
    assert list(waiting_for(viewer, shown)) == []
    assert missing_of(both.member(STAFF), phase) == ""
    assert unready_desks(viewer, shown) == ["HQ"]
    assert "HQ" in missing_of(both.member("allied commander"), phase)


def test_its_side_and_the_gm_read_that_nobody_waits_for_it(both: Cast) -> None:
    hand_out(both)
    page = both.browser(STAFF).get(both.address("orders/First/")).content.decode()
    assert "The phase does not wait for this desk." in page
    assert page.count("not waited for") == 1
    states = {each["desk"]: each["waited_for"] for each in read(both, STAFF, "desks/")}
    assert states == {"HQ": True, "First": False}
    assert read(both, STAFF, "desks/First/")["desk"]["waited_for"] is False
    desks = {(each["side"], each["desk"]): each["waited_for"] for each in read(both, "gm", "gm/phase/")["now"]["desks"]}
    assert desks == {("allied", "HQ"): True, ("allied", "First"): False, ("german", "HQ"): True}
    send(live(both.campaign), both.user(STAFF), "NOTE a wish", side="allied", desk="First", idem_key="desk")
    shown = " ".join(both.browser("gm").get(both.address("desk/")).content.decode().split())
    assert 'version 1, not READY <span class="tag">not waited for</span>' in shown


def test_nobody_else_reads_anything_of_it(both: Cast) -> None:
    before = {who: seen(both, who) for who in OTHERS}
    hand_out(both)
    assert {who: seen(both, who) for who in OTHERS} == before
