"""R12 Briefs of battles, from a player's state: what each audience may know before it fights."""

from collections.abc import Iterator, Mapping, Sequence

from campaign.engine.briefs import Brief, Fight
from campaign.engine.display.views import Panel
from campaign.engine.orders.lexicon import Names, lexicon, plain
from campaign.engine.values.ids import GM, Audience, PlaceId, SideId, UnitId
from campaign.rulesets.forum_campaign.battle.outside import fought_outside
from campaign.rulesets.forum_campaign.battle.pursuit import beyond, is_mechanized, may_pursue
from campaign.rulesets.forum_campaign.battle.retreat_hexes import retreat_hexes
from campaign.rulesets.forum_campaign.battle.template import brings
from campaign.rulesets.forum_campaign.day.digging import works
from campaign.rulesets.forum_campaign.disclosure.describe import roll_call
from campaign.rulesets.forum_campaign.model.game_data import Branch, GameData, Terrain, enemy_of
from campaign.rulesets.forum_campaign.model.orders import Pursue, Result
from campaign.rulesets.forum_campaign.model.state import Battle, Combatant, State, Support, Unit, Winner
from campaign.rulesets.forum_campaign.model.words import PEOPLES, SIDE_NAMES, counted

_ARMS = {
    Branch.INFANTRY: "infantry",
    Branch.AIRBORNE: "airborne infantry",
    Branch.MECHANIZED: "mechanized infantry",
    Branch.ARMOR: "armour",
    Branch.COMMANDO: "commando",
}
_COMPASS = {
    (1, 0): "east",
    (0, 1): "north-east",
    (-1, 1): "north-west",
    (-1, 0): "west",
    (0, -1): "south-west",
    (1, -1): "south-east",
}


def battles(state: State) -> tuple[Fight, ...]:
    """The battles that wait for results from outside."""
    return tuple(Fight(battle.at, battle.attacker, enemy_of(battle.attacker)) for battle in fought_outside(state.open))


def brief(game_data: GameData, known: State, audience: Audience, key: str) -> Brief:
    """R12.1, R15.4 What an audience may know of a battle; KeyError if there is none. `known` is the player's state."""
    battle = _battle(known, key)
    place = game_data.place_name(battle.at)
    verb = "attack" if len(battle.attackers) > 1 else "attacks"
    return Brief(
        title=f"Battle of {place}",
        text=f"{roll_call(battle.attackers)} {verb} {roll_call(battle.defenders)}.",
        sections=tuple(_sections(game_data, known, battle, audience)),
        template="\n".join(_template(game_data, known, battle)),
    )


def names_in(game_data: GameData, known: State, key: str) -> Names:
    """What a report of a battle may name: its units, own ones by all their names, and the places of the map."""
    battle = _battle(known, key)
    fighters = (*battle.attackers, *battle.defenders)
    labels = [plain(fighter.label) for fighter in fighters]
    units: dict[UnitId, tuple[str, ...]] = {}
    for fighter in fighters:
        unit = _own_unit(known, fighter)
        label = (fighter.label,) if labels.count(plain(fighter.label)) == 1 else ()
        units[fighter.unit] = (*label, fighter.unit, *((unit.name,) if unit else ()))
    return Names(lexicon("a unit of this battle", units), game_data.place_names)


def _battle(known: State, key: str) -> Battle:
    found = next((battle for battle in known.open.battles if battle.at == key), None)
    if found is None:
        raise KeyError(key)
    return found


def _own_unit(known: State, fighter: Combatant) -> Unit | None:
    return next((own.units[fighter.unit] for own in known.own.values() if fighter.unit in own.units), None)


# --- sections --------------------------------------------------------------------------------------------------------


def _sections(game_data: GameData, known: State, battle: Battle, audience: Audience) -> Iterator[Panel]:
    yield Panel("field", "The field", (), tuple(_field(game_data, known, battle)))
    yield Panel("attackers", _title(battle.attacker, "Attackers"), _COMING, tuple(_attackers(game_data, battle)))
    defender = enemy_of(battle.attacker)
    yield Panel("defenders", _title(defender, "Defenders"), _COMING[:-1], tuple(_described(battle.defenders)))
    for side, fighters in ((battle.attacker, battle.attackers), (defender, battle.defenders)):
        if side in known.own:
            whose = "Your" if audience != GM else SIDE_NAMES[side]
            forces = tuple(_forces(game_data, known, side, fighters))
            yield Panel(f"forces-{side}", f"{whose} units in the tactical game", _FORCES, forces)
            if support := tuple(_support(game_data, known, side, battle)):
                yield Panel(f"support-{side}", f"{whose} support", (), support)
    if defender in known.own:
        rows = tuple(_retreats(game_data, known, battle))
        yield Panel("retreats", "Where the defenders can retreat if they lose", ("Unit", "Hexes"), rows)


_COMING = ("Unit", "Arm", "Size", "Comes from")
_FORCES = ("Unit", "Strength", "Order of battle")


def _title(side: SideId, what: str) -> str:
    return f"{what} ({PEOPLES[side]})"


def _field(game_data: GameData, known: State, battle: Battle) -> Iterator[tuple[str, str]]:
    here = game_data.hexes[battle.at]
    yield "Hex", game_data.place_name(battle.at)
    in_town = game_data.is_town(battle.at) and here.terrain is not Terrain.CITY
    yield "Ground", f"town, {here.terrain.value}" if in_town else here.terrain.value
    yield "Date", f"{known.open.date:%-d %B %Y}"
    if known.open.weather is not None:
        yield "Weather", known.open.weather.condition.value
    yield from works(game_data, battle)
    yield "Objective", "the centre of the map; the attackers win if only they hold it at the end"


def _attackers(game_data: GameData, battle: Battle) -> Iterator[tuple[str, ...]]:
    for fighter, row in zip(battle.attackers, _described(battle.attackers), strict=True):
        yield (*row, _edge(game_data, battle.at, fighter.comes_from))


def _described(fighters: Sequence[Combatant]) -> Iterator[tuple[str, ...]]:
    for fighter in fighters:
        yield fighter.label, _ARMS[fighter.branch], fighter.echelon.value


def _edge(game_data: GameData, at: PlaceId, comes_from: PlaceId | None) -> str:
    """R12.1 The side of the tactical map on which an attacker enters."""
    if comes_from is None:
        return ""
    (q, r), (from_q, from_r) = (game_data.grid.coordinates[place] for place in (at, comes_from))
    return f"the {_COMPASS[from_q - q, from_r - r]} ({comes_from})"


def _forces(
    game_data: GameData, known: State, side: SideId, fighters: Sequence[Combatant]
) -> Iterator[tuple[str, ...]]:
    for fighter in fighters:
        unit = _own_unit(known, fighter)
        if unit is not None:
            yield unit.label, f"{unit.strength} %", brings(game_data.charts.purchases, side, unit)


def _support(game_data: GameData, known: State, side: SideId, battle: Battle) -> Iterator[tuple[str, str]]:
    """R3.10, R15.3 What a side knows of its own support; R12.4 what the defenders may not do with theirs."""
    support = known.own[side].support.get(battle.at, Support())
    if support.air_units:
        planes = counted(support.air_units * game_data.charts.air.planes, "plane")
        yield "Close air support", f"{planes} ({counted(support.air_units, 'air unit')})"
    if support.artillery:
        limit = "" if side == battle.attacker else "; defenders may not plan fire before the battle starts"
        yield "Heavy artillery", f"ask the GM for the calibre{limit}"


def _retreats(game_data: GameData, known: State, battle: Battle) -> Iterator[tuple[str, ...]]:
    as_known = ", as far as you know" if len(known.own) == 1 else ""
    for fighter in battle.defenders:
        unit = _own_unit(known, fighter)
        if unit is not None:
            legal = retreat_hexes(game_data, known, battle, unit.id)
            free = " or ".join(game_data.place_name(place) for place in legal)
            yield unit.label, f"{free}{as_known}" if free else f"nowhere{as_known}: it would be destroyed"


# --- the report it asks for ------------------------------------------------------------------------------------------


def _template(game_data: GameData, known: State, battle: Battle) -> Iterator[str]:
    """Every line is a comment, so that an unchanged report says nothing."""
    fighters = (*battle.attackers, *battle.defenders)
    labels = [plain(fighter.label) for fighter in fighters]
    name = {f.unit: f.label if labels.count(plain(f.label)) == 1 else f.unit for f in fighters}
    yield f"# Battle of {game_data.place_name(battle.at)}"
    yield "# Delete the # in front of the lines that are true."
    yield "# Who won, and which attacker advances:"
    yield f"# RESULT {battle.at} attackers advance {name[battle.attackers[0].unit]}"
    yield f"# RESULT {battle.at} defenders"
    yield "# If the defenders withdrew, the minute in which they asked to:"
    yield f"# WITHDRAWAL {battle.at} minute {known.open.options.withdrawal_minute.value}"
    yield "# Losses in percent of the establishment (R12.7),"
    yield "# and the number of tanks lost:"
    for fighter in fighters:
        yield f"# LOSSES {name[fighter.unit]} 0"
        if fighter.branch is Branch.ARMOR:
            yield f"# TANKS {name[fighter.unit]} medium 0 heavy 0"
    yield from _pursuits_asked(game_data, known, battle, name)
    yield from _retreats_asked(game_data, known, battle, name)


def _pursuits_asked(game_data: GameData, known: State, battle: Battle, name: Mapping[UnitId, str]) -> Iterator[str]:
    """R12.3 Only a side itself is asked which units pursue: a mechanized one that does not advance."""
    mechanized = [each for each in battle.attackers if _own_unit(known, each) and is_mechanized(each)]
    lines = [line for each in mechanized for line in _pursuit_of(game_data, known, battle, each, name[each.unit])]
    if lines:
        yield "# A mechanized victor that does not advance may pursue instead:"
        yield from lines


def _pursuit_of(game_data: GameData, known: State, battle: Battle, fighter: Combatant, name: str) -> Iterator[str]:
    won = Result(battle.at, Winner.ATTACKERS)
    places = [
        to for to in beyond(game_data, battle) if may_pursue(game_data, known, battle, won, Pursue(fighter.unit, to))
    ]
    if places:
        yield f"# {name} to {' or '.join(places)}:"
        yield f"# PURSUE {name} to {places[0]}"


def _retreats_asked(game_data: GameData, known: State, battle: Battle, name: Mapping[UnitId, str]) -> Iterator[str]:
    """R12.5 Only a side itself is asked where its defeated units go."""
    if known.open.options.separate_retreats:
        return
    own = [fighter for fighter in battle.defenders if _own_unit(known, fighter)]
    places = {each.unit: retreat_hexes(game_data, known, battle, each.unit) for each in own}
    if any(places.values()):
        yield "# Where defeated units retreat:"
    for unit, legal in places.items():
        if legal:
            yield f"# {name[unit]} to {' or '.join(legal)}:"
            yield f"# RETREAT {name[unit]} to {legal[0]}"
