"""The sentences of reports, from disclosures."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from campaign.engine.display.sentences import Headline, Say, Sentence, rolled
from campaign.engine.facts import Noted, Rolled
from campaign.engine.values.ids import PlaceId, SideId, UnitId
from campaign.engine.values.modifiers import explain, total
from campaign.rulesets.area_activation.model import facts
from campaign.rulesets.area_activation.model.game_data import PEOPLE, SIDE_NAMES, SIDES, GameData
from campaign.rulesets.area_activation.model.orders import Decision
from campaign.rulesets.area_activation.model.state import Fight, Fighter
from campaign.rulesets.area_activation.model.words import counted, list_of


def _people(side: SideId) -> str:
    people = PEOPLE[side]
    return people[0].upper() + people[1:]


def _place(game_data: GameData, place: PlaceId) -> str:
    return game_data.spaces[place].name


def _unit(game_data: GameData, unit: UnitId) -> str:
    return game_data.cards[unit].name


def _units(game_data: GameData, units: Sequence[UnitId]) -> str:
    return list_of([_unit(game_data, unit) for unit in units])


def _points(points: int) -> str:
    """What a change means for the German points, to follow a sentence."""
    return f" ({points:+d} German points)".replace("-", "\N{MINUS SIGN}") if points else ""


# --- the morning -----------------------------------------------------------------------------------------------------


def _supply(game_data: GameData, fact: facts.SupplyChecked) -> str:
    if not fact.out:
        return f"All units of {PEOPLE[fact.side]} are in supply"
    return f"Out of supply: {_units(game_data, fact.out)}"


def _arrived(game_data: GameData, fact: facts.Arrived) -> Sentence:
    return Sentence(f"{_unit(game_data, fact.unit)} arrives in {_place(game_data, fact.at)}", at=(fact.at,))


def _commando(game_data: GameData, fact: facts.CommandoStruck) -> str:
    if fact.unit is None:
        return "The German commando operation is carried out"
    return f"The German commando operation keeps {_unit(game_data, fact.unit)} from acting today"


def _meuse_reached(game_data: GameData, fact: facts.MeuseReached) -> str:
    unit = _unit(game_data, fact.unit) if fact.unit else "A German unit"
    return f"{unit} is in supply beyond the Meuse{_points(fact.points)}"


# --- turns -----------------------------------------------------------------------------------------------------------


def _activated(game_data: GameData, fact: facts.Activated) -> Sentence | str:
    if fact.at is None:
        return f"{_people(fact.side)} activate a space"
    units = f": {_units(game_data, fact.units)}" if fact.units else ""
    return Sentence(f"{_people(fact.side)} activate {_place(game_data, fact.at)}{units}", at=(fact.at,))


def _moved(game_data: GameData, fact: facts.Moved) -> Sentence:
    names = [_place(game_data, place) for place in fact.path]
    unit = _unit(game_data, fact.unit)
    if len(names) == 1:
        return Sentence(f"{unit} is seen in {names[0]}", at=fact.path)
    how = "makes a strategic move" if fact.strategic else "moves"
    by = f" by way of {list_of(names[1:-1])}" if names[1:-1] else ""
    return Sentence(f"{unit} {how} from {names[0]} to {names[-1]}{by}", at=fact.path)


def _exited(game_data: GameData, fact: facts.Exited) -> str:
    where = f" at {_place(game_data, fact.at)}" if fact.at else ""
    return f"{_unit(game_data, fact.unit)} leaves the map{where}{_points(fact.points)}"


def _taken(game_data: GameData, fact: facts.Taken) -> Sentence:
    return Sentence(
        f"{_people(fact.side)} take {_place(game_data, fact.place)}{_points(fact.points)}", at=(fact.place,)
    )


def _contested(game_data: GameData, fact: facts.ContestedNow) -> Sentence | None:
    if not fact.places:
        return None
    return Sentence(f"Contested: {list_of([_place(game_data, place) for place in fact.places])}", at=fact.places)


def _due(game_data: GameData, fact: facts.CombatsDue) -> str | None:
    if len(fact.places) < 2:
        return None
    return f"Combats are due in {list_of([_place(game_data, place) for place in fact.places])}"


# --- combat ----------------------------------------------------------------------------------------------------------


def _fought(game_data: GameData, fact: facts.Fought) -> Sentence:
    fight = fact.fight
    sides = (
        _units(game_data, [fighter.unit for fighter in fighters]) for fighters in (fight.attackers, fight.defenders)
    )
    attackers, defenders = sides
    text = (
        f"Combat in {_place(game_data, fight.at)}: {attackers} against {defenders}; "
        f"{counted(fight.on_defender, 'hit')} on the defender, {counted(fight.on_attacker, 'hit')} on the attacker"
    )
    return Sentence(text, tuple(_reasons(game_data, fight)), (fight.at,))


def _reasons(game_data: GameData, fight: Fight) -> Iterator[str]:
    for fighter in (*fight.attackers, *fight.defenders):
        yield _rolls(game_data, fighter)
    if fight.shelter:
        yield f"The space takes off {counted(fight.shelter, 'hit')} for the defender (R30)"


def _rolls(game_data: GameData, fighter: Fighter) -> str:
    dice = ", ".join(map(str, fighter.dice))
    chance = f"{total(fighter.chance)} or less: {'; '.join(explain(fighter.chance))}"
    return f"{_unit(game_data, fighter.unit)} rolls {dice}: {counted(fighter.hits, 'hit')} with {chance}"


def _fell_back(game_data: GameData, fact: facts.FellBack) -> Sentence:
    return Sentence(
        f"{_people(fact.side)} retreat from {_place(game_data, fact.at)}, and take a hit less", at=(fact.at,)
    )


def _stood(game_data: GameData, fact: facts.Stood) -> Sentence:
    return Sentence(f"{_people(fact.side)} stand in {_place(game_data, fact.at)}", at=(fact.at,))


def _hit(game_data: GameData, fact: facts.Hit) -> Sentence:
    return Sentence(f"{_unit(game_data, fact.unit)} loses {counted(fact.points, 'point')} of strength", at=(fact.at,))


def _eliminated(game_data: GameData, fact: facts.Eliminated) -> Sentence:
    return Sentence(f"{_unit(game_data, fact.unit)} is eliminated{_points(fact.points)}", at=(fact.at,))


def _went(verb: str) -> Any:
    def say(game_data: GameData, fact: facts.Retreated | facts.BrokeThrough) -> Sentence:
        where = f"from {_place(game_data, fact.start)} to {_place(game_data, fact.to)}"
        return Sentence(f"{_unit(game_data, fact.unit)} {verb} {where}", at=(fact.start, fact.to))

    return say


# --- questions -------------------------------------------------------------------------------------------------------

_ABOUT = {
    Decision.ACTIVATIONS: "which space they activate",
    Decision.PASSES: "whether they pass",
    Decision.COMBATS: "which combat comes first",
    Decision.LOSSES: "who takes the hits",
    Decision.RETREATS: "whether they retreat",
    Decision.BREAKTHROUGHS: "who breaks through",
}


def _asked(game_data: GameData, fact: facts.Asked) -> str:
    at = f" in {_place(game_data, fact.question.at)}" if fact.question.at else ""
    return f"{_people(fact.question.side)} are asked {_ABOUT[fact.question.about]}{at}"


def _wished(_game_data: GameData, fact: facts.Wished) -> str:
    return f"{_people(fact.side)} want to be asked about {list_of([each.value for each in fact.decisions])}"


# --- the end and rulings ---------------------------------------------------------------------------------------------


def _ended(_game_data: GameData, fact: facts.Ended) -> str:
    result = "a draw" if fact.winner is None else f"{PEOPLE[fact.winner]} win"
    return f"The game is over: {result}, with {counted(fact.points, 'German point')}"


def _sign_set(game_data: GameData, fact: facts.SignSet) -> str:
    return f"{_unit(game_data, fact.unit)} {'is' if fact.on else 'is not'} marked as {fact.sign.value}"


SENTENCES: Mapping[type, Say] = {
    Rolled: lambda _game_data, fact: rolled(fact),
    Noted: lambda _game_data, fact: f"Note of the {SIDE_NAMES[fact.side]} side: {fact.text}",
    facts.SupplyChecked: _supply,
    facts.Starved: lambda data, fact: f"{_unit(data, fact.unit)} loses a point of strength for want of supply",
    facts.MeuseReached: _meuse_reached,
    facts.BritishFreed: lambda _data, _fact: "Germans are at the Meuse: British units may cross it from now on",
    facts.Arrived: _arrived,
    facts.Delayed: lambda data, fact: f"{_unit(data, fact.unit)} has no space to arrive in, and waits",
    facts.Marked: lambda data, fact: f"The Allies mark as short of fuel: {_units(data, fact.units) or 'nobody'}",
    facts.RanDry: lambda data, fact: f"Short of fuel today: {_units(data, fact.units or fact.seen)}",
    facts.Replaced: lambda data, fact: f"{_unit(data, fact.unit)} receives a replacement point",
    facts.CommandoStruck: _commando,
    facts.CommandoLapsed: lambda data, fact: f"The commando operation finds no {_unit(data, fact.unit)} on the map",
    facts.Wished: _wished,
    facts.Asked: _asked,
    facts.Unanswered: lambda _data, fact: (
        f"{_people(fact.side)} have not answered: their lines and the defaults decide"
    ),
    facts.Passed: lambda _data, fact: f"{_people(fact.side)} pass",
    facts.Activated: _activated,
    facts.Moved: _moved,
    facts.CouldNotMove: lambda data, fact: f"{_unit(data, fact.unit)} cannot go on: {fact.why}",
    facts.Exited: _exited,
    facts.Taken: _taken,
    facts.ContestedNow: _contested,
    facts.CombatsDue: _due,
    facts.Joined: lambda data, fact: f"{_units(data, fact.units)} in {_place(data, fact.at)} join the combat",
    facts.Fought: _fought,
    facts.Stood: _stood,
    facts.FellBack: _fell_back,
    facts.Hit: _hit,
    facts.Eliminated: _eliminated,
    facts.Retreated: _went("retreats"),
    facts.BrokeThrough: _went("breaks through"),
    facts.Ended: _ended,
    facts.UnitPlaced: lambda data, fact: f"{_unit(data, fact.unit)} is put in {_place(data, fact.at)}",
    facts.StrengthSet: lambda data, fact: f"{_unit(data, fact.unit)} has strength {fact.strength}",
    facts.UnitRemoved: lambda data, fact: f"{_unit(data, fact.unit)} is taken off the map",
    facts.SignSet: _sign_set,
    facts.ControlSet: lambda data, fact: (
        f"{_place(data, fact.place)} is controlled by {PEOPLE[fact.side]}{_points(fact.points)}"
    ),
    facts.PointsSet: lambda _data, fact: f"The Germans have {counted(fact.points, 'point')}",
}


def _taken_in_short(game_data: GameData, taken: Sequence[facts.Taken]) -> str:
    """The spaces with points that have changed hands, by their last holder."""
    last = {fact.place: fact.side for fact in taken if game_data.spaces[fact.place].points}
    parts = []
    for side in SIDES:
        names = [_place(game_data, place) for place, holder in last.items() if holder == side]
        if names:
            parts.append(f"{PEOPLE[side]} take {list_of(names)}")
    text = "; ".join(parts)
    return text[:1].upper() + text[1:]


HEADLINES: Mapping[type, Headline] = {
    facts.Ended: lambda data, ended: _ended(data, ended[-1]),
    facts.Taken: _taken_in_short,
    facts.Eliminated: lambda data, lost: f"Eliminated: {_units(data, [fact.unit for fact in lost])}",
    facts.MeuseReached: lambda _data, _fact: "The Germans are beyond the Meuse",
}
