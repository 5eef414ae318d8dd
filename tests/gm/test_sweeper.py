"""The sweep: what waits is done, an absent GM's drafts go out, alerts are sent; failpoints where they must be."""

import ast
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client

from campaign.core import clock
from campaign.core.failpoints import Provoked, fp
from campaign.mail.delivery import revive
from campaign.models import (
    Battle,
    BattleResult,
    BattleState,
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
from gm.desk.absence import flags
from gm.machine import health_alerts, heartbeat, sweeper
from gm.machine.sweeper import attend, sweep
from gm.phases.adjudication import resolve
from gm.phases.lifecycle import LEASE, approve, claim, file, retry
from gm.phases.locking import lock
from orders.models import LockedSheet, Sheet
from tests.gm.campaigns import START, Clock, live, opened, send, sheet_texts
from tests.mails import text_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("time", "blank_maps")]

ROOT = Path(__file__).parents[2]


# --- one phase at once -----------------------------------------------------------------------------------------------


def test_one_phase_is_attended_to_without_waiting_for_the_sweep(phase: Phase, author: User, campaign: Campaign) -> None:
    assert attend(phase.pk, worker="one") == 0
    send(phase, author, "MOVE 12 SS S22", ready=True)
    assert attend(phase.pk, worker="one") == 2
    assert attend(phase.pk, worker="one") == 0
    assert live(campaign).no == phase.no + 1


def test_trouble_with_the_post_keeps_no_campaign_waiting(campaign: Campaign, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweeper, "send_due", lambda _: 1 / 0)
    assert sweep(worker="one") == 2
    assert live(campaign).no == 1


# --- an absent GM ----------------------------------------------------------------------------------------------------


def absent(phase: Phase, hours: int | None) -> None:
    Campaign.objects.filter(pk=phase.campaign_id).update(absent_hours=hours)


def test_a_draft_with_nothing_flagged_publishes_itself_after_the_hours_that_the_gm_named(
    draft: Phase, time: Clock
) -> None:
    absent(draft, 24)
    time.forward(hours=24, seconds=-1)
    assert sweep(worker="one") == 0
    time.forward(seconds=1)
    assert sweep(worker="one") == 1
    draft.refresh_from_db()
    assert draft.state == PhaseState.PUBLISHED


def test_a_draft_waits_for_ever_if_its_gm_has_not_said_otherwise(draft: Phase, time: Clock) -> None:
    time.forward(days=400)
    assert sweep(worker="one") == 0
    absent(draft, 0)
    assert sweep(worker="one") == 1


@pytest.mark.parametrize(
    ("text", "flag"),
    [
        ("MOVE 12 SS S22\nNOTE look at this", "German HQ, line 2, is a note for you: look at this"),
        ("MOVE 12 SS S22\nnonsense", "German HQ, line 2, was ignored: "),
        ("MOVE 12 SS K1", "German HQ, line 1, was ignored: "),
    ],
)
def test_a_draft_with_a_note_or_a_line_that_does_nothing_waits(draft: Phase, time: Clock, text: str, flag: str) -> None:
    Sheet.objects.filter(phase=draft).update(text=text)
    absent(draft, 24)
    time.forward(hours=48)
    assert [flag in each for each in flags(draft)] == [True]
    assert sweep(worker="one") == 0


@pytest.mark.parametrize("state", [BattleState.OPEN, BattleState.DISPUTED, BattleState.RULED])
def test_a_draft_with_a_battle_that_the_players_did_not_settle_waits(
    draft: Phase, time: Clock, state: BattleState
) -> None:
    Battle.objects.create(phase=draft, key="Q19", attacker="german", defender="allied", state=state)
    absent(draft, 24)
    time.forward(hours=48)
    assert sweep(worker="one") == 0
    Battle.objects.update(state=BattleState.CONFIRMED)
    assert sweep(worker="one") == 1


def test_results_that_all_agree_on_wait_for_nobody(reviewed: Campaign, author: User, time: Clock) -> None:
    orders = opened(reviewed)
    (text,) = sheet_texts("1944-12-16-german-sheet", "german")
    send(orders, author, text, ready=True)
    sweep(worker="one")
    assert approve(orders.pk, fence=1)
    battles = live(reviewed)
    Battle.objects.update(state=BattleState.CONFIRMED)
    BattleResult.objects.bulk_create(
        BattleResult(battle=battle, report="RESULT Q19 attackers") for battle in Battle.objects.all()
    )
    absent(battles, 1)
    assert sweep(worker="one") == 2
    time.forward(hours=1)
    battles.refresh_from_db()
    assert battles.all_locked_sheets.exists()
    assert (battles.state, flags(battles), sweep(worker="one")) == (PhaseState.REVIEW, (), 1)


def test_a_draft_that_is_made_again_waits_again(draft: Phase, time: Clock) -> None:
    absent(draft, 24)
    time.forward(hours=23)
    Phase.objects.filter(pk=draft.pk).update(state=PhaseState.LOCKED)
    sweep(worker="one")
    time.forward(hours=23)
    assert sweep(worker="one") == 0
    time.forward(hours=1)
    assert sweep(worker="one") == 1


# --- health alerts, and what watches the site ------------------------------------------------------------------------


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


# --- failpoints ------------------------------------------------------------------------------------------------------


def transactions() -> Iterator[tuple[str, str]]:
    """Every function with a durable transaction of its own, and its source."""
    for folder in ("api", "campaign", "orders", "staff", "gm"):
        for path in (ROOT / folder).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            for node in ast.walk(ast.parse(text if "durable=True" in text else "")):
                if isinstance(node, ast.FunctionDef):
                    source = ast.get_source_segment(text, node) or ""
                    if "durable=True" in source:
                        yield f"{path.relative_to(ROOT)}: {node.name}", source


def test_every_durable_transaction_has_a_failpoint() -> None:
    found = dict(transactions())
    assert len(found) > 12
    assert [name for name, source in found.items() if "fp(" not in source] == []


@pytest.mark.parametrize("action", ["kil9", "stop:2", "stop:s", "", "raise=1"])
def test_a_mistyped_failpoint_is_an_error_wherever_the_next_one_is(
    monkeypatch: pytest.MonkeyPatch, action: str
) -> None:
    monkeypatch.setenv("FAILPOINTS", f"publish.mid={action}")
    with pytest.raises(ValueError, match="FAILPOINTS"):
        fp("lock.mid")


@pytest.mark.parametrize("written", ["publish.mid", "publish mid=raise", "publish.mid=raise,,"])
def test_failpoints_that_cannot_be_read_are_an_error(monkeypatch: pytest.MonkeyPatch, written: str) -> None:
    monkeypatch.setenv("FAILPOINTS", written)
    with pytest.raises(ValueError, match="FAILPOINTS"):
        fp("lock.mid")


def test_a_failpoint_provokes_its_own_fault_and_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAILPOINTS", "publish.mid=raise, claim.after=busy,draw.mid=enospc,lock.mid=stop:0.001s")
    fp("lock.mid")
    fp("lock.after")
    for place, fault in (("publish.mid", Provoked), ("claim.after", OperationalError), ("draw.mid", OSError)):
        with pytest.raises(fault):
            fp(place)


@pytest.mark.parametrize("place", ["publish.mid", "publish.before_commit"])
def test_an_approval_that_fails_half_way_changes_nothing(
    draft: Phase, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    monkeypatch.setenv("FAILPOINTS", f"{place}=raise")
    with pytest.raises(Provoked):
        approve(draft.pk, fence=draft.fence)
    monkeypatch.delenv("FAILPOINTS")
    draft.refresh_from_db()
    assert draft.state == PhaseState.REVIEW
    assert approve(draft.pk, fence=draft.fence)


@pytest.mark.parametrize("place", ["publish.before_cas", "publish.mid", "publish.before_commit"])
def test_a_publication_that_fails_half_way_leaves_nothing_behind(
    locked: Phase, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    mine = claim(locked.pk, worker="one")
    assert mine is not None
    made = resolve(mine)
    monkeypatch.setenv("FAILPOINTS", f"{place}=enospc")
    with pytest.raises(OSError, match="no space"):
        file(made)
    monkeypatch.delenv("FAILPOINTS")
    assert not locked.all_artefacts.exists()
    assert live(locked.campaign).pk == locked.pk
    assert file(made)


def test_a_lock_that_fails_half_way_fixes_nothing(phase: Phase, author: User, monkeypatch: pytest.MonkeyPatch) -> None:
    send(phase, author, "HOLD 1 SS", ready=True)
    monkeypatch.setenv("FAILPOINTS", "lock.mid=busy")
    with pytest.raises(OperationalError):
        lock(phase.pk)
    assert not LockedSheet.objects.exists()
    monkeypatch.delenv("FAILPOINTS")
    assert lock(phase.pk)


def test_a_claim_that_is_not_committed_is_nobodys(locked: Phase, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAILPOINTS", "claim.before_commit=raise")
    with pytest.raises(Provoked):
        claim(locked.pk, worker="one")
    locked.refresh_from_db()
    assert (locked.state, locked.fence) == (PhaseState.LOCKED, 0)
    assert not retry(locked.pk)
