"""The heartbeat of the machinery: clocks that disagree pause it, and deadlines in an outage are extended once."""

import logging
from datetime import UTC, datetime, timedelta

import pytest

from campaign.models import Campaign, Heartbeat, OutboxMessage, Phase, PhaseState
from campaign.viewers import Viewer
from gm.desk.deadlines import close, hold
from gm.machine import heartbeat
from gm.machine.sweeper import sweep
from tests.gm.campaigns import START, Clock, live, new_campaign, opened

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("time", "blank_maps")]

RULE = timedelta(minutes=15)


@pytest.fixture
def outages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heartbeat, "OUTAGE", RULE)


def deadline(phase: Phase) -> object:
    return Phase.objects.values_list("deadline_at", "deadline_rev").get(pk=phase.pk)


# --- outages ---------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("outages", "gm")
@pytest.mark.parametrize("before", [timedelta(minutes=minutes) for minutes in (1, 59, 60, 420)])
def test_a_deadline_in_an_outage_or_six_hours_after_it_moves_by_the_gap_once_and_people_are_notified(
    phase: Phase, time: Clock, before: timedelta
) -> None:
    time.now = phase.deadline_at - before
    Heartbeat.objects.update(at=time.now)
    time.forward(hours=1)
    for worker in ("one", "two"):
        sweep(worker=worker)
    assert deadline(phase) == (phase.deadline_at + timedelta(hours=1), 1)
    told = OutboxMessage.objects.filter(kind="outage").values_list("user__username", flat=True)
    assert sorted(told) == ["alliedcommander", "germancommander", "gm"]


@pytest.mark.usefixtures("outages")
def test_an_outage_opens_no_phase_again_that_the_gm_has_closed(phase: Phase, time: Clock, gm: Viewer) -> None:
    Heartbeat.objects.update(at=time.now)
    time.forward(minutes=10)
    close(gm, reason="all are here")
    closed = time.now
    time.forward(hours=1)
    sweep(worker="one")
    phase.refresh_from_db()
    assert phase.deadline_at == closed
    assert phase.locked_at is not None
    assert not OutboxMessage.objects.filter(kind="outage").exists()


@pytest.mark.usefixtures("outages")
def test_a_deadline_later_than_that_stays(phase: Phase, time: Clock) -> None:
    time.now = phase.deadline_at - timedelta(hours=7, seconds=1)
    Heartbeat.objects.update(at=time.now)
    time.forward(hours=1)
    sweep(worker="one")
    assert deadline(phase) == (phase.deadline_at, 0)


@pytest.mark.usefixtures("outages")
def test_a_short_silence_is_no_outage(phase: Phase, time: Clock) -> None:
    Heartbeat.objects.update(at=phase.deadline_at - RULE)
    time.now = phase.deadline_at
    sweep(worker="one")
    phase.refresh_from_db()
    assert (phase.state, phase.deadline_rev) == (PhaseState.PUBLISHED, 0)


@pytest.mark.usefixtures("outages")
def test_one_living_worker_is_enough(phase: Phase, time: Clock) -> None:
    Heartbeat.objects.update(at=phase.deadline_at - timedelta(hours=9))
    Heartbeat.objects.create(name="two", at=phase.deadline_at - timedelta(minutes=1))
    time.now = phase.deadline_at
    sweep(worker="one")
    assert deadline(phase) == (phase.deadline_at, 0)


@pytest.mark.usefixtures("outages")
def test_a_paused_clock_is_not_moved(gm: Viewer, phase: Phase, time: Clock) -> None:
    hold(gm, reason="I am away")
    time.now = phase.deadline_at
    sweep(worker="one")
    assert deadline(phase) == (phase.deadline_at, 1)


@pytest.mark.usefixtures("outages", "phase")
def test_a_campaign_created_during_an_outage_starts_at_once(time: Clock) -> None:
    time.forward(minutes=30)
    other = new_campaign("other")
    time.forward(minutes=30)
    sweep(worker="one")
    assert live(other).no == 1


@pytest.mark.usefixtures("outages", "campaign")
def test_the_first_sweep_of_all_is_no_end_of_an_outage() -> None:
    assert sweep(worker="one") == 2
    assert not OutboxMessage.objects.exists()


# --- clocks ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seconds", [-6, 6])
def test_nothing_is_done_while_the_databases_clock_disagrees(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, seconds: int
) -> None:
    monkeypatch.setattr(heartbeat, "database_time", lambda: START + timedelta(seconds=seconds))
    assert sweep(worker="one") == 0
    assert live(campaign).state == PhaseState.OPEN
    assert [record.levelno for record in caplog.records] == [logging.ERROR]
    monkeypatch.setattr(heartbeat, "database_time", lambda: START + timedelta(seconds=seconds / 6 * 5))
    assert sweep(worker="one") == 2


def test_nothing_is_done_after_a_jump_backwards(campaign: Campaign, caplog: pytest.LogCaptureFixture) -> None:
    Heartbeat.objects.create(name="two", at=START + timedelta(seconds=6))
    assert sweep(worker="one") == 0
    assert live(campaign).no == 0
    assert "set the clock right" in caplog.text
    Heartbeat.objects.update(at=START + timedelta(seconds=5))
    assert sweep(worker="one") == 2


@pytest.mark.usefixtures("phase")
def test_workers_that_are_long_gone_are_forgotten(time: Clock) -> None:
    time.forward(days=2)
    sweep(worker="two")
    assert "one" not in Heartbeat.objects.values_list("name", flat=True)
    assert heartbeat.newest_beat() == time.now


@pytest.mark.parametrize(
    ("zone", "night"),
    [
        ("Europe/Berlin", datetime(2026, 3, 29, 0, tzinfo=UTC)),  # 2 o'clock is left out there
        ("Europe/Berlin", datetime(2026, 10, 24, 23, tzinfo=UTC)),  # 2 o'clock comes twice
        ("America/New_York", datetime(2026, 11, 1, 5, tzinfo=UTC)),
    ],
)
def test_the_night_when_the_clocks_change_closes_a_phase_at_its_moment_and_once(
    campaign: Campaign, time: Clock, zone: str, night: datetime
) -> None:
    Campaign.objects.update(time_zone=zone)
    phase = opened(campaign)
    Phase.objects.filter(pk=phase.pk).update(deadline_at=night + timedelta(hours=1))
    for minutes in (0, 59):
        time.now = night + timedelta(minutes=minutes)
        sweep(worker="one")
        assert Phase.objects.get(pk=phase.pk).state == PhaseState.OPEN
    for minutes in (60, 61, 120, 121):
        time.now = night + timedelta(minutes=minutes)
        for beat in ("one", "two"):
            sweep(worker=beat)
    phase.refresh_from_db()
    assert (phase.state, phase.locked_at, phase.fence) == (PhaseState.PUBLISHED, night + timedelta(hours=1), 1)
    assert live(campaign).no == phase.no + 1
