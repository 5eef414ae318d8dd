"""What sides and the game master write."""

import re
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from campaign.engine.orders.order import Path
from campaign.engine.state import known_state, state_known_to
from campaign.engine.values.ids import GM, PUBLIC, PhaseKey, PlaceId, SideId, UnitId
from campaign.game.loading import Loaded
from campaign.game.simulation import simulation_of
from campaign.rulesets.forum_campaign.model.situation import as_known
from campaign.rulesets.forum_campaign.model.state import Battle, State, Unit
from campaign.rulesets.forum_campaign.movement.reach import reachable
from tests.secrecy.games.forum_campaign.units import around, hidden
from tests.secrecy.games.game import Position

TEXTS = (
    "ALL OTHERS HOLD\nREADY",
    "MOVE nobody nowhere\nNONSENSE\n# ",
    "NOTE we come at night",
    "",
    "HOLD 1 SS\nHOLD 1 SS\nATTACK 106 HQ contact\n" * 20,
    "AIR superiority 1\nREADY",
)


def correction(unit: Unit, chance: Random) -> str:
    """What the game master sets of a unit: its strength, its tanks and guns, a line of its ledger."""
    lines = (
        f"STRENGTH {unit.id} {chance.randint(52, 98)}",
        f"SET TANKS {unit.id} medium {chance.randint(4, 9)} heavy {chance.randint(2, 5)}",
        f"SET GOODS {unit.id} at {chance.randint(1, 9)}",
        f"EXTRA {unit.id} gets {chance.randint(2, 99)} Kübelwagen",
        f"LEDGER {unit.id} says geheim {chance.randint(2, 99)}",
    )
    return chance.choice(lines) if unit.ground else ""


ASKED: Mapping[PhaseKey, Sequence[str]] = {
    PhaseKey("german_sheet"): (
        "MOVE {unit} to {hex}",
        "ATTACK {unit} {hex}",
        "THEN {unit} to {hex}",
        "OUTSIDE {unit}",
    ),
    PhaseKey("allied_sheet"): (
        "MOVE {unit} to {hex}",
        "ATTACK {unit} {hex}",
        "THEN {unit} to {hex}",
        "DEMOLISH {hex}",
    ),
    PhaseKey("air"): (
        "PARADROP {unit} {hex}",
        "INTERDICT {hex} 1",
        "BUY {unit} tanks",
        "AIRDROP {unit}",
        "ARTILLERY {unit}",
    ),
}


def sheet(loaded: Loaded, state: Any, who: str, style: str) -> str:
    """A bot's; for the GM, lines that leave battles to the rules, or make defenders retreat where they choose how."""
    if who == GM and state.open.options.separate_retreats:
        return "\n".join([*(_result(battle, "attackers", lambda: 5) for battle in state.open.battles), "READY"])
    if who == GM:
        return "".join(f"DECIDE {battle.at}\n" for battle in state.open.battles) + "READY\n"
    bot = simulation_of(loaded).bots[style]
    return bot(loaded.scenario.game_data, state_known_to(state, who), who)  # type: ignore[arg-type]


def ways(loaded: Loaded, state: State, side: SideId, chance: Random) -> list[tuple[Unit, Path]]:
    """One each for some units, longer ones more likely."""
    game_data = loaded.scenario.game_data
    known = known_state(state, (side,))
    if known.open.weather is None:
        return []
    situation = as_known(game_data, known, side)
    units = [unit for unit in known.own[side].units.values() if unit.at is not None]
    found = []
    for unit in sorted(chance.sample(units, k=min(6, len(units))), key=lambda unit: unit.id):
        paths = sorted((way for _, way in reachable(situation, unit).ways() if way), key=lambda way: (len(way), way))
        if paths:
            found.append((unit, chance.choice(paths[len(paths) // 2 :])))
    return found


def unseen_moves(position: Position, side: SideId, chance: Random) -> dict[str, str]:
    game_data, known = position.data, known_state(position.state, (side,))
    if known.open.weather is None:
        return {}
    seen = {place for place, away in around(position, side).items() if away <= game_data.charts.sight.type}
    if position.observer == PUBLIC:
        seen = set()
    told = {*known.open.depots, *known.open.control}  # R9.2, R15.5 everybody learns who comes there
    situation = as_known(game_data, known, side)
    found = {}
    for unit in hidden(position, side):
        paths = [
            way
            for _, way in reachable(situation, unit).ways()
            if way and told.isdisjoint(way) and seen.isdisjoint(map(game_data.grid.coordinates.get, way))
        ]
        if paths:
            found[unit.label] = f"MOVE {unit.label} {'-'.join(chance.choice(sorted(paths)))}"
    return found


def lines(planned: Sequence[tuple[Unit, Path]], places: Sequence[PlaceId], chance: Random) -> str:
    chosen = [f"MOVE {unit.id} {'-'.join(way)}" for unit, way in planned if chance.random() < 0.8]
    units = [unit.id for unit, _ in planned] or [UnitId("nobody")]
    spots: list[PlaceId] = chance.choices(places, k=8)
    more = [
        f"ATTACK {chance.choice(units)} {spots[0]}",
        f"ATTACK {chance.choice(units)} contact",
        f"THEN {chance.choice(units)} to {spots[1]}",
        f"MOVE {chance.choice(units)} to {spots[2]}",
        f"DETACH {chance.choice(units)}",
        f"DEMOLISH {spots[3]}",
        f"INTERDICT {spots[4]} 1",
        f"PARADROP Heydte {spots[5]}",
        f"RETREAT {chance.choice(units)} to {spots[6]}",
        f"AIRDROP {chance.choice(units)}",
        f"BUY {chance.choice(units)} tanks",
        "AIR superiority 1",
        "ALL OTHERS HOLD",
        "NOTE a word",
        f"FOLLOW {chance.choice(units)} {chance.choice(units)}",
        "no order at all",
    ]
    return "\n".join([*chosen, *chance.sample(more, k=6)])


def report(position: Position, at: str, chance: Random) -> str:
    """With a winner and all losses. Defenders report that they lost, and where their units retreat to."""
    (battle,) = (battle for battle in position.state.open.battles if battle.at == at)
    defends = position.observer not in (PUBLIC, battle.attacker)
    lost = _result(battle, "attackers" if defends else "defenders", lambda: chance.choice([10, 20]))
    if not defends or position.state.open.options.separate_retreats:
        return lost
    hexes = position.data.open_neighbours(battle.at)
    return "\n".join([lost, *(f"RETREAT {each.unit} to {chance.choice(hexes)}" for each in battle.defenders)])


def chosen_anew(position: Position, at: str, text: str, chance: Random) -> str:
    """With other hexes to retreat to."""
    hexes = position.data.open_neighbours(PlaceId(at))
    return re.sub(
        r"^(RETREAT .* to )(\S+)",
        lambda line: line[1] + chance.choice([each for each in hexes if each != line[2]]),
        text,
        flags=re.MULTILINE | re.IGNORECASE,
    )


def _result(battle: Battle, winner: str, loss: Callable[[], int]) -> str:
    fighters = [*battle.attackers, *battle.defenders]
    losses = [f"LOSSES {each.unit} {loss()}" for each in fighters]
    return "\n".join([f"RESULT {battle.at} {winner}", *losses])
