"""R15.5 Objectives, victory points and the end of the campaign."""

from collections.abc import Mapping

from campaign.engine.facts import Ledger
from campaign.engine.values.ids import PlaceId, SideId
from campaign.rulesets.forum_campaign.model.facts.day import CampaignEnded, Controlled
from campaign.rulesets.forum_campaign.model.game_data import SIDES, GameData
from campaign.rulesets.forum_campaign.model.state import State
from campaign.rulesets.forum_campaign.model.zoc import occupied_hexes


def take_control(ledger: Ledger[GameData, State]) -> None:
    """R15.5 An objective belongs to the side whose ground unit was the last to end a phase there."""
    held = {side: occupied_hexes(own) for side, own in ledger.state.own.items()}
    for place, holder in sorted(ledger.state.open.control.items()):
        for side in SIDES:
            if side != holder and place in held[side]:
                ledger.emit(Controlled(place, side), rule="R15.5")


def victory_points(game_data: GameData, control: Mapping[PlaceId, SideId]) -> dict[SideId, int]:
    """R15.5 What each side's objectives are worth."""
    return {
        side: sum(game_data.hexes[place].victory_points for place, holder in control.items() if holder == side)
        for side in SIDES
    }


def leader(points: Mapping[SideId, int]) -> SideId | None:
    """R15.5 The side with most points; nobody in a draw."""
    best = max(points.values())
    leaders = [side for side in SIDES if points[side] == best]
    return leaders[0] if len(leaders) == 1 else None


def end_campaign(ledger: Ledger[GameData, State]) -> None:
    """R1.1, R15.5 After the last day the points decide."""
    points = victory_points(ledger.game_data, ledger.state.open.control)
    ledger.emit(CampaignEnded(points, leader(points)), rule="R15.5")
