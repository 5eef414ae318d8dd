"""Measuring and printing figures."""

import gc
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import median
from time import perf_counter, process_time

REPEATS = 11
NO_LIMIT = float("inf")
_LEAST = 0.002
"""Seconds: shorter work is repeated, so that it can be measured."""


@dataclass(frozen=True)
class Figure:
    """A line of the benchmark's output; a value above its limit falls short."""

    name: str
    value: float
    unit: str
    limit: float

    @property
    def ok(self) -> bool:
        return self.value <= self.limit

    def __str__(self) -> str:
        outcome = "ok" if self.ok else "short"
        digits = 1 if self.value >= 10 else 3
        limit = "none" if self.limit == NO_LIMIT else f"{self.limit:g}"
        return f"bench {self.name} {self.value:.{digits}f} {self.unit} limit {limit} {outcome}"


Benchmark = Callable[[], Iterator[Figure]]
Work = Callable[[], object]


def milliseconds(work: Work) -> float:
    """Median time of a piece of work, after one run that does not count."""
    work()
    times = []
    for _ in range(REPEATS):
        gc.collect()
        start = perf_counter()
        work()
        times.append((perf_counter() - start) * 1000)
    return median(times)


def ratio(candidate: Work, yardstick: Work) -> float:
    """The ratio of a piece of work's processor time to its yardstick's, in alternating runs of about equal length.

    The least time of each counts: whatever else the machine does only adds to it, and as they last equally long, it
    disturbs both alike.
    """
    works, least = (candidate, yardstick), [NO_LIMIT, NO_LIMIT]
    lasting = max(_LEAST, *(_seconds(work, _rounds(work, _LEAST)) for work in works))
    rounds = [_rounds(work, lasting) for work in works]
    for _ in range(REPEATS):
        gc.collect()
        gc.freeze()  # the collector need not scan what the benchmarks keep
        least = [min(each) for each in zip(least, map(_seconds, works, rounds), strict=True)]
    return least[0] / least[1]


def _rounds(work: Work, lasting: float) -> int:
    """How often warm work is to be repeated until it lasts that many seconds; the first run takes far longer."""
    rounds = 1
    while (seconds := _seconds(work, rounds)) * rounds < lasting:
        rounds = max(2 * rounds, round(lasting / seconds))
    return rounds


def _seconds(work: Work, rounds: int) -> float:
    start = process_time()
    for _ in range(rounds):
        work()
    return (process_time() - start) / rounds
