"""A position that was played elsewhere, as a table: what is read from it, and what is wrong with it."""

import datetime
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from campaign.engine.adjudication import adjudicate, asked
from campaign.engine.pasted import LONGEST_CELL, MOST_LINES
from campaign.engine.positions import LONGEST_POSITION, last_morning
from campaign.engine.state import state_known_to
from campaign.engine.values.ids import PlaceId, audience_of
from campaign.game.beginning import read_position, scenario_start, written_position
from campaign.game.loading import WithStart, find_scenario, load_scenario
from campaign.game.simulation import bot_sheet, options_with, play_phases
from campaign.game.store import encode_state
from campaign.rulesets.forum_campaign.day.sighting import sightings
from campaign.rulesets.forum_campaign.gm.position import lines, roster
from campaign.rulesets.forum_campaign.gm.position.roster import names_of
from campaign.rulesets.forum_campaign.gm.position.table import COLUMNS, LINES, About, Column
from campaign.rulesets.forum_campaign.gm.rulings import why_no_label
from campaign.rulesets.forum_campaign.model.game_data import ALLIED, GERMAN, SIDES, Goods, Weather
from campaign.rulesets.forum_campaign.model.ledger import LedgerLine, LineKind
from campaign.rulesets.forum_campaign.model.state import DepotStatus, State, Unit
from campaign.rulesets.forum_campaign.model.task_forces import task_force
from tests.laws.games import dice_of

ST_VITH, ARDENNES = "forum_campaign/st-vith-1944", "forum_campaign/ardennes-1944"
DAY = datetime.date(1944, 12, 18)
HEADING = "unit,hex,strength,status"


@cache
def loaded(name: str = ST_VITH) -> WithStart:
    return load_scenario(find_scenario(name))


def start(name: str = ST_VITH) -> State:
    found: State = scenario_start(loaded(name), {})
    return found


def entered(scenario: WithStart, first: State, text: str, day: datetime.date | None = None) -> State:
    """The state of a position without faults."""
    found = read_position(scenario, first, text, day)
    assert found.state is not None, list(map(str, found.faults))
    state: State = found.state
    return state


def state_of(text: str, name: str = ST_VITH, day: datetime.date | None = DAY) -> State:
    """The same, on top of a scenario's start."""
    return entered(loaded(name), start(name), text, day)


def faults_of(text: str, day: datetime.date | None = DAY, name: str = ST_VITH) -> list[str]:
    return list(map(str, read_position(loaded(name), start(name), text, day).faults))


def unit(state: State, label: str) -> Unit:
    return next(each for own in state.own.values() for each in own.units.values() if each.label == label)


# --- there and back --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [ST_VITH, ARDENNES])
def test_the_start_as_a_table_is_the_start_again(name: str) -> None:
    text = written_position(loaded(name), start(name), start(name))
    assert state_of(text, name, day=None) == start(name)


def test_whatever_is_between_the_cells_the_table_says_the_same() -> None:
    text = "# from our forum\nunit,hex,strength\n12 VG,Q19,85\nfuel,9\n14 Cav,R19,70\n"
    said = state_of(text)
    assert (unit(said, "12 VG").at, unit(said, "14 Cav").strength, said.open.fuel) == ("Q19", 70, 9)
    for other in (text.replace(",", "\t"), text.replace(",", ";"), text.replace(",", " , ").replace("\n", "\r\n")):
        assert state_of(other) == said
    assert state_of("\ufeff" + text + ",,\n\n") == said
    assert state_of(text.replace("unit,hex,strength", "Unit,HEX,Strength (%)").replace("85", "85 %")) == said


STYLE = "all-round"


def mornings(name: str, seed: int) -> Iterator[State]:
    """The mornings of a game between bots."""
    scenario = loaded(name)
    for phase in play_phases(scenario, seed=seed, players=dict.fromkeys(SIDES, STYLE)):
        morning = last_morning(scenario.rules, phase.before, [event.fact for event in phase.resolution.events])
        if morning is not None:
            yield morning


def with_bots(name: str) -> State:
    scenario = loaded(name)
    state: State = scenario.rules.with_options(scenario.scenario.start, options_with(scenario, {}))
    return state


@pytest.mark.parametrize(("name", "seed"), [(ST_VITH, 1), (ST_VITH, 5), (ARDENNES, 2)])
def test_every_morning_of_a_game_between_bots_comes_back_as_it_was(name: str, seed: int) -> None:
    scenario, first, days = loaded(name), with_bots(name), 0
    for morning in mornings(name, seed):
        text = written_position(scenario, first, morning)
        again = entered(scenario, first, text)
        assert written_position(scenario, first, again) == text
        assert carried(again) == carried(morning)
        days += 1
    assert days >= 4


def carried(state: State) -> Any:
    """All that a position carries of a state, read from the state itself."""
    open_ = state.open
    return (
        (open_.date, open_.turn, open_.phase, open_.fuel, open_.depots, open_.control, open_.options, open_.forecast),
        {
            side: (
                {id_: _of_unit(each) for id_, each in own.units.items()},
                {id_: (each.at, each.label) for id_, each in own.lost.items() if each.strength or each.at},
                {at: depth for at, depth in own.positions.items() if at in {each.at for each in own.units.values()}},
            )
            for side, own in state.own.items()
        },
    )


def _of_unit(each: Unit) -> Any:
    bought = {goods: count for goods, count in each.bought.items() if count}
    stays = not (each.moved or each.spent)
    return (
        *(each.label, each.name, each.branch, each.echelon, each.small, each.small_from_start, each.movement),
        *(each.strength, each.establishment, each.at, each.supplied, each.arrives, each.entry, each.parent),
        *(each.lent, each.raised, each.scattered, each.tanks, each.heavy_tanks, bought, each.ledger, each.absorbed),
        *(stays, each.fought, each.dislodged, each.army, each.corps),
    )


def day_from(scenario: WithStart, state: State) -> State:
    """The next morning of a game between bots, with dice that are the same for the same day."""
    rules, game_data, lock = scenario.rules, scenario.scenario.game_data, 0
    while True:
        lock += 1
        sheets = {who: bot_sheet(scenario, state, who, STYLE).orders for who in sorted(asked(rules, state))}
        resolution = adjudicate(rules, game_data, state, sheets, dice=dice_of(rules, 7, lock))
        facts = [event.fact for event in resolution.events]
        if lock > 1 and (morning := last_morning(rules, state, facts)) is not None:
            found: State = morning
            return found
        state = resolution.state


def test_the_next_day_of_an_entered_position_is_that_of_the_game_that_it_is_from() -> None:
    scenario, first = loaded(), with_bots(ST_VITH)
    for morning in list(mornings(ST_VITH, seed=3))[1:-1]:
        again = entered(scenario, first, written_position(scenario, first, morning))
        assert encode_state(again) != encode_state(morning), "the enemies that were seen are not carried"
        assert carried(day_from(scenario, again)) == carried(day_from(scenario, morning))


# --- what a side knows -----------------------------------------------------------------------------------------------


def test_each_side_begins_with_what_its_own_units_see_that_morning() -> None:
    scenario, first = loaded(), with_bots(ST_VITH)
    morning = list(mornings(ST_VITH, seed=3))[2]
    state = entered(scenario, first, written_position(scenario, first, morning))
    rules, game_data = scenario.rules, scenario.scenario.game_data
    for side in SIDES:
        own = state.own[side]
        assert morning.own[side].sightings
        assert morning.own[side].seen
        assert (own.sightings, own.last_seen, dict(own.seen), own.seen_positions) == ((), (), {}, {})
        assert not own.identified
    opened = adjudicate(rules, game_data, state, {}, dice=dice_of(rules, 1, 1)).state
    for side in SIDES:
        assert opened.own[side].sightings == sightings(game_data, opened, side)


def test_a_side_knows_the_same_whatever_the_other_has_out_of_its_sight() -> None:
    """The Allied units far behind, and what else of theirs a position says, change nothing of what Germans know."""
    scenario = loaded()
    rules, game_data = scenario.rules, scenario.scenario.game_data
    one = state_of("unit,hex,strength,position\nCCR/9,M13,100,\n")
    other = state_of(
        "unit,hex,strength,position,bought\nCCR/9,M14,64,entrenched,3 at\nheld,allied,M15\nledger,CCR/9,remark,Tired"
    )
    known = []
    for state in (one, other):
        assert state_known_to(state, audience_of(GERMAN)) == state_known_to(one, audience_of(GERMAN))
        opened = adjudicate(rules, game_data, state, {}, dice=dice_of(rules, 1, 1))
        told = [event.disclosures.get(audience_of(GERMAN)) for event in opened.events]
        told = [each for each in told if each is not None]
        known.append((encode_state(state_known_to(opened.state, audience_of(GERMAN))), told))
    assert known[0] == known[1]


# --- what the lines say ----------------------------------------------------------------------------------------------

EVERYTHING = """
day,1944-12-18
fuel,14
weather,Snow
control,St. Vith,german
depot,R19,captured
held,german,Q19 P19
ledger,KG Peiper,extra,"2 jeeps, armed",106 Inf
ledger,1 SS,medium,Fritz

side,unit,hex,status,strength,supplied,yesterday,position,size,tanks,heavy tanks,bought,absorbing,part of,class
german,12 VG,Q20,,85,no,moved and fought,,,,,,,,
german,1 SS,Q21,,60,,,,,2,0,2 at 1 heavy-aa,1,,
german,KG 1 SS,R20,,28,,displaced,,,1,,,,1 SS,
german,KG Peiper,S20,,100,,,entrenched,,,,,,,
german,3 FJ,P21,,100,,,,,,,,,,
german,18 VG,P20,,100,,,,,,,,,,
allied,422/106,P16,,100,,,,,,,,,,
allied,CCB/9,P15,,100,,,,,,,,,,
allied,CCB/7,P14,,100,,,,,,,,,,
allied,14 Cav,R16,,100,,,,,,,,,,
allied,424/106,O18,eliminated,50,,,,,,,,,,
allied,106 HQ,,removed,,,,,,,,,,,
allied,2 Rangers,P15,,90,,,,small,,,,,,infantry
"""


def test_every_column_and_line_reaches_the_state() -> None:
    state = state_of(EVERYTHING, day=None)
    open_ = state.open
    assert (open_.date, open_.turn, open_.fuel) == (DAY, 2, 14)
    assert open_.forecast is not None
    assert open_.forecast.condition is Weather.SNOW
    assert open_.control[PlaceId("P18")] == GERMAN
    assert open_.depots[PlaceId("R19")] is DepotStatus.CAPTURED
    assert {"Q19", "P19"} <= state.own[GERMAN].entered.keys()
    vg, ss, force = unit(state, "12 VG"), unit(state, "1 SS"), unit(state, "KG 1 SS")
    assert (vg.supplied, vg.moved, vg.fought, vg.dislodged, vg.strength) == (False, True, True, False, 85)
    assert (ss.tanks, ss.heavy_tanks, ss.lent, ss.absorbed) == (2, 0, 30, 1)
    assert ss.bought == {Goods.AT_GUNS: 2, Goods.HEAVY_AA_GUNS: 1}
    assert ss.ledger == (LedgerLine(LineKind.MEDIUM_TANK, "Fritz"),)
    assert (force.parent, force.raised, force.strength, force.dislodged, force.small) == (ss.id, 30, 28, True, True)
    assert unit(state, "KG Peiper").ledger == (LedgerLine(LineKind.EXTRA, "2 jeeps, armed", "106 Inf"),)
    assert state.own[GERMAN].positions == {"S20": 2}
    assert {each.label: each.at for each in state.own[ALLIED].lost.values()} == {"424/106": "O18", "106 HQ": None}
    rangers = unit(state, "2 Rangers")
    assert (rangers.small, rangers.strength, rangers.at, rangers.branch.value) == (True, 90, "P15", "infantry")


def test_hexes_that_changed_hands_can_have_cells_of_their_own() -> None:
    standing = {each.at for own in start().own.values() for each in own.units.values()}
    free = [place for place in loaded().scenario.game_data.hexes if place not in standing][:30]
    state = state_of(f"held,german,{','.join(free)}\nunit,hex\n12 VG,R20\n")
    assert set(free) <= state.own[GERMAN].entered.keys()


def test_the_weather_of_a_position_is_that_of_its_morning_and_is_not_rolled() -> None:
    scenario = loaded()
    state = state_of("unit,hex\n12 VG,R20\nweather,storm\n")
    opened = adjudicate(scenario.rules, scenario.scenario.game_data, state, {}, dice=dice_of(scenario.rules, 1, 1))
    assert opened.state.open.weather is not None
    assert opened.state.open.weather.condition is Weather.STORM
    assert opened.state.open.date == DAY


def test_what_a_position_does_not_name_is_listed_with_what_happens_to_it() -> None:
    found = read_position(loaded(), start(), f"{HEADING}\n12 VG,S20,85,\n", datetime.date(1944, 12, 19))
    tables = {each.key: each.rows for each in found.tables}
    assert tables["position-units"] == (("German", "12 VG", "hex R20 → S20, strength 100 → 85"),)
    unnamed = {label: what for _, label, what in tables["position-unnamed"]}
    assert unnamed["18 VG"] == "stays in P21, with all its strength"
    assert unnamed["82 Abn"].startswith(("has not arrived yet; it could since", "arrives on"))
    assert len(unnamed) == sum(len(own.units) for own in start().own.values()) - 1


def test_a_unit_stands_on_the_front_that_it_holds_and_an_objective_is_its_own() -> None:
    state = state_of("unit,hex\n106 HQ,P15\nCCB/9,P15\n1 SS,P18\nCCB/7,P14\n")
    assert state.open.control[PlaceId("P18")] == GERMAN
    assert "P18" in state.own[GERMAN].entered
    text = written_position(loaded(), start(), state)
    assert "control" not in text


@pytest.mark.parametrize("name", [ST_VITH, ARDENNES])
def test_every_unit_can_have_a_task_force_with_a_label_that_a_table_can_hold(name: str) -> None:
    for side, own in start(name).own.items():
        for each in own.units.values():
            assert not why_no_label(start(name), task_force(side, each, ()).label)


# --- what is wrong ---------------------------------------------------------------------------------------------------

UNITS = "side,unit,hex,strength,status,supplied,yesterday,position,size,tanks,bought,part of,class,arrives,absorbing"

WRONG_UNITS = {
    ",12 VGX,Q20": "Line 2: the scenario has no unit '12 VGX'. Did you mean 12 VG? For a unit that is not in the"
    " scenario, fill in side and class; for a task force, part of.",
    "allied,12 VG,Q20": "Line 2: 12 VG is no Allied unit. Correct the side, or leave it empty.",
    ",,Q20": "Line 2: the line names no unit. Write the unit, or delete the line.",
    "russian,12 VG,Q20": "Line 2: side is 'russian'. Write german or allied, or nothing.",
    ",12 VG,Z99": "Line 2: this map has no hex or town 'Z99'. Write a hex as the map numbers it, such as Q19.",
    ",12 VG,Q20,101": "Line 2: strength is '101'. Write a whole number from 0 to 100, or nothing.",
    ",12 VG,Q20,-5": "Line 2: strength is '-5'. Write a whole number from 0 to 100, or nothing.",
    ",12 VG,Q20,0.85": "Line 2: strength is '0.85'. Write a whole number from 0 to 100, or nothing.",
    ",12 VG,Q20,weak": "Line 2: strength is 'weak'. Write a whole number from 0 to 100, or nothing.",
    ",12 VG,Q20,15": "Line 2: the strength of 12 VG is 15; it must be 21 to 100 percent. Correct it, or write"
    " eliminated"
    " as its status.",
    ",CCB/9,P18,30": "Line 2: the strength of CCB/9 is 30; it must be 41 to 100 percent. Correct it, or write"
    " eliminated"
    " as its status.",
    ",12 VG,Q20,90,gone": "Line 2: status is 'gone'. Write on the map, to arrive, eliminated or removed, or nothing.",
    ",12 VG,,90": "Line 2: 12 VG has no hex, and no day on which it arrives. Write its hex; or write eliminated or"
    " removed as its status, if it is gone.",
    ",12 VG,,90,map": "Line 2: 12 VG is on the map, and has no hex. Write its hex, or correct its status.",
    ",82 Abn,P15": "Line 2: 82 Abn is on the map before 19 December, the day on which it arrives. Write “to arrive” as"
    " its status; or if it came early, write the day on which it came into arrives.",
    ",82 Abn,P15,,to arrive": "Line 2: 82 Abn is to arrive, and has a hex. Leave one of the two empty.",
    ",12 VG,Q20,,,maybe": "Line 2: supplied is 'maybe'. Write yes or no, or nothing.",
    ",Stielau 1,Q20,,,no": "Line 2: commandos need no supply (R11.1). Leave supplied empty.",
    ",12 VG,Q20,,,,slept": "Line 2: yesterday is 'slept': 'slept' is unknown. Write moved, fought, displaced,"
    " or some of these, or nothing.",
    ",12 VG,Q20,,,,,deep": "Line 2: position is 'deep'. Write none, dug-in or entrenched, or nothing.",
    ",Stielau 1,Q20,,,,,dug-in": "Line 2: Stielau 1 is not on the map as a ground unit and has no position (R13). Leave"
    " it empty.",
    ",12 VG,Q20,40,,,,,full": "Line 2: 12 VG cannot be full size: it is small by its strength or its kind (R12.7)."
    " Leave"
    " it empty.",
    ",1 SS,Q21,,,,,,,many": "Line 2: tanks is 'many'. Write a whole number from 0 to 99, or nothing.",
    ",1 SS,Q21,,,,,,,,2 boats": "Line 2: bought is '2 boats'. Write numbers with at, heavy-at, aa, heavy-aa and tanks,"
    " such as 2 at.",
    ",KG X,Q21,,,,,,,,,9 SS": "Line 2: KG X is part of '9 SS', and there is no such unit. Write the label of its unit"
    " as"
    " in the scenario, and the side.",
    ",KG 1 SS,Q21,30,,,,,,,,1 SS": "Line 2: KG 1 SS is part of 1 SS, which is not named. Add the line of its unit, with"
    " what the task force has left it.",
    ",2 Rangers,P15,,,,,,small,,,,infantry": "Line 2: 2 Rangers is not in the scenario, and no side is given. Write"
    " german or allied as its side.",
    "allied,2 Rangers,P15,,,,,,,,,,infantry": "Line 2: 2 Rangers is not in the scenario. Fill in its class, and its"
    " size:"
    " full or small.",
    "allied,Raiders,P15,,,,,,,,,,commando": "Line 2: only the Germans have commandos (R11). Correct the side, or the"
    " class.",
    ",12 VG,Q20,,,,,,,,,,,1944-12-20": "Line 2: 12 VG does not arrive: the scenario has it on the map. Leave arrives"
    " empty.",
    ",82 Abn,,,,,,,,,,,,tomorrow": "Line 2: arrives is 'tomorrow'. Write a day as 1944-12-16, or nothing.",
    ",12 VG,Q20,,,,,,,,,,,,x": "Line 2: absorbing is 'x'. Write a whole number from 0 to 99, or nothing.",
    ',"12 VG,Q20': "Line 2: its cells cannot be told apart: unexpected end of data. Correct the quotation marks.",
    ",12 VG,Q20,1,2,3,4,5,6,7,8,9,10,11,12,13,14": "Line 2: the line has more cells than the heading. Count what is"
    " between the cells; put quotation marks around a cell that has such a character in it.",
    ",12 VG\x07,Q20": "Line 2: character 7 cannot be shown. Delete it.",
}


@pytest.mark.parametrize(("line", "fault"), WRONG_UNITS.items())
def test_a_wrong_line_of_a_unit_is_named_with_what_is_wrong_and_the_fix(line: str, fault: str) -> None:
    assert fault in faults_of(f"{UNITS}\n{line}\n")


WRONG_LINES = {
    "fuel": "Line 1: the fuel is ''. Write a whole number up to 999.",
    "fuel,lots": "Line 1: the fuel is 'lots'. Write a whole number up to 999.",
    "fuel,-3": "Line 1: the reserve cannot be negative in this campaign (R10.7). Correct the number.",
    "weather,Sunny": "Line 1: 'Sunny' is not on the table of 18 December. That day can have: Storm, Snow, Wet and"
    " Gloomy.",
    "weather,Fog": "Line 1: 'Fog' is not on the table of 18 December, nor any other. That day can have: Storm, Snow,"
    " Wet"
    " and Gloomy.",
    "weather,Storm,5,5": "Line 1: 'Storm 5 5' is not on the table of 18 December. That day can have: Storm, Snow, Wet"
    " and Gloomy.",
    "control,Q19,german": "Line 1: Q19 is not an objective.",
    "control,Nowhere,german": "Line 1: this map has no hex or town 'Nowhere'. Write it so: control,Bastogne,german",
    "control,P18,russian": "Line 1: 'russian' is no side. Write it so: control,Bastogne,german",
    "control,P18,german": "Line 1: St. Vith (P18) holds a unit of the Allies. So it is theirs (R15.5). Correct the side"
    " or the unit.",
    "depot,R19,burnt": "Line 1: the depot is 'burnt'. Write intact, captured or destroyed.",
    "depot,Q19,captured": "Line 1: there is no depot at Q19.",
    "held,german,P18": "Line 1: P18 holds a unit of the other side. Delete the hex, or correct the unit.",
    "ledger,99 VG,extra,2 jeeps": "Line 1: no unit that is left is called '99 VG'. Write its label as in the scenario.",
    "ledger,12 VG,gift,2 jeeps": "Line 1: 'gift' is no kind of line. Write extra, medium, heavy or remark.",
    "ledger,12 VG,medium,Fritz": "Line 1: 12 VG has no medium tank without a name. Correct the line.",
    "day,tomorrow": "Line 1: no day can be read here. Write it so: day,1944-12-18",
    "day,1944-12-19": "Line 1: the day is 1944-12-19, and 1944-12-18 is chosen. Correct one of the two.",
}


@pytest.mark.parametrize(("line", "fault"), WRONG_LINES.items())
def test_a_wrong_line_about_anything_else_is_named_in_the_same_way(line: str, fault: str) -> None:
    found = faults_of(f"{line}\nunit,hex\n12 VG,Q20\n")
    assert any(each.startswith(fault) for each in found), found


WRONG_TOGETHER = {
    "12 VG,P18,90": "Line 2: St. Vith (P18) holds units of both sides (R5.6): 12 VG (German, line 2), 106 HQ (Allied,"
    " not named) and CCB/9 (Allied, not named). Move one of them, or add a line for each that is not named: it is still"
    " where the scenario has it.",
    "12 VG,Q20,90\n18 VG,Q19,90\n14 Cav,Q19,90": "Line 4: Manderfeld (Q19) holds units of both sides (R5.6): 18 VG"
    " (German, line 3)"
    " and 14 Cav (Allied, line 4). Move one of them.",
    "12 VG,Q19,90\n18 VG,Q19,90\n14 Cav,R19,90": "Line 3: Manderfeld (Q19) holds too many units (R5.5): 12 VG"
    " (German, line 2) and"
    " 18 VG (German, line 3). Move one of them.",
    "12 VG,Q20,90\n12 VG,R20,90": "Line 3: 12 VG is on line 2 already. Delete one of the two lines.",
    "fuel,3\nfuel,4": "Line 3: the fuel is on line 2 already. Delete one of the two lines.",
    "control,P18,german\ncontrol,St. Vith,allied": "Line 3: the control of St. Vith (P18) is on line 2 already. Delete"
    " one"
    " of the two lines.",
    HEADING: "Line 2: this is a second heading. Delete it, or move its units up.",
}


@pytest.mark.parametrize(("lines", "fault"), WRONG_TOGETHER.items())
def test_lines_that_do_not_fit_together_are_named_with_each_other(lines: str, fault: str) -> None:
    assert fault in faults_of(f"{HEADING}\n{lines}\n")


@pytest.mark.parametrize(
    ("text", "day", "fault"),
    [
        ("", DAY, "The position has no units. Paste a line for each unit, below a heading."),
        ("12 VG,Q20", DAY, "Line 1: no heading names the columns of units above this line. Begin with a line such as:"),
        (
            "unit,hex,morale",
            DAY,
            "Line 1: there is no column 'morale'. Correct it, or delete the column. There are: side",
        ),
        ("unit,hex,hex", DAY, "Line 1: the column hex is there twice. Delete one of the two."),
        (f"{HEADING}\n12 VG,Q20", None, "No day is given on which the campaign begins. Choose one."),
        (
            f"{HEADING}\n12 VG,Q20",
            datetime.date(1944, 12, 25),
            "1944-12-25 is no day of this scenario. Choose one from",
        ),
        ("x" * (LONGEST_POSITION + 1), DAY, "The position is longer than 200000 characters. Paste the lines"),
    ],
)
def test_a_position_that_is_none_is_refused(text: str, day: datetime.date | None, fault: str) -> None:
    assert any(each.startswith(fault) for each in faults_of(text, day)), faults_of(text, day)


COLUMNS_OF_NEW_UNITS = "side,unit,hex,class,movement,part of,raised at,size"


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        (
            ",12 VG,S20,armor,,,,",
            "Line 2: 12 VG is in the scenario, where its class is infantry. Leave class empty; or",
        ),
        (",12 VG,S20,,9,,,", "Line 2: 12 VG is in the scenario, where its movement is 3. Leave movement empty; or"),
        (",12 VG,S20,,,18 VG,,", "Line 2: 12 VG is in the scenario, and is no task force. Leave part of empty; or"),
        (",12 VG,S20,,,,30,", "Line 2: 12 VG is in the scenario, and is no task force. Leave raised at empty; or"),
        (",12 VG,S20,soldiers,,,,", "Line 2: class is 'soldiers'. Write infantry,"),
    ],
)
def test_what_a_line_says_of_a_unit_of_the_scenario_is_not_dropped(line: str, fault: str) -> None:
    (found,) = faults_of(f"{COLUMNS_OF_NEW_UNITS}\n{line}\n")
    assert found.startswith(fault)


def test_a_line_can_say_of_a_unit_of_the_scenario_what_is_so() -> None:
    assert unit(state_of(f"{COLUMNS_OF_NEW_UNITS}\ngerman,12 VG,S20,infantry,3,,0,\n"), "12 VG").at == "S20"


@pytest.mark.parametrize("second", ["german,A-1,S21,infantry,,,,full", "allied,a 1,P15,infantry,,,,small"])
def test_two_new_units_have_two_names(second: str) -> None:
    found = faults_of(f"{COLUMNS_OF_NEW_UNITS}\ngerman,A 1,S20,infantry,,,,full\n{second}\n")
    label = second.split(",")[1]
    assert found == [
        f"Line 3: {label!r} cannot be the label of a new unit: A 1 is on line 2 already. Choose another label."
    ]


def test_a_unit_that_is_small_from_the_start_has_no_task_force() -> None:
    found = faults_of(f"{COLUMNS_OF_NEW_UNITS}\nallied,TF X,P15,,,106 HQ,,\n")
    assert found == ["Line 2: 106 HQ can have no task force (R8.1). Correct what it is part of."]


# --- what is between the cells ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("separator", ["\t", ";", ","])
@pytest.mark.parametrize("other", ["\t", ";", ",", " , "])
def test_lines_about_anything_else_have_their_own_separators(separator: str, other: str) -> None:
    units = "unit,hex,strength\n12 VG,S20,85\n14 Cav,R16,70\n".replace(",", separator)
    lines = "day,1944-12-18\nFuel,9\nheld,german,Q19 P19\nledger,12 VG,remark,Tired\n".replace(",", other)
    for text in (units + lines, lines + units):
        state = state_of(text, day=None)
        assert (state.open.date, state.open.fuel, unit(state, "12 VG").strength) == (DAY, 9, 85)
        assert {"Q19", "P19"} <= state.own[GERMAN].entered.keys()
        assert unit(state, "12 VG").ledger == (LedgerLine(LineKind.REMARK, "Tired"),)


@pytest.mark.parametrize(
    "first",
    [
        "# unit;hex;strength was our old heading",
        "# unit\thex",
        'ledger,12 VG,remark,"a;unit;b"',
        "Ours;unit,hex,strength\n",
    ],
)
def test_only_the_heading_decides_what_is_between_the_cells(first: str) -> None:
    heading = "" if first.endswith("\n") else "Unit (as here; or there),hex,strength (%)\n"
    text = f"{first.removeprefix('Ours;')}\n{heading}12 VG,S20,85\n"
    assert unit(state_of(text), "12 VG").strength == 85


@pytest.mark.parametrize("number", ["1,000", "1.000", "1000000", "8.5", "9" * 119])
def test_a_number_of_thousands_is_not_read_as_another(number: str) -> None:
    (found,) = faults_of(f'unit,hex,strength\n12 VG,S20,"{number}"\n')
    assert found == f"Line 2: strength is {number!r}. Write a whole number from 0 to 100, or nothing."
    assert unit(state_of('unit,hex,strength\n12 VG,S20,"85,0"\n14 Cav,R16,70.00\n'), "12 VG").strength == 85


# --- texts that are made to be slow ----------------------------------------------------------------------------------

LONG = LONGEST_POSITION - 100
MANY = LONG // 2


@pytest.mark.parametrize(
    "bought", ["1a" * 59 + "!", "1 a " * 29 + "!", "1" * 119 + "!", "1" * 119, "2 at" + " " * 90 + "!"]
)
def test_what_was_bought_is_read_pair_by_pair(bought: str) -> None:
    """Each of these once took a pattern longer than a campaign."""
    (found,) = faults_of(f"unit,hex,bought\n12 VG,S20,{bought}\n")
    assert found.startswith(f"Line 2: bought is {bought!r}. Write numbers with")


@pytest.mark.parametrize(
    "cell", ["(" * MANY, "1" * MANY, "1a" * (MANY // 2), "9" * 5_000, "x " * (MANY // 2), "\u0130" * MANY]
)
@pytest.mark.parametrize("line", ["12 VG,S20,{}", "{},S20", "fuel,{}", "ledger,12 VG,remark,{}", "unit,hex,{}"])
def test_a_cell_that_is_too_long_is_not_looked_into(cell: str, line: str) -> None:
    found = faults_of(f"unit,hex,bought\n{line.format(cell)}\n")
    begins = f"Line 2: the cell that begins with {cell[:20]!r} is too long."
    assert found[0].startswith(begins)
    assert found[0].endswith(f"Shorten it to {LONGEST_CELL} characters.")
    assert all(len(each) < 500 for each in found)


def test_hexes_that_are_none_are_shortened_in_what_is_said() -> None:
    (found,) = faults_of(f"held,german,{'x' * MANY}\nunit,hex\n12 VG,S20\n")
    assert found == f"Line 1: this map has no hex or town '{'x' * LONGEST_CELL}'. Write it so: held,german,Q19 Q20"


@pytest.mark.parametrize("first", ["", "14 Cav,R16", "unit", "fuel,9"])
def test_a_line_has_a_limit_of_cells_that_are_filled(first: str) -> None:
    assert "Line 3: the line has more than 40 cells. Delete those after the last column." in faults_of(
        f"unit,hex\n12 VG,S20\n{first}{',' * (LONG - 100)}x\n"
    )
    assert state_of(f"unit,hex{',' * 90_000}\n12 VG,S20{',' * 90_000}\n") == state_of("unit,hex\n12 VG,S20\n")


def test_a_position_has_a_limit_of_lines_that_are_read() -> None:
    text = "\n\n# ours\nunit,hex\n" + "x,\n" * (LONG // 3)
    found = faults_of(text)
    assert len(found) == MOST_LINES
    where = f"Line {MOST_LINES + 4}: the lines from here on are too many, as at most {MOST_LINES} are read."
    assert found[-1] == f"{where} Delete the lines that are not needed."
    assert faults_of("\n" * LONG) == faults_of("")


def test_only_the_first_unknown_names_have_a_suggestion() -> None:
    found = faults_of("unit,hex\n" + "".join(f"12 VG {number},S20\n" for number in range(1_000)))
    assert len(found) == 1_000
    assert sum("Did you mean" in each for each in found) == 20


def test_a_position_adds_only_some_units() -> None:
    lines = "".join(f"german,New {number},S20,infantry,,,,full\n" for number in range(1_000))
    found = faults_of(f"{COLUMNS_OF_NEW_UNITS}\n{lines}")
    refused = [each for each in found if "the position adds more than 200 units to the scenario" in each]
    assert len(refused) == 800


def test_names_are_gathered_once_however_many_lines_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    gathered = list[int]()

    def counted(*given: Any) -> Any:
        gathered.append(1)
        return names_of(*given)

    for module in (roster, lines):
        monkeypatch.setattr(module, "names_of", counted)
    faults_of("unit,hex\n12 VG,S20\n" + "ledger,18 VG,remark,Tired\n" * 25)
    few = len(gathered)
    faults_of("unit,hex\n12 VG,S20\n" + "ledger,18 VG,remark,Tired\n" * 1_500)
    assert 0 < few == len(gathered) - few


def test_all_mistakes_are_named_at_once_in_the_order_of_their_lines() -> None:
    lines = [HEADING, "12 VGX,Q20,90", "18 VG,Z1,900", "fuel,lots", "weather,Fog", "14 Cav,Q19,5", "106 HQ,,,map"]
    found = faults_of("\n".join(lines))
    named = [int(each.split(":")[0].removeprefix("Line ")) for each in found]
    assert named == sorted(named)
    assert set(named) == {2, 3, 4, 5, 6, 7}
    assert named.count(3) == 2, "a line may have more than one"


def test_nobody_is_a_commando_after_their_last_day() -> None:
    last = loaded(ARDENNES).scenario.game_data.charts.commandos.last_day
    (fault,) = faults_of("unit,hex\nStielau 1,Q20\n", last + datetime.timedelta(1), ARDENNES)[:1]
    assert fault.endswith("(R11.6). Write removed as its status.")


def test_a_commando_that_is_not_named_is_removed_after_their_last_day() -> None:
    last = loaded(ARDENNES).scenario.game_data.charts.commandos.last_day
    text = written_position(loaded(ARDENNES), start(ARDENNES), start(ARDENNES))
    text = "".join(line for line in text.splitlines(keepends=True) if not line.startswith(("day,", "german,Stielau")))
    assert unit(state_of(text, ARDENNES, last), "Stielau 1").at == "Q20"
    after = last + datetime.timedelta(1)
    state = state_of(text, ARDENNES, after)
    assert all(each.ground for each in state.own[GERMAN].units.values())
    assert {each.label: each.at for each in state.own[GERMAN].lost.values()}["Stielau 1"] is None
    (row,) = [
        row
        for table in read_position(loaded(ARDENNES), start(ARDENNES), text, after).tables
        for row in table.rows
        if table.key == "position-unnamed" and row[1] == "Stielau 1"
    ]
    assert row[2] == "is removed, as no commando is left after 21 December (R11.6)"


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("82 Abn,,0,", "Line 2: the strength of 82 Abn is 0; it must be 21 to 100 percent. Correct it, or write"),
        ("82 Abn,,,9999-01-01", "Line 2: arrives is 9999-01-01, which is no day of this scenario. Write one from"),
        ("82 Abn,,,1944-12-21", "Line 2: arrives is 1944-12-21, which is no day of this scenario. Write one from"),
    ],
)
def test_a_unit_that_is_to_arrive_comes_with_a_strength_and_on_a_day_that_it_can_have(line: str, fault: str) -> None:
    (found,) = faults_of(f"unit,hex,strength,arrives\n{line}\n")
    assert found.startswith(fault)


def test_positions_that_differ_in_one_hex_are_refused() -> None:
    text = "unit,hex,position\n106 HQ,P18,dug-in\nCCB/9,P18,entrenched\n"
    assert faults_of(text) == [
        "Line 3: line 2 gives P18 another position. Units in one hex share it. Correct one of the two."
    ]


def test_every_column_and_line_is_explained() -> None:
    assert list(COLUMNS) == sorted(Column, key=list(COLUMNS).index)
    assert {example.split(",")[0] for example in LINES} == set(About)
