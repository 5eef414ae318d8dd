"""The forum campaign's own: the days, what is shown, rulings over random play, and briefs of battles."""

import datetime
import re
from collections.abc import Iterator, Mapping
from functools import reduce
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from campaign.engine.adjudication import adjudicate
from campaign.engine.briefs import Brief, Fight
from campaign.engine.dice import ScriptedDice
from campaign.engine.display.views import Panel
from campaign.engine.facts import Fact, disclose
from campaign.engine.orders.notation import parse
from campaign.engine.orders.order import Placed, Severity, Sheet
from campaign.engine.phases import Ruling
from campaign.engine.ruleset import Scenario
from campaign.engine.state import known_state, state_known_to, with_open, with_own
from campaign.engine.values.ids import GM, PUBLIC, Audience, PhaseKey, PlaceId, SideId, UnitId, audience_of
from campaign.engine.values.value import replace
from campaign.game.loading import find_scenario, load_scenario, scenario_files
from campaign.rulesets.forum_campaign import RULESET
from campaign.rulesets.forum_campaign.battle.artillery import calibre_key
from campaign.rulesets.forum_campaign.battle.results import check_report
from campaign.rulesets.forum_campaign.day.front import front
from campaign.rulesets.forum_campaign.disclosure.briefs import battles, brief, names_in
from campaign.rulesets.forum_campaign.disclosure.release import RELEASE
from campaign.rulesets.forum_campaign.disclosure.show import show
from campaign.rulesets.forum_campaign.model.facts.battle import BattleRuled, Cause, Destroyed
from campaign.rulesets.forum_campaign.model.facts.day import Controlled, CutOff, DepotSet, FuelSet, Resupplied
from campaign.rulesets.forum_campaign.model.facts.movement import Moved, StrengthSet, UnitPlaced
from campaign.rulesets.forum_campaign.model.facts.muster import (
    GoodsSet,
    LineWritten,
    TanksSet,
    UnitAdded,
    UnitRemoved,
)
from campaign.rulesets.forum_campaign.model.game_data import ALLIED, GERMAN, SIDES, Branch, GameData, Goods
from campaign.rulesets.forum_campaign.model.ledger import LedgerLine, LineKind
from campaign.rulesets.forum_campaign.model.options import Shortage
from campaign.rulesets.forum_campaign.model.orders import (
    BATTLE_ORDERS,
    Attack,
    Move,
    Pursue,
    Result,
    Retreat,
    Withdrawal,
)
from campaign.rulesets.forum_campaign.model.state import Battle, DepotStatus, Own, State, Support, Unit, Winner, stamp
from campaign.rulesets.forum_campaign.model.zoc import occupied_hexes, too_full
from campaign.rulesets.forum_campaign.scenario.case import read_case
from tests.laws.games import play

ST_VITH = load_scenario(find_scenario("forum_campaign/st-vith-1944"))
ARDENNES = load_scenario(find_scenario("forum_campaign/ardennes-1944"))


@settings(max_examples=5)
@given(st.integers(0, 10_000))
def test_days_follow_each_other_without_gaps(game: int) -> None:
    dates = [phase.resolution.state.open.date for phase in play(ST_VITH, game, 30)]
    assert all((later - earlier).days in (0, 1) for earlier, later in pairwise(dates))
    assert dates[-1] > dates[0]


def test_each_portion_of_a_day_is_stamped_later_than_the_one_before() -> None:
    portions = [("german_sheet", "german_battles"), ("allied_sheet", "allied_battles", "night")]
    stamps = [
        {stamp(with_open(ST_VITH.scenario.start, date=date, phase=PhaseKey(phase)).open) for phase in portion}
        for date in (datetime.date(1944, 12, 16), datetime.date(1944, 12, 17))
        for portion in portions
    ]
    assert [len(portion) for portion in stamps] == [1] * 4
    assert all(max(before) < min(after) for before, after in pairwise(stamps))


def test_every_kind_of_fact_is_in_the_release_table() -> None:
    own = ("campaign.engine.", "campaign.rulesets.forum_campaign.")
    assert set(RELEASE) == {kind for kind in Fact.__subclasses__() if kind.__module__.startswith(own)}
    assert all(line.words for line in RELEASE.values())


def position(units: dict[str, dict[str, dict[str, object]]], **more: object) -> Scenario[GameData, State]:
    files = scenario_files(find_scenario("forum_campaign/ardennes-1944"))
    return read_case({"map": {"size": "A1-C12", "german": "B7 B8 B9"}, "units": units, **more}, files)


def test_the_front_runs_round_every_unit_in_a_hex() -> None:
    """An advance in the same portion in which the enemy was seen there takes the hex for both pictures."""
    case = position({"german": {"2 Pz": {"at": "B8"}}, "allied": {"28 Inf": {"at": "B7"}}})
    stamp_ = 2 * case.start.open.date.toordinal()
    allied = replace(case.start.own[ALLIED], seen={PlaceId("B7"): stamp_}, entered={PlaceId("B7"): stamp_})
    state = replace(case.start, own={**case.start.own, ALLIED: allied})
    for known in (known_state(state, (ALLIED,)), known_state(state, SIDES)):
        assert ("B8", "B7") in front(case.game_data, known)
    left = replace(allied, units={id_: replace(unit, at=PlaceId("B2")) for id_, unit in allied.units.items()})
    known = known_state(replace(state, own={**state.own, ALLIED: left}), (ALLIED,))
    assert ("B8", "B7") in front(case.game_data, known)


def test_an_empty_hex_among_those_of_one_side_is_no_pocket() -> None:
    case = position({"german": {"2 Pz": {"at": "B8"}}, "allied": {"28 Inf": {"at": "B2"}}})
    ringed, ring = PlaceId("B5"), case.game_data.board.neighbours(PlaceId("B5"))

    def fronts(*, allied_at: str = "B2", control: Mapping[PlaceId, SideId] | None = None) -> list[bool]:
        """Whether the front runs round the ringed hex, as each side and the GM know it."""
        stamp_ = 2 * case.start.open.date.toordinal()
        german, allied = case.start.own[GERMAN], case.start.own[ALLIED]
        units = {id_: replace(unit, at=PlaceId(allied_at)) for id_, unit in allied.units.items()}
        state = replace(
            case.start,
            own={
                GERMAN: replace(german, entered=dict.fromkeys(ring, stamp_)),
                ALLIED: replace(allied, units=units, seen=dict.fromkeys(ring, stamp_)),
            },
            open=replace(case.start.open, control=control or {}),
        )
        known = [known_state(state, who) for who in ((GERMAN,), (ALLIED,), SIDES)]
        return [any(ringed in pair for pair in front(case.game_data, each)) for each in known]

    assert fronts() == [False, False, False]
    assert fronts(allied_at="B5") == [False, True, True]
    assert fronts(control={ringed: ALLIED}) == [True, True, True]


def test_an_unseen_enemy_run_into_shows_as_something() -> None:
    case = position({"german": {"2 Pz": {"at": "B9"}}, "allied": {"28 Inf": {"at": "B6"}}}, sees={"german": ""})
    audience = audience_of(GERMAN)
    orders = {audience: [Placed(Move(UnitId("2 Pz"), path=(PlaceId("B8"), PlaceId("B7"), PlaceId("B6"))), 1)]}
    resolution = adjudicate(RULESET, case.game_data, case.start, orders, dice=ScriptedDice({}))
    disclosed = disclose(resolution.events, audience)
    moved = [line for line in disclosed if isinstance(line.fact, Moved)]
    view = show(case.game_data, known_state(case.start, (GERMAN,)), audience, moved)
    assert [(seen.at, seen.branch, seen.label) for seen in view.sightings] == [("B6", None, "")]


@settings(max_examples=15)
@given(st.integers(0, 10_000))
def test_no_admissible_ruling_upsets_a_resolution(game: int) -> None:
    """Whatever the GM may rule, sheets that were locked before are resolved, and the position stays possible."""
    for open_phase in play(ARDENNES, game, 9):
        chance = Random(game)
        admissible = [
            fact
            for fact in _rulings(open_phase.before, chance)
            if _may_be_ruled(open_phase.game_data, open_phase.before, fact)
        ]
        ruling = Ruling(open_phase.before.open.phase, chance.choice(admissible), "chance")
        resolution = adjudicate(
            RULESET, open_phase.game_data, open_phase.before, open_phase.orders, dice=open_phase.dice, rulings=[ruling]
        )
        state: State = resolution.state
        assert reduce(RULESET.evolve, [event.fact for event in resolution.events], open_phase.before) == state
        assert state.open.fuel >= 0 or state.open.options.fuel_shortage is Shortage.DEBT
        may_be_full = {ruling.fact.at} if isinstance(ruling.fact, UnitAdded) else set()
        for own in state.own.values():
            for place in occupied_hexes(own) - may_be_full:
                assert not too_full(unit for unit in own.units.values() if unit.at == place)


def _may_be_ruled(game_data: GameData, state: State, fact: Fact) -> bool:
    return not RULESET.why_no_ruling(game_data, state, fact) and RULESET.evolve(state, fact) != state


def _rulings(state: State, chance: Random) -> list[Fact]:
    side = chance.choice(SIDES)
    unit = chance.choice([unit for unit in state.own[side].units.values() if unit.at is not None])
    place = chance.choice(ARDENNES.scenario.game_data.board.places)
    assert unit.at is not None
    return [
        UnitPlaced(side, unit.id, place),
        StrengthSet(side, unit.id, chance.randint(1, 100)),
        Destroyed(side, unit.id, unit.label, unit.at, Cause.RULING),
        FuelSet(chance.randint(0, 30)),
        CutOff(side, unit.id),
        Resupplied(side, unit.id),
        Controlled(chance.choice(sorted(state.open.control)), side),
        DepotSet(chance.choice(sorted(state.open.depots)), chance.choice(list(DepotStatus))),
        *(_ruled(battle, chance) for battle in state.open.battles),
        *_muster(side, unit, chance),
    ]


def _muster(side: SideId, unit: Unit, chance: Random) -> Iterator[Fact]:
    place, small = chance.choice(ARDENNES.scenario.game_data.board.places), chance.random() < 0.5
    for at in (place, unit.at):
        assert at is not None
        branch, strength = chance.choice(list(Branch)), chance.randint(1, 100)
        yield UnitAdded(side, f"New {chance.randint(1, 99)}", branch, small=small, at=at, strength=strength)
    yield UnitRemoved(side, unit.id)
    yield TanksSet(side, unit.id, chance.randint(0, 9), chance.randint(0, 9))
    yield GoodsSet(side, unit.id, chance.choice(list(Goods)), chance.randint(0, 9))
    yield LineWritten(side, unit.id, LedgerLine(chance.choice(list(LineKind)), "a line"))


def _ruled(battle: Battle, chance: Random) -> BattleRuled:
    losses = {fighter.unit: chance.randint(0, 100) for fighter in (*battle.attackers, *battle.defenders)}
    retreats = {
        fighter.unit: chance.choice(ARDENNES.scenario.game_data.open_neighbours(battle.at))
        for fighter in battle.defenders
    }
    return BattleRuled(battle.at, chance.choice(list(Winner)), None, losses, retreats)


# --- briefs ----------------------------------------------------------------------------------------------------------


def battle(**options: str) -> tuple[GameData, State]:
    """A German unit in the north-east and one in the east have attacked two Allied ones."""
    case = position(
        {
            "german": {"2 Pz": {"at": "D7", "class": "armor", "strength": 71}, "26 VG": {"at": "E6"}},
            "allied": {"28 Inf": {"at": "D6", "strength": 43, "reduced": True}, "14 Cav": {"at": "A1"}},
        },
        map={"size": "A1-G12"},
        options=options,
    )
    orders = {audience_of(GERMAN): [Placed(Attack(UnitId(unit), at=PlaceId("D6")), 1) for unit in ("2 Pz", "26 VG")]}
    return case.game_data, adjudicate(RULESET, case.game_data, case.start, orders, dice=ScriptedDice({})).state


def brief_of(audience: Audience, **options: str) -> Brief:
    game_data, state = battle(**options)
    return brief(game_data, state_known_to(state, audience), audience, "D6")


def rows(brief_: Brief, key: str) -> tuple[tuple[str, ...], ...]:
    return next((panel.rows for panel in brief_.sections if panel.key == key), ())


@pytest.mark.parametrize(
    ("place", "title"),
    [
        ("K16", "Battle of Clervaux (K16)"),
        ("M17", "Battle near Troisvierges (M17)"),
        ("O18", "Battle near St. Vith (O18)"),
        ("Z3", "Battle of Z3"),
    ],
)
def test_a_battle_is_named_after_its_town_or_one_near_it(place: str, title: str) -> None:
    """From the map that everybody has."""
    loaded = load_scenario(find_scenario("forum_campaign/ardennes-1944"))
    assert loaded.scenario.game_data.battle_title(PlaceId(place)) == title


@pytest.mark.parametrize("audience", [audience_of(GERMAN), audience_of(ALLIED), GM, PUBLIC])
def test_everybody_knows_who_fights_and_from_where_the_attackers_come(audience: Audience) -> None:
    shown = brief_of(audience)
    assert (shown.title, shown.text) == ("Battle of D6", "2 Pz and 26 VG attack 28 Inf.")
    attackers = (
        ("2 Pz", "armour", "division", "the east (D7)", "the east edge"),
        ("26 VG", "infantry", "division", "the north-east (E6)", "the eastern half of the north edge"),
    )
    assert rows(shown, "attackers") == attackers
    assert rows(shown, "defenders") == (("28 Inf", "infantry", "division"),)


def test_a_brief_has_the_own_units_in_the_tactical_games_terms_and_nothing_of_the_enemys() -> None:
    german, allied, public = (brief_of(who) for who in (audience_of(GERMAN), audience_of(ALLIED), PUBLIC))
    assert ("Men", "107 of 150", "the unit has 71 % of its establishment") in rows(german, "unit-2 Pz")
    assert ("Heavy tank", "1", "Panther") in rows(german, "unit-2 Pz")
    assert ("Men", "150 of 150", "the unit has 100 % of its establishment") in rows(german, "unit-26 VG")
    assert rows(allied, "unit-28 Inf") == (
        ("Infantry platoon with its vehicles and guns", "1", "complete, as your game has it"),
        ("Men", "45 of 45", "the unit has 43 % of its establishment"),
        ("Headcount setting", "100 %", "of the platoon alone, all else is complete"),
        ("Losses to report", "up to 30 %", "30 × men lost ÷ men at the start"),
        ("Off-map battery of medium mortars", "1", "81 mm"),
    )
    shared = ["field", "attackers", "defenders", "settings", "reporting"]
    assert [panel.key for panel in german.sections] == [*shared[:4], "unit-2 Pz", "unit-26 VG", "reporting"]
    assert [panel.key for panel in public.sections] == shared


@pytest.mark.parametrize(
    "secret", [{"strength": 12}, {"bought": {Goods.HEAVY_AT_GUNS: 3}}, {"tanks": 0, "heavy_tanks": 0}, {"raised": 30}]
)
def test_the_enemys_brief_does_not_depend_on_own_secrets(secret: dict[str, Any]) -> None:
    game_data, state = battle()

    def changed(own: Own) -> Own:
        return replace(own, units={id_: replace(unit, **secret) for id_, unit in own.units.items()})

    other = with_own(state, GERMAN, changed)
    for who, same in ((audience_of(GERMAN), False), (audience_of(ALLIED), True), (PUBLIC, True)):
        briefs = [brief(game_data, state_known_to(each, who), who, "D6") for each in (state, other)]
        assert (briefs[0] == briefs[1]) is same, who


def test_the_gms_answer_is_in_the_brief_of_the_side_that_it_is_for() -> None:
    """R15.3 The rest of a brief is the same with and without it."""
    game_data, state = battle()
    supported = with_own(state, GERMAN, lambda own: replace(own, support={PlaceId("D6"): Support(artillery=True)}))
    known = state_known_to(supported, audience_of(GERMAN))
    key = calibre_key(GERMAN, PlaceId("D6"))
    told = brief(game_data, known, audience_of(GERMAN), "D6", {key: "15 cm sFH 18", "note/german/x": "no"})
    assert rows(told, "support-german") == (("Heavy artillery", "1 battery: 15 cm sFH 18"),)
    untold = brief(game_data, known, audience_of(GERMAN), "D6")
    assert rows(untold, "support-german") == (
        ("Heavy artillery", "1 battery: 105 mm, unless the GM names another calibre"),
    )
    assert replace(told, sections=()) == replace(untold, sections=())
    assert brief(game_data, state_known_to(supported, audience_of(ALLIED)), audience_of(ALLIED), "D6") == brief_of(
        audience_of(ALLIED)
    )


def test_a_defender_is_told_where_they_could_retreat_to_as_far_as_they_know() -> None:
    disclosed = Panel(
        "retreats",
        "Where the defenders can retreat if they lose",
        ("Unit", "Hexes"),
        (("28 Inf", "C5 or D5, as far as you know"),),
    )
    assert disclosed in brief_of(audience_of(ALLIED)).sections
    assert rows(brief_of(audience_of(GERMAN)), "retreats") == ()
    keys = [panel.key for panel in brief_of(GM).sections]
    assert keys[4:] == ["unit-2 Pz", "unit-26 VG", "unit-28 Inf", "retreats", "reporting"]


def test_a_battle_that_waits_is_known_with_who_attacks_and_who_defends() -> None:
    assert battles(battle()[1]) == (Fight("D6", GERMAN, ALLIED),)


def test_the_template_of_a_report_asks_the_defeated_where_they_go_unless_they_are_asked_later() -> None:
    asked = "# Where defeated units retreat:\n# 28 Inf to C5 or D5:\n# RETREAT 28 Inf to C5"
    assert asked in brief_of(audience_of(ALLIED)).template
    assert "RETREAT" not in brief_of(audience_of(ALLIED), separate_retreats="yes").template
    assert "RETREAT" not in brief_of(audience_of(GERMAN)).template


@pytest.mark.parametrize("audience", [audience_of(GERMAN), audience_of(ALLIED), GM])
def test_the_template_of_a_report_says_nothing_until_its_marks_are_taken_away(audience: Audience) -> None:
    game_data, state = battle()
    known = state_known_to(state, audience)
    names = names_in(game_data, known, "D6")
    template = brief_of(audience).template
    assert parse(template, BATTLE_ORDERS, names) == Sheet((), ())
    lines = [line[2:] for line in template.splitlines() if re.match("# [A-Z]{5}", line)]
    read = parse("\n".join(lines), BATTLE_ORDERS, names)
    assert read.problems == ()
    assert sum(not isinstance(placed.order, Pursue | Retreat) for placed in read.orders) == 8
    for placed in read.orders:
        won = placed.order if isinstance(placed.order, Result | Withdrawal) else Result(PlaceId("D6"), Winner.ATTACKERS)
        report = [Placed(won, 1), *([] if won is placed.order else [Placed(placed.order, 2)])]
        checked = check_report(game_data, known, audience, "D6", report)
        assert not [each for each in checked.problems if each.severity is not Severity.NOTICE], placed


def test_there_is_no_brief_of_a_battle_that_is_not_fought() -> None:
    game_data, state = battle()
    with pytest.raises(KeyError):
        brief(game_data, state_known_to(state, GM), GM, "D9")
