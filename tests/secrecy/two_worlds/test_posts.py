"""What leaves for forums and channels: nothing in it, and no moment of it, depends on what its readers may not know."""

from collections.abc import Mapping
from random import Random

import pytest

from campaign.engine.values.ids import PUBLIC, Audience
from tests.secrecy.campaigns import Base
from tests.secrecy.pairs import plan_of
from tests.secrecy.received import A_CALL, A_POST, A_REQUEST
from tests.secrecy.steps import STEPS
from tests.secrecy.two_worlds.playing import played
from tests.secrecy.worlds import ANONYMOUS, World


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


def test_the_same_thread_is_not_taken_a_second_time(worlds: Mapping[str, Base]) -> None:
    world = World.restored("posts", worlds["02-german_sheet"].snapshot)
    plan = plan_of(world, Audience("allied"), 1)
    assert STEPS["post elsewhere"](world, plan, Random(1))
    assert STEPS["post elsewhere"](world, plan, Random(1)) == []
    world.close()
