"""R15.2 The enemies in sight, as they may be: a bot knows names nearby and types further off, never strengths."""

from collections.abc import Iterator, Mapping

from campaign.engine.values.ids import PlaceId, SideId, UnitId
from campaign.engine.values.value import Value
from campaign.rulesets.forum_campaign.bots.assessment.odds import strength
from campaign.rulesets.forum_campaign.model.game_data import Branch, Echelon, GameData, enemy_of
from campaign.rulesets.forum_campaign.model.state import ON_FOOT, Sighting, State, Unit, UnitType, tanks_at_start

_PART = {
    Echelon.DIVISION: 1.0,
    Echelon.BRIGADE: 0.7,
    Echelon.REGIMENT: 0.45,
    Echelon.BATTALION: 0.35,
    Echelon.UNKNOWN: 0.8,
}
"""A formation's supposed part of a division."""
_WEAR = 0.015
"""The part that formations are supposed to lose in a day."""
_LEAST = 0.7
_BRANCHES = {
    UnitType.ARMOUR: Branch.ARMOR,
    UnitType.INFANTRY: Branch.INFANTRY,
    UnitType.PANZERGRENADIER: Branch.MECHANIZED,
    UnitType.CONTACT: Branch.INFANTRY,
}
_PRINTED = {True: 4, False: 3}
"""R4 Movement points, by whether a unit is mechanized, where no own unit shows them."""


class Foe(Value, frozen=True):
    """An enemy in sight."""

    at: PlaceId
    unit: Unit
    """As it may be: its arm and movement are right, unless only contact is known."""
    strength: float
    """R12.11 Supposed, before ground and support."""


def foes(game_data: GameData, known: State, side: SideId) -> tuple[Foe, ...]:
    """The enemy ground units that a side sees, by hex."""
    printed = _printed(known.own[side].units)
    wear = max(1 - _WEAR * (known.open.turn - 1), _LEAST)
    return tuple(_supposed(game_data, known, side, printed, wear))


def _supposed(
    game_data: GameData, known: State, side: SideId, printed: Mapping[bool, int], wear: float
) -> Iterator[Foe]:
    for number, seen in enumerate(known.own[side].sightings):
        if seen.type is not UnitType.COMMANDO:
            unit = _unit(seen, number, printed)
            part = _PART.get(seen.echelon, 1.0)
            yield Foe(seen.at, unit, strength(game_data, enemy_of(side), unit) * part * wear)


def _printed(units: Mapping[UnitId, Unit]) -> Mapping[bool, int]:
    """R4 The enemy's counters show the same movement as own ones of the same class."""
    own = {unit.mechanized: unit.movement for unit in units.values() if unit.ground}
    return _PRINTED | own


def _unit(seen: Sighting, number: int, printed: Mapping[bool, int]) -> Unit:
    branch = seen.branch or _BRANCHES[seen.type]
    tanks, heavy_tanks = tanks_at_start(branch)
    return Unit(
        id=seen.unit or UnitId(f"{seen.at}/{number}"),
        label=seen.label,
        name=seen.label,
        branch=branch,
        echelon=seen.echelon,
        small=False,
        small_from_start=False,
        movement=printed[branch not in ON_FOOT],
        at=seen.at,
        tanks=tanks,
        heavy_tanks=heavy_tanks,
    )
