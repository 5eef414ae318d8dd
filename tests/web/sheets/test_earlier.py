"""A sheet that begins with the orders of the last phase of its kind."""

import pytest

from campaign.models import Phase
from campaign.viewers import viewer_of
from gm.desk.reopening import reopen
from gm.machine.sweeper import sweep
from orders.models import Draft, LockedSheet, Sheet
from tests.gm.campaigns import live
from tests.web.conftest import Cast
from tests.web.sheets.test_sheet import fields, hand_out, post

pytestmark = pytest.mark.django_db

COMMANDER = "german commander"
OFFER = "Start with your orders of 16 December 1944"


def page(cast: Cast, who: str = COMMANDER, rest: str = "HQ/") -> str:
    return str(cast.browser(who).get(cast.address(f"orders/{rest}")).content.decode())


def field(text: str) -> str:
    return text.split("</textarea>", maxsplit=1)[0].rpartition(">")[2]


@pytest.fixture
def again(cast: Cast) -> Cast:
    """The German sheet is open once more, after it was resolved with orders of HQ and of a desk."""
    hand_out(cast)
    post(cast, "german staff", "Sixth", text="HOLD 12 SS\nREADY", key="theirs")
    post(cast, COMMANDER, act="anyway", text="# a plan\nHOLD 2 Pz\nMOVE 3 FJ to Nowhere\nREADY", key="ours")
    sweep(worker="one")
    reopen(viewer_of(cast.user("gm"), cast.campaign.slug), reason="a mistake")
    Draft.objects.all().delete()  # a reopened phase has those sheets as drafts; one on a later day has not
    return cast


def test_the_sheet_begins_with_the_last_orders_of_its_desk(again: Cast) -> None:
    empty = page(again)
    assert OFFER in empty
    assert field(empty) == ""
    begun = page(again, rest="HQ/?earlier=1")
    assert field(begun) == "# a plan\nHOLD 2 Pz\n", "without READY"
    assert "1 line left out, because it would be ignored now" in begun
    assert "<code>MOVE 3 FJ to Nowhere</code>" in begun
    assert field(page(again, "german staff", "Sixth/?earlier=1")) == "HOLD 12 SS\n"
    assert not Draft.objects.filter(phase=live(again.campaign)).exists(), "nothing is saved before it is typed"


def test_lines_that_would_be_refused_now_are_left_out(again: Cast) -> None:
    LockedSheet.objects.filter(desk="Sixth").update(desk="Former")
    Sheet.objects.filter(desk="HQ").update(text="AIR superiority 1\nHOLD 2 Pz")
    assert field(page(again, rest="HQ/?earlier=1")) == "HOLD 2 Pz\n"
    assert OFFER not in page(again, "german staff", "Sixth/")


def test_it_is_not_offered_over_what_is_written(again: Cast) -> None:
    phase = live(again.campaign)
    form = fields(again, text="HOLD 1 SS", rev=phase.rev)
    again.browser(COMMANDER).post(again.address("orders/HQ/draft/"), form)
    assert OFFER not in page(again)
    assert field(page(again, rest="HQ/?earlier=1")) == "HOLD 1 SS"


def test_orders_of_another_kind_of_phase_or_of_the_other_side_are_not_offered(again: Cast) -> None:
    Phase.objects.filter(pk=LockedSheet.objects.filter(desk="HQ", side="german").get().phase_id).update(key="air")
    assert OFFER not in page(again)
    Sheet.objects.update(side="allied")
    LockedSheet.objects.update(side="allied")
    assert OFFER not in page(again)


def test_who_cannot_write_the_sheet_is_offered_nothing(again: Cast) -> None:
    assert OFFER not in page(again, "german staff")
