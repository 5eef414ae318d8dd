"""What the product tells each audience, held against an account of it that was written from the reference alone."""

import ast
import datetime
import json
import sys
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec
import pytest

from campaign.engine.adjudication import adjudicate, asked
from campaign.engine.dice import ScriptedDice
from campaign.engine.facts import Disclosure, Fact, Ledger
from campaign.engine.state import with_open
from campaign.engine.values.ids import Audience, PlaceId, SideId
from campaign.engine.values.value import encode, replace
from campaign.game.beginning import first_state
from campaign.game.loading import WithStart, find_scenario, scenario_files
from campaign.game.turn_package import view_of
from campaign.rulesets.forum_campaign import RULESET
from campaign.rulesets.forum_campaign.model.calendar import MORNING
from campaign.rulesets.forum_campaign.model.facts import air, battle, day, movement, muster
from campaign.rulesets.forum_campaign.model.game_data import GERMAN, Box, Branch, Goods, enemy_of
from campaign.rulesets.forum_campaign.model.ledger import LedgerLine, LineKind
from campaign.rulesets.forum_campaign.model.options import LastKnown
from campaign.rulesets.forum_campaign.model.state import (
    DepotStatus,
    LastSeen,
    Sighting,
    State,
    TankLosses,
    Unit,
    UnitType,
    Winner,
    on_map,
)
from campaign.rulesets.forum_campaign.model.task_forces import task_force
from tests import demonstration
from tests.laws.games import dice_of, load, played
from tests.playthroughs.games import GAMES
from tests.secrecy.oracle import forum_campaign, sequence
from tests.secrecy.oracle.account import TOLD, Account, Gap, Played, Reference, accounts, gaps, may_differ
from tests.secrecy.oracle.display import gaps_in_view
from tests.secrecy.oracle.ground import distance
from tests.secrecy.oracle.release import EVERYONE
from tests.with_air import with_air

ORACLE = Path(__file__).parents[1] / "oracle"
NO_AIR = "st-vith-1944 without air"
FORUM = {
    "st-vith-1944": with_air(),
    "ardennes-1944": find_scenario("forum_campaign/ardennes-1944"),
    NO_AIR: find_scenario("forum_campaign/st-vith-1944"),
}
RANDOM = {"st-vith-1944": range(12), "ardennes-1944": range(2), NO_AIR: (4, 5)}
"""Random games of each scenario by number; every second one has other options."""


@dataclass(frozen=True)
class Case:
    """A phase of a game: as plain JSON, as it was played, and what each audience knew before it by the oracle."""

    scenario: str
    played: Played
    before: Any
    resolution: Any
    account_of: Mapping[str, Account]


def plain(value: object) -> Any:
    return json.loads(encode(value))


@cache
def loaded(name: str) -> WithStart:
    return load(FORUM[name])


@cache
def reference(name: str) -> Reference:
    return forum_campaign.read(scenario_files(FORUM[name]))


def cases(name: str, phases: Iterator[tuple[Any, Any]]) -> Iterator[Case]:
    """The phases of a game. From one to the next the oracle carries on what it says that each audience knows."""
    known: dict[str, Any] = {}
    for before, resolution in phases:
        played = Played(plain(before), plain(resolution.events), plain(resolution.state))
        account_of = accounts(played, reference(name), known)
        yield Case(name, played, before, resolution, account_of)
        known = {who: account.known for who, account in account_of.items()}


def by_bots(name: str) -> Iterator[Case]:
    (game,) = (game for game in GAMES if game.scenario == f"forum_campaign/{name}")
    return cases(name, ((phase.before, phase.resolution) for phase in game.plays(loaded(name))))


def at_random(name: str, number: int) -> Iterator[Case]:
    return cases(name, ((phase.before, phase.resolution) for phase in played(FORUM[name], number, 80)))


def in_the_demonstration() -> Iterator[Case]:
    state = first_state(loaded("ardennes-1944"), {})
    phases = []
    for phase in demonstration.play():
        phases.append((state, phase.resolution))
        state = phase.resolution.state
    return cases("ardennes-1944", iter(phases))


GAMES_PLAYED = {
    **{f"{name}, bots": (by_bots, (name,)) for name in FORUM if name != NO_AIR},
    **{f"{name}, random {number}": (at_random, (name, number)) for name, games in RANDOM.items() for number in games},
    "the demonstration": (in_the_demonstration, ()),
}
every_game = pytest.mark.parametrize("game", GAMES_PLAYED)


def phases_of(game: str) -> Iterator[Case]:
    plays, args = GAMES_PLAYED[game]
    yield from plays(*args)  # type: ignore[operator]


def unexpected(found: Iterator[Gap]) -> list[str]:
    return [str(gap) for gap in found]


# --- the product against the oracle --------------------------------------------------------------------------------


@every_game
def test_each_audience_is_told_what_the_reference_says_and_knows_what_follows(game: str) -> None:
    count = 0
    for case in phases_of(game):
        where = reference(case.scenario)
        assert unexpected(gaps(case.played, where, case.account_of)) == []
        assert unexpected(_gaps_of_views(case)) == []
        assert sequence.acts(case.played.before["open"]) == asked(RULESET, case.before)
        count += 1
    assert count > 8


def _gaps_of_views(case: Case) -> Iterator[Gap]:
    """Each View in itself, and against the one that is printed from the oracle's account."""
    for who, account in case.account_of.items():
        state, events = case.resolution.state, case.resolution.events
        view = view_of(RULESET, loaded(case.scenario).scenario.game_data, state, events, Audience(who))
        yield from gaps_in_view(plain(view), case.played, who, account)
        printed, shown = (_in_order(plain(each)) for each in (printed_from(account, loaded(case.scenario), who), view))
        yield from (
            Gap(who, case.played.name, "View", name, printed[name], shown[name])
            for name in shown
            if printed[name] != shown[name]
        )


def _in_order(view: Any) -> Any:
    """Own units come in the order in which a state holds them, which storing it changes."""
    panels = [{**panel, "rows": sorted(panel["rows"])} for panel in view["panels"]]
    counters = sorted(view["counters"], key=lambda counter: str(counter["unit"]))
    return {**view, "counters": counters, "panels": panels, "traces": sorted(view["traces"], key=str)}


def printed_from(account: Account, of: WithStart, who: str) -> Any:
    """The View that the ruleset makes of what an audience may know."""
    state = msgspec.convert(account.known, State)
    told = msgspec.convert(account.told, tuple[Disclosure[RULESET.fact_type], ...])  # type: ignore[name-defined]
    return RULESET.show(of.scenario.game_data, state, Audience(who), told)


def test_at_the_beginning_nobody_has_seen_anybody() -> None:
    for name in FORUM:
        for own in plain(loaded(name).scenario.start)["own"].values():
            assert not any(own[part] for part in ("sightings", "identified", "seen", "seen_positions", "last_seen"))


def test_the_games_have_nearly_every_kind_of_fact_and_rulings_the_rest() -> None:
    games = (played(FORUM[name], number, 80) for name, numbers in RANDOM.items() for number in numbers)
    ruled = chain(rulings(_somewhere().before), *of_a_ledger(next(iter(at_random("ardennes-1944", 0))).before))
    missing = set(RULESET.release) - {type(fact) for fact in ruled}
    for phase in chain.from_iterable(games):
        missing -= {type(event.fact) for event in phase.resolution.events}
        if not missing:
            break
    assert missing == set()


def test_a_report_does_not_follow_the_order_in_which_an_enemy_has_written_its_boxes() -> None:
    case = next(by_bots("st-vith-1944"))
    told = {}
    for boxes in ({Box.SUPERIORITY: 1, Box.CAS: 2}, {Box.CAS: 2, Box.SUPERIORITY: 1}):
        ledger = Ledger(
            loaded(case.scenario).scenario.game_data, case.before, RULESET.evolve, RULESET.release, ScriptedDice({})
        )
        ledger.phase = case.before.open.phase
        ledger.emit(air.AirAvailable(GERMAN, 3), rule="R3.1")
        ledger.emit(air.AirAllocated(GERMAN, boxes), rule="R3.5")
        told[tuple(boxes)] = {
            who: view_of(RULESET, ledger.game_data, ledger.state, ledger.events, Audience(who)).log for who in EVERYONE
        }
    one, other = told.values()
    assert one == other


def test_an_enemy_out_of_sight_is_remembered_by_name_wherever_it_has_gone() -> None:
    """Ruling 45. Games seldom lose sight of a unit whose name was seen, so such a memory is put into one."""
    *_, case = (case for case in by_bots("st-vith-1944") if case.before.open.phase == MORNING.key)
    of, today = loaded(case.scenario), case.before.open.date
    for side, own in case.before.own.items():
        unit, at = _unseen(of, case.before, side)
        seen = Sighting(at, UnitType.INFANTRY, unit.id, unit.label, unit.branch)
        memory = LastSeen(seen, today - datetime.timedelta(days=2))
        keeping = with_open(case.before, options=replace(case.before.open.options, last_known=LastKnown.KEPT))
        state = replace(keeping, own={**keeping.own, side: replace(own, last_seen=(memory,))})
        resolution = adjudicate(RULESET, of.scenario.game_data, state, {}, dice=dice_of(RULESET, 0, 1))
        assert memory in resolution.state.own[side].last_seen
        one = Played(plain(state), plain(resolution.events), plain(resolution.state))
        assert unexpected(gaps(one, reference(case.scenario))) == []


def _unseen(of: WithStart, state: State, side: SideId) -> tuple[Unit, PlaceId]:
    """An enemy unit whose name a side does not see, and a hex that it does not see, where that unit is not."""
    data, eyes = of.scenario.game_data, [at for _, at in on_map(state.own[side])]

    def far(place: PlaceId, reach: int) -> bool:
        return all(data.grid.distance(place, eye) > reach for eye in eyes)

    sight = data.charts.sight
    unit, where = next(
        (unit, at)
        for unit, at in on_map(state.own[enemy_of(side)])
        if far(at, sight.identity) and unit.id not in state.own[side].identified
    )
    return unit, next(place for place in data.board.places if far(place, sight.type) and place != where)


# --- facts of the game master --------------------------------------------------------------------------------------


@cache
def _somewhere() -> Case:
    """A phase with a battle, before it is decided."""
    return next(case for case in at_random("st-vith-1944", 0) if case.played.before["open"]["battles"])


def rulings(state: State) -> Iterator[Fact]:
    """A ruling of each kind, and facts that random games never bring."""
    fight = state.open.battles[0]
    fighters = [fighter.unit for fighter in (*fight.attackers, *fight.defenders)]
    places, tanks = dict.fromkeys(fighters, fight.at), dict.fromkeys(fighters, TankLosses(1))
    yield battle.BattleRuled(fight.at, Winner.ATTACKERS, fighters[0], dict.fromkeys(fighters, 5), places, tanks, places)
    for side, own in state.own.items():
        unit = next(unit for unit in own.units.values() if unit.at is not None and unit.ground and not unit.lent)
        yield from _of_a_unit(side, unit, fight.at)
        commando = next((unit for unit in own.units.values() if not unit.ground), None)
        if commando is not None and commando.at is not None and unit.at is not None:
            yield movement.Followed(side, commando.id, commando.at, unit.at)
            yield movement.CommandosGone(side, (commando.id,))
    waiting = next(unit for unit in state.own[GERMAN].units.values() if unit.at is None)
    for landing in air.Landing:
        yield air.Landed(GERMAN, waiting.id, fight.at, fight.at, landing)
    yield day.DepotCaptured(next(iter(state.open.depots)), 3)
    yield day.FuelSet(41)
    yield day.DepotSet(next(iter(state.open.depots)), DepotStatus.DESTROYED)
    assert state.open.weather is not None
    yield air.Forecast(state.open.weather)
    yield day.WeatherSet(state.open.weather)


def _of_a_unit(side: SideId, unit: Unit, elsewhere: PlaceId) -> Iterator[Fact]:
    assert unit.at is not None
    yield movement.UnitPlaced(side, unit.id, unit.at)
    yield movement.StrengthSet(side, unit.id, 45)
    yield movement.Resized(side, unit.id, small=True)
    yield day.CutOff(side, unit.id)
    yield air.AirDropped(side, unit.id, unit.at)
    yield movement.TaskForceDenied(side, unit.id, movement.RefusalReason.WEAK)
    yield day.Dug(side, unit.at, 2)
    yield day.PositionGone(side, unit.at)
    yield battle.Pursued(side, unit.id, unit.at, (elsewhere,), elsewhere, counts=True)
    yield battle.Advanced(side, unit.id, unit.at, elsewhere)
    yield battle.TanksLost(side, unit.id, 0, 0)
    yield from _of_its_muster(side, unit, elsewhere)
    yield battle.Destroyed(side, unit.id, unit.label, unit.at, battle.Cause.RULING)


def _of_its_muster(side: SideId, unit: Unit, elsewhere: PlaceId) -> Iterator[Fact]:
    """What the GM may set of units and their ledgers."""
    yield muster.UnitAdded(side, "A new unit", Branch.ARMOR, small=False, at=elsewhere, strength=48)
    yield muster.UnitAdded(side, "On foot", Branch.AIRBORNE, small=True, at=elsewhere, strength=80)
    yield muster.UnitRemoved(side, unit.id)
    yield muster.TanksSet(side, unit.id, 5, 2)
    yield muster.GoodsSet(side, unit.id, Goods.AA_GUNS, 3)
    yield muster.GoodsSet(side, unit.id, Goods.AA_GUNS, 0)
    yield muster.LineWritten(side, unit.id, LedgerLine(LineKind.EXTRA, "2 jeeps"))


def test_what_the_game_master_corrects_is_told_as_the_reference_says() -> None:
    case = _somewhere()
    for fact in rulings(case.before):
        ledger = Ledger(
            loaded(case.scenario).scenario.game_data, case.before, RULESET.evolve, RULESET.release, ScriptedDice({})
        )
        ledger.emit(fact, rule="R15.6", ruling="A reason.")
        played = Played(case.played.before, plain(ledger.events), plain(ledger.state))
        assert unexpected(gaps(played, reference("st-vith-1944"))) == [], fact


def of_a_ledger(state: State) -> Iterator[list[Fact]]:
    """Lines that are written, struck, absorbed with a unit, ended with another, and brought home by a task force."""
    for side, own in state.own.items():
        one, two, *_ = [unit for unit in own.units.values() if unit.at and unit.ground and not unit.lent and unit.tanks]
        extra, remark = LedgerLine(LineKind.EXTRA, "2 jeeps"), LedgerLine(LineKind.REMARK, "no radios")
        written = [muster.LineWritten(side, one.id, line) for line in (extra, remark, extra)]
        assert one.at is not None
        gone = battle.Destroyed(side, one.id, one.label, one.at, battle.Cause.LOSSES)
        back = movement.UnitPlaced(side, one.id, one.at)
        yield [*written, muster.LineStruck(side, one.id, extra)]
        yield [*written, *(muster.LineStruck(side, one.id, line) for line in (remark, extra, extra))]
        yield [*written, gone, battle.Absorbed(side, two.id, one.id, 5, 2), back]
        yield [*written, muster.UnitRemoved(side, one.id), back]
        force = task_force(side, one, set(), tanks=1)
        yield [
            *written,
            movement.Detached(side, one.id, force),
            muster.LineWritten(side, force.id, remark),
            movement.Rejoined(side, one.id, force.id),
        ]


def test_what_becomes_of_a_ledger_is_told_as_the_reference_says() -> None:
    case = next(iter(at_random("ardennes-1944", 0)))
    for facts in of_a_ledger(case.before):
        ledger = Ledger(
            loaded(case.scenario).scenario.game_data, case.before, RULESET.evolve, RULESET.release, ScriptedDice({})
        )
        for fact in facts:
            ledger.emit(fact, rule="R15.6", ruling="A reason.")
        played = Played(case.played.before, plain(ledger.events), plain(ledger.state))
        assert unexpected(gaps(played, reference("ardennes-1944"))) == [], facts


# --- the oracle can say no -----------------------------------------------------------------------------------------


def _tampered(change: Any) -> set[tuple[str, str, str]]:
    """What the oracle finds in a morning's phase after a change of its stored events and position."""
    case = next(case for case in by_bots("st-vith-1944") if any(map(_is_sight, case.played.events)))
    played = deepcopy(case.played)
    change(played)
    return {(gap.audience, gap.fact, gap.field) for gap in gaps(played, reference("st-vith-1944"))}


def _is_sight(event: Any) -> bool:
    return bool(event["fact"]["type"] == "Scouted")


def test_a_name_that_is_told_from_too_far_is_found() -> None:
    def change(played: Played) -> None:
        for event in filter(_is_sight, played.events):
            for seen in event["faces"]["german"]["sightings"]["german"]:
                if seen["unit"] is None:
                    seen["label"] = "told too early"

    assert ("german", "Scouted", "sightings") in _tampered(change)


def test_a_fact_that_is_told_to_the_enemy_is_found() -> None:
    def change(played: Played) -> None:
        for event in played.events:
            event["faces"]["public"] = event["faces"]["allied"] = event["fact"]

    found = _tampered(change)
    assert {audience for audience, _, field in found if field == TOLD} == {"public"}
    assert ("allied", "Scouted", "sightings") in found


def test_a_unit_that_the_rules_write_into_the_enemys_part_is_found() -> None:
    def change(played: Played) -> None:
        played.after["own"]["german"]["seen"]["L12"] = 7

    assert _tampered(change) == {("german", "own.german.seen", "L12")}


def test_a_view_that_shows_an_enemys_strength_or_name_is_found() -> None:
    case = _somewhere()
    account = case.account_of["allied"]
    view = plain(printed_from(account, loaded(case.scenario), "allied"))
    hidden = next(
        unit
        for unit in case.played.after["own"]["german"]["units"].values()
        if unit["at"] and json.dumps(unit["label"]) not in json.dumps([account.told, account.known])
    )
    assert list(gaps_in_view(view, case.played, "allied", account)) == []
    counter = {**view["counters"][0], "unit": hidden["id"], "side": "german"}
    for leak, field in (
        ({"counters": [*view["counters"], counter]}, "counters"),
        ({"headlines": [f"{hidden['label']} waits"]}, "(names)"),
        ({"markers": view["markers"][1:]}, "markers"),
        ({"arrows": [{"kind": "move", "side": "german", "path": ["P21", "Q21"]}]}, "arrows"),
        ({"traces": [{"side": "allied", "label": "x", "path": ["L12"], "barred": []}]}, "traces"),
        ({"flights": [{"at": "L12", "kind": "paradrop", "side": "german", "units": 0, "sortie": ""}]}, "flights"),
        ({"sightings": view["sightings"][1:]}, "sightings"),
    ):
        found = {gap.field for gap in gaps_in_view({**view, **leak}, case.played, "allied", account)}
        assert field in found, leak


# --- two worlds ----------------------------------------------------------------------------------------------------


def test_worlds_may_differ_in_what_is_told_and_in_nothing_else() -> None:
    case = next(case for case in by_bots("st-vith-1944") if any(map(_is_sight, case.played.events)))
    one, where = case.played, reference("st-vith-1944")
    for side in ("german", "allied"):
        assert may_differ(side, [one], [one], where) == []
    unit = next(unit for unit in one.before["own"]["allied"]["units"].values() if unit["at"])
    for figure in ("strength", "establishment"):
        weak = deepcopy(one)
        weak.before["own"]["allied"]["units"][unit["id"]][figure] -= 20
        assert may_differ("german", [one], [weak], where) == []
        assert may_differ("public", [one], [weak], where) == []
        assert ("own.allied.units." + unit["id"], figure) in may_differ("allied", [one], [weak], where)
    named = deepcopy(one)
    seen = {each["unit"] for each in one.after["own"]["german"]["sightings"]} - {None}
    other = next(iter(sorted(seen)))
    named.before["own"]["allied"]["units"][other]["label"] = "9999 Inf"
    assert ("Scouted", "sightings") in may_differ("german", [one], [named], where)
    assert may_differ("public", [one], [named], where) == []
    assert may_differ("public", [one], [], where) == [], "when something is published is no secret's business"


# --- its own --------------------------------------------------------------------------------------------------------


def test_the_oracle_imports_nothing_but_itself() -> None:
    imported = set()
    for path in ORACLE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {alias.name for alias in node.names}
            if isinstance(node, ast.ImportFrom):
                imported.add(str(node.module))
    foreign = {name for name in imported if not name.startswith("tests.secrecy.oracle")}
    assert {name.partition(".")[0] for name in foreign} <= sys.stdlib_module_names
    assert not {name for name in foreign if name.startswith(("importlib", "pkgutil"))}


def test_distances_are_counted_in_hexes() -> None:
    assert [distance("P18", other) for other in ("P18", "P19", "Q17", "Q18", "Q19", "R18", "P14")] == [
        0,
        1,
        1,
        1,
        2,
        2,
        4,
    ]
