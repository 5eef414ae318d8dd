"""Bots: they read their side's state and write its sheets, in the players' notation."""

from collections.abc import Callable, Iterator, Mapping

from campaign.engine.values.ids import Audience, SideId
from campaign.rulesets.forum_campaign.battle.artillery import BARRAGES
from campaign.rulesets.forum_campaign.bots.assessment.assessment import Assessment, assess
from campaign.rulesets.forum_campaign.bots.plans.support import most_threatened
from campaign.rulesets.forum_campaign.bots.posts.posts import posts_of
from campaign.rulesets.forum_campaign.bots.purchases import purchases
from campaign.rulesets.forum_campaign.bots.raiders import paratroops
from campaign.rulesets.forum_campaign.bots.sheet import attacks_only, orders, retreats
from campaign.rulesets.forum_campaign.bots.sky import air_lines, removals
from campaign.rulesets.forum_campaign.bots.styles import ALL_ROUND, STYLES, Style
from campaign.rulesets.forum_campaign.model.calendar import AIR, ATTACKS, REMOVALS, RETREATS, SHEET, side_in
from campaign.rulesets.forum_campaign.model.game_data import GameData
from campaign.rulesets.forum_campaign.model.state import State

Bot = Callable[[GameData, State, Audience], str]
"""(game data, player's state, who): the text of a sheet for the open phase."""


def _bot(style: Style) -> Bot:
    def sheet(game_data: GameData, known: State, who: Audience) -> str:
        side = SideId(who)
        seen = assess(game_data, known, side, style if side in style.sides else ALL_ROUND)
        return "\n".join(_lines(seen)) + "\n"

    return sheet


BOTS: Mapping[str, Bot] = {style.name: _bot(style) for style in STYLES}


def _lines(seen: Assessment) -> Iterator[str]:
    phase = seen.known.open.phase
    if phase == AIR.key:
        return _air(seen)
    if phase == REMOVALS.key:
        return removals(seen)
    if side_in(SHEET, phase):
        return orders(seen)
    if side_in(ATTACKS, phase):
        return attacks_only(seen)
    return retreats(seen) if side_in(RETREATS, phase) else iter(["READY"])


def _air(seen: Assessment) -> Iterator[str]:
    posts = posts_of(seen)
    yield from air_lines(seen)
    yield from paratroops(posts)
    yield from purchases(seen)
    yield from (f"ARTILLERY {unit.label}" for unit in most_threatened(posts)[:BARRAGES])
    yield "READY"
