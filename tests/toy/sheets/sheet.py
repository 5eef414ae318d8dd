"""R3, R5 The meaning of a line, as far as its side knows, or what is wrong with it."""

from collections.abc import Callable, Mapping
from typing import Any

from campaign.engine.orders.checking import Refused, check_lines
from campaign.engine.orders.lexicon import Lexicon, Names, lexicon
from campaign.engine.orders.order import Checked, Order, Submission
from campaign.engine.values.ids import PlaceId, UnitId
from tests.toy.model.game_data import Card, GameData, Use
from tests.toy.model.orders import Attack, FallBack, Move, Pass, Stand
from tests.toy.model.state import Force, State
from tests.toy.rules.movement import walk, ways_out
from tests.toy.rules.situation import Situation, as_known


def names(game_data: GameData, known: State) -> Names:
    """A side's own forces, and every area."""
    forces = {id_: (force.name, id_) for own in known.own.values() for id_, force in own.forces.items()}
    return Names(
        lexicon("one of your forces" if len(known.own) == 1 else "a force of the game", forces), areas(game_data)
    )


def areas(game_data: GameData) -> Lexicon[PlaceId]:
    return lexicon("an area of this map", {id_: (id_, area.name) for id_, area in game_data.areas.items()})


# --- lines that count ------------------------------------------------------------------------------------------------


Sheet = Submission[GameData, State]


def chosen(sheet: Sheet, kinds: tuple[type[Order], ...]) -> Any:
    """The order that counts: the first correct one of these kinds, or None."""
    return _read(sheet, kinds)[0]


def check(sheet: Sheet, kinds: tuple[type[Order], ...]) -> Checked:
    """The answer to a sheet; a line that does not count has an error."""
    return _read(sheet, kinds)[1]


def _read(sheet: Sheet, kinds: tuple[type[Order], ...]) -> tuple[Any, Checked]:
    """R1.3 A side does one thing in its turn."""
    situation = as_known(sheet.game_data, sheet.known, sheet.side)
    counts: list[Order] = []

    def check_line(order: Order) -> str:
        if counts:
            message = "a line above already counts, and a side does one thing in its turn"
            raise Refused("twice", message, "R1.3")
        meaning = _MEANINGS[type(order)](situation, order)
        counts.append(order)
        return meaning

    checked = check_lines(sheet.lines, dict.fromkeys(_MEANINGS.keys() & set(kinds), check_line))
    return (counts[0] if counts else None), checked


# --- the meaning of a line, or its problem ----------------------------------------------------------------------------


def _move(situation: Situation, order: Move) -> str:
    force = _ready(situation, order.force)
    way = walk(situation, force.at, order.path)
    if way.halt is not None:
        raise Refused(way.halt.name.lower(), f"{way.before}: {way.halt.value}", "R3.1")
    return f"{force.name} goes to {order.path[-1]}"


def _attack(situation: Situation, order: Attack) -> str:
    force = _ready(situation, order.force)
    if not situation.game_data.board.adjoin(force.at, order.at):
        raise Refused("gap", f"{order.at} is not linked to the force's area", "R5.1")
    if order.at not in situation.enemies:
        raise Refused("nobody", f"you see no enemy in {order.at}", "R5.1")
    return f"{force.name} attacks {order.at}{_with_card(situation, order.card, Use.ATTACK)}"


def _stand(situation: Situation, order: Stand) -> str:
    return f"Your force stands{_with_card(situation, order.card, Use.DEFENCE)}"


def _fall_back(situation: Situation, order: FallBack) -> str:
    if situation.attacked is not None and order.to not in ways_out(situation, situation.attacked):
        raise Refused("no-way", f"the force cannot fall back to {order.to}", "R5.2")
    return f"Your force falls back to {order.to}"


def _ready(situation: Situation, unit: UnitId) -> Force:
    force = situation.forces.get(unit)
    if force is None:
        raise Refused("gone", "the force no longer exists", "R5.4")
    if force.spent:
        raise Refused("spent", f"{force.name} has already acted today", "R1.3")
    return force


def _with_card(situation: Situation, card: Card | None, use: Use) -> str:
    if card is None:
        return ""
    if card not in situation.hand:
        raise Refused("card", f"you do not hold the card {card.value}", "R4.3")
    line = situation.game_data.cards[card]
    if line.use is not use:
        raise Refused("card", f"{card.value} is a card for the {line.use.value}", "R4.3")
    return f" with the card {card.value}"


_MEANINGS: Mapping[type[Order], Callable[[Situation, Any], str]] = {
    Move: _move,
    Attack: _attack,
    Pass: lambda _situation, _order: "You pass",
    Stand: _stand,
    FallBack: _fall_back,
}
