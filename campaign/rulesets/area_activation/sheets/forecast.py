"""What an activation leads to as a side sees it: the moves of its lines, and the combats with their odds."""

from collections.abc import Iterable, Iterator, Mapping

from campaign.engine.orders.order import Order
from campaign.engine.values.ids import PlaceId, UnitId
from campaign.engine.values.value import replace as changed
from campaign.rulesets.area_activation.day.moving import why_not
from campaign.rulesets.area_activation.model.orders import Exit, Move
from campaign.rulesets.area_activation.model.state import Fight, Unit
from campaign.rulesets.area_activation.model.words import list_of
from campaign.rulesets.area_activation.rules.combat import fight_in, may_act, places_to_fight
from campaign.rulesets.area_activation.rules.odds import odds
from campaign.rulesets.area_activation.rules.situation import Situation


def activated(situation: Situation, place: PlaceId, lines: Iterable[Order]) -> Situation:
    """The position after the moves of an activation, if nothing has changed until then."""
    units = [unit.id for unit in situation.own_in(place) if may_act(unit)]
    own = {id_: changed(unit, active=True) if id_ in units else unit for id_, unit in situation.own.items()}
    now = _with(situation, own)
    moved: set[UnitId] = set()
    for line in lines:
        if not isinstance(line, Move | Exit) or line.unit not in units or line.unit in moved:
            continue
        if why_not(now, line) is None:
            moved.add(line.unit)
            now = _moved(now, line)
    return now


def _with(situation: Situation, own: Mapping[UnitId, Unit]) -> Situation:
    return Situation(situation.game_data, situation.open, situation.side, own, situation.enemies, situation.crossed)


def _moved(situation: Situation, line: Move | Exit) -> Situation:
    if isinstance(line, Exit):
        return _with(situation, {id_: unit for id_, unit in situation.own.items() if id_ != line.unit})
    unit = situation.own[line.unit]
    step = ((unit.at, *line.path)[-2], line.path[-1])
    river = bool(situation.game_data.borders[step].river)
    crossed = (*situation.crossed, step) if river and step[1] in situation.held_by_enemy else situation.crossed
    own = {**situation.own, unit.id: changed(unit, at=line.path[-1], across=river)}
    return Situation(situation.game_data, situation.open, situation.side, own, situation.enemies, crossed)


def fights(situation: Situation, place: PlaceId, lines: Iterable[Order]) -> Iterator[Fight]:
    """The combats that an activation leads to, as far as its side knows."""
    after = activated(situation, place, lines)
    return (fight_in(after, each) for each in places_to_fight(after))


def in_words(situation: Situation, fight: Fight) -> str:
    """A combat with its odds: who fights, how likely the defender is eliminated, and the losses on average."""
    cards, found = situation.game_data.cards, odds(situation.game_data, situation.open, fight)
    attackers, defenders = (
        list_of([cards[fighter.unit].name for fighter in fighters]) for fighters in (fight.attackers, fight.defenders)
    )
    return (
        f"{attackers} against {defenders} in {situation.space(fight.at).name}: "
        f"{percent(found.eliminated)} that no defender is left if they stand; on average the attacker loses "
        f"{found.attacker_loss:.1f} and the defender {found.defender_loss:.1f}"
    )


def percent(probability: float) -> str:
    """A probability: 69 %."""
    return f"{probability * 100:.0f} %"
