"""The sweep: whatever is due is done, by whoever comes first."""

import logging
from collections.abc import Callable
from datetime import datetime
from functools import partial

from django.db.models import Q

from campaign import clock
from campaign.failpoints import fp
from campaign.models import Phase, PhaseState
from campaign.post import send_due
from gm.absence import publish_unattended
from gm.adjudication import resolve
from gm.battles import stand_overdue, tell_of_disputes
from gm.canary import report
from gm.deadlines import resume_due
from gm.heartbeat import beat
from gm.lifecycle import claim, fail, file
from gm.locking import due_phases, lock
from gm.reminders import remind_due

log = logging.getLogger(__name__)


BATCH = 20
"""So many phases at most in one sweep, so that none waits for the others' drawing."""


def sweep(*, worker: str) -> int:
    """Do whatever is due, oldest first; any number of workers may sweep at once. Returns how many steps were taken."""
    if not beat(worker):
        return 0
    now = clock.now()
    done = _aside("clocks that stand", lambda: resume_due(now))
    done += _aside("results that nobody answered", lambda: stand_overdue(now))
    done += sum(_guarded(phase_id, partial(lock, phase_id)) for phase_id in due_phases(now)[:BATCH])
    fp("tick.mid")
    done += _run_waiting(now, worker)
    done += _aside("drafts of absent game masters", lambda: publish_unattended(clock.now()))
    _aside("the post", lambda: tell_of_disputes() + remind_due(now) + send_due(clock.now()))
    _aside("the canary", lambda: report(clock.now()))
    return done


def attend(phase_id: int, *, worker: str) -> int:
    """Do what is due of one phase, without waiting for the next sweep. Returns how many steps were taken."""
    if not Phase.objects.filter(pk=phase_id).exists() or not beat(worker):
        return 0
    return _guarded(phase_id, partial(lock, phase_id)) + run(phase_id, worker=worker)


def _run_waiting(now: datetime, worker: str) -> int:
    """Run the phases that wait for a worker, the longest locked first. Each may take long, so the pulse goes on."""
    waiting = Phase.objects.filter(Q(state=PhaseState.LOCKED) | Q(state=PhaseState.RUNNING, lease_until__lt=now))
    done = 0
    for phase_id in list(waiting.order_by("locked_at", "pk").values_list("pk", flat=True)[:BATCH]):
        done += run(phase_id, worker=worker)
        if not beat(worker):
            break
    return done


def run(phase_id: int, *, worker: str) -> bool:
    """Claim a phase, adjudicate it and store what came of it; whether this call did it."""
    mine = claim(phase_id, worker=worker)
    if mine is None:
        return False
    return _guarded(phase_id, lambda: file(resolve(mine)), after=lambda: fail(mine))


def _aside(what: str, step: Callable[[], int]) -> int:
    """Take a step beside the phases' own; trouble with it is logged and must not keep the campaigns waiting."""
    try:
        return step()
    except Exception:
        log.exception("trouble with %s", what)
        return 0


def _guarded(phase_id: int, step: Callable[[], bool], *, after: Callable[[], None] = lambda: None) -> bool:
    """Take a step; whatever is wrong with one phase is logged and must not keep the others waiting."""
    try:
        return step()
    except Exception:
        log.exception("phase %s is in trouble", phase_id)
        after()
        return False
