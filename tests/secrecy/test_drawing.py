"""A map of one audience does not depend on those that were drawn before it for others."""

from itertools import islice

from campaign.maps import draw
from campaign.maps.painter import SHEETS
from tests import demonstration
from tests.secrecy.test_oracle import loaded

PHASES = (2, 7)
"""The German moves of two days: battles open, and on the second day each audience sees other markers."""


def test_a_map_has_the_same_bytes_whosever_was_drawn_before_on_the_same_sheet() -> None:
    """Each time the sheet is new, and another audience is the first."""
    base = loaded("ardennes-1944").base_map
    played = list(islice(demonstration.play(pictures=False), PHASES[-1] + 1))
    shown = [(number, package) for number in PHASES for package in played[number].packages]
    SHEETS.clear()
    drawn = [draw(base, package.view) for _, package in shown]
    SHEETS.clear()
    for (number, package), before in zip(reversed(shown), reversed(drawn), strict=True):
        assert draw(base, package.view) == before, (number, package.audience)
