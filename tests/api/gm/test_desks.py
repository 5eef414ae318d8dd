"""Sheets that a game master enters through the API, for desks that cannot submit them."""

from typing import Any

import pytest

from gm.machine.sweeper import sweep
from orders.models import Channel, Sheet
from tests.api.asking import write
from tests.web.conftest import Cast
from tests.web.desk.test_desk import clock_mark

pytestmark = pytest.mark.django_db

HQ = "gm/desks/german/HQ"


def enter(cast: Cast, text: str, *, who: str = "gm", desk: str = HQ, key: str = "a key", **more: Any) -> Any:
    body = {"phase": clock_mark(cast), "text": text, "version": 0, **more}
    return write(cast, who, f"{desk}/sheets/", body, key=key)


def test_a_sheet_is_checked_with_what_its_side_knows_and_stored_nowhere(cast: Cast) -> None:
    answer = write(cast, "gm", f"{HQ}/check/", {"text": "HOLD 1 SS\nHOLD nobody"})
    assert answer.status_code == 200
    assert answer.json()["problems"][0]["line"] == 2
    of_its_side = write(cast, "german commander", "desks/HQ/check/", {"text": "HOLD 1 SS\nHOLD nobody"})
    assert answer.json() == of_its_side.json()
    assert not Sheet.objects.exists()


def test_an_entered_sheet_is_marked_as_entered_by_its_game_master(cast: Cast) -> None:
    receipt = enter(cast, "HOLD 1 SS\nREADY")
    assert receipt.status_code == 201
    assert (receipt.json()["desk"], receipt.json()["version"], receipt.json()["ready"]) == ("HQ", 1, True)
    sheet = Sheet.objects.get()
    assert (sheet.side, sheet.channel, sheet.author) == ("german", Channel.GM, cast.user("gm"))


def test_a_newer_sheet_of_the_side_is_not_replaced_unseen(cast: Cast) -> None:
    for _ in range(2):
        assert enter(cast, "HOLD 1 SS").json()["version"] == 1, "sent again with its key"
    late = enter(cast, "HOLD 12 SS", who="co-gm", key="another")
    assert (late.status_code, late.json()["error"]) == (409, "outdated")
    assert enter(cast, "HOLD 12 SS", who="co-gm", key="another", version=1).status_code == 201
    assert list(Sheet.objects.order_by("version").values_list("text", flat=True)) == ["HOLD 1 SS", "HOLD 12 SS"]


@pytest.mark.parametrize("desk", ["gm/desks/german/nowhere", "gm/desks/gm/HQ", "gm/desks/nobody/HQ"])
def test_there_are_no_other_desks(cast: Cast, desk: str) -> None:
    assert enter(cast, "READY", desk=desk).status_code == 404
    assert write(cast, "gm", f"{desk}/check/", {"text": "READY"}).status_code == 404


def test_a_sheet_for_a_phase_that_is_over_is_refused_and_one_sent_again_gets_its_receipt(cast: Cast) -> None:
    """The answer to the last READY is lost, and the phase has closed when the program asks again."""
    open_phase = clock_mark(cast)
    receipt = enter(cast, "READY")
    sweep(worker="one")
    assert clock_mark(cast) != open_phase
    assert enter(cast, "READY", phase=open_phase).json() == receipt.json()
    over = enter(cast, "HOLD 1 SS", phase=open_phase, key="another", version=1)
    assert (over.status_code, over.json()["error"]) == (409, "closed")
    assert Sheet.objects.count() == 1
