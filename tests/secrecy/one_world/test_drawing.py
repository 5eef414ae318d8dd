"""A map or a board of one audience does not depend on those that were drawn before it for others."""

from collections.abc import Callable
from itertools import islice

import pytest

from campaign.engine.display.views import BaseMap, View
from campaign.engine.values.value import replace
from campaign.maps import draw, vector
from campaign.maps.base.layout import Layout
from campaign.maps.drawing.sizes import BOARD, FORUM
from campaign.maps.place_descriptions import describe_places
from campaign.maps.style.adaptive import ADAPTIVE
from campaign.maps.style.schemes import DARK
from tests import demonstration
from tests.secrecy.one_world.test_oracle import loaded
from tests.secrecy.painting import seen_in, views_alone
from tests.trust.memory.remembered import forget_all, forget_constants

PHASES = (2, 7)
"""The German moves of two days: battles open, and on the second day each audience sees other markers."""


def board(base: BaseMap, view: View) -> str:
    """The board next to a sheet, with what it says of each place."""
    layout = Layout.of(base, BOARD, ADAPTIVE)
    return vector.board(view, layout, describe_places(base, view), sheet="sheet", dark_sheet="dark", page="page")


def forget() -> None:
    """Let nothing be remembered, not of base maps either."""
    forget_all()
    forget_constants()


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
    forget()
    drawn = [drawing(base, package.view) for _, package in shown]
    assert all(any(getattr(package.view, name) for _, package in shown) for name in ("chart", "log", "headlines"))
    assert drawn == [drawing(base, seen_in(package.view)) for _, package in shown]
    for forgets in (False, True):
        if forgets:
            forget()
        for (number, package), before in zip(reversed(shown), reversed(drawn), strict=True):
            assert drawing(base, package.view) == before, (number, package.audience)


def test_what_stands_for_a_board_differs_with_its_base_map_and_scheme() -> None:
    scenario = loaded("ardennes-1944")
    view = next(islice(demonstration.play(pictures=False), 1)).packages[0].view
    maps = [scenario.base_map, replace(scenario.base_map, title="Another")]
    with views_alone():
        found = {
            vector.board(view, Layout.of(base, width, colours), (), sheet="sheet")
            for base in maps
            for width in (BOARD, FORUM)
            for colours in (ADAPTIVE, DARK)
        }
    assert len(found) == 8
