"""A map of one audience does not depend on those that were drawn before it for others."""

from itertools import islice

from campaign.maps import draw
from tests import demonstration
from tests.secrecy.one_world.test_oracle import loaded
from tests.secrecy.painting import seen_in
from tests.trust.memory.remembered import forget_constants

PHASES = (2, 7)
"""The German moves of two days: battles open, and on the second day each audience sees other markers."""


def test_a_map_has_the_same_bytes_whosever_was_drawn_before_on_the_same_sheet() -> None:
    """The maps are drawn backwards after all others, then again backwards where nothing is remembered.

    Where two worlds are compared, the Views stand for the maps, without what no map shows.
    """
    base = loaded("ardennes-1944").base_map
    played = list(islice(demonstration.play(pictures=False), PHASES[-1] + 1))
    shown = [(number, package) for number in PHASES for package in played[number].packages]
    forget_constants()
    drawn = [draw(base, package.view) for _, package in shown]
    assert all(any(getattr(package.view, name) for _, package in shown) for name in ("chart", "log", "headlines"))
    assert drawn == [draw(base, seen_in(package.view)) for _, package in shown]
    for forget in (False, True):
        if forget:
            forget_constants()
        for (number, package), before in zip(reversed(shown), reversed(drawn), strict=True):
            assert draw(base, package.view) == before, (number, package.audience)
