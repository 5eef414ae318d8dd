"""How figures are taken and printed."""

import gc
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import median
from time import perf_counter

REPEATS = 11


@dataclass(frozen=True)
class Figure:
    """One line of the benchmark's output; a value above its limit falls short."""

    name: str
    value: float
    unit: str
    limit: float

    @property
    def ok(self) -> bool:
        return self.value <= self.limit

    def __str__(self) -> str:
        verdict = "ok" if self.ok else "short"
        return f"bench {self.name} {self.value:.1f} {self.unit} limit {self.limit:g} {verdict}"


Benchmark = Callable[[], Iterator[Figure]]


def milliseconds(work: Callable[[], object]) -> float:
    """Median time of a piece of work, after one run that does not count."""
    work()
    times = []
    for _ in range(REPEATS):
        gc.collect()
        start = perf_counter()
        work()
        times.append((perf_counter() - start) * 1000)
    return median(times)
