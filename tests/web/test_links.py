"""Links to maps: who sees what by them, who makes and revokes them, and what is known of those who came."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from campaign import audit
from campaign.links import KEPT, PICTURES, forget_fetches, make_link
from campaign.models import (
    Artefact,
    AuditEntry,
    Campaign,
    Fetch,
    Link,
    Membership,
    OutboxMessage,
    Phase,
    PhaseState,
)
from campaign.people import accept_invitation, change_role, invite, remove
from campaign.seats import Seat, seat_of
from gm.exposure import MOST_STRANGERS
from gm.reopening import reopen
from gm.sweeper import sweep
from gm.verification import edits_of
from tests.gm.campaigns import START, Clock, live, miss, send
from tests.web.conftest import ANONYMOUS, OUTSIDER, PARTS, Cast, rows

pytestmark = pytest.mark.django_db

GERMANS = {"german commander", "german deputy", "german staff", "german tactical"}
EVERYBODY = {*PARTS, OUTSIDER, ANONYMOUS}


def gms(cast: Cast) -> Seat:
    return seat_of(cast.user("gm"), cast.campaign.slug)


def linked(cast: Cast, audience: str = "german", no: int = 0, kind: str = "map") -> str:
    """The path of a link that the GM has made."""
    return f"/m/{make_link(gms(cast), no, audience, kind, now=START).token}.png"


def allow(cast: Cast, *audiences: str) -> None:
    Campaign.objects.filter(pk=cast.campaign.pk).update(open_links=list(audiences))


def fetch(cast: Cast, who: str, path: str, address: str = "203.0.113.7") -> Any:
    return cast.browser(who).get(path, REMOTE_ADDR=address)


def seers(cast: Cast, path: str) -> set[str]:
    return {who for who in EVERYBODY if fetch(cast, who, path).status_code == 200}


# --- who sees what ---------------------------------------------------------------------------------------------------


def test_a_link_shows_the_published_bytes_and_nobody_in_between_keeps_them(cast: Cast) -> None:
    response = fetch(cast, "german staff", linked(cast))
    stored = Artefact.objects.get(phase__no=0, audience="german", kind="map")
    assert response.content == bytes(stored.content)
    assert response.headers["Content-Type"] == "image/png"
    assert response.headers["Cache-Control"] == "private, no-store"
    assert not {"ETag", "Last-Modified"} & set(response.headers)


@pytest.mark.parametrize("kind", PICTURES)
def test_every_picture_has_a_link_of_its_own(cast: Cast, kind: str) -> None:
    paths = {each: linked(cast, kind=each) for each in PICTURES}
    stored = Artefact.objects.get(phase__no=0, audience="german", kind=kind)
    assert fetch(cast, "german staff", paths[kind]).content == bytes(stored.content)
    Link.objects.filter(token=paths[kind][3:-4]).update(revoked_at=START)
    seen = {each for each, path in paths.items() if fetch(cast, "german staff", path).status_code == 200}
    assert seen == set(PICTURES) - {kind}


@pytest.mark.parametrize("kind", ["slice", "view", "html", "chart_text", "", "no such thing"])
def test_nothing_but_pictures_is_linked(cast: Cast, kind: str) -> None:
    fields = {"stop": 0, "audience": "german", "kind": kind}
    assert cast.browser("german commander").post(cast.address("links/make/"), fields).status_code == 404
    assert not Link.objects.exists()


def test_by_default_a_link_is_for_its_audience_and_the_gm(cast: Cast) -> None:
    assert seers(cast, linked(cast, "german")) == {"gm", "co-gm", *GERMANS}
    assert seers(cast, linked(cast, "allied")) == {"gm", "co-gm", "allied commander", "allied staff", "allied tactical"}


def test_where_the_gm_allows_it_whoever_has_the_link_sees_the_map_of_that_side_alone(cast: Cast) -> None:
    allow(cast, "allied")
    assert seers(cast, linked(cast, "allied")) == EVERYBODY
    assert seers(cast, linked(cast, "german")) == {"gm", "co-gm", *GERMANS}


def test_the_publics_map_is_for_members_alone_where_the_campaign_is_not_public(cast: Cast) -> None:
    path = linked(cast, "public")
    assert seers(cast, path) == EVERYBODY
    Campaign.objects.update(public=False)
    assert seers(cast, path) == set(PARTS)
    allow(cast, "public")
    assert seers(cast, path) == EVERYBODY


def test_the_setting_works_at_once_and_both_ways(cast: Cast) -> None:
    fields = {"stop_hours": 24, "time_zone": "UTC", "reminder_hours": 6, "battle_hours": 24, "public": "on"}
    path, browser = linked(cast), cast.browser("gm")
    settings = browser.get(cast.address("desk/settings/")).content.decode()
    assert "Whoever has a link sees the pictures of" in settings
    assert not re.search('name="open_links"[^>]*checked', settings)
    browser.post(cast.address("desk/settings/"), fields | {"open_links": ["german"]})
    assert fetch(cast, ANONYMOUS, path).status_code == 200
    browser.post(cast.address("desk/settings/"), fields)
    assert fetch(cast, ANONYMOUS, path).status_code == 404


def test_the_gms_own_map_is_never_linked(cast: Cast) -> None:
    answer = cast.browser("gm").post(cast.address("links/make/"), {"stop": 0, "audience": "gm"})
    assert answer.status_code == 404
    assert not Link.objects.exists()


def test_a_token_has_128_bits_of_chance(cast: Cast) -> None:
    paths = {linked(cast, audience) for audience in ("german", "allied", "public")}
    assert len(paths) == 3
    assert all(re.fullmatch(r"/m/[0-9a-f]{32}\.png", path) for path in paths)


@pytest.mark.parametrize("who", [ANONYMOUS, OUTSIDER, "allied commander", "spectator"])
def test_foreign_revoked_withdrawn_and_absent_links_look_the_same(cast: Cast, who: str) -> None:
    foreign, absent = linked(cast), f"/m/{'0' * 32}.png"
    revoked = linked(cast, "public")
    Link.objects.filter(token=revoked[3:-4]).update(revoked_at=START)
    browser, found = cast.browser(who), {}
    for path in (absent, foreign, revoked):
        with CaptureQueriesContext(connection) as queries:
            answer = browser.get(path)
        asked = [re.sub(r"[0-9a-f]{32}|\d\d:\d\d:\d\d\.\d+", "", query["sql"]) for query in queries]
        found[path] = (answer.status_code, answer.content, dict(answer.headers), asked)
    assert found[foreign] == found[revoked] == found[absent]
    assert found[absent][0] == 404
    assert not Fetch.objects.exists()


@pytest.mark.parametrize("token", ["", "0" * 31, "0" * 33, "G" * 32, "é" * 32])
def test_what_is_no_token_is_not_there_either(token: str) -> None:
    absent = Client().get(f"/m/{'0' * 32}.png")
    strange = Client().get(f"/m/{token}.png")
    assert (strange.status_code, strange.content) == (404, absent.content)


def test_a_stop_that_is_opened_anew_takes_its_links_along(cast: Cast) -> None:
    phase = live(cast.campaign)
    miss(phase)
    allow(cast, "german")
    path = linked(cast, no=phase.no)
    assert fetch(cast, ANONYMOUS, path).status_code == 200
    reopen(gms(cast), reason="a wrong map")
    assert fetch(cast, "german commander", path).status_code == 404
    assert "no link yet" in cast.browser("german commander").get(cast.address("links/")).content.decode()


def test_a_draft_cannot_be_linked(cast: Cast) -> None:
    Campaign.objects.update(reviewed=True)
    phase = live(cast.campaign)
    send(phase, cast.user("german commander"), "READY", ready=True)
    sweep(worker="one")
    assert Phase.objects.get(pk=phase.pk).state == PhaseState.REVIEW
    for who, audience in (("gm", "german"), ("german commander", "german")):
        answer = cast.browser(who).post(cast.address("links/make/"), {"stop": phase.no, "audience": audience})
        assert answer.status_code == 404


# --- who makes and revokes -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("who", sorted(EVERYBODY))
def test_commanders_govern_their_own_links_and_the_gm_all(cast: Cast, who: str) -> None:
    browser, governs = cast.browser(who), who in {"gm", "co-gm", "german commander", "german deputy"}
    token = linked(cast, "german")[3:-4]
    page = browser.get(cast.address("links/"))
    refused = 302 if who == ANONYMOUS else 404
    assert page.status_code == (200 if governs or who == "allied commander" else refused)
    assert (token in page.content.decode()) == governs
    before = rows()
    revoked = browser.post(cast.address("links/revoke/"), {"link": token})
    made = browser.post(cast.address("links/make/"), {"stop": 0, "audience": "german"})
    assert {made.status_code, revoked.status_code} == {302 if governs else refused}
    assert (rows() != before) == governs


def test_nobody_but_their_side_touches_links(cast: Cast) -> None:
    path = linked(cast, "german")
    browsers = [cast.browser(who) for who in ("allied commander", "german staff", "spectator", OUTSIDER)]
    before = rows()
    for browser in browsers:
        absent = browser.post(cast.address("links/revoke/"), {"link": "0" * 32})
        foreign = browser.post(cast.address("links/revoke/"), {"link": path[3:-4]})
        assert (foreign.status_code, foreign.content) == (404, absent.content)
        assert browser.post(cast.address("links/make/"), {"stop": 0, "audience": "german"}).status_code == 404
    assert rows() == before


def test_a_picture_has_one_live_link_and_a_revoked_one_stays_dead(cast: Cast) -> None:
    browser = cast.browser("german commander")
    for _ in range(2):
        browser.post(cast.address("links/make/"), {"stop": 0, "audience": "german"})
    first = Link.objects.get()
    assert fetch(cast, "german staff", f"/m/{first.token}.png").status_code == 200
    browser.post(cast.address("links/revoke/"), {"link": first.token})
    browser.post(cast.address("links/revoke/"), {"link": first.token})
    assert fetch(cast, "german staff", f"/m/{first.token}.png").status_code == 404
    browser.post(cast.address("links/make/"), {"stop": 0, "audience": "german"})
    second = Link.objects.get(revoked_at=None)
    assert second.token != first.token
    assert fetch(cast, "german staff", f"/m/{second.token}.png").status_code == 200
    acts = AuditEntry.objects.filter(act__contains="link").order_by("no").values_list("act", flat=True)
    assert list(acts) == ["link", "revoke link", "link"]


def test_the_page_of_a_stop_gives_the_link_to_paste(cast: Cast) -> None:
    commander, staff = cast.browser("german commander"), cast.browser("german staff")
    assert "Make a link to the map" in commander.get(cast.address()).content.decode()
    assert "Make a link to the map" not in staff.get(cast.address()).content.decode()
    commander.post(cast.address("links/make/"), {"stop": 0, "audience": "german"})
    for browser in (commander, staff):
        page = browser.get(cast.address("stops/0/")).content.decode()
        assert f"[img]http://localhost:8000/m/{Link.objects.get().token}.png[/img]" in page
        assert "only to who is logged in" in page
    assert Link.objects.get().token not in cast.browser("allied commander").get(cast.address()).content.decode()
    allow(cast, "german")
    assert "only to who is logged in" not in staff.get(cast.address()).content.decode()


# --- who came --------------------------------------------------------------------------------------------------------


def test_what_an_older_release_published_offers_no_link_to_what_is_not_there(cast: Cast) -> None:
    Artefact.objects.filter(kind__in=("chart", "thumbnail")).delete()
    page = cast.browser("german commander").get(cast.address("stops/0/")).content.decode()
    assert "Make a link to the map" in page
    assert "Make a link to the chart" not in page
    assert "Make a link to the thumbnail" not in page


def test_who_fetched_is_known_by_name_or_by_a_mark_and_no_address_is_kept(cast: Cast, time: Clock) -> None:
    path = linked(cast)
    allow(cast, "german")
    for who, address in (
        ("german staff", "198.51.100.1"),
        (ANONYMOUS, "203.0.113.7"),
        (ANONYMOUS, "203.0.113.99"),
        (ANONYMOUS, "203.0.114.7"),
        ("allied commander", "192.0.2.1"),
        (OUTSIDER, "192.0.2.77"),
    ):
        time.forward(minutes=1)
        assert fetch(cast, who, path, address).status_code == 200
    kept = list(Fetch.objects.order_by("first_at").values_list("user__username", "times"))
    assert kept == [("german staff", 1), (None, 2), (None, 1), ("allied commander", 1), (None, 1)]
    everything = repr(rows())
    assert not [part for part in ("203.0.113", "198.51.100", "192.0.2") if part in everything]
    own, gm = (cast.browser(who).get(cast.address("links/")).content.decode() for who in ("german commander", "gm"))
    assert "Fetched by 5" in own
    assert "german staff" in own
    assert "allied commander" not in own
    assert "allied commander" in gm
    assert own.count("visitor ") - own.count("a visitor ") >= 4


def test_nobody_tries_addresses_on_a_mark_who_has_not_the_servers_secret(cast: Cast, settings: Settings) -> None:
    path = linked(cast)
    allow(cast, "german")
    fetch(cast, ANONYMOUS, path)
    settings.SECRET_KEY = "another"  # noqa: S105
    fetch(cast, ANONYMOUS, path)
    assert len(set(Fetch.objects.values_list("mark", flat=True))) == 2


def test_it_is_forgotten_after_a_while_who_fetched_what(cast: Cast, time: Clock) -> None:
    fetch(cast, "german staff", linked(cast))
    assert forget_fetches(time.now + KEPT) == 0
    time.forward(days=KEPT.days, seconds=1)
    sweep(worker="one")
    assert not Fetch.objects.exists()


# --- exposure --------------------------------------------------------------------------------------------------------

WHAT = "your map was posted in the public thread"


def expose(cast: Cast, browser: Client | None = None, **more: str) -> Any:
    fields = {"stop": "0.0", "side": "german", "what": WHAT, "tell_all": "on"} | more
    sent = {name: value for name, value in fields.items() if value}
    return (browser or cast.browser("gm")).post(cast.address("desk/exposure/"), sent)


def told(audience: str) -> str:
    """What the mails about an exposure say to an audience."""
    mails = OutboxMessage.objects.filter(kind="exposure", audience=audience).values_list("message", flat=True)
    return " ".join(" ".join(bytes(mail).decode().replace("=\r\n", "").split()) for mail in mails)


def test_one_act_revokes_records_and_tells(cast: Cast) -> None:
    allow(cast, "german", "allied")
    german, allied = linked(cast, "german"), linked(cast, "allied")
    for address in ("203.0.113.7", "203.0.114.7"):
        fetch(cast, ANONYMOUS, german, address)
    assert expose(cast).status_code == 302
    assert fetch(cast, ANONYMOUS, german).status_code == 404
    assert fetch(cast, "german commander", german).status_code == 404
    assert fetch(cast, ANONYMOUS, allied).status_code == 200
    subject = AuditEntry.objects.get(act="exposure").subject
    assert (subject["phase"], subject["side"], subject["what"]) == (0, "german", WHAT)
    assert (subject["revoked"], subject["visitors"], subject["fetches"]) == (1, 2, 2)
    assert WHAT in told("german")
    assert "2 visitors had followed them" in told("german")
    assert WHAT not in told("allied")
    assert "visitor" not in told("allied")
    assert "tells the GM" in told("allied")
    page = cast.browser("gm").get(cast.address("desk/exposure/")).content.decode()
    assert WHAT in page
    assert "the campaign goes on" not in page
    assert not live(cast.campaign).held


def joined(cast: Cast) -> None:
    """Put on the record when everybody joined, as invitations do."""
    for member in Membership.objects.filter(campaign=cast.campaign):
        subject: dict[str, str | int] = {"person": member.user_id, "role": member.role, "side": member.side}
        audit.record(cast.campaign, "join", subject, at=member.joined_at, rows=[member])


def visits(cast: Cast) -> list[str]:
    """What the page says of the visits of all exposures."""
    page = cast.browser("gm").get(cast.address("desk/exposure/")).content.decode()
    lines = [re.sub(r"<[^>]+>", "", line) for line in re.findall(r"<li>(.*?, map: .*?)</li>", page)]
    return [re.sub(r"visitor \w{12}", "visitor", line) for line in lines]


def test_who_fetched_what_when_stays_on_record_and_the_sides_own_are_told_apart(cast: Cast, time: Clock) -> None:
    joined(cast)
    allow(cast, "german")
    path = linked(cast, no=1)
    for who in ("german staff", "gm", "allied commander", OUTSIDER, OUTSIDER):
        time.forward(minutes=1)
        fetch(cast, who, path)
    expose(cast, stop="1.0")
    assert "4 visitors had followed them, 2 of them of the German side or GM." in told("german")
    subject = AuditEntry.objects.get(act="exposure").subject
    assert (subject["visitors"], subject["own"], subject["fetches"]) == (4, 2, 5)
    assert [fault for fault in edits_of(cast.campaign) if fault.where.startswith("record")] == []
    reopen(gms(cast), reason="the enemy has seen the map")
    forget_fetches(time.now + 2 * KEPT)
    assert not Fetch.objects.exists()
    assert visits(cast) == [
        "german staff (German side), map: Sun 1 Mar 2026, 12:01 UTC",
        "gm (GM), map: Sun 1 Mar 2026, 12:02 UTC",
        "allied commander (Allied side), map: Sun 1 Mar 2026, 12:03 UTC",
        "visitor, map: Sun 1 Mar 2026, 12:04 UTC, 2 times, last Sun 1 Mar 2026, 12:05 UTC",
    ]


def test_who_has_left_since_was_of_his_side_when_he_fetched(cast: Cast, time: Clock) -> None:
    joined(cast)
    path = linked(cast)
    for _ in range(2):
        fetch(cast, "german staff", path)
        time.forward(minutes=1)
    remove(gms(cast), cast.member("german staff"), now=time.now)
    expose(cast)
    assert "1 visitor had followed them, 1 of them of the German side or GM." in told("german")
    assert visits(cast) == [
        "german staff (German side), map: Sun 1 Mar 2026, 12:00 UTC, 2 times, last Sun 1 Mar 2026, 12:01 UTC"
    ]


def test_who_joined_the_side_after_he_fetched_was_none_of_it(cast: Cast, time: Clock) -> None:
    """Not even if he fetched again, the same picture or another."""
    joined(cast)
    allow(cast, "german")
    paths = [linked(cast), linked(cast, kind="chart")]
    fetch(cast, "spectator", paths[0])
    time.forward(minutes=1)
    change_role(gms(cast), cast.member("spectator"), role="staff", side="german", now=time.now)
    time.forward(minutes=1)
    for path in paths:
        fetch(cast, "spectator", path)
    expose(cast)
    assert "1 visitor had followed them." in told("german")
    kept = AuditEntry.objects.get(act="exposure").subject["visits"]
    assert [(visit["picture"], visit["part"], visit["times"]) for visit in kept] == [
        ("map", "public", 2),
        ("chart", "german", 1),
    ]


def test_who_left_and_came_back_as_something_else_was_what_he_was(cast: Cast, time: Clock) -> None:
    joined(cast)
    path, token = linked(cast), invite(gms(cast), role="spectator", side="", meant_for="him", now=time.now)
    fetch(cast, "german staff", path)
    time.forward(minutes=1)
    remove(gms(cast), cast.member("german staff"), now=time.now)
    accept_invitation(token, cast.user("german staff"), now=time.now)
    expose(cast)
    (visit,) = visits(cast)
    assert visit.startswith("german staff (German side), map")


@pytest.mark.parametrize(
    ("more", "said"), [(0, ""), (1, "<li>and 1 more stranger</li>"), (1234, "<li>and 1,234 more strangers</li>")]
)
def test_of_strangers_the_first_hundred_are_kept_and_all_are_counted(
    cast: Cast, time: Clock, more: int, said: str
) -> None:
    joined(cast)
    path, strangers = linked(cast), MOST_STRANGERS + more
    link, at = Link.objects.get(), time.now
    Fetch.objects.bulk_create(
        Fetch(link=link, mark=f"{number:012x}", first_at=at, last_at=at) for number in range(strangers)
    )
    time.forward(hours=1)
    fetch(cast, "german staff", path)
    expose(cast)
    subject = AuditEntry.objects.get(act="exposure").subject
    assert (subject["visitors"], subject["own"], subject["fetches"]) == (strangers + 1, 1, strangers + 1)
    marks = [visit["mark"] for visit in subject["visits"]]
    assert marks[:-1] == [f"{number:012x}" for number in range(MOST_STRANGERS)]
    assert visits(cast)[-1].startswith("german staff")
    page = cast.browser("gm").get(cast.address("desk/exposure/")).content.decode()
    assert re.findall("<li>and .*?</li>", page) == ([said] if said else [])


def test_what_was_published_can_be_exposed_when_it_is_withdrawn_and_that_is_told(cast: Cast) -> None:
    allow(cast, "german")
    path = linked(cast, no=1)
    fetch(cast, ANONYMOUS, path)
    OutboxMessage.objects.all().delete()
    reopen(gms(cast), reason="the wrong map")
    assert "(withdrawn)" in cast.browser("gm").get(cast.address("desk/exposure/")).content.decode()
    assert expose(cast, stop="1.0").status_code == 302
    assert Link.objects.get().revoked_at is not None
    assert "led there until the stop was withdrawn" in told("german")
    sweep(worker="one")
    assert set(OutboxMessage.objects.filter(kind="exposure").values_list("state", flat=True)) == {"sent"}


def test_that_something_was_seen_is_told_although_its_stop_is_reopened_at_once(cast: Cast) -> None:
    expose(cast, stop="1.0")
    reopen(gms(cast), reason="the enemy has seen the map")
    sweep(worker="one")
    assert set(OutboxMessage.objects.filter(kind="exposure").values_list("state", flat=True)) == {"sent"}


def test_exposure_revokes_the_links_to_every_picture(cast: Cast) -> None:
    paths = [linked(cast, kind=kind) for kind in PICTURES]
    expose(cast)
    assert {fetch(cast, "german staff", path).status_code for path in paths} == {404}
    assert f"{len(PICTURES)} links to its pictures led there" in told("german")


def test_new_links_can_be_made_afterwards_and_a_second_exposure_is_told_again(cast: Cast) -> None:
    allow(cast, "german")
    for _ in range(2):
        path = linked(cast)
        assert fetch(cast, ANONYMOUS, path).status_code == 200
        expose(cast)
        assert fetch(cast, ANONYMOUS, path).status_code == 404
    assert OutboxMessage.objects.filter(kind="exposure", user__username="german commander").count() == 2
    assert Link.objects.filter(revoked_at=None).count() == 0


def test_the_others_are_told_only_if_the_gm_wishes(cast: Cast) -> None:
    expose(cast, tell_all="")
    assert told("german")
    assert told("gm")
    assert not told("allied")


def test_the_gm_may_hold_the_campaign_with_it(cast: Cast) -> None:
    expose(cast, hold="on")
    assert live(cast.campaign).held
    assert "is held already" in expose_again(cast)


def expose_again(cast: Cast) -> str:
    fields = {"stop": "0.0", "side": "german", "what": WHAT, "hold": "on"}
    return cast.browser("gm").post(cast.address("desk/exposure/"), fields, follow=True).content.decode()


@pytest.mark.parametrize(
    "fields",
    [
        {"stop": "99.0"},
        {"stop": "2.0"},
        {"stop": "x"},
        {"side": "public"},
        {"side": "gm"},
        {"what": ""},
        {"what": "a\u202eb"},
    ],
)
def test_what_cannot_be_exposed_is_said_and_changes_nothing(cast: Cast, fields: dict[str, str]) -> None:
    browser = cast.browser("gm")
    before = rows()
    assert expose(cast, browser, **fields).status_code == 422
    assert rows() == before


@pytest.mark.parametrize("who", ["german commander", "allied commander", "spectator", OUTSIDER])
def test_exposure_is_the_gms(cast: Cast, who: str) -> None:
    browser = cast.browser(who)
    before = rows()
    assert expose(cast, browser).status_code == 404
    assert rows() == before


def test_a_side_sees_nothing_of_the_others_links(cast: Cast) -> None:
    browser = cast.browser("german commander")
    masked = re.compile('(csrfmiddlewaretoken" value="|X-CSRFToken": ")[^"]*')
    first = masked.sub("", browser.get(cast.address("links/")).content.decode())
    fetch(cast, "allied commander", linked(cast, "allied"))
    allow(cast, "allied")
    assert masked.sub("", browser.get(cast.address("links/")).content.decode()) == first


def test_the_age_of_fetches_counts_from_the_last(cast: Cast, time: Clock) -> None:
    path = linked(cast)
    fetch(cast, "german staff", path)
    time.forward(days=60)
    fetch(cast, "german staff", path)
    assert forget_fetches(time.now + timedelta(days=60)) == 0
    assert Fetch.objects.get().times == 2
