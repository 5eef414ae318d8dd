"""The sweep: whatever is due is done, by whoever comes first."""

import logging
from collections.abc import Callable
from functools import partial

from django.db.models import Q

from campaign import clock
from campaign.models import Heartbeat, Phase, PhaseState
from gm.adjudication import resolve
from gm.lifecycle import claim, fail, file
from gm.locking import due_phases, lock

log = logging.getLogger(__name__)


def sweep(*, worker: str) -> int:
    """Do whatever is due, oldest first; any number of workers may sweep at once. Returns how many steps were taken."""
    now = clock.now()
    Heartbeat.objects.update_or_create(name=worker, defaults={"at": now})
    locked = sum(_guarded(phase_id, partial(lock, phase_id)) for phase_id in due_phases(now))
    waiting = Phase.objects.filter(Q(state=PhaseState.LOCKED) | Q(state=PhaseState.RUNNING, lease_until__lt=now))
    ids = list(waiting.order_by("locked_at", "pk").values_list("pk", flat=True))
    return locked + sum(run(phase_id, worker=worker) for phase_id in ids)


def run(phase_id: int, *, worker: str) -> bool:
    """Claim a phase, adjudicate it and store what came of it; whether this call did it."""
    mine = claim(phase_id, worker=worker)
    if mine is None:
        return False
    return _guarded(phase_id, lambda: file(resolve(mine)), after=lambda: fail(mine))


def _guarded(phase_id: int, step: Callable[[], bool], *, after: Callable[[], None] = lambda: None) -> bool:
    """Take a step; whatever is wrong with one phase is logged and must not keep the others waiting."""
    try:
        return step()
    except Exception:
        log.exception("phase %s is in trouble", phase_id)
        after()
        return False
