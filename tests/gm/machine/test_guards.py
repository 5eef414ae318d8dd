"""One campaign in trouble keeps no other waiting: whatever fails there, the others are locked, resolved and mailed."""

from datetime import timedelta

import pytest

from campaign.mail import messages
from campaign.models import (
    AuditEntry,
    Campaign,
    Heartbeat,
    Membership,
    OutboxMessage,
    Phase,
    PhaseStart,
    PhaseState,
    Role,
    User,
)
from campaign.viewers import Viewer
from gm import mail
from gm.desk import deadlines, reminders
from gm.desk.deadlines import hold
from gm.machine import heartbeat
from gm.machine.heartbeat import beat
from gm.machine.sweeper import sweep
from gm.phases import lifecycle
from gm.phases.locking import lock
from tests.gm.campaigns import START, Clock, live, new_campaign, opened, send
from tests.kept import kept

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("time", "blank_maps")]


@pytest.fixture
def sick(phase: Phase, request: pytest.FixtureRequest) -> Campaign:  # noqa: ARG001 - it comes next to a sound one
    """Another campaign with a GM and a commander, at its first German sheet; no message about it can be written."""
    kept("sick", lambda: opened(new_campaign("sick")), after="phase")
    request.getfixturevalue("gm")  # the sound campaign comes with its people
    other = Campaign.objects.get(slug="sick")
    for name, role, side in (("Umpire", Role.GM, ""), ("Kluge", Role.COMMANDER, "german")):
        user = User.objects.create_user(name, f"{name}@example.org")
        Membership.objects.create(campaign=other, user=user, role=role, side=side, joined_at=START)
    return other


@pytest.fixture
def no_messages(sick: Campaign, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = messages.message_to

    def message_to(member: Membership, **more: object) -> object:
        if member.campaign_id == sick.pk:
            raise ValueError("a message that cannot be rendered")
        return whole(member, **more)  # type: ignore[arg-type]

    for module in (mail, reminders):
        monkeypatch.setattr(module, "message_to", message_to)


def broken(phase: Phase) -> None:
    PhaseStart.objects.filter(phase=phase).update(state_before=b"rubbish")


@pytest.mark.usefixtures("no_messages")
def test_an_outage_is_made_up_for_although_one_campaigns_notice_cannot_be_written(
    sick: Campaign, phase: Phase, time: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heartbeat, "OUTAGE", timedelta(minutes=15))
    before = live(sick).deadline_at
    time.now = phase.deadline_at - timedelta(hours=1)
    Heartbeat.objects.update(at=time.now)
    time.forward(hours=1)
    assert beat("one")
    phase.refresh_from_db()
    assert phase.deadline_at == live(sick).deadline_at == before + timedelta(hours=1)
    assert OutboxMessage.objects.filter(kind="outage").values_list("campaign__slug").distinct().get() == ("bulge",)


@pytest.mark.usefixtures("no_messages")
def test_a_phase_that_fails_has_failed_although_its_gm_cannot_be_notified(
    sick: Campaign, phase: Phase, author: User, time: Clock
) -> None:
    send(live(sick), author, "READY", ready=True)
    assert lock(live(sick).pk)
    broken(live(sick))
    time.forward(minutes=1)
    send(phase, author, "READY", ready=True)
    for _ in range(4):
        sweep(worker="one")
    assert live(sick).state == PhaseState.FAILED
    phase.refresh_from_db()
    assert phase.state == PhaseState.PUBLISHED


def test_a_failure_is_mailed_as_soon_as_it_can_be(
    sick: Campaign,
    author: User,
    no_messages: None,  # noqa: ARG001 - taken back in the middle
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    send(live(sick), author, "READY", ready=True)
    assert lock(live(sick).pk)
    broken(live(sick))
    for _ in range(4):
        sweep(worker="one")
    notices = OutboxMessage.objects.filter(kind="failed")
    assert not notices.exists()
    monkeypatch.undo()
    monkeypatch.setattr("campaign.core.clock.now", lambda: START)
    for _ in range(2):
        lifecycle.report_failures()
    assert notices.values_list("user__username", flat=True).get() == "Umpire"


@pytest.mark.usefixtures("no_messages")
def test_reminders_of_the_others_go_out(sick: Campaign, phase: Phase, time: Clock) -> None:
    Phase.objects.filter(pk=live(sick).pk).update(deadline_at=phase.deadline_at - timedelta(minutes=1))
    time.now = phase.deadline_at - timedelta(hours=3)
    sweep(worker="one")
    assert list(
        OutboxMessage.objects.filter(kind="reminder", state="sent").values_list("campaign__slug", flat=True)
    ) == ["bulge"]


@pytest.mark.usefixtures("no_messages")
def test_clocks_of_the_others_run_again(sick: Campaign, gm: Viewer, phase: Phase, time: Clock) -> None:
    Phase.objects.filter(pk=live(sick).pk).update(held=True, held_until=time.now, remaining=timedelta(1))
    hold(gm, reason="holidays", until=time.now + timedelta(hours=1))
    time.forward(hours=1)
    assert deadlines.resume_due(time.now) == 1
    phase.refresh_from_db()
    assert not phase.held
    assert live(sick).held


def test_drafts_of_other_absent_game_masters_are_published(draft: Phase, author: User, time: Clock) -> None:
    other = new_campaign("sick", reviewed=True)
    sweep(worker="one")
    send(live(other), author, "MOVE 12 SS S22", ready=True)
    sweep(worker="one")
    Campaign.objects.update(absent_hours=1)
    Phase.objects.filter(pk=live(other).pk).update(drafted_at=START - timedelta(1))
    PhaseStart.objects.filter(phase=live(other)).update(state_before=b"rubbish")
    time.forward(hours=1)
    sweep(worker="one")
    draft.refresh_from_db()
    assert draft.state == PhaseState.PUBLISHED


def test_a_zone_that_this_machine_does_not_know_is_read_as_utc(sick: Campaign, phase: Phase, time: Clock) -> None:
    User.objects.update(time_zone="Gone/Zone")
    Campaign.objects.update(time_zone="Gone/Zone")
    time.now = phase.deadline_at - timedelta(hours=3)
    sweep(worker="one")
    reminded = OutboxMessage.objects.filter(kind="reminder")
    assert {row.campaign for row in reminded} == {phase.campaign, sick}
    assert b"UTC" in bytes(reminded[0].message)


def test_a_phase_that_loses_its_workers_too_often_is_in_the_audit(locked: Phase) -> None:
    Phase.objects.filter(pk=locked.pk).update(leases_lost=lifecycle.MOST_LEASES_LOST + 1)
    assert lifecycle.claim(locked.pk, worker="one") is None
    assert lifecycle.claim(locked.pk, worker="two") is None
    assert AuditEntry.objects.filter(act="fail").count() == 1


@pytest.mark.usefixtures("gm")
def test_phases_in_which_one_of_many_is_ready_delay_no_other(
    phase: Phase, author: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gm.machine.sweeper.BATCH", 2)
    for number in range(3):
        waiting = live(_running(f"c{number}"))
        send(waiting, author, "READY", ready=True, desk="5 Pz")
        Phase.objects.filter(pk=waiting.pk).update(deadline_at=phase.deadline_at - timedelta(hours=1))
    send(phase, author, "READY", ready=True)
    sweep(worker="one")
    phase.refresh_from_db()
    assert phase.state == PhaseState.PUBLISHED


def _running(slug: str) -> Campaign:
    campaign = new_campaign(slug)
    sweep(worker="one")
    return campaign
