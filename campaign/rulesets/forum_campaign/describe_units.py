"""Faces as sentences: what units do beside moving and fighting."""

from collections.abc import Callable, Mapping
from typing import Any

from campaign.rulesets.forum_campaign.facts import (
    Absorbed,
    AdvanceOrdered,
    ArtilleryNamed,
    Beaten,
    CommandoSearched,
    CommandosGone,
    Demolished,
    Detached,
    Dug,
    Followed,
    Following,
    Plotted,
    PositionGone,
    Reinforced,
    Rejoined,
    Resized,
    Supported,
    TanksLost,
)
from campaign.rulesets.forum_campaign.sentences import Sentence, Speaker, plural
from campaign.rulesets.forum_campaign.theatre import Goods

LEVELS: Mapping[int, str] = {1: "Dug-in", 2: "Entrenched"}
"""R13 Prepared positions by their level."""


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
    return Sentence(text, (), (face.place,))


def _detached(speaker: Speaker, face: Detached) -> Sentence:
    force = face.task_force
    tanks = f" and {force.tanks} {plural('tank', force.tanks)}" if force.tanks else ""
    return Sentence(f"{speaker.unit(face.side, face.parent)} detaches {force.label}: {force.strength} %{tanks}")


def _rejoined(speaker: Speaker, face: Rejoined) -> Sentence:
    return Sentence(f"{speaker.unit(face.side, face.unit)} rejoins {speaker.unit(face.side, face.parent)}")


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
    return Sentence(f"{speaker.unit(face.side, face.unit)} will go along if {leader} advances")


def _followed(speaker: Speaker, face: Followed) -> Sentence:
    text = f"{speaker.unit(face.side, face.unit)} goes along from {face.start} to {speaker.place(face.to)}"
    return Sentence(text, (), (face.start, face.to))


def _beaten(speaker: Speaker, face: Beaten) -> Sentence:
    return Sentence(f"{speaker.unit(face.side, face.unit)} is beaten and must retreat")


def _advance_ordered(speaker: Speaker, face: AdvanceOrdered) -> Sentence:
    moves = [f"{speaker.unit(face.side, face.unit)} moves in"] if face.unit else []
    moves += [f"{speaker.unit(face.side, unit)} pursues to {speaker.place(to)}" for unit, to in face.pursuers.items()]
    return Sentence(f"After the victory at {speaker.place(face.at)}: {'; '.join(moves) or 'nobody moves in'}")


def _tanks_lost(speaker: Speaker, face: TanksLost) -> Sentence:
    kinds = [(face.medium, "medium"), (face.heavy, "heavy")]
    lost = " and ".join(f"{count} {kind} {plural('tank', count)}" for count, kind in kinds if count)
    return Sentence(f"{speaker.unit(face.side, face.unit)} loses {lost}")


def _absorbed(speaker: Speaker, face: Absorbed) -> Sentence:
    unit, gone = speaker.unit(face.side, face.unit), speaker.unit(face.side, face.remains_of)
    text = f"{unit} takes in what is left of {gone}: {face.gained:+d} %, {face.debt} points less movement next time"
    return Sentence(text)


def _reinforced(speaker: Speaker, face: Reinforced) -> Sentence:
    unit = speaker.unit(face.side, face.unit)
    if face.goods is Goods.MEN:
        return Sentence(f"{unit} receives replacements: {face.amount:+d} %")
    (name,) = (ware.names[face.side] for ware in speaker.theatre.charts.purchases.wares if ware.goods is face.goods)
    return Sentence(f"{unit} receives {face.amount} {name}")


def _dug(speaker: Speaker, face: Dug) -> Sentence:
    return Sentence(f"{speaker.place(face.at)} is {LEVELS[face.level]}", (), (face.at,))


def _position_gone(speaker: Speaker, face: PositionGone) -> Sentence:
    return Sentence(f"The prepared position at {speaker.place(face.at)} is given up", (), (face.at,))


UNIT_SENTENCES: Mapping[type, Callable[[Speaker, Any], Sentence]] = {
    CommandoSearched: _searched,
    CommandosGone: _gone,
    Demolished: _demolished,
    Detached: _detached,
    Rejoined: _rejoined,
    Resized: _resized,
    Plotted: _plotted,
    ArtilleryNamed: _artillery,
    Supported: _supported,
    Following: _following,
    Followed: _followed,
    Beaten: _beaten,
    AdvanceOrdered: _advance_ordered,
    TanksLost: _tanks_lost,
    Absorbed: _absorbed,
    Reinforced: _reinforced,
    Dug: _dug,
    PositionGone: _position_gone,
}
