"""R3, R5 The meaning of a line: the same rules check a sheet and execute it.

A `Situation` is made from what a side knows, or from the truth; the rules work on both.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from campaign.engine.orders.checking import Refused, check_lines
from campaign.engine.orders.lexicon import Lexicon, Names, lexicon
from campaign.engine.orders.order import Checked, Order, Submission
from campaign.engine.values.ids import PlaceId, SideId, UnitId
from tests.toy.model.facts import Halt
from tests.toy.model.game_data import Card, GameData, Use, enemy_of
from tests.toy.model.orders import Attack, FallBack, Move, Pass, Stand, WhenAttacked
from tests.toy.model.state import Force, State, occupied

MOST_AREAS = 2
"""R3.1 A move's length."""


@dataclass(frozen=True)
class Situation:
    """The places of all forces, as far as somebody knows."""

    game_data: GameData
    forces: Mapping[UnitId, Force]
    hand: tuple[Card, ...]
    enemies: frozenset[PlaceId]
    attacked: PlaceId | None
    """The place of the own force that is under attack."""
    standing: tuple[WhenAttacked, ...]

    @property
    def own(self) -> frozenset[PlaceId]:
        return frozenset(force.at for force in self.forces.values())


def as_known(game_data: GameData, known: State, side: SideId) -> Situation:
    own = known.own[side]
    return _situation(game_data, known, side, frozenset(seen.at for seen in own.seen))


def as_true(game_data: GameData, state: State, side: SideId) -> Situation:
    return _situation(game_data, state, side, occupied(state.own[enemy_of(side)]))


def _situation(game_data: GameData, state: State, side: SideId, enemies: frozenset[PlaceId]) -> Situation:
    own, attack = state.own[side], state.open.attack
    attacked = attack.at if attack is not None and attack.attacker != side else None
    return Situation(game_data, own.forces, own.hand, enemies, attacked, own.standing)


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


@dataclass(frozen=True)
class Walk:
    """R3 How far a way leads."""

    entered: tuple[PlaceId, ...]
    halt: Halt | None = None
    before: PlaceId | None = None


def walk(situation: Situation, start: PlaceId, path: Sequence[PlaceId]) -> Walk:
    """R3.1 Along links, two areas at most, through empty areas."""
    at = start
    entered: list[PlaceId] = []
    for place in path:
        halt = _halt(situation, at, place, len(entered))
        if halt is not None:
            return Walk(tuple(entered), halt, place)
        entered.append(place)
        at = place
    return Walk(tuple(entered))


def _halt(situation: Situation, at: PlaceId, place: PlaceId, done: int) -> Halt | None:
    if not situation.game_data.board.adjoin(at, place):
        return Halt.GAP
    if done == MOST_AREAS:
        return Halt.TOO_FAR
    if place in situation.own:
        return Halt.OWN
    return Halt.ENEMY if place in situation.enemies else None


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


def ways_out(situation: Situation, at: PlaceId) -> tuple[PlaceId, ...]:
    """R5.2 The empty linked areas."""
    held = situation.own | situation.enemies
    return tuple(place for place in situation.game_data.board.neighbours(at) if place not in held)


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
