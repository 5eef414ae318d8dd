"""What a report says of events in the air, and of landings."""

from collections.abc import Callable, Mapping
from typing import Any

from campaign.engine.sentences import Sentence
from campaign.rulesets.forum_campaign.disclosure.sentences import Speaker
from campaign.rulesets.forum_campaign.model.facts.air import (
    AirAllocated,
    AirAvailable,
    AirDropped,
    AirRemoved,
    CloseSupport,
    Forecast,
    Interdicted,
    Landed,
    Landing,
    MissionsPlanned,
    SuperiorityWon,
)
from campaign.rulesets.forum_campaign.model.words import BOX_NAMES, PEOPLE, SIDE_NAMES, plural


def _forecast(_speaker: Speaker, face: Forecast) -> Sentence:
    return Sentence(f"Forecast for tomorrow: {face.tomorrow.condition.value}")


def _available(_speaker: Speaker, face: AirAvailable) -> Sentence:
    return Sentence(f"{SIDE_NAMES[face.side]} air units today: {face.units}")


def _allocated(_speaker: Speaker, face: AirAllocated) -> Sentence:
    boxes = ", ".join(f"{BOX_NAMES[box]} {units}" for box, units in face.boxes.items() if units)
    return Sentence(f"{SIDE_NAMES[face.side]} air units: {boxes or 'none is sent out'}")


def _superiority(_speaker: Speaker, face: SuperiorityWon) -> Sentence:
    if face.side is None:
        return Sentence("Nobody has air superiority")
    removed = f", and {face.removals} enemy air {plural('unit', face.removals)} can be removed" if face.removals else ""
    return Sentence(f"Air superiority for {PEOPLE[face.side]}{removed}")


def _removed(_speaker: Speaker, face: AirRemoved) -> Sentence:
    return Sentence(f"A {SIDE_NAMES[face.side]} air unit is removed from {BOX_NAMES[face.box]}")


def _planned(speaker: Speaker, face: MissionsPlanned) -> Sentence:
    missions, jump = face.missions, face.missions.jump
    parts = [f"supply for {speaker.unit(face.side, unit)}" for unit in missions.drops]
    parts += [
        f"{target.air_units} air {plural('unit', target.air_units)} against {speaker.place(target.at)}"
        for target in missions.interdictions
    ]
    parts += [f"{speaker.unit(face.side, jump.unit)} to jump over {speaker.place(jump.at)}"] if jump else []
    parts += (
        [f"removals by the order {', '.join(BOX_NAMES[box] for box in missions.priorities)}"]
        if (missions.priorities)
        else []
    )
    return Sentence(f"Planned in the air: {'; '.join(parts) or 'nothing'}")


def _dropped(speaker: Speaker, face: AirDropped) -> Sentence:
    where = (face.at,) if face.at else ()
    return Sentence(f"{speaker.unit(face.side, face.unit)} is supplied from the air", (), where)


def _interdicted(speaker: Speaker, face: Interdicted) -> Sentence:
    if face.success and face.unit is not None and face.side is not None and face.side in speaker.known.own:
        unit = speaker.unit(face.side, face.unit)
        return Sentence(f"{unit} at {speaker.place(face.at)} is caught from the air: unsupplied", (), (face.at,))
    outcome = "succeeds: the unit there is unsupplied" if face.success else "fails"
    return Sentence(f"Interdiction of {speaker.place(face.at)} {outcome}", (), (face.at,))


def _close_support(speaker: Speaker, face: CloseSupport) -> Sentence:
    units = f"{face.air_units} air {plural('unit', face.air_units)}"
    return Sentence(f"{units} in close support of {speaker.unit(face.side, face.unit)}")


_LANDINGS: Mapping[Landing, str] = {
    Landing.NORMAL: "lands and assembles",
    Landing.SCATTERED: "lands scattered",
    Landing.ELIMINATED: "is lost in the jump",
}


def _landed(speaker: Speaker, face: Landed) -> Sentence:
    if face.landing is Landing.CALLED_OFF:
        return Sentence(f"{speaker.unit(face.side, face.unit)} does not jump: no hex of the drop zone is free")
    drift = f", having drifted from {speaker.place(face.wanted)}" if face.wanted != face.at else ""
    unit = speaker.unit(face.side, face.unit)
    return Sentence(f"{unit} {_LANDINGS[face.landing]} at {speaker.place(face.at)}{drift}", (), (face.at,))


AIR_SENTENCES: Mapping[type, Callable[[Speaker, Any], Sentence]] = {
    Forecast: _forecast,
    AirAvailable: _available,
    MissionsPlanned: _planned,
    AirAllocated: _allocated,
    SuperiorityWon: _superiority,
    AirRemoved: _removed,
    AirDropped: _dropped,
    Interdicted: _interdicted,
    CloseSupport: _close_support,
    Landed: _landed,
}
