"""Mails in a mailbox: each that is for a reply address is taken once, at the time at which the mailbox took it."""

from typing import Any

import pytest

from campaign.models import OutboxMessage
from incoming.models import ReceivedMail
from orders.models import Sheet
from tests.incoming.conftest import DOMAIN, ME
from tests.incoming.imap.conftest import Post, earlier

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_mail_in_the_mailbox_becomes_a_sheet_at_the_time_at_which_it_came(post: Post) -> None:
    came = earlier(post, minutes=20)
    post.arrives(post.mail("ALL OTHERS HOLD"), came)
    assert post.polled() == 1
    sheet = Sheet.objects.get()
    assert (sheet.text, sheet.received_at) == ("ALL OTHERS HOLD\n", came)
    assert "version 1 of the sheet" in post.said()
    assert post.server.flags() == [r"\Seen"]


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


def test_a_folder_that_is_not_there_keeps_no_mail_from_counting(post: Post, settings: Any) -> None:
    settings.MAIL_IN_MOVE_TO = "Nowhere"
    for _ in range(2):
        post.arrives(post.mail("READY"))
    assert post.polled() == 2
    assert "FIELDPOST_MAIL_IN_MOVE_TO" in post.row.why
    assert post.row.read_at == post.time.now


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
