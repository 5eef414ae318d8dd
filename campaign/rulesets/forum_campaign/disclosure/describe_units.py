"""What a report says of units, besides moving and fighting."""

from collections.abc import Callable, Mapping
from typing import Any

from campaign.engine.modifiers import explain
from campaign.engine.sentences import Sentence
from campaign.rulesets.forum_campaign.day.digging import LEVELS
from campaign.rulesets.forum_campaign.disclosure.sentences import Speaker
from campaign.rulesets.forum_campaign.model.facts.battle import (
    Absorbed,
    AdvanceOrdered,
    ArtilleryNamed,
    Beaten,
    Pursued,
    Supported,
    TanksLost,
)
from campaign.rulesets.forum_campaign.model.facts.day import Demolished, Dug, PositionGone, Reinforced
from campaign.rulesets.forum_campaign.model.facts.movement import (
    CommandoSearched,
    CommandosGone,
    Detached,
    Followed,
    Following,
    Plotted,
    Rejoined,
    Resized,
    TaskForceDenied,
)
from campaign.rulesets.forum_campaign.model.game_data import Goods
from campaign.rulesets.forum_campaign.model.reasons import DENIALS
from campaign.rulesets.forum_campaign.model.state import TankLosses
from campaign.rulesets.forum_campaign.model.words import plural, received, tanks_in_words


def _searched(speaker: Speaker, face: CommandoSearched) -> Sentence:
    outcome = "is found and eliminated" if face.eliminated else "stays undiscovered"
    return Sentence(f"The commando {face.label} at {speaker.place(face.at)} {outcome}", (), (face.at,))


def _gone(speaker: Speaker, face: CommandosGone) -> Sentence:
    labels = ", ".join(speaker.unit(face.side, unit) for unit in face.units)
    return Sentence(f"The commandos' time is over: {labels} leave the map")


def _demolished(speaker: Speaker, face: Demolished) -> Sentence:
    place = speaker.place(face.place)
    text = (
        f"The depot of {place} is destroyed" if face.destroyed else f"An attempt to destroy the depot of {place} fails"
    )
    return Sentence(text, explain(face.reasons), (face.place,))


def _detached(speaker: Speaker, face: Detached) -> Sentence:
    force = face.task_force
    tanks = f" and {force.tanks} {plural('tank', force.tanks)}" if force.tanks else ""
    return Sentence(f"{speaker.unit(face.side, face.parent)} detaches {force.label}: {force.strength} %{tanks}")


def _rejoined(speaker: Speaker, face: Rejoined) -> Sentence:
    return Sentence(f"{speaker.unit(face.side, face.unit)} rejoins {speaker.unit(face.side, face.parent)}")


def _denied(speaker: Speaker, face: TaskForceDenied) -> Sentence:
    verb = "does not rejoin" if speaker.record(face.side, face.unit).parent else "creates no task force"
    return Sentence(f"{speaker.unit(face.side, face.unit)} {verb}: {DENIALS[face.denial]}")


def _resized(speaker: Speaker, face: Resized) -> Sentence:
    size = "has fallen to task force size" if face.small else "is full size again"
    return Sentence(f"{speaker.unit(face.side, face.unit)} {size}")


def _plotted(speaker: Speaker, face: Plotted) -> Sentence:
    return Sentence(
        f"{speaker.unit(face.side, face.unit)} will go on to {face.path[-1]} after the battles", (), face.path
    )


def _artillery(speaker: Speaker, face: ArtilleryNamed) -> Sentence:
    units = ", ".join(speaker.unit(face.side, unit) for unit in face.units)
    return Sentence(f"Heavy artillery for the battles of {units or 'nobody'}")


def _supported(speaker: Speaker, face: Supported) -> Sentence:
    units = face.support.air_units
    planes = units * speaker.theatre.charts.air.planes
    parts = [f"{units} air {plural('unit', units)} ({planes} planes)"] if units else []
    parts += ["heavy artillery"] if face.support.artillery else []
    return Sentence(f"In support at {speaker.place(face.at)}: {' and '.join(parts)}", (), (face.at,))


def _following(speaker: Speaker, face: Following) -> Sentence:
    leader = speaker.unit(face.side, face.leader)
    until = f", as far as {speaker.place(face.until)}" if face.until else ""
    return Sentence(f"{speaker.unit(face.side, face.unit)} will go along if {leader} advances{until}")


def _followed(speaker: Speaker, face: Followed) -> Sentence:
    text = f"{speaker.unit(face.side, face.unit)} goes along from {face.start} to {speaker.place(face.to)}"
    return Sentence(text, (), (face.start, face.to))


def _beaten(speaker: Speaker, face: Beaten) -> Sentence | None:
    """None if the retreat follows at once: it has its own sentence."""
    if not speaker.known.open.options.separate_retreats or face.wanted is not None:
        return None
    return Sentence(f"{speaker.unit(face.side, face.unit)} is beaten and must retreat")


def _advance_ordered(speaker: Speaker, face: AdvanceOrdered) -> Sentence | None:
    """The same for a victor's advance."""
    if not speaker.known.open.options.separate_retreats:
        return None
    moves = [f"{speaker.unit(face.side, face.unit)} moves in"] if face.unit else []
    moves += [f"{speaker.unit(face.side, unit)} pursues to {speaker.place(to)}" for unit, to in face.pursuers.items()]
    return Sentence(f"After the victory at {speaker.place(face.at)}: {'; '.join(moves)}")


def _tanks_lost(speaker: Speaker, face: TanksLost) -> Sentence:
    lost = tanks_in_words(TankLosses(face.medium, face.heavy))
    return Sentence(f"{speaker.unit(face.side, face.unit)} loses {lost}")


def _pursued(speaker: Speaker, face: Pursued) -> Sentence:
    unit, wanted = speaker.unit(face.side, face.unit), speaker.place(face.wanted)
    way = "-".join((face.start, *face.path))
    if not face.path:
        return Sentence(f"{unit} stays at {face.start}: {wanted} is not open to it", (), (face.start,))
    short = "" if face.path[-1] == face.wanted else f"; it stops before {wanted}, which is not open to it"
    fuel = ", which counts as a move" if face.counts else ""
    return Sentence(f"{unit} pursues {way}{fuel}{short}", (), (face.start, *face.path))


def _absorbed(speaker: Speaker, face: Absorbed) -> Sentence:
    unit, gone = speaker.unit(face.side, face.unit), speaker.unit(face.side, face.remains_of)
    text = f"{unit} takes in what is left of {gone}: {face.gained:+d} %, {face.debt} points less movement next time"
    return Sentence(text)


def _reinforced(speaker: Speaker, face: Reinforced) -> Sentence:
    unit = speaker.unit(face.side, face.unit)
    if face.goods is Goods.MEN:
        return Sentence(f"{unit} receives replacements: {face.amount:+d} %")
    (ware,) = (ware for ware in speaker.theatre.charts.purchases.wares if ware.goods is face.goods)
    return Sentence(f"{unit} receives {received(ware, face.side, face.amount)}")


def _dug(speaker: Speaker, face: Dug) -> Sentence:
    return Sentence(f"{speaker.place(face.at)} is {LEVELS[face.level]}", (), (face.at,))


def _position_gone(speaker: Speaker, face: PositionGone) -> Sentence:
    return Sentence(f"The prepared position at {speaker.place(face.at)} is given up", (), (face.at,))


UNIT_SENTENCES: Mapping[type, Callable[[Speaker, Any], Sentence | None]] = {
    CommandoSearched: _searched,
    CommandosGone: _gone,
    Demolished: _demolished,
    Detached: _detached,
    Rejoined: _rejoined,
    TaskForceDenied: _denied,
    Resized: _resized,
    Plotted: _plotted,
    ArtilleryNamed: _artillery,
    Supported: _supported,
    Following: _following,
    Followed: _followed,
    Beaten: _beaten,
    AdvanceOrdered: _advance_ordered,
    TanksLost: _tanks_lost,
    Pursued: _pursued,
    Absorbed: _absorbed,
    Reinforced: _reinforced,
    Dug: _dug,
    PositionGone: _position_gone,
}
