"""Mails in a mailbox: each that is for a reply address is taken once, at the time at which the mailbox took it."""

import imaplib
from typing import Any
from unittest.mock import Mock

import pytest
from django.core.management import CommandError, call_command

from campaign.mail.outbox import enqueue
from campaign.mail.secret_addresses import address_with
from campaign.models import OutboxMessage
from incoming.handling import handle_due
from incoming.models import ReceivedMail
from incoming.returned import handle_returned
from incoming.ways.mailbox import Folder, Head, Unreadable
from incoming.ways.polling import not_put_away, poll, trouble
from orders.models import Sheet
from tests.incoming.conftest import DOMAIN, ME
from tests.incoming.imap.conftest import Post, earlier
from tests.incoming.returns import report
from tests.mail.writing import composed

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_mail_in_the_mailbox_becomes_a_sheet_at_the_time_at_which_it_came(post: Post) -> None:
    came = earlier(post, minutes=20)
    post.arrives(post.mail("ALL OTHERS HOLD"), came)
    assert post.polled() == 1
    sheet = Sheet.objects.get()
    assert (sheet.text, sheet.received_at) == ("ALL OTHERS HOLD\n", came)
    assert "version 1 of the sheet" in post.said()
    assert post.server.flags() == [r"\Seen"]


def test_a_report_in_the_mailbox_is_noted_with_the_mail_and_put_away(post: Post) -> None:
    said = {"key": "news", "kind": "notice", "subject": "News", "text": "News.", "to_addr": "rommel@mail.example"}
    assert enqueue(composed(post.cast.user(ME), campaign=post.cast.campaign, audience="german", **said))
    mail = OutboxMessage.objects.get(key="news")
    path, came = address_with(mail.return_token), earlier(post, minutes=20)
    post.server.put(f"Delivered-To: {path}\r\n".encode() + report("Postfix", path), came)
    poll()
    handle_returned(most=9)
    mail.refresh_from_db()
    assert (mail.bounced_at, mail.bounce_status, mail.bounced_onward) == (came, "5.1.1", False)
    assert (post.states(), post.server.flags()) == ([], [r"\Seen"])
    poll()
    assert handle_returned(most=9) == 0


def test_a_time_that_has_not_come_yet_is_not_believed(post: Post) -> None:
    post.arrives(post.mail("READY"), earlier(post, hours=-1))
    post.polled()
    assert ReceivedMail.objects.get().received_at == post.time.now


def test_a_mail_that_is_read_twice_counts_once(post: Post) -> None:
    post.arrives(post.mail("ALL OTHERS HOLD"))
    assert [post.polled(), post.polled()] == [1, 0]
    type(post.row).objects.update(uid=0)  # as a process leaves it that dies before it notes what it has read
    post.polled()
    assert (post.states(), Sheet.objects.count(), len(post.answers())) == (["submitted"], 1, 1)


def test_another_copy_of_a_mail_is_the_same_mail(post: Post) -> None:
    mail = post.mail("ALL OTHERS HOLD").as_bytes()
    post.arrives(mail)
    post.arrives(b"X-Spam-Score: 0.1\r\nReceived: by way.example; Mon, 2 Mar 2026 10:00:00 +0000\r\n" + mail)
    post.polled()
    assert Sheet.objects.count() == 1


def test_a_mailbox_with_another_validity_is_read_again_and_nothing_counts_twice(post: Post) -> None:
    for orders in ("HOLD 12VG", "ALL OTHERS HOLD"):
        post.arrives(post.mail(orders))
    assert post.polled() == 2
    before = post.row
    post.server.renumber()
    post.arrives(post.mail("READY"))
    post.polled()
    assert (post.row.validity != before.validity, post.row.uid) == (True, 3)
    assert (post.states(), Sheet.objects.count(), len(post.answers())) == (["submitted"] * 3, 3, 3)


def test_mails_for_others_stay_as_they_are(post: Post) -> None:
    for to in ("postmaster@example.org", f"orders+{'a' * 32}@{DOMAIN}"):
        post.server.put(f"To: {to}\r\n\r\nBEGIN ORDERS\r\nREADY\r\nEND ORDERS\r\n".encode(), post.time.now)
    assert post.polled() == 0
    assert post.server.flags() == ["", ""]
    assert (post.states(), post.row.uid, post.row.why) == ([], 2, "")


def test_nothing_is_deleted_that_others_have_marked_for_it(post: Post) -> None:
    post.server.put(b"Subject: mine\r\n\r\nkeep\r\n", post.time.now, r"(\Deleted)")
    post.arrives(post.mail("READY"))
    post.polled()
    assert post.server.flags() == [r"\Deleted", r"\Seen"]


def test_mails_that_were_taken_are_moved_where_the_settings_say_so(post: Post, settings: Any) -> None:
    with post.server.client() as client:
        client.create("Read")
    settings.MAIL_IN_MOVE_TO = "Read"
    post.server.put(b"Subject: mine\r\n\r\nkeep\r\n", post.time.now, r"(\Deleted)")
    post.arrives(post.mail("READY"))
    assert post.polled() == 1
    assert (post.server.flags(), post.server.flags("Read")) == ([r"\Deleted"], [r"\Seen"])
    assert post.row.why == ""


def test_mails_that_could_not_be_moved_count_and_are_moved_later(
    post: Post, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    settings.MAIL_IN_MOVE_TO = "Read"
    for _ in range(2):
        post.arrives(post.mail("READY"))
    assert [post.polled(), post.polled()] == [2, 0]
    said = "Mails cannot be moved to the folder that FIELDPOST_MAIL_IN_MOVE_TO names."
    assert caplog.text.count(said) == 1
    assert (post.row.read_at, post.row.failing_since) == (post.time.now, None)
    with pytest.raises(CommandError, match="FIELDPOST_MAIL_IN_MOVE_TO"):
        call_command("takemail", "--once")
    assert not_put_away(post.time.now) == ""
    post.time.forward(minutes=16)
    assert not_put_away(post.time.now) == f"Mails that were taken and not marked or moved: 2. {said}"
    assert post.polled() == 0
    assert trouble(post.time.now) == "", "all mails were read: the health page says nothing"
    with post.server.client() as client:
        client.create("Read")
    assert post.polled() == 0
    assert (post.server.flags(), post.server.flags("Read")) == ([], [r"\Seen"] * 2)
    assert (post.row.unfiled, not_put_away(post.time.now)) == ([], "")


def test_a_mail_that_can_never_be_moved_keeps_no_other_from_it(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    put_away = Folder.put_away

    def refuses(folder: Folder, uid: int, to: str) -> None:
        if uid == 1 or held:
            raise Unreadable("Mails cannot be moved.")
        put_away(folder, uid, to)

    held = True
    monkeypatch.setattr(Folder, "put_away", refuses)
    for _ in range(3):
        post.arrives(post.mail("READY"))
    post.polled()
    held = False
    assert sorted(post.row.unfiled) == [1, 2, 3]
    post.polled()
    post.polled()
    assert post.row.unfiled == [1]


@pytest.mark.parametrize("error", [TimeoutError(), imaplib.IMAP4.abort("the server is gone")])
def test_a_server_that_hangs_up_on_a_mail_that_it_should_move_keeps_no_new_mail_from_being_read(
    post: Post, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    monkeypatch.setattr(Folder, "put_away", Mock(side_effect=error))
    for stored in (1, 2, 3):
        post.arrives(post.mail("READY"))
        assert post.polled() == 1
        assert (len(post.row.unfiled), post.row.why, len(post.answers())) == (stored, "", stored)
    assert post.row.read_at == post.time.now


def test_two_processes_may_poll_at_once(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    for orders in ("HOLD 12VG", "ALL OTHERS HOLD"):
        post.arrives(post.mail(orders))
    head = Folder.head
    found: list[int] = []

    def meanwhile(folder: Folder, uid: int) -> Head | None:
        if not found:
            found.append(0)  # from here on it is the other process that asks
            found[0] = poll()
        return head(folder, uid)

    monkeypatch.setattr(Folder, "head", meanwhile)
    assert (poll(), found) == (2, [2])
    handle_due(most=9)
    assert (post.states(), len(post.answers())) == (["submitted"] * 2, 2)
    assert (post.polled(), post.row.uid, post.row.retries) == (0, 2, {})


def test_a_mail_that_names_no_sender_is_answered_by_nobody(post: Post) -> None:
    raw = b"Return-Path: <>\r\nDelivered-To: %b\r\n%b" % (post.address().encode(), post.mail("READY").as_bytes())
    post.server.put(raw, post.time.now)
    post.polled()
    assert (post.states(), post.answers()) == (["automatic"], [])


def test_a_mail_to_two_members_comes_to_each(post: Post) -> None:
    mail = post.mail("READY", To=f"{post.address(ME)}, Allies <{post.address('allied commander').upper()}>")
    post.server.put(mail.as_bytes(), post.time.now)
    post.polled()
    assert post.states() == ["submitted", "refused"], "the other side has nothing to order in this phase"
    assert {row.user_id for row in OutboxMessage.objects.filter(kind="mailed")} == {
        post.cast.user(who).pk for who in (ME, "allied commander")
    }
