"""Somebody asks for an archive, the machinery makes it, and they download it."""

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from tempfile import TemporaryDirectory

from django.test import override_settings

from archive import editions, jobs
from campaign.core import clock
from tests.secrecy.campaigns import live
from tests.secrecy.chance import CHANCE
from tests.secrecy.steps.plan import HERE, Plan
from tests.secrecy.worlds import Answer, World

_PAGE = f"{HERE}archive/"
_MOST = 40
"""More pieces than any archive takes."""


def archive(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """An archive of the observer's side, or of the public, by one who may have it; others find none.

    After the end also that of the whole campaign.
    """
    players = [each for each in (plan.player(), plan.player("staff")) if each in plan.watchers]
    who = chance.choice(players) if plan.playing else "spectator"
    with world.present():
        audiences = [str(plan.observer), *([editions.WHOLE] if live() is None else [])]
    with own_folder():
        return [answer for audience in audiences for answer in _downloaded(world, plan, chance, who, audience)]


def _downloaded(world: World, plan: Plan, chance: Random, who: str, audience: str) -> Iterator[Answer]:
    """Somebody asks for one archive, it is made, and they and two others try to download it."""
    yield from made(world, who, audience)
    file = f"{_PAGE}{audience}.zip"
    yield from (world.ask(each, "GET", file) for each in chance.sample(sorted(plan.watchers), k=2))


def made(world: World, who: str, audience: str) -> list[Answer]:
    """Somebody asks for an archive, which is made, and reads of it; the last answer is the file."""
    answers = [world.ask(who, "POST", _PAGE, {"audience": audience})]
    with world.present():
        CHANCE.of("archive", world.now)
        pieces = sum(jobs.make_due(clock.now()) for _ in range(_MOST))
    assert pieces < _MOST
    return [*answers, world.ask(who, "GET", _PAGE), world.ask(who, "GET", f"{_PAGE}{audience}.zip")]


@contextmanager
def own_folder() -> Iterator[None]:
    """Archives in a folder of their own."""
    with TemporaryDirectory() as folder, override_settings(ARCHIVES=folder):
        yield
