"""R12.5 Where a defeated unit may retreat to."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from campaign.engine.values.ids import PlaceId, SideId, UnitId
from campaign.rulesets.forum_campaign.model.game_data import GameData, enemy_of
from campaign.rulesets.forum_campaign.model.options import RetreatLength
from campaign.rulesets.forum_campaign.model.state import Battle, State, Unit, UnitType
from campaign.rulesets.forum_campaign.model.zoc import occupied_hexes, too_full, zone

Way = tuple[PlaceId, ...]
"""The hexes entered; the retreat ends in the last."""

FURTHEST: Mapping[RetreatLength, int] = {RetreatLength.ONE: 1, RetreatLength.CLEAR: 3}
"""R12.5, 2.10 The most hexes of a retreat."""


def retreat_hexes(game_data: GameData, state: State, battle: Battle, unit: UnitId) -> tuple[PlaceId, ...]:
    """R12.5, G3 The hexes that a defeated unit may retreat to, nearest to its own supply edge first.

    With a player's state, as far as that side knows.
    """
    return tuple(ways_back(game_data, state, battle, unit))


def ways_back(game_data: GameData, state: State, battle: Battle, unit: UnitId) -> Mapping[PlaceId, Way]:
    """R12.5, G3 The same, with the way to each.

    Out of every enemy zone of control, not onto a friend. It may follow a comrade from the same hex if the two may
    stack. A unit that landed scattered goes nowhere (R11.8).
    """
    side = enemy_of(battle.attacker)
    defeated = state.own[side].units[unit]
    if defeated.scattered:
        return {}
    found = _ways(_ground(game_data, state, battle, defeated))
    return dict(sorted(found.items(), key=lambda item: (_to_edge(game_data, side, item[0]), item[0])))


def open_to_all_eyes(game_data: GameData, state: State, battle: Battle) -> frozenset[PlaceId]:
    """R12.5 The first hexes to which defeated units might retreat, by what everyone knows: the map and the battle."""
    attackers = frozenset(fighter.comes_from for fighter in battle.attackers if fighter.comes_from is not None)
    options = state.open.options
    may_pass_zones = options.friends_cover_retreat or options.retreat_length is RetreatLength.CLEAR
    barred = attackers if may_pass_zones else attackers | zone(game_data, attackers)
    return frozenset(game_data.open_neighbours(battle.at)) - barred


def is_forward(game_data: GameData, side: SideId, start: PlaceId, end: PlaceId) -> bool:
    """2.10 Ruling 56: whether a hex is further on the way from the own edge to the enemy's, which is no further off."""
    own, enemy = ([_to_edge(game_data, each, place) for place in (start, end)] for each in (side, enemy_of(side)))
    return enemy[1] <= enemy[0] and own[1] * enemy[0] > own[0] * enemy[1]


@dataclass(frozen=True, kw_only=True)
class _Ground:
    """The ground over which a defeated unit retreats."""

    game_data: GameData
    side: SideId
    start: PlaceId
    furthest: int
    unit: Unit
    barred: frozenset[PlaceId]
    """Hexes with enemies, and hexes that were lost."""
    zone: frozenset[PlaceId]
    friends: Mapping[PlaceId, tuple[Unit, ...]]
    comrades: frozenset[UnitId]
    friends_cover: bool
    attackers: frozenset[PlaceId]


def _ground(game_data: GameData, state: State, battle: Battle, unit: Unit) -> _Ground:
    side = enemy_of(battle.attacker)
    enemy = _enemy(state, side)
    friends: dict[PlaceId, tuple[Unit, ...]] = {}
    for other in state.own[side].units.values():
        if other.at is not None and other.ground and other.id != unit.id:
            friends[other.at] = (*friends.get(other.at, ()), other)
    return _Ground(
        game_data=game_data,
        side=side,
        start=battle.at,
        furthest=FURTHEST[state.open.options.retreat_length],
        unit=unit,
        barred=enemy | {pending.battle.at for pending in state.open.pending_retreats} | {battle.at},
        zone=zone(game_data, enemy),
        friends=friends,
        comrades=frozenset(fighter.unit for fighter in battle.defenders),
        friends_cover=state.open.options.friends_cover_retreat,
        attackers=frozenset(f.comes_from for f in battle.attackers if f.comes_from is not None),
    )


def _enemy(state: State, side: SideId) -> frozenset[PlaceId]:
    """Where the enemy is. In a player's state: where the side sees them, and where they attack from."""
    enemy = state.own.get(enemy_of(side))
    if enemy is not None:
        return occupied_hexes(enemy)
    battles = (*state.open.battles, *(pending.battle for pending in state.open.pending_retreats))
    attackers = [fighter for battle in battles for fighter in battle.attackers if battle.attacker != side]
    came = {fighter.unit for fighter in attackers}
    sightings = [each for each in state.own[side].sightings if each.type is not UnitType.COMMANDO]
    seen = {sighting.at for sighting in sightings if sighting.unit not in came}
    return frozenset(seen | {fighter.comes_from for fighter in attackers if fighter.comes_from is not None})


def _ways(ground: _Ground) -> dict[PlaceId, Way]:
    """The hexes in which a retreat may end, each with a shortest path.

    2.10 Who cannot retreat one hex may retreat two, else three, through free hexes; no step after the first leads
    nearer to the nearest attacker, or further forward than the battle.
    """
    front: dict[PlaceId, Way] = {ground.start: ()}
    for _ in range(ground.furthest):
        entered = {place: (*way, place) for at, way in reversed(front.items()) for place in _steps(ground, at)}
        if ends := {place: way for place, way in entered.items() if _is_refuge(ground, place)}:
            return ends
        front = {place: way for place, way in sorted(entered.items()) if not _is_taken(ground, place)}
    return {}


def _steps(ground: _Ground, at: PlaceId) -> Iterator[PlaceId]:
    for place in ground.game_data.open_neighbours(at):
        if place not in ground.barred and (at == ground.start or _leads_back(ground, at, place)):
            yield place


def _leads_back(ground: _Ground, at: PlaceId, place: PlaceId) -> bool:
    """R12 G3, 2.10 Whether a step leads neither towards the nearest attacker nor into the enemy's rear."""
    if is_forward(ground.game_data, ground.side, ground.start, place):
        return False
    distance = ground.game_data.grid.distance
    before, after = (min((distance(x, enemy) for enemy in ground.attackers), default=0) for x in (at, place))
    return after >= before


def _is_refuge(ground: _Ground, place: PlaceId) -> bool:
    """R12.5 Whether a retreat may end there."""
    there = ground.friends.get(place, ())
    if too_full([*there, ground.unit]):
        return False
    strangers = any(friend.id not in ground.comrades for friend in there)
    if strangers:
        return ground.friends_cover
    return place not in ground.zone


def _is_taken(ground: _Ground, place: PlaceId) -> bool:
    """Whether a unit is there, so that the way cannot lead through."""
    return place in ground.friends


def _to_edge(game_data: GameData, side: SideId, place: PlaceId) -> int:
    return min(game_data.grid.distance(place, edge) for edge in game_data.supply_edge[side])
