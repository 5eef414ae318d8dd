"""The clock of the open phase in the GM's hands, and what players keep whatever the GM does."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from campaign.models import AuditEntry, Campaign, DeadlineKind, OutboxMessage, Phase, PhaseState, User
from campaign.record.clock_changes import CLOSE, clock_changes
from campaign.viewers import Viewer
from gm.desk.deadlines import Refused, close, extend, hold, resume, resume_due
from gm.machine.sweeper import sweep
from gm.phases import locking
from gm.phases.locking import due_phases, is_due, lock
from orders.intake import TooLate
from orders.models import Draft, Sheet
from tests.gm.campaigns import START, Clock, live, new_campaign, send

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("time", "blank_maps")]


EVERYBODY = {"alliedcommander", "germancommander", "gm"}


def notices(kind: str) -> set[str]:
    return set(OutboxMessage.objects.filter(kind=kind).values_list("user__username", flat=True))


# --- extend ----------------------------------------------------------------------------------------------------------


def test_an_extended_deadline_counts_and_all_players_and_the_gm_are_notified(
    gm: Viewer, phase: Phase, time: Clock
) -> None:
    until = phase.deadline_at + timedelta(days=2)
    extend(gm, until)
    time.now = until - timedelta(seconds=1)
    assert not lock(phase.pk)
    time.now = until
    assert lock(phase.pk)
    phase.refresh_from_db()
    assert (phase.deadline_at, phase.deadline_rev) == (until, 1)
    assert notices("extend") == EVERYBODY
    assert AuditEntry.objects.get(act="extend").subject["deadline"] == 1


def test_every_extension_is_mailed(gm: Viewer, phase: Phase) -> None:
    for days in (1, 2):
        extend(gm, phase.deadline_at + timedelta(days=days))
    assert OutboxMessage.objects.filter(kind="extend", user__username="gm").count() == 2


def test_a_deadline_is_brought_forward_if_everybody_keeps_an_hour(gm: Viewer, phase: Phase) -> None:
    with pytest.raises(Refused, match="Players need at least one hour"):
        extend(gm, START + timedelta(minutes=59))
    extend(gm, START + timedelta(hours=1))
    phase.refresh_from_db()
    assert phase.deadline_at == START + timedelta(hours=1)


def test_a_deadline_that_was_missed_by_minutes_may_be_given_back_before_the_lock(
    gm: Viewer, phase: Phase, time: Clock, author: User
) -> None:
    time.now = phase.deadline_at + timedelta(seconds=2)
    extend(gm, time.now + timedelta(minutes=10))
    assert send(phase, author, "HOLD 1 SS").version == 1


def test_a_deadline_in_the_past_is_refused(gm: Viewer, phase: Phase, time: Clock) -> None:
    with pytest.raises(Refused, match="is in the past"):
        extend(gm, time.now)
    phase.refresh_from_db()
    assert phase.deadline_rev == 0


def test_nobody_changes_the_clock_of_a_locked_phase(gm: Viewer, locked: Phase) -> None:
    acts: list[Callable[[], None]] = [
        lambda: extend(gm, START + timedelta(days=9)),
        lambda: close(gm, reason="all are here"),
        lambda: hold(gm, reason="I am away"),
        lambda: resume(gm),
    ]
    for act in acts:
        with pytest.raises(Refused, match="No phase is open"):
            act()
    locked.refresh_from_db()
    assert locked.deadline_rev == 0


# --- close now -------------------------------------------------------------------------------------------------------


def test_a_phase_that_the_gm_closes_is_locked_with_the_sheets_that_are_in(
    gm: Viewer, phase: Phase, author: User, time: Clock
) -> None:
    send(phase, author, "HOLD 1 SS")
    assert not lock(phase.pk)
    close(gm, reason="we play  this evening")
    assert lock(phase.pk)
    phase.refresh_from_db()
    assert (phase.locked_at, phase.deadline_at) == (time.now, time.now)
    assert [each.sheet.text for each in phase.all_locked_sheets.all()] == ["HOLD 1 SS"]
    with pytest.raises(TooLate):
        send(phase, author, "HOLD 2 Pz")


def test_all_players_read_why_a_phase_was_closed(gm: Viewer, phase: Phase) -> None:
    close(gm, reason="we play this evening")
    assert notices(CLOSE) == EVERYBODY
    change, *_ = clock_changes(gm.campaign.pk, phase.no, phase.rev)
    assert change.what.endswith("Reason: we play this evening")


def test_a_phase_closed_early_is_an_intervention_that_its_report_names(gm: Viewer, phase: Phase) -> None:
    close(gm, reason="we play this evening")
    sweep(worker="one")
    published = Phase.objects.get(pk=phase.pk)
    assert published.state == PhaseState.PUBLISHED
    for audience in ("german", "allied", "public"):
        report = published.all_artefacts.get(audience=audience, kind="text")
        said = bytes(report.content).decode()
        assert "GM interventions: 1 in this phase, 1 so far." in said
        assert "Closed early: we play this evening" in said


@pytest.mark.usefixtures("phase")
def test_a_paused_phase_is_not_closed(gm: Viewer) -> None:
    hold(gm, reason="I am away")
    with pytest.raises(Refused, match="Resume it first"):
        close(gm, reason="all are here")


def test_a_phase_that_all_were_told_is_closed_gets_no_new_deadline(gm: Viewer, phase: Phase, time: Clock) -> None:
    close(gm, reason="all are here")
    with pytest.raises(Refused, match="was closed early"):
        extend(gm, time.now + timedelta(days=1))
    phase.refresh_from_db()
    assert phase.deadline_at == time.now


def test_a_phase_that_waits_for_battles_is_not_closed(gm: Viewer, phase: Phase) -> None:
    Phase.objects.filter(pk=phase.pk).update(deadline_kind=DeadlineKind.NAGS)
    with pytest.raises(Refused, match="when every battle has a result"):
        close(gm, reason="all are here")


# --- what players are told -------------------------------------------------------------------------------------------


def test_the_changes_of_a_clock_are_told_newest_first_and_of_one_phase_only(gm: Viewer, phase: Phase) -> None:
    extend(gm, phase.deadline_at + timedelta(days=1), reason="Christmas")
    hold(gm, reason="I am away")
    resume(gm)
    first, second, third = clock_changes(gm.campaign.pk, phase.no, phase.rev)
    assert first.what.startswith("The campaign has resumed.")
    assert second.what.startswith("The campaign is paused: I am away.")
    assert third.what.endswith("Reason: Christmas")
    assert clock_changes(gm.campaign.pk, phase.no + 1, 0) == clock_changes(gm.campaign.pk, phase.no, 1) == ()


# --- the race with the lock ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("change", [{"deadline_rev": 1}, {"held": True}, {"state": PhaseState.WITHDRAWN}])
def test_a_change_of_the_clock_while_a_lock_is_under_way_wins(
    phase: Phase, author: User, monkeypatch: pytest.MonkeyPatch, change: dict[str, object]
) -> None:
    send(phase, author, "HOLD 1 SS", ready=True)

    def meanwhile(seen: Phase, _now: object) -> bool:
        Phase.objects.filter(pk=seen.pk).update(**change)
        return True

    monkeypatch.setattr(locking, "is_due", meanwhile)
    assert not lock(phase.pk)
    phase.refresh_from_db()
    assert phase.locked_at is None


def test_due_phases_are_locked_oldest_first(phase: Phase, time: Clock) -> None:
    other = new_campaign("other")
    sweep(worker="one")
    second = live(other)
    Phase.objects.filter(pk=second.pk).update(deadline_at=phase.deadline_at - timedelta(hours=1))
    time.now = phase.deadline_at
    assert due_phases(time.now) == [second.pk, phase.pk]
    assert is_due(phase, time.now)
    sweep(worker="one")
    second.refresh_from_db()
    phase.refresh_from_db()
    order = Phase.objects.filter(no=1).order_by("published_at", "pk")
    assert [each.state for each in order] == [PhaseState.PUBLISHED, PhaseState.PUBLISHED]


# --- hold and resume -------------------------------------------------------------------------------------------------


def test_a_paused_phase_takes_sheets_and_drafts_but_is_not_locked(
    gm: Viewer, phase: Phase, author: User, time: Clock
) -> None:
    hold(gm, reason="I am away")
    time.forward(days=9)
    assert send(phase, author, "HOLD 1 SS", ready=True).version == 1
    assert not lock(phase.pk)
    assert sweep(worker="one") == 0
    assert notices("hold") == EVERYBODY


def test_the_time_left_at_a_pause_is_left_when_it_is_resumed(
    gm: Viewer, phase: Phase, time: Clock, author: User
) -> None:
    time.now = phase.deadline_at - timedelta(hours=5)
    hold(gm, reason="I am away")
    time.forward(days=9)
    resume(gm)
    phase.refresh_from_db()
    assert (phase.held, phase.remaining, phase.deadline_rev) == (False, None, 2)
    assert phase.deadline_at == time.now + timedelta(hours=5)
    time.forward(hours=5)
    with pytest.raises(TooLate):
        send(phase, author, "HOLD 1 SS")
    assert lock(phase.pk)


def test_a_resumed_clock_keeps_to_the_quiet_hours(gm: Viewer, phase: Phase, time: Clock, campaign: Campaign) -> None:
    Campaign.objects.filter(pk=campaign.pk).update(quiet_from=22, quiet_to=8)
    time.now = phase.deadline_at - timedelta(hours=5)
    hold(gm, reason="I am away")
    time.now = time.now.replace(hour=20)
    resume(gm)
    phase.refresh_from_db()
    assert (phase.deadline_at.day, phase.deadline_at.hour) == ((time.now + timedelta(days=1)).day, 8)


def test_a_pause_with_a_return_date_ends_automatically_and_once(gm: Viewer, phase: Phase, time: Clock) -> None:
    back = START + timedelta(days=7)
    hold(gm, reason="I am away", until=back)
    time.now = back - timedelta(seconds=1)
    assert sweep(worker="one") == 0
    time.now = back + timedelta(hours=3)
    assert sweep(worker="one") == 1
    assert resume_due(time.now) == 0
    phase.refresh_from_db()
    assert (phase.held, phase.held_until) == (False, None)
    assert phase.deadline_at == time.now + timedelta(hours=48)


@pytest.mark.usefixtures("phase")
def test_a_hold_without_a_date_lasts(gm: Viewer, time: Clock) -> None:
    hold(gm, reason="I am away")
    time.forward(days=400)
    assert resume_due(time.now) == 0


@pytest.mark.usefixtures("phase")
def test_what_is_not_held_does_not_resume_and_what_is_held_is_not_held_again(gm: Viewer) -> None:
    with pytest.raises(Refused, match="is not paused"):
        resume(gm)
    hold(gm, reason="I am away")
    with pytest.raises(Refused, match="already paused"):
        hold(gm, reason="still")
    with pytest.raises(Refused, match="Resume it first"):
        extend(gm, START + timedelta(days=9))


def test_nobody_pauses_a_phase_whose_deadline_has_passed(gm: Viewer, phase: Phase, time: Clock) -> None:
    time.now = phase.deadline_at
    with pytest.raises(Refused, match="has passed"):
        hold(gm, reason="too late")
    time.now = START
    with pytest.raises(Refused, match="is in the past"):
        hold(gm, reason="back yesterday", until=START)


def test_a_sheet_on_its_way_when_the_phase_is_paused_is_not_lost(gm: Viewer, phase: Phase, author: User) -> None:
    Draft.objects.create(phase=phase, side="german", author=author, text="HOLD 2 Pz", saved_at=START)
    send(phase, author, "HOLD 1 SS")
    hold(gm, reason="I am away")
    resume(gm)
    assert [sheet.text for sheet in Sheet.objects.all()] == ["HOLD 1 SS"]
    assert phase.all_drafts.count() == 1
