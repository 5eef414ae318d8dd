"""R25 to R32: who fights, with what chances, and who takes the hits."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from campaign.engine.values.ids import PlaceId, SideId, UnitId
from campaign.engine.values.modifiers import Modifier, total
from campaign.rulesets.area_activation.model.game_data import ALLIED, GERMAN, GameData, Kind, Terrain, enemy_of
from campaign.rulesets.area_activation.model.state import Fight, Fighter, Open, Unit
from campaign.rulesets.area_activation.rules.movement import is_first_day, shelters_of
from campaign.rulesets.area_activation.rules.situation import Situation


def attackers_in(situation: Situation, place: PlaceId) -> tuple[Unit, ...]:
    """R25 The side's units that fight in a space: those that are active, and others that have not acted yet."""
    return tuple(unit for unit in situation.own_in(place) if unit.active or may_act(unit))


def may_act(unit: Unit) -> bool:
    """R10, R35 Whether a unit can still be activated today."""
    return not (unit.acted or unit.active or unit.stuck)


def places_to_fight(situation: Situation) -> tuple[PlaceId, ...]:
    """R25 Spaces with active and enemy units, in the order of the map."""
    ready = {unit.at for unit in situation.own.values() if unit.active} & situation.held_by_enemy
    return tuple(place for place in situation.game_data.spaces if place in ready)


def fight_in(situation: Situation, place: PlaceId) -> Fight:
    """R25 to R30 The combat of a side's units in a space, before its dice."""
    attackers, defenders = attackers_in(situation, place), situation.enemies_in(place)
    return fight_between(situation, place, attackers, defenders)


def fight_between(situation: Situation, place: PlaceId, attackers: Sequence[Unit], defenders: Sequence[Unit]) -> Fight:
    """The same for these units, wherever they stand now."""
    on_attack = tuple(_of_all_attackers(situation, place, defenders))
    on_defence = tuple(_of_all_defenders(situation, place, attackers))
    strength = sum(unit.strength for unit in defenders)
    return Fight(
        at=place,
        attacker=situation.side,
        attackers=tuple(_fighter(situation, unit, on_attack, attacks=True) for unit in attackers),
        defenders=tuple(_fighter(situation, unit, on_defence, attacks=False) for unit in defenders),
        shelter=min(strength, shelter_in(situation.game_data, situation.open, place, enemy_of(situation.side))),
        can_retreat=_can_retreat(situation, place, defenders),
    )


def _fighter(situation: Situation, unit: Unit, of_all: Sequence[Modifier], *, attacks: bool) -> Fighter:
    """R26 A unit with its hit chance; what the campaign's limits add or take is a part of it."""
    chance = (_printed(situation, unit, attacks=attacks), *of_all)
    limit = situation.open.options.chances.clamp(total(chance)) - total(chance)
    return Fighter(unit.id, unit.strength, (*chance, Modifier(limit, "limit", "R26")) if limit else chance)


def shelter_in(game_data: GameData, open_: Open, place: PlaceId, defender: SideId) -> int:
    """R30 Hits that a space takes off for its defender."""
    return game_data.spaces[place].shelters(defender, open_.control[place])


def _printed(situation: Situation, unit: Unit, *, attacks: bool) -> Modifier:
    """R27 The hit chance on the counter."""
    card = situation.card(unit)
    if attacks:
        return Modifier(card.attack, "attack", "R27")
    if unit.stuck:
        return Modifier(situation.game_data.out_of_supply, "without supply or fuel", "R27")
    return Modifier(card.defence, "defence", "R27")


def _of_all_attackers(situation: Situation, place: PlaceId, defenders: Sequence[Unit]) -> Iterator[Modifier]:
    """R28"""
    game_data, space = situation.game_data, situation.space(place)
    stuck = [unit for unit in defenders if unit.stuck]
    if situation.side == GERMAN and is_first_day(situation):
        yield Modifier(1, "surprise", "R12")
    if situation.side == GERMAN and space.artillery:
        yield Modifier(1, "artillery", "R28")
    if situation.side == ALLIED and game_data.days[situation.open.date].allied_air:
        yield Modifier(1, "air support", "R28")
    if not stuck and any(situation.card(unit).resists for unit in defenders):
        yield Modifier(-1, "against armor or elite infantry", "R28")
    if space.terrain is Terrain.CLEAR:
        yield Modifier(1, "clear country", "R28")
    if defenders and len(stuck) == len(defenders):
        yield Modifier(2, "all defenders without supply or fuel", "R28")


def _of_all_defenders(situation: Situation, place: PlaceId, attackers: Sequence[Unit]) -> Iterator[Modifier]:
    """R29"""
    if any(situation.card(unit).kind is Kind.ARMOR for unit in attackers):
        yield Modifier(-1, "against armor", "R29")
    if situation.space(place).terrain is Terrain.CLEAR:
        yield Modifier(1, "clear country", "R29")
    if attackers and all(unit.across for unit in attackers):
        yield Modifier(1, "all attackers crossed a river", "R29")


def _can_retreat(situation: Situation, place: PlaceId, defenders: Sequence[Unit]) -> bool:
    """R32 As far as everybody sees: without regard to room."""
    control, contested = situation.open.control, situation.open.contested
    ways = [
        near
        for near in situation.game_data.board.neighbours(place)
        if control[near] == enemy_of(situation.side) and near not in contested
    ]
    return bool(ways) and not any(unit.stuck for unit in defenders)


def dice_of(game_data: GameData, fighter: Fighter) -> int:
    """R26 How many dice a unit rolls."""
    return fighter.strength + game_data.cards[fighter.unit].bonus


def ways_to_retreat(situation: Situation, place: PlaceId) -> tuple[PlaceId, ...]:
    """R32 Where the side's units in a space may retreat to, with room for one at least; none if they must stand."""
    units = situation.own_in(place)
    ways = tuple(near for near in shelters_of(situation, place) if situation.has_room(near))
    room = sum(situation.room_in(near) for near in ways)
    return ways if room >= len(units) and not any(unit.stuck for unit in units) else ()


# --- hits ------------------------------------------------------------------------------------------------------------


def shared(strengths: Mapping[UnitId, int], hits: int) -> Iterator[tuple[int, tuple[UnitId, ...]]]:
    """R31 The rounds in which units take hits: how many hits, and the units that are left to take one each."""
    left = dict(strengths)
    hits = min(hits, sum(left.values()))
    while hits:
        alive = tuple(unit for unit, strength in left.items() if strength)
        taken = min(hits, len(alive))
        yield taken, alive
        for unit in alive[:taken]:
            left[unit] -= 1
        hits -= taken


def has_choice(strengths: Mapping[UnitId, int], hits: int) -> bool:
    """R31 Whether the owner chooses who takes a hit."""
    return any(taken < len(alive) for taken, alive in shared(strengths, hits))


def losses(strengths: Mapping[UnitId, int], hits: int, first: Iterable[UnitId]) -> dict[UnitId, int]:
    """R31 The hits that each unit takes. In a round with too few, those in `first` take one, then the strongest."""
    preferred = list(dict.fromkeys([*(unit for unit in first if unit in strengths), *_strongest(strengths)]))
    ordered = {unit: strengths[unit] for unit in preferred}
    taken = dict.fromkeys(strengths, 0)
    for number, alive in shared(ordered, hits):
        for unit in alive[:number]:
            taken[unit] += 1
    return {unit: number for unit, number in taken.items() if number}


def _strongest(strengths: Mapping[UnitId, int]) -> list[UnitId]:
    return sorted(strengths, key=lambda unit: -strengths[unit])
