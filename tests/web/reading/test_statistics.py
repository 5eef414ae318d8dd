"""The statistics: for the GM while a campaign is played, for everybody once it is closed, if it promised so."""

import csv
import re
from io import StringIO

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from campaign import statistics
from campaign.engine.values.ids import GM, Audience
from campaign.models import Campaign, Closing, Phase, PhaseState
from campaign.secrecy.truth import Breach, Reader, reading
from gm.machine.sweeper import sweep
from tests.gm.campaigns import live, send
from tests.web.conftest import ANONYMOUS, OUTSIDER, PARTS, Cast

pytestmark = pytest.mark.django_db

HERE, FILE = "statistics/", "statistics/points.png"
PUBLIC_HERE, PUBLIC_FILE = "public/statistics/", "public/statistics/points.png"
PLAYERS = sorted(set(PARTS) - {"gm", "co-gm"})


@pytest.fixture
def closed(cast: Cast) -> Cast:
    """A campaign that its GM has closed, as far as its pages are concerned."""
    Phase.objects.filter(pk=live(cast.campaign).pk).update(state=PhaseState.WITHDRAWN)
    Closing.objects.create(campaign=cast.campaign, author=cast.user("gm"), at=cast.campaign.created_at)
    return cast


@pytest.fixture
def older(closed: Cast) -> Cast:
    """The same, created by a release that had no statistics."""
    Campaign.objects.update(opens_statistics=False, opens_story=False)
    return closed


def statuses(cast: Cast, who: str, *addresses: str) -> set[int]:
    browser = cast.browser(who)
    return {browser.get(cast.address(address)).status_code for address in addresses}


def links_to_it(cast: Cast, who: str, page: str = "") -> bool:
    return 'statistics/">Statistics' in cast.browser(who).get(cast.address(page)).content.decode()


def play_a_phase(cast: Cast) -> None:
    phase = live(cast.campaign)
    for side in phase.acts:
        send(phase, cast.user(f"{side} commander"), "ALL OTHERS HOLD", side=side, ready=True)
    sweep(worker="one")


def test_while_it_is_played_only_the_gm_reads_it(cast: Cast) -> None:
    page = cast.browser("co-gm").get(cast.address(HERE)).content.decode()
    assert "Only the game masters can read this page." in page
    assert "Victory points" in page
    assert "[img]" not in page, "nobody else could open the addresses"
    assert links_to_it(cast, "gm")
    for who in PLAYERS:
        assert statuses(cast, who, HERE, FILE, PUBLIC_HERE, PUBLIC_FILE) == {404}
    assert not links_to_it(cast, "german commander")
    assert statuses(cast, "gm", PUBLIC_HERE) == {404}, "there it is the public that reads"


def test_the_end_of_the_game_opens_nothing_before_the_gm_closes_it(cast: Cast) -> None:
    Phase.objects.filter(pk=live(cast.campaign).pk).update(state=PhaseState.WITHDRAWN)
    assert statuses(cast, "german commander", HERE, FILE, PUBLIC_HERE) == {404}


@pytest.mark.parametrize("who", ["gm", "german commander", "allied staff", "spectator"])
def test_once_it_is_closed_every_member_reads_the_same(closed: Cast, who: str) -> None:
    page = closed.browser(who).get(closed.address(HERE)).content.decode()
    assert "The campaign is closed." in page
    assert "[img]http://localhost:8000/c/bulge/public/statistics/points.png[/img]" in page
    assert links_to_it(closed, who)
    assert statuses(closed, who, FILE, "statistics/figures.csv") == {200}


def test_once_it_is_closed_the_public_reads_it_if_it_reads_anything(closed: Cast) -> None:
    for who in (OUTSIDER, ANONYMOUS):
        assert statuses(closed, who, PUBLIC_HERE, PUBLIC_FILE) == {200}
        assert links_to_it(closed, who, "public/")
    picture = closed.browser(ANONYMOUS).get(closed.address(PUBLIC_FILE))
    assert picture.headers["Cross-Origin-Resource-Policy"] == "cross-origin", "forums show it"
    Campaign.objects.update(public=False)
    assert statuses(closed, ANONYMOUS, PUBLIC_HERE, PUBLIC_FILE) == {404}
    assert "[img]" not in closed.browser("spectator").get(closed.address(HERE)).content.decode()


def test_a_campaign_that_promised_nothing_shows_the_gm_alone(older: Cast) -> None:
    page = older.browser("gm").get(older.address(HERE)).content.decode()
    assert "Only the game masters can read this page, also after the end." in page
    assert "GM only" not in page
    for who in (*PLAYERS, OUTSIDER):
        assert statuses(older, who, HERE, FILE, PUBLIC_HERE, PUBLIC_FILE) == {404}


def test_who_practises_reads_it_once_it_is_over(cast: Cast) -> None:
    Campaign.objects.update(practice=True, public=False)
    assert statuses(cast, "german commander", HERE, FILE) == {404}
    Phase.objects.filter(pk=live(cast.campaign).pk).update(state=PhaseState.WITHDRAWN)
    page = cast.browser("german commander").get(cast.address(HERE)).content.decode()
    assert "The campaign is over." in page
    assert "When your practice campaign is over" in cast.browser("gm").get(cast.address("rules/")).content.decode()
    assert statuses(cast, OUTSIDER, HERE, PUBLIC_HERE) == {404}
    Campaign.objects.update(opens_statistics=False, opens_story=False)
    assert statuses(cast, "german commander", HERE, FILE) == {404}


def test_a_page_that_forgets_to_ask_is_stopped_by_the_guard(cast: Cast) -> None:
    with reading(lambda: Reader(GM)):
        assert statistics._results(cast.campaign, GM)
    with reading(lambda: Reader(Audience("german"))), pytest.raises(Breach), transaction.atomic():
        statistics._results(cast.campaign, GM)


def test_the_rules_say_what_opens_after_the_end(cast: Cast) -> None:
    page = cast.browser("german commander").get(cast.address("rules/")).content.decode()
    assert "They can also read its statistics" in page
    Campaign.objects.update(opens_statistics=False, opens_story=False)
    page = cast.browser("german commander").get(cast.address("rules/")).content.decode()
    assert "Only the game master reads its statistics" in page


def test_the_gm_is_told_what_closing_opens(cast: Cast) -> None:
    browser = cast.browser("gm")
    assert "the statistics, with the true figures" in browser.get(cast.address("desk/closing/")).content.decode()
    Campaign.objects.update(opens_statistics=False, opens_story=False)
    assert "the statistics, with" not in browser.get(cast.address("desk/closing/")).content.decode()


# --- what is in it ----------------------------------------------------------------------------------------------------


def figures(cast: Cast) -> dict[str, dict[str, list[str]]]:
    """The figures of the file, by plot and line."""
    content = cast.browser("gm").get(cast.address("statistics/figures.csv")).content.decode()
    found: dict[str, dict[str, list[str]]] = {}
    for row in csv.DictReader(StringIO(content)):
        found.setdefault(row["plot"], {}).setdefault(row["series"], []).append(row["figure"])
    return found


def test_figures_are_those_that_both_sides_read(cast: Cast) -> None:
    found = figures(cast)
    assert found["Victory points"] == {"Germans": ["18", "18"], "Allies": ["70", "70"]}
    page = cast.browser("gm").get(cast.address(HERE)).content.decode()
    assert "16 December 1944, so far" in page
    assert re.search(r"<td>18</td>\s*<td>70</td>", page)


def test_a_draft_is_in_no_figure(cast: Cast, draft: Phase) -> None:
    assert draft.state == PhaseState.REVIEW
    assert len(statistics._results(cast.campaign, GM)) == cast.campaign.phases.filter(state="PUBLISHED").count() == 2


def test_before_the_first_day_there_are_no_plots(cast: Cast) -> None:
    Phase.objects.filter(no__gt=0).update(state=PhaseState.WITHDRAWN)
    browser = cast.browser("gm")
    assert "The first figures appear" in browser.get(cast.address(HERE)).content.decode()
    assert browser.get(cast.address(FILE)).status_code == 404
    assert browser.get(cast.address("statistics/figures.csv")).status_code == 200


def test_each_plot_is_a_picture_that_says_for_whom_it_is(cast: Cast) -> None:
    browser = cast.browser("gm")
    answer = browser.get(cast.address(f"{FILE}?colours=dark"))
    assert answer.headers["Content-Disposition"] == 'inline; filename="bulge-statistics-gm-points-dark.png"'
    assert answer.content == browser.get(cast.address(f"{FILE}?colours=dark")).content
    assert answer.content != browser.get(cast.address(FILE)).content
    page = browser.get(cast.address(HERE)).content.decode()
    pictures = set(re.findall(r"statistics/([a-z-]+)\.png", page))
    assert len(pictures) == page.count("<svg") == 12
    assert statuses(cast, "gm", *(f"statistics/{name}.png" for name in sorted(pictures)[:3])) == {200}


def test_the_picture_of_a_closed_campaign_is_the_same_for_all(closed: Cast) -> None:
    addresses = {"gm": FILE, "german commander": FILE, ANONYMOUS: PUBLIC_FILE}
    answers = [closed.browser(who).get(closed.address(path)) for who, path in addresses.items()]
    assert len({answer.content for answer in answers}) == 1
    assert {answer.headers["Content-Disposition"] for answer in answers} == {
        'inline; filename="bulge-statistics-public-points-default.png"'
    }


@pytest.mark.parametrize("name", ["points", "nothing.png", "points.webp", "figures.txt", "points.png?colours=pink"])
def test_what_is_no_plot_is_not_there(cast: Cast, name: str) -> None:
    assert statuses(cast, "gm", f"statistics/{name}") == {404}


def test_the_number_of_queries_does_not_grow_with_the_campaign(cast: Cast) -> None:
    browser = cast.browser("gm")
    browser.get(cast.address(HERE))
    with CaptureQueriesContext(connection) as before:
        browser.get(cast.address(HERE))
    play_a_phase(cast)
    with CaptureQueriesContext(connection) as after:
        browser.get(cast.address(HERE))
    assert len(after) <= len(before) <= 12
    assert sum("campaign_outcome" in query["sql"] for query in after) == 1, "one pass over the phases"


def test_a_stranger_can_load_a_post_with_all_pictures_twice_a_minute(
    closed: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("campaign.views.statistics.draw_plot", lambda *_, **__: b"a picture")
    page = closed.browser("spectator").get(closed.address(HERE)).content.decode()
    addresses = re.findall(r"\[img\]http://localhost:8000(\S+)\[/img\]", page)
    assert len(addresses) == 12
    stranger = closed.browser(ANONYMOUS)
    monkeypatch.setattr("campaign.statistics.plot_of", lambda *_: None)  # what is drawn is looked at elsewhere
    assert {stranger.get(address).status_code for _ in range(2) for address in addresses} == {200}
    assert {stranger.get(addresses[0]).status_code for _ in range(10)} == {200, 429}


def test_who_asks_too_often_waits(closed: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("campaign.views.statistics.may", lambda *_: False)
    assert statuses(closed, ANONYMOUS, PUBLIC_HERE, PUBLIC_FILE) == {429}
