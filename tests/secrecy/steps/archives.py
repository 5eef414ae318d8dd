"""Somebody asks for an archive, the machinery makes it, and they download it."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from random import Random
from tempfile import TemporaryDirectory
from typing import Any
from unittest import mock

from django.test import override_settings

from archive import editions, jobs
from campaign.core import clock
from campaign.engine.values.value import encode
from campaign.maps.replay import Frame
from tests.secrecy.campaigns import live
from tests.secrecy.chance import CHANCE
from tests.secrecy.steps.plan import HERE, Plan
from tests.secrecy.worlds import Answer, World

PAGE = f"{HERE}archive/"
_MOST = 40
"""More pieces than any archive takes."""


def archive(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """An archive of the observer's side, or of the public, by one who may have it; others find none.

    After the end it is that of the whole campaign.
    """
    who = chance.choice([plan.player(), plan.player("staff")]) if plan.playing else "spectator"
    with world.present():
        audience = editions.WHOLE if live() is None else str(plan.observer)
    file = f"{PAGE}{audience}.zip"
    with _own_folder():
        asked = world.ask(who, "POST", PAGE, {"audience": audience})
        with world.present():
            CHANCE.of("archive", world.now)
            made = sum(jobs.make_due(clock.now()) for _ in range(_MOST))
        assert made < _MOST
        others = [world.ask(each, "GET", file) for each in chance.sample(sorted(plan.watchers), k=2)]
        return [asked, world.ask(who, "GET", PAGE), world.ask(who, "GET", file), *others]


@contextmanager
def _own_folder() -> Iterator[None]:
    """Archives in a folder of their own, with Views in place of the pixels of moving pictures, which take long."""
    with (
        TemporaryDirectory() as folder,
        override_settings(ARCHIVES=folder),
        mock.patch.object(editions, "animate", _views),
    ):
        yield


def _views(_base: Any, frames: Sequence[Frame], _motion: object) -> bytes:
    return encode([(frame.view, frame.milliseconds) for frame in frames])
