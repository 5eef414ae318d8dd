"""What takes effect later, or lasts for a time, shows a side nothing of what others have and do meanwhile."""

from collections.abc import Mapping

import pytest

from campaign.engine.values.ids import PUBLIC, Audience
from tests.secrecy.campaigns import Base
from tests.secrecy.steps.hours import HOURS
from tests.secrecy.two_worlds.playing import played
from tests.secrecy.worlds import ANONYMOUS

GERMAN, ALLIED = Audience("german"), Audience("allied")


@pytest.mark.parametrize(
    ("observer", "reader"), [(ALLIED, "allied commander"), (GERMAN, "german staff"), (PUBLIC, ANONYMOUS)]
)
def test_a_publication_that_waits_reveals_only_what_is_disclosed(
    worlds: Mapping[str, Base], observer: Audience, reader: str
) -> None:
    """The others have other units and lives, and one of them has rolled; before it takes effect nobody reads of it."""
    acts = "M12, M4, M20, ready and wait, lock, M18, adjudicate, approve and wait, tick"
    figures = played(worlds, "01-air", observer, acts, [reader], sure=(r"/stops/\d+/$",))
    assert not figures.explained
    assert figures.steps["ready and wait"] == (observer != PUBLIC)
    assert figures.hours["gm.models.Approval.publishes_at"] == 1


@pytest.mark.parametrize("observer", [ALLIED, GERMAN])
def test_what_lasts_for_a_time_is_for_those_alone_whom_it_concerns(
    worlds: Mapping[str, Base], observer: Audience
) -> None:
    twice = ("an invitation opens", "many mails", "an absence ends", "a token ends")
    acts = f"M12, M20, {', '.join(twice)}, M30, M20, M14, {', '.join(twice)}, a bot stands in"
    figures = played(worlds, "01-air", observer, acts, [f"{observer} deputy"], sure=("/people/$", "^/profile/tokens/"))
    assert not figures.explained
    assert {name: figures.steps[name] for name in twice} == dict.fromkeys(twice, 2)
    assert figures.steps["a bot stands in"] == 1


def test_a_sheet_that_nobody_cancels_ends_a_phase_at_the_same_time(worlds: Mapping[str, Base]) -> None:
    """The bot of a side has submitted, and then its commander is READY: nobody else acts."""
    acts = "M12, M20, a bot stands in, M30, ready and wait, adjudicate, approve and wait"
    figures = played(worlds, "02-german_sheet", GERMAN, acts, ["german commander"], sure=("/orders/HQ/$",))
    assert not figures.explained
    for name in ("a bot stands in", "ready and wait", "approve and wait"):
        assert figures.steps[name] == 1
        assert all(figures.hours[each] == 1 for each in HOURS[name][1])


def test_a_time_to_play_is_for_its_players_alone(worlds: Mapping[str, Base]) -> None:
    acts = "M12, M20, M31, a time to play, M20, a time to play, M31, a time to play"
    figures = played(worlds, "03-german_battles", GERMAN, acts, ["german tactical"], sure=("/battles/", "/calendar/"))
    assert not figures.explained
    assert figures.steps["a time to play"] == 3
