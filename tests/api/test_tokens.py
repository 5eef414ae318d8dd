"""Tokens: made once, hashed, limited to a campaign and to what they are for, ended with the membership."""

import logging
import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from api.models import ApiToken, Scope
from api.tokens import LASTS, MOST
from campaign.core import clock
from campaign.models import Membership
from campaign.people import memberships
from campaign.people.throttles import NEIGHBOURS, WRONG_TOKENS
from campaign.viewers import viewer_of
from tests.api.asking import address, ask, ask_with, token_of
from tests.api.test_sheets import sheet
from tests.gm.campaigns import Clock, new_campaign
from tests.web.conftest import ANONYMOUS, Cast, rows

pytestmark = pytest.mark.django_db

GERMAN = "german commander"
TEXT = {"text": "HOLD 1 SS"}


def test_a_token_is_shown_once_and_kept_as_a_digest(cast: Cast) -> None:
    browser = cast.browser(GERMAN)
    form = {"act": "make", "label": "My bot", "campaign": cast.campaign.slug, "scopes": ["read", "orders"]}
    page = browser.post("/profile/tokens/", form).content.decode()
    (token,) = re.findall(r"\b[0-9a-f]{64}\b", page)
    stored = ApiToken.objects.get()
    assert (stored.label, stored.scopes, stored.member) == ("My bot", ["orders", "read"], cast.member(GERMAN))
    assert token not in repr(rows())
    later = browser.get("/profile/tokens/").content.decode()
    assert "My bot" in later
    assert token[:15] not in later
    assert ask_with(token, address(cast, "check"), TEXT).status_code == 200
    assert ask_with(token, address(cast, "sheets"), sheet(cast, "HOLD 1 SS")).status_code == 201


def test_a_token_allows_only_what_it_is_for(cast: Cast) -> None:
    token = token_of(cast, GERMAN, [Scope.READ])
    assert ask_with(token, address(cast, "check"), TEXT).status_code == 200
    refused = ask_with(token, address(cast, "sheets"), sheet(cast, "HOLD 1 SS"))
    assert (refused.status_code, refused.json()["error"]) == (403, "forbidden")
    assert "orders" in refused.json()["message"]


def test_a_token_is_for_one_campaign(cast: Cast) -> None:
    other = new_campaign(slug="other")
    user = cast.user(GERMAN)
    Membership.objects.create(campaign=other, user=user, role="commander", side="german", joined_at=clock.now())
    token = token_of(cast, GERMAN)
    there = address(cast, "check").replace(cast.campaign.slug, other.slug)
    nowhere = address(cast, "check").replace(cast.campaign.slug, "no-such-campaign")
    assert ask_with(token, there, TEXT).status_code == 404
    assert ask_with(token, there, TEXT).content == ask_with(token, nowhere, TEXT).content


def test_a_token_ends_with_the_membership_and_never_returns(cast: Cast, time: Clock) -> None:
    token = token_of(cast, GERMAN)
    memberships.leave(viewer_of(cast.user(GERMAN), cast.campaign.slug), now=clock.now())
    assert ask_with(token, address(cast, "check"), TEXT).status_code == 401
    time.now += timedelta(days=1)
    Membership.objects.filter(user=cast.user(GERMAN)).update(left_at=None, joined_at=time.now)  # as an invitation does
    assert ask_with(token, address(cast, "check"), TEXT).status_code == 401


def test_a_token_ends_when_its_owner_gets_another_role(cast: Cast) -> None:
    token = token_of(cast, "german staff")
    assert ask_with(token, address(cast, "check"), TEXT).status_code == 200
    gm, staff = viewer_of(cast.user("gm"), cast.campaign.slug), cast.member("german staff")
    memberships.change_role(gm, staff, role="deputy", side="german", now=clock.now())
    assert ask_with(token, address(cast, "check"), TEXT).status_code == 401
    memberships.change_role(gm, cast.member("german staff"), role="staff", side="german", now=clock.now())
    assert ask_with(token, address(cast, "check"), TEXT).status_code == 401, "it does not come back with the role"


def test_a_program_leaves_no_trace_in_a_browser(cast: Cast) -> None:
    token = token_of(cast, GERMAN)
    for each in (token, "wrong"):
        answer = ask_with(each, address(cast, "check"), TEXT)
        assert not answer.cookies
        assert "Clear-Site-Data" not in answer.headers
    signed_in = cast.browser(GERMAN)
    headers = {"Authorization": "Bearer wrong"}
    answer = signed_in.post(address(cast, "check"), TEXT, content_type="application/json", headers=headers)
    assert answer.status_code == 401
    assert "Clear-Site-Data" not in answer.headers


def test_a_program_uses_up_nothing_of_its_owners(cast: Cast, settings: Any) -> None:
    settings.SHEETS_PER_MINUTE = 2
    token = token_of(cast, GERMAN)
    answers = [ask_with(token, address(cast, "check"), TEXT) for _ in range(3)]
    assert [each.status_code for each in answers] == [200, 200, 429]
    assert answers[-1].headers["Retry-After"] == "60"
    assert ask(cast, GERMAN, "check", TEXT).status_code == 200


def test_a_token_ends_after_a_year(cast: Cast, time: Clock) -> None:
    token = token_of(cast, GERMAN)
    time.now += LASTS - timedelta(seconds=1)
    assert ask_with(token, address(cast, "check"), TEXT).status_code == 200
    time.now += timedelta(seconds=1)
    assert ask_with(token, address(cast, "check"), TEXT).status_code == 401


def test_a_request_with_an_ended_token_changes_nothing(cast: Cast, time: Clock) -> None:
    token = token_of(cast, GERMAN)
    time.now += LASTS
    before = rows()
    assert ask_with(token, address(cast, "check"), TEXT).status_code == 401
    assert rows() == before
    token_of(cast, GERMAN)
    assert ApiToken.objects.count() == 1, "the next one takes its place"


def test_wrong_tokens_are_counted_and_guesses_end(cast: Cast, time: Clock) -> None:
    right = token_of(cast, GERMAN)
    where, most = address(cast, "check"), WRONG_TOKENS.number * NEIGHBOURS
    assert ask_with(right, where, TEXT).status_code == 200
    assert {ask_with(f"{number:064x}", where, TEXT).status_code for number in range(most)} == {401}
    answer = ask_with("wrong", where, TEXT)
    assert (answer.status_code, answer.json()["error"]) == (429, "too-many-requests")
    assert answer.headers["Retry-After"] == "60"
    assert ask_with(right, where, TEXT).status_code == 200, "nobody can lock out the programs of others"
    assert ask(cast, GERMAN, "check", TEXT).status_code == 200, "pages are not concerned"
    time.now += timedelta(minutes=1)
    assert ask_with("wrong", where, TEXT).status_code == 401


def test_a_revoked_token_is_gone_and_only_its_owner_revokes_it(cast: Cast) -> None:
    token = token_of(cast, GERMAN)
    mark = {"act": "revoke", "token": ApiToken.objects.get().mark}
    cast.browser("allied commander").post("/profile/tokens/", mark)
    assert ask_with(token, address(cast, "check"), TEXT).status_code == 200
    assert cast.browser(GERMAN).post("/profile/tokens/", mark).status_code == 302
    assert ask_with(token, address(cast, "check"), TEXT).status_code == 401


def test_the_last_use_is_noted_at_most_once_an_hour(cast: Cast, time: Clock) -> None:
    token, begun = token_of(cast, GERMAN), time.now
    assert ApiToken.objects.get().used_at is None
    for minutes, noted in ((0, 0), (59, 0), (60, 60)):
        time.now = begun + timedelta(minutes=minutes)
        ask_with(token, address(cast, "check"), TEXT)
        assert ApiToken.objects.get().used_at == begun + timedelta(minutes=noted)


def test_there_is_a_limit_to_tokens(cast: Cast) -> None:
    for _ in range(MOST):
        token_of(cast, GERMAN)
    form = {"act": "make", "label": "x", "campaign": cast.campaign.slug, "scopes": ["read"]}
    answer = cast.browser(GERMAN).post("/profile/tokens/", form)
    assert answer.status_code == 400
    assert ApiToken.objects.count() == MOST


def test_a_token_counts_in_the_header_only(cast: Cast) -> None:
    token = token_of(cast, GERMAN)
    for where, body in ((f"{address(cast, 'check')}?token={token}", TEXT), (address(cast, "check"), TEXT)):
        answer = Client().post(where, body, content_type="application/json")
        assert answer.status_code == 401
        assert answer.headers["WWW-Authenticate"] == "Bearer"
    for header in ("", "Bearer", f"Bearer {token} {token}", "Bearer \xff", f"Bearer {token[:-1]}"):
        answer = Client().post(
            address(cast, "check"), TEXT, content_type="application/json", headers={"Authorization": header}
        )
        assert answer.status_code == 401, header


def test_a_token_is_in_no_log(cast: Cast, caplog: pytest.LogCaptureFixture) -> None:
    token = token_of(cast, GERMAN)
    with caplog.at_level(logging.DEBUG):
        ask_with(token, address(cast, "check"), TEXT)
        ask_with(token, address(cast, "check"), {"wrong": "body"})
        ask_with(f"{token[:-1]}x", address(cast, "check"), TEXT)
    assert token[:15] not in caplog.text


def test_without_a_token_the_pages_csrf_token_is_needed(cast: Cast) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(cast.user(GERMAN), backend="allauth.account.auth_backends.AuthenticationBackend")
    before = rows()
    answer = browser.post(address(cast, "sheets"), sheet(cast, "HOLD 1 SS"), content_type="application/json")
    assert (answer.status_code, answer.json()["error"]) == (403, "forbidden")
    assert rows() == before
    token = browser.get("/profile/tokens/").context["csrf_token"]
    headers = {"X-CSRFToken": str(token), "Idempotency-Key": "a key"}
    again = browser.post(
        address(cast, "sheets"), sheet(cast, "HOLD 1 SS"), content_type="application/json", headers=headers
    )
    assert again.status_code == 201


def test_a_stranger_is_told_to_sign_in(cast: Cast) -> None:
    answer = cast.browser(ANONYMOUS).post(address(cast, "check"), TEXT, content_type="application/json")
    assert (answer.status_code, answer.json()["error"]) == (401, "not-signed-in")
