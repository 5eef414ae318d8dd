"""How much longer everything takes while other work is done on the machine."""

import time
from concurrent.futures import ProcessPoolExecutor

_PROCESSES = 2
_SECONDS = 1.5


def slowness() -> float:
    """How many seconds pass for a second of work in each of two processes; 1 where two processors are idle."""
    with ProcessPoolExecutor(_PROCESSES) as pool:
        return max(pool.map(_worked, [_SECONDS] * _PROCESSES))


def _worked(seconds: float) -> float:
    began, done = time.monotonic(), time.process_time()
    while (spent := time.process_time() - done) < seconds:
        sum(range(10_000))
    return (time.monotonic() - began) / spent
