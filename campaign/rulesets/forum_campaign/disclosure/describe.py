"""What a report says of what an audience was told. Nothing else is known here."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from campaign.engine.facts import Noted, Rolled, Told
from campaign.engine.ids import SideId, UnitId
from campaign.engine.modifiers import Modifier, explain, total
from campaign.engine.sentences import Say, Sentence, rolled, sentence_for
from campaign.rulesets.forum_campaign.day.digging import works
from campaign.rulesets.forum_campaign.day.supply import why_unsupplied
from campaign.rulesets.forum_campaign.disclosure.describe_air import AIR_SENTENCES
from campaign.rulesets.forum_campaign.disclosure.describe_units import UNIT_SENTENCES
from campaign.rulesets.forum_campaign.disclosure.sentences import Speaker, words_of
from campaign.rulesets.forum_campaign.model.calendar import MORNING, title_of
from campaign.rulesets.forum_campaign.model.facts.battle import (
    Advanced,
    AttackLapsed,
    BattleFought,
    BattleOpened,
    BattleRuled,
    Cause,
    Decision,
    Destroyed,
    Retreated,
    Weakened,
)
from campaign.rulesets.forum_campaign.model.facts.day import (
    CampaignEnded,
    Controlled,
    CutOff,
    DepotCaptured,
    DepotSet,
    FuelReceived,
    FuelSet,
    FuelSpent,
    Resupplied,
    Turned,
    WeatherSet,
)
from campaign.rulesets.forum_campaign.model.facts.movement import Moved, StrengthSet, UnitPlaced
from campaign.rulesets.forum_campaign.model.game_data import Theatre
from campaign.rulesets.forum_campaign.model.reasons import HALTS, LAPSES
from campaign.rulesets.forum_campaign.model.state import Combatant, State, Winner
from campaign.rulesets.forum_campaign.model.words import PEOPLE, SIDE_NAMES, plural, tanks_in_words


def describe(theatre: Theatre, known: State, told: Told[Any]) -> Sentence | None:
    """The sentence for a face, or None where a report has nothing to say of it."""
    return sentence_for(told, _RULED if told.ruling else _SENTENCES, Speaker(theatre, known))


def section_titles(told: Sequence[Told[Any]]) -> list[str]:
    """The title of each line's section: its phase; mornings have their date."""
    dates = [line.face.date for line in told if isinstance(line.face, Turned) and line.phase == MORNING.key]
    morning = f"Morning of {dates[-1]:%-d %B}" if dates else MORNING.title
    return [morning if line.phase == MORNING.key else title_of(line.phase) for line in told]


def _weather(_speaker: Speaker, face: WeatherSet) -> Sentence:
    today = face.today
    return Sentence(
        f"Weather: {today.condition.value}; air units Allied {today.allied_air:+d}, German {today.german_air:+d}"
    )


def _moved(speaker: Speaker, face: Moved) -> Sentence:
    unit = speaker.unit(face.side, face.unit)
    way = "-".join(face.path)
    if not face.path:
        text = f"{unit} stays at {face.start or 'its entry'}"
    elif face.start is None:
        text = f"{unit} comes onto the map and moves {way}"
    else:
        text = f"{unit} moves {face.start}-{way}"
    text += f" ({face.spent} {plural('point', face.spent)})"
    if face.halt is not None:
        text += f"; it stops before {speaker.place(face.before)}: {HALTS[face.halt].reported}" if face.before else ""
    costs = ", ".join(f"{reason.reason} {reason.amount:+d}" for reason in face.reasons)
    return Sentence(text, (costs,) if costs else (), tuple(filter(None, (face.start, *face.path))))


def _lapsed(speaker: Speaker, face: AttackLapsed) -> Sentence:
    target = f" on {speaker.place(face.at)}" if face.at else ""
    return Sentence(
        f"The attack of {speaker.unit(face.side, face.unit)}{target} does not come about: {LAPSES[face.lapse].reported}"
    )


def _battle_opened(speaker: Speaker, face: BattleOpened) -> Sentence:
    battle = face.battle
    attackers, defenders = roll_call(battle.attackers), roll_call(battle.defenders)
    verb = "attack" if len(battle.attackers) > 1 else "attacks"
    reasons = tuple(f"{kind}: {what}" for kind, what in works(speaker.theatre, battle))
    return Sentence(f"Battle of {speaker.place(battle.at)}: {attackers} {verb} {defenders}", reasons, (battle.at,))


def roll_call(fighters: Sequence[Combatant]) -> str:
    """Units by name: 1 SS and 12 SS."""
    return " and ".join(fighter.label for fighter in fighters)


def _battle_fought(speaker: Speaker, face: BattleFought) -> Sentence:
    outcome = "the attackers take it" if face.winner is Winner.ATTACKERS else "the defenders hold"
    text = f"Battle of {speaker.place(face.at)}: {outcome}{_DECISIONS[face.decision]}"
    reasons = (_strength(side, parts) for side, parts in face.reasons.items())
    return Sentence(text, tuple(reasons), (face.at,))


def _strength(side: SideId, parts: Sequence[Modifier]) -> str:
    """R12.11 A side's strength in a resolved battle: German strength 133: 2 Pz at 100 % +146, Wet (-10 %) -13."""
    named = ", ".join(f"{part.reason} {part.amount:+d}" for part in parts)
    return f"{SIDE_NAMES[side]} strength {total(parts)}: {named}"


_DECISIONS: Mapping[Decision, str] = {
    Decision.REPORTED: "",
    Decision.UNREPORTED: " (no result was reported: it counts as a defence without losses)",
    Decision.WITHDRAWN: "; the defenders withdraw",
    Decision.RESOLVED: " (decided by the rules' own resolver)",
}


def _battle_ruled(speaker: Speaker, face: BattleRuled) -> Sentence:
    fates = [f"{_any_side(speaker, unit)} loses {lost} %" for unit, lost in face.losses.items() if lost]
    fates += [f"{_any_side(speaker, unit)} loses {tanks_in_words(lost)}" for unit, lost in face.tanks.items()]
    fates += [f"{_any_side(speaker, unit)} retreats to {speaker.place(to)}" for unit, to in face.retreats.items()]
    fates += [f"{_any_side(speaker, face.advance)} moves in"] if face.advance else []
    fates += [f"{_any_side(speaker, unit)} pursues to {speaker.place(to)}" for unit, to in face.pursuers.items()]
    withdrawn = "" if face.minute is None else f", the defenders withdrawing in minute {face.minute}"
    text = "; ".join([f"the {face.winner.value} have won the battle of {speaker.place(face.at)}{withdrawn}", *fates])
    return Sentence(text, (), (face.at,))


def _any_side(speaker: Speaker, unit: UnitId) -> str:
    """The label of a unit, of any side that the audience knows."""
    owners = (side for side, own in speaker.known.own.items() if unit in own.units or unit in own.lost)
    return speaker.unit(next(owners), unit)


def _weakened(speaker: Speaker, face: Weakened) -> Sentence:
    unit = speaker.record(face.side, face.unit)
    size = ", task force size" if face.small and not unit.small_from_start else ""
    return Sentence(f"{unit.label} loses {face.lost} %: {face.strength} % left{size}")


def _destroyed(speaker: Speaker, face: Destroyed) -> Sentence:
    return Sentence(f"{face.label} is destroyed at {speaker.place(face.at)}, {_CAUSES[face.cause]}", (), (face.at,))


_CAUSES: Mapping[Cause, str] = {
    Cause.LOSSES: "by losses",
    Cause.NO_RETREAT: "having no way to retreat",
    Cause.RULING: "by the GM",
}


def _retreated(speaker: Speaker, face: Retreated) -> Sentence:
    way = "".join(f" by {place}" for place in face.through)
    text = f"{speaker.unit(face.side, face.unit)} retreats from {face.start}{way} to {speaker.place(face.to)}"
    if face.wanted is None:
        text += ", no hex having been chosen"
    elif face.wanted != face.to:
        text += f", since {speaker.place(face.wanted)} was not free"
    return Sentence(text, (), (face.start, *face.through, face.to))


def _advanced(speaker: Speaker, face: Advanced) -> Sentence:
    fuel = ", which counts as a move" if face.counts else ""
    text = f"{speaker.unit(face.side, face.unit)} advances from {face.start} to {speaker.place(face.to)}{fuel}"
    return Sentence(text, (), (face.start, face.to))


def _cut_off(speaker: Speaker, face: CutOff) -> Sentence:
    """R7.1 With the reason: where the best supply route is blocked, as far as the side knows."""
    blockade = why_unsupplied(speaker.theatre, speaker.known, face.side, speaker.record(face.side, face.unit))
    return replace(_ruled_cut_off(speaker, face), reasons=words_of(speaker.theatre, blockade, unbarred=_UNSEEN))


def _ruled_cut_off(speaker: Speaker, face: CutOff) -> Sentence:
    """Without a reason: it is the GM's ruling."""
    unit = speaker.record(face.side, face.unit)
    return Sentence(f"{unit.label} is cut off: unsupplied", (), (unit.at,) if unit.at else ())


_UNSEEN = "barred by an enemy you do not see"


def _fuel_spent(_speaker: Speaker, face: FuelSpent) -> Sentence:
    return Sentence(f"Fuel spent: {face.points} {plural('point', face.points)}", explain(face.reasons))


def _depot(speaker: Speaker, face: DepotCaptured) -> Sentence:
    gain = f"{face.value} {plural('point', face.value)} of fuel"
    return Sentence(f"The Germans capture the depot of {speaker.place(face.place)}: {gain}", (), (face.place,))


def _ended(_speaker: Speaker, face: CampaignEnded) -> Sentence:
    points = ", ".join(f"{SIDE_NAMES[side]} {face.points[side]}" for side in sorted(face.points, reverse=True))
    result = "a draw" if face.winner is None else f"{SIDE_NAMES[face.winner]} victory"
    return Sentence(f"The campaign is over: {result}. Victory points: {points}")


_SENTENCES: Mapping[type, Say] = {
    Rolled: lambda _speaker, face: rolled(face),
    WeatherSet: _weather,
    FuelReceived: lambda _speaker, face: Sentence(f"German fuel: {face.points} points arrive"),
    FuelSpent: _fuel_spent,
    FuelSet: lambda _speaker, face: Sentence(f"the German reserve is {face.points} points"),
    Moved: _moved,
    UnitPlaced: lambda speaker, face: Sentence(
        f"{speaker.unit(face.side, face.unit)} is put at {speaker.place(face.at)}", (), (face.at,)
    ),
    DepotSet: lambda speaker, face: Sentence(f"the depot of {speaker.place(face.place)} is {face.status.value}"),
    AttackLapsed: _lapsed,
    BattleOpened: _battle_opened,
    BattleRuled: _battle_ruled,
    BattleFought: _battle_fought,
    Weakened: _weakened,
    StrengthSet: lambda speaker, face: Sentence(
        f"{speaker.unit(face.side, face.unit)} has a strength of {face.strength} %"
    ),
    Destroyed: _destroyed,
    Retreated: _retreated,
    Advanced: _advanced,
    CutOff: _cut_off,
    Resupplied: lambda speaker, face: Sentence(f"{speaker.unit(face.side, face.unit)} is in supply again"),
    DepotCaptured: _depot,
    Controlled: lambda speaker, face: Sentence(
        f"{speaker.place(face.place)} is in the hands of {PEOPLE[face.side]}", (), (face.place,)
    ),
    Noted: lambda _speaker, face: Sentence(f"Note of the {SIDE_NAMES[face.side]} side: {face.text}"),
    CampaignEnded: _ended,
    **AIR_SENTENCES,
    **UNIT_SENTENCES,
}

_RULED: Mapping[type, Say] = {**_SENTENCES, CutOff: _ruled_cut_off}
"""The sentences of rulings."""
