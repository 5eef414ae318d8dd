"""R12.10 What is left of a unit that was wiped out goes to the nearest friend."""

import dataclasses
from collections.abc import Iterator

from campaign.engine.facts import Ledger
from campaign.engine.ids import PlaceId, SideId
from campaign.engine.modifiers import total
from campaign.engine.paths import reach
from campaign.rulesets.forum_campaign.facts import Absorbed
from campaign.rulesets.forum_campaign.movement import entry_cost
from campaign.rulesets.forum_campaign.situation import Situation, as_true
from campaign.rulesets.forum_campaign.state import State, Unit, on_map
from campaign.rulesets.forum_campaign.theatre import Theatre

_FULL = 100
"""Percent of a full establishment."""
_FURTHEST = 99
"""Nobody comes from further away; bounds the search."""


def absorb(ledger: Ledger[Theatre, State], side: SideId, lost: Unit) -> None:
    """R12.10, G7 The nearest friend by the points of its way takes in the remains, and pays for it in its next portion.

    Of several equally near the first by label. With nobody in reach, or with nobody left to take in, nothing happens.
    """
    found = _nearest(ledger, side, lost) if lost.strength > 0 else None
    if found is not None:
        unit, cost = found
        gained = min(lost.strength, max(0, _establishment(unit) - unit.whole))
        ledger.emit(Absorbed(side, unit.id, lost.id, gained, cost), rule="R12.10")


def _establishment(unit: Unit) -> int:
    """R12 G7 The most headcount that it can have; what it has lent keeps its place (R8)."""
    return unit.raised or _FULL


def _nearest(ledger: Ledger[Theatre, State], side: SideId, lost: Unit) -> tuple[Unit, int] | None:
    """The friend to whom the way is cheapest, with its cost. Who never moves does not come for anybody (R11.8)."""
    assert lost.at is not None
    situation = _without_zones(as_true(ledger.theatre, ledger.state, side))
    costs = reach(lost.at, budget=_FURTHEST, steps=lambda place: _ways_to(situation, place))
    near = [
        (costs[place], unit.label, unit.id, unit)
        for unit, place in on_map(ledger.state.own[side])
        if place in costs and not unit.scattered
    ]
    if not near:
        return None
    cost, _, _, unit = min(near, key=lambda each: each[:3])
    return unit, cost


def _without_zones(situation: Situation) -> Situation:
    """R12 G7 Zones of control cost nothing here and bar no road."""
    return dataclasses.replace(situation, zone=frozenset(), costly_zone=frozenset(), ways={})


def _ways_to(situation: Situation, place: PlaceId) -> Iterator[tuple[PlaceId, int]]:
    """From where a hex can be entered, and for how much: the search runs from the remains to whoever comes for them."""
    for near in situation.theatre.open_neighbours(place):
        if near not in situation.enemy:
            yield near, total(entry_cost(situation, near, place))
