"""The lock of a phase waits for a last poll, not for long; the GM is told what was not read, and what is found then."""

from datetime import timedelta
from typing import Any
from unittest.mock import Mock

import pytest

from campaign.models import Membership, OutboxMessage, Phase, PhaseState, Role
from campaign.viewers import viewer_of
from gm.desk.deadlines import extend, hold, resume
from gm.desk.reopening import reopen
from gm.machine.sweeper import sweep
from gm.phases.locking import lock, lock_if_due
from incoming.addresses import reply_header
from incoming.models import LastPoll
from incoming.ways.mailbox import Folder, MailUnavailable
from incoming.ways.polling import is_due, poll
from incoming.ways.waiting import answer_polls, polls_asked_for
from orders.models import LockedSheet, Sheet
from tests.gm.campaigns import live, new_campaign, opened, send
from tests.incoming.conftest import ME
from tests.incoming.imap.conftest import Post, url
from tests.mails import plain_text_of

pytestmark = pytest.mark.django_db(transaction=True)


def at_the_deadline(post: Post, **later: float) -> Phase:
    """The open phase, at its deadline. Its German commander has got an address."""
    phase, _ = post.phase, post.address()
    post.time.now = phase.deadline_at + timedelta(**later)
    return phase


def test_a_lock_waits_until_the_mailbox_was_read_after_the_deadline(post: Post) -> None:
    phase = at_the_deadline(post, minutes=-1)
    post.arrives(post.mail("HOLD 12VG"))
    poll()
    post.arrives(post.mail("ALL OTHERS HOLD"), phase.deadline_at - timedelta(seconds=1))
    post.time.now = phase.deadline_at
    sweep(worker="one")
    assert live(post.cast.campaign) == phase
    post.time.forward(seconds=3)
    assert is_due(post.time.now), "the poller need not wait for its usual time"
    assert poll() == 1
    sweep(worker="one")
    assert LockedSheet.objects.get(phase=phase, side="german").sheet.text == "ALL OTHERS HOLD\n"
    assert LastPoll.objects.get().missed_at is None
    sweep(worker="one")
    assert not OutboxMessage.objects.filter(kind="unread_mailbox").exists()


def test_a_phase_that_is_ready_waits_for_a_poll_too(post: Post) -> None:
    phase, _ = post.phase, post.address()
    send(phase, post.cast.user(ME), "ALL OTHERS HOLD\nREADY", ready=True)
    post.time.forward(minutes=30)
    Sheet.objects.update(ready_at=post.time.now)
    post.arrives(post.mail("HOLD 12VG"), post.time.now - timedelta(minutes=1))
    assert not lock_if_due(phase.pk)
    post.time.forward(seconds=1)
    post.polled()
    assert not lock_if_due(phase.pk), "the mail that was found cancels READY"
    assert not LastPoll.objects.exists(), "the next READY waits for a poll of its own"


def test_a_deadline_that_moves_while_the_lock_waits_waits_for_a_poll_of_its_own(post: Post) -> None:
    phase = at_the_deadline(post)
    sweep(worker="one")
    assert polls_asked_for().exists()
    later = post.time.now + timedelta(hours=2)
    extend(viewer_of(post.cast.user("gm"), "bulge"), later)
    sweep(worker="one")
    assert not LastPoll.objects.exists()
    post.polled()
    post.arrives(post.mail("HOLD 12VG"), later - timedelta(seconds=1))
    post.time.now = later
    sweep(worker="one")
    assert live(post.cast.campaign) == phase
    post.time.forward(seconds=2)
    post.polled()
    sweep(worker="one")
    assert LockedSheet.objects.get(phase=phase, side="german").sheet.text == "HOLD 12VG\n"


def test_a_clock_that_is_paused_while_a_ready_phase_waits_keeps_it_open(post: Post) -> None:
    phase, _ = post.phase, post.address()
    send(phase, post.cast.user(ME), "ALL OTHERS HOLD\nREADY", ready=True)
    post.time.forward(minutes=30)
    Sheet.objects.update(ready_at=post.time.now)
    sweep(worker="one")
    assert polls_asked_for().exists()
    hold(viewer_of(post.cast.user("gm"), "bulge"), reason="a holiday")
    post.time.forward(seconds=30)
    sweep(worker="one")
    assert (live(post.cast.campaign), LastPoll.objects.exists()) == (phase, False)
    resume(viewer_of(post.cast.user("gm"), "bulge"))
    assert not lock(phase.pk), "it waits for a poll again"
    post.polled()
    assert lock(phase.pk)


def test_one_poll_answers_the_locks_of_all_campaigns(post: Post) -> None:
    other = opened(new_campaign("other"))
    member = Membership.objects.create(
        campaign=other.campaign, user=post.cast.user(ME), role=Role.COMMANDER, side="german", joined_at=post.time.now
    )
    there = reply_header(other, member)["Reply-To"]
    phase = at_the_deadline(post)
    Phase.objects.filter(pk=other.pk).update(deadline_at=phase.deadline_at)
    sent = post.mail("HOLD 12VG", To=there).as_bytes()
    post.server.put(sent, post.time.now - timedelta(seconds=1))
    post.arrives(post.mail("ALL OTHERS HOLD"), post.time.now - timedelta(seconds=1))
    sweep(worker="one")
    assert polls_asked_for().count() == 2
    post.time.forward(seconds=2)
    assert post.polled() == 2
    sweep(worker="one")
    locked = LockedSheet.objects.filter(phase__in=[phase, other], side="german").order_by("phase")
    assert {each.phase_id: each.sheet.text for each in locked} == {
        phase.pk: "ALL OTHERS HOLD\n",
        other.pk: "HOLD 12VG\n",
    }


def test_a_phase_nobody_can_answer_by_mail_waits_for_nothing(post: Post) -> None:
    phase = post.phase
    post.time.now = phase.deadline_at
    assert lock(phase.pk)


@pytest.mark.parametrize("wrong", ["a server that is down", "no such folder", "no mailbox in the settings"])
def test_a_mailbox_that_cannot_be_read_delays_a_lock_by_twenty_seconds_and_the_gm_is_told(
    post: Post, settings: Any, wrong: str
) -> None:
    nowhere = url(post.server, folder="Nowhere")
    down = nowhere.replace(str(post.server.port), "9")
    settings.MAIL_IN_URL = {"a server that is down": down, "no such folder": nowhere}.get(wrong, "")
    phase = at_the_deadline(post)
    for seconds in (0, 10, 9):
        post.time.forward(seconds=seconds)
        assert not lock(phase.pk)
        if settings.MAIL_IN_URL:
            poll()
    post.time.forward(seconds=1)
    assert lock(phase.pk)
    sweep(worker="one")
    told = OutboxMessage.objects.filter(kind="unread_mailbox")
    assert {row.user.username for row in told if row.user} == {"gm", "co-gm"}
    assert "could not be read" in plain_text_of(told[0].message)
    sweep(worker="one")
    assert told.count() == 2
    assert "could not be read when" in post.cast.browser("gm").get("/c/bulge/desk/").content.decode()


def test_a_lock_waits_for_a_mail_that_the_server_does_not_give(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    phase = at_the_deadline(post, minutes=-1)
    post.arrives(post.mail("HOLD 12VG"))
    post.time.now = phase.deadline_at
    with monkeypatch.context() as patch:
        patch.setattr(Folder, "whole", Mock(side_effect=MailUnavailable("mail 1 of the mailbox")))
        for _ in range(4):
            assert not lock(phase.pk)
            poll()
    assert polls_asked_for().exists()
    post.time.forward(seconds=20)
    assert lock(phase.pk)
    assert LastPoll.objects.get().missed_at == post.time.now


def test_a_poll_answers_only_what_was_asked_before_it_began(post: Post) -> None:
    """Whatever the clocks of two computers say."""
    phase = at_the_deadline(post)
    assert not lock(phase.pk)
    (asked,) = polls_asked_for()
    for change in ({"asked_at": post.time.now + timedelta(hours=1)}, {"deadline_rev": asked.deadline_rev + 1}):
        LastPoll.objects.update(**change)
        answer_polls([asked], post.time.now)
        assert polls_asked_for().exists()
    poll()
    assert not polls_asked_for().exists()


def late_found(post: Post) -> Phase:
    """The phase that was closed while a mail lay in a mailbox that could not be read."""
    phase = at_the_deadline(post, minutes=-5)
    post.arrives(post.mail("HOLD 12VG"))
    post.time.now = phase.deadline_at
    sweep(worker="one")
    post.time.forward(seconds=20)
    sweep(worker="one")
    phase.refresh_from_db()
    assert phase.state == PhaseState.PUBLISHED
    post.time.forward(minutes=10)
    post.polled()
    return phase


def test_a_mail_that_is_found_too_late_is_shown_to_the_gm_who_may_reopen(post: Post) -> None:
    phase = late_found(post)
    assert post.states() == ["found"]
    assert not Sheet.objects.filter(phase=phase).exists()
    assert "The game master can read it" in post.said()
    for _ in range(2):
        sweep(worker="one")
    told = OutboxMessage.objects.filter(kind="found_mails")
    assert {row.user.username for row in told if row.user} == {"gm", "co-gm"}
    assert "From: german commander" in plain_text_of(told[0].message)
    assert "HOLD 12VG" not in plain_text_of(told[0].message)
    page = post.cast.browser("gm").get("/c/bulge/desk/").content.decode()
    assert "HOLD 12VG" in page
    assert "german commander, German side" in page
    assert post.cast.browser("allied commander").get("/c/bulge/desk/").status_code == 404
    reopen(viewer_of(post.cast.user("gm"), "bulge"), reason="a mail came in time")
    page = post.cast.browser("gm").get("/c/bulge/desk/").content.decode()
    assert "HOLD 12VG" not in page


def test_a_mail_that_came_after_the_deadline_is_late_and_no_affair_of_the_gm(post: Post) -> None:
    phase, address = at_the_deadline(post), post.address()
    sweep(worker="one")
    post.time.forward(seconds=20)
    sweep(worker="one")
    raw = b"Delivered-To: %b\r\n%b" % (address.encode(), post.mail("HOLD 12VG").as_bytes())
    post.server.put(raw, phase.deadline_at)
    post.polled()
    assert post.states() == ["late"]
    sweep(worker="one")
    assert not OutboxMessage.objects.filter(kind="found_mails").exists()


def test_a_phase_that_was_reopened_meanwhile_asks_for_a_new_mail(post: Post) -> None:
    phase, address = at_the_deadline(post), post.address()
    sweep(worker="one")
    post.time.forward(seconds=20)
    sweep(worker="one")
    reopen(viewer_of(post.cast.user("gm"), "bulge"), reason="a mistake")
    raw = b"Delivered-To: %b\r\n%b" % (address.encode(), post.mail("HOLD 12VG").as_bytes())
    post.server.put(raw, phase.deadline_at - timedelta(minutes=1))
    post.polled()
    assert post.states() == ["late"]
    assert "was reopened" in post.said()
