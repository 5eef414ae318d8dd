"""Supply as bots weigh it: what they say that one more enemy cuts off is what the rule says."""

from collections.abc import Iterator
from dataclasses import replace

from campaign.engine.state import state_known_to
from campaign.engine.values.ids import Audience, SideId
from campaign.rulesets.forum_campaign.bots.assessment.assessment import Assessment, assess
from campaign.rulesets.forum_campaign.bots.posts.cuts import cutting
from campaign.rulesets.forum_campaign.bots.styles import ALL_ROUND
from campaign.rulesets.forum_campaign.day.supply import along_lines
from campaign.rulesets.forum_campaign.model.game_data import GERMAN
from campaign.rulesets.forum_campaign.model.state import DepotStatus
from tests.bots.test_sheets import LARGE, LOADED, mirror


def positions() -> Iterator[Assessment]:
    """What both sides know before they move, on every third day of a game."""
    data = LOADED[LARGE].scenario.game_data
    for phase in mirror():
        for sheet in phase.sheets:
            if "sheet" in phase.before.open.phase and phase.before.open.turn % 3 == 0:
                yield assess(data, state_known_to(phase.before, Audience(sheet.who)), SideId(sheet.who), ALL_ROUND)


def test_units_are_in_supply_where_the_rule_says() -> None:
    data, board = LOADED[LARGE].scenario.game_data, LOADED[LARGE].scenario.game_data.open_board
    for seen in positions():
        depots = [at for at, status in seen.known.open.depots.items() if status is not DepotStatus.DESTROYED]
        always = board.bits(data.supply_edge[seen.side]) | board.bits(depots)
        assert seen.lines.supplied == along_lines(data, seen.side, seen.foe_strengths) | always
        kept = replace(seen.lines, friends=seen.held, faded=frozenset(sorted(seen.foe_strengths)[:5]))
        faded = along_lines(data, seen.side, seen.foe_strengths, friends=kept.friends, faded=kept.faded)
        assert kept.supplied == faded | always


def test_one_more_enemy_cuts_off_what_the_rule_says() -> None:
    cut = 0
    for seen in positions():
        for usual, worths in ((seen.lines, seen.own_worths), (seen.their_lines, seen.foe_worths)):
            free = [place for place in seen.game_data.hexes if place not in usual.enemies and place not in worths]
            faded = frozenset(free[:: len(free) // 20])  # ruling 71: an enemy there closes its own hex alone
            lines = replace(usual, friends=seen.held if seen.side == GERMAN else frozenset(), faded=faded)
            plainly = {place: lines.lost(lines.with_enemies(place), worths) for place in free}
            assert cutting(lines, worths, free) == {place: worth for place, worth in plainly.items() if worth}
            cut += sum(map(bool, plainly.values()))
    assert cut > 50
