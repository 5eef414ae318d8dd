"""Reports of mails that could not be delivered: they are noted with the mail, and nothing else becomes of them."""

from smtplib import SMTPRecipientsRefused
from typing import Any

import pytest
from django.core.mail import EmailMessage as Outgoing
from pytest_django import Settings

from campaign.mail.bounces import in_words, own_mail_comes_back
from campaign.mail.delivery import REPORTED_WITHIN, StoredMail, forget_sent
from campaign.mail.outbox import enqueue
from campaign.mail.secret_addresses import address_with, return_path
from campaign.models import OutboxMessage
from gm.machine.sweeper import sweep
from incoming.handling import handle_due
from incoming.models import ReceivedMail, ReturnedMail
from incoming.reading import Fate, read_report
from incoming.returned import LEASE, MOST_TRIES, handle_returned
from orders.models import Sheet
from tests.incoming.conftest import DOMAIN, ME, Mailbox
from tests.incoming.returns import FORMS, report
from tests.mail.writing import composed

pytestmark = pytest.mark.django_db(transaction=True)

STATUSES = {
    "Postfix": "5.1.1",
    "Exchange": "5.2.2",
    "Gmail": "5.1.1",
    "Exim": "5.0.0",
    "Exim, as text": "5.1.1",
    "qmail": "5.1.1",
    "expired": "4.4.7",
    "passed on": "5.2.2",
    "passed on, as text": "5.1.1",
}


@pytest.fixture(autouse=True)
def mails(box: Mailbox, settings: Settings) -> None:
    """A mail to the member, and one to an opponent."""
    settings.MAIL_RETURN_PATHS = True
    for who, side in ((ME, "german"), ("allied commander", "allied")):
        said = {"key": f"news/{side}", "kind": "notice", "subject": "News", "text": "Something happened."}
        addressed = {"to_addr": "rommel@mail.example", "campaign": box.cast.campaign, "audience": side}
        assert enqueue(composed(box.cast.user(who), **said, **addressed))


def to_me(box: Mailbox) -> OutboxMessage:
    """The newest mail of the campaign to the member."""
    return OutboxMessage.objects.filter(user=box.cast.user(ME), campaign=box.cast.campaign).latest("pk")


def comes_back(box: Mailbox, form: str, to: str = "", **more: Any) -> OutboxMessage:
    """The member's newest mail, once a report about it was delivered and read."""
    row = to_me(box)
    OutboxMessage.objects.filter(pk=row.pk, sent_at=None).update(state="sent", sent_at=box.time.now)
    address = to or address_with(row.return_token)
    assert box.deliver(report(form, address, **more), address, sender="") == {}
    handle_returned(most=9)
    handle_due(most=9)
    row.refresh_from_db()
    return row


def noted() -> list[OutboxMessage]:
    return list(OutboxMessage.objects.exclude(bounced_at=None, delayed_at=None))


# --- the return path -------------------------------------------------------------------------------------------------


def test_each_mail_leaves_with_a_secret_return_path_which_is_the_same_each_time(
    box: Mailbox, settings: Settings
) -> None:
    row = to_me(box)
    first = StoredMail(row)
    assert first.from_email == f"orders+{row.return_token}@{DOMAIN}"
    assert len(row.return_token) == 32
    assert b"Return-Path" not in row.message
    assert row.return_token.encode() not in row.message, "its From stays as it is"
    again = StoredMail(OutboxMessage.objects.get(pk=row.pk))
    assert (again.from_email, again.message().as_bytes()) == (first.from_email, first.message().as_bytes())
    tokens = OutboxMessage.objects.values_list("return_token", flat=True)
    assert len(set(tokens)) == len(tokens)
    settings.MAIL_IN_FORM = "catch-all"
    assert StoredMail(row).from_email == f"{row.return_token}@{DOMAIN}"
    assert return_path("") == Outgoing().from_email
    settings.MAIL_RETURN_PATHS = False
    assert StoredMail(row).from_email == Outgoing().from_email
    settings.MAIL_RETURN_PATHS, settings.MAIL_IN = True, ""
    assert StoredMail(row).from_email == Outgoing().from_email


# --- reports ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", STATUSES)
def test_a_mail_that_a_server_gave_up_is_noted_with_its_status(box: Mailbox, form: str) -> None:
    row = comes_back(box, form)
    assert (row.bounced_at, row.bounce_status, row.delayed_at) == (box.time.now, STATUSES[form], None)
    assert row.bounced_onward == form.startswith("passed on")
    assert [each.pk for each in noted()] == [row.pk]
    assert ReturnedMail.objects.get().state == "lost"
    assert not ReceivedMail.objects.exists()
    assert not Sheet.objects.exists()
    assert box.answers() == []


def test_a_mail_that_is_late_is_noted_as_late(box: Mailbox) -> None:
    row = comes_back(box, "late")
    assert (row.bounced_at, row.bounce_status, row.delayed_at) == (None, "", box.time.now)
    box.time.forward(hours=5)
    row = comes_back(box, "expired", number=2)
    assert (row.bounced_at, row.bounce_status) == (box.time.now, "4.4.7")


def test_a_mail_that_has_arrived_is_noted_nowhere(box: Mailbox) -> None:
    assert comes_back(box, "arrived").bounced_at is None
    assert noted() == []


def test_a_return_path_survives_capitals_and_the_form_is_a_setting(box: Mailbox, settings: Settings) -> None:
    path = address_with(to_me(box).return_token)
    assert comes_back(box, "Postfix", path.upper()).bounced_at
    OutboxMessage.objects.update(bounced_at=None)
    settings.MAIL_IN_FORM = "catch-all"
    assert comes_back(box, "qmail", path.removeprefix("orders+")).bounced_at


def test_a_report_that_comes_twice_counts_once(box: Mailbox) -> None:
    comes_back(box, "Postfix")
    first = box.time.now
    box.time.forward(hours=1)
    assert comes_back(box, "Postfix").bounced_at == first
    assert ReturnedMail.objects.count() == 1
    row = comes_back(box, "Exchange", number=2)
    assert (row.bounced_at, row.bounce_status) == (first, "5.1.1")


def test_a_return_path_that_nobody_gave_out_is_refused_as_every_unknown_address(box: Mailbox) -> None:
    row = to_me(box)
    token = row.return_token
    wrong = token[:-1] + ("a" if token[-1] != "a" else "b")
    addresses = [f"orders+{wrong}@{DOMAIN}", f"orders+{row.pk}@{DOMAIN}", f"{token}@{DOMAIN}", f"orders+@{DOMAIN}"]
    for address in addresses:
        with pytest.raises(SMTPRecipientsRefused) as refused:
            box.deliver(report("Postfix", address), address, sender="")
        assert refused.value.recipients[address] == (550, b"5.1.1 No such address here")
    assert not ReturnedMail.objects.exists()


def test_a_persons_mail_to_a_return_path_is_no_order_and_gets_no_answer(box: Mailbox) -> None:
    path = address_with(to_me(box).return_token)
    assert box.deliver(box.mail("ALL OTHERS HOLD\nREADY"), path) == {}
    sweep(worker="one")
    assert ReturnedMail.objects.get().state == "nothing"
    assert noted() == []
    assert not ReceivedMail.objects.exists()
    assert not Sheet.objects.exists()
    assert box.answers() == []


# --- reports at a reply address --------------------------------------------------------------------------------------


def test_a_report_to_a_reply_address_counts_if_it_quotes_a_mail_to_that_member(box: Mailbox) -> None:
    row = comes_back(box, "Postfix", box.address(), message_id=to_me(box).message_id)
    assert (row.bounced_at, row.bounce_status) == (box.time.now, "5.1.1")
    assert ReceivedMail.objects.get().state == "bounce"
    assert (box.answers(), Sheet.objects.count()) == ([], 0)


@pytest.mark.parametrize("quoted", ["another's", "made up"])
def test_a_report_to_a_reply_address_that_quotes_none_of_its_members_mails_is_forged(box: Mailbox, quoted: str) -> None:
    other = OutboxMessage.objects.exclude(user=box.cast.user(ME)).exclude(campaign=None).latest("pk").message_id
    comes_back(box, "Postfix", box.address(), message_id=other if quoted == "another's" else "<1@example.org>")
    assert noted() == []
    assert ReceivedMail.objects.get().state == "bounce"
    assert (box.answers(), Sheet.objects.count()) == ([], 0)


# --- reading fails, time passes --------------------------------------------------------------------------------------


def test_a_report_whose_reading_breaks_is_tried_three_times(box: Mailbox, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: bytes) -> None:
        raise ValueError

    monkeypatch.setattr("incoming.returned.read_report", broken)
    comes_back(box, "Postfix")
    for _ in range(MOST_TRIES):
        assert handle_returned(most=9) == 0, "another worker leaves it alone for a while"
        box.time.forward(seconds=LEASE.total_seconds() + 1)
        handle_returned(most=9)
    assert (ReturnedMail.objects.get().state, noted()) == ("failed", [])


def test_a_return_path_ends_a_month_after_its_mail_was_sent(box: Mailbox) -> None:
    row = to_me(box)
    address = address_with(row.return_token)
    OutboxMessage.objects.update(state="sent", sent_at=box.time.now)
    box.time.now += REPORTED_WITHIN
    forget_sent(box.time.now)
    assert comes_back(box, "Postfix", address).bounced_at
    box.time.forward(seconds=1)
    forget_sent(box.time.now)
    with pytest.raises(SMTPRecipientsRefused):
        box.deliver(report("Exim", address), address, sender="")


@pytest.mark.parametrize("where", ["return path", "reply address"])
def test_a_mail_that_was_passed_on_is_said_to_have_failed_there(box: Mailbox, where: str) -> None:
    to = box.address() if where == "reply address" else ""
    row = comes_back(box, "passed on", to, message_id=to_me(box).message_id)
    page = box.cast.browser("gm").get(box.cast.address(f"desk/outbox/{row.name}/")).content.decode()
    assert "The address took it and passed it on to another one, which failed: the mailbox is full (5.2.2)." in page
    assert "other.example" not in page, "to whom they pass their mail on is theirs"


def test_of_several_addresses_that_failed_the_readers_own_counts() -> None:
    found = read_report(_both_failed())
    assert found.failed == {"desert.fox@other.example", "rommel@mail.example"}
    assert not found.passed_on_from("Rommel@Mail.Example")
    assert found.passed_on_from("patton@mail.example")


def _both_failed() -> bytes:
    whole = report("passed on", "orders@example.org")
    own = b"Final-Recipient: rfc822;rommel@mail.example\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n"
    return whole.replace(b"Final-Recipient", own + b"Final-Recipient", 1)


def test_a_report_that_names_nobody_is_about_the_reader() -> None:
    whole = report("passed on", "orders@example.org")
    damaged = whole.replace(b"rfc822; <Desert.Fox@other.example>", b"unknown")
    assert not read_report(damaged).passed_on_from("rommel@mail.example")


@pytest.mark.parametrize("form", FORMS)
def test_what_is_cut_off_never_breaks_reading(form: str) -> None:
    raw = report(form, "orders@example.org")
    fates = {read_report(raw[:end]).fate for end in range(0, len(raw), 37)}
    assert fates <= {Fate.UNKNOWN, read_report(raw).fate}


def test_a_status_is_told_in_words(box: Mailbox) -> None:
    assert in_words("5.1.1") == "There is no such mailbox (5.1.1)."
    assert in_words("5.1.99") == "Something is wrong with the address (5.1.99)."
    assert in_words("5.0.0") == "The server gave no reason that we recognise (5.0.0)."
    assert in_words("") == "The server gave no reason."
    assert in_words("5.2.2", onward=True).endswith(
        "passed it on to another one, which failed: the mailbox is full (5.2.2)."
    )
    assert in_words("", onward=True).endswith("which failed: the server gave no reason.")
    comes_back(box, "Exchange")
    page = box.cast.browser("gm").get(box.cast.address("desk/outbox/")).content.decode()
    assert "bounced" in page
    assert "The mailbox is full (5.2.2)." in page
    assert "rommel@mail.example" not in page
    assert box.cast.browser(ME).get(box.cast.address("desk/outbox/")).status_code == 404


# --- a mail from the address ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("headers", "works"),
    [
        ({}, True),
        ({"From": "rommel@mail.example"}, False),
        ({"Authentication_Results": "mx.example; dmarc=fail"}, False),
        ({"Auto_Submitted": "auto-replied"}, False),
    ],
)
def test_a_mail_from_their_address_shows_that_it_works(
    box: Mailbox,
    settings: Settings,
    headers: dict[str, str],
    works: bool,  # noqa: FBT001
) -> None:
    settings.MAIL_IN_JUDGE = "mx.example"
    OutboxMessage.objects.update(state="sent", sent_at=box.time.now, to_addr="german.commander@example.org")
    comes_back(box, "Postfix")
    assert own_mail_comes_back(box.cast.user(ME))
    box.time.forward(hours=1)
    box.sends("ALL OTHERS HOLD", **{"From": "german.commander@example.org", **headers})
    assert (own_mail_comes_back(box.cast.user(ME)) is None) == works
