"""Coming in: by a mailed code, by invitation, by a link that is good once; and what strangers can find out."""

import email
import email.policy
import re
import time
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pytest_django import Settings

from campaign.models import OutboxMessage, Role, User
from campaign.people import entrances, invitations
from campaign.viewers import gm_viewer
from gm.verification import edits_of
from tests.gm.campaigns import START, Clock
from tests.web.conftest import ANONYMOUS, OUTSIDER, Cast, rows

pytestmark = pytest.mark.django_db

LOGIN, CODE, SIGNUP = "/account/login/", "/account/login/code/confirm/", "/account/signup/"


@pytest.fixture(autouse=True)
def nobody_came_before() -> None:
    cache.clear()


def newest_mail() -> email.message.EmailMessage:
    """The mail written last."""
    message = bytes(OutboxMessage.objects.latest("pk").message)
    return email.message_from_bytes(message, policy=email.policy.default)


def code() -> str:
    """The code in the newest mail: it is on a line of its own."""
    found = re.search(r":\s+(\S+)\s+Enter the code", newest_mail().get_content())
    assert found
    return found[1]


def signed_in(browser: Client) -> str:
    """The forum name of the person who is signed in; empty if nobody is."""
    user = browser.get("/").wsgi_request.user
    return str(user.get_username())


def link(cast: Cast, **more: str) -> str:
    viewer = gm_viewer(cast.user("gm"), cast.campaign.slug)
    part: dict[str, Any] = {"role": Role.STAFF, "side": "german", "meant_for": ""} | more
    return reverse("invitation", args=[invitations.invite(viewer, now=START, **part)])


# --- the mailed code -------------------------------------------------------------------------------------------------


def test_a_code_that_is_mailed_lets_its_owner_in(cast: Cast) -> None:
    browser = cast.browser(ANONYMOUS)
    page = browser.get(LOGIN).content.decode()
    assert "E-mail address" in page
    assert "password" not in page.replace("There are no passwords", "").lower()
    answer = browser.post(LOGIN, {"login": "Outsider@Example.org", "next": "/profile/"})
    assert answer.headers["Location"].startswith(CODE)
    mail = OutboxMessage.objects.get()
    assert (mail.kind, mail.campaign, mail.user, mail.to_addr) == (
        "account",
        None,
        cast.user(OUTSIDER),
        "outsider@example.org",
    )
    assert mail.subject == "Fieldpost: your sign-in code"
    answer = browser.post(CODE, {"code": code(), "next": "/profile/"})
    assert answer.headers["Location"] == "/profile/"
    assert signed_in(browser) == OUTSIDER


def test_a_wrong_code_lets_nobody_in_and_three_use_it_up(cast: Cast) -> None:
    browser = cast.browser(ANONYMOUS)
    browser.post(LOGIN, {"login": "outsider@example.org"})
    right = code()
    for _ in range(3):
        browser.post(CODE, {"code": "WRONG1"})
    browser.post(CODE, {"code": right})
    assert signed_in(browser) == ""


def test_a_code_is_good_once(cast: Cast) -> None:
    browser, other = cast.browser(ANONYMOUS), cast.browser(ANONYMOUS)
    browser.post(LOGIN, {"login": "outsider@example.org"})
    used = code()
    browser.post(CODE, {"code": used})
    browser.post("/account/logout/")
    for one in (browser, other):
        one.post(CODE, {"code": used})
        assert signed_in(one) == ""


def test_a_code_is_good_for_a_quarter_of_an_hour(cast: Cast) -> None:
    browser = cast.browser(ANONYMOUS)
    browser.post(LOGIN, {"login": "outsider@example.org"})
    session = browser.session
    session["account_login"]["state"]["stages"]["login_by_code"]["data"]["at"] -= 15 * 60 + 1
    session.save()
    browser.post(CODE, {"code": code()})
    assert signed_in(browser) == ""


@pytest.mark.usefixtures("cast")
def test_strangers_read_the_same_and_get_no_mail() -> None:
    answers = []
    for address in ("outsider@example.org", "stranger0@example.org"):
        browser = Client()
        answer = browser.post(LOGIN, {"login": address})
        page = browser.get(answer.headers["Location"])
        shown = page.content.decode().replace(address, "ADDRESS").replace(str(page.context["csrf_token"]), "TOKEN")
        wrong = browser.post(CODE, {"code": "WRONG1"})
        words = wrong.content.decode().replace(address, "ADDRESS").replace(str(wrong.context["csrf_token"]), "TOKEN")
        answers.append((answer.headers["Location"], page.status_code, shown, wrong.status_code, words))
    assert answers[0] == answers[1]
    assert [mail.to_addr for mail in OutboxMessage.objects.all()] == ["outsider@example.org"]


def statements(queries: CaptureQueriesContext) -> list[str]:
    """The verbs of what was done with the database, sorted; reading by a cursor is reading."""
    verbs = (query["sql"].split()[0] for query in queries)
    return sorted("SELECT" if verb == "DECLARE" else verb for verb in verbs)


@pytest.mark.usefixtures("cast")
def test_strangers_take_as_many_statements_and_rows_at_every_step() -> None:
    found: dict[str, list[list[str]]] = {}
    for address in ("outsider@example.org", "stranger0@example.org"):
        cache.clear()  # both are the first who come from here
        browser, steps = Client(), found.setdefault(address, [])
        for path, sent in (
            (LOGIN, {"login": address}),
            (CODE, None),
            (CODE, {"code": "WRONG1"}),
            (CODE, {"code": "x"}),
        ):
            with CaptureQueriesContext(connection) as queries:
                if sent is None:
                    browser.get(path)
                else:
                    browser.post(path, sent)
            steps.append(statements(queries))
    known, unknown = found.values()
    assert known == unknown
    assert "INSERT" in known[0]


@pytest.mark.usefixtures("cast")
def test_strangers_must_wait_as_soon_and_read_the_same_words() -> None:
    words = []
    for address in ("outsider@example.org", "stranger0@example.org"):
        answers = [Client().post(LOGIN, {"login": address}) for _ in range(4)]
        last = answers[-1].content.decode().replace(address, "ADDRESS")
        token = str(answers[-1].context["csrf_token"])
        words.append(([answer.status_code for answer in answers], last.replace(token, "TOKEN")))
    assert words[0] == words[1]


def test_a_code_is_not_sent_again_from_the_page_that_asks_for_it(cast: Cast) -> None:
    browser = cast.browser(ANONYMOUS)
    browser.post(LOGIN, {"login": "outsider@example.org"})
    browser.post(CODE, {"action": "resend"})
    assert OutboxMessage.objects.count() == 1


@pytest.mark.usefixtures("cast")
def test_a_person_who_requests_codes_too_often_must_wait() -> None:
    answers = [Client().post(LOGIN, {"login": "outsider@example.org"}) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [302, 302, 302, 200]
    assert "Too many attempts" in answers[-1].content.decode()
    assert OutboxMessage.objects.count() == 3


def test_no_page_is_about_passwords(cast: Cast) -> None:
    for browser in (cast.browser(OUTSIDER), cast.browser(ANONYMOUS)):
        for path in ("change/", "set/", "reset/", "reset/done/", "reset/key/1-set/"):
            assert browser.get(f"/account/password/{path}").status_code == 404
            assert browser.post(f"/account/password/{path}").status_code == 404
    assert Client().get("/account/login/code/?next=/new/").headers["Location"] == "/account/login/?next=/new/"


def test_logging_out_takes_a_button(cast: Cast) -> None:
    browser = cast.browser(OUTSIDER)
    assert browser.get("/account/logout/").status_code == 200
    assert signed_in(browser) == OUTSIDER
    browser.post("/account/logout/")
    assert signed_in(browser) == ""


# --- signing up ------------------------------------------------------------------------------------------------------


def test_nobody_signs_up_uninvited(cast: Cast) -> None:
    browser, before = cast.browser(ANONYMOUS), User.objects.count()
    assert "By invitation" in browser.get(SIGNUP).content.decode()
    browser.post(SIGNUP, {"username": "Kurt", "email": "kurt@example.org"})
    assert User.objects.count() == before
    assert not OutboxMessage.objects.exists()


def test_a_stranger_who_was_invited_signs_up_and_joins(cast: Cast) -> None:
    browser, invitation = cast.browser(ANONYMOUS), link(cast)
    page = browser.get(invitation).content.decode()
    assert f"{SIGNUP}?next={invitation}" in page
    page = browser.get(f"{SIGNUP}?next={invitation}").content.decode()
    assert "Forum name" in page
    assert "password" not in page.lower()
    sent = {"username": "Kurt von B.", "email": "Kurt@example.org", "next": invitation}
    answer = browser.post(SIGNUP, sent)
    assert answer.headers["Location"] == "/account/confirm-email/"
    assert signed_in(browser) == ""
    assert OutboxMessage.objects.get().subject == "Fieldpost: confirm your address"
    answer = browser.post("/account/confirm-email/", {"code": code()})
    assert answer.headers["Location"] == invitation
    assert signed_in(browser) == "Kurt von B."
    assert EmailAddress.objects.get(user__username="Kurt von B.").verified
    assert browser.post(invitation).headers["Location"] == cast.address("briefing/")
    assert "Kurt von B." in cast.browser("gm").get(cast.address("people/")).content.decode()
    assert not User.objects.get(username="Kurt von B.").has_usable_password()
    assert "invitation" not in browser.session


def test_the_door_closes_with_the_invitation(cast: Cast, request: pytest.FixtureRequest) -> None:
    set_clock: Clock = request.getfixturevalue("time")
    browser = cast.browser(ANONYMOUS)
    browser.get(link(cast))
    assert "Forum name" in browser.get(SIGNUP).content.decode()
    set_clock.forward(days=14)
    assert "By invitation" in browser.get(SIGNUP).content.decode()


def test_an_invitation_that_leads_nowhere_opens_no_door(cast: Cast) -> None:
    browser = cast.browser(ANONYMOUS)
    browser.get(reverse("invitation", args=["x" * 32]))
    assert "By invitation" in browser.get(SIGNUP).content.decode()


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("a\u202eb", "cannot be seen in print"),
        ("a\u200bb", "cannot be seen in print"),
        ("GM", "already has this name"),
        ("x" * 41, "at most 40"),
        ("", "required"),
    ],
)
def test_a_forum_name_that_misleads_is_refused(cast: Cast, name: str, why: str) -> None:
    browser, before = cast.browser(ANONYMOUS), User.objects.count()
    browser.get(link(cast))
    page = browser.post(SIGNUP, {"username": name, "email": "kurt@example.org"}).content.decode()
    assert why in page
    assert "kurt@example.org" in page
    assert User.objects.count() == before


UNREACHABLE = ['"a\x0bb"@example.org', '"a\x0bBcc:x"@example.org', "a@" + "가." * 122 + "example"]
"""What forms accept as addresses, and no mail can be sent to."""


@pytest.mark.parametrize("address", UNREACHABLE)
def test_an_address_that_no_mail_can_be_sent_to_is_refused(cast: Cast, address: str) -> None:
    stranger, before = cast.browser(ANONYMOUS), User.objects.count()
    assert stranger.post(LOGIN, {"login": address}).status_code == 302
    stranger.get(link(cast))
    assert (
        "Fieldpost cannot send mail to this address"
        in stranger.post(SIGNUP, {"username": "Kurt", "email": address}).content.decode()
    )
    assert User.objects.count() == before
    page = cast.browser(OUTSIDER).post("/account/email/", {"action_add": "", "email": address})
    assert "Fieldpost cannot send mail to this address" in page.content.decode()
    assert not OutboxMessage.objects.exists()


def test_signing_up_with_a_known_address_notifies_its_owner_only(cast: Cast) -> None:
    browser, before = cast.browser(ANONYMOUS), User.objects.count()
    browser.get(link(cast))
    known = browser.post(SIGNUP, {"username": "Kurt", "email": "outsider@example.org"})
    assert known.headers["Location"] == "/account/confirm-email/"
    assert User.objects.count() == before
    mail = OutboxMessage.objects.get()
    assert (mail.user, mail.subject) == (cast.user(OUTSIDER), "Fieldpost: you already have an account")
    assert "password" not in newest_mail().get_content()


# --- another address, a second factor --------------------------------------------------------------------------------


def test_an_address_is_changed_by_a_code_sent_to_the_new_one_and_the_old_one_hears_of_it(cast: Cast) -> None:
    browser = cast.browser(OUTSIDER)
    browser.post("/account/email/", {"action_add": "", "email": "new@example.org"})
    assert cast.user(OUTSIDER).email == "outsider@example.org"
    assert OutboxMessage.objects.get().to_addr == "new@example.org"
    browser.post("/account/confirm-email/", {"code": code()})
    assert cast.user(OUTSIDER).email == "new@example.org"
    changed = OutboxMessage.objects.filter(to_addr="outsider@example.org").latest("pk")
    assert changed.subject == "Fieldpost: Email Changed"
    assert changed.user == cast.user(OUTSIDER)


def test_a_changed_address_is_on_the_record_of_a_campaign_once(cast: Cast) -> None:
    """Not the address itself, and not for strangers' campaigns."""
    browser, who = cast.browser("german commander"), cast.user("german commander")
    before = cast.campaign.audit.count()
    browser.post("/account/email/", {"action_add": "", "email": "new@example.org"})
    browser.post("/account/confirm-email/", {"code": code()})
    assert cast.user("german commander").email == "new@example.org"
    entries = list(cast.campaign.audit.filter(no__gt=before).order_by("no"))
    assert [(entry.act, entry.subject) for entry in entries] == [("person", {"person": who.pk})]
    assert "new@example.org" not in str([entry.rows for entry in entries])
    assert [fault for fault in edits_of(cast.campaign) if fault.where == f"user {who.pk}"] == []
    User.objects.filter(pk=who.pk).update(email="thief@example.org")
    assert [fault.where for fault in edits_of(cast.campaign) if fault.where == f"user {who.pk}"]


@pytest.mark.parametrize("path", ["/account/2fa/", "/account/2fa/totp/activate/", "/account/email/", "/profile/"])
def test_pages_about_oneself_are_in_our_own_dress(cast: Cast, path: str) -> None:
    page = cast.browser(OUTSIDER).get(path).content.decode()
    assert 'class="brand"' in page
    assert not re.search(r"<script(?![^>]* src=)|<style| style=| on[a-z]+=", page)


# --- the link that is good once --------------------------------------------------------------------------------------


def entrance(user: User) -> dict[str, str]:
    address = entrances.entrance_link(user)
    assert address.startswith("http://localhost:8000/enter/?sesame=")
    return {"sesame": address.rpartition("=")[2]}


def test_a_link_lets_its_owner_in_by_a_button(cast: Cast) -> None:
    token, browser = entrance(cast.user(OUTSIDER)), cast.browser(ANONYMOUS)
    before = rows()
    for _ in range(2):
        page = browser.get("/enter/", token)
        assert page.status_code == 200
        assert OUTSIDER not in page.content.decode()
    assert rows() == before
    assert signed_in(browser) == ""
    assert browser.post("/enter/", token).headers["Location"] == "/"
    assert signed_in(browser) == OUTSIDER


def test_a_link_is_good_once(cast: Cast) -> None:
    token, browser = entrance(cast.user(OUTSIDER)), cast.browser(ANONYMOUS)
    cast.browser(ANONYMOUS).post("/enter/", token)
    for answer in (browser.get("/enter/", token), browser.post("/enter/", token)):
        assert answer.status_code == 410
        assert "This one was used, is too old, or was not copied in full." in answer.content.decode()
        assert LOGIN in answer.content.decode()
    assert signed_in(browser) == ""


def test_of_two_who_come_with_a_link_at_once_one_gets_in(cast: Cast) -> None:
    first, second = cast.user(OUTSIDER), cast.user(OUTSIDER)
    assert entrances.consume_entrance(first, at=START)
    assert not entrances.consume_entrance(second, at=START)


@pytest.mark.parametrize("token", ["", "x", "A" * 40])
def test_a_link_that_was_made_up_lets_nobody_in(cast: Cast, token: str) -> None:
    browser = cast.browser(ANONYMOUS)
    assert browser.post("/enter/", {"sesame": token}).status_code == 410
    assert browser.get("/enter/", {"sesame": token}).status_code == 410
    assert signed_in(browser) == ""


def test_a_link_is_good_for_a_day(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    token = entrance(cast.user(OUTSIDER))
    tomorrow = time.time() + timedelta(days=1, minutes=1).total_seconds()
    monkeypatch.setattr("sesame.tokens_v2.time.time", lambda: tomorrow)
    assert Client().post("/enter/", token).status_code == 410


def test_a_link_takes_nobody_round_their_second_factor(cast: Cast) -> None:
    TOTP.activate(cast.user(OUTSIDER), generate_totp_secret())
    browser = cast.browser(ANONYMOUS)
    answer = browser.post("/enter/", entrance(cast.user(OUTSIDER)))
    assert answer.headers["Location"].startswith("/account/2fa/authenticate/")
    assert signed_in(browser) == ""


# --- pages that say no -----------------------------------------------------------------------------------------------


def test_pages_that_say_no_are_plain_and_alike(cast: Cast) -> None:
    absent, foreign = Client().get("/nowhere/"), cast.browser(OUTSIDER).get(cast.address())
    assert absent.status_code == foreign.status_code == 404
    assert absent.content == foreign.content
    forged = Client(enforce_csrf_checks=True).post(LOGIN, {"login": "a@example.org"})
    assert forged.status_code == 403
    assert "Please submit again" in forged.content.decode()


def shape(page: Any) -> str:
    return re.sub(r">[^<]+<", "><", page.content.decode())


def test_a_server_error_shows_nothing_of_its_cause(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("a secret")

    monkeypatch.setattr("gm.views.home.inbox", broken)
    browser = cast.browser(OUTSIDER)
    browser.raise_request_exception = False
    page = browser.get("/")
    assert page.status_code == 500
    assert "a secret" not in page.content.decode()
    assert shape(page) == shape(Client().get("/nowhere/"))


def test_signing_out_leaves_nothing_in_the_browser(cast: Cast) -> None:
    browser = cast.browser("german commander")
    assert "Clear-Site-Data" not in browser.get("/account/logout/").headers
    assert browser.post("/account/logout/").headers["Clear-Site-Data"] == '"cache", "storage"'
    assert "Clear-Site-Data" not in browser.post("/account/logout/").headers


@pytest.mark.usefixtures("cast")
@pytest.mark.parametrize("proxies", [0, 1])
def test_behind_a_proxy_visitors_are_identified_by_the_address_it_saw(settings: Settings, proxies: int) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = proxies
    codes = {
        Client()
        .post(LOGIN, {"login": f"n{number}@example.org"}, HTTP_X_FORWARDED_FOR=f"203.0.113.{number}")
        .status_code
        for number in range(40)
    }
    assert (429 in codes) == (not proxies)
