"""What is kept in memory: made once, bounded by what it weighs."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event

import pytest

from campaign.core.memory import Halves, Memory

ONE_KIND = 4


def of_bytes(most: int) -> Memory[str, bytearray]:
    return Memory(most, len)


def heavy(weight: int, made: list[int] | None = None) -> Callable[[], bytearray]:
    def make() -> bytearray:
        if made is not None:
            made.append(weight)
        return bytearray(weight)

    return make


def test_a_request_while_a_value_is_made_waits_for_it() -> None:
    memory, made, ready = of_bytes(100), list[int](), Barrier(ONE_KIND)
    slowly = Event()

    def make() -> bytearray:
        made.append(1)
        slowly.wait(0.2)
        return bytearray(10)

    def ask(_: int) -> bytearray:
        ready.wait()
        return memory.get("one", make)

    with ThreadPoolExecutor(ONE_KIND) as threads:
        found = list(threads.map(ask, range(ONE_KIND)))
    assert made == [1]
    assert all(each is found[0] for each in found)


def test_the_value_that_was_not_requested_for_longest_is_dropped() -> None:
    memory, made = of_bytes(100), list[int]()
    for name, weight in (("a", 40), ("b", 41), ("a", 40), ("c", 42)):
        memory.get(name, heavy(weight, made))
    assert (memory.weight, made) == (82, [40, 41, 42])
    memory.get("a", heavy(40, made))
    memory.get("b", heavy(41, made))
    assert made == [40, 41, 42, 41]
    assert memory.weight == 81


def test_the_value_requested_last_stays_however_large_it_is() -> None:
    memory, made = of_bytes(100), list[int]()
    for _ in range(2):
        memory.get("small", heavy(10, made))
        memory.get("large", heavy(500, made))
        assert memory.get("large", heavy(500, made)) == bytes(500)
    assert made == [10, 500, 10, 500]


def test_what_grows_while_it_is_used_is_weighed_as_it_is() -> None:
    memory = of_bytes(100)
    first = memory.get("first", heavy(10))
    memory.get("second", heavy(10))
    first.extend(bytes(90))
    memory.get("second", heavy(10))
    assert memory.weight == 10


def test_those_who_wait_for_a_value_that_cannot_be_made_try_one_after_the_other() -> None:
    memory, ready = of_bytes(100), Barrier(ONE_KIND)
    making, most = list[int](), list[int]()
    slowly = Event()

    def make() -> bytearray:
        making.append(1)
        most.append(len(making))
        slowly.wait(0.05)
        making.pop()
        raise MemoryError

    def ask(_: int) -> None:
        ready.wait()
        for _ in range(3):
            with pytest.raises(MemoryError):
                memory.get("one", make)

    with ThreadPoolExecutor(ONE_KIND) as threads:
        list(threads.map(ask, range(ONE_KIND)))
    assert most == [1] * (3 * ONE_KIND)


def test_what_could_not_be_made_is_tried_again() -> None:
    memory = of_bytes(100)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            memory.get("one", lambda: bytearray(1 // 0))
    assert memory.get("one", heavy(3)) == bytes(3)


def test_of_two_halves_the_older_is_dropped_but_for_what_was_requested_since() -> None:
    memory, made = Halves[str, bytearray](100, lambda _, value: len(value)), list[int]()
    for name, weight in (("a", 20), ("b", 31), ("a", 20), ("c", 32)):  # the halves change places after b and after c
        memory.get(name, heavy(weight, made))
    assert (memory.weight, made) == (52, [20, 31, 32])
    memory.get("a", heavy(20, made))
    memory.get("b", heavy(31, made))
    assert made == [20, 31, 32, 31]
