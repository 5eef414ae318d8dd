"""Another ruleset's forms: standing orders and the card of an answer, by the same engine and on the same page."""

from campaign.engine.choices import Draft
from campaign.engine.orders.forms import Change, Form, filled, order_of, with_changes
from campaign.engine.orders.lexicon import Names
from campaign.engine.orders.notation import parse
from campaign.engine.orders.order import Severity, Submission
from campaign.engine.state import state_known_to, with_part
from campaign.engine.values.ids import Audience, SideId
from tests import toy
from tests.toy.model.game_data import GameData
from tests.toy.model.orders import Reaction, WhenAttacked
from tests.toy.model.state import State
from tests.toy.rules.standing import STANDING
from tests.toy.test_toy import SOUTHERN, position, resolve


def sheet(text: str) -> tuple[dict[str, Form], Submission[GameData, State], Names]:
    """The forms of the attacked side's answer, its sheet, and what it may name."""
    scenario = position(hands={"south": ["ambush", "flankers", "earthworks"]})
    attacked = resolve(scenario, scenario.start, north="ATTACK 1st marsh").state
    known = state_known_to(attacked, Audience(SOUTHERN))
    names = toy.RULESET.names(scenario.game_data, known)
    lines = parse(text, toy.RULESET.orders_for(known, SOUTHERN), names).orders
    submission = Submission(scenario.game_data, known, SOUTHERN, lines)
    draft = Draft(toy.RULESET.phase(toy.RULESET.now(known)), submission)
    return {form.key: form for form in toy.RULESET.forms_of(draft)}, submission, names


def test_standing_orders_are_filled_in_force_by_force() -> None:
    text = "STAND\nWHEN ATTACKED stand"
    forms, submission, names = sheet(text)
    rows = filled(forms["standing"], submission.lines)
    assert [each.row.label for each in rows][-1] == "All others"
    assert [each.value(each.row.blanks[0]) for each in rows][-1] == "stand"
    first = rows[0]
    change = Change(first, order_of(first, {"reaction": "evade"}))
    assert with_changes(text, [change], names) == f"{text}\nWHEN ATTACKED evade with {first.row.label}"


def test_a_standing_order_about_a_force_that_is_gone_is_no_longer_one() -> None:
    start, south = position().start, SideId(SOUTHERN)
    gone, *_ = sorted(start.own[south].forces)
    orders = (WhenAttacked(Reaction.EVADE, gone), WhenAttacked(Reaction.STAND))
    present = with_part(start, south, standing=orders)
    others = {id_: force for id_, force in start.own[south].forces.items() if id_ != gone}
    assert tuple(STANDING.of(present, south)) == orders
    assert tuple(STANDING.of(with_part(present, south, forces=others), south)) == orders[1:]


def test_an_answer_offers_the_cards_in_hand_that_may_be_played() -> None:
    forms, submission, names = sheet("")
    (row,) = filled(forms["stand"], submission.lines)
    (blank,) = row.row.blanks
    assert [choice.words for choice in blank.choices] == ["without a card", "with ambush", "with earthworks"]
    for choice in blank.choices:
        text = with_changes("", [Change(row, order_of(row, {"card": choice.key}))], names)
        orders = parse(text, toy.RULESET.orders_for(submission.known, SOUTHERN), names).orders
        answer = toy.RULESET.check(submission.game_data, submission.known, SOUTHERN, orders)
        assert orders
        assert not [each for each in answer.problems if each.severity is Severity.ERROR]
