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
from campaign.rulesets.forum_campaign.model.game_data import Box
from campaign.rulesets.forum_campaign.model.words import BOX_NAMES, PEOPLES, SIDE_NAMES, counted


def _forecast(_speaker: Speaker, fact: Forecast) -> Sentence:
    return Sentence(f"Weather forecast for tomorrow: {fact.tomorrow.condition.value}")


def _available(_speaker: Speaker, fact: AirAvailable) -> Sentence:
    return Sentence(f"{SIDE_NAMES[fact.side]} air units today: {fact.units}")


def _allocated(_speaker: Speaker, fact: AirAllocated) -> Sentence:
    """In the order of the boxes, not in that of the line, which is its side's alone."""
    boxes = ", ".join(f"{units} for {BOX_NAMES[box]}" for box in Box if (units := fact.boxes.get(box)))
    return Sentence(f"{SIDE_NAMES[fact.side]} air units: {boxes or 'none allocated'}")


def _superiority(_speaker: Speaker, fact: SuperiorityWon) -> Sentence:
    if fact.side is None:
        return Sentence("Neither side has air superiority")
    removed = f" and may remove {counted(fact.removals, 'enemy air unit')}" if fact.removals else ""
    return Sentence(f"The {PEOPLES[fact.side]} win air superiority{removed}")


def _removed(_speaker: Speaker, fact: AirRemoved) -> Sentence:
    return Sentence(f"The {PEOPLES[fact.side]} lose an air unit for {BOX_NAMES[fact.box]}")


def _planned(speaker: Speaker, fact: MissionsPlanned) -> Sentence:
    missions, jump = fact.missions, fact.missions.jump
    parts = [f"air drop for {speaker.unit(fact.side, unit)}" for unit in missions.drops]
    parts += [
        f"interdiction of {speaker.place(target.at)} with {counted(target.air_units, 'air unit')}"
        for target in missions.interdictions
    ]
    parts += [f"{speaker.unit(fact.side, jump.unit)} jumps over {speaker.place(jump.at)}"] if jump else []
    boxes = ", ".join(BOX_NAMES[box] for box in missions.priorities)
    parts += [f"enemy air units to remove first: {boxes}"] if boxes else []
    return Sentence(f"Air missions planned: {'; '.join(parts) or 'none'}")


def _dropped(speaker: Speaker, fact: AirDropped) -> Sentence:
    where = (fact.at,) if fact.at else ()
    return Sentence(f"{speaker.unit(fact.side, fact.unit)} is supplied by air drop", (), where)


def _interdicted(speaker: Speaker, fact: Interdicted) -> Sentence:
    if fact.success and fact.unit is not None and fact.side is not None and fact.side in speaker.known.own:
        unit = speaker.unit(fact.side, fact.unit)
        return Sentence(f"Interdiction hits {unit} at {speaker.place(fact.at)}: it is out of supply", (), (fact.at,))
    outcome = "succeeds: the unit there is out of supply" if fact.success else "fails"
    return Sentence(f"Interdiction of {speaker.place(fact.at)} {outcome}", (), (fact.at,))


def _close_support(speaker: Speaker, fact: CloseSupport) -> Sentence:
    units = counted(fact.air_units, "air unit")
    return Sentence(f"Close air support for {speaker.unit(fact.side, fact.unit)}: {units}")


_LANDINGS: Mapping[Landing, str] = {
    Landing.NORMAL: "lands in good order",
    Landing.SCATTERED: "lands scattered",
    Landing.ELIMINATED: "is lost in the jump",
}


def landed(speaker: Speaker, fact: Landed) -> Sentence:
    if fact.landing is Landing.CALLED_OFF:
        return Sentence(f"{speaker.unit(fact.side, fact.unit)} does not jump: no hex of the drop zone is free")
    drift = f", off its target {speaker.place(fact.wanted)}" if fact.wanted != fact.at else ""
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
    Landed: landed,
}
