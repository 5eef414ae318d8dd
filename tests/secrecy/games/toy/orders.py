"""What sides and the game master of the toy write."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from campaign.engine.orders.order import Path
from campaign.engine.state import known_state
from campaign.engine.values.ids import GM, PUBLIC, PhaseKey, PlaceId, SideId, audience_of
from campaign.game.loading import Loaded
from tests.secrecy.games.game import Position
from tests.secrecy.games.toy.forces import hidden, steps_from
from tests.toy.bots import BOTS
from tests.toy.model.game_data import SIDES, Card
from tests.toy.model.state import FULL_STRENGTH, Force, State
from tests.toy.rules.situation import as_known
from tests.toy.sequence import ANSWER, TURN

TEXTS = (
    "PASS\nREADY",
    "STAND\nREADY",
    "WHEN ATTACKED evade",
    "WHEN ATTACKED stand\nPASS",
    "NO STANDING ORDERS",
    "MOVE nobody nowhere\nNONSENSE\n# ",
    "NOTE we come at night",
    "",
)

ASKED: Mapping[PhaseKey, Sequence[str]] = {
    TURN: (
        "MOVE {unit} {hex}",
        "ATTACK {unit} {hex}",
        "ATTACK {unit} {hex} with barrage",
        "WHEN ATTACKED evade with {unit}",
    ),
    ANSWER: ("FALL BACK {hex}", "STAND with ambush", "STAND with earthworks"),
}


def sheet(loaded: Loaded, state: State, who: str, style: str) -> str:
    """A bot's."""
    side = SideId(who)
    known = known_state(state, (side,))
    return "READY\n" if who == GM else BOTS[style](loaded.scenario.game_data, known, audience_of(side))


def ways(loaded: Loaded, state: State, side: SideId, chance: Random) -> list[tuple[Force, Path]]:
    game_data = loaded.scenario.game_data
    situation = as_known(game_data, known_state(state, (side,)), side)
    held = situation.own | situation.enemies
    by_force = [(force, _paths(game_data.board, force.at, held)) for force in situation.forces.values()]
    return [(force, chance.choice(paths)) for force, paths in by_force if paths]


def _paths(board: Any, start: PlaceId, barred: frozenset[PlaceId]) -> list[Path]:
    """R3.1 All paths of one or two areas that are free of these."""
    one = [(place,) for place in board.neighbours(start) if place not in barred]
    two = [(*way, place) for way in one for place in board.neighbours(way[-1]) if place not in (start, *barred)]
    return [*one, *two]


def unseen_moves(position: Position, side: SideId, chance: Random) -> dict[str, str]:
    """Only in its own turn."""
    state = position.state
    if state.open.phase != TURN or state.open.turn != side:
        return {}
    seen = {place for place, away in steps_from(position, side).items() if away <= 1 and position.observer != PUBLIC}
    held = frozenset(force.at for own in state.own.values() for force in own.forces.values())
    found = {}
    for force in hidden(position, side):
        ways_ = [way for way in _paths(position.data.board, force.at, held) if seen.isdisjoint(way)]
        if ways_ and not force.spent:
            found[force.name] = f"MOVE {force.name} {'-'.join(chance.choice(ways_))}"
    return found


def lines(planned: Sequence[tuple[Force, Path]], places: Sequence[PlaceId], chance: Random) -> str:
    """The first line that counts is a planned path, or one that may reveal something."""
    forces = [str(force.id) for force, _ in planned] or ["nobody"]
    spots: list[PlaceId] = chance.choices(places, k=5)
    cards = [card.value for card in Card]
    chosen = [f"MOVE {force.id} {'-'.join(way)}" for force, way in planned]
    more = [
        f"ATTACK {chance.choice(forces)} {spots[0]}",
        f"ATTACK {chance.choice(forces)} {spots[1]} with {chance.choice(cards)}",
        f"MOVE {chance.choice(forces)} {spots[2]}-{spots[3]}",
        f"FALL BACK {spots[4]}",
        f"STAND with {chance.choice(cards)}",
        f"WHEN ATTACKED evade with {chance.choice(forces)}",
        "WHEN ATTACKED stand",
        "NO STANDING ORDERS",
        "PASS",
        "NOTE a word",
        "no order at all",
    ]
    return "\n".join(chance.sample([*chosen, *more], k=6))


def correction(force: Force, chance: Random) -> str:
    others = [strength for strength in range(1, FULL_STRENGTH + 1) if strength != force.strength]
    return f"STRENGTH {force.id} {chance.choice(others)}"


def ruling(chance: Random) -> str:
    """Everybody learns that a card was dealt."""
    return f"DEAL {chance.choice(list(Card)).value} to {chance.choice(SIDES)}"
