"""Mails as they are written into the outbox: whole, once, for one person, whatever is in names and titles."""

from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from pytest_django import Settings

from campaign.mail.outbox import MailMessage, compose, enqueue, is_addressed, readdress
from campaign.models import Campaign, OutboxMessage, User
from tests.gm.campaigns import START, Clock
from tests.mail.writing import composed

pytestmark = pytest.mark.django_db(transaction=True)


def new_message(reader: User, **more: Any) -> MailMessage:
    said: dict[str, Any] = {"key": "a key", "kind": "notice", "subject": "A subject", "text": "Some words.\n"}
    return composed(reader, **{**said, **more})


def parsed(message: bytes) -> EmailMessage:
    read = message_from_bytes(message, policy=SMTP)
    assert isinstance(read, EmailMessage)
    assert not read.defects
    return read


def posted(one: MailMessage) -> EmailMessage:
    with transaction.atomic(durable=True):
        assert enqueue(one)
    return parsed(bytes(OutboxMessage.objects.get(key=one.key).message))


def test_a_mail_is_for_one_person_and_says_who_wrote_it_and_when(reader: User) -> None:
    mail = posted(new_message(reader))
    assert mail.get_all("To") == ["rundstedt@example.org"]
    assert mail["Cc"] is mail["Bcc"] is None
    assert mail["Auto-Submitted"] == "auto-generated"
    assert mail["Date"].datetime == START
    assert mail["Message-ID"] == OutboxMessage.objects.get().message_id


def test_the_names_of_mails_stay_on_their_line_for_any_domain(reader: User, settings: Settings) -> None:
    settings.DEFAULT_FROM_EMAIL = "post@a-rather-long-name-of-a-host.campaigns-by-mail.example.org"
    message = compose(new_message(reader), at=START)
    assert b"\r\nMessage-ID: <" in message


def test_the_same_mail_is_written_once(reader: User, time: Clock) -> None:
    with transaction.atomic(durable=True):
        assert enqueue(new_message(reader))
        time.forward(hours=1)
        assert not enqueue(new_message(reader, text="Other words."))
    assert OutboxMessage.objects.count() == 1


def test_losing_a_race_for_a_key_leaves_the_callers_work_whole(reader: User, monkeypatch: pytest.MonkeyPatch) -> None:
    enqueue(new_message(reader))
    unseen = OutboxMessage.objects.none()
    with transaction.atomic(durable=True):
        User.objects.create_user("Model")
        with monkeypatch.context() as late:
            looks = iter([unseen])
            original = OutboxMessage.objects.filter
            late.setattr(OutboxMessage.objects, "filter", lambda **by: next(looks, None) or original(**by))
            assert not enqueue(new_message(reader))
        User.objects.create_user("Manteuffel")
    assert User.objects.count() == 3
    assert OutboxMessage.objects.count() == 1


def test_other_trouble_than_a_known_key_is_not_hidden(reader: User) -> None:
    with pytest.raises(IntegrityError):
        enqueue(new_message(reader, kind=None))


def test_nothing_is_written_when_the_callers_transaction_fails(reader: User) -> None:
    with transaction.atomic(durable=True):
        enqueue(new_message(reader))
        transaction.set_rollback(True)
    assert not OutboxMessage.objects.exists()


@pytest.mark.parametrize(
    "address",
    [
        "",
        "nowhere",
        "a@b",
        "a@example.org\r\nBcc: b@example.org",
        "a@b.org, c@d.org",
        f"a@{'ü' * 60}.org",
        '"a\x0bb"@example.org',
        '"a\x0bBcc:x"@example.org',
        "a@" + "가." * 122 + "example",
    ],
)
def test_a_user_without_an_address_gets_no_mail(reader: User, address: str) -> None:
    assert not enqueue(new_message(reader, to_addr=address))
    assert not OutboxMessage.objects.exists()


def test_an_address_in_another_alphabet_is_written_so_that_servers_take_it(reader: User) -> None:
    assert posted(new_message(reader, to_addr="r@münchen.example"))["To"] == "r@xn--mnchen-3ya.example"


@pytest.mark.parametrize("address", ["r@münchen.example", '"a@b"@example.org', f"{'a' * 64}@{'b' * 60}.example.org"])
def test_a_mail_says_where_it_goes_and_where_else_it_is_sent(reader: User, address: str) -> None:
    mail = compose(new_message(reader, to_addr=address), at=START)
    assert [is_addressed(mail, each) for each in (address, "x@example.org", "")] == [True, False, False]
    for another in ("x@example.org", ""):
        sent_on = readdress(mail, another)
        assert [is_addressed(sent_on, each) for each in (another, address)] == [True, False]


def test_a_campaigns_mail_is_for_an_audience_and_no_other_is(reader: User, campaign: Campaign) -> None:
    with pytest.raises(ValueError, match="for an audience"):
        new_message(reader, campaign=campaign)
    with pytest.raises(ValueError, match="any other for none"):
        new_message(reader, audience="german")


NASTY = "Hö\r\nBcc: spy@example.org\r\n\r\nfen\x00\x07\u202e\u2028"


def test_line_breaks_in_names_and_titles_add_no_header(reader: User) -> None:
    reader.username = NASTY
    mail = posted(new_message(reader, subject=f"[{NASTY}] 18 December", headers={"X-Note": NASTY}))
    assert mail["Subject"] == "[Hö Bcc: spy@example.org fen ] 18 December"
    assert mail["Bcc"] is None
    assert mail["X-Note"] == "Hö Bcc: spy@example.org fen"
    assert OutboxMessage.objects.get().subject == mail["Subject"]


@pytest.mark.parametrize("subject", ["Bütgenbach " * 30, "x" * 500, "ü" * 500, "\ud800 half a pair", " \n "])
def test_subjects_of_every_kind_arrive_whole_or_shortened(reader: User, subject: str) -> None:
    message = compose(new_message(reader, subject=subject), at=START)
    assert parsed(message)["Subject"].strip() == " ".join(subject.replace("\ud800", "").split())[:200].strip()


def test_text_of_every_kind_arrives_in_seven_bits_and_short_lines(reader: User) -> None:
    text = "Höfen und Bütgenbach\r\n" + "x" * 3000 + "\n.\n..\nFrom here on\rnext\x00\x07\n"
    message = compose(new_message(reader, text=text, html=f"<html><body><p>{text}</p></body></html>"), at=START)
    assert message.isascii()
    assert b"\n" not in message.replace(b"\r\n", b"")
    assert max(map(len, message.partition(b"\r\n\r\n")[2].split(b"\r\n"))) <= 78
    body = parsed(message).get_body(("plain",))
    assert body is not None
    expected = ["Höfen und Bütgenbach", "x" * 3000, ".", "..", "From here on", "next"]
    assert body.get_content().splitlines() == expected


def test_text_comes_first_then_html_with_its_pictures_in_it(reader: User) -> None:
    html = '<html><head><style>p { color: red }</style></head><body><p><img src="cid:map"></p></body></html>'
    mail = posted(new_message(reader, html=html, pictures={"map": b"\x89PNG"}))
    assert [part.get_content_type() for part in mail.walk()] == [
        "multipart/related",
        "multipart/alternative",
        "text/plain",
        "text/html",
        "image/png",
    ]
    picture = list(mail.walk())[-1]
    assert (picture["Content-ID"], picture.get_content_disposition()) == ("<map>", "inline")
    assert picture.get_payload(decode=True) == b"\x89PNG"
    body = mail.get_body(("html",))
    assert body is not None
    assert '<p style="color: red;">' in body.get_content()


def test_a_mail_composed_again_is_the_same_to_the_byte(reader: User, campaign: Campaign) -> None:
    one = new_message(
        reader, campaign=campaign, audience="german", html="<html><body>x</body></html>", pictures={"map": b"y"}
    )
    assert compose(one, at=START) == compose(one, at=START)


def test_mails_of_a_campaign_hang_together_for_one_reader_only(reader: User, campaign: Campaign) -> None:
    other = User.objects.create_user("Bradley", "bradley@example.org")
    part = {"campaign": campaign, "audience": "german"}
    mine = [posted(new_message(reader, key=key, **part)) for key in ("1", "2")]
    theirs = posted(new_message(other, key="3", **part))
    assert mine[0]["References"] == mine[1]["References"] == mine[0]["In-Reply-To"]
    assert mine[0]["References"] != theirs["References"]
    assert posted(new_message(reader, key="4"))["References"] is None


def test_names_of_mails_reveal_nothing_but_the_sites_domain(
    reader: User, campaign: Campaign, settings: Settings
) -> None:
    settings.DEFAULT_FROM_EMAIL = "Feldpost <post@campaigns.example>"
    mail = posted(new_message(reader, key="opened/bulge/17", campaign=campaign, audience="german"))
    name, _, domain = mail["Message-ID"].strip("<>").partition("@")
    assert (len(name), domain) == (32, "campaigns.example")
    settings.SECRET_KEY = "another site's"  # noqa: S105 - a test's
    assert posted(new_message(reader, key="opened/bulge/18"))["Message-ID"] != mail["Message-ID"]
    assert mail["From"] == "Feldpost <post@campaigns.example>"
