"""What takes long to make and is asked for often: kept in memory up to a number of bytes."""

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

MB = 1_000_000


class Memory(Generic[K, V]):
    """Values by key. Those that were not asked for the longest are given up when all of them weigh too much.

    Whoever asks for what another thread is making waits for it. The value asked for last stays, however heavy it is.
    """

    def __init__(self, most: int, weigh: Callable[[V], int]) -> None:
        self._most, self._weigh = most, weigh
        self._kept: dict[K, V] = {}
        """The one that was asked for last stands last."""
        self._making: dict[K, Lock] = {}
        self._own = Lock()

    def get(self, key: K, make: Callable[[], V]) -> V:
        """The value of a key, made if it is not there; raises what making it raises, and keeps nothing then."""
        while True:
            with self._own:
                if key in self._kept:
                    return self._asked_for(key)
                making = self._making.setdefault(key, Lock())
            with making:
                with self._own:
                    if self._making.get(key) is not making:
                        continue  # whoever was making it is done, or has failed
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
        """The bytes of all that is kept."""
        with self._own:
            return sum(map(self._weigh, self._kept.values()))

    def _asked_for(self, key: K) -> V:
        """What is kept grows while it is used, so all of it is weighed anew: it is a few dozen at most."""
        found = self._kept[key] = self._kept.pop(key)
        weight = sum(map(self._weigh, self._kept.values()))
        for other in list(self._kept)[:-1]:
            if weight <= self._most:
                break
            weight -= self._weigh(self._kept.pop(other))
        return found


class Halves(Generic[K, V]):
    """Many small values by key, in two halves: when the newer half is full, the older one is given up.

    What was asked for since the halves last changed places stays. Threads that ask at the same time may each make it.
    """

    def __init__(self, most: int, weigh: Callable[[K, V], int]) -> None:
        self._half, self._weigh = most // 2, weigh
        self._newer: dict[K, V] = {}
        self._older: dict[K, V] = {}
        self._weights = [0, 0]
        """Of the newer half, and at most of the older one."""

    def get(self, key: K, make: Callable[[], V]) -> V:
        found = self._newer.get(key)
        if found is None:
            found = self._older.pop(key, None) or make()
            self._keep(key, found)
        return found

    @property
    def weight(self) -> int:
        """The bytes of everything that is kept."""
        return sum(self._weights)

    def _keep(self, key: K, value: V) -> None:
        self._newer[key] = value
        self._weights[0] += self._weigh(key, value)
        if self._weights[0] > self._half:
            self._older, self._newer, self._weights = self._newer, {}, [0, self._weights[0]]
