"""Room for the frames of nested calls.

CPython keeps the frames of a thread in chunks of 16 KB (`_PyThreadState_PushFrame` in its Python/pystate.c). Where one
ends, a loop whose calls begin in the next asks the system for memory at each call and returns it afterwards, which can
take longer than the calls themselves. Where that happens is luck, as it depends on all the calls around;
`tests/test_frames.py` finds such a place. A frame larger than a chunk gets one of its own, up to twice as large, which
has room for the frames above.
"""

from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

_SLOTS = 2**16
"""Half a megabyte of references, which nothing touches: the frame gets a chunk of a megabyte, half of it free."""


def with_room(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """The result of this function; calls within it find room for their frames."""
    return function(*args, **kwargs)


with_room.__code__ = with_room.__code__.replace(co_stacksize=_SLOTS)
