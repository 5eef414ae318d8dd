"""The leaks made on purpose fit the code that they change."""

from tests.secrecy.leaks import leaks, stale

AT_LEAST = 60


def test_each_leak_still_has_its_place_in_the_code() -> None:
    every = list(leaks())
    assert len({leak.name for leak in every}) == len(every) >= AT_LEAST
    assert {leak.name: files for leak in every if (files := stale(leak))} == {}
