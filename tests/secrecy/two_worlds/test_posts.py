"""What leaves for forums and channels: nothing in it, and no moment of it, depends on what its readers may not know."""

from collections.abc import Mapping

import pytest

from campaign.engine.values.ids import PUBLIC, Audience
from tests.secrecy.campaigns import Base
from tests.secrecy.received import A_CALL, A_POST, A_REQUEST
from tests.secrecy.two_worlds.playing import played
from tests.secrecy.worlds import ANONYMOUS


@pytest.mark.parametrize(
    ("observer", "acts"),
    [
        ("german", "M37, post elsewhere, M4, M2, M37"),
        ("allied", "M4, M2, M37, post elsewhere, M37"),
        (PUBLIC, "M4, M2, M37, post elsewhere, M37"),
    ],
)
def test_a_forum_gets_what_its_audience_received_and_a_channel_the_turn_alone(
    worlds: Mapping[str, Base], observer: Audience, acts: str
) -> None:
    """The phase that follows asks the Germans to act."""
    acts += ", lock, adjudicate, publish, M37, tick, tick"
    readers = ["spectator", ANONYMOUS if observer == PUBLIC else f"{observer} commander"]
    figures = played(worlds, "01-air", observer, acts, readers)
    assert figures.steps["post elsewhere"] == figures.steps["publish"] == 1
    assert figures.mutators["M37"] == 3
    assert figures.mutators["M4"] + figures.mutators["M2"]
    assert figures.posted[A_POST] >= 1
    assert figures.posted[A_REQUEST] >= 2 * figures.posted[A_POST]  # its picture goes before it
    assert bool(figures.posted[A_CALL]) == (observer == "german")
