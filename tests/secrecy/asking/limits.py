"""Limits count nobody together with somebody who may know other things: an early 429 would tell of them."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import wraps
from unittest import mock

from campaign.people import throttles
from tests.secrecy import worlds


@contextmanager
def counted() -> Iterator[None]:
    """In this context worlds note what limits count, and for whom."""
    made = throttles._mark

    @wraps(made)
    def mark(limit: throttles.Limit, who: str, now: datetime) -> str:
        worlds.note(limit.what, who)
        return made(limit, who, now)

    with mock.patch.object(throttles, "_mark", mark):
        yield


def shared(world: worlds.World, watchers: Sequence[str]) -> list[tuple[str, str]]:
    """The limits that watchers and others use up together, with the names by which they count.

    What comes after a comma in somebody's name is one of their browsers.
    """
    own, others = set[tuple[str, str]](), set[tuple[str, str]]()
    for who, limits in world.counted.items():
        (own if who.partition(",")[0] in watchers else others).update(limits)
    return sorted(own & others)
