"""The sentences of reports about events in the air, and landings."""

from collections.abc import Callable, Mapping
from typing import Any

from campaign.engine.display.sentences import Sentence
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
from campaign.rulesets.forum_campaign.model.game_data import PEOPLE
from campaign.rulesets.forum_campaign.model.words import BOX_NAMES, SIDE_NAMES, plural


def _forecast(_speaker: Speaker, fact: Forecast) -> Sentence:
    return Sentence(f"Forecast for tomorrow: {fact.tomorrow.condition.value}")


def _available(_speaker: Speaker, fact: AirAvailable) -> Sentence:
    return Sentence(f"{SIDE_NAMES[fact.side]} air units today: {fact.units}")


def _allocated(_speaker: Speaker, fact: AirAllocated) -> Sentence:
    boxes = ", ".join(f"{BOX_NAMES[box]} {units}" for box, units in fact.boxes.items() if units)
    return Sentence(f"{SIDE_NAMES[fact.side]} air units: {boxes or 'none is sent out'}")


def _superiority(_speaker: Speaker, fact: SuperiorityWon) -> Sentence:
    if fact.side is None:
        return Sentence("Nobody has air superiority")
    removed = f", and {fact.removals} enemy air {plural('unit', fact.removals)} can be removed" if fact.removals else ""
    return Sentence(f"Air superiority for {PEOPLE[fact.side]}{removed}")


def _removed(_speaker: Speaker, fact: AirRemoved) -> Sentence:
    return Sentence(f"A {SIDE_NAMES[fact.side]} air unit is removed from {BOX_NAMES[fact.box]}")


def _planned(speaker: Speaker, fact: MissionsPlanned) -> Sentence:
    missions, jump = fact.missions, fact.missions.jump
    parts = [f"supply for {speaker.unit(fact.side, unit)}" for unit in missions.drops]
    parts += [
        f"{target.air_units} air {plural('unit', target.air_units)} against {speaker.place(target.at)}"
        for target in missions.interdictions
    ]
    parts += [f"{speaker.unit(fact.side, jump.unit)} to jump over {speaker.place(jump.at)}"] if jump else []
    parts += (
        [f"removals by the order {', '.join(BOX_NAMES[box] for box in missions.priorities)}"]
        if (missions.priorities)
        else []
    )
    return Sentence(f"Planned in the air: {'; '.join(parts) or 'nothing'}")


def _dropped(speaker: Speaker, fact: AirDropped) -> Sentence:
    where = (fact.at,) if fact.at else ()
    return Sentence(f"{speaker.unit(fact.side, fact.unit)} is supplied from the air", (), where)


def _interdicted(speaker: Speaker, fact: Interdicted) -> Sentence:
    if fact.success and fact.unit is not None and fact.side is not None and fact.side in speaker.known.own:
        unit = speaker.unit(fact.side, fact.unit)
        return Sentence(f"{unit} at {speaker.place(fact.at)} is caught from the air: unsupplied", (), (fact.at,))
    outcome = "succeeds: the unit there is unsupplied" if fact.success else "fails"
    return Sentence(f"Interdiction of {speaker.place(fact.at)} {outcome}", (), (fact.at,))


def _close_support(speaker: Speaker, fact: CloseSupport) -> Sentence:
    units = f"{fact.air_units} air {plural('unit', fact.air_units)}"
    return Sentence(f"{units} in close support of {speaker.unit(fact.side, fact.unit)}")


_LANDINGS: Mapping[Landing, str] = {
    Landing.NORMAL: "lands and assembles",
    Landing.SCATTERED: "lands scattered",
    Landing.ELIMINATED: "is lost in the jump",
}


def _landed(speaker: Speaker, fact: Landed) -> Sentence:
    if fact.landing is Landing.CALLED_OFF:
        return Sentence(f"{speaker.unit(fact.side, fact.unit)} does not jump: no hex of the drop zone is free")
    drift = f", having drifted from {speaker.place(fact.wanted)}" if fact.wanted != fact.at else ""
    unit = speaker.unit(fact.side, fact.unit)
    return Sentence(f"{unit} {_LANDINGS[fact.landing]} at {speaker.place(fact.at)}{drift}", (), (fact.at,))


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
