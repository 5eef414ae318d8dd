"""Replays on the web: the audience's own phases, and nothing read for a visitor who does not get one."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaign.maps.replay import MOST_FRAMES
from campaign.models import Phase, PhaseState
from campaign.people.throttles import REPLAYS
from tests.web.conftest import ANONYMOUS, Cast

pytestmark = pytest.mark.django_db

RESTS = ("replay.gif", "stops/0/replay.webp")


@pytest.fixture
def still(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Nothing is drawn; the numbers of frames that would have been."""
    frames: list[int] = []

    def animate(_: object, some: list[object], *__: object, **___: object) -> bytes:
        frames.append(len(some))
        return b"a moving picture"

    monkeypatch.setattr("campaign.views.maps.replays.animate", animate)
    return frames


@pytest.mark.parametrize("rest", RESTS)
def test_a_moving_picture_bears_the_name_of_what_it_is(cast: Cast, rest: str, still: list[int]) -> None:
    answer = cast.browser("german staff").get(cast.address(f"{rest}?colours=print"))
    motion = rest.rpartition(".")[2]
    assert (answer.status_code, answer.content, len(still)) == (200, b"a moving picture", 1)
    assert answer.headers["Content-Type"] == f"image/{motion}"
    assert f"-german-replay-print.{motion}" in answer.headers["Content-Disposition"]


@pytest.mark.parametrize("rest", RESTS)
@pytest.mark.parametrize(("asked", "code"), [("", 429), ("?colours=mauve", 404)])
def test_nothing_that_was_received_is_read_for_who_gets_no_picture(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, rest: str, asked: str, code: int
) -> None:
    monkeypatch.setattr("campaign.views.maps.replays.may", lambda *_: False)
    with CaptureQueriesContext(connection) as made:
        answer = cast.browser("german staff").get(cast.address(rest + asked))
    assert answer.status_code == code
    assert [each["sql"] for each in made if '"content"' in each["sql"]] == []


@pytest.mark.parametrize("rest", ["replay.mp4", "stops/0/replay.mp4", "stops/99/replay.gif"])
def test_what_there_is_not_counts_for_nothing(cast: Cast, monkeypatch: pytest.MonkeyPatch, rest: str) -> None:
    monkeypatch.setattr("campaign.views.maps.replays.may", lambda *_: 1 / 0)
    assert cast.browser("german staff").get(cast.address(rest)).status_code == 404


def test_before_the_first_phase_there_is_none(cast: Cast) -> None:
    Phase.objects.filter(state=PhaseState.PUBLISHED).update(state=PhaseState.WITHDRAWN)
    for rest in RESTS:
        assert cast.browser("german staff").get(cast.address(rest)).status_code == 404


def test_nothing_is_read_but_what_is_shown(cast: Cast, monkeypatch: pytest.MonkeyPatch, still: list[int]) -> None:
    asked: list[int] = []

    def views(_: object, *, most: int) -> list[object]:
        asked.append(most)
        return [object()]

    monkeypatch.setattr("campaign.selectors.views", views)
    monkeypatch.setattr("campaign.views.maps.replays.of_campaign", list)
    cast.browser("german staff").get(cast.address(RESTS[0]))
    assert (asked, still) == ([MOST_FRAMES], [1])


@pytest.mark.usefixtures("still")
def test_strangers_wait_sooner_and_members_at_their_address_do_not(cast: Cast) -> None:
    assert REPLAYS.strangers is not None
    assert REPLAYS.strangers < REPLAYS.number
    address = cast.address(f"public/{RESTS[0]}")
    codes = [cast.browser(ANONYMOUS).get(address).status_code for _ in range(REPLAYS.strangers + 1)]
    assert codes == [200] * REPLAYS.strangers + [429]
    assert cast.browser("german staff").get(address).status_code == 200
