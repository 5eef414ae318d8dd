"""Caches in memory, limited by bytes, for what is slow to make and often needed."""

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

MB = 1_000_000


class Memory(Generic[K, V]):
    """Values by key. The least recently used ones are dropped when all of them weigh too much.

    A thread that needs a value which another thread is making waits for it. The last value used stays, however heavy.
    """

    def __init__(self, most: int, weigh: Callable[[V], int]) -> None:
        self._most, self._weigh = most, weigh
        self._kept: dict[K, V] = {}
        """In order of use, the most recent last."""
        self._making: dict[K, Lock] = {}
        self._own = Lock()

    def get(self, key: K, make: Callable[[], V]) -> V:
        """The value of a key, made if missing; raises what making it raises, and then keeps nothing."""
        while True:
            with self._own:
                if key in self._kept:
                    return self._asked_for(key)
                making = self._making.setdefault(key, Lock())
            with making:
                with self._own:
                    if self._making.get(key) is not making:
                        continue  # the other thread is done, or has failed
                try:
                    made = make()
                    with self._own:
                        self._kept[key] = made
                        return self._asked_for(key)
                finally:
                    with self._own:
                        del self._making[key]

    def clear(self) -> None:
        with self._own:
            self._kept.clear()

    @property
    def weight(self) -> int:
        """The bytes of all values."""
        with self._own:
            return sum(map(self._weigh, self._kept.values()))

    def _asked_for(self, key: K) -> V:
        """Values grow while they are used, so all are weighed again: a few dozen at most."""
        found = self._kept[key] = self._kept.pop(key)
        weight = sum(map(self._weigh, self._kept.values()))
        for other in list(self._kept)[:-1]:
            if weight <= self._most:
                break
            weight -= self._weigh(self._kept.pop(other))
        return found


class Halves(Generic[K, V]):
    """Many small values by key, in two halves: when the newer half is full, the older one is dropped.

    Values used since the halves last changed places stay. Threads that need a value at the same time may each make it.
    """

    def __init__(self, most: int, weigh: Callable[[K, V], int]) -> None:
        self._half, self._weigh = most // 2, weigh
        self._newer: dict[K, V] = {}
        self._older: dict[K, V] = {}
        self._weights = [0, 0]
        """Of the newer half; for the older one, an upper limit."""

    def get(self, key: K, make: Callable[[], V]) -> V:
        found = self._newer.get(key)
        if found is None:
            found = self._older.pop(key, None) or make()
            self._keep(key, found)
        return found

    def clear(self) -> None:
        self._newer, self._older, self._weights = {}, {}, [0, 0]

    @property
    def weight(self) -> int:
        """The bytes of all values."""
        return sum(self._weights)

    def _keep(self, key: K, value: V) -> None:
        self._newer[key] = value
        self._weights[0] += self._weigh(key, value)
        if self._weights[0] > self._half:
            self._older, self._newer, self._weights = self._newer, {}, [0, self._weights[0]]
