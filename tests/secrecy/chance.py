"""Secrets, nonces, tokens and clocks that are the same in two worlds, so that bytes can be compared unmasked.

Each value depends on who asks and on how often they have asked before, never on what others have done since.
"""

import base64
import secrets
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any, TypeVar
from unittest import mock

from django.apps import apps
from django.core.cache.backends import db as database_cache
from django.utils import timezone

from campaign.core import clock
from gm.machine import heartbeat

T = TypeVar("T")

OUTAGE = heartbeat.OUTAGE
"""What it is outside worlds."""
START = datetime(2026, 3, 1, 12, tzinfo=UTC)


class Chance:
    """Replaces the module `secrets` and all clocks."""

    def __init__(self) -> None:
        self.now = START
        self._random = Random(0)
        self._drawn = set[str]()

    def of(self, *asked: object) -> None:
        """Draw everything for this purpose from now on."""
        self._random = Random("|".join(map(str, asked)))

    def seconds(self) -> float:
        """Since 1970."""
        return self.now.timestamp()

    def choice(self, letters: Sequence[T]) -> T:
        return self._random.choice(letters)

    def randbelow(self, below: int) -> int:
        return self._random.randrange(below)

    def token_bytes(self, length: int | None = None) -> bytes:
        return self._random.randbytes(length or 32)

    def token_hex(self, length: int | None = None) -> str:
        drawn = self.token_bytes(length).hex()
        self._drawn.add(drawn)
        return drawn

    def has_drawn(self, text: str) -> bool:
        """Whether this process has drawn this text by `token_hex`."""
        return text in self._drawn

    def token_urlsafe(self, length: int | None = None) -> str:
        return base64.urlsafe_b64encode(self.token_bytes(length)).rstrip(b"=").decode()

    def uuid4(self) -> uuid.UUID:
        return uuid.UUID(bytes=self.token_bytes(16), version=4)


CHANCE = Chance()


@contextmanager
def foreseen() -> Iterator[Chance]:
    """In this context nothing is random and time does not pass."""
    with ExitStack() as stack:
        for name in ("choice", "randbelow", "token_bytes", "token_hex", "token_urlsafe"):
            stack.enter_context(mock.patch.object(secrets, name, getattr(CHANCE, name)))
        stack.enter_context(mock.patch.object(uuid, "uuid4", CHANCE.uuid4))
        for owner, name, value in _CLOCKS:
            stack.enter_context(mock.patch.object(owner, name, value))
        stack.enter_context(mock.patch.object(heartbeat, "OUTAGE", timedelta.max))  # time leaps here
        for dated in _dated_by_default():
            stack.enter_context(mock.patch.dict(dated.__dict__, {"_get_default": lambda: CHANCE.now}))
        yield CHANCE


def _dated_by_default() -> Iterator[Any]:
    """Replace the clock in columns that took their default from it when their class was made."""
    for model in apps.get_models():
        yield from (column for column in model._meta.local_fields if column.default is _REAL_NOW)


_REAL_NOW = timezone.now


_CLOCKS: tuple[tuple[Any, str, Callable[[], Any]], ...] = (
    (clock, "now", lambda: CHANCE.now),
    (timezone, "now", lambda: CHANCE.now),
    (database_cache, "tz_now", lambda: CHANCE.now),
    (time, "time", CHANCE.seconds),
    (heartbeat, "database_time", lambda: CHANCE.now),
)
