"""R12.11 Which battles are fought outside, and which the resolver decides."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from campaign.engine.orders.checking import TO_ALL, Refused, check_lines, meant
from campaign.engine.orders.order import Checked, Submission, Understood
from campaign.engine.values.ids import PlaceId, SideId, UnitId
from campaign.rulesets.forum_campaign.model.game_data import GERMAN, GameData
from campaign.rulesets.forum_campaign.model.options import BattleMode, Options, OutsideBattles
from campaign.rulesets.forum_campaign.model.orders import Outside
from campaign.rulesets.forum_campaign.model.state import Battle, Open, State, Unit
from campaign.rulesets.forum_campaign.model.words import listed
from campaign.rulesets.forum_campaign.movement.attacks import PlannedAttack

RULE = "R12.11"


def fought_outside(open_: Open) -> tuple[Battle, ...]:
    """R12.11 The battles that wait for results from outside. They come before those that the resolver decides."""
    waiting = open_.battles
    return waiting[: most_outside(open_.options, waiting[0].attacker)] if waiting else ()


def most_outside(options: Options, side: SideId) -> int | None:
    """R12.11 How many battles of a side's portion are fought outside; None: all."""
    chosen = options.outside_german if side == GERMAN else options.outside_allied
    if options.battles is BattleMode.AUTOMATIC:
        return 0
    return None if BattleMode.OUTSIDE is options.battles or chosen is OutsideBattles.ALL else int(chosen.value)


def in_order(assaults: Sequence[PlannedAttack], ranking: Sequence[UnitId]) -> list[PlaceId | UnitId]:
    """R12.11 Ruling 69: the attacked hexes, those of ranked units first, then in the order of the ATTACK lines.

    As far as a side knows, a unit stands for the hex of an attack on contact.
    """
    attacked = {assault.unit: assault.at or assault.unit for assault in assaults if assault.cancel_reason is None}
    return list(dict.fromkeys([*(attacked[unit] for unit in ranking if unit in attacked), *attacked.values()]))


# --- the sheet -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Ranked:
    """The units of the OUTSIDE lines that count, in their order, and the answer to the lines."""

    units: tuple[UnitId, ...]
    checked: Checked


def check_ranking(sheet: Submission[GameData, State], *, attacking: Collection[UnitId]) -> Ranked:
    """R12.11 Check the OUTSIDE lines of a sheet. `attacking`: units whose attacks on the same sheet count."""
    ranked: list[UnitId] = []

    def check(order: Outside) -> str:
        label = _ranked(sheet, order.unit, attacking=attacking, before=ranked).label
        ranked.append(order.unit)
        return f"the battle of {label} is choice {len(ranked)} of those that are fought outside"

    checked = check_lines(sheet.lines, {Outside: check})
    return Ranked(tuple(ranked), checked)


def _ranked(
    sheet: Submission[GameData, State], id_: UnitId, *, attacking: Collection[UnitId], before: Collection[UnitId]
) -> Unit:
    """R12.11 The unit, if its battle may be ranked; raises Refused."""
    options, unit = sheet.known.open.options, sheet.known.own[sheet.side].units.get(id_)
    most = most_outside(options, sheet.side)
    if most is None:
        raise Refused("mode", "this campaign sets no limit to your battles outside", RULE, hint=_DELETE)
    if most == 0:
        raise Refused("mode", "the resolver decides all battles of your attacks", RULE, hint=_DELETE)
    if unit is None:
        raise Refused("gone", f"{id_} no longer exists", RULE)
    if unit.id not in attacking:
        hint = f"Write ATTACK {unit.label} ... on the same sheet."
        raise Refused("not-attacking", f"{unit.label} does not attack", RULE, hint=hint)
    if unit.id in before:
        raise Refused("twice", f"a line above already names {unit.label}", RULE)
    return unit


_DELETE = "Delete the line."


def shares(
    sheet: Submission[GameData, State], assaults: Sequence[PlannedAttack], ranking: Sequence[UnitId]
) -> Iterator[Understood]:
    """R12.11 Which of a sheet's battles are fought outside, as far as its side knows, if there is a limit."""
    most = most_outside(sheet.known.open.options, sheet.side)
    battles = [_name(sheet, each) for each in in_order(assaults, ranking)]
    if battles and most:
        rest = f"; the resolver decides {listed(battles[most:])}" if battles[most:] else ""
        text = f"Battles: at most {most} {'is' if most == 1 else 'are'} fought outside: {listed(battles[:most])}{rest}"
        yield meant(TO_ALL, text)


def _name(sheet: Submission[GameData, State], battle: PlaceId | UnitId) -> str:
    unit = sheet.known.own[sheet.side].units.get(UnitId(battle))
    return f"that of {unit.label}" if unit else sheet.game_data.place_name(PlaceId(battle))
