"""A battle as two players fight it who have read nothing: set up from the printed sheet, and reported on its page."""

import re
from collections.abc import Mapping
from datetime import timedelta

import pytest
from playwright.sync_api import Page, expect

from campaign.core import clock
from campaign.models import Battle, BattleState
from tests.browser.conftest import DESK, PHONE, Site, width
from tests.browser.days.test_setup_sheet import pages_of

pytestmark = pytest.mark.django_db(transaction=True)

ATTACKER, DEFENDER = "german commander", "allied commander"
VIEWPORTS = {ATTACKER: PHONE, DEFENDER: DESK}
HERE = "battles/K16/"

ASKED_BY_BOTH = {
    "who fights whom": r"2 Pz attacks 110/28",
    "which game": r"Game\s+the one that your campaign names, else any that both players have",
    "on which ground": r"Ground\s+town",
    "on which map": r"Battle map\s+Clervaux, 1 km.*The river is in the east",
    "which way is north": r"north is at the top",
    "what is the objective": r"Objective\s+the centre of the map",
    "which day": r"Date\s+16 December 1944",
    "what weather": r"Weather\s+Gloomy: sky overcast, ground damp",
    "what hour, and how long": r"begins at 10:00, by day, and lasts 45 minutes",
    "who prepares the battle": r"Who prepares it\s+the attackers’ player",
    "where do the attackers set up": r"2 Pz\s+armour\s+division\s+the east \(.*\)\s+the east edge",
    "where do the defenders set up": r"Allies set up\s+with all units at once, anywhere else",
    "how good are the troops": r"Troops\s+regular, rested, with full ammunition",
    "how many men": r"Men\s+\d+ of 150",
    "which headcount": r"Headcount setting\s+\d+ %\s+of the company alone, all else is complete",
    "which mortars": r"Off-map battery of medium mortars\s+1\s+81 mm",
    "who may plan fire": r"Planned fire\s+only the attackers",
    "who may break off, when and where": r"Withdrawal\s+from minute 20 on.*at their own edges",
    "where are those edges": r"Own edges of the Allies\s+the ",
    "who wins": r"Who won\s+the attackers, if they alone hold the objective.*anything else is a successful defence",
    "do prisoners count": r"killed, wounded, missing and captured, in whole percent",
    "how are losses counted": r"\d+ × men lost ÷ men at the start",
    "do damaged vehicles count": r"each one destroyed or abandoned; other vehicles and guns are not counted",
    "who reports": r"one player reports on the page of this battle; the other confirms or disputes",
    "where": r"http\S+/battles/K16/",
    "by when": r"Results due.* 20\d\d",
    "and if it is late": r"the phase waits for them",
    "and if nobody answers": r"accepted",
    "whom do we ask": r"Game masters\s+co-gm, gm\s+\(to ask something, use the page Questions\)",
    "who is the other player": r"The other player\s+named here once both sides have named a player",
    "when do we play": r"When to play\s+\w{3} \d",
    "where is the file": r"Battle file\s+https://example.org/k16.zip",
}
"""What one must know to set a battle up, fight it and report it, and the words on paper that answer it."""

ASKED = {
    ATTACKER: {"which tanks": r"Panzer IV|Pz IV"},
    DEFENDER: {"where can they retreat": r"110/28\s+[^\n]*K15 or "},
}
"""What only one of them must know."""


def opened(site: Site, name: str) -> Page:
    page = site.visit(name, viewport=VIEWPORTS.get(name, DESK))
    page.goto(site.here(HERE))
    return page


def on_paper(page: Page) -> str:
    """The words of the printed sheet."""
    page.emulate_media(media="print")
    text = page.locator("body").inner_text()
    page.emulate_media(media="screen")
    return text


def unanswered(text: str, asked: Mapping[str, str]) -> list[str]:
    return [question for question, answer in asked.items() if not re.search(answer, text, re.DOTALL)]


def they_prepare(attacker: Page, defender: Page) -> None:
    """The attackers' player proposes a time, gives the file and remembers the map; the other accepts the time."""
    attacker.get_by_text("Propose times").click()
    time = clock.now() + timedelta(hours=20)
    attacker.get_by_label("Time 1").fill(f"{time:%Y-%m-%dT%H:%M}")
    attacker.get_by_role("button", name="Propose", exact=True).click()
    attacker.get_by_text("Give the link to the file").click()
    attacker.get_by_label("Link to the battle file").fill("https://example.org/k16.zip")
    attacker.get_by_role("button", name="Save the link").click()
    attacker.get_by_text("Remember the map").click()
    attacker.get_by_label("Name of the map").fill("Clervaux, 1 km")
    attacker.get_by_label("Notes: edges, scale, what to change (optional)").fill("The river is in the east.")
    attacker.get_by_role("button", name="Save the map").click()
    defender.reload()
    defender.get_by_role("button", name="Accept").click()
    expect(defender.get_by_text("Accepted. The other player is notified.")).to_be_visible()
    attacker.reload()


def reports(page: Page) -> None:
    """Fill in the form and submit it."""
    page.get_by_role("radio", name="The Germans win; 2 Pz advances").check()
    page.get_by_role("group", name="Losses").get_by_role("spinbutton").first.fill("8")
    expect(page.get_by_label("One result per line")).to_have_value(
        re.compile("^RESULT K16 attackers advance 2 Pz", re.M)
    )
    page.get_by_role("button", name="Submit the report").click()
    expect(page.get_by_text("Report submitted. Now the other player confirms or disputes it.")).to_be_visible()


def state() -> str:
    return Battle.objects.get(key="K16").state


def test_two_players_set_a_battle_up_from_paper_and_agree_on_its_result(battlefield: Site) -> None:
    players = {name: opened(battlefield, name) for name in VIEWPORTS}
    they_prepare(players[ATTACKER], players[DEFENDER])
    for name, page in players.items():
        assert pages_of(page) == 1, name
        assert width(page) <= VIEWPORTS[name]["width"], name
        assert unanswered(on_paper(page), ASKED_BY_BOTH | ASKED[name]) == [], name
    reports(players[ATTACKER])
    players[DEFENDER].reload()
    assert "Clervaux (K16): the attackers won" in players[DEFENDER].get_by_role("region", name="Report").inner_text()
    players[DEFENDER].get_by_role("button", name="Confirm the report").click()
    expect(players[DEFENDER].get_by_text("Confirmed. The result is final.")).to_be_visible()
    assert state() == BattleState.CONFIRMED


def test_a_disputed_result_goes_to_the_game_master(battlefield: Site) -> None:
    attacker, defender = (opened(battlefield, name) for name in VIEWPORTS)
    reports(attacker)
    defender.reload()
    defender.get_by_label("What happened, in your view?").fill("The bridge was down; they never reached the village.")
    defender.get_by_role("button", name="Dispute the report").click()
    expect(defender.get_by_text("Statement saved. The GM decides.")).to_be_visible()
    assert state() == BattleState.DISPUTED
    gm = opened(battlefield, "gm")
    assert "they never reached the village" in gm.get_by_role("region", name="Statements").inner_text()
    gm.get_by_role("radio", name="The Allies hold").check()
    gm.get_by_role("button", name="Decide", exact=True).click()
    expect(gm.get_by_text(re.compile("decided", re.I)).first).to_be_visible()
    assert state() == BattleState.RULED
    for page in (attacker, defender):
        page.reload()
        assert "RESULT K16 defenders" in page.get_by_role("region", name="Report").inner_text()
