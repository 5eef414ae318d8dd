"""What each fact changes, in the truth and in players' states alike."""

from collections.abc import Callable, Mapping
from typing import Any

from campaign.engine.facts import Fact, Noted, Rolled, unchanged
from campaign.engine.state import in_every_own, with_hidden, with_open, with_own, with_part
from campaign.engine.values.ids import SideId, UnitId
from campaign.engine.values.value import changed, replace, without
from tests.toy.model import facts
from tests.toy.model.state import Own, State, deck_of


def evolve(state: State, fact: Fact) -> State:
    """The state after a fact; raises KeyError for an unknown kind of fact and for a force that does not exist."""
    return _EVOLVE[type(fact)](state, fact)


def _turned(state: State, fact: facts.Turned) -> State:
    attack = state.open.attack if fact.turn == state.open.turn else None
    return with_open(state, phase=fact.phase, date=fact.date, turn=fact.turn, attack=attack)


def _rested(state: State, _fact: facts.Rested) -> State:
    def rest(own: Own) -> Own:
        return replace(own, forces={id_: replace(force, spent=False) for id_, force in own.forces.items()})

    return in_every_own(state, rest)


def _drawn(state: State, fact: facts.Drawn) -> State:
    state = _with_hand_size(state, fact.side, by=1)
    card = fact.card
    if card is None:
        return state
    deck = list(deck_of(state))
    if card in deck:
        deck.remove(card)
    state = with_own(state, fact.side, lambda own: replace(own, hand=(*own.hand, card)))
    return with_hidden(state, deck=tuple(deck))


def _played(state: State, fact: facts.Played) -> State:
    state = with_open(_with_hand_size(state, fact.side, by=-1), played=(*state.open.played, fact.card))

    def discard(own: Own) -> Own:
        hand = list(own.hand)
        hand.remove(fact.card)
        return replace(own, hand=tuple(hand))

    return with_own(state, fact.side, discard)


def _with_hand_size(state: State, side: SideId, *, by: int) -> State:
    sizes = state.open.hand_sizes
    return with_open(state, hand_sizes={**sizes, side: sizes[side] + by})


def _moved(state: State, fact: facts.Moved) -> State:
    at = fact.path[-1] if fact.path else fact.start
    return _with_force(state, fact.side, fact.force, at=at, spent=True)


def _attacked(state: State, fact: facts.Attacked) -> State:
    attack = fact.attack
    return with_open(_with_force(state, attack.attacker, attack.force, spent=True), attack=attack)


def _answered(state: State, fact: facts.Answered) -> State:
    assert state.open.attack is not None
    return with_open(state, attack=replace(state.open.attack, answer=fact.answer, answer_card=fact.card))


def _weakened(state: State, fact: facts.Weakened) -> State:
    def weaken(own: Own) -> Own:
        force = own.forces[fact.force]
        return replace(own, forces=changed(own.forces, force.id, strength=force.strength - 1))

    return with_own(state, fact.side, weaken)


def _destroyed(state: State, fact: facts.Destroyed) -> State:
    return with_own(state, fact.side, lambda own: replace(own, forces=without(own.forces, fact.force)))


def _gone_to(state: State, fact: facts.FellBack | facts.Advanced) -> State:
    return _with_force(state, fact.side, fact.force, at=fact.to)


def _scouted(state: State, fact: facts.Scouted) -> State:
    for side, picture in fact.pictures.items():
        state = with_part(state, side, seen=picture)
    return state


def _with_force(state: State, side: SideId, unit: UnitId, **changes: Any) -> State:
    return with_own(state, side, lambda own: replace(own, forces=changed(own.forces, unit, **changes)))


_EVOLVE: Mapping[type[Fact], Callable[[State, Any], State]] = {
    Rolled: unchanged,
    Noted: unchanged,
    facts.Turned: _turned,
    facts.Shuffled: lambda state, fact: with_hidden(state, deck=fact.deck),
    facts.Rested: _rested,
    facts.Opened: lambda state, fact: with_open(state, turn=fact.side, passes=0),
    facts.Drawn: _drawn,
    facts.Played: _played,
    facts.Passed: lambda state, _fact: with_open(state, passes=state.open.passes + 1),
    facts.Acted: lambda state, _fact: with_open(state, passes=0),
    facts.Moved: _moved,
    facts.Attacked: _attacked,
    facts.AttackLapsed: lambda state, fact: _with_force(state, fact.side, fact.force, spent=True),
    facts.Answered: _answered,
    facts.StandingOrdersGiven: lambda state, fact: with_part(state, fact.side, standing=fact.orders),
    facts.Fought: unchanged,
    facts.Weakened: _weakened,
    facts.FellBack: _gone_to,
    facts.Advanced: _gone_to,
    facts.Destroyed: _destroyed,
    facts.Scouted: _scouted,
    facts.Taken: lambda state, fact: with_open(state, control={**state.open.control, fact.place: fact.side}),
    facts.Ended: lambda state, _fact: with_open(state, ended=True),
    facts.ForcePlaced: lambda state, fact: _with_force(state, fact.side, fact.force, at=fact.at),
    facts.StrengthSet: lambda state, fact: _with_force(state, fact.side, fact.force, strength=fact.strength),
}
