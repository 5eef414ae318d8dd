"""R15.4 What a unit brings to the tactical game: items by its arm and size, men by its strength, what it received."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from campaign.engine.values.ids import SideId
from campaign.rulesets.forum_campaign.model.game_data import ALLIED, GERMAN, Branch, Goods, Purchases
from campaign.rulesets.forum_campaign.model.ledger import in_words, lines_in
from campaign.rulesets.forum_campaign.model.state import Unit
from campaign.rulesets.forum_campaign.model.task_forces import SHARE
from campaign.rulesets.forum_campaign.model.words import plural

_MINIMUM_OF_TANKS = 2
"""R14.3 Medium tanks that armour has in every battle, even after losing all its own."""
COMPANY_MEN = 150
"""R15.4 Ruling 74: men of a company of full establishment."""
STEPS = (50, 60, 70, 80, 90, 100)
"""R15.4 Ruling 74: headcount settings of the tactical game, in percent."""


@dataclass(frozen=True)
class Item:
    """Something that a unit brings to the tactical game."""

    count: int
    name: str
    """In words that fit the count: medium mortars."""
    note: str = ""
    """What it may be in the tactical game, or what else its players must know; empty: nothing."""

    @property
    def words(self) -> str:
        """3 medium mortars."""
        return f"{self.count} {self.name}"


@dataclass(frozen=True)
class Men:
    """R15.4 Ruling 74: the men of a company or platoon."""

    percent: int
    """Of the unit's establishment, that are in the battle."""
    full: int
    """Percent of the establishment that the company or platoon has at its full headcount."""

    @property
    def now(self) -> int:
        return _rounded(COMPANY_MEN * self.percent, 100)

    @property
    def most(self) -> int:
        return _rounded(COMPANY_MEN * self.full, 100)

    @property
    def setting(self) -> int:
        """The headcount setting nearest to it, the higher of two."""
        return max(STEPS, key=lambda step: (-abs(100 * self.percent - step * self.full), step))

    @property
    def too_few(self) -> bool:
        """Whether even the lowest setting has more men."""
        return 100 * self.percent < STEPS[0] * self.full


def _rounded(number: int, by: int) -> int:
    """The nearest whole number, the higher of two."""
    return (2 * number + by) // (2 * by)


def template_of(unit: Unit) -> str:
    """R15.4 A unit in the tactical game's terms; R12.7 a task force's, if it has fallen to that size."""
    return ", ".join(item.words for item in (*_company_of(unit), *_tanks(unit)))


def items_of(wares: Purchases, side: SideId, unit: Unit) -> Iterator[Item]:
    """R15.4, R14.2 All that a unit brings besides its men, under the names of its side: also what it received."""
    names, examples = {ware.goods: ware.names[side] for ware in wares.wares}, EXAMPLES[side]
    yield from (replace(each, note=examples.get(each.name, "")) for each in _company_of(unit))
    yield from _tanks(unit, names.get(Goods.TANKS, ""), examples["heavy tank"])
    yield from _received(unit, names)
    yield from _vehicles(unit, examples)


def men_of(unit: Unit) -> Men:
    """R15.4 Ruling 74: the men that a unit brings. A platoon is at its full headcount at the share of a task force."""
    full = (unit.raised or SHARE) if is_platoon(unit) else 100
    return Men(min(unit.strength, full), full)


def ledger_lines(unit: Unit) -> tuple[str, ...]:
    """R12.9, R12.10 What a unit brings besides: the lines of its own ledger, for its side alone."""
    return tuple(in_words(line) for line in lines_in(unit.ledger))


def medium_tanks(unit: Unit) -> int:
    """R14.3 Armour brings at least two, and those it has bought; a task force only those it was given."""
    bought = unit.bought.get(Goods.TANKS, 0)
    if unit.branch is Branch.ARMOR and not unit.raised:
        return max(unit.tanks, _MINIMUM_OF_TANKS) + bought
    return unit.tanks + bought


def is_platoon(unit: Unit) -> bool:
    """R15.4 Whether a unit is a task force, or has fallen to that size."""
    return bool(unit.raised) or (unit.small and not unit.small_from_start) or unit.branch not in _BY_ARM


# --- the items -------------------------------------------------------------------------------------------------------

_MACHINE_GUN, _SPOTTERS, _BREACH = Item(1, "heavy machine gun"), Item(1, "spotter team"), Item(2, "breach teams")
_ARMOURED = Item(1, "armoured infantry company with its vehicles")
_MORTARS = Item(3, "medium mortars")

_BY_ARM: Mapping[Branch, tuple[Item, ...]] = {
    Branch.INFANTRY: (
        Item(1, "infantry company"),
        _MACHINE_GUN,
        _MORTARS,
        _SPOTTERS,
        Item(1, "anti-tank gun of the 76 mm class"),
        _BREACH,
    ),
    Branch.AIRBORNE: (
        Item(1, "parachute company"),
        _MACHINE_GUN,
        Item(1, "medium mortar"),
        _SPOTTERS,
        Item(1, "anti-tank gun"),
        _BREACH,
    ),
    Branch.MECHANIZED: (
        _ARMOURED,
        _MACHINE_GUN,
        _MORTARS,
        _SPOTTERS,
        Item(4, "vehicles for the machine gun and the mortars"),
        _BREACH,
    ),
    Branch.ARMOR: (_ARMOURED, _MACHINE_GUN, Item(3, "mortar half-tracks"), _SPOTTERS, _BREACH),
}
_PLATOON = (Item(1, "infantry platoon with its vehicles and guns"),)

_GERMAN = {
    "infantry company": "complete, as your game has it",
    "parachute company": "complete, as your game has it",
    "infantry platoon with its vehicles and guns": "complete, as your game has it",
    "armoured infantry company with its vehicles": "complete, with Sd.Kfz. 251",
    "vehicles for the machine gun and the mortars": "Sd.Kfz. 251",
    "mortar half-tracks": "Sd.Kfz. 251/2",
    "anti-tank gun of the 76 mm class": "Pak 40, 75 mm",
    "anti-tank gun": "Pak 40, 75 mm",
    "medium mortar": "81 mm",
    "medium mortars": "81 mm",
    "spotter team": "forward observer",
    "breach teams": "pioneers",
    "heavy tank": "Panther",
}
_ALLIED = {
    "infantry company": "complete, as your game has it",
    "parachute company": "complete, as your game has it",
    "infantry platoon with its vehicles and guns": "complete, as your game has it",
    "armoured infantry company with its vehicles": "complete, with M3 half-tracks",
    "vehicles for the machine gun and the mortars": "M3 half-track",
    "mortar half-tracks": "M21",
    "anti-tank gun of the 76 mm class": "M5, 76 mm",
    "anti-tank gun": "M1, 57 mm",
    "medium mortar": "81 mm",
    "medium mortars": "81 mm",
    "spotter team": "forward observer",
    "breach teams": "engineers",
    "heavy tank": "Sherman Jumbo",
}
EXAMPLES: Mapping[SideId, Mapping[str, str]] = {GERMAN: _GERMAN, ALLIED: _ALLIED}
"""R15.4 Ruling 75: what an item may be in the tactical game, by its name."""


def _company_of(unit: Unit) -> tuple[Item, ...]:
    return _PLATOON if is_platoon(unit) else _BY_ARM[unit.branch]


def _tanks(unit: Unit, medium: str = "", heavy: str = "") -> Iterator[Item]:
    """R12.9, R14.3 Its tanks; `medium` and `heavy`: what they are on its side."""
    count = medium_tanks(unit)
    own = unit.tanks + unit.bought.get(Goods.TANKS, 0)
    if count:
        note = f"in every battle, also when all are lost; you report at most {own}" if own < count else ""
        yield Item(count, medium or plural("medium tank", count), note)
    if unit.heavy_tanks:
        yield Item(unit.heavy_tanks, plural("heavy tank", unit.heavy_tanks), heavy)


def _received(unit: Unit, names: Mapping[Goods, str]) -> Iterator[Item]:
    for goods, count in unit.bought.items():
        if goods is not Goods.TANKS and count:
            yield Item(count, f"{names.get(goods, goods.value)}, received")


def _vehicles(unit: Unit, examples: Mapping[str, str]) -> Iterator[Item]:
    """R15.4 Mechanized units have vehicles for their guns too."""
    guns = sum(count for goods, count in unit.bought.items() if goods is not Goods.TANKS)
    if guns and unit.branch is Branch.MECHANIZED and not is_platoon(unit):
        yield Item(guns, "vehicles for the guns received", examples["vehicles for the machine gun and the mortars"])
