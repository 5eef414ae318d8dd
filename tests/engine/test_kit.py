"""What every ruleset shares: reading lines, notes, rulings, choices, sentences, formations."""

from collections.abc import Mapping
from typing import Annotated, Any

import pytest

from campaign.engine.choices import Draft
from campaign.engine.dice import ScriptedDice
from campaign.engine.display.sentences import (
    Headline,
    Say,
    Sentence,
    audience_title,
    headlines,
    log_lines,
    rolled,
    sentence_for,
)
from campaign.engine.errors import ScenarioError
from campaign.engine.facts import (
    Disclosure,
    Fact,
    Ledger,
    Noted,
    Release,
    Rolled,
    disclose,
    to_nobody,
    to_owner,
    unchanged,
)
from campaign.engine.files import convert_case
from campaign.engine.orders.checking import Refused, check_lines, read_each
from campaign.engine.orders.lexicon import grouped
from campaign.engine.orders.order import (
    Checked,
    Help,
    Keyword,
    Note,
    Order,
    Placed,
    Problem,
    Ready,
    Severity,
    Submission,
    Text,
)
from campaign.engine.phases import Phase, asks, submitted, take_notes
from campaign.engine.rulings import Objections, facts_meant, no_side, objection_to
from campaign.engine.state import State, in_every_own, with_part
from campaign.engine.values.ids import GM, PUBLIC, Audience, PhaseKey, SideId, UnitId, audience_of
from campaign.engine.values.value import Value, changed, without

RED, BLUE = SideId("red"), SideId("blue")


class Wagon(Value, frozen=True):
    load: int = 0


class Own(Value, frozen=True):
    wagons: Mapping[str, Wagon] = {}
    coins: int = 0


Game = State[None, Own, int]
START = Game(None, {RED: Own({"w1": Wagon(1), "w2": Wagon(2)}), BLUE: Own()}, 7)


class Load(Order, frozen=True):
    """Load a wagon."""

    wagon: Annotated[UnitId, Help("a wagon of yours")]
    amount: Annotated[int, Help("how much")] = 1


class Trade(Order, frozen=True):
    """Trade, with a wagon or without."""

    wagon: Annotated[UnitId | None, Keyword("with"), Help("a wagon of yours")] = None


class Begun(Fact, frozen=True):
    pass


class Signed(Fact, frozen=True):
    pass


class Loaded(Fact, frozen=True):
    side: SideId
    amount: int


def lines(*orders: Order) -> tuple[Placed, ...]:
    return tuple(Placed(order, number) for number, order in enumerate(orders, 1))


def some(amount: int) -> int:
    if amount > 3:
        raise Refused("heavy", f"{amount} is too much", "X1", hint="Load less.", column=6)
    return amount


# --- lines -----------------------------------------------------------------------------------------------------------


def test_lines_are_read_in_order_and_those_that_are_refused_are_problems() -> None:
    sheet = lines(Load(UnitId("w1"), 2), Load(UnitId("w1"), 9), Load(UnitId("w2"), 3))
    read, problems = read_each(sheet, lambda placed: some(placed.order.amount))
    assert [(placed.line, amount) for placed, amount in read] == [(1, 2), (3, 3)]
    assert problems == [Problem("heavy", Severity.ERROR, 2, 6, "9 is too much", "Load less.", "X1")]


def test_lines_that_no_check_covers_are_left_alone() -> None:
    checked = check_lines(lines(Ready(), Load(UnitId("w1"))), {Load: lambda order: f"{order.wagon} is loaded"})
    assert [(each.line, each.text) for each in checked.understood] == [(2, "w1 is loaded")]
    assert checked.problems == ()


def test_further_problems_come_after_those_of_the_lines() -> None:
    one, two = (Problem(code, Severity.NOTICE, 0, 1, "") for code in ("one", "two"))
    assert Checked((), (one,)).and_also([two]) == Checked((), (one, two))


# --- a side's sheet in a resolution ----------------------------------------------------------------------------------


def ledger() -> Ledger[str, Game]:
    release: Mapping[type[Fact], Release] = {Noted: Release("", to_owner), Loaded: Release("", to_nobody)}
    return Ledger("the map", START, unchanged, release, ScriptedDice({}), PhaseKey("day"))


def test_a_submission_has_what_its_side_knows_and_nothing_else() -> None:
    orders = {audience_of(RED): lines(Load(UnitId("w1")))}
    sheet = submitted(ledger(), orders, RED)
    assert (sheet.game_data, sheet.known, sheet.side) == ("the map", Game(None, {RED: START.own[RED]}, None), RED)
    assert (sheet.has(Load), sheet.has(Note)) == (True, False)
    assert submitted(ledger(), orders, BLUE).lines == ()


def test_notes_are_disclosed_to_their_side_and_the_gm() -> None:
    book = ledger()
    sheet = lines(Note(Text("no bread")), Load(UnitId("w1")), Note(Text("no wine")))
    take_notes(book, submitted(book, {audience_of(RED): sheet}, RED))
    disclosed = {who: [each.fact for each in disclose(book.events, Audience(who))] for who in (RED, BLUE, GM, PUBLIC)}
    noted = [Noted(RED, "no bread"), Noted(RED, "no wine")]
    assert disclosed == {RED: noted, BLUE: [], GM: noted, PUBLIC: []}


def test_one_side_must_act_or_nobody() -> None:
    assert asks(RED) == {audience_of(RED)}
    assert asks(None) == frozenset()


# --- rulings ---------------------------------------------------------------------------------------------------------


def test_lines_of_a_ruling_mean_facts_or_are_refused() -> None:
    ruled, problems = facts_meant(
        lines(Load(UnitId("w1"), 9), Load(UnitId("w1"), 2)), {Load: lambda order: Loaded(RED, some(order.amount))}
    )
    assert ruled == ((2, Loaded(RED, 2)),)
    assert [(each.line, each.code) for each in problems] == [(1, "heavy")]


def test_a_fact_is_ruled_if_the_ruleset_lists_it_and_nothing_speaks_against_it() -> None:
    objections: Objections = {Loaded: lambda _map, state, fact: no_side(state, fact.side)}
    assert objection_to(Loaded(RED, 1), objections, "the map", START) == ""
    assert objection_to(Loaded(SideId("green"), 1), objections, "the map", START) == "there is no side 'green'"
    said = "Noted cannot be ruled; it follows from the sheets and the rules"
    assert objection_to(Noted(RED, "x"), objections, "the map", START) == said


# --- choices ---------------------------------------------------------------------------------------------------------


def draft(*written: Order) -> Draft[Any, Any]:
    def check(sheet: Submission[Any, Any]) -> Checked:
        return check_lines(sheet.lines, {Load: lambda order: str(some(order.amount))})

    phase = Phase[Any, Any](
        key=PhaseKey("day"), title="Day", rule="X", resolve=lambda *_: None, orders=(Load, Trade, Ready), check=check
    )
    return Draft(phase, Submission("the map", START, audience_of(RED), lines(*written)))


def test_an_order_with_a_unit_that_may_be_left_out_is_for_no_unit() -> None:
    assert list(draft().kinds(UnitId("w1"))) == [Load]
    assert list(draft().kinds(None)) == [Trade, Ready]


def test_what_the_checker_refuses_as_the_next_line_is_not_offered() -> None:
    wanted = [Load(UnitId("w1"), 3), Load(UnitId("w1"), 4), Note(Text("no order of this phase")), Ready()]
    assert list(draft().allowed(wanted)) == [Load(UnitId("w1"), 3), Ready()]
    assert draft(Load(UnitId("w1"), 9)).allows(Load(UnitId("w1"), 1)), "the line above is at fault, not this one"


def test_a_draft_knows_which_units_its_lines_are_about() -> None:
    written = draft(Load(UnitId("w1")))
    assert written.has(Load, UnitId("w1"))
    assert not written.has(Load, UnitId("w2"))
    assert not written.has(Trade, UnitId("w1"))


# --- reports ---------------------------------------------------------------------------------------------------------

SENTENCES: Mapping[type, Say] = {
    Loaded: lambda name, fact: f"{name} loads {fact.amount}",
    Noted: lambda _name, fact: Sentence(fact.text, ("because",)) if fact.text else None,
}


def told(fact: Any, ruling: str = "") -> Disclosure[Any]:
    return Disclosure(PhaseKey("day"), "X1", fact, ruling)


def test_a_face_has_its_sentence_and_a_ruling_says_that_it_is_one() -> None:
    assert sentence_for(told(Loaded(RED, 2)), SENTENCES, "Ann") == Sentence("Ann loads 2")
    ruled = sentence_for(told(Noted(RED, "rain"), "a dispute"), SENTENCES, "Ann")
    assert ruled == Sentence("GM ruling: rain", ("because", "a dispute"))
    assert sentence_for(told(Noted(RED, ""), "a dispute"), SENTENCES, "Ann") is None
    assert sentence_for(told(Rolled("x", GM, 6, (1,), "x")), SENTENCES, "Ann") is None


def test_a_report_leaves_out_what_has_no_sentence() -> None:
    disclosures = [told(Noted(RED, "")), told(Noted(RED, "rain"))]
    (line,) = log_lines(disclosures, ["Dawn", "Day"], lambda each: sentence_for(each, SENTENCES, "Ann"))
    assert (line.section, line.text, line.rule, line.reasons) == ("Day", "rain", "X1", ("because",))


@pytest.mark.parametrize(("by_hand", "said"), [(False, ""), (True, " (entered by the GM)")])
def test_a_roll_in_words(by_hand: bool, said: str) -> None:  # noqa: FBT001
    assert rolled(Rolled("x", GM, 6, (3, 5), "the weather", by_hand)).text == f"The weather: 2d6 3, 5{said}"


def test_headlines_come_by_the_order_of_their_kinds_and_are_three_at_most() -> None:
    news: Mapping[type, Headline] = {
        Noted: lambda facts: ", ".join(fact.text for fact in facts),
        Loaded: lambda facts: f"{len(facts)} loads",
        Rolled: lambda facts: " ".join(fact.purpose for fact in facts),
        Signed: lambda _facts: "signed",
        Begun: lambda _facts: "begun",
    }
    facts = [Begun(), Loaded(RED, 2), Noted(RED, "rain"), Rolled("x", GM, 6, (1,), ""), Signed()]
    facts += [Loaded(RED, 1), Noted(RED, "sun")]

    assert headlines(map(told, facts), news) == ("rain, sun", "2 loads", "signed")
    assert headlines([told(facts[1], "a ruling")], news) == ()


def test_audiences_have_titles() -> None:
    titles = [audience_title(Audience(who), {RED: "Red"}) for who in (RED, GM, PUBLIC)]
    assert titles == ["Red side", "GM", "Public"]


# --- states, names, cases --------------------------------------------------------------------------------------------


def test_parts_of_a_side_change_where_they_are_known() -> None:
    assert with_part(START, RED, coins=3).own[RED].coins == 3
    blind = Game(None, {BLUE: Own()}, None)
    assert with_part(blind, RED, coins=3) == blind
    richer = in_every_own(START, lambda own: Own(own.wagons, own.coins + 1))
    assert [own.coins for own in richer.own.values()] == [1, 1]


def test_a_value_of_a_mapping_is_changed_or_left_out_in_a_copy() -> None:
    wagons = START.own[RED].wagons
    assert changed(wagons, "w1", load=5) == {"w1": Wagon(5), "w2": Wagon(2)}
    assert without(wagons, "w1") == {"w2": Wagon(2)}
    assert without(wagons, "w9") == wagons == {"w1": Wagon(1), "w2": Wagon(2)}
    with pytest.raises(KeyError):
        changed(wagons, "w9", load=5)


def test_formations_are_sorted_and_hold_every_unit_once() -> None:
    one, two = UnitId("1"), UnitId("2")
    found = grouped([("B", two), ("A", one), ("B", one), ("B", two)])
    assert list(found) == ["A", "B"]
    assert found == {"A": frozenset({one}), "B": frozenset({one, two})}


def test_a_case_that_is_written_wrongly_is_refused_with_the_cure() -> None:
    assert convert_case({"load": 2}, Wagon, cure="See the guide.") == Wagon(2)
    with pytest.raises(ScenarioError, match=r"the case: .*unknown field `lode`.*See the guide\."):
        convert_case({"lode": 2}, Wagon, cure="See the guide.")
