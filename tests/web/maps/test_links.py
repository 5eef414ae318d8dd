"""Links to maps: who sees what by them, who makes and revokes them, and what is known of those who came."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from campaign.links import KEPT, MOST_VISITS, PICTURES, forget_fetches, watched
from campaign.models import Artefact, AuditEntry, Campaign, Fetch, Link, Phase, PhaseState
from campaign.viewers import viewer_of
from gm.desk.reopening import reopen
from gm.machine.sweeper import sweep
from tests.gm.campaigns import START, Clock, live, miss, review_drafts, send
from tests.web.conftest import ANONYMOUS, OUTSIDER, PARTS, Cast, rows
from tests.web.linking import allow, fetch, gms, linked

pytestmark = pytest.mark.django_db

GERMANS = {"german commander", "german deputy", "german staff", "german tactical"}
EVERYBODY = {*PARTS, OUTSIDER, ANONYMOUS}


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


def test_where_the_gm_allows_it_anyone_with_the_link_sees_the_map_of_that_side_alone(cast: Cast) -> None:
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
    fields = {
        "full_hours": 24,
        "full_mailing": "reports",
        "time_zone": "UTC",
        "reminder_hours": 6,
        "battle_hours": 24,
        "public": "on",
    }
    path, browser = linked(cast), cast.browser("gm")
    settings = browser.get(cast.address("desk/settings/")).content.decode()
    assert "Pictures whose links work without signing in" in settings
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


def test_a_phase_that_is_reopened_takes_its_links_along(cast: Cast) -> None:
    phase = live(cast.campaign)
    miss(phase)
    allow(cast, "german")
    path = linked(cast, no=phase.no)
    assert fetch(cast, ANONYMOUS, path).status_code == 200
    reopen(gms(cast), reason="a wrong map")
    assert fetch(cast, "german commander", path).status_code == 404
    assert "no links yet" in cast.browser("german commander").get(cast.address("links/")).content.decode()


def test_a_draft_cannot_be_linked(cast: Cast) -> None:
    review_drafts()
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


# --- who came --------------------------------------------------------------------------------------------------------


def test_fetches_are_known_by_name_or_by_a_mark_and_no_address_is_stored(cast: Cast, time: Clock) -> None:
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
    stored = list(Fetch.objects.order_by("first_at").values_list("user__username", "times"))
    assert stored == [("german staff", 1), (None, 2), (None, 1), ("allied commander", 1), (None, 1)]
    everything = repr(rows(whole=True))
    assert not [part for part in ("203.0.113", "198.51.100", "192.0.2") if part in everything]
    own, gm = (cast.browser(who).get(cast.address("links/")).content.decode() for who in ("german commander", "gm"))
    assert "Opened by 5" in own
    assert "german staff" in own
    assert "allied commander" not in own
    assert "allied commander" in gm
    assert own.count("visitor ") - own.count("a visitor ") >= 4


def test_of_many_visitors_those_with_a_name_and_the_first_others_are_listed(cast: Cast, time: Clock) -> None:
    """A member of another side is one of the others to a commander, who cannot see that they are no stranger."""
    allow(cast, "german")
    paths = [linked(cast), linked(cast, kind="chart")]
    Fetch.objects.bulk_create(
        Fetch(link=link, mark=f"{n:012x}", first_at=time.now, last_at=time.now)
        for n in range(1234)
        for link in Link.objects.all()
    )
    for who in ("allied commander", "german staff"):
        time.forward(minutes=1)
        fetch(cast, who, paths[1])
    viewers = [viewer_of(cast.user(who), cast.campaign.slug) for who in ("german commander", "gm")]
    own, gms_own = ({each.kind: each for each in watched(viewer)}["chart"] for viewer in viewers)
    assert (own.visitors, len(own.visits), own.unlisted) == (1236, MOST_VISITS, 1136)
    strangers = [f"visitor {n:012x}" for n in range(MOST_VISITS)]
    assert [visit.who for visit in own.visits] == [*strangers[:-1], "german staff"]
    assert [visit.who for visit in gms_own.visits] == [*strangers[:-2], "allied commander", "german staff"]
    page = cast.browser("german commander").get(cast.address("links/")).content.decode()
    assert re.findall("Opened by [0-9,]+", page) == ["Opened by 1,236", "Opened by 1,234"]
    assert re.findall("<li>and .*?</li>", page) == [
        "<li>and 1,136 more, not listed</li>",
        "<li>and 1,134 more, not listed</li>",
    ]


def test_the_page_of_links_costs_as_many_queries_however_many_there_are(cast: Cast) -> None:
    browser, path = cast.browser("german commander"), cast.address("links/")
    browser.get(path)
    counts: list[int] = []
    for kind in PICTURES:
        fetch(cast, "german staff", linked(cast, kind=kind))
        with CaptureQueriesContext(connection) as asked:
            assert browser.get(path).content.decode().count("Opened by 1<") == len(counts) + 1
        counts.append(len(asked))
    assert len(set(counts)) == 1, counts


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
