"""What is dear to make and asked for over and over: kept up to so many bytes, made once however many ask at a time."""

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
