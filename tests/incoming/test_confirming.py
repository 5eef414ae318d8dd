"""A mailed sheet that waits for its author's click."""

import re
from typing import Any

import pytest

from incoming.handling import drop_unconfirmed
from incoming.models import ReceivedMail
from orders.models import Sheet
from tests.gm.campaigns import send
from tests.incoming.conftest import ME, Mailbox

pytestmark = pytest.mark.django_db(transaction=True)

REFUTED = "mx.example.org; dmarc=fail"


@pytest.fixture
def page(box: Mailbox, settings: Any) -> str:
    """The page of a mail that waits, from the link in the answer."""
    settings.MAIL_IN_JUDGE = "mx.example.org"
    box.sends("HOLD 12VG\nREADY", Authentication_Results=REFUTED)
    found = re.search(r"http://\S+?(/c/bulge/mailed/\w+/)", box.answer())
    assert found
    return found[1]


def test_a_click_submits_it_at_the_time_of_the_click(box: Mailbox, page: str) -> None:
    box.time.forward(minutes=9)
    browser = box.cast.browser(ME)
    seen = browser.get(page).content.decode()
    assert "HOLD 12VG" in seen
    assert "does not count yet" in seen
    assert not Sheet.objects.exists()
    answer = browser.post(page, {"version": "0"}, follow=True)
    assert answer.redirect_chain
    sheet = Sheet.objects.get()
    assert (sheet.channel, sheet.text, sheet.ready, sheet.received_at) == (
        "mail", "HOLD 12VG\nREADY\n", True, box.time.now,
    )  # fmt: skip
    assert "by mail" in answer.content.decode()
    assert ReceivedMail.objects.get().state == "submitted"
    assert browser.post(page, {"version": "0"}).status_code == 404
    assert Sheet.objects.count() == 1


def test_it_replaces_no_version_that_its_author_has_not_seen(box: Mailbox, page: str) -> None:
    send(box.phase, box.cast.user("german deputy"), "HOLD 2PZ")
    browser = box.cast.browser(ME)
    answer = browser.post(page, {"version": "0"})
    assert answer.status_code == 409
    assert "version 1 of this sheet was submitted after you opened this page" in answer.content.decode()
    assert browser.post(page, {"version": "1"}).status_code == 302


@pytest.mark.parametrize("who", ["german deputy", "allied commander", "gm", "spectator", "outsider"])
def test_it_is_its_authors_alone(box: Mailbox, page: str, who: str) -> None:
    browser = box.cast.browser(who)
    assert browser.get(page).status_code == 404
    assert browser.post(page, {"version": "0"}).status_code == 404
    assert not Sheet.objects.exists()


def test_it_does_not_count_once_the_phase_has_closed_and_its_author_is_told(box: Mailbox, page: str) -> None:
    assert drop_unconfirmed() == 0
    phase = box.phase
    phase.deadline_at = box.time.now
    phase.save()
    browser = box.cast.browser(ME)
    assert "this phase has closed" in browser.post(page, {"version": "0"}).content.decode()
    phase.state = "LOCKED"
    phase.save()
    assert drop_unconfirmed() == 1
    assert drop_unconfirmed() == 0
    assert "closed before you confirmed it" in box.said()
    assert not Sheet.objects.exists()
    assert browser.get(page).status_code == 404
