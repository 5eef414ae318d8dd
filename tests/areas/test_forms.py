"""Forms of the area game: what each phase offers to fill in, and that all of it is accepted."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from campaign.engine.choices import Draft
from campaign.engine.orders.forms import THERE, Change, Form, filled, lines_in, order_of, proposed, with_changes
from campaign.engine.orders.order import Severity, Submission
from campaign.engine.state import state_known_to
from campaign.engine.values.ids import Audience, SideId
from campaign.rulesets.area_activation import RULESET
from campaign.rulesets.area_activation.model.orders import Arrive
from tests.areas.board import Loaded
from tests.areas.test_outcomes import ALLIES, ATTACK, FAR, GERMANS, MARKED, Game, morning


def forms(game: Game, who: Audience) -> dict[str, Form]:
    """The forms of a side's empty sheet, by their keys."""
    known = state_known_to(game.state, who)
    phase = RULESET.phase(RULESET.now(known))
    sheet = Submission(game.game_data, known, who, ())
    return {form.key: form for form in RULESET.forms_of(Draft(phase, sheet))}


def rows(form: Form) -> dict[str, list[str]]:
    """The words of the choices of each row, by its label."""
    return {row.label: [choice.words for blank in row.blanks for choice in blank.choices] for row in form.rows}


def written(game: Game, who: Audience, form: Form) -> list[str]:
    """The line that each choice of a form writes; none is refused."""
    names = RULESET.names(game.game_data, state_known_to(game.state, who))
    lines = []
    for row in filled(form, ()):
        for entered in [{blank.name: choice.key} for blank in row.row.blanks for choice in blank.choices] or [
            {THERE: "on"}
        ]:
            line = with_changes("", [Change(row, order_of(row, entered))], names)
            assert [each for each in game.check(who, line).problems if each.severity is Severity.ERROR] == [], line
            lines.append(line)
    return lines


def only(game: Game, who: Audience, key: str) -> Form:
    """The one form that there is."""
    (form,) = forms(game, who).values()
    assert form.key == key
    return form


# --- mornings --------------------------------------------------------------------------------------------------------


def test_r38_a_unit_that_is_due_has_its_spaces_of_arrival() -> None:
    game = morning({"38Cav": {"at": "Eupen"}}, due={"9SSPz": False})
    form = only(game, GERMANS, "arrivals")
    assert rows(form) == {"9 SS Pz": ["Gemund", "Stadtkyll"]}
    assert written(game, GERMANS, form) == ["ARRIVE 9 SS Pz at Gemund\n", "ARRIVE 9 SS Pz at Stadtkyll\n"]
    assert form.main
    assert form.rows[0].blanks[0].on_map
    assert forms(game, ALLIES) == {}, "nothing of the Allies comes"


def test_r38_a_unit_that_was_delayed_may_arrive_next_to_its_spaces() -> None:
    here, there = (
        rows(forms(morning({"38Cav": {"at": "Eupen"}}, due={"9SSPz": delayed}), GERMANS)["arrivals"])["9 SS Pz"]
        for delayed in (False, True)
    )
    assert set(here) < set(there)


def test_r18_a_space_of_arrival_is_offered_to_as_many_as_it_has_room_for() -> None:
    there = {unit: {"at": "Gemund"} for unit in ("272VG", "326VG")}
    game = morning({**there, "38Cav": {"at": "Eupen"}}, due={"9SSPz": False, "150Pz": False})
    form = only(game, GERMANS, "arrivals")
    names = RULESET.names(game.game_data, state_known_to(game.state, GERMANS))
    lines = lines_in("ARRIVE 9 SS Pz at Gemund", [Arrive], names)
    for shown in (proposed(form, filled(form, lines)), proposed(form, filled(form, ()), lines)):
        offered = rows(replace(form, rows=tuple(each.row for each in shown)))
        assert offered["150 Pz"] == ["Stadtkyll"]
    assert [choice.times for choice in form.rows[0].blanks[0].choices] == [1, 3]


def test_r39_a_reserve_that_is_called_may_be_kept() -> None:
    called = morning({"2Pz": {"at": "Celles"}}, date="1944-12-20", reserve=["10SSPz", "11Pz"])
    form = forms(called, GERMANS)["arrivals"]
    assert list(rows(form)) == ["10 SS Pz, of the reserve", "11 Pz, of the reserve", "Keep the reserve"]
    assert written(called, GERMANS, form)[-1] == "KEEP RESERVE\n"
    waiting = morning({"2Pz": {"at": "Trier"}}, date="1944-12-20", reserve=["10SSPz", "11Pz"])
    assert "arrivals" not in forms(waiting, GERMANS)


def test_r37_the_allies_mark_units_that_drive_as_many_as_the_day_says() -> None:
    game = morning({**MARKED, "26VG": {"at": "Trier"}}, date="1944-12-22")
    form = only(game, ALLIES, "mark")
    assert rows(form) == {f"Unit {number}": ["12 SS Pz", "1 SS Pz", "2 Pz"] for number in (1, 2, 3)}
    assert {choice.times for row in form.rows for choice in row.blanks[0].choices} == {1}
    assert written(game, ALLIES, form)[:3] == ["MARK 12 SS Pz\n", "MARK 1 SS Pz\n", "MARK 2 Pz\n"]
    assert forms(morning(MARKED, date="1944-12-19"), ALLIES) == {}, "on that day none is marked"


def test_r37_the_germans_may_free_units_that_arrive_today_too() -> None:
    game = morning(MARKED, date="1944-12-23", due={"9SSPz": False})
    form = forms(game, GERMANS)["refuel"]
    assert rows(form) == {f"Unit {number}": ["12 SS Pz", "1 SS Pz", "2 Pz", "9 SS Pz"] for number in (1, 2, 3, 4)}
    assert written(game, GERMANS, form)[3] == "REFUEL 9 SS Pz\n"


def test_r40_replacements_for_armor_and_for_infantry_are_separate() -> None:
    weak = {"12SSPz": {"at": "Baasem", "strength": 2}, "26VG": {"at": "Trier", "strength": 1}, "2Pz": {"at": "Dasburg"}}
    game = morning(weak, date="1944-12-23")
    armor, others = (forms(game, GERMANS)[key] for key in ("armor", "infantry"))
    assert rows(armor) == {"12 SS Pz, strength 2": []}
    assert rows(others) == {"26 VG, strength 1": []}
    points = game.game_data.days[game.state.open.date].replacements[SideId("german")]
    assert (armor.most, others.most) == (points.armor, points.infantry)
    assert written(game, GERMANS, armor) == ["REPLACE 12 SS Pz\n"]
    assert written(game, GERMANS, others) == ["REPLACE 26 VG\n"]


def test_r41_a_commando_operation_names_one_allied_unit() -> None:
    game = morning({"7Arm": {"at": "Aachen"}}, date="1944-12-17")
    form = only(game, GERMANS, "commando")
    assert rows(form) == {"Unit": ["7 Arm"]}
    assert written(game, GERMANS, form) == ["COMMANDO 7 Arm\n"]
    assert "commando" not in forms(morning({"7Arm": {"at": "Aachen"}}, date="1944-12-19"), GERMANS)


# --- the day, and its questions --------------------------------------------------------------------------------------


@pytest.mark.parametrize("who", [GERMANS, ALLIES])
def test_r47_a_side_says_what_it_wants_to_be_asked(who: Audience) -> None:
    game = Game({"18VG": {"at": "Prum"}, **FAR})
    form = only(game, who, "ask")
    assert list(rows(form)) == [
        "which space acts next",
        "whether to pass",
        "which combat comes first",
        "who takes the hits",
        "whether to retreat",
        "who breaks through",
    ]
    kinds = ("activations", "passes", "combats", "losses", "retreats", "breakthroughs")
    assert written(game, who, form) == [f"ASK ME {kind}\n" for kind in kinds]


def asked(units: Mapping[str, Any], dice: Loaded | None = None, date: str = "1944-12-17", **sheets: str) -> Game:
    """The game at the first question."""
    game = Game(units, date=date)
    game.play({Audience(side): sheet for side, sheet in sheets.items()}, dice)
    return game


def test_r10_a_turn_is_for_a_space_with_units_or_for_none() -> None:
    units = {"18VG": {"at": "Prum"}, "272VG": {"at": "Gemund"}, **FAR}
    game = asked(units, german="ASK ME activations")
    form = only(game, GERMANS, "activate")
    assert rows(form) == {"Space": ["Gemund", "Prum"]}
    assert written(game, GERMANS, form) == ["ACTIVATE Gemund\n", "ACTIVATE Prum\n"]
    assert (form.most, form.main, form.rows[0].blanks[0].on_map) == (1, True, True)
    assert forms(game, ALLIES) == {}, "they are not asked"


def test_r9_a_side_that_may_pass_says_yes_or_no() -> None:
    units = {"272VG": {"at": "Gemund"}, "28Inf": {"at": "Bastogne"}, "30Inf": {"at": "Malmedy"}}
    game = asked(units, date="1944-12-23", allied="ACTIVATE Bastogne", german="ACTIVATE Gemund\nASK ME passes")
    form = only(game, GERMANS, "pass")
    assert written(game, GERMANS, form) == ["PASS\n", "GO ON\n"]
    assert (form.most, form.main) == (1, True)


def test_r48_with_two_combats_one_comes_first() -> None:
    units = {"18VG": "Prum", "62VG": "Prum", "424-106": "Bleialf", "106Inf": "Schonberg"}
    sheet = "MOVE 18 VG Bleialf\nMOVE 62 VG Schonberg\nASK ME combats"
    game = asked({unit: {"at": at} for unit, at in units.items()}, german=sheet)
    form = only(game, GERMANS, "combat")
    assert set(written(game, GERMANS, form)) == {"COMBAT Bleialf\n", "COMBAT Schonberg\n"}
    assert form.main
    assert form.rows[0].blanks[0].spread


def test_r31_who_takes_the_last_hits_need_not_be_said() -> None:
    units = {"116Pz": "StVith", "106Inf": "StVith", "B-9Arm": "StVith", "14Cav": "StVith"}
    dice = Loaded({"116Pz": 3})
    game = asked({unit: {"at": at} for unit, at in units.items()}, dice, allied="ASK ME losses\nSTAND St. Vith")
    form = only(game, ALLIES, "lose")
    names = ["106 Inf", "14 Cav", "B/9 Arm"]
    assert rows(form) == {"Hit 1": names, "Hit 2": names}
    assert written(game, ALLIES, form)[:3] == [f"LOSE {name}\n" for name in names]
    assert form.main


@pytest.mark.parametrize(
    ("hits", "stand", "retreat"),
    [(1, "Stand, with 1 hit", "Retreat, with 0 hits"), (2, "Stand, with 2 hits", "Retreat, with 1 hit")],
)
def test_r32_the_attacked_stand_or_go_to_a_space_that_they_may_enter(hits: int, stand: str, retreat: str) -> None:
    game = asked(ATTACK, Loaded({"26VG": hits}), date="1944-12-19", allied="ASK ME retreats")
    form = only(game, ALLIES, "retreat")
    ways = ["Herve", "Stoumont", "Werbomont", "Hotton", "Modave", "Liege", "Huy"]
    assert rows(form) == {stand: [], retreat: ways}
    lines = written(game, ALLIES, form)
    assert lines[:2] == ["STAND Ouffet\n", "RETREAT Ouffet to Herve\n"]
    assert (form.most, form.main, form.rows[1].blanks[0].spread) == (1, True, True)
    assert forms(game, GERMANS) == {}, "they are not asked"


def test_r33_each_armored_unit_that_has_won_may_go_on() -> None:
    units = {unit: {"at": "Ouffet"} for unit in ("1SSPz", "2Pz", "26VG", "14Cav")}
    german = "ACTIVATE Ouffet\nASK ME breakthroughs"
    game = asked(units, Loaded({"1SSPz": 7}), german=german, allied="STAND Ouffet")
    form = only(game, GERMANS, "break")
    assert list(rows(form)) == ["1 SS Pz", "2 Pz"]
    assert set(rows(form)["2 Pz"]) == {"Herve", "Stoumont", "Werbomont", "Hotton", "Modave", "Liege", "Huy"}
    assert written(game, GERMANS, form)[0].startswith("BREAK THROUGH 1 SS Pz to ")
    assert form.main
    assert form.rows[0].blanks[0].on_map
