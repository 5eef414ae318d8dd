"""An example that a test writes out, played: what happens in its worlds, who reads them in the end, and which pages."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from _pytest.mark import ParameterSet

from campaign.engine.values.ids import Audience
from tests.secrecy.asking.crawler import ON_REQUEST, Lot
from tests.secrecy.campaigns import Base
from tests.secrecy.examples import Act, Example
from tests.secrecy.figures import Figures
from tests.secrecy.pairs import compare
from tests.secrecy.runs import count_for_the_run

LONG = pytest.mark.long
"""For what takes long and is like another test: only `make secrecy-long` plays it."""
_SHARE = 1 / 24
"""How much of the pages that a test is not about a reader reads."""
_SHARE_OF_FOREIGN = 1 / 8
"""How much of such pages that are not for them a reader asks for."""
_MANY = 1 / 2
"""How much of all pages the other readers read if one reads all."""
ALL = (rf"^(?!.*{ON_REQUEST})",)
"""For tests that are about every page. Pictures on request are for tests of maps, and few are read by lot."""


def long(*values: object) -> ParameterSet:
    """The parameters of a test that are for the long form alone."""
    return pytest.param(*values, marks=LONG)


def played(
    worlds: Mapping[str, Base],
    base: str,
    observer: Audience,
    acts: str,
    readers: Sequence[str],
    *,
    sure: tuple[str, ...] = (),
) -> Figures:
    """Each reader reads the pages whose addresses match one of `sure`, and some of the others by lot.

    Each expression must be found in an address that at least one reader asks for. If one reader reads all pages, the
    others read many by lot.
    """
    figures = Figures()
    in_order = tuple(Act(name, number) for number, name in enumerate(acts.split(", ")))
    example = Example(base, observer, 7, in_order)
    lots = {who: Lot(f"{base} {acts} {who}", _SHARE, sure, _SHARE_OF_FOREIGN) for who in readers}
    if set(ALL) <= set(sure):
        lots |= {who: replace(lots[who], share=_MANY, sure=()) for who in readers[1:]}
    compare(example, worlds, figures, readers=lambda _plan, _example: lots)
    assert figures.examples == 1
    assert figures.answers > 20
    assert [each for each in sure if not figures.sure[each]] == []
    count_for_the_run(figures)
    return figures
