"""Others ask first: in the second world the enemy, the GM and strangers go through every address before the readers.

Whatever the service remembers without its audience, or counts for all together, the readers then get from them.
"""

import re
from collections.abc import Iterable
from random import Random

from tests.secrecy.asking.crawler import addresses
from tests.secrecy.campaigns import ELSEWHERE, SECOND, game
from tests.secrecy.worlds import World

PASSER_BY = "passer-by"
_NOT_THEIRS = re.compile(r"^/(?:m|account|enter|invitation)/")
"""Links, whose owners read who fetched them; and pages of accounts."""
_ON_RECORD = re.compile(r"/desk/(?:stops/\d+|person)/|/(?:desk|gm)/posts/\d+/|/gm/received/")
"""Pages that leave an entry in their campaign's record, which its other GM reads."""
_MOST = 2
"""Others may ask for this many addresses with each route."""


def others_of(world: World, observer: str) -> list[str]:
    """Those who may know something that an observer may not, and a stranger."""
    with world.present():
        return [*(f"{side} commander" for side in game().others(observer)), "gm", PASSER_BY]


def ask_first(world: World, observer: str, paths: Iterable[str], chance: Random) -> int:
    """Let each of these addresses be asked for by one of the others, in another order; returns how many were.

    The pages of the other campaign come before them.
    """
    world.browsers.setdefault(PASSER_BY, world.stranger(PASSER_BY))
    for path in _elsewhere(world):
        world.ask(SECOND, "GET", path)
    asked = [path for path in paths if not _NOT_THEIRS.search(path)]
    chance.shuffle(asked)
    *players, stranger = others_of(world, observer)
    for number, path in enumerate(asked):
        who = stranger if number % 9 == 0 else players[number % len(players)]
        world.ask(who, "GET", path)
    return len(asked)


def be_seen_elsewhere(world: World) -> None:
    """The one who asks for pages of the other campaign opens its first: its GM sees when they were there last."""
    world.ask(SECOND, "GET", f"/c/{ELSEWHERE}/")


def _elsewhere(world: World) -> list[str]:
    """One address of the other campaign for each route that leaves no trace there."""
    with world.present():
        there = (f"/c/{ELSEWHERE}/", f"/api/v1/campaigns/{ELSEWHERE}/")
        asked = [path for path in addresses(SECOND, "", phases=1) if path.startswith(there)]
        return [path for path in asked if not _ON_RECORD.search(path)]


def ask_all_first(world: World, observer: str, chance: Random) -> int:
    """The same for all addresses of the campaign that routes lead to, before anybody else has asked."""
    with world.present():
        paths = addresses(f"{observer} commander", observer, phases=_MOST)
    return ask_first(
        world, observer, [path for path in paths if path.startswith(("/c/", "/api/v1/campaigns/"))], chance
    )
