"""R25 to R33: the combats of a turn."""

from collections.abc import Callable, Iterable, Sequence

from campaign.engine.facts import Ledger
from campaign.engine.orders.order import Order
from campaign.engine.values.ids import PUBLIC, PlaceId, SideId, UnitId
from campaign.engine.values.modifiers import total
from campaign.engine.values.value import replace
from campaign.rulesets.area_activation.day.ground import settle
from campaign.rulesets.area_activation.day.questions import ask, lines_of, must_ask
from campaign.rulesets.area_activation.model import facts
from campaign.rulesets.area_activation.model.game_data import GERMAN, GameData, Kind, Terrain, enemy_of
from campaign.rulesets.area_activation.model.orders import BreakThrough, Combat, Decision, Halt, Lose, Retreat, Stand
from campaign.rulesets.area_activation.model.state import Fight, Fighter, Own, Stage, State, Unit
from campaign.rulesets.area_activation.rules.combat import (
    attackers_in,
    dice_of,
    fight_in,
    has_choice,
    losses,
    ways_to_retreat,
)
from campaign.rulesets.area_activation.rules.movement import Obstacle, described, is_first_day, no_breakthrough
from campaign.rulesets.area_activation.rules.situation import Situation, as_true, watched

_SIDES_OF_A_DIE = 10


def attack_next(ledger: Ledger[GameData, State]) -> bool:
    """R25 The active side chooses where the next combat is, and its dice fall."""
    open_ = ledger.state.open
    side, places = open_.turn, open_.fights
    if len(places) > 1 and must_ask(open_, Decision.COMBATS, side):
        ask(ledger, Decision.COMBATS, side)
        return False
    named = (line.at for line in lines_of(ledger.state.own[side], Combat))
    _fight(ledger, side, next((place for place in named if place in places), places[0]))
    return True


def _fight(ledger: Ledger[GameData, State], side: SideId, place: PlaceId) -> None:
    """R25, R26 Others that can act join; then every unit rolls its own dice."""
    situation = as_true(ledger.game_data, ledger.state, side)
    joining = tuple(unit.id for unit in attackers_in(situation, place) if not unit.active)
    if joining:
        ledger.emit(facts.Joined(side, place, joining), rule="R25")
    fight = fight_in(as_true(ledger.game_data, ledger.state, side), place)
    attackers = tuple(_roll(ledger, fight, fighter, attacks=True) for fighter in fight.attackers)
    defenders = tuple(_roll(ledger, fight, fighter, attacks=False) for fighter in fight.defenders)
    hits = sum(fighter.hits for fighter in attackers)
    rolled = replace(
        fight,
        attackers=attackers,
        defenders=defenders,
        on_defender=max(0, hits - fight.shelter),
        on_attacker=sum(fighter.hits for fighter in defenders),
    )
    ledger.emit(facts.Fought(rolled), rule="R26")


def _roll(ledger: Ledger[GameData, State], fight: Fight, fighter: Fighter, *, attacks: bool) -> Fighter:
    game_data = ledger.game_data
    chance, card = total(fighter.chance), game_data.cards[fighter.unit]
    verb = "attacks" if attacks else "defends"
    dice = ledger.roll(
        f"combat/{moment_of(ledger)}/{fight.at}/{fighter.unit}",
        sides=_SIDES_OF_A_DIE,
        count=dice_of(game_data, fighter),
        audience=PUBLIC,
        purpose=f"{card.name} {verb} in {game_data.spaces[fight.at].name}, hits with {chance} or less",
        rule="R26",
    )
    return replace(fighter, dice=dice, hits=sum(die <= chance for die in dice))


def moment_of(ledger: Ledger[GameData, State]) -> str:
    """The turn in names of rolls: 16-3 for the third turn of the 16th."""
    open_ = ledger.state.open
    number = f"surprise-{open_.surprise}" if open_.surprise else str(sum(open_.turns.values()))
    return f"{open_.date.day}-{number}"


# --- the defender's choice -------------------------------------------------------------------------------------------


def defend(ledger: Ledger[GameData, State]) -> bool:
    """R32 The defender retreats or stands."""
    fight = _fight_of(ledger)
    side = enemy_of(fight.attacker)
    if fight.can_retreat and must_ask(ledger.state.open, Decision.RETREATS, side):
        ask(ledger, Decision.RETREATS, side, fight.at)
        return False
    situation = as_true(ledger.game_data, ledger.state, side)
    leaves = bool(ways_to_retreat(situation, fight.at)) and _wants_to_leave(ledger.state.own[side], fight)
    said = facts.FellBack(side, fight.at) if leaves else facts.Stood(side, fight.at)
    ledger.emit(said, rule="R32")
    return True


def _wants_to_leave(own: Own, fight: Fight) -> bool:
    """R32, R49 What the line that counts says; by default units leave if only that saves one of them."""
    line = line_about(fight, (*own.reply, *own.plan))
    if line is not None:
        return isinstance(line, Retreat)
    strength = sum(fighter.strength for fighter in fight.defenders)
    return fight.on_defender == strength


def line_about(fight: Fight, lines: Iterable[Order]) -> Retreat | Stand | None:
    """R49.5 The first line about the space that counts, by the hits without a retreat; None: the default decides."""
    hits = max(0, sum(fighter.hits for fighter in fight.attackers) - fight.shelter)
    for line in lines:
        if isinstance(line, Stand) and line.at == fight.at:
            return line
        if isinstance(line, Retreat) and line.at == fight.at and hits >= line.hits:
            return line
    return None


# --- hits ------------------------------------------------------------------------------------------------------------


def take_hits_of(stage: Stage) -> Callable[[Ledger[GameData, State]], bool]:
    """R31 One side takes its hits, the defender first."""
    return _defender_takes if stage is Stage.DEFENDER else _attacker_takes


def _defender_takes(ledger: Ledger[GameData, State]) -> bool:
    fight = _fight_of(ledger)
    side = enemy_of(fight.attacker)
    if _asks_for_losses(ledger, fight, side, fight.on_defender):
        return False
    if fight.retreats and not ledger.state.open.options.hits_first:
        _retreat(ledger, side, fight)
        _take_hits(ledger, side, fight, fight.on_defender)
    else:
        _take_hits(ledger, side, fight, fight.on_defender)
        if fight.retreats:
            _retreat(ledger, side, fight)
    settle(ledger)
    ledger.emit(facts.Staged(Stage.ATTACKER), rule="R31")
    return True


def _attacker_takes(ledger: Ledger[GameData, State]) -> bool:
    fight = _fight_of(ledger)
    if _asks_for_losses(ledger, fight, fight.attacker, fight.on_attacker):
        return False
    _take_hits(ledger, fight.attacker, fight, fight.on_attacker)
    settle(ledger)
    if _won(ledger.state, fight) and not is_first_day(as_true(ledger.game_data, ledger.state, fight.attacker)):
        ledger.emit(facts.Staged(Stage.BREAKTHROUGH), rule="R33")
    else:
        ledger.emit(facts.CombatOver(fight.at), rule="R25")
    return True


def _asks_for_losses(ledger: Ledger[GameData, State], fight: Fight, side: SideId, hits: int) -> bool:
    """R31 Whether the owner is asked who takes the hits: the strengths of all who fight are open."""
    if has_choice(_strengths(fight, side), hits) and must_ask(ledger.state.open, Decision.LOSSES, side):
        ask(ledger, Decision.LOSSES, side, fight.at)
        return True
    return False


def _strengths(fight: Fight, side: SideId) -> dict[UnitId, int]:
    return {fighter.unit: fighter.strength for fighter in fight.of(side)}


def _take_hits(ledger: Ledger[GameData, State], side: SideId, fight: Fight, hits: int) -> None:
    """R31, R42 Take points off the units, and those that have none left off the map."""
    preferred = [line.unit for line in lines_of(ledger.state.own[side], Lose)]
    taken = losses(_strengths(fight, side), hits, preferred)
    for unit, points in taken.items():
        here = ledger.state.own[side].units[unit]
        if points < here.strength:
            ledger.emit(facts.Hit(side, unit, here.at, points), rule="R31")
            continue
        ledger.emit(eliminated(ledger.game_data, here), rule="R31")


def eliminated(game_data: GameData, unit: Unit) -> facts.Eliminated:
    """R42 A unit is lost, with what that means for the German points."""
    worth = game_data.cards[unit.id].worth
    points = -worth if unit.side == GERMAN else worth
    return facts.Eliminated(unit.side, unit.id, unit.at, unit.strength, points)


# --- retreat ---------------------------------------------------------------------------------------------------------


def _retreat(ledger: Ledger[GameData, State], side: SideId, fight: Fight) -> None:
    """R32 The defenders that are left go to spaces with room, those of the line that counts first."""
    own = ledger.state.own[side]
    line = line_about(fight, (*own.reply, *own.plan))
    preferred = line.to if isinstance(line, Retreat) else ()
    for fighter in fight.of(side):
        situation = as_true(ledger.game_data, ledger.state, side)
        unit = situation.own.get(fighter.unit)
        if unit is None:
            continue
        ways = _safest_first(situation, _open_ways(situation, unit))
        to = next((place for place in preferred if place in ways), ways[0])
        ledger.emit(facts.Retreated(side, unit.id, unit.at, to), rule="R32")


def _open_ways(situation: Situation, unit: Unit) -> Sequence[PlaceId]:
    near = situation.game_data.board.neighbours(unit.at)
    return [place for place in near if situation.is_safe(place) and situation.has_room(place)]


def _safest_first(situation: Situation, places: Sequence[PlaceId]) -> list[PlaceId]:
    """R49 By default units go where the fewest enemy-held spaces adjoin."""
    adjoining = situation.game_data.board.adjoining
    return sorted(places, key=lambda place: len(adjoining[place] & situation.held_by_enemy))


# --- breakthrough ----------------------------------------------------------------------------------------------------


def break_through(ledger: Ledger[GameData, State]) -> bool:
    """R33 Armor that has eliminated all defenders may go on."""
    fight = _fight_of(ledger)
    side = fight.attacker
    if _anyone_could(ledger, fight) and must_ask(ledger.state.open, Decision.BREAKTHROUGHS, side):
        ask(ledger, Decision.BREAKTHROUGHS, side, fight.at)
        return False
    for fighter in fight.attackers:
        _go_on(ledger, side, fighter.unit)
    settle(ledger)
    ledger.emit(facts.CombatOver(fight.at), rule="R25")
    return True


def _anyone_could(ledger: Ledger[GameData, State], fight: Fight) -> bool:
    """R33 Whether armor is left that some border lets through, as everybody sees."""
    cards, left = ledger.game_data.cards, ledger.state.own[fight.attacker].units
    if not any(cards[fighter.unit].kind is Kind.ARMOR and fighter.unit in left for fighter in fight.attackers):
        return False
    near = ledger.game_data.board.neighbours(fight.at)
    spaces, borders = ledger.game_data.spaces, ledger.game_data.borders
    return any(spaces[to].terrain is not Terrain.FOREST or borders[fight.at, to].road for to in near)


def _go_on(ledger: Ledger[GameData, State], side: SideId, unit_id: UnitId) -> None:
    """R33, R49 Follow the first of the unit's lines that is possible; by default it stays."""
    situation, own = as_true(ledger.game_data, ledger.state, side), ledger.state.own[side]
    unit = situation.own.get(unit_id)
    if unit is None:
        return
    line, obstacle = breakthrough_of(situation, unit, (*own.reply, *own.plan))
    if line is not None:
        river = bool(ledger.game_data.borders[unit.at, line.to].river)
        seen = line.to in watched(ledger.game_data, ledger.state, enemy_of(side))
        ledger.emit(facts.BrokeThrough(side, unit.id, unit.at, line.to, river, seen), rule="R33")
        settle(ledger)
    elif obstacle is not None:
        why = described(situation, obstacle)
        ledger.emit(facts.CouldNotMove(side, unit.id, why, obstacle.rule), rule=obstacle.rule)


def breakthrough_of(
    situation: Situation, unit: Unit, lines: Iterable[Order]
) -> tuple[BreakThrough | None, Obstacle | None]:
    """R49.6 The first of a unit's lines that is possible; if none is, what bars its first way to a space next to it."""
    first = None
    for line in lines:
        if isinstance(line, Halt) and line.unit == unit.id:
            break
        if isinstance(line, BreakThrough) and line.unit == unit.id:
            obstacle = no_breakthrough(situation, unit, line.to)
            if obstacle is None:
                return line, None
            if line.to in situation.game_data.board.adjoining[unit.at]:
                first = first or obstacle
    return None, first


def _fight_of(ledger: Ledger[GameData, State]) -> Fight:
    fight = ledger.state.open.fight
    assert fight is not None
    return fight


def _won(state: State, fight: Fight) -> bool:
    """R33 Whether all defenders were eliminated, before one of them could retreat."""
    have_left = fight.retreats and not state.open.options.hits_first
    return not have_left and not any(
        fighter.unit in state.own[enemy_of(fight.attacker)].units for fighter in fight.defenders
    )
