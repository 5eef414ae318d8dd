"""Facts, ledger, release and resolution, with a ruleset of a few lines."""

import re
from collections.abc import Mapping
from dataclasses import replace as with_changes
from typing import Any

import pytest

from campaign.engine.adjudication import adjudicate, asked
from campaign.engine.dice import Entered, Overridden, ScriptedDice
from campaign.engine.errors import EngineError
from campaign.engine.facts import Fact, Ledger, Release, Rolled, disclose, to_all, to_audience_of_roll, to_owner
from campaign.engine.orders.order import Checked, NoStandingOrders, Order, Placed, Understood
from campaign.engine.phases import Orders, Phase, Ruling, Standing, key_and_occurrence, phase_name
from campaign.engine.ruleset import Ruleset
from campaign.engine.rulings import no_side
from campaign.engine.state import State, known_state, state_known_to, with_open, with_own
from campaign.engine.values.ids import GM, PUBLIC, Audience, PhaseKey, SideId, audience_of
from campaign.engine.values.value import Value, replace

RED, BLUE = SideId("red"), SideId("blue")
TO_RED, TO_BLUE = audience_of(RED), audience_of(BLUE)


class Open(Value, frozen=True):
    phase: PhaseKey = PhaseKey("dawn")
    score: int = 0


class Spend(Order, frozen=True):
    coins: int


class Hoard(Order, frozen=True):
    """Stays: red is not asked while the score is below this."""

    until: int


class Own(Value, frozen=True):
    coins: int = 3
    standing: tuple[Hoard, ...] = ()


Game = State[Open, Own, int]


class Turned(Fact, frozen=True):
    phase: PhaseKey


class Scored(Fact, frozen=True):
    points: int


class Paid(Fact, frozen=True):
    side: SideId
    coins: int


class Ordered(Fact, frozen=True):
    side: SideId
    orders: tuple[Hoard, ...]


def evolve(state: Game, fact: Fact) -> Game:
    match fact:
        case Turned(phase=phase):
            return with_open(state, phase=phase)
        case Scored(points=points):
            return with_open(state, score=state.open.score + points)
        case Paid(side=side, coins=coins):
            return with_own(state, side, lambda own: replace(own, coins=own.coins - coins))
        case Ordered(side=side, orders=orders):
            return with_own(state, side, lambda own: replace(own, standing=orders))
    return state


def dawn(ledger: Ledger[None, Game], _orders: Orders) -> None:
    (die,) = ledger.roll("luck", sides=6, audience=audience_of(RED), purpose="luck", rule="X1")
    ledger.emit(Scored(die), rule="X2")


def red(ledger: Ledger[None, Game], orders: Orders) -> None:
    for placed in orders.get(audience_of(RED), ()):
        ledger.emit(Paid(RED, placed.order.coins), rule="X3")


PHASES: tuple[Phase[None, Game], ...] = (
    Phase(key=PhaseKey("dawn"), title="Dawn", rule="X", resolve=dawn),
    Phase(
        key=PhaseKey("red"),
        title="Red",
        rule="X",
        resolve=red,
        acts=lambda _: frozenset({audience_of(RED)}),
        orders=(Spend,),
        check=lambda sheet: Checked(tuple(Understood(each.line, "paid") for each in sheet.lines)),
        standing=lambda open_, orders: any(open_.score < hoard.until for hoard in orders),
    ),
)


def step(state: Game) -> Turned:
    return Turned(PhaseKey("dawn" if state.open.phase == "red" else "red"))


def unused(*_: Any) -> Any:
    raise AssertionError("not part of these tests")


RULES: Ruleset[None, Game] = Ruleset(
    key="mini",
    title="Mini",
    sides=(RED, BLUE),
    state_type=Game,
    edition=1,
    state_version=1,
    upgrades={},
    phases=PHASES,
    moment=unused,
    step=step,
    over=lambda state: state.open.score >= 100,
    evolve=evolve,
    release={
        Rolled: Release("", to_audience_of_roll),
        Turned: Release("", to_all),
        Scored: Release("", to_all),
        Paid: Release("", to_owner),
        Ordered: Release("", to_owner),
    },
    read_scenario=unused,
    read_case=unused,
    names=unused,
    formations=unused,
    rulings={
        Turned: lambda _, _state, _fact: "",
        Scored: lambda _, _state, _fact: "",
        Paid: lambda _, state, fact: no_side(state, fact.side),
    },
    candidates=unused,
    base_map=unused,
    charts=lambda _game_data: (),
    corrections=(),
    correction_names=unused,
    correct=unused,
    show=unused,
)
HOARDING = with_changes(
    RULES,
    standing=Standing(
        orders=(Hoard,),
        of=lambda state, side: state.own[side].standing,
        given=Ordered,
        check=lambda sheet: Checked(tuple(Understood(each.line, "stays") for each in sheet.lines)),
    ),
)
"""The same with an order that stays."""
START = Game(Open(), {RED: Own(), BLUE: Own()}, hidden=7)
SPEND_TWO = {audience_of(RED): (Placed(Spend(2), 1),)}


def at_red() -> Game:
    return adjudicate(RULES, None, START, {}, dice=ScriptedDice({"luck": (4,)})).state


def test_phases_that_need_nobody_run_up_to_the_next_that_does() -> None:
    assert at_red().open == Open(PhaseKey("red"), 4)


def test_orders_take_effect_once() -> None:
    resolution = adjudicate(RULES, None, at_red(), SPEND_TWO, dice=ScriptedDice({"luck": (1,)}))
    assert resolution.state.own[RED].coins == 1
    assert [type(event.fact) for event in resolution.events] == [Paid, Turned, Rolled, Scored, Turned]


def test_orders_are_for_their_phase_and_not_for_those_after_it() -> None:
    greedy = with_changes(RULES, phases=(with_changes(PHASES[0], resolve=red), PHASES[1]))
    state = with_open(START, phase=PhaseKey("red"))
    assert adjudicate(greedy, None, state, SPEND_TWO, dice=ScriptedDice({})).state.own[RED].coins == 1


def test_each_audience_hears_its_faces_and_the_gm_all() -> None:
    events = adjudicate(RULES, None, at_red(), SPEND_TWO, dice=ScriptedDice({"luck": (1,)})).events
    assert [(event.phase, event.rule, event.ruling) for event in events] == [
        ("red", "X3", ""),
        ("red", "X", ""),
        ("dawn", "X1", ""),
        ("dawn", "X2", ""),
        ("dawn", "X", ""),
    ]
    assert events[0].disclosures == {GM: events[0].fact, TO_RED: events[0].fact}
    assert events[2].fact == Rolled("luck", TO_RED, 6, (1,), "luck")
    assert [disclosed.rule for disclosed in disclose(events, TO_BLUE)] == ["X", "X2", "X"]
    heard = {
        who: [type(disclosed.fact) for disclosed in disclose(events, who)] for who in (TO_RED, TO_BLUE, GM, PUBLIC)
    }
    assert heard[TO_RED] == heard[GM] == [Paid, Turned, Rolled, Scored, Turned]
    assert heard[TO_BLUE] == heard[PUBLIC] == [Turned, Scored, Turned]


def test_a_known_state_has_the_open_part_and_the_named_sides_only() -> None:
    assert known_state(START, (RED,)) == Game(Open(), {RED: Own()})
    assert state_known_to(START, GM).own == START.own
    assert state_known_to(START, GM).hidden is None
    assert state_known_to(START, PUBLIC) == Game(Open(), {})


def test_a_ruling_is_applied_before_its_phase_and_keeps_its_reason() -> None:
    ruling = Ruling(PhaseKey("dawn"), Scored(10), "a bonus")
    resolution = adjudicate(RULES, None, at_red(), {}, dice=ScriptedDice({"luck": (1,)}), rulings=[ruling])
    assert resolution.state.open.score == 4 + 10 + 1
    assert [(type(event.fact), event.phase, event.rule, event.ruling) for event in resolution.events[1:3]] == [
        (Scored, "dawn", "GM", "a bonus"),
        (Rolled, "dawn", "X1", ""),
    ]
    disclosed = disclose(resolution.events, TO_BLUE)[1]
    assert (disclosed.phase, disclosed.rule, disclosed.fact, disclosed.ruling) == ("dawn", "GM", Scored(10), "a bonus")


DUSK, DAWN = PhaseKey("dusk"), PhaseKey("dawn")


@pytest.mark.parametrize(
    ("rulings", "said"),
    [
        ([Ruling(DUSK, Scored(1), "late")], "rulings for phases that were not resolved: 'late' at dusk"),
        (
            [Ruling(DUSK, Scored(1), "late"), Ruling(DAWN, Scored(1), "in time"), Ruling(DUSK, Scored(2), "too")],
            "rulings for phases that were not resolved: 'late' at dusk; 'too' at dusk",
        ),
        ([Ruling(DAWN, Scored(0), "idle")], "the ruling 'idle' (Scored at dawn) changes nothing"),
        ([Ruling(DAWN, Spend(1), "odd")], "the ruling 'odd' (Spend at dawn) is not a fact"),
        (
            [Ruling(DAWN, Paid(SideId("green"), 1), "who")],
            "the ruling 'who' (Paid at dawn) cannot be applied: there is no side 'green'",
        ),
    ],
)
def test_a_ruling_that_cannot_be_is_refused(rulings: list[Ruling], said: str) -> None:
    with pytest.raises(EngineError, match=f"^{re.escape(said)}$"):
        adjudicate(RULES, None, at_red(), {}, dice=ScriptedDice({"luck": (1,)}), rulings=rulings)


@pytest.mark.parametrize(
    ("orders", "said"),
    [
        ({TO_BLUE: (Placed(Spend(1), 1),)}, "blue cannot give orders in Red"),
        ({TO_BLUE: (), TO_RED: (Placed(Spend(1), 1),), GM: ()}, "blue, gm cannot give orders in Red"),
        ({TO_RED: (Placed(Spend(1), 1), Placed(Order(), 2))}, "Order is not an order of Red"),
    ],
)
def test_orders_that_do_not_belong_to_the_phase_are_refused(orders: Orders, said: str) -> None:
    with pytest.raises(EngineError, match=f"^{said}$"):
        adjudicate(RULES, None, at_red(), orders, dice=ScriptedDice({}))


def test_a_public_roll_is_disclosed_to_everyone() -> None:
    ledger = Ledger(
        game_data=None, state=START, evolve=evolve, release=RULES.release, dice=ScriptedDice({"luck": (2,)})
    )
    assert ledger.roll("luck", sides=6, audience=PUBLIC, purpose="luck", rule="X1") == (2,)
    (event,) = ledger.events
    assert event.disclosures == dict.fromkeys((GM, PUBLIC, TO_RED, TO_BLUE), Rolled("luck", PUBLIC, 6, (2,), "luck"))


def test_a_face_may_depend_on_what_was_and_on_what_is() -> None:
    def gained(before: Game, after: Game, _: Fact) -> Mapping[Audience, Fact]:
        return {TO_BLUE: Scored(after.open.score - before.open.score)}

    release: Mapping[type[Fact], Release] = {Turned: Release("", gained), Scored: Release("", gained)}
    ledger = Ledger(game_data=None, state=START, evolve=evolve, release=release, dice=ScriptedDice({}))
    ledger.emit(Scored(3), rule="X")
    ledger.emit(Turned(DUSK), rule="X")
    assert [disclosed.fact for disclosed in disclose(ledger.events, TO_BLUE)] == [Scored(3), Scored(0)]


def test_a_fact_outside_the_release_table_cannot_happen() -> None:
    ledger = Ledger(game_data=None, state=START, evolve=evolve, release={}, dice=ScriptedDice({}))
    with pytest.raises(EngineError, match=r"^Scored is not in the release table$"):
        ledger.emit(Scored(1), rule="X")
    assert ledger.state == START
    assert ledger.events == []


def test_a_label_is_rolled_once() -> None:
    ledger = Ledger(
        game_data=None, state=START, evolve=evolve, release=RULES.release, dice=ScriptedDice({"luck": (2,)})
    )
    dawn(ledger, {})
    with pytest.raises(EngineError, match=r"^luck was rolled twice$"):
        dawn(ledger, {})


def test_an_ended_campaign_stops_without_moving_on() -> None:
    rich = with_open(START, score=99)
    resolution = adjudicate(RULES, None, rich, {}, dice=ScriptedDice({"luck": (5,)}))
    assert RULES.over(resolution.state)
    assert resolution.state.open.phase == "dawn"


def test_an_ended_campaign_is_not_resolved_again() -> None:
    with pytest.raises(EngineError, match=r"^the campaign has ended$"):
        adjudicate(RULES, None, with_open(START, score=100), {}, dice=ScriptedDice({}))


def test_an_entered_roll_that_nothing_asks_for_is_refused() -> None:
    slips = {label: Entered((6,), "a slip") for label in ("lukc", "fate")}
    dice = Overridden(ScriptedDice({"luck": (2,)}), slips)
    with pytest.raises(EngineError, match=r"^rolls that were entered but not needed: fate, lukc$"):
        adjudicate(RULES, None, START, {}, dice=dice)
    entered = adjudicate(RULES, None, START, {}, dice=Overridden(ScriptedDice({}), {"luck": Entered((6,), "by hand")}))
    (roll,) = [event.fact for event in entered.events if isinstance(event.fact, Rolled)]
    assert roll.by_hand
    assert [event.ruling for event in entered.events if event.fact == roll] == ["by hand"]
    assert entered.state.open.score == 6


def test_a_roll_among_the_rulings_is_entered_and_its_last_reason_given() -> None:
    rolls = [Rolled("luck", TO_RED, 6, (die,), "luck") for die in (2, 5)]
    rulings = [Ruling(PhaseKey("dawn"), roll, reason) for roll, reason in zip(rolls, ("a slip", "so"), strict=True)]
    resolution = adjudicate(RULES, None, START, {}, dice=ScriptedDice({}), rulings=rulings)
    assert resolution.state.open.score == 5
    (disclosed,) = [
        disclosed for disclosed in disclose(resolution.events, TO_RED) if isinstance(disclosed.fact, Rolled)
    ]
    assert (disclosed.ruling, disclosed.fact.by_hand) == ("so", True)


def test_a_sequence_in_which_nobody_ever_acts_is_an_error() -> None:
    rules = with_changes(
        RULES,
        phases=tuple(with_changes(phase, acts=lambda _: frozenset(), resolve=lambda *_: None) for phase in PHASES),
    )
    with pytest.raises(EngineError, match=r"^after 1000 phases still nobody had to act$"):
        adjudicate(rules, None, START, {}, dice=ScriptedDice({}))


def test_audiences_are_sides_gm_and_public() -> None:
    assert audience_of(RED) == Audience("red")


# --- standing orders --------------------------------------------------------------------------------------------------


def hoarding(until: int, *, luck: Mapping[str, tuple[int, ...]], coins: int = 0) -> Any:
    """The result of red's sheet with a standing order, and one that is executed at once."""
    sheet = (Placed(Spend(coins), 1), Placed(Hoard(until), 2))
    return adjudicate(HOARDING, None, at_red(), {TO_RED: sheet}, dice=ScriptedDice(luck))


LUCK = {"luck": (3,), "luck/2": (2,), "luck/3": (5,)}
"""The score is 4 before; it grows by what each dawn rolls."""


def test_standing_orders_stay_and_the_run_continues_while_they_answer() -> None:
    resolution = hoarding(10, luck=LUCK, coins=2)
    assert resolution.state == Game(Open(PhaseKey("red"), 4 + 3 + 2 + 5), {RED: Own(1, (Hoard(10),)), BLUE: Own()}, 7)
    assert [event.phase for event in resolution.events if isinstance(event.fact, Turned)] == [
        *("red", "dawn", "red/2", "dawn/2", "red/3", "dawn/3"),
    ]


def test_a_later_occurrence_has_its_number_in_labels_that_would_be_rolled_twice() -> None:
    rolls = [event.fact.label for event in hoarding(10, luck=LUCK).events if isinstance(event.fact, Rolled)]
    assert rolls == ["luck", "luck/2", "luck/3"]


def test_standing_orders_are_disclosed_to_their_side_only() -> None:
    events = hoarding(10, luck=LUCK).events
    disclosed = {
        who: any(isinstance(each.fact, Ordered) for each in disclose(events, who)) for who in (TO_RED, TO_BLUE, PUBLIC)
    }
    assert disclosed == {TO_RED: True, TO_BLUE: False, PUBLIC: False}


def test_a_later_sheet_replaces_standing_orders_or_withdraws_them() -> None:
    state = hoarding(5, luck={"luck": (3,)}).state
    assert state.own[RED].standing == (Hoard(5),)
    kept = adjudicate(HOARDING, None, state, SPEND_TWO, dice=ScriptedDice({"luck": (1,)}))
    assert kept.state.own[RED].standing == (Hoard(5),)
    given = {TO_RED: (Placed(Hoard(6), 1), Placed(Hoard(7), 2))}
    changed = adjudicate(HOARDING, None, state, given, dice=ScriptedDice({"luck": (1,)}))
    assert changed.state.own[RED].standing == (Hoard(6), Hoard(7))
    withdrawn = {TO_RED: (Placed(NoStandingOrders(), 1),)}
    assert adjudicate(HOARDING, None, state, withdrawn, dice=ScriptedDice({"luck": (1,)})).state.own[RED].standing == ()


def test_standing_orders_that_stay_as_they_are_are_no_news() -> None:
    state = hoarding(5, luck={"luck": (3,)}).state
    again = adjudicate(HOARDING, None, state, {TO_RED: (Placed(Hoard(5), 1),)}, dice=ScriptedDice({"luck": (1,)}))
    assert not any(isinstance(event.fact, Ordered) for event in again.events)


def test_asked_are_those_who_act_and_have_no_standing_answer() -> None:
    state = at_red()
    assert asked(HOARDING, state) == {TO_RED}
    hoards = with_own(state, RED, lambda own: replace(own, standing=(Hoard(10),)))
    assert asked(HOARDING, hoards) == frozenset()
    assert asked(HOARDING, with_open(hoards, score=10)) == {TO_RED}
    assert asked(RULES, hoards) == {TO_RED}, "without standing orders in the ruleset nothing answers"


def test_a_sheet_is_checked_by_its_phase_and_its_standing_orders_separately() -> None:
    sheet = (Placed(Hoard(5), 1), Placed(Spend(1), 2))
    known = state_known_to(at_red(), TO_RED)
    said = HOARDING.check(None, known, TO_RED, sheet).understood
    assert said == (Understood(1, "stays"), Understood(2, "paid"))
    assert HOARDING.orders_of(HOARDING.phase(PhaseKey("red"))) == (Spend, Hoard, NoStandingOrders)
    with pytest.raises(EngineError, match="Hoard is not an order of Red"):
        adjudicate(RULES, None, at_red(), {TO_RED: sheet}, dice=ScriptedDice({"luck": (1,)}))


def test_a_ruling_may_name_a_later_occurrence() -> None:
    ruling = Ruling(PhaseKey("dawn/2"), Scored(10), "a bonus")
    given = {TO_RED: (Placed(Hoard(10), 1),)}
    dice = ScriptedDice({"luck": (3,), "luck/2": (2,)})
    resolution = adjudicate(HOARDING, None, at_red(), given, dice=dice, rulings=[ruling])
    assert [event.phase for event in resolution.events if event.ruling] == ["dawn/2"]
    assert resolution.state.open.score == 4 + 3 + 10 + 2
    with pytest.raises(EngineError, match="rulings for phases that were not resolved: 'a bonus' at dawn/2"):
        adjudicate(RULES, None, at_red(), {}, dice=ScriptedDice({"luck": (1,)}), rulings=[ruling])


def test_names_of_phases_are_read_back() -> None:
    for name, parts in {"dawn": ("dawn", 1), "dawn/2": ("dawn", 2), "dawn/12": ("dawn", 12)}.items():
        assert key_and_occurrence(PhaseKey(name)) == parts
        assert phase_name(PhaseKey(parts[0]), parts[1]) == name
