"""What the GM writes as a ruling, and the facts that it means."""

from typing import Any

import pytest

from campaign.engine.adjudication import adjudicate
from campaign.engine.dice import KeyedDice
from campaign.engine.facts import Fact
from campaign.engine.orders.notation import parse
from campaign.engine.orders.order import Placed, Problem, Severity
from campaign.engine.state import state_known_to
from campaign.engine.values.ids import GM, PUBLIC, Audience, PlaceId, UnitId, audience_of
from campaign.game.loading import find_scenario, load_scenario
from campaign.rulesets.forum_campaign.model.facts.battle import BattleRuled, Destroyed
from campaign.rulesets.forum_campaign.model.facts.day import (
    Controlled,
    CutOff,
    DepotSet,
    Dug,
    FuelSet,
    PositionGone,
    Resupplied,
    WeatherSet,
)
from campaign.rulesets.forum_campaign.model.facts.movement import StrengthSet, UnitPlaced
from campaign.rulesets.forum_campaign.model.facts.muster import (
    GoodsSet,
    LineStruck,
    LineWritten,
    TanksSet,
    UnitAdded,
    UnitRemoved,
)
from campaign.rulesets.forum_campaign.model.game_data import ALLIED, GERMAN, Branch, Goods
from campaign.rulesets.forum_campaign.model.ledger import LedgerLine, LineKind
from campaign.rulesets.forum_campaign.model.orders import Detach
from campaign.rulesets.forum_campaign.model.state import DepotStatus, TankLosses, Winner
from gm.demo import SCENARIO

LOADED = load_scenario(find_scenario(SCENARIO))
RULES, THEATRE = LOADED.rules, LOADED.scenario.game_data
SEEDS = dict.fromkeys((audience_of(GERMAN), audience_of(ALLIED), GM, PUBLIC), b"a seed")


@pytest.fixture(scope="module")
def first_day() -> Any:
    """The first phase, with its weather rolled."""
    dice = KeyedDice(campaign="c", lock=1, mix="", seeds=SEEDS)
    return adjudicate(RULES, THEATRE, LOADED.scenario.start, {}, dice=dice).state


@pytest.fixture(scope="module")
def battles(first_day: Any) -> Any:
    dice = [KeyedDice(campaign="c", lock=lock, mix="", seeds=SEEDS) for lock in (2, 3)]
    dawn = adjudicate(RULES, THEATRE, first_day, {}, dice=dice[0]).state
    known = state_known_to(dawn, Audience("german"))
    orders = parse("ATTACK 2 Pz Clervaux", RULES.phase(RULES.now(dawn)).orders, RULES.names(THEATRE, known)).orders
    return adjudicate(RULES, THEATRE, dawn, {Audience("german"): orders}, dice=dice[1]).state


def read(state: Any, text: str) -> tuple[tuple[Fact, ...], list[Problem]]:
    known = state_known_to(state, GM)
    sheet = parse(text, RULES.corrections, RULES.correction_names(THEATRE, known))
    ruled, problems = RULES.correct(THEATRE, known, sheet.orders)
    return tuple(fact for _, fact in ruled), [*sheet.problems, *problems]


def unit(state: Any, label: str) -> UnitId:
    units: dict[str, UnitId] = {each.label: each.id for own in state.own.values() for each in own.units.values()}
    return units[label]


def test_a_line_means_a_fact(first_day: Any) -> None:
    first_ss, fourth = unit(first_day, "1 SS"), unit(first_day, "4 Inf")
    lines: dict[str, Fact] = {
        "PLACE 1 SS at Malmédy": UnitPlaced(GERMAN, first_ss, PlaceId("S16")),
        "STRENGTH 4 Inf 60": StrengthSet(ALLIED, fourth, 60),
        "CUT OFF 4 Inf": CutOff(ALLIED, fourth),
        "RESUPPLY 4 Inf": Resupplied(ALLIED, fourth),
        "FUEL 12": FuelSet(12),
        "CONTROL Bastogne german": Controlled(PlaceId("J13"), GERMAN),
        "DEPOT Stavelot captured": DepotSet(PlaceId("R16"), DepotStatus.CAPTURED),
        "POSITION Q22 german dug-in": Dug(GERMAN, PlaceId("Q22"), 1),
        "POSITION Q22 german entrenched": Dug(GERMAN, PlaceId("Q22"), 2),
        "POSITION Q22 german none": PositionGone(GERMAN, PlaceId("Q22")),
        "ADD UNIT german armor small U22 80  KG  Peiper": UnitAdded(
            GERMAN, "KG Peiper", Branch.ARMOR, small=True, at=PlaceId("U22"), strength=80
        ),
        "REMOVE UNIT 4 Inf": UnitRemoved(ALLIED, fourth),
        "SET TANKS 1 SS heavy 0 medium 2": TanksSet(GERMAN, first_ss, 2, 0),
        "SET GOODS 4 Inf heavy-at 3": GoodsSet(ALLIED, fourth, Goods.HEAVY_AT_GUNS, 3),
        "EXTRA 4 Inf gets 2 jeeps, of 106 Inf": written(fourth, LineKind.EXTRA, "2 jeeps, of 106 Inf"),
        "NAME TANK 4 Inf medium called In the Mood": written(fourth, LineKind.MEDIUM_TANK, "In the Mood"),
        "LEDGER 4 Inf says no radios # yet": written(fourth, LineKind.REMARK, "no radios # yet"),
    }
    for line, fact in lines.items():
        assert read(first_day, line) == ((fact,), []), line
    facts, problems = read(first_day, "\n".join(lines))
    assert (facts, problems) == (tuple(lines.values()), [])


def written(unit_: UnitId, kind: LineKind, text: str) -> Fact:
    return LineWritten(ALLIED, unit_, LedgerLine(kind, text))


def test_a_line_of_a_ledger_is_struck_by_its_number(first_day: Any) -> None:
    fourth = unit(first_day, "4 Inf")
    lines = [LedgerLine(LineKind.EXTRA, "2 jeeps"), LedgerLine(LineKind.REMARK, "no radios")]
    state = first_day
    for line in lines:
        state = RULES.evolve(state, LineWritten(ALLIED, fourth, line))
    facts, problems = read(state, "STRIKE 4 Inf 2\nSTRIKE 4 Inf 1")
    assert problems == []
    assert facts == (LineStruck(ALLIED, fourth, lines[1]), LineStruck(ALLIED, fourth, lines[0]))
    for number in (0, 3):
        facts, (problem,) = read(state, f"STRIKE 4 Inf {number}")
        assert facts == ()
        assert problem.message == f"the ledger of 4 Inf has 2 lines; it has no line {number}"


def test_headcount_is_no_goods(first_day: Any) -> None:
    facts, (problem,) = read(first_day, "SET GOODS 4 Inf men 40")
    assert facts == ()
    assert "STRENGTH" in problem.hint


def test_a_unit_is_destroyed_where_it_is(first_day: Any) -> None:
    (fact,), problems = read(first_day, "DESTROY 4 Inf")
    assert problems == []
    assert isinstance(fact, Destroyed)
    assert first_day.own["allied"].units[fact.unit].at == fact.at


def test_weather_comes_with_the_modifiers_of_its_day(first_day: Any) -> None:
    (fact,), problems = read(first_day, "WEATHER Snow")
    assert problems == []
    assert isinstance(fact, WeatherSet)
    assert (fact.today.allied_air, fact.today.german_air) == (-7, -7)


def test_weather_that_the_day_does_not_have_is_refused_with_what_it_has(first_day: Any) -> None:
    facts, (problem,) = read(first_day, "WEATHER Sunny")
    assert facts == ()
    assert "16 December" in problem.message
    assert "Snow" in problem.hint


def test_a_unit_that_does_not_exist_is_asked_for(first_day: Any) -> None:
    facts, (problem,) = read(first_day, "DESTROY 99 Pz")
    assert facts == ()
    assert (problem.line, problem.code) == (1, "unknown")


def test_lines_about_one_battle_decide_it_together(battles: Any) -> None:
    text = "RESULT Clervaux attackers advance 2 Pz\nLOSSES 110/28 30\nLOSSES 2 Pz 5\nRETREAT 110/28 to K15"
    (fact,), problems = read(battles, text)
    assert problems == []
    assert isinstance(fact, BattleRuled)
    assert (fact.at, fact.winner) == ("K16", Winner.ATTACKERS)
    assert sorted(fact.losses.values()) == [5, 30]
    assert list(fact.retreats.values()) == ["K15"]


def test_tanks_pursuit_and_withdrawal_belong_to_their_battle(battles: Any) -> None:
    pz = unit(battles, "2 Pz")
    text = "WITHDRAWAL Clervaux minute 22\nTANKS 2 Pz medium 1 heavy 1\nPURSUE 2 Pz to K15"
    (fact,), problems = read(battles, text)
    assert problems == []
    assert fact == BattleRuled(
        PlaceId("K16"),
        Winner.ATTACKERS,
        tanks={pz: TankLosses(1, 1)},
        pursuers={pz: PlaceId("K15")},
        minute=22,
    )
    assert RULES.why_no_ruling(THEATRE, battles, fact) == ""


def test_a_withdrawal_with_its_result_is_one_ruling(battles: Any) -> None:
    (fact,), problems = read(battles, "WITHDRAWAL Clervaux minute 22\nRESULT Clervaux attackers advance 2 Pz")
    assert problems == []
    assert fact == BattleRuled(PlaceId("K16"), Winner.ATTACKERS, unit(battles, "2 Pz"), minute=22)


@pytest.mark.parametrize(
    "line", ["LOSSES 2 Pz 5", "TANKS 2 Pz medium 1", "RETREAT 110/28 to K15", "PURSUE 2 Pz to K15"]
)
def test_lines_without_their_battle_are_refused(battles: Any, line: str) -> None:
    facts, (problem,) = read(battles, f"FUEL 9\n{line}")
    assert facts == (FuelSet(9),)
    assert (problem.line, problem.code, problem.severity, problem.rule) == (2, "ruling", Severity.ERROR, "R15.6")
    assert problem.message.endswith("is in no battle that these lines decide")
    assert "RESULT" in problem.hint


def test_a_battle_that_is_not_fought_is_refused(first_day: Any) -> None:
    facts, problems = read(first_day, "FUEL 9\nRESULT Clervaux attackers")
    assert facts == (FuelSet(9),)
    assert problems == [Problem("ruling", Severity.ERROR, 2, 1, "there is no battle for Clervaux (K16)", rule="R15.6")]


def test_a_short_name_is_the_divisions_and_not_its_task_forces(first_day: Any) -> None:
    dice = KeyedDice(campaign="c", lock=2, mix="", seeds=SEEDS)
    dawn = adjudicate(RULES, THEATRE, first_day, {}, dice=dice).state
    lehr = unit(dawn, "Pz Lehr")
    sheet = {audience_of(GERMAN): [Placed(Detach(lehr), 1)]}
    day = adjudicate(RULES, THEATRE, dawn, sheet, dice=dice).state
    force = unit(day, "KG Pz Lehr")
    assert read(day, "STRENGTH Lehr 60") == ((StrengthSet(GERMAN, lehr, 60),), [])
    assert read(day, "STRENGTH KG Pz Lehr 20") == ((StrengthSet(GERMAN, force, 20),), [])


def test_each_fact_comes_with_the_line_it_was_written_in(battles: Any) -> None:
    text = "# Clervaux\nFUEL 9\nLOSSES 110/28 30\nRESULT Clervaux attackers"
    known = state_known_to(battles, GM)
    sheet = parse(text, RULES.corrections, RULES.correction_names(THEATRE, known))
    ruled, _ = RULES.correct(THEATRE, known, sheet.orders)
    assert [(line, type(fact)) for line, fact in ruled] == [(2, FuelSet), (4, BattleRuled)]
