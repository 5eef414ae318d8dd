"""The GM's acts on the clock of the open phase: extend or shorten it, close it now, pause it, resume it.

Each act increments `deadline_rev`, which the lock compares: the later of the two learns that it was too late. All
players are told of each act, by mail and on the campaign's page.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import F

from campaign.core import clock
from campaign.core.failpoints import fp
from campaign.core.isolation import run_each
from campaign.core.workers import Job, wake_workers
from campaign.models import Campaign, DeadlineKind, Phase, PhaseState
from campaign.record import audit
from campaign.record.clock_changes import CLOSE, closed_early
from campaign.schedule import at_allowed_time, schedule_of
from campaign.viewers import Viewer
from gm.mail import enqueue_all, notice_messages
from gm.phases.battles import postpone
from gm.phases.rows import open_row

SHORTEST_NOTICE = timedelta(hours=1)
"""The time that everybody keeps when a deadline is brought forward."""


class Refused(Exception):
    """The act is impossible; the message says why, and what the GM can do."""


def extend(viewer: Viewer, until: datetime, *, reason: str = "") -> None:
    """Set the deadline of the open phase: any later time, or an earlier one if everybody keeps an hour."""
    _change(viewer.campaign, "extend", lambda phase, now: _extended(phase, until, reason, now))


def close(viewer: Viewer, *, reason: str) -> None:
    """Close the open phase now, READY or not. It is a GM intervention, which the report of the phase names."""
    reason = " ".join(reason.split())
    _change(viewer.campaign, CLOSE, lambda phase, now: _closed(phase, reason, now))


def hold(viewer: Viewer, *, reason: str, until: datetime | None = None) -> None:
    """Pause the clock of the open phase; with a date, it resumes then. Sheets are still received."""
    _change(viewer.campaign, "hold", lambda phase, now: _held(phase, reason, until, now))


def resume(viewer: Viewer) -> None:
    """Resume the clock, with the time that was left."""
    _change(viewer.campaign, "resume", _resumed)


def resume_due(now: datetime) -> int:
    """Resume all clocks whose date has come; returns how many."""
    due = Phase.objects.filter(state=PhaseState.OPEN, held=True, held_until__lte=now).select_related("campaign")
    return run_each("the clock of phase", due.order_by("held_until", "pk"), lambda phase: _resume_due(phase.campaign))


def _resume_due(campaign: Campaign) -> bool:
    try:
        _change(campaign, "resume", _resumed_by_date)
    except Refused:  # somebody else was first
        return False
    return True


# --- one act on the clock --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Change:
    """A change of a phase's clock."""

    columns: dict[str, Any]
    what: str
    """What all players are told of it."""
    reason: str = ""
    """The GM's reason, which reports print."""


def _change(campaign: Campaign, act: str, changed: Callable[[Phase, datetime], Change]) -> None:
    with transaction.atomic(durable=True):
        phase = open_row(campaign)
        now = clock.now()
        if phase is None:
            raise Refused("No phase is open. It has been locked, or the campaign is over.")
        change = changed(phase, now)
        move(phase, act, change, now)
        notify(phase, act, change.what, now)
        if act == CLOSE:
            wake_workers(Job.PHASE, phase.pk)
        fp("deadline.before_commit")


def move(phase: Phase, act: str, change: Change, now: datetime) -> None:
    """Change an open phase's clock and record it in the audit. Refused if it was locked."""
    rev = phase.deadline_rev + 1
    unchanged = Phase.objects.filter(pk=phase.pk, state=PhaseState.OPEN, deadline_rev=phase.deadline_rev)
    if not unchanged.update(deadline_rev=F("deadline_rev") + 1, **change.columns):
        raise Refused(
            "The phase was locked, or its deadline changed, after you opened the page. Check it and try again."
        )
    subject: dict[str, str | int] = {"phase": phase.no, "rev": phase.rev, "deadline": rev, "what": change.what}
    subject |= {"reason": change.reason} if change.reason else {}
    audit.record(phase.campaign, act, subject, at=now, rows=[phase])
    phase.refresh_from_db(fields=["deadline_at", "deadline_rev", "held"])


def notify(phase: Phase, act: str, what: str, now: datetime) -> None:
    """Write the notices of a change of the clock."""
    enqueue_all(notice_messages(phase, kind=act, key=str(phase.deadline_rev), what=what, now=now))
    wake_workers(Job.MAIL, phase.pk)


def _extended(phase: Phase, until: datetime, reason: str, now: datetime) -> Change:
    if phase.held:
        raise Refused("The campaign is paused. Resume it first, then set the deadline.")
    if closed_early([phase]):
        raise Refused(
            "The phase was closed early, as all players have been told. Undo its publication if it must open again."
        )
    if until <= now:
        raise Refused(f"{moment(until)} is in the past. Choose a later time.")
    if until < phase.deadline_at and until < now + SHORTEST_NOTICE:
        raise Refused(f"Players need at least one hour. Choose a time after {moment(now + SHORTEST_NOTICE)}.")
    why = f" Reason: {reason}" if reason else ""
    return Change(
        {"deadline_at": until}, f"The deadline is now {moment(until)}. It was {moment(phase.deadline_at)}.{why}"
    )


def _closed(phase: Phase, reason: str, now: datetime) -> Change:
    if phase.held:
        raise Refused("The campaign is paused. Resume it first, then close the phase.")
    if phase.deadline_kind == DeadlineKind.NAGS:
        raise Refused("This phase closes when every battle has a result. Decide the open battles, and it closes.")
    what = f"The GM has closed the phase before its deadline, which was {moment(phase.deadline_at)}. Reason: {reason}"
    return Change({"deadline_at": now, "deadline_kind": DeadlineKind.CLOSES}, what, reason)


def _held(phase: Phase, reason: str, until: datetime | None, now: datetime) -> Change:
    if phase.held:
        raise Refused("The campaign is already paused.")
    if until is not None and until <= now:
        raise Refused(f"{moment(until)} is in the past. Choose a later time, or leave it empty.")
    if phase.deadline_kind == DeadlineKind.CLOSES and phase.deadline_at <= now:
        raise Refused("The deadline has passed, and the phase is about to be locked.")
    remaining = max(phase.deadline_at - now, timedelta())
    back = f" It resumes automatically at {moment(until)}." if until else ""
    still = "report results" if phase.deadline_kind == DeadlineKind.NAGS else "submit sheets"
    what = f"The campaign is paused: {reason}.{back} Players can still {still}, and keep the time that is left."
    return Change({"held": True, "held_at": now, "remaining": remaining, "held_until": until}, what)


def _resumed(phase: Phase, now: datetime) -> Change:
    if not phase.held:
        raise Refused("The campaign is not paused.")
    deadline = at_allowed_time(schedule_of(phase.campaign), now + (phase.remaining or timedelta()))
    if phase.held_at is not None:
        postpone(phase, since=phase.held_at, now=now)
    columns = {"held": False, "held_at": None, "held_until": None, "remaining": None, "deadline_at": deadline}
    return Change(columns, f"The campaign has resumed. The deadline is now {moment(deadline)}.")


def _resumed_by_date(phase: Phase, now: datetime) -> Change:
    if phase.held_until is None or phase.held_until > now:
        raise Refused("Its day has not come.")
    return _resumed(phase, now)


def moment(at: datetime) -> str:
    """A time in notices and refusals: the same for all readers."""
    return f"{at:%-d %B %Y, %H:%M} UTC"
