"""R15.4 What a unit brings to the tactical game: by its arm and size, however strong it is."""

from collections.abc import Mapping

from campaign.engine.views import Branch
from campaign.rulesets.forum_campaign.state import Unit

_INFANTRY = (
    "1 infantry company, 1 heavy machine gun, 3 medium mortars, 1 spotter team, 1 anti-tank gun of the 76 mm class,"
    " 2 breach teams"
)
_AIRBORNE = "1 parachute company, 1 heavy machine gun, 1 medium mortar, 1 spotter team, 1 anti-tank gun, 2 breach teams"
_MECHANIZED = (
    "1 armoured infantry company with its vehicles, 1 heavy machine gun, 3 medium mortars, 1 spotter team, vehicles for"
    " guns, machine guns and mortars, 2 breach teams"
)
_ARMOUR = (
    "1 armoured infantry company with its vehicles, 1 heavy machine gun, 3 mortar half-tracks, 1 spotter team,"
    " 2 or 3 medium tanks, 1 heavy tank, 2 breach teams"
)
_TASK_FORCE = "1 infantry platoon with its vehicles and guns"

_BY_ARM: Mapping[Branch, str] = {
    Branch.INFANTRY: _INFANTRY,
    Branch.AIRBORNE: _AIRBORNE,
    Branch.MECHANIZED: _MECHANIZED,
    Branch.ARMOR: _ARMOUR,
}


def template_of(unit: Unit) -> str:
    """R15.4 A unit in the tactical game's terms; R12.7 once it has fallen to task force size, a task force's."""
    if unit.small and not unit.small_from_start:
        return _TASK_FORCE
    return _BY_ARM.get(unit.branch, _TASK_FORCE)
