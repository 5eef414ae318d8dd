"""R12.9, R12.10 Units' own ledgers: where their lines go, who reads them, and what the draft asks the GM about them."""

from collections import Counter
from functools import reduce
from typing import Any

import pytest
from msgspec import UNSET

from campaign.engine.facts import Event, Fact
from campaign.engine.judgements import Judgement
from campaign.engine.state import in_every_own, state_known_to, with_open, with_own
from campaign.engine.values.ids import GM, PUBLIC, Audience, PhaseKey, UnitId
from campaign.engine.values.value import decode, encode, replace
from campaign.game.loading import find_scenario, load_scenario
from campaign.rulesets.forum_campaign import RULESET
from campaign.rulesets.forum_campaign.disclosure.show import show
from campaign.rulesets.forum_campaign.gm.judgements import judgements
from campaign.rulesets.forum_campaign.measures import lost
from campaign.rulesets.forum_campaign.model.facts.battle import Absorbed, Cause, Destroyed, TanksLost
from campaign.rulesets.forum_campaign.model.facts.muster import LineStruck, LineWritten, UnitAdded, UnitRemoved
from campaign.rulesets.forum_campaign.model.game_data import GERMAN, Branch, Goods, Weather
from campaign.rulesets.forum_campaign.model.ledger import LedgerLine, LineKind, ledger_of, lines_in
from campaign.rulesets.forum_campaign.model.state import Own, State, Unit, WeatherToday
from tests.laws.games import played

FOLDER = find_scenario("forum_campaign/ardennes-1944")
LOADED = load_scenario(FOLDER)
DATA = LOADED.scenario.game_data
START: State = with_open(LOADED.scenario.start, weather=WeatherToday(Weather.GLOOMY, 0, 0))
PANZER, OTHER, FOOT = UnitId("G-2PZ"), UnitId("G-116"), UnitId("G-26VG")
JEEPS, NO_RADIOS = LedgerLine(LineKind.EXTRA, "2 jeeps"), LedgerLine(LineKind.REMARK, "no radios")
TIGER = LedgerLine(LineKind.HEAVY_TANK, "Siegfried")


# --- the lines -------------------------------------------------------------------------------------------------------


def test_a_state_without_ledgers_is_stored_as_it_ever_was() -> None:
    assert b"ledger" not in encode(START)
    with_one = having(START, FOOT, ledger=(JEEPS,))
    assert decode(encode(with_one), State) == with_one
    assert encode(having(with_one, FOOT, ledger=UNSET)) == encode(START)


@pytest.mark.parametrize("game", range(4))
def test_lines_change_nothing_and_are_never_lost_or_doubled(game: int) -> None:
    """Over random games: they only change places, and without them the state is what it was."""
    state = in_every_own(next(iter(played(FOLDER, game, 1))).before, everyone_writes)
    before = all_lines(state)
    for phase in played(FOLDER, game, 30):
        state = reduce(RULESET.evolve, [event.fact for event in phase.resolution.events], state)
        assert in_every_own(state, nobody_writes) == phase.resolution.state
        assert all_lines(state) == before


def everyone_writes(own: Own) -> Own:
    lines = {id_: ledger_of(LedgerLine(kind, f"{kind.value} of {id_}") for kind in LineKind) for id_ in own.units}
    return replace(own, units={id_: replace(unit, ledger=lines[id_]) for id_, unit in own.units.items()})


def nobody_writes(own: Own) -> Own:
    units, gone = ({id_: replace(unit, ledger=UNSET) for id_, unit in part.items()} for part in (own.units, own.lost))
    return replace(own, units=units, lost=gone)


def all_lines(state: State) -> Counter[tuple[str, str]]:
    units = [unit for own in state.own.values() for unit in (*own.units.values(), *own.lost.values())]
    return Counter((side_of(state, unit.id), line.text) for unit in units for line in lines_in(unit.ledger))


def side_of(state: State, unit: UnitId) -> str:
    return next(side for side, own in state.own.items() if unit in own.units or unit in own.lost)


def test_a_unit_that_was_taken_out_is_no_loss_and_a_destroyed_one_is() -> None:
    assert lost(RULESET.evolve(START, UnitRemoved(GERMAN, FOOT)).own[GERMAN]) == 0
    assert lost(RULESET.evolve(START, destroyed(FOOT)).own[GERMAN]) == 1


# --- who reads them --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("audience", "reads"), [("german", True), (GM, True), ("allied", False), (PUBLIC, False)])
def test_a_ledger_is_shown_to_its_side_and_the_gm(audience: str, reads: bool) -> None:  # noqa: FBT001
    state = having(START, FOOT, ledger=(JEEPS, NO_RADIOS))
    view = show(DATA, state_known_to(state, Audience(audience)), Audience(audience), ())
    panels = {panel.key: panel for panel in view.panels}
    assert (b"2 jeeps" in encode(view)) == reads
    assert ("ledgers-german" in panels) == reads
    assert "ledgers-allied" not in panels
    if reads:
        assert panels["ledgers-german"].rows == (("26 VG", "1", "2 jeeps"), ("26 VG", "2", "no radios"))
        assert [row[4] for row in panels["forces-german"].rows if row[0] == "26 VG"] == ["ledger"]


# --- what the draft asks ---------------------------------------------------------------------------------------------


def test_the_gm_says_what_joins_from_remains_with_vehicles() -> None:
    state = having(START, PANZER, strength=15)
    (asked,) = about("Remains", state, destroyed(PANZER), absorbed(PANZER, gained=15))
    assert (asked.audiences, asked.rule) == (("german",), "R12.10")
    assert asked.question == "26 VG absorbs what is left of 2 Pz: which teams and vehicles join it?"
    assert "vehicles, 3 medium tanks and 1 heavy tank" in asked.hint
    assert "EXTRA 26 VG gets" in asked.hint


def test_the_gm_says_what_joins_from_survivors_guns_and_extras() -> None:
    state = having(START, OTHER, branch=Branch.INFANTRY, tanks=0, heavy_tanks=0, strength=15)
    assert not about("Remains", state, destroyed(OTHER), absorbed(OTHER, gained=15))
    (asked,) = about("Remains", state, destroyed(OTHER), absorbed(OTHER, gained=5))
    assert "10 % more than 26 VG can take" in asked.hint
    armed = having(state, OTHER, bought={Goods.AT_GUNS: 3}, ledger=(JEEPS,))
    (asked,) = about("Remains", armed, destroyed(OTHER), absorbed(OTHER, gained=15))
    assert "3 × at" in asked.hint
    assert "2 jeeps (with 26 VG now)" in asked.hint


def test_an_extra_of_the_absorbing_unit_answers_it() -> None:
    facts = [destroyed(PANZER), absorbed(PANZER, gained=15)]
    assert not about("Remains", START, *facts, LineWritten(GERMAN, FOOT, JEEPS))
    assert not about("Remains", START, LineWritten(GERMAN, FOOT, JEEPS), *facts)
    assert about("Remains", START, *facts, LineWritten(GERMAN, OTHER, JEEPS))
    assert about("Remains", START, *facts, LineWritten(GERMAN, FOOT, NO_RADIOS))


def test_the_gm_says_whether_a_named_tank_is_lost() -> None:
    state = having(START, PANZER, ledger=(TIGER, JEEPS))
    (asked,) = about("Named tanks", state, TanksLost(GERMAN, PANZER, 0, 1))
    assert asked.question == "2 Pz loses 1 heavy tank: is a named one lost?"
    assert "Siegfried" in asked.hint
    assert not about("Named tanks", state, TanksLost(GERMAN, PANZER, 1, 0))
    assert not about("Named tanks", START, TanksLost(GERMAN, PANZER, 0, 1))
    assert not about("Named tanks", state, TanksLost(GERMAN, PANZER, 0, 1), LineStruck(GERMAN, PANZER, TIGER))
    assert about("Named tanks", state, TanksLost(GERMAN, PANZER, 0, 1), LineStruck(GERMAN, PANZER, JEEPS))


def test_the_gm_says_who_leaves_a_hex_that_is_too_full() -> None:
    at, elsewhere = START.own[GERMAN].units[FOOT].at, "A1"
    assert at is not None
    (asked,) = about("Full hex", START, UnitAdded(GERMAN, "9 VG", Branch.INFANTRY, small=False, at=at, strength=80))
    assert "9 VG" in asked.question
    assert "9 VG and 26 VG" in asked.hint
    for small, place in ((True, at), (False, elsewhere)):
        fact = UnitAdded(GERMAN, "9 VG", Branch.INFANTRY, small=small, at=place, strength=80)  # type: ignore[arg-type]
        assert not about("Full hex", START, fact)


def having(state: State, unit: UnitId, **changes: Any) -> State:
    """The state with a German unit changed."""

    def own(before: Own) -> Own:
        return replace(before, units={**before.units, unit: replace(before.units[unit], **changes)})

    return with_own(state, GERMAN, own)


def destroyed(unit: UnitId) -> Destroyed:
    gone: Unit = START.own[GERMAN].units[unit]
    assert gone.at is not None
    return Destroyed(GERMAN, unit, gone.label, gone.at, Cause.LOSSES)


def absorbed(gone: UnitId, *, gained: int) -> Fact:
    return Absorbed(GERMAN, FOOT, gone, gained, 1)


def about(kind: str, state: State, *facts: Fact) -> list[Judgement]:
    """The questions of a kind that a phase with these facts leaves to the GM."""
    events = [Event(PhaseKey("german_end"), "R1", fact, {GM: fact}) for fact in facts]
    return [each for each in judgements(DATA, state, events) if each.kind == kind]
