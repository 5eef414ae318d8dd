"""How much longer work takes while other processes want the processors."""

import time
from concurrent.futures import ProcessPoolExecutor

MOST = 4.0
"""Beyond this, limits grow no further: a machine that is so busy cannot tell slow from stuck."""
_PROCESSES = 2
_SECONDS = 1.5


def slowness() -> float:
    """How many seconds pass for a second of work in each of two processes; 1 where two processors are idle."""
    with ProcessPoolExecutor(_PROCESSES) as pool:
        return min(MOST, max(pool.map(_worked, [_SECONDS] * _PROCESSES)))


def _worked(seconds: float) -> float:
    began, done = time.monotonic(), time.process_time()
    while (spent := time.process_time() - done) < seconds:
        sum(range(10_000))
    return (time.monotonic() - began) / spent
