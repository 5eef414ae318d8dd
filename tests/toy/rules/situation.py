"""Where everybody is: made from what a side knows, or from the truth. The rules work on both."""

from collections.abc import Mapping
from dataclasses import dataclass

from campaign.engine.values.ids import PlaceId, SideId, UnitId
from tests.toy.model.game_data import Card, GameData, enemy_of
from tests.toy.model.orders import WhenAttacked
from tests.toy.model.state import Force, State, occupied


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
