"""What is remembered of a campaign from one request to the next, under keys that name its audience.

A key cannot be made without audience, campaign and published phase. Everything else that modules remember is made
from constants, or from nothing but the values in its key: `tests/trust/memory/remembered.py` lists it, and a test fails
for anything that is neither there nor here.
"""

from collections.abc import Callable, Hashable
from datetime import datetime
from typing import Any, Generic, Protocol, TypeVar

from django.db import models

from campaign.core.memory import Memory
from campaign.engine.values.ids import PUBLIC, Audience
from campaign.secrecy import truth

V = TypeVar("V")


class Published(Protocol):
    """A phase that may be published."""

    @property
    def phase_id(self) -> int: ...
    @property
    def published(self) -> bool: ...
    @property
    def published_at(self) -> datetime | None: ...


class Key:
    """For whom something was made, and from which published phase of which campaign."""

    __slots__ = ("_parts", "audience")

    def __init__(self, audience: Audience, campaign: models.Model, phase: Published) -> None:
        """What only the GM may see is for the audience GM. Raises ValueError for a phase that is not published."""
        if not phase.published:
            raise ValueError("what is made from a phase that is not published is not remembered")
        self.audience = audience
        self._parts = (audience, campaign.pk, phase.phase_id, phase.published_at)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Key) and self._parts == other._parts

    def __hash__(self) -> int:
        return hash(self._parts)


class KeyedMemory(Generic[V]):
    """Values by key, the least recently used of which are dropped when they weigh more than `most` bytes together.

    Nothing is remembered for the public: a fast answer would show one side that somebody had asked before, who may be
    of the other.
    """

    def __init__(self, most: int, weigh: Callable[[V], int], *, in_story: bool = False) -> None:
        """`in_story`: whether the values of each side are for everybody once the campaign's story is open."""
        self._in_story = in_story
        self._kept: Memory[tuple[Key, Hashable], V] = Memory(most, weigh)
        _MEMORIES.append(self._kept)

    def get(self, key: Key, of: Hashable, make: Callable[[], V]) -> V:
        """The value of a key, made if missing. `of`: all that it is made from that audience and phase do not determine.

        It is made as for the audience, whoever asks first: a GM who views the campaign as a side may read more. Raises
        Breach if the answer goes to somebody who is not of this audience, and what making it raises.
        """
        truth.require(key.audience, opens=self._in_story)

        def made() -> V:
            with truth.writing(key.audience):
                return make()

        return made() if key.audience == PUBLIC else self._kept.get((key, of), made)


_MEMORIES: list[Memory[Any, Any]] = []
"""Those that modules have made."""


def forget_all() -> None:
    """Empty all memories."""
    for memory in _MEMORIES:
        memory.clear()
