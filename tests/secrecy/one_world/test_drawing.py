"""A map or a board of one audience does not depend on those that were drawn before it for others."""

from collections.abc import Callable
from itertools import islice

import pytest

from campaign.engine.display.views import BaseMap, View
from campaign.maps import draw, vector
from campaign.maps.base.layout import Layout
from campaign.maps.drawing.sizes import BOARD
from campaign.maps.place_descriptions import describe_places
from campaign.maps.style.adaptive import ADAPTIVE
from tests import demonstration
from tests.secrecy.one_world.test_oracle import loaded
from tests.secrecy.painting import seen_in
from tests.trust.memory.remembered import forget_constants

PHASES = (2, 7)
"""The German moves of two days: battles open, and on the second day each audience sees other markers."""


def board(base: BaseMap, view: View) -> str:
    """The board next to a sheet, with what it says of each place."""
    layout = Layout.of(base, BOARD, ADAPTIVE)
    return vector.board(view, layout, describe_places(base, view), sheet="sheet", dark_sheet="dark", page="page")


@pytest.mark.parametrize("drawing", [draw, board])
def test_it_is_the_same_whosever_was_drawn_before_on_the_same_sheet(
    drawing: Callable[[BaseMap, View], bytes | str],
) -> None:
    """They are drawn backwards after all others, then again backwards where nothing is remembered.

    Where two worlds are compared, the Views stand for maps and boards, without what neither shows.
    """
    base = loaded("ardennes-1944").base_map
    played = list(islice(demonstration.play(pictures=False), PHASES[-1] + 1))
    shown = [(number, package) for number in PHASES for package in played[number].packages]
    forget_constants()
    drawn = [drawing(base, package.view) for _, package in shown]
    assert all(any(getattr(package.view, name) for _, package in shown) for name in ("chart", "log", "headlines"))
    assert drawn == [drawing(base, seen_in(package.view)) for _, package in shown]
    for forget in (False, True):
        if forget:
            forget_constants()
        for (number, package), before in zip(reversed(shown), reversed(drawn), strict=True):
            assert drawing(base, package.view) == before, (number, package.audience)
