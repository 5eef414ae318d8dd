"""Every address, everyone who may come to it, and what they get. A route that is not in the table fails the build."""

import re
from collections.abc import Iterator

import pytest
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from campaign.models import Phase
from orders.models import Sheet
from tests.gm.campaigns import live, send
from tests.web.conftest import ANONYMOUS, OUTSIDER, PARTS, Cast, rows

pytestmark = pytest.mark.django_db

ALL_MEMBERS = set(PARTS)
GMS = {"gm", "co-gm"}
GERMANS = {"german commander", "german deputy", "german staff"}
ALLIES = {"allied commander", "allied staff"}
TACTICAL = {"german tactical", "allied tactical"}
EVERYBODY = ALL_MEMBERS | {OUTSIDER, ANONYMOUS}
NOBODY: set[str] = set()

READ: dict[str, tuple[dict[str, object], set[str]]] = {
    "campaign": ({}, ALL_MEMBERS),
    "history": ({}, ALL_MEMBERS),
    "phase": ({"no": 0}, ALL_MEMBERS),
    "post": ({"no": 0}, ALL_MEMBERS - GMS),
    "phase_file": ({"no": 0, "name": "map.png"}, ALL_MEMBERS),
    "campaign_replay": ({"motion": "webp"}, ALL_MEMBERS),
    "phase_replay": ({"no": 0, "motion": "gif"}, ALL_MEMBERS),
    "phase_drawing": ({"no": 0}, ALL_MEMBERS),
    "board": ({}, ALL_MEMBERS),
    "phase_board": ({"no": 0}, ALL_MEMBERS),
    "board_sheet": ({}, ALL_MEMBERS),
    "briefing": ({}, GMS | GERMANS | ALLIES | TACTICAL),
    "rules": ({}, EVERYBODY),
    "example_day": ({}, EVERYBODY),
    "dice": ({}, ALL_MEMBERS),
    "dice_file": ({"log": "german", "name": "log.jsonl"}, GMS | GERMANS | {"german tactical"}),
    "statistics": ({}, GMS),
    "statistics_file": ({"name": "points.png"}, GMS),
    "public_statistics": ({}, NOBODY),
    "public_statistics_file": ({"name": "points.png"}, NOBODY),
    "archives": ({}, ALL_MEMBERS),
    "archive_file": ({"audience": "public"}, NOBODY),
    "export_file": ({}, GMS),
    "calendar": ({}, ALL_MEMBERS),
    "people": ({}, ALL_MEMBERS),
    "leave": ({}, ALL_MEMBERS),
    "public": ({}, EVERYBODY),
    "public_history": ({}, EVERYBODY),
    "public_phase": ({"no": 0}, EVERYBODY),
    "public_post": ({"no": 0}, EVERYBODY),
    "public_file": ({"no": 0, "name": "map.png"}, EVERYBODY),
    "public_campaign_replay": ({"motion": "webp"}, EVERYBODY),
    "public_phase_replay": ({"no": 0, "motion": "gif"}, EVERYBODY),
    "public_phase_drawing": ({"no": 0}, EVERYBODY),
    "public_board": ({}, EVERYBODY),
    "public_phase_board": ({"no": 0}, EVERYBODY),
    "public_board_sheet": ({}, EVERYBODY),
    "public_dice": ({}, EVERYBODY),
    "public_dice_file": ({"log": "both", "name": "log.jsonl"}, EVERYBODY),
    "orders": ({}, GMS | GERMANS | ALLIES),
    "sheet": ({"desk": "HQ"}, GMS | GERMANS | ALLIES),
    "version": ({"desk": "HQ", "no": 2, "rev": 0, "nth": 1}, GERMANS),
    "receipt": ({"desk": "HQ", "no": 2, "rev": 0, "nth": 1}, GERMANS),
    "locked": ({"no": 1, "rev": 0}, GMS | GERMANS | ALLIES),
    "staff": ({}, GMS | GERMANS | ALLIES),
    "staff_of": ({"side": "german"}, GMS | GERMANS),
    "public_staff": ({"side": "german"}, NOBODY),
    "questions": ({}, ALL_MEMBERS),
    "question": ({"side": "german", "no": 1}, NOBODY),
    "questions_of": ({"side": "german"}, NOBODY),
    "public_questions": ({"side": "german"}, NOBODY),
    "confirm_mailed": ({"name": "0" * 32}, NOBODY),
    "battles": ({}, GMS | GERMANS | ALLIES | TACTICAL),
    "battle": ({"key": "K16"}, NOBODY),
    "story": ({"no": 3, "rev": 0, "key": "K16"}, NOBODY),
    "stories": ({"no": 3}, NOBODY),
    "public_stories": ({"no": 3}, NOBODY),
    "story_picture": ({"no": 3, "name": f"{'0' * 32}.jpg"}, NOBODY),
    "map_picture": ({"key": "K16", "name": f"{'0' * 32}.jpg"}, NOBODY),
    "public_story_picture": ({"no": 3, "name": f"{'0' * 32}.jpg"}, NOBODY),
    "gm_log": ({}, ALL_MEMBERS),
    "desk": ({}, GMS),
    "draft": ({}, GMS),
    "resolver": ({}, GMS),
    "settings": ({}, GMS),
    "enter": ({"side": "german"}, GMS),
    "enter_desk": ({"side": "german", "desk": "HQ"}, GMS),
    "seen": ({"no": 0, "audience": "allied"}, GMS),
    "seen_file": ({"no": 0, "audience": "allied", "name": "map.png"}, GMS),
    "posts": ({"no": 0}, GMS),
    "seen_person": ({}, GMS),
    "sight": ({}, GMS),
    "position_file": ({}, GMS),
    "closing": ({}, GMS | {"german commander", "allied commander"}),
    "result": ({}, NOBODY),
    "public_result": ({}, NOBODY),
    "opened_sheets": ({"no": 0, "side": "german"}, NOBODY),
    "public_opened_sheets": ({"no": 0, "side": "german"}, NOBODY),
    "rematch": ({}, NOBODY),
    "exposure": ({}, GMS),
    "links": ({}, GMS | {"german commander", "german deputy", "allied commander"}),
    "substitutes": ({}, GMS),
    "destinations": ({}, GMS),
    "outbox": ({}, GMS),
    "outbox_mail": ({"mail": "00ff"}, NOBODY),
}
LEADS_THE_GM_ON = {"post"}
"""The GM has another page in its place."""
FILES = {name for name in READ if re.search(r"file|receipt|replay|drawing|board_sheet|_picture", name)}
"""Answered with pictures, animations and text files; all others are pages."""
"""Pages of a campaign: what is in their addresses, and who may read them. All others get the same 404; the
anonymous are led to the door."""

ACTS: dict[str, dict[str, object]] = {
    "invite": {},
    "revoke": {},
    "renew": {},
    "change_role": {},
    "remove": {},
    "away": {},
    "back": {},
    "calendar_address": {},
    "seat_bot": {},
    "unseat_bot": {},
    "set_desk": {"side": "german"},
    "drop_desk": {"side": "german"},
    "check_sheet": {"desk": "HQ"},
    "keep_draft": {"desk": "HQ"},
    "guide": {},
    "sheet_forms": {"desk": "HQ"},
    "check_battle": {"key": "K16"},
    "report_forms": {"key": "K16"},
    "decide_battle": {"key": "K16"},
    "battle_map": {"key": "K16"},
    "clock": {},
    "make_link": {},
    "revoke_link": {},
    "retry": {},
    "retry_mail": {"mail": "00ff"},
    "destination": {"no": 1},
    "forum_post": {"mark": "0" * 16},
}
"""Addresses that only take what is sent to them."""

ELSEWHERE = {
    "home": "test_inbox",
    "profile": "test_founding",
    "account_email": "test_accounts",
    "account_email_verification_sent": "test_accounts",
    "end_session": "test_sessions",
    "mail_works": "test_mail_comes_back",
    "entrance": "test_accounts",
    "invitation": "test_people",
    "new_campaign": "test_founding",
    "new_practice": "test_practice",
    "scenario_map": "test_beginning",
    "scenario_start": "test_position",
    "mute": "tests/mail/test_mutes",
    "feed": "test_calendar",
    "substitute": "test_substitutes",
    "picture": "test_links",
    "glossary": "test_glossary",
    "tokens": "tests/api/test_tokens",
    "turn_webhook": "tests/posting/test_calls",
    "take_from_provider": "tests/incoming/test_webhook",
    "api_docs": "tests/api/test_schema",
    "api_schema": "tests/api/test_schema",
    "api_check": "tests/api/test_sheets",
    "api_choices": "tests/api/test_sheets",
    "api_sheets": "tests/api/test_sheets",
    "api_withdrawals": "tests/api/test_sheets",
    "api_campaigns": "tests/api/test_reading",
    "api_campaign": "tests/api/test_reading",
    "api_base_map": "tests/api/test_reading",
    "api_base_picture": "tests/api/test_reading",
    "api_charts": "tests/api/test_reading",
    "api_rules": "tests/api/test_reading",
    "api_state": "tests/api/test_reading",
    "api_dice": "tests/api/test_reading",
    "api_phases": "tests/api/test_reading",
    "api_open_phase": "tests/api/test_reading",
    "api_phase": "tests/api/test_reading",
    "api_view": "tests/api/test_reading",
    "api_events": "tests/api/test_reading",
    "api_phase_dice": "tests/api/test_reading",
    "api_phase_file": "tests/api/test_reading",
    "api_desks": "tests/api/test_desks",
    "api_desk": "tests/api/test_desks",
    "api_draft": "tests/api/test_desks",
    "api_versions": "tests/api/test_desks",
    "api_version": "tests/api/test_desks",
    "api_battles": "tests/api/test_battles",
    "api_battle": "tests/api/test_battles",
    "api_check_report": "tests/api/test_battles",
    "api_reports": "tests/api/test_battles",
    "api_confirmations": "tests/api/test_battles",
    "api_disputes": "tests/api/test_battles",
    "api_players": "tests/api/test_battles",
    "api_log": "tests/api/gm/test_clock",
    "api_gm_waiting": "tests/api/gm/test_clock",
    "api_gm_phase": "tests/api/gm/test_clock",
    "api_gm_deadline": "tests/api/gm/test_clock",
    "api_gm_closing": "tests/api/gm/test_clock",
    "api_gm_pause": "tests/api/gm/test_clock",
    "api_gm_resumption": "tests/api/gm/test_clock",
    "api_gm_reopening": "tests/api/gm/test_clock",
    "api_gm_retry": "tests/api/gm/test_clock",
    "api_gm_draft": "tests/api/gm/test_drafts",
    "api_gm_judgements": "tests/api/gm/test_drafts",
    "api_gm_messages": "tests/api/gm/test_drafts",
    "api_gm_publication": "tests/api/gm/test_drafts",
    "api_gm_cancelled": "tests/api/gm/test_drafts",
    "api_gm_tries": "tests/api/gm/test_drafts",
    "api_gm_rulings": "tests/api/gm/test_drafts",
    "api_gm_undone": "tests/api/gm/test_drafts",
    "api_gm_rolls": "tests/api/gm/test_drafts",
    "api_gm_check": "tests/api/gm/test_desks",
    "api_gm_sheets": "tests/api/gm/test_desks",
    "api_gm_entered": "tests/api/gm/test_drafts",
    "api_gm_void": "tests/api/gm/test_drafts",
    "api_gm_battles": "tests/api/gm/test_battles",
    "api_gm_by_rules": "tests/api/gm/test_battles",
    "api_gm_decision": "tests/api/gm/test_battles",
    "api_gm_links": "tests/api/gm/test_links",
    "api_gm_revoked_links": "tests/api/gm/test_links",
    "api_gm_posts": "tests/api/gm/test_links",
    "api_gm_received": "tests/api/gm/test_links",
    "api_gm_received_file": "tests/api/gm/test_links",
    "healthz": "tests/gm",
    "readyz": "tests/gm",
}
"""Addresses outside a campaign, or opened by a secret, and the tests of each."""


@pytest.fixture
def sheet(cast: Cast) -> Sheet:
    """A sheet of the German side, at which the others must not look."""
    phase: Phase = live(cast.campaign)
    send(phase, cast.user("german commander"), "ALL OTHERS HOLD")
    return Sheet.objects.get()


def our_routes(resolver: URLResolver | None = None) -> Iterator[str]:
    for pattern in (resolver or get_resolver()).url_patterns:
        if isinstance(pattern, URLResolver) and str(pattern.pattern) != "account/":
            yield from our_routes(pattern)
        elif isinstance(pattern, URLPattern) and pattern.name:
            yield pattern.name


def test_every_route_has_a_declared_outcome() -> None:
    declared = {*READ, *ACTS, *ELSEWHERE}
    assert set(our_routes()) == declared


def address(cast: Cast, name: str, *, slug: str | None = None) -> str:
    parts = READ[name][0] if name in READ else ACTS[name]
    return reverse(name, kwargs={"slug": slug or cast.campaign.slug, **parts})


@pytest.mark.usefixtures("sheet")
@pytest.mark.parametrize("who", sorted(EVERYBODY))
def test_everyone_reads_what_is_for_them_and_nothing_else(cast: Cast, who: str) -> None:
    browser = cast.browser(who)
    for looks in ("seen", "posts"):
        browser.get(address(cast, looks))  # the audit keeps that a GM looked, once
    before = rows()
    expected, found = {}, {}
    for name, (_, readers) in READ.items():
        response = browser.get(address(cast, name))
        found[name] = response.status_code
        is_led_on = who == ANONYMOUS and not name.startswith("public")
        hidden = 302 if is_led_on or (name in LEADS_THE_GM_ON and who in GMS) else 404
        expected[name] = 200 if who in readers else hidden
        if response.status_code == 200:
            assert response.headers["Content-Type"].startswith("text/html") != (name in FILES), name
            assert response.headers["X-Content-Type-Options"] == "nosniff", name
        assert response.headers["Cache-Control"] == "private, no-store", name
        assert not {"ETag", "Last-Modified"} & set(response.headers), name
    assert found == expected
    assert rows() == before, "reading writes nothing"


@pytest.mark.usefixtures("sheet")
@pytest.mark.parametrize("who", ["spectator", OUTSIDER, "allied commander"])
def test_what_is_not_for_somebody_looks_like_what_is_not_there(cast: Cast, who: str) -> None:
    browser = cast.browser(who)
    absent = browser.get("/c/no-such-campaign/stops/")
    for name, (_, readers) in READ.items():
        if who not in readers:
            foreign = browser.get(address(cast, name))
            assert (foreign.status_code, foreign.content) == (404, absent.content), name
            assert dict(foreign.headers) == dict(absent.headers), name


def test_strangers_do_nothing(cast: Cast) -> None:
    anonymous, outsider = cast.browser(ANONYMOUS), cast.browser(OUTSIDER)
    before = rows()
    for name in (*READ, *ACTS):
        assert anonymous.post(address(cast, name), {}).status_code in (302, 405), name
        here = outsider.post(address(cast, name), {})
        nowhere = outsider.post(address(cast, name, slug="no-such-campaign"), {})
        assert here.status_code in (404, 405), name
        assert (here.status_code, here.content) == (nowhere.status_code, nowhere.content), name
    assert rows() == before


def test_what_only_takes_is_not_for_reading(cast: Cast) -> None:
    browser = cast.browser("gm")
    assert {browser.get(address(cast, name)).status_code for name in ACTS} == {405}


def test_nothing_is_taken_without_the_pages_token(cast: Cast) -> None:
    browser = cast.browser("gm")
    browser.handler.enforce_csrf_checks = True
    before = rows()
    for name in (*READ, *ACTS):
        response = browser.post(address(cast, name), {"act": "send", "text": "HOLD 1 SS"})
        assert response.status_code in (403, 405), name
    assert rows() == before
