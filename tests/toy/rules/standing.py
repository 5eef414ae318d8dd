"""R5.6 Orders that answer attacks, until their side changes them."""

from collections.abc import Sequence

from campaign.engine.orders.checking import Refused, check_lines
from campaign.engine.orders.order import Checked, Submission
from campaign.engine.phases import Standing
from campaign.engine.values.ids import SideId
from tests.toy.model.facts import StandingOrdersGiven
from tests.toy.model.game_data import GameData
from tests.toy.model.orders import WhenAttacked
from tests.toy.model.state import Attack, Open, State


def answers(open_: Open, orders: Sequence[WhenAttacked]) -> bool:
    """Whether these orders answer the attack that everybody knows of."""
    return open_.attack is not None and answer_to(open_.attack, orders) is not None


def answer_to(attack: Attack, orders: Sequence[WhenAttacked]) -> WhenAttacked | None:
    """The order about the attacked force, else the one about all; None if the side must answer itself."""
    named = {order.force: order for order in orders}
    return named.get(attack.defender) or named.get(None)


def meaning(order: WhenAttacked) -> str:
    """An order in words, even if its force is gone."""
    return f"{order.force or 'every force'} will {order.reaction.value} when attacked"


def _standing(state: State, side: SideId) -> Sequence[WhenAttacked]:
    """A side's standing orders but for those about forces that are gone."""
    own = state.own[side]
    return tuple(order for order in own.standing if order.force is None or order.force in own.forces)


def _check(sheet: Submission[GameData, State]) -> Checked:
    def check_line(order: WhenAttacked) -> str:
        if order.force not in (None, *sheet.known.own[sheet.side].forces):
            raise Refused("gone", "the force is gone", "R5.4")
        return f"From now on {meaning(order)}"

    return check_lines(sheet.lines, {WhenAttacked: check_line})


STANDING: Standing[GameData, State] = Standing(
    orders=(WhenAttacked,),
    of=_standing,
    given=StandingOrdersGiven,
    check=_check,
)
