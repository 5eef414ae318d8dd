"""R13 Digging in: prepared positions and what they are worth in the tactical game."""

from collections.abc import Mapping

from campaign.engine.facts import Ledger
from campaign.engine.values.ids import PlaceId, SideId
from campaign.rulesets.forum_campaign.model.facts.day import Dug, PositionGone
from campaign.rulesets.forum_campaign.model.game_data import GERMAN, SIDES, GameData, enemy_of
from campaign.rulesets.forum_campaign.model.state import Battle, State, Unit, on_map
from campaign.rulesets.forum_campaign.model.zoc import occupied_hexes

LEVELS: Mapping[int, str] = {1: "Dug-in", 2: "Entrenched"}
"""R13 Prepared positions by their level."""
DEEPEST = max(LEVELS)
WORKS: Mapping[int, str] = {
    1: "20 foxholes, 4 barbed wire, 1 more forward observer, 1 target reference point",
    2: "20 foxholes, 4 trenches, 6 barbed wire, 4 mixed mines, 2 more forward observers, 2 target reference points",
}
"""R13.2, R13.3 What a position gives the defenders in the tactical game."""
FORTS = "10 trenches, 10 barbed wire, 5 hedgehogs, 3 bunkers, 15 mixed mines"
"""R13.4 What a fortified hex gives the Germans, besides their positions."""


def dig(ledger: Ledger[GameData, State]) -> None:
    """R13.1 In the morning a position gets a level deeper if a unit in the hex did not move in its last portion."""
    if ledger.state.open.turn == 1:
        return
    for side in SIDES:
        own = ledger.state.own[side]
        for place in sorted({at for unit, at in on_map(own) if _has_dug(unit)}):
            level = own.positions.get(place, 0) + 1
            if level <= DEEPEST:
                ledger.emit(Dug(side, place, level), rule="R13.1")


def _has_dug(unit: Unit) -> bool:
    """R13 G Whether a unit did not move, retreat or advance since; a scattered one never digs (R11.8).

    A unit that only came onto the map has not moved, but has spent points for its entry.
    """
    return not (unit.moved or unit.spent or unit.dislodged or unit.scattered)


def give_up_positions(ledger: Ledger[GameData, State], side: SideId) -> None:
    """R13.5, R13.7 At the end of a side's portion remove its empty positions, and enemy positions that it has taken.

    A unit that moved in after another left keeps the position (R13.6).
    """
    ours, theirs = ledger.state.own[side], ledger.state.own[enemy_of(side)]
    held = occupied_hexes(ours)
    for place in sorted(ours.positions.keys() - held):
        ledger.emit(PositionGone(side, place), rule="R13.5")
    for place in sorted(theirs.positions.keys() & held):
        ledger.emit(PositionGone(enemy_of(side), place), rule="R13.7")


def lose_position(ledger: Ledger[GameData, State], side: SideId, at: PlaceId) -> None:
    """R13.7 A hex is lost: its defenders' position is gone, and of no use to the victor."""
    own = ledger.state.own[side]
    if at in own.positions and at not in occupied_hexes(own):
        ledger.emit(PositionGone(side, at), rule="R13.7")


def works(game_data: GameData, battle: Battle) -> tuple[tuple[str, str], ...]:
    """R13.2-R13.4 The fortifications in a battle's hex: each kind, and what it gives the defenders."""
    dug = ((LEVELS[battle.position], WORKS[battle.position]),) if battle.position else ()
    fortified = game_data.hexes[battle.at].fortified and enemy_of(battle.attacker) == GERMAN
    return (*dug, *((("Fortified", FORTS),) if fortified else ()))
