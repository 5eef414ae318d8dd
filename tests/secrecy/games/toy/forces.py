"""Forces that an audience does not know of, where they may be without its knowing, and what else a side hides."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random

from campaign.engine.orders.order import Path
from campaign.engine.values.ids import PUBLIC, PlaceId, SideId, UnitId
from campaign.engine.values.value import replace
from tests.secrecy.games.game import ANYWHERE, EDGE, MARGIN, PATH, Places, Position
from tests.toy.model.orders import Reaction
from tests.toy.model.state import FULL_STRENGTH, Force, Own, Seen, deck_of

_NOWHERE = PlaceId("")
_DRAWN_NEXT = 4
"""The cards on top of the deck, which both sides draw at the next dawn."""


def hidden(position: Position, side: SideId) -> list[Force]:
    own, attack = position.state.own[side], position.state.open.attack
    named = {seen.force for seen in _seen(position)} | {order.force for order in own.standing}
    if attack is not None:
        named |= {attack.force, attack.defender}
    return [force for force in own.forces.values() if force.id not in named]


def _seen(position: Position) -> tuple[Seen, ...]:
    if position.observer == PUBLIC:
        return ()
    seen: tuple[Seen, ...] = position.state.own[SideId(position.observer)].seen
    return seen


# --- where they may be -----------------------------------------------------------------------------------------------


def has_room(position: Position, _side: SideId, _force: Force, place: PlaceId) -> bool:
    return not any(force.at == place for own in position.state.own.values() for force in own.forces.values())


def steps_from(position: Position, side: SideId) -> dict[PlaceId, int]:
    """How many links each area is from the nearest of the other side's forces."""
    (other,) = position.game.others(side)
    board = position.data.board
    steps = {force.at: 0 for force in position.state.own[other].forces.values()}
    waiting = list(steps)
    for place in waiting:
        for near in board.neighbours(place):
            if near not in steps:
                steps[near] = steps[place] + 1
                waiting.append(near)
    return steps


def _edge(position: Position, side: SideId, _plans: Sequence[Path]) -> Iterator[PlaceId]:
    """Areas one link beyond the other side's sight."""
    return (place for place, away in steps_from(position, side).items() if away == _SIGHT + 1)


_SIGHT = 1
"""R6.1"""


def _by_the_path(position: Position, _side: SideId, plans: Sequence[Path]) -> Iterator[PlaceId]:
    """Areas on a path that the other side plans, and those linked to it."""
    ways = {place for way in plans for place in way}
    yield from ways
    yield from (near for place in ways for near in position.data.board.neighbours(place))


def _anywhere(position: Position, _side: SideId, _plans: Sequence[Path]) -> Iterable[PlaceId]:
    places: tuple[PlaceId, ...] = position.data.board.places
    return places


def _margin(position: Position, _side: SideId, _plans: Sequence[Path]) -> Iterator[PlaceId]:
    areas = position.data.areas
    outer = [(min(line), max(line)) for line in zip(*(area.at for area in areas.values()), strict=True)]
    return (place for place, area in areas.items() if any(at in ends for at, ends in zip(area.at, outer, strict=True)))


PLACES: Mapping[str, Places] = {EDGE: _edge, PATH: _by_the_path, MARGIN: _margin, ANYWHERE: _anywhere}


# --- how they may differ ---------------------------------------------------------------------------------------------


def another(position: Position, side: SideId, chance: Random) -> Force:
    number = chance.randint(10, 99)
    like: Force = chance.choice(list(position.units(side).values()))
    name, strength = f"{like.name} {number}", chance.randint(1, FULL_STRENGTH)
    return replace(like, id=UnitId(f"{like.id[0]}{number}"), name=name, at=_NOWHERE, strength=strength, spent=False)


def described(force: Force, chance: Random) -> Force:
    name, strength = f"Secret Company {chance.randint(2, 99)}", chance.randint(1, FULL_STRENGTH)
    return replace(force, name=name, strength=strength, brigade="Nameless Brigade")


def hand(position: Position, side: SideId, chance: Random) -> None:
    """Cards, what standing orders say, and now and then the strength of a force in a fight.

    Cards come from the end of the deck: who draws which of the next ones is told to their sides. That standing orders
    answer is public, so there are as many (R5.6).
    """
    own: Own = position.state.own[side]
    cards, deck = list(own.hand), list(deck_of(position.state))
    for number in range(len(cards)):
        if len(deck) > _DRAWN_NEXT:
            other = chance.randrange(_DRAWN_NEXT, len(deck))
            cards[number], deck[other] = deck[other], cards[number]
    standing = tuple(replace(order, reaction=_OTHER[order.reaction]) for order in own.standing)
    position.change(side, hand=tuple(cards), standing=standing)
    state = position.state
    if state.hidden is not None:
        position.state = replace(state, hidden=replace(state.hidden, deck=tuple(deck)))
    if state.open.attack is not None and chance.random() < _SOMETIMES:
        _wear_down(position, side, chance)


_OTHER = {Reaction.STAND: Reaction.EVADE, Reaction.EVADE: Reaction.STAND}
_SOMETIMES = 0.5


def _wear_down(position: Position, side: SideId, chance: Random) -> None:
    """R5.3 Everybody knows who fights, and nobody else how strong they are."""
    attack = position.state.open.attack
    for unit in (attack.force, attack.defender):
        if force := position.units(side).get(unit):
            position.put(side, replace(force, strength=chance.randint(1, FULL_STRENGTH)))
