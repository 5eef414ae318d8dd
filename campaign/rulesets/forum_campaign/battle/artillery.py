"""R15.3 Heavy artillery: the battles that get it."""

from dataclasses import dataclass

from campaign.engine.facts import Ledger
from campaign.engine.orders.checking import Refused, check_lines
from campaign.engine.orders.order import Checked, Submission
from campaign.engine.values.ids import PlaceId, SideId, UnitId
from campaign.engine.values.value import replace
from campaign.rulesets.forum_campaign.model.facts.battle import ArtilleryNamed, Supported
from campaign.rulesets.forum_campaign.model.game_data import SIDES, GameData
from campaign.rulesets.forum_campaign.model.orders import Artillery
from campaign.rulesets.forum_campaign.model.state import Battle, Combatant, State, Support

BARRAGES = 2
"""R15.3 Battles that heavy artillery supports in a turn, for each side."""


@dataclass(frozen=True)
class Named:
    """The units that a sheet names, in the order of its lines, and the answer to them. None: earlier ones stay."""

    units: tuple[UnitId, ...]
    checked: Checked


def check_artillery(sheet: Submission[GameData, State]) -> Named:
    """R15.3 Check whose battles get the heavy artillery. A movement sheet is checked by the units after its moves."""
    named: list[UnitId] = []

    def check(order: Artillery) -> str:
        unit = sheet.known.own[sheet.side].units.get(order.unit)
        if unit is None:
            raise Refused("gone", f"{order.unit} no longer exists", "R15.3")
        if not unit.ground:
            raise Refused("commando", f"{unit.label} is a commando, and commandos fight no battles", "R15.3")
        if unit.id in named:
            raise Refused("twice", f"a line above already names {unit.label}", "R15.3")
        named.append(unit.id)
        return f"heavy artillery for the battles of {unit.label}: choice {len(named)}"

    checked = check_lines(sheet.lines, {Artillery: check})
    return Named(tuple(named), checked)


def name_artillery(ledger: Ledger[GameData, State], sheet: Submission[GameData, State]) -> None:
    """R15.3 The units named on a sheet replace those named before."""
    named = check_artillery(sheet).units
    if named and named != ledger.state.own[sheet.side].artillery:
        ledger.emit(ArtilleryNamed(sheet.side, named), rule="R15.3")


def fire_artillery(ledger: Ledger[GameData, State]) -> None:
    """R15.3 Heavy artillery for the open battles of both sides: in the order of the names, two a turn."""
    for side in SIDES:
        for place in _wanted(ledger.state, side)[: BARRAGES - ledger.state.own[side].barrages]:
            support = ledger.state.own[side].support.get(place, Support())
            ledger.emit(Supported(side, place, replace(support, artillery=True)), rule="R15.3")


def calibre_key(side: SideId, at: PlaceId) -> str:
    """R15.3 The key of the question which calibre supports a side in a battle."""
    return f"artillery/{side}/{at}"


def _wanted(state: State, side: SideId) -> list[PlaceId]:
    """The hexes of the battles in which named units fight, in the order of the names."""
    fought = {fighter.unit: battle.at for battle in state.open.battles for fighter in _ours(battle, side)}
    return list(dict.fromkeys(fought[unit] for unit in state.own[side].artillery if unit in fought))


def _ours(battle: Battle, side: SideId) -> tuple[Combatant, ...]:
    return battle.attackers if side == battle.attacker else battle.defenders
