"""Pages of battles: who may read what, what the buttons do, and that a side's page shows nothing of the enemy."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from campaign.engine.state import state_known_to, with_own
from campaign.engine.values.ids import Audience, SideId
from campaign.engine.values.value import encode, replace
from campaign.game.store import decode_state, pack, unpack
from campaign.models import Artefact, Battle, BattleReport, BattleResult, BattleState, PhaseStart, Statement
from campaign.services import scenario_of
from gm.machine.sweeper import sweep
from orders.battles.reading import mark_of, result_of
from tests.battles import KEY, LINES, REPORT, Field, field
from tests.web.conftest import ANONYMOUS, OUTSIDER

__all__ = ["field"]
pytestmark = pytest.mark.django_db


def get(field: Field, name: str, rest: str = f"battles/{KEY}/") -> str:
    page = field.cast.browser(name).get(field.cast.address(rest))
    assert page.status_code == 200
    return page.content.decode()


def post(field: Field, name: str, rest: str = f"battles/{KEY}/", **sent: str) -> Any:
    form = {"stop": str(field.phase.no), "rev": str(field.phase.rev), "seen": mark_of(field.battle()), **sent}
    return field.cast.browser(name).post(field.cast.address(rest), form)


# --- reading ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rest", ["battles/", f"battles/{KEY}/", "battles/A1/"])
@pytest.mark.parametrize("name", ["spectator", OUTSIDER])
def test_people_who_do_not_play_find_no_battles(field: Field, name: str, rest: str) -> None:
    assert field.cast.browser(name).get(field.cast.address(rest)).status_code == 404


def test_anonymous_people_sign_in_and_nobody_finds_a_battle_that_is_not_there(field: Field) -> None:
    for rest in ("battles/", f"battles/{KEY}/", "battles/A1/"):
        page = field.cast.browser(ANONYMOUS).get(field.cast.address(rest))
        assert page.status_code == 302
        assert page["Location"].startswith("/account/login/")
    for name in ("gm", "german commander"):
        assert field.cast.browser(name).get(field.cast.address("battles/A1/")).status_code == 404


@pytest.mark.parametrize("name", ["german commander", "german staff", "allied staff", "gm"])
def test_everybody_who_plays_or_leads_sees_the_battles(field: Field, name: str) -> None:
    page = get(field, name, "battles/")
    assert page.count("<article") == 8
    assert "Battle of Clervaux (K16)" in page
    assert "2 Pz attacks 110/28." in page
    assert ("Nothing happens until" in page) == (name == "gm")


def test_the_names_of_the_players_are_seen_by_both_sides_once_both_are_named(field: Field) -> None:
    field.assign("german commander", "german tactical")
    assert "german tactical" in get(field, "german staff")
    assert "german tactical" in get(field, "gm")
    assert "german tactical" not in get(field, "allied staff")
    field.assign("gm", "allied tactical")
    assert "german tactical" in get(field, "allied staff")


def test_a_brief_shows_the_own_order_of_battle_only(field: Field) -> None:
    german, allied, gm = (get(field, name) for name in ("german staff", "allied staff", "gm"))
    assert "Heavy tank" in german
    assert "Heavy tank" not in allied
    assert "retreat if they lose" in allied
    assert "retreat if they lose" not in german
    assert "Heavy tank" in gm
    assert "retreat if they lose" in gm


@pytest.mark.parametrize(
    ("name", "reads"), [("german tactical", False), ("german staff", False), ("allied commander", True), ("gm", True)]
)
def test_what_was_reported_is_for_players_commanders_and_the_gm(field: Field, name: str, *, reads: bool) -> None:
    field.report()
    assert ("110/28 38" in get(field, name)) == reads
    waits = "waits for your side" if name == "allied commander" else "waits for the other player"
    assert waits in get(field, name)


def test_a_report_is_prefilled_with_the_lines_it_asks_for(field: Field) -> None:
    page = get(field, "german commander")
    assert "# RESULT K16 attackers advance 2 Pz\n# RESULT K16 attackers\n# RESULT K16 defenders" in page
    assert "# LOSSES 110/28 0" in page
    assert "<textarea" not in get(field, "german staff")


# --- acting ----------------------------------------------------------------------------------------------------------


def test_a_battle_goes_from_report_to_confirmation_by_its_pages(field: Field) -> None:
    assert post(field, "german commander", act="report", text=REPORT, key="k").status_code == 302
    page = get(field, "allied commander")
    assert "2 Pz loses 8 %" in page
    seen = re.search(r'name="seen" value="([^"]+)"', page)
    assert seen is not None
    sent = {"act": "confirm", "reply": "RETREAT 110/28 to K15", "seen": seen[1]}
    assert post(field, "allied commander", **sent).status_code == 302
    assert result_of(field.battle()) == f"{LINES}\nRETREAT 110/28 to K15"
    assert "confirmed" in get(field, "german staff")
    late = post(field, "allied commander", **sent)
    assert late.status_code == 409
    assert "RETREAT 110/28 to K15" in late.content.decode()


def test_a_report_that_was_sent_too_fast_comes_back_with_its_text(field: Field, settings: Settings) -> None:
    settings.SHEETS_PER_MINUTE = 1
    assert post(field, "german commander", f"battles/{KEY}/check/", text=REPORT).status_code == 200
    assert post(field, "german commander", f"battles/{KEY}/check/", text=REPORT).status_code == 429
    htmx = field.cast.browser("german commander")
    answer = htmx.post(field.cast.address(f"battles/{KEY}/check/"), {"text": REPORT}, headers={"HX-Request": "true"})
    assert (answer.status_code, b"Not checked" in answer.content) == (200, True)
    assert post(field, "german commander", act="report", text=REPORT, key="k").status_code == 302
    again = post(field, "german commander", act="report", text=f"{REPORT} more", key="l")
    assert again.status_code == 429
    assert f"{REPORT} more" in again.content.decode()
    assert BattleReport.objects.get().text == REPORT


def test_a_faulty_report_comes_back_with_its_faults_and_its_text(field: Field) -> None:
    page = post(field, "german commander", act="report", text="RESULT K16 attackers\nLOSSES 12 SS 3", key="k")
    assert page.status_code == 422
    assert "Line 2" in page.content.decode()
    assert "LOSSES 12 SS 3" in page.content.decode()
    assert field.battle().state == BattleState.OPEN


def test_a_dispute_reaches_the_gm_who_decides(field: Field) -> None:
    field.report()
    sent = {"act": "dispute", "statement": "No <b>tanks</b>.", "link": "https://example.org/film"}
    assert post(field, "allied commander", **sent).status_code == 302
    page = get(field, "gm")
    assert "No &lt;b&gt;tanks&lt;/b&gt;." in page
    assert 'href="https://example.org/film"' in page
    assert "RESULT K16 attackers advance 2 Pz" in page
    faulty = post(field, "gm", f"battles/{KEY}/decide/", act="decide", text="LOSSES 2 Pz 3")
    assert faulty.status_code == 422
    assert post(field, "gm", f"battles/{KEY}/decide/", act="decide", text="RESULT K16 defenders").status_code == 302
    assert field.battle().state == BattleState.RULED


def test_a_statement_that_cannot_be_taken_is_not_lost(field: Field) -> None:
    field.report()
    page = post(field, "allied commander", act="dispute", statement="The bridge was down.", link="film")
    assert page.status_code == 422
    assert "The bridge was down." in page.content.decode()
    assert not Statement.objects.exists()


def test_the_sheet_of_all_results_opens_with_those_that_there_are(field: Field) -> None:
    field.report()
    page = get(field, "gm", "orders/")
    assert "# Battle of Clervaux (K16): waits for the other player\n# RESULT K16 attackers advance 2 Pz\n" in page
    assert "# Battle of Echternach (G20): waits for a report\n" in page
    field.confirm()
    page = get(field, "gm", "orders/")
    assert "# Battle of Clervaux (K16): confirmed\nRESULT K16 attackers advance 2 Pz\nLOSSES 2 Pz 8\n" in page
    assert "2 Pz loses 8 %" in page
    field.decide("RESULT G20 defenders", key="G20")
    assert "decided by the GM\nRESULT G20 defenders\n" in get(field, "gm", "orders/")


def test_agreed_results_that_the_gm_submits_as_they_are_stay_the_players(field: Field) -> None:
    field.report()
    field.confirm()
    text = re.search(r'<textarea[^>]*name="text"[^>]*>([^<]*)<', get(field, "gm", "orders/"))
    assert text is not None
    post(field, "gm", "orders/HQ/", act="ready", text=text[1], version="0", newest="0", key="k")
    sweep(worker="one")
    assert "battle overrule" not in field.acts()


@pytest.mark.parametrize("name", ["german staff", "spectator", OUTSIDER])
@pytest.mark.parametrize("act", ["report", "confirm", "dispute", "assign", "nonsense"])
def test_a_member_who_may_not_act_learns_nothing(field: Field, name: str, act: str) -> None:
    sent = {"text": REPORT, "statement": "x", "player": "german tactical"}
    assert post(field, name, act=act, **sent).status_code == 404
    assert post(field, name, f"battles/{KEY}/decide/", **sent).status_code == 404
    assert post(field, name, f"battles/{KEY}/check/", **sent).status_code == 404
    assert field.battle().state == BattleState.OPEN


def test_a_commander_assigns_a_player_by_forum_name(field: Field) -> None:
    assert post(field, "german commander", act="assign", player="german tactical").status_code == 302
    assert field.battle().attacking_player == field.cast.member("german tactical")
    assert post(field, "german commander", act="assign", player="allied tactical").status_code == 404


@pytest.mark.parametrize("act", ["report", "confirm", "dispute", "assign"])
@pytest.mark.parametrize("phase", [{"rev": "7"}, {"stop": "1"}, {"stop": ""}, {"rev": "9" * 5000}])
def test_a_form_of_another_phase_is_refused_and_its_text_kept(field: Field, act: str, phase: dict[str, str]) -> None:
    name = "allied commander"
    if act in ("confirm", "dispute"):
        field.report()
    sent = {"text": "# my text", "reply": "# my text", "statement": "# my text", "player": "allied tactical"}
    page = post(field, name, act=act, **sent, **phase)
    assert page.status_code == 409
    assert "the phase has closed" in page.content.decode()
    assert act == "assign" or "# my text" in page.content.decode()
    late = post(field, "gm", f"battles/{KEY}/decide/", act="decide", text="RESULT K16 defenders # mine", **phase)
    assert late.status_code == 409
    assert "RESULT K16 defenders # mine" in late.content.decode()
    assert field.battle().state == (BattleState.REPORTED if act in ("confirm", "dispute") else BattleState.OPEN)


def test_what_was_written_of_a_battle_that_is_over_is_given_back(field: Field) -> None:
    for battle in field.phase.battles.all():
        field.decide(f"RESULT {battle.key} defenders", key=battle.key)
    sweep(worker="one")
    sent = {"stop": str(field.phase.no), "rev": str(field.phase.rev), "key": "k"}
    address = field.cast.address(f"battles/{KEY}/")
    page = field.cast.browser("german commander").post(address, {**sent, "act": "report", "text": REPORT})
    assert page.status_code == 409
    assert "RESULT Clervaux attackers advance 2 Pz" in page.content.decode()
    late = field.cast.browser("gm").post(f"{address}decide/", {**sent, "act": "decide", "text": "RESULT # mine"})
    assert late.status_code == 409
    assert "RESULT # mine" in late.content.decode()
    for name in ("german staff", "spectator", OUTSIDER):
        assert field.cast.browser(name).post(address, {**sent, "act": "report", "text": REPORT}).status_code == 404
    elsewhere = {**sent, "stop": "1", "act": "report", "text": REPORT}
    assert field.cast.browser("german commander").post(address, elsewhere).status_code == 404


def test_the_list_of_battles_costs_as_much_for_one_as_for_eight(field: Field) -> None:
    def queries() -> int:
        browser = field.cast.browser("german commander")
        browser.get(field.cast.address("battles/"))  # it is noted that they are on the site
        with CaptureQueriesContext(connection) as found:
            assert browser.get(field.cast.address("battles/")).status_code == 200
        return len(found)

    eight = queries()
    Battle.objects.exclude(key=KEY).delete()
    assert queries() == eight


def test_text_that_is_being_written_is_checked_and_not_stored(field: Field) -> None:
    page = post(field, "german commander", f"battles/{KEY}/check/", text=REPORT)
    assert "Ready to submit" in page.content.decode()
    assert field.battle().state == BattleState.OPEN


# --- secrecy ---------------------------------------------------------------------------------------------------------


MASKED = r'(name="csrfmiddlewaretoken" value=|X-CSRFToken": |name="key" value=)"[^"]*"'


def masked(field: Field, name: str) -> str:
    """What somebody reads of the battle and of all battles; without the keys that differ each time."""
    return re.sub(MASKED, "", get(field, name) + get(field, name, "battles/"))


def test_the_attackers_page_is_the_same_wherever_the_defenders_retreat(field: Field) -> None:
    def confirmed(reply: str) -> tuple[str, str]:
        Battle.objects.update(state=BattleState.OPEN, reported_by="")
        BattleResult.objects.all().delete()
        BattleReport.objects.all().delete()
        field.report()
        field.confirm(reply=reply)
        return masked(field, "german commander"), masked(field, "allied commander")

    pages = [confirmed(reply) for reply in ("", "RETREAT 110/28 to K15", "RETREAT 110/28 to L16 # the west is lost")]
    assert len({german for german, _ in pages}) == 1
    assert len({allied for _, allied in pages}) == 3
    assert "2 Pz loses 8 %" in pages[0][0]
    assert "110/28 loses 38 %" in pages[0][0]


def test_the_attackers_page_is_the_same_whatever_retreats_a_defender_reports(field: Field) -> None:
    def reported(more: str) -> tuple[str, str]:
        Battle.objects.update(state=BattleState.OPEN, reported_by="")
        BattleResult.objects.all().delete()
        BattleReport.objects.all().delete()
        field.report("allied commander", f"RESULT K16 attackers # {more}\nLOSSES 110/28 38\n{more}")
        return masked(field, "german commander"), masked(field, "allied commander")

    pages = [reported(more) for more in ("", "RETREAT 110/28 to K15", "RETREAT 110/28 to L16")]
    assert len({german for german, _ in pages}) == 1
    assert len({allied for _, allied in pages}) == 3


def test_the_unit_that_moves_in_is_known_to_its_own_side_alone(field: Field) -> None:
    field.report()
    german, allied = get(field, "german commander"), get(field, "allied commander")
    for words in ("advance 2 Pz", "2 Pz advances"):
        assert words in german
        assert words not in allied


def test_of_a_decision_a_side_reads_the_winner_and_its_own_units_fate(field: Field) -> None:
    def decided(text: str) -> tuple[str, str]:
        Battle.objects.update(state=BattleState.OPEN, reported_by="")
        BattleResult.objects.all().delete()
        BattleReport.objects.all().delete()
        field.decide(f"RESULT K16 attackers advance 2 Pz\nLOSSES 2 Pz 8\n{text}")
        return masked(field, "german commander"), masked(field, "allied commander")

    texts = (
        "LOSSES 110/28 38\nRETREAT 110/28 to K15 # 110/28 is nearly gone",
        "LOSSES 110/28 12\nRETREAT 110/28 to L16 # they fought well",
    )
    (german, allied), (same, other) = map(decided, texts)
    assert german == same
    assert allied != other
    assert "2 Pz loses 8 %" in german
    assert "110/28 loses 38 %" in allied
    assert "2 Pz loses" not in allied
    assert "nearly gone" not in allied
    assert "nearly gone" in get(field, "gm") or "they fought well" in get(field, "gm")


def test_a_side_reads_what_it_wrote_itself_and_both_read_the_statements(field: Field) -> None:
    field.report(text=f"{REPORT}\n# our fuel is low")
    field.dispute(text="The bridge was down.")
    german, allied, gm = (get(field, name) for name in ("german commander", "allied commander", "gm"))
    assert "our fuel is low" in german
    assert "our fuel is low" not in allied
    assert "our fuel is low" in gm
    assert all("The bridge was down." in page for page in (german, allied, gm))


def german_pages(field: Field) -> list[str]:
    """All that the Germans see of a battle in which their enemy's losses are reported, as one text each."""
    answers = [
        get(field, "german commander", "battles/"),
        get(field, "german commander"),
        post(field, "german commander", f"battles/{KEY}/check/", text="RESULT K16 attackers\nLOSSES 110/28 60").content,
        post(field, "german commander", act="report", text="RESULT K16 attackers\nRETREAT 110/28 to K15").content,
    ]
    texts = [answer if isinstance(answer, str) else answer.decode() for answer in answers]
    return [re.sub(MASKED, "", text) for text in texts]


def test_the_german_pages_are_the_same_whatever_the_allies_have(field: Field) -> None:
    before = german_pages(field)
    assert "110/28" in before[1]
    allied = get(field, "allied commander")
    _weaken_and_encircle(field)
    assert german_pages(field) == before
    assert get(field, "allied commander") != allied


def _weaken_and_encircle(field: Field) -> None:
    """The same phase in another world: the Allies are weak, and are where one of them could retreat to."""
    phase, rules = field.phase, scenario_of(field.cast.campaign).rules
    state = decode_state(rules, unpack(phase.start.state_before), version=phase.state_version)

    def other(own: Any) -> Any:
        units = {id_: replace(unit, strength=45) for id_, unit in own.units.items()}
        far = next(unit for unit in units.values() if unit.at and unit.at not in ("K16", "K15", "L16", "J16"))
        return replace(own, units={**units, far.id: replace(far, at="K15")})

    state = with_own(state, SideId("allied"), other)
    PhaseStart.objects.filter(phase=phase).update(state_before=pack(encode(state)))
    for audience in ("allied", "gm"):
        known_states = Artefact.objects.filter(phase__no=phase.no - 1, audience=audience, kind="slice")
        assert known_states.update(content=encode(state_known_to(state, Audience(audience)))) == 1
