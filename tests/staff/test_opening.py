"""After the end a side opens its room, once all its commanders agree."""

from datetime import timedelta

import pytest
from django.test import Client

from campaign.models import Closing, Membership, Phase, Role
from campaign.people.accounts import new_person
from staff.models import Agreement
from tests.gm.campaigns import START, live
from tests.staff.conftest import PLAN, Talk
from tests.web.conftest import OUTSIDER, Cast, rows

pytestmark = pytest.mark.django_db

READERS = ("allied commander", "allied tactical", "german tactical", "spectator")


@pytest.fixture
def closed(talk: Talk, cast: Cast) -> Talk:
    """A campaign that is over, with a comment of each side; the Germans have two commanders."""
    talk.says()
    talk.says("allied commander", "We hold Bastogne.")
    user = new_person("second commander")
    Membership.objects.create(
        campaign=cast.campaign, user=user, role=Role.COMMANDER, side="german", joined_at=talk.time.now
    )
    Phase.objects.filter(pk=live(cast.campaign).pk).update(state="WITHDRAWN")
    Closing.objects.create(campaign=cast.campaign, author=cast.user("gm"), at=START)
    return talk


def seen_by_others(talk: Talk) -> set[str]:
    found = {who for who in READERS if PLAN in talk.reads(who, "staff/german/")}
    public = Client().get(talk.cast.address("public/staff/german/"))
    return found | ({"public"} if public.status_code == 200 else set())


def test_a_room_opens_once_all_commanders_agree_and_not_before(closed: Talk) -> None:
    assert "Nobody has agreed yet." in closed.reads("german commander")
    assert closed.presses("german commander", "agree").status_code == 302
    page = closed.reads("german staff")
    assert "Agreed: german commander." in page
    assert "Not yet: second commander." in page
    assert seen_by_others(closed) == set()
    assert closed.presses("second commander", "agree").status_code == 302
    assert seen_by_others(closed) == {*READERS, "public"}
    assert "That is final." not in closed.reads("german commander")
    page = closed.reads("allied commander", "staff/german/")
    assert "german commander" in page
    assert 'value="write"' not in page
    assert 'value="remove"' not in page


def test_an_open_room_is_found_and_the_other_stays_closed(closed: Talk, cast: Cast) -> None:
    before = closed.reads("spectator", "")
    closed.presses("german commander", "agree")
    assert closed.reads("spectator", "") == before
    closed.presses("second commander", "agree")
    assert f'<a href="{cast.address("staff/german/")}"' in closed.reads("spectator", "")
    assert f'<a href="{cast.address("staff/german/")}"' in closed.reads("allied commander", "")
    assert f'<a href="{cast.address("staff/german/")}"' in closed.reads("spectator")
    public = Client().get(cast.address("public/")).content.decode()
    assert f'<a href="{cast.address("public/staff/german/")}"' in public
    for who in ("spectator", "german commander"):
        assert closed.reads(who, "staff/allied/") == "404"
    assert "We hold Bastogne." in closed.reads("allied commander")
    assert Client().get(cast.address("public/staff/allied/")).status_code == 404
    assert closed.reads(OUTSIDER, "staff/german/") == "404"


def test_a_room_of_a_campaign_that_is_not_public_opens_to_its_members(closed: Talk, cast: Cast) -> None:
    cast.campaign.public = False
    cast.campaign.save(update_fields=["public"])
    closed.presses("german commander", "agree")
    closed.presses("second commander", "agree")
    assert seen_by_others(closed) == set(READERS)


def test_a_commander_may_change_their_mind_until_all_have_agreed(closed: Talk) -> None:
    closed.presses("german commander", "agree")
    assert "Agree no longer" in closed.reads("german commander")
    closed.presses("german commander", "disagree")
    closed.presses("second commander", "agree")
    assert seen_by_others(closed) == set()
    closed.presses("german commander", "agree")
    for who in ("german commander", "second commander"):
        assert closed.presses(who, "disagree").status_code == 404
    assert seen_by_others(closed) == {*READERS, "public"}


def test_only_those_who_are_still_commanders_are_asked(closed: Talk, cast: Cast) -> None:
    closed.presses("german commander", "agree")
    cast.member("second commander").delete()
    assert seen_by_others(closed) == set(), "leaving opens nothing"
    assert "Agree to open the room" in closed.reads("german commander")
    closed.presses("german commander", "agree")
    assert seen_by_others(closed) == {*READERS, "public"}


def test_where_there_is_no_commander_the_deputies_are_asked(closed: Talk) -> None:
    Membership.objects.filter(side="german", role=Role.COMMANDER).update(left_at=START)
    closed.presses("german deputy", "agree")
    assert seen_by_others(closed) == {*READERS, "public"}


@pytest.mark.parametrize("who", ["german staff", "german deputy", "german tactical", "gm", "spectator", OUTSIDER])
def test_nobody_else_is_asked(closed: Talk, who: str) -> None:
    closed.reads(who)
    before = rows()
    for act in ("agree", "disagree"):
        assert closed.presses(who, act).status_code == 404
    assert rows() == before


def test_nobody_is_asked_before_the_end(talk: Talk) -> None:
    talk.says()
    assert "Open this room" not in talk.reads("german commander")
    assert talk.presses("german commander", "agree").status_code == 404
    assert not Agreement.objects.exists()


def test_an_author_may_still_remove_what_is_open_to_everybody(closed: Talk) -> None:
    closed.presses("german commander", "agree")
    closed.presses("second commander", "agree")
    page = closed.reads("german commander")
    assert 'value="remove"' in page
    mark = page.split('name="comment" value="')[1].split('"')[0]
    form = {"act": "remove", "comment": mark}
    assert closed.cast.browser("german commander").post(closed.cast.address("staff/"), form).status_code == 302
    page = closed.reads("spectator", "staff/german/")
    assert PLAN not in page
    assert "Removed by its author." in page


# --- who is asked does not change after the end -----------------------------------------------------------------------


def test_somebody_who_joins_after_the_end_is_not_asked(closed: Talk, cast: Cast) -> None:
    late = Membership.objects.create(
        campaign=cast.campaign,
        user=new_person("late commander"),
        role=Role.COMMANDER,
        side="german",
        joined_at=START + timedelta(days=1),
    )
    assert closed.presses("late commander", "agree").status_code == 404
    closed.presses("german commander", "agree")
    closed.presses("second commander", "agree")
    assert seen_by_others(closed) == {*READERS, "public"}
    assert not Agreement.objects.filter(member=late).exists()


def test_a_commander_who_leaves_after_the_end_is_still_needed(closed: Talk, cast: Cast) -> None:
    cast.browser("second commander").post(cast.address("people/leave/"))
    Membership.objects.filter(user__username="second commander").update(left_at=START + timedelta(days=1))
    closed.presses("german commander", "agree")
    assert "Not yet: second commander." in closed.reads("german commander")
    assert seen_by_others(closed) == set()


@pytest.mark.parametrize("who", ["second commander", "german deputy"])
def test_the_gm_changes_nobody_who_commanded_at_the_end(closed: Talk, cast: Cast, who: str) -> None:
    for act, more in (("role", {"role": "staff", "side": "german"}), ("remove", {})):
        answer = cast.browser("gm").post(cast.address(f"people/{act}/"), {"member": who, **more}, follow=True)
        assert "The campaign is over." in answer.content.decode()
    closed.presses("german commander", "agree")
    assert seen_by_others(closed) == set()


@pytest.mark.usefixtures("closed")
def test_the_gm_makes_nobody_a_commander_after_the_end(cast: Cast) -> None:
    form = {"member": "german staff", "role": "commander", "side": "german"}
    answer = cast.browser("gm").post(cast.address("people/role/"), form, follow=True)
    assert "The campaign is over." in answer.content.decode()
    assert cast.member("german staff").role == Role.STAFF
