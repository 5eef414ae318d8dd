"""What the area game tells each audience, held against an account of it that was written from its rules alone."""

import json
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

import pytest

from campaign.engine.adjudication import Resolution, adjudicate, asked
from campaign.engine.facts import Fact, Noted
from campaign.engine.orders.notation import parse
from campaign.engine.state import known_state, with_open
from campaign.engine.values.ids import GM, Audience, PhaseKey, PlaceId, SideId, UnitId
from campaign.engine.values.options import options_in
from campaign.engine.values.value import encode, replace
from campaign.game.beginning import first_state
from campaign.game.loading import WithStart, scenario_files
from campaign.game.turn_package import view_of
from campaign.rulesets.area_activation import RULESET
from campaign.rulesets.area_activation.model import facts
from campaign.rulesets.area_activation.model.game_data import ALLIED, GERMAN
from campaign.rulesets.area_activation.model.options import Fog
from campaign.rulesets.area_activation.model.orders import Decision, Sign
from campaign.rulesets.area_activation.model.state import State
from campaign.rulesets.area_activation.sequence import DAY, IMPULSE, MORNING, REPLY
from tests.areas.test_outcomes import ALLIES, GERMANS, Game
from tests.laws.games import dice_of, load
from tests.secrecy.games.area_activation import AREA_ACTIVATION
from tests.secrecy.games.area_activation.late import EARLY, FULL, LATE, RACE
from tests.secrecy.games.area_activation.orders import sheet
from tests.secrecy.games.area_activation.units import hidden
from tests.secrecy.games.game import Opening, Position
from tests.secrecy.oracle import area_activation as oracle
from tests.secrecy.oracle.account import Account, Played, accounts, gaps
from tests.secrecy.oracle.area_activation.asking import decisions
from tests.secrecy.oracle.area_activation.land import Land

LAND = Land.read(scenario_files(FULL))
REFERENCE = oracle.read(scenario_files(FULL))
GAMES = (0, 1, 3, 5, 7)


def plain(value: object) -> Any:
    return json.loads(encode(value))


@cache
def loaded(number: int) -> WithStart:
    """Every fourth game is a late one of the whole campaign, with marks for fuel."""
    return load(FULL if number % 4 == 3 else RACE)


def beginning(number: int) -> State:
    """Units are hidden but for the first game; the other options are any. One game is played turn by turn."""
    chance = Random(number)
    chosen = {each.name: chance.choice(each.answers)[0] for each in options_in(RULESET.options) if number > 1}
    options = {**chosen, "fog": "on" if number % 2 else "off", "questions": "6", "questions_of_a_side": "4"}
    if number not in _LIVE:
        options["alternation"] = "sheets"
    state: State = first_state(loaded(number), options)
    if loaded(number).scenario.title == load(FULL).scenario.title:
        assert LATE.first_state is not None
        late: State = LATE.first_state(loaded(number))
        return with_open(late, options=state.open.options)
    return state


_LIVE = (5,)


def with_fog(state: State, fog: str) -> State:
    """The same, with units hidden or not: each side sees of the enemy what it may."""
    return with_open(state, options=replace(state.open.options, fog=Fog(fog)))


def written(of: WithStart, state: State, who: Audience, chance: Random) -> str:
    """A sheet that asks for any of the decisions, with answers to most questions and none to some."""
    lines = sheet(of, state, who, "").splitlines()
    if state.open.phase in (REPLY, IMPULSE) and chance.random() < 0.3:
        lines = ["PASS"] if state.open.question and state.open.question.about is Decision.PASSES else ["READY"]
    asks = [f"ASK ME {about.value}" for about in chance.sample(list(Decision), k=3)]
    return "\n".join([*lines, *(asks if state.open.phase not in (MORNING, REPLY, IMPULSE) else [])])


def played(number: int) -> Iterator[tuple[State, Resolution[State]]]:
    of, state, chance, lock = loaded(number), beginning(number), Random(number), 0
    while not RULESET.over(state) and lock < _MOST_LOCKS:
        lock, now = lock + 1, state
        given = {who: _orders(of, now, who, written(of, now, who, chance)) for who in sorted(asked(RULESET, now))}
        if now.open.phase == REPLY and chance.random() < 0.2:
            given = {}
        resolution = adjudicate(RULESET, of.scenario.game_data, now, given, dice=dice_of(RULESET, number, lock))
        yield now, resolution
        state = resolution.state


_MOST_LOCKS = 12


def _orders(of: WithStart, state: State, who: Audience, text: str) -> Sequence[Any]:
    kinds, names = RULESET.phase(RULESET.now(state)).orders, RULESET.names
    return parse(text, kinds, names(of.scenario.game_data, known_state(state, (SideId(who),)))).orders


@cache
def phases(number: int) -> list[tuple[Resolution[State], Played, dict[str, Account]]]:
    """The phases of a game. From one to the next the oracle carries on what it says that each audience knows."""
    known: dict[str, Any] = {}
    found = []
    for before, resolution in played(number):
        each = Played(plain(before), plain(resolution.events), plain(resolution.state))
        account_of = dict(accounts(each, REFERENCE, known))
        known = {who: account.known for who, account in account_of.items()}
        found.append((resolution, each, account_of))
    return found


@pytest.mark.parametrize("number", GAMES)
def test_each_audience_is_told_what_the_rules_say_and_knows_what_follows(number: int) -> None:
    for resolution, each, account_of in phases(number):
        assert list(map(str, gaps(each, REFERENCE, account_of))) == []
        for who, account in account_of.items():
            data = loaded(number).scenario.game_data
            view = plain(view_of(RULESET, data, resolution.state, resolution.events, Audience(who)))
            assert list(map(str, REFERENCE.gaps_in_view(view, each, who, account))) == []
    assert len(phases(number)) > 3


def test_nearly_all_facts_of_the_game_have_been_told() -> None:
    told = {event["fact"]["type"] for number in GAMES for _, each, _ in phases(number) for event in each.events}
    assert {kind.__name__ for kind in RULESET.release} - told <= _RARE


_RARE = {
    *("UnitPlaced", "StrengthSet", "UnitRemoved", "SignSet", "ControlSet", "PointsSet", "Noted"),
    *("Starved", "CommandoLapsed", "Exited", "MeuseReached", "BrokeThrough", "Joined", "Delayed", "Ended"),
}
"""Rulings, notes, and what few games bring: see `test_rulings_notes_and_rare_facts_are_told_as_the_table_says`."""


@pytest.mark.parametrize("number", GAMES)
def test_who_is_asked_follows_from_what_everybody_knows(number: int) -> None:
    """R48 So a question says nothing of a sheet, and phases, deadlines and mails come as often whatever is sealed."""
    found = [pair for _, each, _ in phases(number) for pair in decisions(each, LAND)]
    assert [pair for pair in found if pair[0] != pair[1]] == []
    assert len(found) > 20


@pytest.mark.parametrize("alternation", ["live", "sheets"])
def test_a_side_is_asked_whether_or_not_anybody_of_it_is_left(alternation: str) -> None:
    """R48 A phase that does not come up would say that no hidden unit can act any more."""
    options = {"fog": "on", "alternation": alternation, "questions": "6", "questions_of_a_side": "4"}
    game = Game({"2Pz": {"at": "Vianden"}, "28Inf": {"at": "Bastogne"}}, options=options)
    found: list[tuple[Any, Any]] = []
    for lock in range(_MOST_LOCKS):
        text = "READY" if game.state.open.phase in (REPLY, IMPULSE) else "ASK ME activations"
        given = {who: game.read(who, text).lines for who in asked(RULESET, game.state)}
        resolution = adjudicate(RULESET, game.game_data, game.state, given, dice=dice_of(RULESET, 1, lock))
        each = Played(plain(game.state), plain(resolution.events), plain(resolution.state))
        found += decisions(each, LAND)
        game.state = resolution.state
        if RULESET.over(game.state):
            break
    assert [pair for pair in found if pair[0] != pair[1]] == []
    assert len([due for due, _ in found if due]) > 5


# --- what is sealed --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sealed:
    """Two sheets of a side that nobody else has read, and which facts the enemy learns of what follows from them."""

    name: str
    side: str
    one: str
    two: str
    phase: PhaseKey = MORNING
    opening: Opening | None = None
    """Where it begins; None: at the beginning of the race."""
    other: str = ""
    """The sheet of the other side."""
    enemy: frozenset[str] = frozenset()


MARKS = "MARK 1 SS Pz\nMARK 12 SS Pz\nMARK 116 Pz"
SEALED = (
    Sealed("marks of fuel", "allied", MARKS, "MARK 2 Pz\nMARK Pz Lehr\nMARK 150 Pz", opening=LATE,
           enemy=frozenset({"Marked", "RanDry"})),
    Sealed("removals of marks", "german", "REFUEL 1 SS Pz\nREFUEL 12 SS Pz", "REFUEL 116 Pz\nREFUEL 12 SS Pz",
           opening=LATE, other=MARKS, enemy=frozenset({"RanDry", "Sighted"})),
    Sealed("the commando's target", "german", "COMMANDO 28 Inf", "COMMANDO 4 Inf",
           enemy=frozenset({"CommandoStruck"})),
    Sealed("a target that has not come", "german", "COMMANDO 101 Abn", "COMMANDO 82 Abn"),
    Sealed("where units arrive", "allied", "ARRIVE 10 Arm at Luxembourg", "ARRIVE 10 Arm at Arlon"),
    Sealed("what is delegated", "german", "RETREAT Trier hits 1\nHALT 2 Pz",
           "STAND Trier\nBREAK THROUGH 2 Pz to Wiltz", phase=DAY),
)  # fmt: skip
"""The public learns of none of it."""


@pytest.mark.parametrize("sealed", SEALED, ids=lambda each: each.name)
def test_sealed_lines_change_the_truth_and_others_learn_only_what_the_table_gives(sealed: Sealed) -> None:
    of, state = _sealed_position(sealed)
    side = Audience(sealed.side)
    worlds = []
    for text in (sealed.one, sealed.two):
        given = {who: _orders(of, state, who, text if who == side else sealed.other) for who in asked(RULESET, state)}
        resolution = adjudicate(RULESET, of.scenario.game_data, state, given, dice=dice_of(RULESET, 1, 1))
        worlds.append(Played(plain(state), plain(resolution.events), plain(resolution.state)))
    assert [each["fact"] for each in worlds[0].events] != [each["fact"] for each in worlds[1].events]
    (enemy,) = {"german", "allied"} - {sealed.side}
    for who, learns in ((enemy, sealed.enemy), ("public", frozenset())):
        told = ([event["faces"][who] for event in world.events if who in event["faces"]] for world in worlds)
        kinds = {each["type"] for each in _apart(*told)}
        assert kinds == learns, who


def _sealed_position(sealed: Sealed) -> tuple[WithStart, State]:
    """R45 With hidden units, at the start of the phase."""
    of = load(sealed.opening.scenario if sealed.opening else RACE)
    begin = sealed.opening.first_state if sealed.opening else None
    state: State = with_fog(begin(of) if begin else first_state(of, {}), "on")
    lock = 0
    while state.open.phase != sealed.phase or not asked(RULESET, state):
        lock, given = lock + 1, dict.fromkeys(asked(RULESET, state), ())
        state = adjudicate(RULESET, of.scenario.game_data, state, given, dice=dice_of(RULESET, 2, lock)).state
    return of, state


def _apart(one: Sequence[Any], two: Sequence[Any]) -> list[Any]:
    return [each for each in one if each not in two] + [each for each in two if each not in one]


# --- rare facts, and leaks that the account finds --------------------------------------------------------------------


def rare_facts(state: State, fog: str) -> list[Fact]:
    """Facts that games rarely bring, of a unit that the Allies see and of one that they do not see in fog."""
    seen, unseen = state.own[ALLIED].seen[0], hidden(_position(early("on")), GERMAN)[0]
    assert unseen not in state.own[ALLIED].seen or fog == "off"
    of_unit = (GERMAN, unseen.id)
    rare: list[Fact] = [
        Noted(GERMAN, "a word"),
        facts.UnitPlaced(*of_unit, unseen.at, 4),
        facts.StrengthSet(*of_unit, 3),
        facts.UnitRemoved(*of_unit),
        facts.SignSet(*of_unit, Sign.ACTED, on=True),
        facts.ControlSet(unseen.at, GERMAN, 3),
        facts.PointsSet(5),
        facts.Starved(*of_unit),
        facts.CommandoLapsed(UnitId("101Abn")),
        facts.Delayed(*of_unit),
    ]
    in_sight = (seen.id, unseen.id) if fog == "off" else (seen.id,)
    rare += [facts.RanDry((seen.id, unseen.id), in_sight), facts.RanDry((unseen.id,), in_sight[1:])]
    for unit in (seen, unseen):
        is_seen = fog == "off" or unit is seen
        rare += [facts.MeuseReached(unit.id, 3, is_seen), facts.Exited(unit.id, unit.at, unit.strength, is_seen)]
        rare.append(facts.BrokeThrough(GERMAN, unit.id, unit.at, unit.at, barred=False, seen=is_seen))
    return rare


@pytest.mark.parametrize("fog", ["off", "on"])
def test_rulings_notes_and_rare_facts_are_told_as_the_table_says(fog: str) -> None:
    state = early(fog)
    for fact in rare_facts(state, fog):
        product = RULESET.release[type(fact)].disclosures(state, state, fact)
        told = {str(who): plain(face) for who, face in product.items() if who != GM}
        assert told == dict(REFERENCE.told(plain(fact), plain(state))), fact


def test_of_a_move_through_the_fog_the_enemy_is_told_the_spaces_that_it_sees() -> None:
    """R45 Wiltz is next to the enemy's only unit; Vianden and Diekirch, from where the unit comes, are not."""
    held = {str(place): "german" for place in Game({}).game_data.spaces}
    game = Game({"2Pz": {"at": "Vianden"}, "28Inf": {"at": "Bastogne"}}, control=held, options={"fog": "on"})
    happened = game.events({GERMANS: "MOVE 2 Pz Diekirch-Wiltz"})
    (event,) = (each for each in happened if isinstance(each.fact, facts.Moved))
    assert isinstance(event.fact, facts.Moved)
    assert event.fact.path == tuple(map(PlaceId, ("Vianden", "Diekirch", "Wiltz")))
    told = event.disclosures[ALLIES]
    assert isinstance(told, facts.Moved)
    assert told.path == told.seen == (PlaceId("Wiltz"),)


def early(fog: str) -> State:
    assert EARLY.first_state is not None
    state: State = with_fog(EARLY.first_state(load(RACE)), fog)
    return state


def _position(state: State) -> Position:
    return Position(AREA_ACTIVATION, load(RACE), state, Audience("allied"))


@pytest.mark.parametrize("kind", ["Activated", "Moved", "Sighted", "Planned", "Used", "Arrived"])
def test_a_fact_that_is_told_to_all_is_found(kind: str) -> None:
    """Where units are hidden."""
    is_kind = [each for _, each, _ in phases(1) if any(event["fact"]["type"] == kind for event in each.events)]
    changed = deepcopy(is_kind[-1])
    for event in changed.events:
        if event["fact"]["type"] == kind:
            event["faces"] |= dict.fromkeys(REFERENCE.audiences, event["fact"])
    found = {(gap.fact, gap.field) for gap in gaps(changed, REFERENCE)}
    assert {fact for fact, _ in found} == {kind}


def test_an_enemys_units_plans_and_arrivals_in_a_position_are_found() -> None:
    _, each, _ = phases(1)[-1]
    for part, leak in (("seen", [{}]), ("units", {}), ("due", {"1Inf": {}}), ("plan", [{"type": "Pass"}])):
        changed = deepcopy(each)
        changed.after["own"]["german"][part] = leak
        found = {(gap.audience, gap.fact) for gap in gaps(changed, REFERENCE)}
        assert found
        assert {audience for audience, _ in found} == {"german"}


def test_a_view_that_shows_what_is_the_enemys_is_found() -> None:
    resolution, each, account_of = phases(1)[-1]
    data = loaded(1).scenario.game_data
    view, whole = (plain(view_of(RULESET, data, resolution.state, resolution.events, Audience(who)))
                   for who in ("german", "gm"))  # fmt: skip
    heard = json.dumps([account_of["german"].told, account_of["german"].known])
    unheard = [card["name"] for id_, card in LAND.units.items() if card["side"] == "allied" and f'"{id_}"' not in heard]
    assert unheard
    for leak, field in (
        ({"counters": whole["counters"]}, "counters"),
        ({"sightings": [{"at": "Bastogne"}]}, "sightings"),
        ({"markers": view["markers"][1:]}, "markers"),
        ({"panels": whole["panels"]}, "panels"),
        ({"arrows": [{"kind": "move", "side": "allied", "path": ["Namur", "Huy"]}]}, "arrows"),
        ({"control": view["control"][1:]}, "control"),
        ({"headlines": [f"{unheard[0]} waits"]}, "(names)"),
    ):
        found = {gap.field for gap in REFERENCE.gaps_in_view({**view, **leak}, each, "german", account_of["german"])}
        assert field in found, leak
