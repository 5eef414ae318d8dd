"""Sessions: a new key at sign-in and whenever a part changes; a list of them, each of which can be ended."""

import re
from datetime import timedelta
from typing import Any

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.test import Client, RequestFactory
from django.utils import timezone

from campaign.models import Role
from campaign.people import entrances, invitations, memberships
from campaign.people.sessions import part_changed, renew
from campaign.viewers import viewer_of
from orders.models import Sheet
from tests.gm.campaigns import START
from tests.web.conftest import ANONYMOUS, OUTSIDER, Cast
from tests.web.sheets.test_sheet import fields

pytestmark = pytest.mark.django_db


def signed_in(cast: Cast, who: str, agent: str = "Firefox") -> Client:
    """A browser that someone signed in by a one-time link."""
    browser = Client(headers={"User-Agent": agent})
    token = entrances.entrance_link(cast.user(who)).rpartition("=")[2]
    assert browser.post("/enter/", {"sesame": token}).status_code == 302
    return browser


def known(browser: Client) -> str:
    return str(browser.get("/").wsgi_request.user.get_username())


def profile(browser: Client) -> str:
    return str(browser.get("/profile/").content.decode())


def key(browser: Client) -> Any:
    return browser.session.session_key


def test_a_key_that_was_planted_before_the_sign_in_is_worth_nothing(cast: Cast) -> None:
    browser = Client()
    browser.post("/account/login/", {"login": "stranger@example.org"})
    planted = browser.cookies["sessionid"].value
    token = entrances.entrance_link(cast.user(OUTSIDER)).rpartition("=")[2]
    browser.post("/enter/", {"sesame": token})
    assert known(browser) == OUTSIDER
    thief = Client()
    thief.cookies["sessionid"] = planted
    assert known(thief) == ""


@pytest.mark.parametrize("change", ["role", "removed", "joined"])
def test_a_member_whose_part_changes_gets_another_key_with_their_next_page(cast: Cast, change: str) -> None:
    who = OUTSIDER if change == "joined" else "german staff"
    browser = signed_in(cast, who)
    before = key(browser)
    browser.get("/")
    assert key(browser) == before
    gm = viewer_of(cast.user("gm"), cast.campaign.slug)
    if change == "role":
        memberships.change_role(gm, cast.member(who), role=Role.COMMANDER, side="german", now=START)
    elif change == "removed":
        memberships.remove(gm, cast.member(who), now=START)
    else:
        token = invitations.invite(gm, role=Role.SPECTATOR, side="", meant_for="", now=START)
        invitations.accept_invitation(token, cast.user(who), now=START)
    browser.get("/", headers={"Sec-Fetch-Mode": "cors"})
    assert key(browser) == before, "what a page fetches besides itself comes with the key it began with"
    browser.get("/")
    after = key(browser)
    assert after != before
    browser.get("/")
    assert key(browser) == after
    a_minute_passes(before)
    assert known(with_key(before)) == ""
    assert known(browser) == who
    assert profile(browser).count("<article>") == 1


def a_minute_passes(before: str) -> None:
    """The key that was replaced is worth nothing any more: it ends within a minute, and that is over."""
    row = Session.objects.get(pk=before)
    assert timedelta(0) < row.expire_date - timezone.now() <= timedelta(minutes=1)
    assert set(row.get_decoded()) == {"after", "_session_expiry"}
    row.expire_date = timezone.now()
    row.save()


def with_key(value: str) -> Client:
    browser = Client()
    browser.cookies["sessionid"] = value
    return browser


def test_a_sheet_that_is_under_way_with_the_key_before_is_received(cast: Cast) -> None:
    browser = signed_in(cast, "german staff")
    gm = viewer_of(cast.user("gm"), cast.campaign.slug)
    under_way = with_key(str(key(browser)))
    memberships.change_role(gm, cast.member("german staff"), role=Role.COMMANDER, side="german", now=START)
    browser.get("/")
    sent = under_way.post(cast.address("orders/HQ/"), fields(cast, text="HOLD 1 SS"))
    assert sent.headers["Location"] == cast.address("orders/HQ/2.0/1/")
    assert Sheet.objects.get().text == "HOLD 1 SS"
    assert sent.cookies["sessionid"].value == key(browser), "nor does its answer take the new key from the browser"


def test_a_sheet_is_not_lost_if_the_key_is_replaced_twice_before_it_arrives(cast: Cast) -> None:
    browser = signed_in(cast, "german staff")
    gm = viewer_of(cast.user("gm"), cast.campaign.slug)
    under_way = with_key(str(key(browser)))
    for role in (Role.DEPUTY, Role.COMMANDER):
        memberships.change_role(gm, cast.member("german staff"), role=role, side="german", now=START)
        browser.get("/")
    sent = under_way.post(cast.address("orders/HQ/"), fields(cast, text="HOLD 1 SS"))
    assert sent.headers["Location"] == cast.address("orders/HQ/2.0/1/")
    assert Sheet.objects.get().text == "HOLD 1 SS"
    assert sent.cookies["sessionid"].value == key(browser)


def test_a_key_that_leads_round_in_a_circle_leads_nowhere(cast: Cast) -> None:
    browser = signed_in(cast, OUTSIDER)
    session = SessionStore(key(browser))
    session["after"] = key(browser)
    session.save()
    assert browser.get("/").status_code == 200


def test_two_pages_requested_at_once_get_the_same_key(cast: Cast) -> None:
    browser = signed_in(cast, OUTSIDER)
    before, user = key(browser), cast.user(OUTSIDER)
    part_changed(user.pk)
    user.refresh_from_db()
    requests = [RequestFactory().get("/"), RequestFactory().get("/")]
    for request in requests:
        request.session = SessionStore(before)
        assert request.session["_auth_user_id"] == str(user.pk)
    for request in requests:
        renew(request, user)
    after = {request.session.session_key for request in requests}
    assert len(after - {before}) == 1
    assert [known(with_key(str(each))) for each in after] == [OUTSIDER]
    assert [each.session_key for each in UserSession.objects.filter(user=user)] == [*after]


def test_ending_a_session_ends_what_its_former_key_leads_to(cast: Cast) -> None:
    browser = signed_in(cast, OUTSIDER)
    before = key(browser)
    part_changed(cast.user(OUTSIDER).pk)
    browser.get("/")
    assert known(with_key(before)) == OUTSIDER
    browser.post("/account/logout/")
    assert known(with_key(before)) == ""


def test_signing_out_while_another_page_is_requested_is_final(cast: Cast) -> None:
    browser = signed_in(cast, OUTSIDER)
    user = cast.user(OUTSIDER)
    part_changed(user.pk)
    user.refresh_from_db()
    request = RequestFactory().get("/")
    request.session = SessionStore(key(browser))
    request.session.load()
    browser.post("/account/logout/", headers={"Sec-Fetch-Mode": "cors"})
    renew(request, user)
    assert not Session.objects.exists()


def test_members_see_where_they_are_signed_in_and_nobody_else_does(cast: Cast) -> None:
    here, there = signed_in(cast, OUTSIDER, "Firefox on a desk"), signed_in(cast, OUTSIDER, "<b>Phone")
    other = signed_in(cast, "gm", "a GM's browser")
    page = profile(here)
    assert "This browser" in page
    assert "&lt;b&gt;Phone" in page
    assert "127.0.0.1" in page
    assert "GM&#x27;s browser" not in page
    assert key(there) not in page
    assert "Firefox" not in profile(other)


def test_a_browser_that_was_forgotten_somewhere_is_signed_out(cast: Cast) -> None:
    here, there, third = (signed_in(cast, OUTSIDER, agent) for agent in ("here", "there", "third"))
    (mark,) = re.findall(r'there<br>.*?name="session" value="(\w+)"', profile(here), re.DOTALL)
    assert here.post("/profile/sessions/end/", {"session": mark}).status_code == 302
    assert [known(browser) for browser in (here, there, third)] == [OUTSIDER, "", OUTSIDER]
    assert here.post("/profile/sessions/end/", {"session": mark}).status_code == 404
    here.post("/profile/sessions/end/")
    assert [known(browser) for browser in (here, there, third)] == [OUTSIDER, "", ""]


def test_nobody_ends_anothers_session(cast: Cast) -> None:
    mine, theirs = signed_in(cast, OUTSIDER), signed_in(cast, "gm", "his")
    signed_in(cast, "gm", "second")
    marks = re.findall(r'name="session" value="(\w+)"', profile(theirs))
    assert marks
    absent = mine.post("/profile/sessions/end/", {"session": "0" * 16})
    for mark in marks:
        foreign = mine.post("/profile/sessions/end/", {"session": mark})
        assert (foreign.status_code, foreign.content) == (404, absent.content)
    assert known(theirs) == "gm"
    assert cast.browser(ANONYMOUS).post("/profile/sessions/end/").headers["Location"].startswith("/account/login/")


def test_allauths_own_page_of_sessions_leads_to_the_profile(cast: Cast) -> None:
    assert cast.browser(OUTSIDER).get("/account/sessions/").headers["Location"] == "/profile/"
