"""Who reads a staff room: the side's staff from their joining, the GM after the lock, and nobody else."""

from datetime import timedelta

import pytest
from django.test import Client

from campaign.models import Bot, Closing, Membership, Phase, PhaseState, Role
from campaign.people import invitations, memberships
from campaign.viewers import viewer_of
from gm.machine.sweeper import sweep
from staff.models import Comment
from tests.gm.campaigns import START, live, review_drafts, send
from tests.staff.conftest import PLAN, Talk
from tests.web.conftest import ANONYMOUS, OUTSIDER, Cast

pytestmark = pytest.mark.django_db

STAFF = ("german commander", "german deputy", "german staff")
OTHERS = ("german tactical", "allied tactical", "spectator", OUTSIDER)

AFTER_THE_LOCK = "The game master can read it after the phase is locked, with the line that it quotes."


@pytest.mark.parametrize("who", STAFF)
def test_the_staff_of_a_side_reads_its_comments(talk: Talk, who: str) -> None:
    talk.says()
    page = talk.reads(who)
    assert PLAN in page
    assert "german commander" in page
    assert "Staff room of the Germans" in page


@pytest.mark.parametrize("who", OTHERS)
def test_nobody_else_finds_a_room(talk: Talk, cast: Cast, who: str) -> None:
    browser, nowhere = cast.browser(who), f"{cast.address()[:-1]}x/staff/"
    before = browser.get(cast.address("staff/")), browser.get(cast.address("staff/german/"))
    talk.says()
    after = browser.get(cast.address("staff/")), browser.get(cast.address("staff/german/"))
    absent = browser.get(nowhere)
    for answer in (*before, *after):
        assert (answer.status_code, answer.content, answer.headers) == (404, absent.content, absent.headers)


def test_the_other_side_reads_its_own_room_which_says_nothing_of_the_first(talk: Talk) -> None:
    before = talk.reads("allied commander"), talk.reads("allied staff", "board/"), talk.reads("allied commander", "")
    talk.says(place="K16")
    talk.says(desk="HQ")
    after = talk.reads("allied commander"), talk.reads("allied staff", "board/"), talk.reads("allied commander", "")
    assert after == before
    assert "No comments yet." in after[0]
    assert talk.reads("allied commander", "staff/german/") == "404"
    assert talk.posts("allied commander", "Ours.").status_code == 302
    assert Comment.objects.get(side="allied").no == 1, "numbers do not run across sides"


def test_a_closed_room_is_for_nobody_in_public(talk: Talk, cast: Cast) -> None:
    talk.says()
    assert Client().get(cast.address("public/staff/german/")).status_code == 404
    assert cast.browser(ANONYMOUS).get(cast.address("staff/")).status_code == 302


# --- the game master -------------------------------------------------------------------------------------------------


def test_the_gm_reads_comments_once_their_phase_is_locked_and_the_pages_say_so(talk: Talk, cast: Cast) -> None:
    talk.says()
    assert AFTER_THE_LOCK in talk.reads("german staff")
    assert AFTER_THE_LOCK in talk.reads("german staff", "orders/HQ/")
    assert AFTER_THE_LOCK in talk.reads("german staff", "board/")
    assert "There is nothing that you can read yet." in talk.reads("gm", "staff/german/")
    review_drafts()
    send(live(cast.campaign), cast.user("german commander"), "READY", ready=True)
    sweep(worker="one")
    assert live(cast.campaign).state == PhaseState.REVIEW
    assert PLAN in talk.reads("gm", "staff/german/")
    assert PLAN in talk.reads("co-gm", "staff/german/")
    assert "The game master can read it too, because the phase is locked." in talk.reads("german staff")
    assert PLAN not in talk.reads("gm", "staff/allied/")


def test_the_gm_finds_the_rooms_and_writes_in_none(talk: Talk, cast: Cast) -> None:
    assert cast.address("staff/") in talk.reads("gm", "desk/")
    rooms = talk.reads("gm")
    assert cast.address("staff/german/") in rooms
    assert cast.address("staff/allied/") in rooms
    assert "<textarea" not in talk.reads("gm", "staff/german/")
    assert talk.posts("gm").status_code == 404
    assert talk.reads("gm", "staff/french/") == "404"
    assert not Comment.objects.exists()


def test_what_was_written_in_a_phase_that_was_withdrawn_before_its_lock_stays_sealed(talk: Talk, cast: Cast) -> None:
    talk.says()
    Phase.objects.filter(pk=live(cast.campaign).pk).update(state=PhaseState.WITHDRAWN)
    assert PLAN not in talk.reads("gm", "staff/german/")
    assert "withdrawn" in talk.reads("german commander")
    Closing.objects.create(campaign=cast.campaign, author=cast.user("gm"), at=START)
    assert PLAN not in talk.reads("gm", "staff/german/")


# --- people come and go ----------------------------------------------------------------------------------------------


def test_a_leaver_loses_the_room_at_once(talk: Talk, cast: Cast) -> None:
    mine = talk.says("german staff")
    stays_signed_in = cast.browser("german staff")
    memberships.remove(viewer_of(cast.user("gm"), "bulge"), cast.member("german staff"), now=talk.time.now)
    answer = stays_signed_in.get(cast.address("staff/"))
    absent = cast.browser(OUTSIDER).get(cast.address("staff/"))
    assert (answer.status_code, answer.content) == (404, absent.content)
    assert talk.posts("german staff").status_code == 404
    assert talk.presses("german staff", "remove", mine).status_code == 404
    assert "german staff" in talk.reads("german commander"), "what they wrote stays with its name"


def test_another_role_without_sheets_ends_reading(talk: Talk, cast: Cast) -> None:
    talk.says()
    gm = viewer_of(cast.user("gm"), "bulge")
    memberships.change_role(gm, cast.member("german staff"), role=Role.TACTICAL, side="german", now=talk.time.now)
    assert talk.reads("german staff") == "404"


def test_those_who_join_read_from_their_joining(talk: Talk, cast: Cast) -> None:
    talk.says()
    talk.time.forward(hours=1)
    gm = viewer_of(cast.user("gm"), "bulge")
    token = invitations.invite(gm, role=Role.STAFF, side="german", meant_for="", now=talk.time.now)
    invitations.accept_invitation(token, cast.user(OUTSIDER), now=talk.time.now)
    for rest in ("staff/", "orders/HQ/"):
        assert PLAN not in talk.reads(OUTSIDER, rest)
    talk.says(text="Welcome.", desk="HQ")
    for rest in ("staff/", "orders/HQ/"):
        page = talk.reads(OUTSIDER, rest)
        assert "Welcome." in page
        assert PLAN not in page


def test_a_spectator_who_joins_a_side_reads_from_then_on(talk: Talk, cast: Cast) -> None:
    talk.says()
    talk.time.forward(hours=1)
    gm = viewer_of(cast.user("gm"), "bulge")
    memberships.change_role(gm, cast.member("spectator"), role=Role.STAFF, side="german", now=talk.time.now)
    assert PLAN not in talk.reads("spectator")
    talk.says(text="Welcome.")
    assert "Welcome." in talk.reads("spectator")


def test_those_who_come_back_read_from_their_coming_back(talk: Talk, cast: Cast) -> None:
    talk.says()
    member = cast.member("german staff")
    Membership.objects.filter(pk=member.pk).update(joined_at=talk.time.now + timedelta(hours=1))
    assert PLAN not in talk.reads("german staff")


def test_an_erased_account_takes_its_name_with_it_and_the_comment_stays(talk: Talk, cast: Cast) -> None:
    talk.says("german staff")
    cast.user("german staff").delete()
    page = talk.reads("german commander")
    assert PLAN in page
    assert "Someone whose account was erased" in page
    assert "german staff" not in page


def test_a_renamed_account_is_shown_by_its_new_name(talk: Talk, cast: Cast) -> None:
    talk.says("german staff")
    user = cast.user("german staff")
    user.username = "Erased 1"
    user.save(update_fields=["username"])
    page = talk.reads("german commander")
    assert "Erased 1" in page
    assert "german staff" not in page


# --- where there is no room ------------------------------------------------------------------------------------------


def test_a_practice_campaign_has_no_room(talk: Talk, cast: Cast) -> None:
    cast.campaign.practice = True
    cast.campaign.save(update_fields=["practice"])
    assert talk.reads("german commander") == "404"
    assert "Staff room" not in talk.reads("german commander", "people/")
    assert 'id="comments"' not in talk.reads("german commander", "orders/HQ/")
    assert talk.posts("german commander").status_code == 404


def test_a_bot_has_no_room_and_its_side_stays_silent(talk: Talk, cast: Cast) -> None:
    Bot.objects.create(campaign=cast.campaign, side="allied", name="fist", since=START)
    Membership.objects.filter(campaign=cast.campaign, side="allied").update(left_at=talk.time.now)
    assert "There is nothing that you can read yet." in talk.reads("gm", "staff/allied/")
    assert talk.reads("german commander", "staff/allied/") == "404"
