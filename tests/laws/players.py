"""Random players: they know a side's known state, as players do, and write orders of every sort, sensible or not."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from random import Random
from typing import Any

from campaign.engine.orders.order import AllOthersHold, Hold, Note, Order, Ready, Text
from campaign.engine.values.ids import GM, Audience, PlaceId, SideId, UnitId
from campaign.rulesets import ruleset
from campaign.rulesets.area_activation.model import orders as area_orders
from campaign.rulesets.area_activation.model.game_data import GameData as AreaGameData
from campaign.rulesets.area_activation.model.state import State as AreaState
from campaign.rulesets.forum_campaign.battle.retreat_hexes import retreat_hexes
from campaign.rulesets.forum_campaign.model.game_data import ALLIED, Box, GameData
from campaign.rulesets.forum_campaign.model.orders import (
    Air,
    Airdrop,
    Attack,
    Cas,
    Interdict,
    Losses,
    Move,
    Paradrop,
    Pursue,
    Remove,
    Result,
    Retreat,
    Tanks,
    Withdrawal,
)
from campaign.rulesets.forum_campaign.model.situation import Situation, as_known
from campaign.rulesets.forum_campaign.model.state import Battle, State, Unit, Winner
from campaign.rulesets.forum_campaign.movement.reinforcement import entry_hexes
from campaign.rulesets.forum_campaign.sheets.names import names
from tests.toy.model import orders as toy_orders
from tests.toy.model.game_data import Card
from tests.toy.model.game_data import GameData as ToyTheatre
from tests.toy.model.orders import FallBack, Pass, Stand
from tests.toy.model.state import State as ToyState
from tests.toy.rules.situation import as_known as as_toy_known

Player = Callable[[Any, Any, Audience, Random], list[Order]]
"""(game data, known state, who, chance): a sheet's orders."""


def forum_campaign(game_data: GameData, known: State, who: Audience, chance: Random) -> list[Order]:
    """Some orders out of the list of choices, of every kind, among others that are sensible or not."""
    units = sorted(names(game_data, known).units.usual)
    some = chance.sample(units, k=min(6, len(units)))
    orders = list(_chosen("forum_campaign", game_data, known, who, some, chance))
    if who == GM:
        orders += _results(game_data, known, chance)
    elif known.open.phase == "air":
        orders += _air_sheet(game_data, known, SideId(who), chance)
    elif known.open.phase.endswith("_sheet"):
        orders += _sheet(game_data, known, SideId(who), chance)
    chance.shuffle(orders)
    return orders


def _chosen(
    key: str, game_data: Any, known: Any, who: Audience, units: Iterable[UnitId], chance: Random
) -> Iterator[Order]:
    """One order of each kind that names no unit, and of each kind that each of these units may be given."""
    for unit in (None, *units):
        by_kind: dict[type[Order], list[Order]] = {}
        for order in ruleset(key).choices(game_data, known, who, unit):
            by_kind.setdefault(type(order), []).append(order)
        yield from (chance.choice(orders) for orders in by_kind.values())


def area_activation(game_data: AreaGameData, known: AreaState, who: Audience, chance: Random) -> list[Order]:
    """Orders out of the list of choices for all own units, and more activations and moves, sensible or not."""
    own = known.own[SideId(who)]
    orders = list(_chosen("area_activation", game_data, known, who, (*own.units, *own.due, *own.reserve), chance))
    orders += [area_orders.AskMe(decision) for decision in area_orders.Decision if chance.random() < 0.5]
    for place in sorted({unit.at for unit in own.units.values()}):
        when = chance.choice([None, *game_data.spaces])
        holds = chance.choice(list(area_orders.Holding)) if when else None
        orders.append(area_orders.Activate(place, chance.choice([None, *area_orders.TIMES[:4]]), when, holds))
    for unit in own.units.values():
        first = chance.choice(game_data.board.neighbours(unit.at))
        path = (first, *chance.sample(game_data.board.neighbours(first), k=chance.randint(0, 1)))
        orders += [area_orders.Move(unit.id, path), area_orders.Move(unit.id, path, strategic=True)]
        orders.append(area_orders.BreakThrough(unit.id, first))
    allowed = ruleset("area_activation").phase(known.open.phase).orders
    orders = [order for order in orders if isinstance(order, allowed)]
    chance.shuffle(orders)
    return orders


def toy_player(game_data: ToyTheatre, known: ToyState, who: Audience, chance: Random) -> list[Order]:
    """Two or three lines of any sort, so that often the first one is refused."""
    situation = as_toy_known(game_data, known, SideId(who))
    if situation.attacked is not None:
        ways = game_data.board.neighbours(situation.attacked)
        lines = [Stand(_card(chance)), FallBack(chance.choice(ways)), Stand()]
        return chance.sample(lines, k=2)
    turn: list[Order] = [Pass()]
    for force in situation.forces.values():
        links = game_data.board.neighbours(force.at)
        way = (chance.choice(links), chance.choice(game_data.board.places))
        turn += [toy_orders.Move(force.id, way[: chance.randint(1, 2)])] * 2
        turn += [toy_orders.Attack(force.id, at, _card(chance)) for at in sorted(situation.enemies.intersection(links))]
    return [*chance.sample(turn, k=min(3, len(turn))), Ready()]


PLAYERS: Mapping[str, Player] = {
    "forum_campaign": forum_campaign,
    "area_activation": area_activation,
    "toy": toy_player,
}


def _card(chance: Random) -> Card | None:
    return chance.choice(list(Card)) if chance.random() < 0.6 else None


def _sheet(game_data: GameData, known: State, side: SideId, chance: Random) -> Iterator[Order]:
    situation = as_known(game_data, known, side)
    for unit in situation.units.values():
        throw = chance.random()
        if throw < 0.55 and (path := _path(situation, unit, chance)):
            yield Move(unit.id, path=path)
        elif throw < 0.6:
            yield Move(unit.id, to=chance.choice(game_data.board.places))
        elif throw < 0.65:
            yield Hold(unit.id)
        if chance.random() < 0.35:
            yield _attack(game_data, unit, chance)
            yield Cas(unit.id, chance.randint(0, 2))
        if side == ALLIED and not unit.supplied:
            yield Airdrop(unit.id)
    yield from (AllOthersHold(), Note(Text("a word to the GM, no. 7")), Ready())


def _air_sheet(game_data: GameData, known: State, side: SideId, chance: Random) -> Iterator[Order]:
    """Often a sound allocation, and missions of all sorts on it, also for units that have nothing to do with it."""
    own = known.own[side]
    yield Air(**{box.value: chance.randint(0, 2) for box in chance.sample(list(Box), k=2)})
    yield Air(superiority=chance.randint(0, known.open.air[side].available))
    for box in chance.sample(list(Box), k=2):
        yield Remove(box)
    seen = [sighting.at for sighting in own.sightings]
    for at in (*chance.sample(seen, k=min(3, len(seen))), chance.choice(game_data.board.places)):
        yield Interdict(at, chance.randint(0, 2))
    units = sorted(own.units.values(), key=lambda unit: (unit.supplied, unit.id))
    for unit in (*units[:3], chance.choice(units)):
        yield Airdrop(unit.id)
    for unit in [unit for unit in units if unit.at is None and unit.entry is None] or units[:1]:
        yield Paradrop(unit.id, chance.choice(sorted(game_data.charts.commandos.drop_zone) or game_data.board.places))
    yield from (Note(Text("fly well")), Ready())


def _path(situation: Situation, unit: Unit, chance: Random) -> tuple[PlaceId, ...]:
    """A random walk of up to seven hexes; now and then with a gap."""
    entries = entry_hexes(situation, unit)
    at = unit.at or (chance.choice(entries) if entries else None)
    if at is None:
        return ()
    path = [] if unit.at else [at]
    for _ in range(chance.randint(1, 7)):
        places = (
            situation.game_data.board.places if chance.random() < 0.02 else situation.game_data.board.neighbours(at)
        )
        at = chance.choice(places)
        path.append(at)
    return tuple(path)


def _attack(game_data: GameData, unit: Unit, chance: Random) -> Order:
    if unit.at is None or chance.random() < 0.5:
        return Attack(unit.id, contact=True, prefer=tuple(chance.sample(game_data.board.places, chance.randint(0, 2))))
    return Attack(unit.id, at=chance.choice(game_data.board.neighbours(unit.at)))


def _results(game_data: GameData, known: State, chance: Random) -> Iterator[Order]:
    for battle in known.open.battles:
        if chance.random() < 0.1:
            continue
        winner = chance.choice(list(Winner))
        advance = chance.choice([None, *(fighter.unit for fighter in battle.attackers)])
        yield Result(battle.at, winner, None if winner is Winner.DEFENDERS else advance)
        yield from _toll(battle, chance)
        yield from _moves(game_data, known, battle, chance)


def _toll(battle: Battle, chance: Random) -> Iterator[Order]:
    if chance.random() < 0.2:
        yield Withdrawal(battle.at, chance.randint(15, 40))
    for fighter in (*battle.attackers, *battle.defenders):
        if chance.random() < 0.8:
            yield Losses(fighter.unit, chance.randint(0, 90))
        if chance.random() < 0.3:
            yield Tanks(fighter.unit, medium=chance.randint(0, 3), heavy=chance.randint(0, 1))


def _moves(game_data: GameData, known: State, battle: Battle, chance: Random) -> Iterator[Order]:
    for fighter in battle.attackers:
        if chance.random() < 0.6:
            yield Pursue(fighter.unit, chance.choice([battle.at, *game_data.board.neighbours(battle.at)]))
    for fighter in battle.defenders:
        if legal := retreat_hexes(game_data, known, battle, fighter.unit):
            yield Retreat(fighter.unit, chance.choice(legal))
