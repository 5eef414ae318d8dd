"""The leaks made on purpose fit the code that they change, and secrecy's own tests notice nearly all of them."""

from tests.secrecy.leaks import FEW, OTHER, leaks, stale, untried

AT_LEAST = 60


def test_each_leak_still_has_its_place_in_the_code() -> None:
    every = [*leaks(), *untried()]
    assert len({leak.name for leak in every}) == len(every) >= AT_LEAST
    assert {leak.name: files for leak in every if (files := stale(leak))} == {}


def test_each_leak_names_what_notices_it() -> None:
    every = list(leaks())
    assert [leak.name for leak in every if bool(leak.test) == bool(leak.example)] == []
    others = [leak.name for leak in every if leak.noticed_by == OTHER]
    assert len(others) * FEW <= len(every), others
