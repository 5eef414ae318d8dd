"""Calls within `with_room` find memory for their frames, however deep the calls around it are."""

from collections.abc import Callable
from functools import partial
from resource import RUSAGE_SELF, getrusage
from threading import Thread

import pytest

from campaign.core.frames import with_room

DEPTHS = 300
"""More calls than fit into one chunk of frames."""
CALLS = 300


def _at_depth(depth: int, function: Callable[[], int]) -> int:
    return function() if depth == 0 else _at_depth(depth - 1, function)


def _faults() -> int:
    """How often many calls met memory that the system had to provide."""
    calls = partial(_at_depth, 1, int)
    before = getrusage(RUSAGE_SELF).ru_minflt
    for _ in range(CALLS):
        calls()
    return getrusage(RUSAGE_SELF).ru_minflt - before


def _most_faults(function: Callable[[], int]) -> int:
    """The most at any depth. They are counted in a thread of their own, which has no frames yet."""
    found = list[int]()
    thread = Thread(target=lambda: found.extend(_at_depth(depth, function) for depth in range(DEPTHS)))
    thread.start()
    thread.join()
    return max(found)


def test_calls_find_room_at_every_depth() -> None:
    assert _most_faults(lambda: with_room(_faults)) < CALLS / 10


def test_calls_find_no_room_at_some_depth_without_it() -> None:
    """Where this fails, Python keeps the chunk for the next call, and `with_room` is no longer needed."""
    assert _most_faults(_faults) >= CALLS


def test_arguments_results_and_exceptions_pass_through() -> None:
    assert with_room(sorted, [2, 3, 1], reverse=True) == [3, 2, 1]
    with pytest.raises(ZeroDivisionError):
        with_room(divmod, 1, 0)
