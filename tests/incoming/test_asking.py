"""What people ask for by mail in their own words."""

from datetime import UTC, datetime
from typing import Any

import pytest

from campaign.models import Absence, Closing, OutboxMessage
from gm.machine.sweeper import sweep
from incoming.handling import handle_due
from incoming.models import ReceivedMail
from orders.models import Sheet
from questions.models import Question
from tests.incoming.conftest import ME, Mailbox

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_question_goes_to_the_game_master(box: Mailbox) -> None:
    mail = box.sends(None, text="QUESTION R4.2: May 12 SS cross\nthe river tonight?", who="german tactical")
    question = Question.objects.get()
    assert (question.author, question.rule) == (box.cast.user("german tactical"), "R4.2")
    assert question.text == "May 12 SS cross\nthe river tonight?"
    assert mail.state == "asked"
    assert "has gone to the game master" in box.said("german tactical")
    assert OutboxMessage.objects.filter(kind="question").exists()


def test_a_question_that_cannot_be_asked_says_why(box: Mailbox) -> None:
    assert box.sends(None, text="Question R999.9: what?").state == "refused"
    assert "R999.9" in box.said()
    assert box.sends(None, text="Question: who has won?", who="gm").state == "refused"
    assert "Only players ask the game master" in box.said("gm")
    assert not Question.objects.exists()


def test_the_same_question_mailed_twice_is_one(box: Mailbox) -> None:
    for _ in range(2):
        assert box.sends(None, text="question: may they?").state == "asked"
    assert Question.objects.count() == 1


def test_an_absence_is_booked_until_midnight_of_their_day(box: Mailbox) -> None:
    user = box.cast.user(ME)
    user.time_zone = "America/New_York"
    user.save()
    assert box.sends(None, text="Away until 2026-03-10: a wedding\n\nBye").state == "away"
    absence = Absence.objects.get()
    assert (absence.member, absence.why) == (box.cast.member(ME), "a wedding")
    assert absence.ends_at == datetime(2026, 3, 10, 4, tzinfo=UTC)
    assert "You are away until 10 March 2026." in box.said()


@pytest.mark.parametrize("day", ["2026-02-01", "2029-01-01"])
def test_an_absence_that_cannot_be_booked_says_why(box: Mailbox, day: str) -> None:
    assert box.sends(None, text=f"AWAY UNTIL {day}").state == "refused"
    assert not Absence.objects.exists()
    assert "does not count" in box.said()


def test_a_day_that_is_in_no_calendar_is_asked_again(box: Mailbox) -> None:
    assert box.sends(None, text="AWAY UNTIL 2026-02-31").state == "unreadable"
    assert "AWAY UNTIL and the day" in box.said()


def test_words_above_orders_are_not_passed_on_and_their_writer_is_told(box: Mailbox) -> None:
    assert box.sends("HOLD 12VG", text="QUESTION: may they?").state == "submitted"
    assert not Question.objects.exists()
    assert "Send a question or an absence in a mail without orders." in box.said()
    box.sends("HOLD 12VG", text="Good luck!")
    assert "was not passed on" not in box.said()


def test_what_our_mail_server_refutes_is_not_asked(box: Mailbox, settings: Any) -> None:
    settings.MAIL_IN_JUDGE = "mx.example.org"
    refuted = {"Authentication_Results": "mx.example.org; dmarc=fail"}
    assert box.sends(None, text="QUESTION: may they?", **refuted).state == "refused"
    assert box.sends(None, text="AWAY UNTIL 2026-03-10", **refuted).state == "refused"
    assert not Question.objects.exists()
    assert not Absence.objects.exists()


@pytest.mark.parametrize("words", ["QUESTION: may they?", "AWAY UNTIL 2026-03-10"])
def test_nothing_is_done_at_the_address_of_a_closed_phase(box: Mailbox, words: str) -> None:
    address, box.time.now = box.address(), box.phase.deadline_at
    sweep(worker="one")
    assert box.deliver(box.mail(None, text=words), address) == {}
    handle_due(most=9)
    assert ReceivedMail.objects.get().state == "late"
    assert "Too late: your mail of" in box.said()
    assert "had closed when it came" in box.said()
    assert words in box.answer()
    assert not Question.objects.exists()
    assert not Absence.objects.exists()


def test_nothing_is_asked_in_a_campaign_that_has_closed_since(box: Mailbox) -> None:
    box.deliver(box.mail(None, text="QUESTION: may they?"))
    Closing.objects.create(campaign=box.cast.campaign, author=box.cast.user("gm"), at=box.time.now)
    handle_due(most=9)
    assert ReceivedMail.objects.get().state == "refused"
    assert not Question.objects.exists()
    assert not Sheet.objects.exists()
