"""The leaks made on purpose fit the code that they change, and secrecy's own tests notice nearly all of them."""

import tomllib
from itertools import chain

from tests.secrecy.leaks import FEW, HERE, OTHER, leaks, stale, untried

AT_LEAST = 60


def test_each_leak_still_has_its_place_in_the_code() -> None:
    every = [*leaks(), *untried()]
    assert len({leak.name for leak in every}) == len(every) >= AT_LEAST
    assert {leak.name: files for leak in every if (files := stale(leak))} == {}


def test_every_name_of_a_test_is_used_and_every_other_is_a_test() -> None:
    named = tomllib.loads((HERE / "tests.toml").read_text(encoding="utf-8"))["tests"]
    planted = chain.from_iterable(tomllib.loads(path.read_text())["leak"] for path in (HERE / "planted").glob("*.toml"))
    used = {leak["caught_by"] for leak in planted if "caught_by" in leak}
    assert named.keys() - used == set()
    assert {name for name in used - named.keys() if "::" not in name} == set()


def test_each_leak_names_what_notices_it() -> None:
    every = list(leaks())
    assert [leak.name for leak in every if bool(leak.test) == bool(leak.example)] == []
    others = [leak.name for leak in every if leak.noticed_by == OTHER]
    assert len(others) * FEW <= len(every), others
