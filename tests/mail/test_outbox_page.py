"""The GM's outbox: what was mailed, to whom, with what trouble; nobody else sees it."""

from typing import Any

import pytest
from django.test import Client

from campaign.mail.delivery import send_due
from campaign.mail.outbox import enqueue
from campaign.models import Campaign, Membership, OutboxMessage, OutboxState, Phase, PhaseState, Role, User
from gm.machine.sweeper import sweep
from gm.views.outbox import PAGE
from tests.gm.campaigns import START, Clock, new_campaign
from tests.mail.writing import composed

pytestmark = pytest.mark.django_db(transaction=True)

OUTBOX = "/c/bulge/desk/outbox/"


@pytest.fixture
def umpire(campaign: Campaign) -> Client:
    user = User.objects.create_user("Umpire", "umpire@example.org")
    Membership.objects.create(campaign=campaign, user=user, role=Role.GM, joined_at=START)
    return browser(user)


def browser(user: User) -> Client:
    client = Client()
    client.force_login(user, backend="allauth.account.auth_backends.AuthenticationBackend")
    return client


def written(reader: User, campaign: Campaign, **more: Any) -> OutboxMessage:
    said: dict[str, Any] = {
        "key": "a key",
        "kind": "notice",
        "subject": "News & more",
        "text": "Höfen <b>has</b> fallen.",
    }
    assert enqueue(composed(reader, campaign=campaign, audience="german", **{**said, **more}))
    return OutboxMessage.objects.latest("pk")


def test_the_gm_sees_what_was_mailed_to_whom(umpire: Client, reader: User, campaign: Campaign, time: Clock) -> None:
    written(reader, campaign)
    send_due(time.now)
    page = umpire.get(OUTBOX).content.decode()
    for part in ("Rundstedt", "News &amp; more", "sent"):
        assert part in page
    assert reader.email not in page


def test_the_gm_reads_a_mail_as_text(umpire: Client, reader: User, campaign: Campaign) -> None:
    row = written(reader, campaign)
    page = umpire.get(f"{OUTBOX}{row.name}/").content.decode()
    assert "Höfen &lt;b&gt;has&lt;/b&gt; fallen." in page
    assert "German side" in page
    assert "Try again" not in page


def test_addresses_do_not_say_how_many_mails_there_are(umpire: Client, reader: User, campaign: Campaign) -> None:
    row = written(reader, campaign)
    page = umpire.get(OUTBOX).content.decode()
    assert f"{OUTBOX}{row.name}/" in page
    assert f"{OUTBOX}{row.pk}/" not in page
    assert umpire.get(f"{OUTBOX}{row.pk}/").status_code == 404


def test_the_gm_has_a_mail_tried_again_that_was_given_up(umpire: Client, reader: User, campaign: Campaign) -> None:
    row = written(reader, campaign)
    OutboxMessage.objects.update(state=OutboxState.DEAD, trouble="550: no such user")
    page = umpire.get(f"{OUTBOX}{row.name}/").content.decode()
    assert "550: no such user" in page
    assert "Try again" in page
    assert umpire.get(f"{OUTBOX}{row.name}/retry/").status_code == 405
    answer = umpire.post(f"{OUTBOX}{row.name}/retry/", follow=True).content.decode()
    assert "will send the mail again" in answer
    row.refresh_from_db()
    assert row.state == OutboxState.WAITING
    assert "Nothing was changed" in umpire.post(f"{OUTBOX}{row.name}/retry/", follow=True).content.decode()


def test_fifty_mails_are_a_page_the_newest_first(umpire: Client, reader: User, campaign: Campaign) -> None:
    for number in range(PAGE + 1):
        written(reader, campaign, key=str(number), subject=f"mail {number:03}")
    first, second = (umpire.get(OUTBOX, {"page": page}).content.decode() for page in (1, 2))
    assert first.index(f"mail {PAGE:03}") < first.index("mail 001")
    assert "mail 000" not in first
    assert "mail 000" in second


def test_the_outbox_is_the_gms_of_this_campaign_alone(umpire: Client, reader: User, campaign: Campaign) -> None:
    row = written(reader, campaign)
    other = new_campaign("other")
    foreign = written(reader, other, key="b")
    player = browser(reader)
    for path in (OUTBOX, f"{OUTBOX}{row.name}/", f"{OUTBOX}99999/"):
        assert player.get(path).status_code == 404
    assert player.post(f"{OUTBOX}{row.name}/retry/").status_code == 404
    assert umpire.get("/c/other/desk/outbox/").status_code == 404
    assert umpire.get(f"{OUTBOX}{foreign.name}/").status_code == 404
    assert Client().get(OUTBOX).status_code == Client().get("/c/nowhere/desk/outbox/").status_code == 302


def test_mails_about_accounts_are_not_the_gms(umpire: Client, reader: User) -> None:
    enqueue(composed(reader, key="c", kind="code", subject="Your code", text="123"))
    assert "Your code" not in umpire.get(OUTBOX).content.decode()


@pytest.mark.parametrize("state", [PhaseState.OPEN, PhaseState.WITHDRAWN])
def test_a_receipt_stays_sealed_like_its_sheet_until_the_phase_is_locked(
    umpire: Client, reader: User, campaign: Campaign, state: PhaseState
) -> None:
    Membership.objects.filter(user=reader).update(mail_choices={"receipts": "now"})
    row = written(reader, campaign, kind="receipt", phase=campaign.phases.get())
    Phase.objects.update(state=state, locked_at=None)
    page = umpire.get(f"{OUTBOX}{row.name}/").content.decode()
    assert "Höfen" not in page
    assert "You can read sheets only after their phase is locked" in page
    Phase.objects.update(locked_at=START)
    assert "Höfen" in umpire.get(f"{OUTBOX}{row.name}/").content.decode()


def test_a_mail_about_a_withdrawn_phase_is_not_tried_again(umpire: Client, reader: User, campaign: Campaign) -> None:
    row = written(reader, campaign, phase=campaign.phases.get())
    Phase.objects.update(state=PhaseState.WITHDRAWN)
    OutboxMessage.objects.update(state=OutboxState.DEAD, trouble="the phase was withdrawn")
    assert "Try again" not in umpire.get(f"{OUTBOX}{row.name}/").content.decode()
    assert "Nothing was changed" in umpire.post(f"{OUTBOX}{row.name}/retry/", follow=True).content.decode()


def test_what_a_mail_said_is_kept_for_thirty_days_after_it_was_sent(
    umpire: Client, reader: User, campaign: Campaign, time: Clock
) -> None:
    row = written(reader, campaign)
    assert send_due(time.now) == 1
    time.forward(days=30)
    sweep(worker="one")
    assert "Höfen" in umpire.get(f"{OUTBOX}{row.name}/").content.decode()
    unsent = written(reader, campaign, key="later")
    OutboxMessage.objects.filter(pk=unsent.pk).update(state=OutboxState.DEAD)
    time.forward(minutes=59)
    sweep(worker="one")
    assert OutboxMessage.objects.get(pk=row.pk).message != b"", "it is looked for once an hour"
    time.forward(minutes=1)
    sweep(worker="one")
    page = umpire.get(f"{OUTBOX}{row.name}/").content.decode()
    assert "Höfen" not in page
    assert "text has been deleted" in page
    assert OutboxMessage.objects.get(pk=unsent.pk).message != b""
