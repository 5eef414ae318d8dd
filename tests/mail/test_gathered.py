"""Gathered mails: what waits for the digest of the evening, when it leaves, and what is left out of it."""

from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.policy import SMTP
from typing import Any

import pytest
from django.core import mail as sent_mails
from django.db import connection

from campaign.game import turn_package
from campaign.mail.choices import EVENING
from campaign.mail.delivery import withdraw
from campaign.mail.outbox import mail_digest
from campaign.models import Artefact, Campaign, MailNews, Membership, OutboxMessage, Phase, PhaseState, Role, User
from gm import mail
from gm.gathered_mails import gather_due
from gm.machine.sweeper import sweep
from gm.mail import enqueue_all, notice_messages
from tests.gm.campaigns import START, Clock, live, send
from tests.mails import plain_text_of, text_of

pytestmark = [pytest.mark.django_db(transaction=True)]

PEOPLE = {"Peiper": (Role.TACTICAL, "german"), "Bradley": (Role.COMMANDER, "allied"), "Umpire": (Role.GM, "")}


@pytest.fixture(autouse=True)
def maps_that_say_whose_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turn_package, "draw", lambda _, view, **_width: f"the map of {view.audience}".encode() * 99)


@pytest.fixture
def every_phase_is_news(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mail, "is_news", lambda *_: True)


@pytest.fixture
def cast(campaign: Campaign) -> dict[str, Membership]:
    """Rundstedt commands the Germans already."""
    for name, (role, side) in PEOPLE.items():
        user = User.objects.create_user(name, f"{name.lower()}@example.org")
        Membership.objects.create(campaign=campaign, user=user, role=role, side=side, joined_at=START)
    return {member.user.username: member for member in campaign.memberships.select_related("user", "campaign")}


def kinds(name: str) -> list[str]:
    return list(OutboxMessage.objects.filter(user__username=name).order_by("pk").values_list("kind", flat=True))


def digest_of(name: str) -> OutboxMessage:
    return OutboxMessage.objects.get(user__username=name, kind="digest")


def change(member: Membership, **columns: Any) -> None:
    Membership.objects.filter(pk=member.pk).update(**columns)


def at(time: Clock, hour: int, *, days: int = 0, minute: int = 0) -> None:
    """Set the time to this hour in UTC, a number of days after the start."""
    day = START.astimezone(UTC).date() + timedelta(days=days)
    time.now = datetime(day.year, day.month, day.day, hour, minute, tzinfo=UTC)
    sweep(worker="one")


def close(campaign: Campaign, cast: dict[str, Membership]) -> Phase:
    """All who act are READY, and the phase is published."""
    phase = live(campaign)
    for side, name in (("german", "Rundstedt"), ("allied", "Bradley")):
        if side in phase.acts:
            send(phase, cast[name].user, "ALL OTHERS HOLD", side=side, ready=True)
    sweep(worker="one")
    phase.refresh_from_db()
    assert phase.state == PhaseState.PUBLISHED
    return phase


# --- when it leaves --------------------------------------------------------------------------------------------------


def test_who_has_nothing_to_do_gets_one_digest_in_the_evening(cast: dict[str, Membership], time: Clock) -> None:
    sweep(worker="one")
    assert [kinds(name) for name in ("Rundstedt", "Peiper", "Umpire")] == [["opened"], [], []]
    at(time, EVENING - 1, minute=59)
    assert kinds("Peiper") == []
    at(time, EVENING)
    at(time, EVENING + 1)
    assert [kinds(name) for name in ("Rundstedt", "Peiper", "Umpire")] == [["opened"], ["digest"], ["digest"]]
    at(time, EVENING, days=1)
    assert "digest" not in kinds("Peiper")[1:], "nothing is new"
    assert cast["Peiper"].user.email in {message.to[0] for message in sent_mails.outbox}


@pytest.mark.usefixtures("every_phase_is_news")
def test_a_digest_brings_the_report_the_map_and_the_heads_of_the_dice_logs(
    campaign: Campaign, cast: dict[str, Membership], time: Clock
) -> None:
    sweep(worker="one")
    close(campaign, cast)
    at(time, EVENING)
    row, opened = digest_of("Peiper"), OutboxMessage.objects.filter(user__username="Rundstedt", kind="opened").last()
    assert opened is not None
    digest, newest = (message_from_bytes(each.message, policy=SMTP) for each in (row, opened))
    assert digest["Fieldpost-Dice"] == newest["Fieldpost-Dice"]
    assert digest["Fieldpost-Dice"]
    assert digest["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    reports = [Artefact.objects.get(phase__no=no, audience="german", kind="text") for no in (0, 1)]
    for each in reports:
        assert bytes(each.content).decode().rpartition("Dice logs")[0].strip() in plain_text_of(row.message).replace(
            "\r", ""
        )
    pictures = [part.get_content() for part in digest.walk() if part.get_content_maintype() == "image"]
    assert pictures == [b"the map of german" * 99]
    assert "the map of allied" not in text_of(row.message)


def test_news_for_an_address_that_takes_no_mail_does_not_wait_for_ever(
    cast: dict[str, Membership], time: Clock
) -> None:
    sweep(worker="one")
    User.objects.filter(pk=cast["Peiper"].user_id).update(email="pei per@example.org")
    assert MailNews.objects.filter(member=cast["Peiper"]).exists()
    at(time, EVENING)
    assert not MailNews.objects.filter(member=cast["Peiper"]).exists()
    assert (kinds("Peiper"), kinds("Umpire")) == ([], ["digest"])


@pytest.mark.parametrize(
    ("zone", "hour", "days"), [("America/New_York", 0, 1), ("Asia/Tokyo", 10, 1), ("Europe/Berlin", 18, 0)]
)
def test_the_evening_is_that_of_its_reader(
    cast: dict[str, Membership], time: Clock, zone: str, hour: int, days: int
) -> None:
    """It is noon in UTC when the news comes."""
    User.objects.filter(username="Peiper").update(time_zone=zone)
    sweep(worker="one")
    time.now = datetime(2026, 3, 1, hour, tzinfo=UTC) + timedelta(days=days) - timedelta(seconds=1)
    sweep(worker="one")
    assert kinds("Peiper") == []
    time.forward(seconds=1)
    sweep(worker="one")
    assert kinds("Peiper") == ["digest"]
    assert cast["Peiper"].mail_choices == {}


def test_no_mail_comes_in_quiet_hours(cast: dict[str, Membership], time: Clock) -> None:
    """From 18 to 7 by the reader's clock, which is an hour ahead of UTC."""
    User.objects.filter(username__in=["Peiper", "Bradley"]).update(time_zone="Europe/Berlin")
    for name in ("Peiper", "Bradley"):
        change(cast[name], mails_quiet_from=18, mails_quiet_to=7)
    time.now = START.astimezone(UTC).replace(hour=17, minute=30)
    sweep(worker="one")
    assert kinds("Bradley") == ["opened"]
    at(time, 5, days=1, minute=59)
    sent = {message.to[0] for message in sent_mails.outbox}
    assert sent & {"peiper@example.org", "bradley@example.org"} == set()
    at(time, 6, days=1)
    assert kinds("Peiper") == ["digest"]
    assert {"peiper@example.org", "bradley@example.org"} <= {message.to[0] for message in sent_mails.outbox}


# --- what is chosen --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("when", "at_once", "later"), [("now", ["report"], []), ("digest", [], ["digest"]), ("never", [], [])]
)
def test_reports_come_when_their_reader_wants_them(
    cast: dict[str, Membership], time: Clock, when: str, at_once: list[str], later: list[str]
) -> None:
    change(cast["Peiper"], mail_choices={"reports": when})
    sweep(worker="one")
    assert kinds("Peiper") == at_once
    at(time, EVENING)
    assert kinds("Peiper") == at_once + later


def test_what_asks_for_something_can_wait_for_the_digest_too_while_it_is_true(
    campaign: Campaign, cast: dict[str, Membership], time: Clock
) -> None:
    for name in ("Rundstedt", "Bradley"):
        change(cast[name], mail_choices={"orders": "digest", "clock": "digest"})
    sweep(worker="one")
    enqueue_all(notice_messages(live(campaign), kind="extend", key="1", what="The deadline moved.", now=time.now))
    close(campaign, cast)
    assert (kinds("Rundstedt"), kinds("Bradley")) == ([], [])
    at(time, EVENING)
    (german, allied) = (" ".join(plain_text_of(digest_of(name).message).split()) for name in ("Rundstedt", "Bradley"))
    assert "The deadline moved." in german
    assert "The deadline moved." in allied
    assert german.count("Please write your side") == 1, "one of the two phases is closed"
    assert "Please write your side" not in allied
    assert "/c/bulge/orders/HQ/" in german


@pytest.mark.usefixtures("every_phase_is_news")
@pytest.mark.parametrize("orders", ["digest", "never"])
def test_who_wants_no_mail_at_once_about_what_waits_for_them_still_gets_the_report(
    campaign: Campaign, cast: dict[str, Membership], time: Clock, orders: str
) -> None:
    """And the line about what waits says until when, by the reader's clock, as the deadline is in the evening."""
    User.objects.filter(username="Rundstedt").update(time_zone="Europe/Berlin")
    change(cast["Rundstedt"], mail_choices={"orders": orders})
    sweep(worker="one")
    deadline = START.astimezone(UTC).replace(hour=22, minute=15) + timedelta(days=1)
    Phase.objects.filter(pk=live(campaign).pk).update(deadline_at=deadline)
    at(time, EVENING)
    text = plain_text_of(digest_of("Rundstedt").message).replace("\r", "")
    report = bytes(Artefact.objects.get(phase__no=0, audience="german", kind="text").content).decode()
    assert report.rpartition("Dice logs")[0].strip() in text
    due = f"The deadline is {deadline + timedelta(hours=1):%a %-d %b %Y, %H:%M} CET"
    assert (due in " ".join(text.split())) is (orders == "digest")


def test_a_digest_without_a_report_has_no_button_that_stops_reports(
    campaign: Campaign, cast: dict[str, Membership], time: Clock
) -> None:
    """Otherwise the button would change nothing for its reader: the next digest would still come."""
    change(cast["Rundstedt"], mail_choices={"clock": "digest"})
    sweep(worker="one")
    enqueue_all(notice_messages(live(campaign), kind="extend", key="1", what="The deadline moved.", now=time.now))
    at(time, EVENING)
    without, with_report = (message_from_bytes(digest_of(n).message, policy=SMTP) for n in ("Rundstedt", "Peiper"))
    assert (without["List-Unsubscribe"], without["List-Unsubscribe-Post"]) == (None, None)
    assert with_report["List-Unsubscribe"]


@pytest.mark.usefixtures("every_phase_is_news")
def test_who_stops_reports_meanwhile_reads_none_of_them_when_they_must_act(
    campaign: Campaign, cast: dict[str, Membership]
) -> None:
    sweep(worker="one")
    close(campaign, cast)
    waiting = MailNews.objects.filter(member=cast["Bradley"], kind="report").get()
    change(cast["Bradley"], mail_choices={"reports": "never"})
    close(campaign, cast)
    last = OutboxMessage.objects.filter(user__username="Bradley").latest("pk")
    assert last.kind == "opened"
    waiting.refresh_from_db()
    assert waiting.mail is None


def test_a_report_at_once_does_not_say_that_nothing_waits_for_who_must_act(cast: dict[str, Membership]) -> None:
    change(cast["Rundstedt"], mail_choices={"orders": "digest", "reports": "now"})
    change(cast["Peiper"], mail_choices={"reports": "now"})
    sweep(worker="one")
    reports = OutboxMessage.objects.filter(kind="report").select_related("user")
    texts = {row.user.username: " ".join(plain_text_of(row.message).split()) for row in reports if row.user}
    said = {name: "does not wait for you" in text for name, text in texts.items()}
    assert said == {"Rundstedt": False, "Peiper": True}


def test_who_stops_reports_meanwhile_gets_no_digest_of_them(cast: dict[str, Membership], time: Clock) -> None:
    sweep(worker="one")
    change(cast["Peiper"], mail_choices={"reports": "never"})
    at(time, EVENING)
    assert kinds("Peiper") == []
    assert not MailNews.objects.filter(member=cast["Peiper"]).exists()


@pytest.mark.usefixtures("every_phase_is_news")
def test_a_reader_who_must_act_reads_what_waited_for_their_digest(
    campaign: Campaign, cast: dict[str, Membership], time: Clock
) -> None:
    """The Allies have nothing to do while the Germans move, and read of the morning with their own question."""
    sweep(worker="one")
    close(campaign, cast)
    assert live(campaign).acts == ["german"]
    waiting = MailNews.objects.filter(member=cast["Bradley"], kind="report")
    assert [news.phase.no for news in waiting] == [1]
    close(campaign, cast)
    assert live(campaign).acts == ["allied"]
    last = OutboxMessage.objects.filter(user__username="Bradley").last()
    assert last is not None
    assert last.kind == "opened"
    for no in (1, 2):
        report = bytes(Artefact.objects.get(phase__no=no, audience="allied", kind="text").content).decode()
        assert report.rpartition("Dice logs")[0].strip() in plain_text_of(last.message).replace("\r", "")
    assert waiting.get().mail == last
    at(time, EVENING)
    assert "digest" not in kinds("Bradley")


# --- what is left out ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change_of_part",
    [
        {"left_at": START},
        {"role": Role.SPECTATOR, "side": ""},
        {"role": Role.STAFF, "side": "allied"},
    ],
    ids=["left", "looks on", "changed sides"],
)
def test_news_of_a_side_is_for_nobody_who_has_left_it(
    campaign: Campaign, cast: dict[str, Membership], time: Clock, change_of_part: dict[str, Any]
) -> None:
    sweep(worker="one")
    assert MailNews.objects.get(member=cast["Peiper"]).audience == "german"
    change(cast["Peiper"], **change_of_part)
    close(campaign, cast)
    at(time, EVENING)
    for row in OutboxMessage.objects.filter(user__username="Peiper"):
        assert row.audience == "allied"
        text = plain_text_of(row.message).replace("\r", "")
        german = bytes(Artefact.objects.get(phase__no=0, audience="german", kind="text").content).decode()
        assert german.rpartition("Dice logs")[0].strip() not in text
    assert not MailNews.objects.filter(member=cast["Peiper"], audience="german").exists()


@pytest.mark.usefixtures("every_phase_is_news")
def test_who_changes_sides_reads_only_what_was_news_afterwards(
    campaign: Campaign, cast: dict[str, Membership], time: Clock
) -> None:
    sweep(worker="one")
    change(cast["Peiper"], role=Role.TACTICAL, side="allied")
    close(campaign, cast)
    close(campaign, cast)
    at(time, EVENING)
    news = MailNews.objects.filter(member=cast["Peiper"])
    assert {each.audience for each in news} == {"allied"}
    assert digest_of("Peiper").audience == "allied"


@pytest.mark.usefixtures("every_phase_is_news")
def test_news_of_a_withdrawn_phase_is_no_news_and_the_rest_waits_again(
    campaign: Campaign, cast: dict[str, Membership], time: Clock
) -> None:
    """The mail server is away when the digest is written."""
    sweep(worker="one")
    newest = close(campaign, cast)
    at(time, EVENING)
    stopped = digest_of("Peiper")
    OutboxMessage.objects.filter(pk=stopped.pk).update(state="waiting", sent_at=None)
    Phase.objects.filter(pk=newest.pk).update(state=PhaseState.WITHDRAWN)
    withdraw(newest)
    sweep(worker="one")
    stopped.refresh_from_db()
    assert stopped.state == "dead"
    again = OutboxMessage.objects.filter(user__username="Peiper", kind="digest").exclude(pk=stopped.pk).get()
    assert again.phase is not None
    assert again.phase.no == 0
    assert f"/phases/{newest.no}" not in plain_text_of(again.message)


@pytest.mark.usefixtures("every_phase_is_news")
def test_news_of_a_mail_that_a_worker_takes_while_its_phase_is_withdrawn_is_not_mailed_twice(
    campaign: Campaign, cast: dict[str, Membership], time: Clock
) -> None:
    sweep(worker="one")
    newest = close(campaign, cast)
    at(time, EVENING)
    taken = OutboxMessage.objects.filter(pk=digest_of("Peiper").pk)
    taken.update(state="waiting", sent_at=None)
    stopping: list[str] = []

    def claims(execute: Any, sql: str, params: Any, many: Any, context: Any) -> Any:
        if sql.startswith("UPDATE") and "outboxmessage" in sql and not stopping:
            stopping.append(sql)
            taken.update(state="sending")
        return execute(sql, params, many, context)

    with connection.execute_wrapper(claims):
        withdraw(newest)
    assert stopping
    assert taken.get().state == "sending"
    assert MailNews.objects.filter(member=cast["Peiper"], mail=taken.get()).count() == 2


def test_a_reminder_says_what_is_missing_when_it_is_read(
    campaign: Campaign, cast: dict[str, Membership], time: Clock
) -> None:
    """The Germans' sheet came after the reminders were kept, and before the evening."""
    Campaign.objects.filter(pk=campaign.pk).update(reminder_hours=2)
    for name in ("Rundstedt", "Bradley"):
        change(cast[name], mail_choices={"reminders": "digest"})
    sweep(worker="one")
    phase = live(campaign)
    Phase.objects.filter(pk=phase.pk).update(deadline_at=START.astimezone(UTC).replace(hour=EVENING, minute=30))
    time.now = START.astimezone(UTC).replace(hour=EVENING - 1)
    sweep(worker="one")
    assert {row.member.user.username for row in MailNews.objects.filter(kind="reminder")} == {"Rundstedt", "Bradley"}
    send(phase, cast["Rundstedt"].user, "ALL OTHERS HOLD", side="german")
    at(time, EVENING)
    assert "No sheet has been submitted for: HQ" in plain_text_of(digest_of("Bradley").message)
    assert "digest" not in kinds("Rundstedt")


def test_a_digest_says_only_the_newest_deadline(campaign: Campaign, cast: dict[str, Membership], time: Clock) -> None:
    change(cast["Rundstedt"], mail_choices={"clock": "digest"})
    sweep(worker="one")
    for no, what in enumerate(("The deadline is noon.", "The deadline is midnight.")):
        enqueue_all(notice_messages(live(campaign), kind="extend", key=str(no), what=what, now=time.now))
    at(time, EVENING)
    text = plain_text_of(digest_of("Rundstedt").message)
    assert ("noon" in text, "midnight" in text) == (False, True)


def test_one_call_writes_a_batch_and_ends_with_its_worker(cast: dict[str, Membership], time: Clock) -> None:
    change(cast["Bradley"], mail_choices={"orders": "digest"})
    sweep(worker="one")
    time.now = START.astimezone(UTC).replace(hour=EVENING)
    assert MailNews.objects.filter(gathered_at=None).values("member").distinct().count() == 3
    assert gather_due(time.now, most=1) == 1
    assert gather_due(time.now, goes_on=lambda: False) == 1
    assert gather_due(time.now, most=9) == 1


# --- what is stored --------------------------------------------------------------------------------------------------


def test_a_mail_is_stored_without_its_picture_and_every_try_has_the_same_bytes(
    cast: dict[str, Membership], time: Clock
) -> None:
    change(cast["Peiper"], mail_choices={"reports": "now"})
    sweep(worker="one")
    at(time, EVENING)
    for name, kind in (("Rundstedt", "opened"), ("Peiper", "report"), ("Umpire", "digest")):
        row = OutboxMessage.objects.get(user__username=name, kind=kind)
        assert row.picture is not None
        assert (row.picture.audience, row.picture.kind) == (row.audience, "map")
        assert b"dGhlIG1hcCBvZi" in row.message
        assert b"dGhlIG1hcCBvZi" not in row.without_picture
        assert len(bytes(row.stored)) < len(row.without_picture) / 2
        assert mail_digest(row.message) == row.digest
        assert row.message == OutboxMessage.objects.get(pk=row.pk).message


def test_a_mail_that_an_older_release_left_goes_out_as_it_is(
    campaign: Campaign, cast: dict[str, Membership], time: Clock
) -> None:
    whole = b"To: rundstedt@example.org\r\nSubject: Old\r\n\r\nAs it was.\r\n"
    OutboxMessage.objects.create(
        key="old",
        campaign=campaign,
        kind="notice",
        audience="german",
        subject="Old",
        user=cast["Rundstedt"].user,
        to_addr="rundstedt@example.org",
        stored=whole,
        digest=mail_digest(whole),
        message_id="<old@localhost>",
        created_at=time.now,
        next_at=time.now,
    )
    sweep(worker="one")
    assert whole in [message.message().as_bytes() for message in sent_mails.outbox]
