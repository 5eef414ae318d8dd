"""How often somebody may try: counted in the database by account and by address, whatever cache there is."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client, RequestFactory
from pytest_django import Settings

from campaign.links import make_link
from campaign.models import AuditEntry, Campaign, OutboxMessage, Tries
from campaign.people import entrances
from campaign.people.sessions import is_known_browser
from campaign.people.throttles import CODES_A_DAY, CODES_TO_ALL, ENTRANCES, NEIGHBOURS, Limit, allows, forget_tries
from campaign.viewers import viewer_of
from gm.machine.sweeper import sweep
from orders.models import Draft, Sheet
from tests.gm.campaigns import START, Clock, live
from tests.web.campaigns.test_founding import FOUNDING
from tests.web.conftest import ANONYMOUS, OUTSIDER, Cast
from tests.web.people.test_accounts import code
from tests.web.sheets.test_sheet import fields

pytestmark = pytest.mark.django_db

SOMETHING = Limit("something", timedelta(minutes=1), 3)


def tried(who: str, times: int, limit: Limit = SOMETHING) -> list[bool]:
    return [allows(limit, who, most=limit.number) for _ in range(times)]


def test_tries_are_limited_until_the_window_is_over(time: Clock) -> None:
    assert tried("one", 5) == [True, True, True, False, False]
    assert tried("another", 1) == [True]
    assert tried("one", 1, Limit("else", timedelta(minutes=1), 3)) == [True]
    time.forward(minutes=1)
    assert tried("one", 1) == [True]


@pytest.mark.usefixtures("time")
def test_nobody_can_read_off_the_table_who_tried() -> None:
    tried("from 203.0.113.7/32", 1)
    assert "203.0" not in repr(list(Tries.objects.values()))


def test_past_windows_are_swept_away(time: Clock) -> None:
    tried("one", 1)
    assert forget_tries(time.now) == 0
    time.forward(minutes=1)
    sweep(worker="one")
    assert not Tries.objects.exists()


@pytest.mark.usefixtures("time")
def test_a_try_whose_window_is_swept_away_while_it_is_counted_is_let_through() -> None:
    tried("one", 3)
    swept: list[str] = []

    def sweeping(execute: Any, sql: str, *rest: Any) -> Any:
        if sql.startswith("SELECT") and not swept:
            swept.append(sql)
            Tries.objects.all().delete()
        return execute(sql, *rest)

    with connection.execute_wrapper(sweeping):
        assert allows(SOMETHING, "one", most=SOMETHING.number)
    assert "campaign_tries" in swept[0]


@pytest.mark.usefixtures("cast")
def test_the_limits_apply_without_any_cache(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    assert settings.CACHES["default"]["BACKEND"] == "django.core.cache.backends.db.DatabaseCache"
    for name in ("get", "set", "add", "incr"):
        monkeypatch.setattr(cache, name, broken, raising=False)
    codes = [
        Client().post("/enter/", {"sesame": "A" * 40}).status_code for _ in range(ENTRANCES.number * NEIGHBOURS + 1)
    ]
    assert set(codes[:-1]) == {410}
    assert codes[-1] == 429


def broken(*_: object, **__: object) -> None:
    raise ConnectionError("no cache")


def test_a_player_who_sends_too_fast_waits_and_nobody_else_does(cast: Cast, time: Clock, settings: Settings) -> None:
    settings.SHEETS_PER_MINUTE = 2
    commander, staff = cast.browser("german commander"), cast.browser("allied commander")

    def sent(no: int) -> int:
        form = fields(cast, text=f"NOTE {no}", key=str(no), version=Sheet.objects.count())
        return int(commander.post(cast.address("orders/HQ/"), form).status_code)

    assert [sent(no) for no in range(3)] == [302, 302, 429]
    assert staff.post(cast.address("orders/HQ/check/"), {"text": "NOTE x"}).status_code == 200
    assert commander.get(cast.address("orders/HQ/")).status_code == 200
    time.forward(minutes=1)
    assert sent(3) == 302
    assert Sheet.objects.count() == 3


def test_a_player_who_typed_too_much_is_told_so_and_still_submits(cast: Cast, settings: Settings) -> None:
    settings.SHEETS_PER_MINUTE = 2
    browser, form = cast.browser("german commander"), fields(cast, text="NOTE x")
    paths = ("orders/HQ/draft/", "orders/HQ/check/", "orders/HQ/check/", "orders/HQ/draft/", "orders/HQ/")
    assert [browser.post(cast.address(path), form).status_code for path in paths] == [200, 200, 429, 429, 302]
    answer = browser.post(cast.address("orders/HQ/draft/"), form, headers={"HX-Request": "true"})
    assert (answer.status_code, b"Draft not saved" in answer.content) == (200, True)
    answer = browser.post(cast.address("orders/HQ/check/"), form, headers={"HX-Request": "true"})
    assert (answer.status_code, b"Not checked" in answer.content) == (200, True)
    assert Sheet.objects.get().text == "NOTE x"


@pytest.mark.parametrize("act", ["send", "ready", "draft"])
def test_a_sheet_that_was_sent_too_fast_is_not_lost(cast: Cast, settings: Settings, act: str) -> None:
    settings.SHEETS_PER_MINUTE = 1
    browser = cast.browser("german commander")
    browser.post(cast.address("orders/HQ/"), fields(cast, act="check"))
    refused = browser.post(cast.address("orders/HQ/"), fields(cast, act=act, text="MOVE <1 SS> to K14"))
    assert refused.status_code == 429
    assert "MOVE &lt;1 SS&gt; to K14" in refused.content.decode()
    assert "saved as a draft" in refused.content.decode()
    assert Draft.objects.get().text == "MOVE <1 SS> to K14"
    assert not Sheet.objects.exists()


def test_a_sheet_sent_too_fast_that_cannot_be_kept_is_shown(cast: Cast, settings: Settings) -> None:
    settings.SHEETS_PER_MINUTE = 1
    browser = cast.browser("german commander")
    browser.post(cast.address("orders/HQ/"), fields(cast, text="NOTE newer"))
    refused = browser.post(cast.address("orders/HQ/"), fields(cast, text="NOTE older", key="another"))
    assert refused.status_code == 429
    assert "NOTE older" in refused.content.decode()
    assert "not saved as a draft either: you submitted version 1" in refused.content.decode()
    assert not Draft.objects.exists()


def test_a_visitor_who_changes_accounts_is_stopped_by_their_address(cast: Cast, settings: Settings) -> None:
    settings.SHEETS_PER_MINUTE = 1
    browsers = [cast.browser(who) for who in ("german commander", "german deputy", "allied commander", "gm", "co-gm")]
    check = [browser.post(cast.address("orders/HQ/check/"), {"text": ""}).status_code for browser in browsers]
    assert check == [200] * 5
    assert cast.browser("german staff").post(cast.address("orders/HQ/check/"), {"text": ""}).status_code == 429


def test_a_limit_can_be_lifted(cast: Cast, settings: Settings) -> None:
    settings.SHEETS_PER_MINUTE = 0
    browser = cast.browser("german commander")
    for _ in range(3):
        assert browser.post(cast.address("orders/HQ/check/"), {"text": ""}).status_code == 200
    assert not Tries.objects.exists()


LOGIN, OWNER = "/account/login/", "outsider@example.org"


def asked(address: str, *, at: str = "203.0.113.7", mark: str = "") -> bool:
    """Whether somebody who asks for a code is led to the page for it. allauth's own limit, of visitors, is no part."""
    cache.clear()
    browser = Client()
    browser.cookies["known"] = mark
    answer = browser.post(LOGIN, {"login": address}, REMOTE_ADDR=at)
    return answer.status_code == 302


@pytest.mark.usefixtures("cast")
def test_a_mailbox_is_not_flooded_by_who_asks_for_codes_all_day(time: Clock) -> None:
    for _ in range(30):
        asked(OWNER)
        time.forward(minutes=1)
    assert OutboxMessage.objects.count() == 20


@pytest.mark.usefixtures("cast", "time")
def test_who_knows_an_address_does_not_use_up_the_codes_of_its_owner() -> None:
    assert [asked(OWNER.upper()) for _ in range(4)] == [True, True, True, False]
    assert not asked(OWNER, at="203.0.113.99"), "the same network"
    assert asked(OWNER, at="198.51.100.1")


@pytest.mark.usefixtures("time")
def test_a_browser_in_which_somebody_signed_in_gets_its_codes_whatever_strangers_ask(cast: Cast) -> None:
    browser = Client()
    signs_in(cast, browser)
    browser.post("/account/logout/")
    assert browser.cookies["known"]["httponly"]
    assert browser.cookies["known"]["samesite"] == "Lax"
    mark = browser.cookies["known"].value
    assert [asked(OWNER) for _ in range(4)] == [True, True, True, False]
    assert [asked(OWNER, mark=mark) for _ in range(4)] == [True, True, True, False], "its own are counted too"
    assert not asked(OWNER)


def test_a_browser_in_which_somebody_changes_their_address_is_known_by_the_new_one(cast: Cast) -> None:
    browser = Client()
    signs_in(cast, browser)
    browser.post("/account/email/", {"action_add": "", "email": "new@example.org"})
    assert not is_marked(browser, "new@example.org"), "not before the code has come"
    browser.post("/account/confirm-email/", {"code": code()})
    assert cast.user(OUTSIDER).email == "new@example.org"
    assert is_marked(browser, "new@example.org")
    assert not is_marked(browser, OWNER)


def is_marked(browser: Client, address: str) -> bool:
    request = RequestFactory().get("/")
    request.COOKIES["known"] = browser.cookies["known"].value
    return is_known_browser(request, address)


def test_a_mark_of_a_browser_is_of_one_address_and_made_by_nobody_else(cast: Cast) -> None:
    browser = Client()
    signs_in(cast, browser)
    mark = browser.cookies["known"].value
    for address, given, expected in ((OWNER, mark, True), ("gm@example.org", mark, False), (OWNER, "é" * 64, False)):
        request = RequestFactory().get("/")
        request.COOKIES["known"] = given
        assert is_known_browser(request, address) is expected
    assert not is_known_browser(RequestFactory().get("/"), "")


def signs_in(cast: Cast, browser: Client) -> None:
    token = entrances.entrance_link(cast.user(OUTSIDER)).rpartition("=")[2]
    assert browser.post("/enter/", {"sesame": token}).status_code == 302


@pytest.mark.usefixtures("cast")
def test_codes_to_one_address_have_a_limit_for_all_networks_together(time: Clock) -> None:
    """Whoever has many networks still guesses at few codes a day. Refused requests count for nobody else."""
    for no in range(CODES_TO_ALL.number):
        assert allows(CODES_TO_ALL, OWNER, most=CODES_TO_ALL.number), no
    assert not asked(OWNER)
    assert asked("stranger0@example.org")
    time.forward(days=1)
    assert [asked(OWNER) for _ in range(10)].count(True) == 3
    assert Tries.objects.filter(until__gt=time.now + timedelta(minutes=1), count=3).count() == 2


@pytest.mark.usefixtures("cast", "time")
@pytest.mark.parametrize("limit", [CODES_A_DAY, CODES_TO_ALL], ids=lambda limit: limit.what)
@pytest.mark.parametrize("address", [OWNER, "stranger0@example.org"])
def test_a_limit_of_a_day_says_tomorrow(address: str, limit: Limit) -> None:
    for _ in range(limit.number):
        allows(limit, address if limit is CODES_TO_ALL else f"{address} from 127.0.0.0/24", most=limit.number)
    page = Client().post(LOGIN, {"login": address}).content.decode()
    assert "Too many codes were requested for this address today. Try again tomorrow," in page
    assert "Wait a few minutes" not in page


@pytest.mark.usefixtures("cast", "time")
@pytest.mark.parametrize("address", [OWNER, "stranger0@example.org"])
def test_a_limit_on_codes_reads_the_same_with_and_without_an_account(address: str) -> None:
    page = ""
    for _ in range(4):
        answer = Client().post(LOGIN, {"login": address})
        page = answer.content.decode()
    assert "Too many attempts. Wait a few minutes, then try again." in page


HOURLY = Limit("hourly", timedelta(hours=1), 1)


def test_only_campaigns_that_could_be_created_count_and_the_wait_is_named(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("campaign.views.creation.FOUNDINGS", HOURLY)
    browser = cast.browser(OUTSIDER)
    faulty = [browser.post("/new/", FOUNDING | {"slug": "two words"}).status_code for _ in range(3)]
    assert faulty == [422] * 3
    assert browser.post("/new/", FOUNDING).status_code == 302
    refused = browser.post("/new/", FOUNDING | {"slug": "another", "title": "Fall <Blau>"})
    assert refused.status_code == 429
    assert "Wait up to an hour" in refused.content.decode()
    assert "Fall &lt;Blau&gt;" in refused.content.decode()
    assert not Campaign.objects.filter(slug="another").exists()


def test_a_gm_who_mails_too_much_gets_their_words_back(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gm.views.clock.MAILINGS", HOURLY)
    browser, phase = cast.browser("gm"), live(cast.campaign)
    form = {"seen": f"{phase.no}.{phase.rev}", "act": "hold"}
    for _ in range(2):
        browser.post(cast.address("desk/clock/"), form | {"reason": ""})
    assert browser.post(cast.address("desk/clock/"), form | {"reason": "a storm"}).status_code == 302
    refused = browser.post(cast.address("desk/clock/"), form | {"reason": "another <storm>"})
    assert refused.status_code == 429
    assert "another &lt;storm&gt;" in refused.content.decode()
    assert "Wait up to an hour" in refused.content.decode()


def test_a_map_is_revoked_however_much_was_mailed(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gm.views.exposure.MAILINGS", HOURLY)
    browser, gm = cast.browser("gm"), viewer_of(cast.user("gm"), cast.campaign.slug)
    form = {"stop": "0.0", "side": "german", "what": "it was posted", "hold": "on"}
    assert browser.post(cast.address("desk/exposure/"), form | {"hold": ""}).status_code == 302
    mailed = OutboxMessage.objects.count()
    link = make_link(gm, 0, "german", now=START)
    answer = browser.post(cast.address("desk/exposure/"), form)
    link.refresh_from_db()
    assert link.revoked_at is not None
    assert AuditEntry.objects.filter(act="exposure").count() == 2
    assert (answer.status_code, OutboxMessage.objects.count()) == (429, mailed)
    page = answer.content.decode()
    assert "Links revoked: 1" in page
    assert "nobody was notified" in page
    assert "it was posted" in page.split("<h2>")[0], "in the form, to be sent again"
    assert not live(cast.campaign).held


def test_reading_is_not_counted(cast: Cast) -> None:
    for who in (ANONYMOUS, OUTSIDER, "gm"):
        browser = cast.browser(who)
        for path in ("/", "/enter/?sesame=x", cast.address("orders/"), cast.address("desk/exposure/")):
            browser.get(path)
    assert not Tries.objects.exists()
