"""A side's desks as one sheet: whose lines are whose, what HQ overrules, and to whom what is said of it is said."""

from typing import Any

from campaign.engine.orders.order import HQ, Checked, Problem, Severity
from campaign.engine.sheets import DeskSheet, SideSheet, check_side, read_side
from campaign.engine.state import known_state, with_open
from campaign.engine.values.ids import Audience, PhaseKey, SideId
from campaign.game.loading import find_scenario, load_scenario
from campaign.rulesets.forum_campaign.model.game_data import Weather
from campaign.rulesets.forum_campaign.model.state import AirDay, WeatherToday

ARDENNES = load_scenario(find_scenario("forum_campaign/ardennes-1944"))
RULES, THEATRE = ARDENNES.rules, ARDENNES.scenario.game_data
GERMANS = Audience("german")
SIXTH, FIFTH = "6th Panzer Army", "5th Panzer Army"


def known(phase: str = "german_sheet") -> Any:
    """What the Germans know on a gloomy first morning."""
    today = WeatherToday(Weather.GLOOMY, 0, 0)
    air = {SideId("german"): AirDay(available=3)}
    start = with_open(ARDENNES.scenario.start, phase=PhaseKey(phase), weather=today, air=air)
    return known_state(start, {SideId("german")})


def read(*, phase: str = "german_sheet", hq: str = "", **desks: str) -> SideSheet:
    """HQ's sheet and those of the desks Sixth and Fifth."""
    given = {"Sixth": (SIXTH,), "Fifth": (FIFTH,)}
    sheets = [DeskSheet(text, name, given[name]) for name, text in desks.items()]
    return read_side(RULES, THEATRE, known(phase), GERMANS, [*sheets, DeskSheet(hq)], phase=PhaseKey(phase))


def answer(sheet: SideSheet, phase: str = "german_sheet") -> Checked:
    return check_side(RULES, THEATRE, known(phase), sheet)


def lines(sheet: SideSheet) -> list[tuple[str, int]]:
    return [(placed.desk, placed.line) for placed in sheet.lines]


def errors(problems: tuple[Problem, ...]) -> list[tuple[str, int, str]]:
    return [(each.desk, each.line, each.code) for each in problems if each.severity is Severity.ERROR]


def test_what_is_about_the_whole_side_is_headquarters_to_write() -> None:
    text = "AIR superiority 2\nREMOVE cas\nINTERDICT K16 1\nARTILLERY 12 SS\nNOTE mud"
    sheet = read(phase="air", hq="AIR cas 1", Sixth=text)
    assert lines(sheet) == [(HQ, 1), ("Sixth", 4), ("Sixth", 5)]
    assert errors(sheet.problems) == [("Sixth", 1, "desk"), ("Sixth", 2, "desk"), ("Sixth", 3, "desk")]
    assert "only HQ can give orders for the whole side; this line is ignored" in sheet.problems[0].message


def test_a_desk_orders_its_own_units_and_headquarters_any() -> None:
    sheet = read(hq="HOLD 116 Pz\nHOLD 3 PzGr", Sixth="HOLD 12 SS\nHOLD 2 Pz", Fifth="HOLD 2 Pz")
    assert lines(sheet) == [(HQ, 1), (HQ, 2), ("Fifth", 1), ("Sixth", 1)]
    assert errors(sheet.problems) == [("Sixth", 2, "desk")]


def test_an_order_of_headquarters_for_a_unit_overrides_its_desk() -> None:
    sheet = read(hq="HOLD 12 SS", Sixth="MOVE 12 SS S22\nCAS 12 SS 1\nARTILLERY 12 SS\nHOLD 1 SS")
    assert lines(sheet) == [(HQ, 1), ("Sixth", 4)]
    assert errors(sheet.problems) == [("Sixth", line, "overruled") for line in (1, 2, 3)]


def test_headquarters_support_for_a_unit_overrules_only_its_like() -> None:
    sheet = read(hq="CAS 12 SS 2", Sixth="MOVE 12 SS S22\nCAS 12 SS 1\nARTILLERY 12 SS")
    assert lines(sheet) == [(HQ, 1), ("Sixth", 1), ("Sixth", 3)]


def test_lines_that_name_no_unit_are_kept_of_every_desk() -> None:
    sheet = read(hq="NOTE from HQ", Sixth="NOTE from one", Fifth="NOTE from another")
    assert [placed.order.text for placed in sheet.lines] == ["from HQ", "from another", "from one"]


def test_a_line_that_cannot_be_read_is_its_desks() -> None:
    sheet = read(hq="HOLD 2 Pz", Sixth="\nnonsense")
    assert errors(sheet.problems) == [("Sixth", 2, "verb")]
    assert [placed.desk for placed in sheet.orders] == [HQ]


def test_a_sealed_sheet_says_nothing() -> None:
    sheets = [DeskSheet("HOLD 2 Pz"), DeskSheet(None, "Sixth", (SIXTH,))]
    sheet = read_side(RULES, THEATRE, known(), GERMANS, sheets, phase=PhaseKey("german_sheet"))
    assert lines(sheet) == [(HQ, 1)]
    assert "G-12SS" in sheet.desks.units["Sixth"]


def test_an_order_of_another_phase_is_answered_with_that_phase() -> None:
    sheet = read(phase="air", hq="move 2 Pz K16\nDEMOLISH K16\nLOSSES 2 Pz 5\nRETREAT 2 Pz to K16\nMVOE 2 Pz K16")
    assert [(each.code, each.message, each.hint) for each in sheet.problems[:3]] == [
        (
            "verb",
            "MOVE is an order of “German movement and attacks”, not of this phase",
            "Write it when that phase is open.",
        ),
        ("verb", "DEMOLISH is an order of “Allied movement and attacks”, not of this phase", ""),
        ("verb", "LOSSES is an order of “German battles” and “Allied battles”, not of this phase", ""),
    ]
    assert sheet.problems[3].message.count(",") == 3, "four phases"
    assert "'MVOE' is not an order of this phase" in sheet.problems[4].message


def test_lines_of_one_number_on_two_sheets_stay_separate() -> None:
    sheet = read(hq="MOVE 150 Pz Bde S22", Sixth="MOVE 12 SS S22", Fifth="MOVE 2 Pz A1")
    said = answer(sheet)
    assert [(each.desk, each.text) for each in said.understood if each.line] == [
        (HQ, "150 Pz Bde moves S22: 2 of 12 points")
    ]
    assert errors(said.problems) == [("Fifth", 1, "gap"), ("Sixth", 1, "full")]


def test_each_desk_is_told_of_its_own_units_and_headquarters_of_unassigned_ones() -> None:
    sheet = read(hq="HOLD 212 VG", Sixth="HOLD 12 SS\nALL OTHERS HOLD", Fifth="HOLD 2 Pz")
    gaps = {each.desk: each.message for each in answer(sheet).problems if each.code == "no-orders"}
    assert gaps.keys() == {HQ, "Fifth"}
    assert "276 VG" in gaps[HQ]
    assert "116 Pz" in gaps["Fifth"]
    assert not any(unit in gaps[HQ] for unit in ("212 VG", "116 Pz", "12 SS", "1 SS"))


def test_headquarters_is_told_what_the_side_has_not_spent() -> None:
    said = answer(read(phase="air", Sixth="READY"), "air")
    assert [(each.desk, each.code) for each in said.problems] == [(HQ, "idle-air")]


def test_every_desk_is_told_the_fuel() -> None:
    said = answer(read(hq="MOVE 2 Pz K16", Sixth="MOVE 12 SS S22"))
    (fuel,) = (each for each in said.understood if each.line == 0)
    assert (fuel.desk, "cost 1 of" in fuel.text) == ("", True)
