"""Desks of the staff: who makes them, who holds them, what they may order."""

from typing import Any

import pytest

from campaign.models import Desk
from campaign.people import desks, memberships
from tests.web.conftest import OUTSIDER, PARTS, Cast, rows
from tests.web.people.test_people import acts, hand_out, viewer

pytestmark = pytest.mark.django_db


def test_a_commander_assigns_formations_to_their_staff(cast: Cast) -> None:
    sent = {"name": "South", "holder": "german staff", "formations": ["7th Army", "5th Panzer Army, LXVI"]}
    answer = cast.browser("german commander").post(cast.address("people/desks/german/"), sent)
    assert answer.headers["Location"] == cast.address("people/")
    desk = Desk.objects.get()
    assert (desk.side, desk.name, desk.holder) == ("german", "South", cast.member("german staff"))
    assert desk.formations == ["5th Panzer Army, LXVI", "7th Army"]
    assert acts(cast)[-1] == "desk"


def test_handing_out_a_desk_again_replaces_it(cast: Cast) -> None:
    hand_out(cast)
    hand_out(cast, formations=["7th Army, LXXX"], holder=cast.member("german deputy"))
    desk = Desk.objects.get()
    assert (desk.formations, desk.holder) == (["7th Army, LXXX"], cast.member("german deputy"))


@pytest.mark.parametrize("formation", ["7th Army", "7th Army, LXXX"])
def test_a_unit_has_one_desk_at_most(cast: Cast, formation: str) -> None:
    hand_out(cast)
    with pytest.raises(memberships.Refused, match="the desk 7 Army already has 7th Army"):
        hand_out(cast, name="Other", formations=[formation])


def test_the_gm_hands_out_desks_of_both_sides(cast: Cast) -> None:
    hand_out(cast, by="gm")
    hand_out(cast, by="gm", holder=cast.member("allied staff"), formations=["Third Army"], name="Patton")
    assert {(desk.side, desk.name) for desk in desks.desks_of(viewer(cast, "gm"))} == {
        ("german", "7 Army"),
        ("allied", "Patton"),
    }


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"name": "HQ"}, "Every side already has"),
        ({"name": "hq"}, "Every side already has"),
        ({"name": "a/b"}, "letters, digits"),
        ({"name": "x" * 31}, "at most 30"),
        ({"name": ""}, "letters, digits"),
        ({"formations": []}, "at least one"),
        ({"formations": ["Third Army"]}, "no formation 'Third Army'"),
    ],
)
def test_a_desk_that_cannot_be_is_refused(cast: Cast, given: dict[str, Any], why: str) -> None:
    with pytest.raises(memberships.Refused, match=why):
        hand_out(cast, **given)
    assert not Desk.objects.exists()


@pytest.mark.parametrize("name", ["allied staff", "spectator", "gm"])
def test_only_ones_own_staff_holds_a_desk(cast: Cast, name: str) -> None:
    page = cast.browser("german commander").post(
        cast.address("people/desks/german/"), {"name": "South", "holder": name, "formations": ["7th Army"]}
    )
    assert page.status_code == 422
    with pytest.raises(memberships.Refused, match="side's staff"):
        hand_out(cast, holder=cast.member(name))
    assert not Desk.objects.exists()


def test_nobody_else_hands_out_a_sides_desks(cast: Cast) -> None:
    hand_out(cast)
    sent = {"name": "South", "holder": "german staff", "formations": ["7th Army"]}
    for name in ("german deputy", "german staff", "allied commander", "allied staff", "spectator", OUTSIDER):
        browser, before = cast.browser(name), rows()
        assert browser.post(cast.address("people/desks/german/"), sent).status_code == 404, name
        assert browser.post(cast.address("people/desks/german/close/"), {"desk": "7 Army"}).status_code == 404, name
        assert rows() == before, name


def test_a_desk_is_closed_once(cast: Cast) -> None:
    hand_out(cast)
    browser = cast.browser("german commander")
    assert browser.post(cast.address("people/desks/german/close/"), {"desk": "7 Army"}).status_code == 302
    assert acts(cast)[-1] == "drop_desk"
    assert browser.post(cast.address("people/desks/german/close/"), {"desk": "7 Army"}).status_code == 404
    assert not Desk.objects.exists()


def test_desks_are_shown_to_their_own_side_and_the_gm(cast: Cast) -> None:
    hand_out(cast)
    readers = {name for name in PARTS if "7 Army" in cast.browser(name).get(cast.address("people/")).content.decode()}
    assert readers == {"gm", "co-gm", "german commander", "german deputy", "german staff", "german tactical"}
    assert not desks.desks_of(viewer(cast, "allied commander"))


def test_the_other_sides_desks_change_nothing_that_a_side_reads(cast: Cast) -> None:
    page = cast.address("people/")
    browsers = [cast.browser(name) for name in ("allied commander", "allied staff", "spectator")]
    before = [without_tokens(browser.get(page)) for browser in browsers]
    hand_out(cast)
    assert [without_tokens(browser.get(page)) for browser in browsers] == before


def without_tokens(page: Any) -> str:
    """A page without what protects its forms, which is new each time."""
    token = str(page.context["csrf_token"])
    return str(page.content.decode()).replace(token, "")
