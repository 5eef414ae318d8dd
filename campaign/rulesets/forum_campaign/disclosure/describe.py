"""The sentences of reports, from disclosures only."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from campaign.engine.display.sentences import Say, Sentence, sentence_for
from campaign.engine.facts import Disclosure, Noted, Rolled
from campaign.engine.values.ids import SideId, UnitId
from campaign.engine.values.modifiers import Modifier, explain, total
from campaign.rulesets.forum_campaign.battle.outside import fought_outside
from campaign.rulesets.forum_campaign.day.digging import works
from campaign.rulesets.forum_campaign.day.supply import why_unsupplied
from campaign.rulesets.forum_campaign.disclosure.describe_air import AIR_SENTENCES
from campaign.rulesets.forum_campaign.disclosure.describe_rolls import roll
from campaign.rulesets.forum_campaign.disclosure.describe_units import UNIT_SENTENCES
from campaign.rulesets.forum_campaign.disclosure.sentences import Speaker, words_of
from campaign.rulesets.forum_campaign.model.calendar import MORNING, title_of
from campaign.rulesets.forum_campaign.model.facts.battle import (
    Advanced,
    AttackCancelled,
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
from campaign.rulesets.forum_campaign.model.game_data import PEOPLE, GameData, enemy_of
from campaign.rulesets.forum_campaign.model.reasons import CANCEL_REASONS, STOP_REASONS
from campaign.rulesets.forum_campaign.model.state import Combatant, State, Winner
from campaign.rulesets.forum_campaign.model.words import (
    SIDE_NAMES,
    counted,
    final_result,
    listed,
    tanks_in_words,
)


def describe(game_data: GameData, known: State, disclosed: Disclosure[Any]) -> Sentence | None:
    """The sentence for a disclosure, or None if the report does not mention it."""
    return sentence_for(disclosed, _RULED if disclosed.ruling else _SENTENCES, Speaker(game_data, known))


def section_titles(disclosed: Sequence[Disclosure[Any]]) -> list[str]:
    """The title of each line's section: its phase; mornings have their date."""
    dates = [line.fact.date for line in disclosed if isinstance(line.fact, Turned) and line.phase == MORNING.key]
    morning = f"Morning of {dates[-1]:%-d %B}" if dates else MORNING.title
    return [morning if line.phase == MORNING.key else title_of(line.phase) for line in disclosed]


def _weather(_speaker: Speaker, fact: WeatherSet) -> Sentence:
    today = fact.today
    modifiers = f"air unit modifiers: Germans {today.german_air:+d}, Allies {today.allied_air:+d}"
    return Sentence(f"Weather: {today.condition.value}; {modifiers}")


def _moved(speaker: Speaker, fact: Moved) -> Sentence:
    unit = speaker.unit(fact.side, fact.unit)
    way = "-".join(fact.path)
    if not fact.path:
        text = f"{unit} stays at {fact.start}" if fact.start else f"{unit} does not enter the map"
    elif fact.start is None:
        text = f"{unit} enters the map and moves {way}"
    else:
        text = f"{unit} moves {fact.start}-{way}"
    text += f" ({counted(fact.spent, 'point')})"
    if fact.stop_reason is not None and fact.before:
        stopped = "cannot enter" if not fact.path else "stops before"
        text += f"; it {stopped} {speaker.place(fact.before)}: {STOP_REASONS[fact.stop_reason].reported}"
    costs = ", ".join(f"{reason.reason} {reason.amount:+d}" for reason in fact.reasons)
    return Sentence(text, (costs,) if costs else (), tuple(filter(None, (fact.start, *fact.path))))


def _attack_cancelled(speaker: Speaker, fact: AttackCancelled) -> Sentence:
    target = f" {speaker.place(fact.at)}" if fact.at else ""
    return Sentence(
        f"{speaker.unit(fact.side, fact.unit)} does not attack{target}: {CANCEL_REASONS[fact.cancel_reason].reported}"
    )


def _battle_opened(speaker: Speaker, fact: BattleOpened) -> Sentence:
    battle = fact.battle
    attackers, defenders = roll_call(battle.attackers), roll_call(battle.defenders)
    verb = "attack" if len(battle.attackers) > 1 else "attacks"
    reasons = tuple(f"{kind}: {what}" for kind, what in works(speaker.game_data, battle))
    resolver = battle in speaker.known.open.battles and battle not in fought_outside(speaker.known.open)
    decided = "; the resolver decides it" if resolver else ""
    text = f"{speaker.battle(battle.at)}: {attackers} {verb} {defenders}{decided}"
    return Sentence(text, reasons, (battle.at,))


def roll_call(fighters: Sequence[Combatant]) -> str:
    """Units by name: 1 SS, 12 SS and 3 FJ."""
    return listed([fighter.label for fighter in fighters])


def _battle_fought(speaker: Speaker, fact: BattleFought) -> Sentence:
    won = fact.winner is Winner.ATTACKERS
    outcome = f"{PEOPLE[fact.attacker]} win" if won else f"{PEOPLE[enemy_of(fact.attacker)]} hold"
    text = f"{speaker.battle(fact.at)}: {outcome}{_DECISIONS[fact.decision]}"
    reasons = (_strength(side, parts) for side, parts in fact.reasons.items())
    return Sentence(text, tuple(reasons), (fact.at,))


def _strength(side: SideId, parts: Sequence[Modifier]) -> str:
    """R12.11 A side's strength in a resolved battle: German strength 133: 2 Pz at 100 % +146, Wet (-10 %) -13."""
    named = ", ".join(f"{part.reason} {part.amount:+d}" for part in parts)
    return f"{SIDE_NAMES[side]} strength {total(parts)}: {named}"


_DECISIONS: Mapping[Decision, str] = {
    Decision.REPORTED: "",
    Decision.UNREPORTED: " (no result was reported, so nobody has losses)",
    Decision.WITHDRAWN: "; the defenders withdraw",
    Decision.RESOLVED: " (decided by the resolver)",
}


def _battle_ruled(speaker: Speaker, fact: BattleRuled) -> Sentence:
    fates = [f"{_any_side(speaker, unit)} loses {lost} %" for unit, lost in fact.losses.items() if lost]
    fates += [f"{_any_side(speaker, unit)} loses {tanks_in_words(lost)}" for unit, lost in fact.tanks.items()]
    fates += [f"{_any_side(speaker, unit)} retreats to {speaker.place(to)}" for unit, to in fact.retreats.items()]
    fates += [f"{_any_side(speaker, fact.advance)} advances"] if fact.advance else []
    fates += [f"{_any_side(speaker, unit)} pursues to {speaker.place(to)}" for unit, to in fact.pursuers.items()]
    withdrawn = [] if fact.minute is None else [f"the defenders withdraw in minute {fact.minute}"]
    text = "; ".join([f"the {fact.winner.value} win the battle of {speaker.place(fact.at)}", *withdrawn, *fates])
    return Sentence(text, (), (fact.at,))


def _any_side(speaker: Speaker, unit: UnitId) -> str:
    """The label of a unit, of any side that the audience knows."""
    owners = (side for side, own in speaker.known.own.items() if unit in own.units or unit in own.lost)
    return speaker.unit(next(owners), unit)


def _weakened(speaker: Speaker, fact: Weakened) -> Sentence:
    unit = speaker.record(fact.side, fact.unit)
    size = " and counts as small" if fact.small and not unit.small_from_start else ""
    return Sentence(f"{unit.label} loses {fact.lost} %, has {fact.strength} % left{size}")


def _destroyed(speaker: Speaker, fact: Destroyed) -> Sentence:
    return Sentence(f"{fact.label} is destroyed at {speaker.place(fact.at)}: {_CAUSES[fact.cause]}", (), (fact.at,))


_CAUSES: Mapping[Cause, str] = {
    Cause.LOSSES: "too many losses",
    Cause.NO_RETREAT: "it could not retreat",
    Cause.RULING: "decided by the GM",
}


def _retreated(speaker: Speaker, fact: Retreated) -> Sentence:
    way = f" through {listed(fact.through)}" if fact.through else ""
    text = f"{speaker.unit(fact.side, fact.unit)} retreats from {fact.start}{way} to {speaker.place(fact.to)}"
    if fact.wanted is None:
        text += "; no retreat hex was chosen"
    elif fact.wanted != fact.to:
        text += f"; the hex chosen, {speaker.place(fact.wanted)}, was not open"
    return Sentence(text, (), (fact.start, *fact.through, fact.to))


def _advanced(speaker: Speaker, fact: Advanced) -> Sentence:
    fuel = ", which counts as a move" if fact.counts else ""
    text = f"{speaker.unit(fact.side, fact.unit)} advances from {fact.start} to {speaker.place(fact.to)}{fuel}"
    return Sentence(text, (), (fact.start, fact.to))


def _cut_off(speaker: Speaker, fact: CutOff) -> Sentence:
    """R7.1 With the reason: where the best supply route is blocked, as far as the side knows."""
    blockade = why_unsupplied(speaker.game_data, speaker.known, fact.side, speaker.record(fact.side, fact.unit))
    return replace(_ruled_cut_off(speaker, fact), reasons=words_of(speaker.game_data, blockade, unbarred=_UNSEEN))


def _ruled_cut_off(speaker: Speaker, fact: CutOff) -> Sentence:
    """Without a reason: it is the GM's ruling."""
    unit = speaker.record(fact.side, fact.unit)
    return Sentence(f"{unit.label} is out of supply", (), (unit.at,) if unit.at else ())


_UNSEEN = "blocked by an enemy that you do not see"


def _fuel_spent(_speaker: Speaker, fact: FuelSpent) -> Sentence:
    return Sentence(f"German fuel: {counted(fact.points, 'point')} spent", explain(fact.reasons))


def _depot(speaker: Speaker, fact: DepotCaptured) -> Sentence:
    gain = counted(fact.value, "fuel point")
    return Sentence(f"The Germans capture the depot at {speaker.place(fact.place)}: {gain}", (), (fact.place,))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _ended(_speaker: Speaker, fact: CampaignEnded) -> Sentence:
    return Sentence(final_result(fact.points, fact.winner))


_SENTENCES: Mapping[type, Say] = {
    Rolled: lambda _speaker, fact: roll(fact),
    WeatherSet: _weather,
    FuelReceived: lambda _speaker, fact: Sentence(
        f"German fuel: {counted(fact.points, 'point')} {'arrives' if fact.points == 1 else 'arrive'}"
    ),
    FuelSpent: _fuel_spent,
    FuelSet: lambda _speaker, fact: Sentence(f"the German fuel reserve is {counted(fact.points, 'point')}"),
    Moved: _moved,
    UnitPlaced: lambda speaker, fact: Sentence(
        f"{speaker.unit(fact.side, fact.unit)} is at {speaker.place(fact.at)}", (), (fact.at,)
    ),
    DepotSet: lambda speaker, fact: Sentence(f"the depot at {speaker.place(fact.place)} is {fact.status.value}"),
    AttackCancelled: _attack_cancelled,
    BattleOpened: _battle_opened,
    BattleRuled: _battle_ruled,
    BattleFought: _battle_fought,
    Weakened: _weakened,
    StrengthSet: lambda speaker, fact: Sentence(
        f"{speaker.unit(fact.side, fact.unit)} has a strength of {fact.strength} %"
    ),
    Destroyed: _destroyed,
    Retreated: _retreated,
    Advanced: _advanced,
    CutOff: _cut_off,
    Resupplied: lambda speaker, fact: Sentence(f"{speaker.unit(fact.side, fact.unit)} is in supply again"),
    DepotCaptured: _depot,
    Controlled: lambda speaker, fact: Sentence(
        f"{_capital(PEOPLE[fact.side])} take {speaker.place(fact.place)}", (), (fact.place,)
    ),
    Noted: lambda _speaker, fact: Sentence(f"Note from {PEOPLE[fact.side]}: {fact.text}"),
    CampaignEnded: _ended,
    **AIR_SENTENCES,
    **UNIT_SENTENCES,
}

_RULED: Mapping[type, Say] = {
    **_SENTENCES,
    CutOff: _ruled_cut_off,
    Controlled: lambda speaker, fact: Sentence(
        f"{PEOPLE[fact.side]} hold {speaker.place(fact.place)}", (), (fact.place,)
    ),
}
"""The sentences of rulings."""
