"""R15.4 What a unit brings to the tactical game: by its arm and size, not its strength, and what it received."""

from collections.abc import Iterator, Mapping

from campaign.engine.values.ids import SideId
from campaign.rulesets.forum_campaign.model.game_data import Branch, Goods, Purchases
from campaign.rulesets.forum_campaign.model.state import Unit
from campaign.rulesets.forum_campaign.model.words import plural

_MINIMUM_OF_TANKS = 2
"""R14.3 Medium tanks that armour has in every battle, even after losing all its own."""

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
    " 2 breach teams"
)
_TASK_FORCE = "1 infantry platoon with its vehicles and guns"

_BY_ARM: Mapping[Branch, str] = {
    Branch.INFANTRY: _INFANTRY,
    Branch.AIRBORNE: _AIRBORNE,
    Branch.MECHANIZED: _MECHANIZED,
    Branch.ARMOR: _ARMOUR,
}


def template_of(unit: Unit) -> str:
    """R15.4 A unit in the tactical game's terms; R12.7 a task force's, if it has fallen to that size."""
    tanks = ", ".join(_tanks(unit, "medium tank"))
    return f"{_company_of(unit)}, {tanks}" if tanks else _company_of(unit)


def brings(wares: Purchases, side: SideId, unit: Unit) -> str:
    """R15.4, R14.2 The same with the names of the side's tanks, and the guns it has received."""
    names = {ware.goods: ware.names[side] for ware in wares.wares}
    medium = names.get(Goods.TANKS, "medium tank")
    return ", ".join((_company_of(unit), *_tanks(unit, medium), *_guns(unit, names)))


def medium_tanks(unit: Unit) -> int:
    """R14.3 Armour brings at least two, and those it has bought; a task force only those it was given."""
    bought = unit.bought.get(Goods.TANKS, 0)
    if unit.branch is Branch.ARMOR and not unit.raised:
        return max(unit.tanks, _MINIMUM_OF_TANKS) + bought
    return unit.tanks + bought


def _company_of(unit: Unit) -> str:
    if unit.raised or (unit.small and not unit.small_from_start):
        return _TASK_FORCE
    return _BY_ARM.get(unit.branch, _TASK_FORCE)


def _tanks(unit: Unit, medium: str) -> Iterator[str]:
    if count := medium_tanks(unit):
        yield f"{count} {plural(medium, count) if medium == 'medium tank' else medium}"
    if unit.heavy_tanks:
        yield f"{unit.heavy_tanks} {plural('heavy tank', unit.heavy_tanks)}"


def _guns(unit: Unit, names: Mapping[Goods, str]) -> Iterator[str]:
    for goods, count in unit.bought.items():
        if goods is not Goods.TANKS and count:
            yield f"{count} × {names.get(goods, goods.value)} more"
