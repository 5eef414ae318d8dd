"""A day of the area game in times of a day of the forum campaign: eighteen turns, with all packages and pictures."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from campaign.engine.adjudication import adjudicate
from campaign.engine.dice import KeyedDice, mix
from campaign.engine.values.ids import GM, PUBLIC, SideId, audience_of
from campaign.game.loading import WithStart, find_scenario, load_scenario
from campaign.game.simulation import PlayedPhase, play_phases
from campaign.game.turn_package import turn_packages
from campaign.rulesets.area_activation.sequence import DAY
from tests.bench import scene
from tests.bench.measure import Figure, milliseconds, ratio

_PLAYERS = {SideId("german"): "allrounder", SideId("allied"): "allrounder"}
_DATE = 17


def figures() -> Iterator[Figure]:
    """The day phase of 17 December; the same without pictures, in times of that forum day without them."""
    loaded = load_scenario(find_scenario("area_activation/race-to-the-meuse"))
    game = play_phases(loaded, seed=1, players=_PLAYERS)
    day = next(each for each in game if each.before.open.phase == DAY and each.before.open.date.day == _DATE)
    base = loaded.rules.base_map(loaded.scenario.game_data)
    yield Figure("area-day-phase-whole", milliseconds(partial(_packages, loaded, base, day)), "ms", 1000)
    forum = [each for each in scene.game() if each.before.open.date.day == _DATE]
    compared = ratio(partial(_resolve, loaded, [day]), partial(_resolve, scene.loaded(), forum))
    yield Figure("area-day-to-forum-day", compared, "x", 2)


def _resolve(loaded: WithStart, phases: list[PlayedPhase]) -> list[Any]:
    return [_resolved(loaded, phase) for phase in phases]


def _resolved(loaded: WithStart, phase: PlayedPhase) -> Any:
    seeds = dict.fromkeys((GM, PUBLIC, *map(audience_of, loaded.rules.sides)), b"bench")
    dice = KeyedDice(campaign="bench", lock=1, mix=mix({}), seeds=seeds)
    sheets = {sheet.who: sheet.orders for sheet in phase.sheets}
    return adjudicate(loaded.rules, loaded.scenario.game_data, phase.before, sheets, dice=dice)


def _packages(loaded: WithStart, base: Any, phase: PlayedPhase) -> None:
    list(turn_packages(loaded.rules, loaded.scenario.game_data, base, _resolved(loaded, phase)))
