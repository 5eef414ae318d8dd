"""Bots: they read their side's state and write its sheets, in the players' notation."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain

from campaign.engine.values.ids import Audience, SideId
from campaign.rulesets.forum_campaign.bots.assault import assaults, blind
from campaign.rulesets.forum_campaign.bots.assessment import Assessment, assess
from campaign.rulesets.forum_campaign.bots.march import March, affordable, deploy
from campaign.rulesets.forum_campaign.bots.sky import air_lines
from campaign.rulesets.forum_campaign.bots.style import BOLD, CAUTIOUS, Style
from campaign.rulesets.forum_campaign.model.calendar import AIR, ATTACKS, SHEET, side_in
from campaign.rulesets.forum_campaign.model.game_data import ALLIED, Branch, GameData
from campaign.rulesets.forum_campaign.model.state import DepotStatus, State
from campaign.rulesets.forum_campaign.movement.reach import reachable

Bot = Callable[[GameData, State, Audience], str]
"""(game data, player's state, who): the text of a sheet for the open phase."""


def _bot(style: Style) -> Bot:
    def sheet(game_data: GameData, known: State, who: Audience) -> str:
        seen = assess(game_data, known, SideId(who), style)
        if known.open.phase == AIR.key:
            lines = air_lines(seen)
        elif side_in(SHEET, known.open.phase):
            lines = _orders(seen)
        elif side_in(ATTACKS, known.open.phase):
            lines = chain(_attacks(seen, []), ["READY"])
        else:
            lines = iter(["READY"])
        return "\n".join(lines) + "\n"

    return sheet


BOTS: Mapping[str, Bot] = {style.name: _bot(style) for style in (BOLD, CAUTIOUS)}


def _orders(seen: Assessment) -> Iterator[str]:
    """R4 A side's sheet of movement, and of attacks unless they have a phase of their own (2.10)."""
    if seen.side == ALLIED:
        yield from _demolition(seen)
    marches = affordable(deploy(seen))
    yield from (_move(seen, march) for march in marches)
    yield from _commandos(seen)
    if not seen.known.open.options.separate_attacks:
        yield from _attacks(seen, marches)
    yield "ALL OTHERS HOLD"
    yield "READY"


def _attacks(seen: Assessment, marches: Sequence[March]) -> Iterator[str]:
    """R4.4 Attacks after these marches, and their support."""
    targets = assaults(seen, marches)
    attackers = [unit for units in targets.values() for unit in units]
    yield from (f"ATTACK {unit.label} {place}" for place, units in targets.items() for unit in units)
    yield from (f"ATTACK {unit.label} contact" for unit in blind(seen, marches, attackers))
    yield from _support(seen, [unit.label for unit in attackers])


def _move(seen: Assessment, march: March) -> str:
    return f"MOVE {seen.units[march.unit].label} {'-'.join(march.way)}"


def _support(seen: Assessment, attackers: list[str]) -> Iterator[str]:
    """R3.10, R15.3 Close support and artillery for the first attackers."""
    air = seen.known.open.air.get(seen.side)
    planes = sum(units for box, units in air.boxes.items() if box.value == "cas") if air else 0
    if attackers and planes:
        yield f"CAS {attackers[0]} {planes}"
    yield from (f"ARTILLERY {label}" for label in attackers[:2])


def _demolition(seen: Assessment) -> Iterator[str]:
    """R9.5 The richest depot that Germans are near."""
    near = [
        place
        for place, status in seen.known.open.depots.items()
        if status is DepotStatus.INTACT and 1 <= seen.nearest_enemy(place) <= 2 and place not in seen.enemies
    ]
    if near:
        yield f"DEMOLISH {max(near, key=lambda place: (seen.game_data.hexes[place].depot, place))}"


def _commandos(seen: Assessment) -> Iterator[str]:
    """R11 Commandos go to depots, to keep them intact."""
    for unit in seen.units.values():
        if unit.branch is Branch.COMMANDO and unit.at is not None:
            in_reach = reachable(seen.situation, unit)
            best = max(in_reach.costs, key=lambda place: (seen.pull(place), place), default=unit.at)
            if best != unit.at:
                yield f"MOVE {unit.label} {'-'.join(in_reach.way(best))}"
