"""R12 Briefs of battles, from a player's state: what each audience may know before it fights."""

from collections.abc import Iterator, Mapping, Sequence

from campaign.engine.briefs import Brief, Fight
from campaign.engine.display.views import Panel
from campaign.engine.orders.lexicon import Names, lexicon, plain
from campaign.engine.values.ids import GM, Audience, PlaceId, SideId, UnitId
from campaign.rulesets.forum_campaign.battle.artillery import calibre_key
from campaign.rulesets.forum_campaign.battle.casualties import medium_tanks
from campaign.rulesets.forum_campaign.battle.outside import fought_outside
from campaign.rulesets.forum_campaign.battle.pursuit import beyond, is_mechanized, may_pursue
from campaign.rulesets.forum_campaign.battle.result_lines import fighters, is_gone
from campaign.rulesets.forum_campaign.battle.retreat_hexes import retreat_hexes
from campaign.rulesets.forum_campaign.disclosure.describe import roll_call
from campaign.rulesets.forum_campaign.disclosure.setup_sheet import (
    CALIBRE,
    UNIT,
    direction,
    edge_of,
    field,
    reporting,
    settings,
    unit_rows,
)
from campaign.rulesets.forum_campaign.model.game_data import Branch, GameData, enemy_of
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
_NOTHING: Mapping[str, str] = {}


def battles(state: State) -> tuple[Fight, ...]:
    """The battles that wait for results from outside."""
    return tuple(Fight(battle.at, battle.attacker, enemy_of(battle.attacker)) for battle in fought_outside(state.open))


def brief(
    game_data: GameData, known: State, audience: Audience, key: str, answers: Mapping[str, str] = _NOTHING
) -> Brief:
    """R12.1, R15.4 What an audience may know of a battle; KeyError if there is none. `known` is the player's state.

    `answers`: what the GM has answered to the audience, by the keys of the questions.
    """
    battle = _battle(known, key)
    verb = "attack" if len(battle.attackers) > 1 else "attacks"
    return Brief(
        title=game_data.battle_title(battle.at),
        text=f"{roll_call(battle.attackers)} {verb} {roll_call(battle.defenders)}.",
        sections=tuple(_sections(game_data, known, battle, audience, answers)),
        template="\n".join(_template(game_data, known, battle)),
    )


def title(game_data: GameData, key: str) -> str:
    """The name of a battle as everybody reads it."""
    return game_data.battle_title(PlaceId(key))


def names_in(game_data: GameData, known: State, key: str) -> Names:
    """What a report of a battle may name: its units, own ones by all their names, and the places of the map."""
    battle = _battle(known, key)
    labels = [plain(fighter.label) for fighter in fighters(battle)]
    units: dict[UnitId, tuple[str, ...]] = {}
    for fighter in fighters(battle):
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


def _sections(
    game_data: GameData, known: State, battle: Battle, audience: Audience, answers: Mapping[str, str]
) -> Iterator[Panel]:
    defender = enemy_of(battle.attacker)
    yield Panel("field", "The field", (), tuple(field(game_data, known.open, battle)))
    yield Panel("attackers", _title(battle.attacker, "Attackers"), _COMING, tuple(_attackers(game_data, battle)))
    yield Panel("defenders", _title(defender, "Defenders"), _COMING[:-2], tuple(_described(battle.defenders)))
    yield Panel("settings", "Setting it up", (), tuple(settings(game_data, known.open, battle)))
    for side, there in ((battle.attacker, battle.attackers), (defender, battle.defenders)):
        if side in known.own:
            whose = "Your" if audience != GM else SIDE_NAMES[side]
            yield from _forces(game_data, known, side, there, whose)
            if support := tuple(_support(game_data, known, side, battle, answers)):
                yield Panel(f"support-{side}", f"{whose} support", (), support)
    if defender in known.own:
        retreats = tuple(_retreats(game_data, known, battle))
        yield Panel("retreats", "Where the defenders can retreat if they lose", ("Unit", "Hexes"), retreats)
    yield Panel("reporting", "Reporting the result", (), tuple(reporting()))


_COMING = ("Unit", "Arm", "Size", "Comes from", "Enters on")


def _title(side: SideId, what: str) -> str:
    return f"{what} ({PEOPLES[side]})"


def _attackers(game_data: GameData, battle: Battle) -> Iterator[tuple[str, ...]]:
    """R12.1 With the part of the tactical map on which each enters."""
    for fighter, row in zip(battle.attackers, _described(battle.attackers), strict=True):
        at = fighter.comes_from
        where = (f"the {direction(game_data, battle.at, at)} ({at})", edge_of(game_data, battle.at, at)) if at else ()
        yield (*row, *(where or ("", "")))


def _described(there: Sequence[Combatant]) -> Iterator[tuple[str, ...]]:
    for fighter in there:
        yield fighter.label, _ARMS[fighter.branch], fighter.echelon.value


def _forces(game_data: GameData, known: State, side: SideId, there: Sequence[Combatant], whose: str) -> Iterator[Panel]:
    """R15.4 Each unit of a side with what it brings, item by item."""
    for fighter in there:
        unit = known.own[side].units.get(fighter.unit)
        if unit is not None:
            rows = tuple(unit_rows(game_data.charts.purchases, side, unit))
            yield Panel(f"unit-{unit.id}", f"{whose} {unit.label}", UNIT, rows)


def _support(
    game_data: GameData, known: State, side: SideId, battle: Battle, answers: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """R3.10, R15.3 What a side knows of its own support."""
    support = known.own[side].support.get(battle.at, Support())
    if support.air_units:
        planes = counted(support.air_units * game_data.charts.air.planes, "plane")
        yield "Close air support", f"{planes} ({counted(support.air_units, 'air unit')}), fighter-bombers"
    if support.artillery:
        yield "Heavy artillery", f"1 battery: {answers.get(calibre_key(side, battle.at), CALIBRE)}"


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
    """Every line is a comment, so that an unchanged report says nothing. Units that are gone are left out."""
    labels = [plain(fighter.label) for fighter in fighters(battle)]
    name = {f.unit: f.label if labels.count(plain(f.label)) == 1 else f.unit for f in fighters(battle)}
    there = [each for each in fighters(battle) if not is_gone(known, battle, each.unit)]
    first = next((each.unit for each in battle.attackers if each in there), None)
    yield f"# {game_data.battle_title(battle.at)}"
    yield "# Delete the # in front of the lines that are true."
    yield "# Who won, and which attacker advances:"
    if first:
        yield f"# RESULT {battle.at} attackers advance {name[first]}"
    yield f"# RESULT {battle.at} attackers"
    yield f"# RESULT {battle.at} defenders"
    yield "# If the defenders withdrew, the minute in which they asked to:"
    yield f"# WITHDRAWAL {battle.at} minute {known.open.options.withdrawal_minute.value}"
    yield "# Losses in percent of the establishment (R12.7),"
    yield "# and the number of tanks lost:"
    for fighter in there:
        yield f"# LOSSES {name[fighter.unit]} 0"
        if _may_lose_tanks(known, fighter):
            yield f"# TANKS {name[fighter.unit]} medium 0 heavy 0"
    yield from _pursuits_asked(game_data, known, battle, name, first)
    yield from _retreats_asked(game_data, known, battle, name)


def _may_lose_tanks(known: State, fighter: Combatant) -> bool:
    """R12.9 Whether a unit has tanks that count; of the enemy's armour nobody knows."""
    unit = _own_unit(known, fighter)
    return bool(medium_tanks(unit) or unit.heavy_tanks) if unit else fighter.branch is Branch.ARMOR


def _pursuits_asked(
    game_data: GameData, known: State, battle: Battle, name: Mapping[UnitId, str], first: UnitId | None
) -> Iterator[str]:
    """R12.3 Only a side itself is asked which units pursue: a mechanized one that does not advance.

    `first`: the unit that advances by the lines above.
    """
    open_to = {
        each.unit: _pursuits_of(game_data, known, battle, each.unit, None if each.unit == first else first)
        for each in battle.attackers
        if _own_unit(known, each) and is_mechanized(each)
    }
    if any(open_to.values()):
        yield "# A mechanized victor that does not advance may pursue instead:"
    for unit, places in open_to.items():
        if places:
            unless = ", if it does not advance," if unit == first else ""
            yield f"# {name[unit]}{unless} to {' or '.join(places)}:"
            yield f"# PURSUE {name[unit]} to {places[0]}"


def _pursuits_of(
    game_data: GameData, known: State, battle: Battle, unit: UnitId, advance: UnitId | None
) -> Sequence[PlaceId]:
    """R12.3 Where a unit may pursue if another one advances."""
    won = Result(battle.at, Winner.ATTACKERS, advance)
    return [to for to in beyond(game_data, battle) if may_pursue(game_data, known, battle, won, Pursue(unit, to))]


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
