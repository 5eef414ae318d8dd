"""How much slower the machine is now than the one for which leases and limits were chosen."""

import time
from concurrent.futures import ProcessPoolExecutor

MOST = 6.0
"""Beyond this, limits grow no further: a machine that is so slow cannot tell slow from stuck."""
_PROCESSES, _ROUNDS = 2, 6_000
_SECONDS = 1.0
"""How long each of two processes takes for these rounds on that machine: half of what a slow one takes."""


def slowness() -> float:
    """How many seconds pass here for a second of work there; at least 1. A slow processor counts, and other work."""
    with ProcessPoolExecutor(_PROCESSES) as pool:
        taken = max(pool.map(_worked, [_ROUNDS] * _PROCESSES))
    return min(MOST, max(1.0, taken / _SECONDS))


def _worked(rounds: int) -> float:
    began = time.monotonic()
    for _ in range(rounds):
        sum(range(10_000))
    return time.monotonic() - began
