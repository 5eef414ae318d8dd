"""Units of the area game that an audience does not see, where they may be, and what else a side hides.

A side's own spaces are open, and who sees into which space follows from them. So units differ where their own side
controls a space alone and the observer does not see into it; the control of every space stays as it is.
"""

from collections.abc import Iterator, Mapping, Sequence
from random import Random

from campaign.engine.orders.order import Path
from campaign.engine.values.ids import PlaceId, SideId
from campaign.engine.values.value import replace, without
from campaign.rulesets.area_activation.model.game_data import Edge, GameData, enemy_of
from campaign.rulesets.area_activation.model.options import Fog
from campaign.rulesets.area_activation.model.orders import Halt, Lose, PlanLine, Retreat, Stand
from campaign.rulesets.area_activation.model.state import MOST_IN_A_SPACE, Due, Own, State, Unit
from tests.secrecy.games.game import ANYWHERE, EDGE, MARGIN, PATH, Places, Position

_NOWHERE = PlaceId("")


def hidden(position: Position, side: SideId) -> list[Unit]:
    """R45 None where nothing is hidden. What a side shows its enemy is the same for every observer."""
    return unseen(position.data, position.state, side)


def unseen(game_data: GameData, state: State, side: SideId) -> list[Unit]:
    """R45 A side's units that nobody else sees, and that are not in a combat."""
    open_ = state.open
    if open_.options.fog is Fog.OFF:
        return []
    fighters = () if open_.fight is None else (*open_.fight.attackers, *open_.fight.defenders)
    known = {each.id for each in (*open_.shown, *state.own[enemy_of(side)].seen)}
    known |= {fighter.unit for fighter in fighters}
    places = _unwatched(game_data, state, side)
    return [unit for unit in state.own[side].units.values() if unit.id not in known and unit.at in places]


def _unwatched(game_data: GameData, state: State, side: SideId) -> set[PlaceId]:
    """R45 The spaces into which the enemy of a side does not see: two borders from its units and its spaces."""
    near, control, enemy = game_data.board.adjoining, state.open.control, enemy_of(side)
    held = {unit.at for unit in state.own[enemy].units.values()}
    held |= {place for place, holder in control.items() if holder == enemy}
    return set(control) - held.union(*(near[place] for place in held))


# --- where they may be -----------------------------------------------------------------------------------------------


def has_room(position: Position, side: SideId, unit: Unit, place: PlaceId) -> bool:
    there = [each for each in position.units(side).values() if each.at == place and each.id != unit.id]
    return place in _unwatched(position.data, position.state, side) and len(there) < MOST_IN_A_SPACE


def _edge(position: Position, side: SideId, _plans: Sequence[Path]) -> Iterator[PlaceId]:
    """Spaces that adjoin one into which the enemy sees."""
    unwatched = _unwatched(position.data, position.state, side)
    return (place for place in unwatched if not position.data.board.adjoining[place] <= unwatched)


def _by_the_path(position: Position, _side: SideId, plans: Sequence[Path]) -> Iterator[PlaceId]:
    """Spaces on a path that the observer plans, and those that adjoin it."""
    for place in {place for way in plans for place in way}:
        yield place
        yield from position.data.board.neighbours(place)


def _margin(position: Position, _side: SideId, _plans: Sequence[Path]) -> Iterator[PlaceId]:
    return (space.id for space in position.data.spaces.values() if space.edge is not Edge.NONE)


def _anywhere(position: Position, _side: SideId, _plans: Sequence[Path]) -> Iterator[PlaceId]:
    return iter(position.data.spaces)


PLACES: Mapping[str, Places] = {EDGE: _edge, PATH: _by_the_path, MARGIN: _margin, ANYWHERE: _anywhere}


# --- how they may differ ---------------------------------------------------------------------------------------------


def another(position: Position, side: SideId, chance: Random) -> Unit:
    """R38 A unit that waits has come; if none waits, one that is hidden is meant, and goes elsewhere."""
    own: Own = position.state.own[side]
    due = sorted(own.due)
    if not due:
        return chance.choice(hidden(position, side) or list(own.units.values()))
    unit = chance.choice(due)
    position.change(side, due=without(own.due, unit))
    return Unit(unit, side, _NOWHERE, position.data.cards[unit].strength)


def described(unit: Unit, chance: Random) -> Unit:
    """With another strength, and with other signs."""
    others = [strength for strength in range(1, 7) if strength != unit.strength]
    signs = {sign: chance.random() < 0.3 for sign in ("acted", "unsupplied", "unfuelled")}
    return replace(unit, strength=chance.choice(others), **signs)


def hand(position: Position, side: SideId, chance: Random) -> None:
    """R46 The lines of a locked sheet and of answers, and what hidden units have done and lack."""
    own: Own = position.state.own[side]
    position.change(side, plan=_otherwise(own.plan, chance), reply=_otherwise(own.reply, chance))
    for unit in hidden(position, side):
        position.put(side, replace(unit, acted=not unit.acted, unfuelled=chance.random() < 0.5))


def _otherwise(lines: Sequence[PlanLine], chance: Random) -> tuple[PlanLine, ...]:
    """The same lines in another order, with other conditions, and some the reverse of what they were."""
    found: list[PlanLine] = []
    for line in chance.sample(lines, k=len(lines)):
        match line:
            case Retreat(at=at):
                found.append(Stand(at))
            case Stand(at=at):
                found.append(Retreat(at, hits=chance.randint(1, 5)))
            case Lose(unit=unit):
                found.append(Halt(unit))
            case _:
                found.append(line)
    return tuple(found)


def arrivals(position: Position, side: SideId, _chance: Random) -> None:
    """R38 Where units are hidden nobody else learns who has arrived: one that nobody sees waits after all."""
    for unit in hidden(position, side):
        day = position.data.cards[unit.id].due
        if day is not None:
            position.take(side, unit.id)
            waiting = {**position.state.own[side].due, unit.id: Due(day, delayed=True)}
            position.change(side, due=dict(sorted(waiting.items())))
            return
