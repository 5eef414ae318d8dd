"""R3 Moves, and R5.2 ways out of an attack: the same rules check a line and execute it."""

from collections.abc import Sequence
from dataclasses import dataclass

from campaign.engine.values.ids import PlaceId
from tests.toy.model.facts import Halt
from tests.toy.rules.situation import Situation

MOST_AREAS = 2
"""R3.1 A move's length."""


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


def ways_out(situation: Situation, at: PlaceId) -> tuple[PlaceId, ...]:
    """R5.2 The empty linked areas."""
    held = situation.own | situation.enemies
    return tuple(place for place in situation.game_data.board.neighbours(at) if place not in held)
