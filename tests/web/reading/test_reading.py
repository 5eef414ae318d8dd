"""Reading pages: each audience what it received, and nothing before it is published."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaign.models import Artefact, Battle, Membership, Phase, Role
from gm.machine.sweeper import sweep
from gm.phases.lifecycle import approve
from tests.gm.campaigns import live, send
from tests.web.conftest import Cast
from tests.web.sheets.test_sheet import hand_out

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("who", "title"), [("german staff", "German side"), ("allied staff", "Allied side"), ("gm", "GM")]
)
def test_the_situation_is_that_of_the_readers_audience(cast: Cast, who: str, title: str) -> None:
    page = cast.browser(who).get(cast.address()).content.decode()
    assert f"For: <strong>{title}</strong>" in page
    others = {"German side", "Allied side", "GM"} - {title}
    assert not [other for other in others if f"For: <strong>{other}</strong>" in page]


def test_spectators_and_strangers_read_what_the_public_knows(cast: Cast) -> None:
    spectator = cast.browser("spectator").get(cast.address()).content.decode()
    stranger = cast.browser("anonymous").get(cast.address("public/")).content.decode()
    assert "For: <strong>Public</strong>" in spectator
    assert "For: <strong>Public</strong>" in stranger


def test_a_campaign_that_is_not_public_is_not_there_for_strangers(cast: Cast) -> None:
    type(cast.campaign).objects.filter(pk=cast.campaign.pk).update(public=False)
    browser = cast.browser("anonymous")
    absent = browser.get("/c/no-such-campaign/public/")
    closed = browser.get(cast.address("public/"))
    assert (closed.status_code, closed.content) == (404, absent.content)


def test_the_map_is_the_published_picture_of_the_audience_with_its_name(cast: Cast) -> None:
    response = cast.browser("german staff").get(cast.address("stops/0/map.png"))
    stored = Artefact.objects.get(phase__no=0, audience="german", kind="map")
    assert response.content == bytes(stored.content)
    assert "-german-map.png" in response.headers["Content-Disposition"]
    assert response.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize(("who", "audience"), [("german staff", "german"), ("gm", "gm"), ("spectator", "public")])
@pytest.mark.parametrize(
    ("name", "kind"), [("chart.png", "chart"), ("chart.txt", "chart_text"), ("thumbnail.png", "thumbnail")]
)
def test_chart_and_thumbnail_are_shown_too(cast: Cast, who: str, audience: str, name: str, kind: str) -> None:
    response = cast.browser(who).get(cast.address(f"stops/0/{name}"))
    stored = Artefact.objects.get(phase__no=0, audience=audience, kind=kind)
    assert response.content == bytes(stored.content)
    assert f"-{audience}-{name}" in response.headers["Content-Disposition"]


def test_the_page_of_a_phase_shows_the_chart(cast: Cast) -> None:
    for who, rest in (("german staff", ""), ("anonymous", "public/")):
        page = cast.browser(who).get(cast.address(f"{rest}stops/0/")).content.decode()
        assert f'src="{cast.address(rest)}stops/0/chart.png"' in page


def test_the_history_shows_thumbnails_that_lead_to_their_phases(cast: Cast) -> None:
    for who, rest in (("german staff", ""), ("anonymous", "public/")):
        page = cast.browser(who).get(cast.address(f"{rest}stops/")).content.decode()
        (picture,) = (each for each in re.findall("<img[^>]*>", page) if f"{rest}stops/0/thumbnail.png" in each)
        assert re.search(r'width="480" height="\d{3}" loading="lazy" alt="Map after', picture)


def test_what_an_older_release_published_shows_no_broken_picture(cast: Cast) -> None:
    Artefact.objects.filter(kind__in=("chart", "chart_text", "chart_bbcode", "chart_markdown", "thumbnail")).delete()
    for who, rest in (("german staff", ""), ("gm", ""), ("anonymous", "public/")):
        browser = cast.browser(who)
        for page in ("stops/", "stops/0/", ""):
            html = browser.get(cast.address(rest + page)).content.decode()
            pictures = re.findall('<img[^>]*src="([^"]*)"', html)
            assert all(browser.get(picture).status_code == 200 for picture in pictures)
            assert not [picture for picture in pictures if "map.png" not in picture]
        assert browser.get(cast.address(f"{rest}stops/0/chart.png")).status_code == 404
    seen = cast.browser("gm").get(cast.address("desk/stops/0/german/")).content.decode()
    assert "chart.png" not in seen


@pytest.mark.parametrize("who", ["gm", "german commander", "allied commander", "spectator"])
def test_a_draft_is_in_no_history(cast: Cast, draft: Phase, who: str) -> None:
    browser = cast.browser(who)
    assert browser.get(cast.address(f"stops/{draft.no}/")).status_code == 404
    for name in ("map.png", "chart.png", "chart.txt", "thumbnail.png"):
        assert browser.get(cast.address(f"stops/{draft.no}/{name}")).status_code == 404
    assert browser.get(cast.address("stops/0/")).status_code == 200


def test_a_phase_reads_later_as_it_was_received(cast: Cast, draft: Phase) -> None:
    browser = cast.browser("german commander")
    names = ("map.png", "thumbnail.png", "chart.png", "chart.txt", "report.txt", "report.md", "report.bbcode.txt")
    first = [browser.get(cast.address(f"stops/0/{name}")).content for name in names]
    approve(draft.pk, fence=draft.fence)
    assert [browser.get(cast.address(f"stops/0/{name}")).content for name in names] == first
    assert browser.get(cast.address(f"stops/{draft.no}/")).status_code == 200


def test_a_preface_is_at_the_head_of_its_audiences_report_alone(cast: Cast, draft: Phase) -> None:
    draft.prefaces.create(audience="allied", text="Hold <the> line.\n\nHelp comes.")
    approve(draft.pk, fence=draft.fence)
    allied = cast.browser("allied staff").get(cast.address(f"stops/{draft.no}/")).content.decode()
    assert "Hold &lt;the&gt; line." in allied
    assert "Help comes." in allied
    for who in ("german staff", "gm", "spectator"):
        assert "Help comes" not in cast.browser(who).get(cast.address(f"stops/{draft.no}/")).content.decode()


def test_a_page_folds_the_tables_that_its_report_does_not_repeat(cast: Cast, draft: Phase) -> None:
    assert approve(draft.pk, fence=draft.fence)
    first = cast.browser("german staff").get(cast.address("stops/0/")).content.decode()
    page = cast.browser("german staff").get(cast.address(f"stops/{draft.no}/")).content.decode()
    report, folded = page.split("<summary>Unchanged tables</summary>")
    arrivals = "German reinforcements</summary>"
    assert arrivals in first
    assert "Unchanged tables" not in first
    assert arrivals not in report
    assert arrivals in folded
    assert "order of battle</summary>" in report, "12 SS has moved"
    assert "order of battle</summary>" not in folded
    assert "Allied reinforcements" not in page


def test_times_are_shown_in_the_readers_zone_and_in_utc(cast: Cast) -> None:
    user = cast.user("allied staff")
    user.time_zone = "America/New_York"
    user.save()
    page = cast.browser("allied staff").get(cast.address()).content.decode()
    deadline = live(cast.campaign).deadline_at
    assert f"{deadline:%H:%M} UTC" in page
    assert "EST" in page or "EDT" in page


@pytest.mark.parametrize("rest", ["", "stops/", "stops/0/", "orders/", "people/", "battles/"])
def test_the_number_of_queries_does_not_grow_with_the_campaign(cast: Cast, rest: str) -> None:
    browser = cast.browser("german commander")
    browser.get(cast.address(rest))
    with CaptureQueriesContext(connection) as before:
        browser.get(cast.address(rest))
    for key in ("german", "allied"):
        phase = live(cast.campaign)
        send(phase, cast.user(f"{key} commander"), "ALL OTHERS HOLD", side=key, ready=True)
        sweep(worker="one")
    with CaptureQueriesContext(connection) as after:
        browser.get(cast.address(rest))
    assert len(after) <= len(before) <= 26, "on the first day a sheet's page looks for the briefing's, too"


def test_only_members_who_write_sheets_are_asked_to_write_one(cast: Cast) -> None:
    reads = cast.browser("german staff").get(cast.address()).content.decode()
    assert "Write your orders" not in reads
    assert "Read your side’s orders" in reads
    assert "You read this sheet." in cast.browser("german staff").get(cast.address("orders/")).content.decode()
    hand_out(cast)
    assert "Write your orders" in cast.browser("german staff").get(cast.address()).content.decode()
    Membership.objects.filter(user__username="german staff").update(role=Role.TACTICAL)
    assert "Write your orders" not in cast.browser("german staff").get(cast.address()).content.decode()


def test_the_player_of_a_battle_is_led_to_it(cast: Cast) -> None:
    player = cast.member("german staff")
    assert "Your battles" not in cast.browser("german staff").get(cast.address()).content.decode()
    Battle.objects.create(
        phase=live(cast.campaign), key="K16", attacker="german", defender="allied", attacking_player=player
    )
    assert "Your battles" in cast.browser("german staff").get(cast.address()).content.decode()
    assert "Your battles" not in cast.browser("allied staff").get(cast.address()).content.decode()
