"""R12.10 The nearest friend absorbs what is left of a unit that was wiped out."""

from campaign.engine.board.paths import Costs, reach
from campaign.engine.facts import Ledger
from campaign.engine.values.ids import PlaceId, SideId
from campaign.rulesets.forum_campaign.model.facts.battle import Absorbed
from campaign.rulesets.forum_campaign.model.game_data import GameData
from campaign.rulesets.forum_campaign.model.situation import Situation, as_true
from campaign.rulesets.forum_campaign.model.state import FULL, State, Unit, on_map

_FURTHEST = 99
"""The longest way to the remains; bounds the search."""


def absorb(ledger: Ledger[GameData, State], side: SideId, lost: Unit) -> None:
    """R12.10, G7 The friend with the cheapest way takes in the remains, and pays for it in its next portion.

    Of several equally near, the first by label. Nothing happens if nobody is in reach or nothing is left.
    """
    found = _nearest(ledger, side, lost) if lost.strength > 0 else None
    if found is not None:
        unit, cost = found
        gained = min(lost.strength, max(0, _most(unit) - unit.whole))
        ledger.emit(Absorbed(side, unit.id, lost.id, gained, cost), rule="R12.10")


def _most(unit: Unit) -> int:
    """R12 G7 The most headcount that a unit can have, in percent; what it has lent counts as its own (R8)."""
    return unit.raised or FULL


def _nearest(ledger: Ledger[GameData, State], side: SideId, lost: Unit) -> tuple[Unit, int] | None:
    """The friend with the cheapest way, and its cost."""
    assert lost.at is not None
    near = nearest(ledger.game_data, ledger.state, side, lost.at)
    return (near[0][1], near[0][0]) if near else None


def nearest(game_data: GameData, state: State, side: SideId, at: PlaceId) -> list[tuple[int, Unit]]:
    """R12.10 The friends who could come to remains, each with its cost, the cheapest first, then by label.

    Units that never move do not come (R11.8).
    """
    situation = as_true(game_data, state, side).by_ground_alone()
    costs = reach(_costs_backwards(situation), at, budget=_FURTHEST).costs
    near = [
        (costs[place], unit.label, unit.id, unit)
        for unit, place in on_map(state.own[side])
        if place in costs and not unit.scattered
    ]
    return [(cost, unit) for cost, _, _, unit in sorted(near, key=lambda each: each[:3])]


def _costs_backwards(situation: Situation) -> Costs:
    """R12 G7 By the ground alone: what zones and commandos add could reveal units that the owner does not see.

    The search runs from the remains to the friend, so a step costs what it costs the other way.
    """
    board, cost, enemy = situation.game_data.open_board, situation.terms.costs.cost, situation.enemy
    return Costs(board, lambda at: [(near, cost(near, at)) for near in board.neighbours(at)], closed=enemy)
