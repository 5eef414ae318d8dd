"""What watches the site: the health page, the alerts to operators, and whether the site is ready."""

from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client

from campaign.core import clock
from campaign.mail.delivery import revive
from campaign.models import (
    Campaign,
    Heartbeat,
    MailNews,
    Membership,
    OutboxMessage,
    OutboxState,
    Phase,
    PhaseState,
    Role,
    User,
)
from gm.machine import health_alerts, heartbeat
from gm.phases.lifecycle import LEASE, claim
from tests.gm.campaigns import START, Clock
from tests.mails import text_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("time", "blank_maps")]


def health(client: Client, page: str) -> tuple[int, str]:
    answer = client.get(f"/{page}")
    return answer.status_code, answer.content.decode()


def overdue(client: Client) -> tuple[int, str]:
    """What the health page says while a worker is alive."""
    Heartbeat.objects.update_or_create(name="one", defaults={"at": clock.now()})
    return health(client, "healthz")


def test_while_no_worker_is_alive_nothing_else_is_called_late(client: Client, phase: Phase, time: Clock) -> None:
    """Anybody reads this page: it must not show whether anything is due on a site that stands."""
    time.now = phase.deadline_at + timedelta(hours=1)
    assert health(client, "healthz") == (503, "no worker is alive\n")
    assert overdue(client) == (503, "phases that are due and not locked\n")


def test_after_a_silence_what_was_due_in_it_is_called_late_only_after_a_time(
    client: Client, phase: Phase, time: Clock
) -> None:
    assert heartbeat.beat("one")
    time.now = phase.deadline_at + timedelta(minutes=1)
    assert heartbeat.beat("one")
    for _ in range(14):
        time.forward(seconds=60)
        assert health(client, "healthz") == (200, "ok\n")
        assert heartbeat.beat("one")
    time.forward(seconds=60)
    assert health(client, "healthz") == (503, "phases that are due and not locked\n")


def test_a_phase_that_is_due_and_not_locked_is_reported_after_two_minutes(
    client: Client, phase: Phase, time: Clock
) -> None:
    time.now = phase.deadline_at + timedelta(seconds=120)
    assert overdue(client) == (200, "ok\n")
    time.forward(seconds=1)
    assert overdue(client) == (503, "phases that are due and not locked\n")
    Phase.objects.update(held=True)
    assert overdue(client) == (200, "ok\n")


def test_a_phase_that_nobody_finishes_is_reported_after_two_leases(client: Client, locked: Phase, time: Clock) -> None:
    claim(locked.pk, worker="one")
    time.now += 2 * LEASE
    assert overdue(client) == (200, "ok\n")
    time.forward(seconds=1)
    assert overdue(client) == (503, "phases that a worker has begun and not finished\n")


@pytest.mark.parametrize("state", [OutboxState.WAITING, OutboxState.SENDING])
def test_mail_that_nobody_sends_is_reported_after_a_quarter_of_an_hour(
    client: Client, author: User, time: Clock, state: OutboxState
) -> None:
    mail(author, "k", state=state)
    time.forward(minutes=15)
    assert overdue(client) == (200, "ok\n")
    time.forward(seconds=1)
    assert overdue(client) == (503, "mails that are due and not sent\n")


def test_mail_that_is_tried_again_and_again_in_vain_is_reported(client: Client, author: User, time: Clock) -> None:
    """Each try that fails puts off the next, so that the mail is never late by that."""
    for key in ("one", "two"):
        mail(author, key)
    time.forward(minutes=15, seconds=1)
    OutboxMessage.objects.filter(key="one").update(tries=5, first_try_at=START, next_at=time.now + timedelta(hours=1))
    OutboxMessage.objects.filter(key="two").update(next_at=time.now + timedelta(seconds=30))
    assert overdue(client) == (503, "mails that are due and not sent\n")


def test_mail_and_news_that_wait_for_their_time_are_not_late(
    client: Client, campaign: Campaign, author: User, time: Clock
) -> None:
    """Anybody reads this page: it must not show that somebody was written to in their quiet hours."""
    Phase.objects.filter(state=PhaseState.OPEN).update(held=True)  # else it would be overdue
    morning = START + timedelta(hours=9)
    member = Membership.objects.create(campaign=campaign, user=author, role=Role.GM, joined_at=START)
    phase = Phase.objects.filter(campaign=campaign).latest("no")
    MailNews.objects.create(
        key="news", member=member, phase=phase, kind="report", into="digest", created_at=START, leaves_at=morning
    )
    mail(author, "mail", next_at=morning)
    time.now = morning + timedelta(minutes=15)
    assert overdue(client) == (200, "ok\n")
    assert health_alerts.report(time.now) == 0
    time.forward(seconds=1)
    assert overdue(client) == (503, "mails that are due and not sent\n")


def test_a_mail_that_the_server_does_not_take_is_reported_to_operators_and_nobody_else(
    client: Client, author: User, time: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    mail(author, "refused", refused=True, tries=5, first_try_at=START)
    time.forward(minutes=15, seconds=1)
    assert overdue(client) == (200, "ok\n")
    assert health_alerts.report(time.now) == 1
    assert caplog.messages == ["overdue: mails that the mail server refuses: 1"]
    mail(author, "sent", state=OutboxState.SENT)
    assert health_alerts.report(time.now) == 0


def test_a_server_that_takes_nothing_is_known_by_the_mails_to_the_admins(
    client: Client, author: User, time: Clock
) -> None:
    mail(author, "refused", refused=True, tries=5, first_try_at=START)
    mail(author, "told", kind=health_alerts.HEALTH_ALERT, refused=True, tries=5, first_try_at=START)
    time.forward(minutes=15)
    assert overdue(client) == (200, "ok\n")
    time.forward(seconds=1)
    assert overdue(client) == (503, "mails that are due and not sent\n")


def test_a_mail_that_is_tried_again_is_late_only_by_that(
    client: Client, campaign: Campaign, author: User, time: Clock
) -> None:
    row = mail(author, "dead", state=OutboxState.DEAD, tries=9, first_try_at=START, campaign=campaign)
    time.now = START + timedelta(days=4)
    Phase.objects.all().delete()  # else it would be overdue
    assert revive(campaign, row.pk)
    assert overdue(client) == (200, "ok\n")
    time.forward(minutes=15, seconds=1)
    assert overdue(client) == (503, "mails that are due and not sent\n")


def mail(reader: User, key: str, **more: Any) -> OutboxMessage:
    """A mail that was written when the campaign began."""
    row: dict[str, Any] = {"key": key, "kind": "notice", "subject": "s", "user": reader, "message": b""}
    times = {"created_at": START, "next_at": START, "lease_until": START}
    return OutboxMessage.objects.create(**{**row, **times, "message_id": f"<{key}@example.org>", **more})


def test_a_phase_that_waits_for_a_human_is_reported_to_operators(
    client: Client, locked: Phase, time: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    Phase.objects.filter(pk=locked.pk).update(state=PhaseState.FAILED)
    assert health_alerts.report(time.now) == 1
    assert caplog.messages == ["overdue: phases that failed and will be tried again: 1"]
    assert overdue(client) == (200, "ok\n")


def test_a_phase_that_nobody_claims_is_reported_after_two_leases(
    locked: Phase, time: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    locked.refresh_from_db()
    assert locked.locked_at is not None
    time.now = locked.locked_at + 2 * LEASE
    assert health_alerts.report(time.now) == 0
    time.forward(seconds=1)
    assert health_alerts.report(time.now) == 1
    assert caplog.messages == ["overdue: phases that are locked and that no worker has begun: 1"]


def test_what_is_overdue_is_logged_as_an_error(phase: Phase, time: Clock, caplog: pytest.LogCaptureFixture) -> None:
    time.now = phase.deadline_at + timedelta(hours=1)
    assert health_alerts.report(time.now) == 1
    assert caplog.messages == ["overdue: phases that are due and not locked: 1"]


def test_what_is_overdue_is_mailed_to_the_admins_once_a_day(phase: Phase, time: Clock) -> None:
    admin = User.objects.create_superuser("root", "root@example.org")
    User.objects.create_user("Model", "model@example.org")
    User.objects.create_superuser("without an address")
    time.now = phase.deadline_at + timedelta(hours=1)
    for _ in range(2):
        health_alerts.report(time.now)
    mail = OutboxMessage.objects.get()
    assert (mail.user, mail.to_addr) == (admin, "root@example.org")
    text = text_of(bytes(mail.message))
    assert "phases that are due and not locked: 1" in text
    assert "Bulge" not in mail.subject + text
    Phase.objects.filter(pk=phase.pk).update(state=PhaseState.FAILED)
    health_alerts.report(time.now)
    assert OutboxMessage.objects.count() == 2


@pytest.mark.usefixtures("phase")
def test_a_disk_that_is_nearly_full_is_reported_before_it_is_full(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    for free, expected in (
        (health_alerts.ROOM, (200, "ok\n")),
        (health_alerts.ROOM - 1, (503, "the disk is nearly full\n")),
    ):
        monkeypatch.setattr(
            "gm.machine.health_alerts.shutil.disk_usage", lambda _, free=free: SimpleNamespace(free=free)
        )
        assert health(client, "healthz") == expected


@pytest.mark.usefixtures("phase")
def test_the_site_is_ready_while_a_worker_is_alive(client: Client, time: Clock) -> None:
    assert health(client, "readyz") == (200, "ok\n")
    time.forward(seconds=60)
    assert health(client, "readyz") == (200, "ok\n")
    time.forward(seconds=1)
    assert health(client, "readyz") == (503, "no worker is alive\n")
    Heartbeat.objects.all().delete()
    assert health(client, "readyz")[0] == 503


@pytest.mark.usefixtures("phase")
@pytest.mark.parametrize("seconds", [-6, 6])
def test_a_web_process_whose_clock_is_wrong_is_not_ready(
    client: Client, time: Clock, monkeypatch: pytest.MonkeyPatch, seconds: int
) -> None:
    monkeypatch.setattr(heartbeat, "database_time", lambda: time.now + timedelta(seconds=seconds))
    status, text = health(client, "readyz")
    assert (status, "clocks" in text) == (503, True)
    monkeypatch.setattr(heartbeat, "database_time", lambda: time.now + timedelta(seconds=seconds / 6 * 5))
    assert health(client, "readyz") == (200, "ok\n")


@pytest.mark.parametrize("page", ["healthz", "readyz"])
def test_without_a_database_nothing_is_well(client: Client, page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(*_: object) -> None:
        raise OperationalError

    monkeypatch.setattr("gm.views.health.troubles", gone)
    monkeypatch.setattr("gm.views.health.MigrationExecutor", gone)
    assert health(client, page) == (503, "the database does not answer\n")


def test_a_database_that_is_not_migrated_is_not_ready(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gm.views.health.MigrationExecutor.migration_plan", lambda *_: ["something"])
    assert health(client, "readyz") == (503, "the database is not migrated\n")
