"""What forms share: points that one sheet of a side uses are not left for another."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from django.template.loader import render_to_string

from campaign.engine.orders.order import HQ
from campaign.engine.sheets import DeskSheet
from campaign.engine.state import state_known_to
from campaign.engine.values.ids import SideId, UnitId, audience_of
from campaign.game.loading import WithStart
from campaign.rulesets.forum_campaign import RULESET
from campaign.rulesets.forum_campaign.model.game_data import ALLIED, GERMAN, GameData
from campaign.rulesets.forum_campaign.model.state import State
from campaign.rulesets.forum_campaign.scenario.case import read_case
from campaign.selectors import Knowledge
from orders.forms.filling import ShownForm, of_sheet
from tests.rulesets.sheets.test_choices import AIR, FILES, GERMANS, PLAIN

RESTED = {
    "28 Inf": {"at": "A1", "strength": 60},
    "7 Arm": {"at": "B1", "class": "armor", "tanks": 1},
}


def each_alone(_game_data: GameData, known: State) -> Mapping[str, frozenset[UnitId]]:
    """Every unit as a formation of its name, as small positions have none."""
    return {id_: frozenset({id_}) for own in known.own.values() for id_ in own.units}


RULES = replace(RULESET, formations=each_alone)


def known_to(side: SideId, **position: object) -> Knowledge:
    scenario = read_case({"map": PLAIN, **position}, FILES)
    return Knowledge(WithStart(RULES, scenario), state_known_to(scenario.start, audience_of(side)))


def forms(known: Knowledge, side: SideId, sheets: Sequence[DeskSheet]) -> dict[str, ShownForm]:
    """The forms of the first sheet."""
    shown = of_sheet(known, RULESET.now(known.state), sheets, side=side).shown()
    return {each.form.key: each for each in shown}


def second_morning() -> Knowledge:
    units = {"german": {}, "allied": RESTED}
    return known_to(ALLIED, units=units, air=AIR, phase="air", weather="Sunny", date="1944-12-17")


def words_of(form: ShownForm) -> str:
    fillable = {"form": "sheet", "page": "", "button": ""}
    return " ".join(render_to_string("orders/forms/_form.html", {"each": form, "fillable": fillable}).split())


@pytest.fixture
def attack() -> Knowledge:
    """Germans with two air units for close support, who may attack with 2 Pz and 12 VG."""
    german = {"2 Pz": {"at": "B4", "class": "armor", "tanks": 3}, "12 VG": {"at": "B4"}}
    return known_to(GERMAN, units={"german": german, "allied": {"28 Inf": {"at": "B3"}}}, air=AIR)


def test_points_that_hq_spends_are_not_left_for_a_desk() -> None:
    known = second_morning()
    desk, hq = DeskSheet("", "Rest", ("28 Inf",)), DeskSheet("BUY 7 Arm tanks", HQ)
    alone, after = (forms(known, ALLIED, sheets)["buy"] for sheets in ([desk], [desk, hq]))
    assert alone.form.budget == after.form.budget
    assert alone.elsewhere == 0
    assert after.elsewhere > 0
    assert after.left == alone.left - after.elsewhere
    assert f"{after.left} left </p>" in words_of(after)
    assert f"Other sheets of your side use {after.elsewhere} of them." in words_of(after)
    assert "Other sheets" not in words_of(alone)


def test_what_a_desk_spends_is_not_left_for_hq() -> None:
    known = second_morning()
    form = forms(known, ALLIED, [DeskSheet("", HQ), DeskSheet("BUY 28 Inf men", "Rest", ("28 Inf",))])["buy"]
    assert form.elsewhere > 0
    assert form.left + form.elsewhere == (form.form.budget.of if form.form.budget else 0)


def test_sheets_that_the_reader_may_not_read_are_not_counted_and_the_form_says_so() -> None:
    known = second_morning()
    form = forms(known, ALLIED, [DeskSheet("", HQ), DeskSheet(None, "Rest", ("28 Inf",))])["buy"]
    assert (form.elsewhere, form.sealed) == (0, True)
    assert "Sheets of your side that you cannot read are not counted." in words_of(form)


def test_close_support_is_shared_with_the_desks(attack: Knowledge) -> None:
    desk = DeskSheet("ATTACK 12 VG B3\nCAS 12 VG 2", "Rest", ("12 VG",))
    form = forms(attack, GERMAN, [DeskSheet("ATTACK 2 Pz B3", HQ), desk])["cas"]
    assert {row.label for row in form.rows} == {"2 Pz", "12 VG"}
    assert (form.elsewhere, form.left) == (2, 0)


# --- lines that would be refused --------------------------------------------------------------------------------------


def options(form: ShownForm, row: int = 0) -> list[str]:
    return [each.words for each in form.rows[row].blanks[0].options if each.value]


def test_only_one_depot_is_chosen() -> None:
    towns = [{"hex": place, "name": name, "depot": 4} for place, name in (("B2", "Spa"), ("C2", "Theux"))]
    known = known_to(
        ALLIED,
        map={**PLAIN, "towns": towns},
        units={"german": GERMANS, "allied": {"28 Inf": {"at": "B3"}}},
        phase="allied_sheet",
    )
    for text in ("", "DEMOLISH Spa"):
        form = forms(known, ALLIED, [DeskSheet(text, HQ)])["demolish"]
        assert (len(form.rows), len(options(form))) == (1, 2)


def test_a_box_that_a_line_names_is_offered_to_no_other_line() -> None:
    known = known_to(GERMAN, units={"german": GERMANS, "allied": {}}, air=AIR, phase="air", weather="Sunny")
    form = forms(known, GERMAN, [DeskSheet("REMOVE cas", HQ)])["remove"]
    assert "close air support" in options(form, 0)
    assert "close air support" not in options(form, 1)


def test_a_desk_is_offered_no_support_for_an_attack_that_hq_makes(attack: Knowledge) -> None:
    desk, own = DeskSheet("", "Tanks", ("2 Pz",)), DeskSheet("ATTACK 2 Pz B3", "Tanks", ("2 Pz",))
    hq = DeskSheet("ATTACK 2 Pz B3", HQ)
    assert "cas" in forms(attack, GERMAN, [own, DeskSheet("", HQ)])
    assert "cas" not in forms(attack, GERMAN, [desk, hq])


def test_supply_drops_are_offered_as_long_as_pairs_are_left() -> None:
    dark = {name: {"at": at, "supplied": False} for name, at in (("28 Inf", "A1"), ("7 Arm", "B1"))}
    known = known_to(
        ALLIED,
        units={"german": {}, "allied": dark},
        air={"allied": {"available": 3, "boxes": {"drop": 2}}},
        phase="allied_sheet",
    )
    assert len(forms(known, ALLIED, [DeskSheet("", HQ)])["airdrop"].rows) == 2
    assert [row.label for row in forms(known, ALLIED, [DeskSheet("AIRDROP 7 Arm", HQ)])["airdrop"].rows] == [
        "7 Arm, 100 %, B1"
    ]


def test_a_unit_that_a_line_names_is_offered_to_no_other_line(attack: Knowledge) -> None:
    form = forms(attack, GERMAN, [DeskSheet("ARTILLERY 12 VG", HQ)])["artillery"]
    assert "12 VG" in options(form, 0)
    assert "12 VG" not in options(form, 1)
