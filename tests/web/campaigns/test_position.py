"""A campaign that goes on here in the middle of its game: the form, its preview, and what it is from then on."""

import re
from base64 import b64decode
from html import unescape
from typing import Any

import pytest
from django.test import Client

from campaign import services
from campaign.core import clock
from campaign.engine.pasted import Fault
from campaign.engine.values.ids import PlaceId
from campaign.forms.creation import MOST_FAULTS
from campaign.game.beginning import FaultyPosition
from campaign.game.loading import ENTERED, find_scenario
from campaign.game.rulebook import rulebook, rulebook_of
from campaign.game.store import decode_state, unpack
from campaign.models import Campaign, CampaignScenario, Membership, Phase, PhaseState, Role
from campaign.people.throttles import DRAWINGS, FOUNDINGS, Limit
from campaign.record.persons import record_join
from campaign.rulesets.forum_campaign.model.game_data import ALLIED, GERMAN, Weather
from campaign.rulesets.forum_campaign.model.state import State
from campaign.services import create_campaign, scenario_of, shared_digest
from campaign.views import creation
from gm.machine.sweeper import sweep
from gm.verification import faults
from tests.gm.campaigns import GLOOMY, live, miss
from tests.trust.guard.test_guard import within
from tests.web.campaigns.test_founding import FOUNDING
from tests.web.conftest import OUTSIDER, Cast

pytestmark = pytest.mark.django_db

LINES = """# after our 17th
unit,hex,strength,position
12 VG,S20,85,
14 Cav,R16,60,dug-in
fuel,7
held,german,Q19
weather,Snow
"""
SENT: dict[str, Any] = FOUNDING | {
    "scenario": "forum_campaign/st-vith-1944",
    "title": "Our own",
    "slug": "own",
    "begin_day": "1944-12-18",
    "position": LINES,
}
MARK = re.compile(r'name="previewed" value="([0-9a-f]{64})"')


def previewed(browser: Client, **changes: object) -> tuple[str, str]:
    """The page of the preview, and its mark."""
    answer = browser.post("/new/", SENT | changes)
    page = unescape(answer.content.decode())
    assert answer.status_code == 200, page
    (mark,) = MARK.findall(page)
    return page, mark


@pytest.fixture
def own(cast: Cast) -> Campaign:
    """A campaign that began with the position, with its first morning published, and a player on each side."""
    browser = cast.browser(OUTSIDER)
    assert browser.post("/new/", SENT | {"previewed": previewed(browser)[1]}).headers["Location"] == "/c/own/"
    campaign = Campaign.objects.get(slug="own")
    for side in (GERMAN, ALLIED):
        player, now = cast.user(f"{side} commander"), clock.now()
        part = {"campaign": campaign, "user": player, "role": Role.COMMANDER, "side": side}
        record_join(Membership.objects.create(**part, joined_at=now), at=now)
    sweep(worker="one")
    return campaign


def state_before(phase: Phase) -> State:
    rules = scenario_of(phase.campaign).rules
    state: State = decode_state(rules, unpack(phase.start.state_before), version=phase.state_version)
    return state


# --- the form --------------------------------------------------------------------------------------------------------


def test_the_form_says_what_can_be_written_and_offers_the_start_as_a_blank(cast: Cast) -> None:
    browser = cast.browser(OUTSIDER)
    page = unescape(browser.get("/new/").content.decode())
    assert "Begin with a position that is being played elsewhere" in page
    for words in ("headcount in percent", "fuel,14", "A position does not carry:", "heavy artillery"):
        assert words in page
    blank = browser.get("/scenarios/forum_campaign/st-vith-1944.csv")
    assert blank.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert blank.headers["Content-Disposition"] == 'attachment; filename="st-vith-1944-start.csv"'
    assert "/scenarios/forum_campaign/st-vith-1944.csv" in page
    assert blank.content.startswith(b"\xef\xbb\xbf"), "a spreadsheet needs it to read umlauts"
    assert page.count('id="id_position"') == page.count('id="id_begin_day"') == 1
    text = blank.content.decode("utf-8-sig")
    assert "allied,U-26RCT," in text, "a spreadsheet makes a date of 26/1"
    assert "german,12 VG,R20,,100,,," in text
    page, _ = previewed(browser, position=text, begin_day="")
    assert "The position on the morning of 17 December 1944" in page
    assert "Units that differ" not in page
    assert browser.get("/scenarios/forum_campaign/nowhere.csv").status_code == 404
    assert Client().get("/scenarios/forum_campaign/st-vith-1944.csv").status_code == 302


@pytest.mark.parametrize("limit", [DRAWINGS, FOUNDINGS])
def test_who_must_wait_gets_all_back_that_they_filled_in(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, limit: Limit
) -> None:
    browser = cast.browser(OUTSIDER)
    filled = {"forum_campaign-battles": "automatic", "full_hours": "31", "waits": "on", "forum": "smf"}
    page, mark = previewed(browser, **filled)
    monkeypatch.setattr(creation, "may", lambda _request, asked: asked is not limit)
    refused = browser.post("/new/", SENT | filled | {"previewed": mark})
    again = unescape(refused.content.decode())
    assert refused.status_code == 429
    assert "Nothing was created, and all that you filled in is below. Wait " in again
    assert controls(again) == controls(page)
    assert len([each for each in controls(again) if "checked" in each or "selected" in each]) >= 8
    assert Campaign.objects.count() == 1


def controls(page: str) -> list[str]:
    """All that a page's form sends, but for its marks."""
    found = re.findall(r"<(?:input|option|textarea)\b[^>]*>[^<]*", page)
    return [each.strip() for each in found if "csrfmiddlewaretoken" not in each and 'name="previewed"' not in each]


def test_a_position_is_shown_before_anything_is_created(cast: Cast) -> None:
    browser = cast.browser(OUTSIDER)
    page, _ = previewed(browser)
    assert Campaign.objects.count() == 1
    assert "The position on the morning of 18 December 1944" in page
    (picture,) = re.findall(r'src="data:image/png;base64,([^"]+)"', page)
    assert b64decode(picture).startswith(b"\x89PNG")
    for words in (
        "hex R20 → S20, strength 100 → 85",
        "stays in P21, with all its strength",
        "Create the campaign with",
    ):
        assert words in page
    assert LINES.strip() in page, "what was typed is kept"


def test_what_is_changed_after_the_preview_is_shown_again(cast: Cast) -> None:
    browser = cast.browser(OUTSIDER)
    _, mark = previewed(browser)
    page, other = previewed(browser, position=LINES.replace("85", "84"), previewed=mark)
    assert other != mark
    assert "strength 100 → 84" in page
    assert Campaign.objects.count() == 1


def test_house_rules_that_are_changed_after_the_preview_are_previewed_again(cast: Cast) -> None:
    browser = cast.browser(OUTSIDER)
    page, mark = previewed(browser)
    assert '<a href="#preview">Check the position</a>' in page
    assert 'id="preview"' in page
    _, other = previewed(browser, **{"forum_campaign-fuel_shortage": "debt"}, previewed=mark)
    assert other != mark
    assert previewed(browser)[1] == mark
    assert Campaign.objects.count() == 1


def test_a_position_that_cannot_be_created_says_so_without_lines_that_nobody_saw(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = cast.browser(OUTSIDER)
    _, mark = previewed(browser)

    def refused(**_: object) -> Campaign:
        raise FaultyPosition([Fault(7, "the fuel is '7'", "Correct the number.")])

    monkeypatch.setattr(creation, "create_campaign", refused)
    answer = browser.post("/new/", SENT | {"previewed": mark})
    page = unescape(answer.content.decode())
    assert answer.status_code == 422
    assert "The fuel is '7'. Correct the number." in page
    assert "Line 7" not in page
    assert "house rules do not work" not in page


def test_a_number_of_many_digits_is_a_fault_of_the_position(cast: Cast) -> None:
    given = f"unit,hex,bought\n12 VG,S20,{'9' * 5_000} at\n"
    answer = cast.browser(OUTSIDER).post("/new/", SENT | {"position": given})
    page = unescape(answer.content.decode())
    assert answer.status_code == 422
    assert "Line 2: the cell that begins with '99999999999999999999' is too long." in page
    assert "house rules do not work" not in page


def test_all_mistakes_are_shown_at_once_and_what_was_typed_stays(cast: Cast) -> None:
    wrong = "unit,hex,strength\n12 VGX,S20,85\n18 VG,Z99,85\nfuel,lots\n14 Cav,R16,<b>\n"
    answer = cast.browser(OUTSIDER).post("/new/", SENT | {"position": wrong, "slug": "bulge"})
    page = unescape(answer.content.decode())
    assert answer.status_code == 422
    for words in (
        "Line 2: the scenario has no unit '12 VGX'",
        "Line 3: this map has no hex or town 'Z99'",
        "Line 4: the fuel is 'lots'",
    ):
        assert words in page
    assert "Line 5: strength is '<b>'" in page
    assert "<b>" not in answer.content.decode()
    assert wrong.strip() in page
    assert 'value="Our own"' in page
    assert not MARK.findall(page)
    assert Campaign.objects.count() == 1


def test_a_page_with_very_many_mistakes_says_how_many_more_there_are(cast: Cast) -> None:
    wrong = "unit,hex\n" + "".join(f"99 VG {number},Z99\n" for number in range(MOST_FAULTS + 7))
    page = unescape(cast.browser(OUTSIDER).post("/new/", SENT | {"position": wrong}).content.decode())
    assert "There are 7 more." in page


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"position": ""}, "Enter the position on the morning of this day, or leave the day empty."),
        ({"begin_day": ""}, "No day is given on which the campaign begins. Choose one."),
        (
            {"begin_day": "1944-12-30"},
            "1944-12-30 is no day of this scenario. Choose one from 1944-12-17 to 1944-12-20.",
        ),
        ({"begin_day": "soon"}, "Enter a valid date."),
        ({"position": "x" * 200_001}, "at most 200000 characters"),
    ],
)
def test_a_position_that_cannot_be_is_refused(cast: Cast, given: dict[str, str], why: str) -> None:
    answer = cast.browser(OUTSIDER).post("/new/", SENT | given)
    assert answer.status_code == 422
    assert why in unescape(answer.content.decode())
    assert Campaign.objects.count() == 1


# --- the campaign ----------------------------------------------------------------------------------------------------


def test_the_campaign_begins_with_the_position_in_that_morning(own: Campaign) -> None:
    assert own.from_position
    first = own.phases.select_related("campaign", "start").get(no=0)
    state = state_before(first)
    assert (first.moment, state.open.turn, state.open.fuel) == ("18 December 1944", 2, 7)
    assert {unit.label: unit.at for unit in state.own[GERMAN].units.values()}["12 VG"] == "S20"
    opened = state_before(live(own))
    assert opened.open.weather is not None
    assert opened.open.weather.condition is Weather.SNOW
    assert opened.own[ALLIED].positions[PlaceId("R16")] == 2, "it has dug on"
    assert opened.own[GERMAN].sightings


def test_the_record_vouches_for_it_and_notices_another_position(own: Campaign) -> None:
    assert list(faults(own)) == []
    kept = CampaignScenario.objects.get(campaign=own)
    kept.scenario_files[ENTERED] = kept.scenario_files[ENTERED].replace(",85,", ",86,")
    kept.save()
    found = [each.what for each in faults(own)]
    assert "its files do not match its digest" in found
    assert any("does not begin as the scenario" in each for each in found)


def test_a_process_reads_the_map_of_all_campaigns_with_positions_once(
    own: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules, mine = scenario_of(own), LINES.replace("85", "84")
    plain = create_campaign(slug="plain", title="Plain", scenario=find_scenario(SENT["scenario"]))
    other = create_campaign(
        slug="other", title="Other", scenario=find_scenario(SENT["scenario"]), position=text_of(mine)
    )
    assert other.scenario_digest != own.scenario_digest
    monkeypatch.setattr(services, "_READ", {})
    found = [scenario_of(each) for each in (own, plain, other)]
    assert found[0] is found[1] is found[2]
    assert found[0] is not rules
    books = [rulebook_of(shared_digest(each), scenario_of(each)) for each in (own, plain, other)]
    assert books[0] is books[1] is books[2]


def test_nothing_that_campaigns_share_depends_on_a_position(own: Campaign, monkeypatch: pytest.MonkeyPatch) -> None:
    """Map, charts and rules do not depend on the position in the files, nor on which campaign is read first."""
    plain = create_campaign(slug="plain", title="Plain", scenario=find_scenario(SENT["scenario"]))
    assert shared_digest(own) == shared_digest(plain) == plain.scenario_digest != own.scenario_digest
    read = []
    for campaign in (own, plain):
        monkeypatch.setattr(services, "_READ", {})
        loaded = scenario_of(campaign)
        read.append((loaded.base_map, rulebook(loaded), leaves(loaded.scenario)))
    assert read[0] == read[1]
    assert "Vielsalm" in read[0][2], "the names of places are found"


def leaves(root: object) -> set[object]:
    """All words and numbers that can be reached in memory from an object."""
    return {each for each in within(root) if isinstance(each, str | int | float)}


@pytest.mark.usefixtures("own")
def test_everybody_reads_that_it_began_so_and_nobody_reads_the_position(cast: Cast) -> None:
    for reader in (Client(), cast.browser("german commander"), cast.browser(OUTSIDER)):
        page = reader.get("/c/own/rules/").content.decode()
        assert "It began here on 18 December 1944, with a position that its game master entered." in page
    assert "began here" not in cast.browser(OUTSIDER).get("/c/bulge/rules/").content.decode()
    for path in ("", "stops/", "stops/0/", "public/", "public/stops/0/", "log/"):
        for reader in (Client(), cast.browser("allied commander")):
            page = reader.get(f"/c/own/{path}").content.decode()
            assert "after our 17th" not in page
            assert "12 VG" not in page, "a German unit that no Allied unit sees by name"
    assert "12 VG" in cast.browser("german commander").get("/c/own/stops/0/").content.decode()


def test_its_pages_begin_with_that_day(cast: Cast, own: Campaign) -> None:
    gm = cast.browser(OUTSIDER)
    for _ in range(6):
        miss(live(own))
    assert own.phases.filter(state=PhaseState.PUBLISHED).count() > 5
    assert not own.phases.filter(day="1944-12-17").exists()
    for path in ("statistics/", "statistics/points.png", "replay.webp", "desk/", "board/", "stops/0/"):
        assert gm.get(f"/c/own/{path}").status_code == 200, path
    assert list(faults(own)) == []


def test_the_gm_downloads_the_position_of_the_last_morning(cast: Cast, own: Campaign) -> None:
    gm = cast.browser(OUTSIDER)
    answer = gm.get("/c/own/desk/position.csv")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="own-position.csv"'
    assert answer.content.startswith(b"\xef\xbb\xbf")
    assert answer.content.decode("utf-8-sig") == CampaignScenario.objects.get(campaign=own).scenario_files[ENTERED]
    assert "/c/own/desk/position.csv" in gm.get("/c/own/desk/").content.decode()
    while live(own).day.isoformat() == "1944-12-18":  # type: ignore[union-attr] # its phases are days
        miss(live(own))
    later = gm.get("/c/own/desk/position.csv").content.decode("utf-8-sig")
    assert later.startswith("day,1944-12-19\n")
    page, _ = previewed(gm, position=later, begin_day="", slug="third", title="The third")
    assert "The position on the morning of 19 December 1944" in page
    for reader in ("german commander", "allied commander", "gm"):
        assert cast.browser(reader).get("/c/own/desk/position.csv").status_code == 404


def test_two_positions_that_differ_out_of_sight_look_the_same_to_a_side(cast: Cast) -> None:
    """What Germans receive depends on nothing that Allied units far behind are or have."""
    browser, received = cast.browser(OUTSIDER), []
    far_behind = "CCR/9,M14,64,entrenched\nheld,allied,M15\nledger,CCR/9,remark,Tired\n"
    for slug, text in (("one", LINES + "CCR/9,M13,100,\n"), ("two", LINES + far_behind)):
        previewed(browser, position=text, slug=slug)
        campaign = create_campaign(
            slug="same", title="Same", scenario=find_scenario(SENT["scenario"]), position=text_of(text), master=GLOOMY
        )
        sweep(worker="one")
        artefacts = campaign.phases.get(no=0).all_artefacts.exclude(audience__in=["gm", "allied"]).order_by("pk")
        assert {each.audience for each in artefacts} == {"german", "public"}
        received.append([(each.audience, each.kind, bytes(each.content)) for each in artefacts])
        Campaign.objects.filter(pk=campaign.pk).update(slug=slug)
    assert received[0] == received[1]


def text_of(lines: str) -> str:
    return f"day,{SENT['begin_day']}\n{lines}"
