"""The heartbeat of the machinery: who swept when, whether the clocks agree, and the time that an outage gives back."""

import logging
from datetime import UTC, datetime, timedelta
from functools import partial

from django.db import connection, transaction
from django.db.models import Max

from campaign.core import clock
from campaign.core.failpoints import fp
from campaign.core.isolation import run_each
from campaign.models import DeadlineKind, Heartbeat, Phase, PhaseState
from campaign.record.clock_changes import closed_early
from gm.desk.deadlines import Change, moment, move, notify
from gm.phases.battles import postpone

log = logging.getLogger(__name__)

SILENCE = timedelta(seconds=60)
"""The longest silence of all workers before the site counts as ill."""
OUTAGE = timedelta(minutes=15)
"""A longer silence of all workers counts as an outage, for which deadlines move."""
TOUCHED = timedelta(hours=6)
"""Deadlines so soon after an outage are moved as well."""
DRIFT = timedelta(seconds=5)
"""The most by which clocks may differ."""
FORGOTTEN = timedelta(days=1)

_ALL = "all"
"""The row that every sweep locks while it checks the heartbeat, so that an outage is handled once."""
_AWAKE = "awake"
"""The row that says since when there has been no silence; if it is forgotten, for a day at least."""
_NEVER = datetime(1970, 1, 1, tzinfo=UTC)


def beat(worker: str) -> bool:
    """Record that a worker is alive. False if its clock is wrong: it must do nothing then."""
    with transaction.atomic(durable=True):
        Heartbeat.objects.get_or_create(name=_ALL, defaults={"at": _NEVER})
        Heartbeat.objects.select_for_update(of=("self",)).get(name=_ALL)
        newest = newest_beat() or _NEVER
        now = clock.now()
        if not _is_trusted(now, newest):
            return False
        if newest != _NEVER and now - newest > OUTAGE:
            _make_up(newest, now)
        if newest != _NEVER and now - newest > SILENCE:
            Heartbeat.objects.update_or_create(name=_AWAKE, defaults={"at": now})
        Heartbeat.objects.update_or_create(name=worker, defaults={"at": now})
        Heartbeat.objects.filter(name=_ALL).update(at=now)
        Heartbeat.objects.filter(at__lt=now - FORGOTTEN).delete()
        fp("beat.before_commit")
    return True


def newest_beat() -> datetime | None:
    """When any worker was last alive."""
    newest: datetime | None = Heartbeat.objects.aggregate(newest=Max("at"))["newest"]
    return newest


def is_silent(now: datetime) -> bool:
    """Whether all workers have been silent for too long, or none was ever alive."""
    newest = newest_beat()
    return newest is None or now - newest > SILENCE


def has_been_alive(now: datetime, for_: timedelta) -> bool:
    """Whether workers have been alive for so long without a silence."""
    return not is_silent(now) and not Heartbeat.objects.filter(name=_AWAKE, at__gt=now - for_).exists()


def database_time() -> datetime:
    """The time by the database's clock. SQLite has only ours."""
    if connection.vendor != "postgresql":
        return clock.now()
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        at: datetime = cursor.fetchone()[0]
    return at


def clocks_agree(now: datetime, there: datetime) -> bool:
    """Whether the time here is near enough to the database's."""
    return abs(there - now) <= DRIFT


def _is_trusted(now: datetime, newest: datetime) -> bool:
    there = database_time()
    if not clocks_agree(now, there):
        log.error("nothing is done: it is %s here and %s in the database; set the clocks right", now, there)
        return False
    if now < newest - DRIFT:
        log.error("nothing is done: it is %s, and was %s before; set the clock right, or wait", now, newest)
        return False
    return True


def _make_up(last: datetime, now: datetime) -> None:
    """Move every deadline in the gap, or soon after it, by the gap. A campaign's start keeps nobody waiting."""
    gap = now - last
    touched = Phase.objects.filter(state=PhaseState.OPEN, held=False, deadline_at__gt=last)
    touched = touched.filter(deadline_at__lte=now + TOUCHED).exclude(no=0)
    touched = touched.exclude(deadline_kind=DeadlineKind.READY).select_related("campaign")
    for phase in touched.select_for_update(of=("self",)).order_by("pk"):
        if closed_early([phase]):
            continue
        deadline = phase.deadline_at + gap
        what = (
            f"Fieldpost was down from {moment(last)} to {moment(now)}. You lose no time:"
            f" the deadline is now {moment(deadline)}."
        )
        if run_each("the deadline of phase", [phase], partial(_moved, deadline=deadline, what=what, now=now)):
            run_each("the notice of the outage to phase", [phase], partial(_notified, what=what, now=now))
    reported = Phase.objects.filter(state=PhaseState.OPEN, held=False, battles__accepts_at__gt=last).distinct()
    run_each("the reports of phase", reported.order_by("pk"), partial(_postpone, last=last, now=now))


def _moved(phase: Phase, *, deadline: datetime, what: str, now: datetime) -> bool:
    with transaction.atomic():  # a savepoint: trouble with one campaign must not stop the heartbeat of all
        move(phase, "outage", Change({"deadline_at": deadline}, what), now)
    return True


def _postpone(phase: Phase, *, last: datetime, now: datetime) -> bool:
    with transaction.atomic():
        postpone(phase, since=last, now=now)
    return True


def _notified(phase: Phase, *, what: str, now: datetime) -> bool:
    with transaction.atomic():
        notify(phase, "outage", what, now)
    return True
