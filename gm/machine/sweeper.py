"""The sweep does all due work; any worker may sweep."""

import logging
from datetime import datetime, timedelta

from django.db import OperationalError

from archive.jobs import forget_old, make_due
from campaign.core import clock
from campaign.core.failpoints import fp
from campaign.core.isolation import run_each, run_isolated
from campaign.links import forget_fetches
from campaign.mail.delivery import forget_sent, send_due
from campaign.models import Heartbeat, Phase
from campaign.people.invitation_mails import forget_addresses
from campaign.people.throttles import forget_tries
from gm.desk.absence import publish_unattended
from gm.desk.deadlines import resume_due
from gm.desk.reminders import remind_due
from gm.gathered_mails import gather_due
from gm.machine.health_alerts import report
from gm.machine.heartbeat import beat
from gm.machine.practice import forget_practices, retry_practices
from gm.machine.rendered_bases import a_phase_is_near, draw_one, forget_unused
from gm.newcomers import ask_newcomers
from gm.phases.adjudication import Claim, resolve
from gm.phases.approval import publish_approved
from gm.phases.battles import accept_overdue
from gm.phases.bots import write_due, write_for
from gm.phases.lifecycle import claim, fail, fail_unclaimed, file, free, report_failures
from gm.phases.locking import due_phases, lock, lock_if_due
from gm.phases.missing_mails import report_missing_mails
from gm.phases.opening import start_complete
from incoming.handling import drop_unconfirmed, forget_raw, handle_due, summarise_due
from incoming.returned import forget_returned, handle_returned
from incoming.ways.waiting import forget_other_polls
from posting.sending import send_due as post_due
from stories.keeping import sweep as forget_pictures

log = logging.getLogger(__name__)


BATCH = 20
"""The most phases locked, adjudicated, bots' sheets, received and gathered mails in one sweep: none waits for all."""

MAILS_AT_THE_LOCK = 200
"""The most received mails of one phase that are handled before one try to lock it."""

TIDY_EVERY = timedelta(hours=1)
_TIDIED = "tidying"


def sweep(*, worker: str) -> int:
    """Do all due work, oldest first; any number of workers may sweep at once. Returns how many steps were taken."""
    if not beat(worker):
        return 0
    now = clock.now()
    done = run_isolated("clocks that stand", lambda: resume_due(now))
    done += run_isolated("starts that wait", lambda: start_complete(now))
    done += run_isolated("results that nobody answered", lambda: accept_overdue(now))
    done += run_isolated("sheets of bots", lambda: write_due(most=BATCH, goes_on=lambda: beat(worker)))
    done += run_isolated("received mails", lambda: handle_due(most=BATCH))
    run_isolated("returned mails", lambda: handle_returned(most=BATCH))
    done += run_isolated("phases that are due", lambda: _lock_due(now))
    fp("tick.mid")
    done += _run_waiting(now, worker)
    done += run_isolated("drafts that are approved", lambda: publish_approved(clock.now()))
    done += run_isolated("drafts of absent game masters", lambda: publish_unattended(clock.now()))
    run_isolated("failures", report_failures)
    run_isolated("mails that are missing", report_missing_mails)
    run_isolated("newcomers", ask_newcomers)
    run_isolated("reminders", lambda: remind_due(now))
    run_isolated("mails that nobody confirmed", drop_unconfirmed)
    run_isolated("answers to many mails", lambda: summarise_due(now))
    run_isolated("mails that gather news", lambda: gather_due(now, most=BATCH, goes_on=lambda: beat(worker)))
    run_isolated("the post", lambda: send_due(clock.now()))
    run_isolated("posts of forums", lambda: post_due(clock.now(), goes_on=lambda: beat(worker)))
    run_isolated("health alerts", lambda: report(clock.now()))
    run_isolated("what is kept no longer", lambda: _tidy(now))
    if not done and not a_phase_is_near(now):
        done = run_isolated("archives", lambda: make_due(clock.now()))
    if not done:
        run_isolated("sheets under maps", lambda: draw_one(clock.now()))
    return done


def _tidy(now: datetime) -> int:
    """Housekeeping that not every sweep needs."""
    if Heartbeat.objects.filter(name=_TIDIED, at__gt=now - TIDY_EVERY).exists():
        return 0
    Heartbeat.objects.update_or_create(name=_TIDIED, defaults={"at": now})
    done = forget_sent(now) + forget_fetches(now) + forget_tries(now) + forget_unused(now)
    done += forget_practices(now) + retry_practices(now) + forget_addresses(now)
    return done + forget_pictures(now) + forget_old(now) + forget_raw(now) + forget_returned(now)


def attend(phase_id: int, *, worker: str) -> int:
    """Do the due work of one phase, without waiting for the next sweep. Returns how many steps were taken."""
    if not Phase.objects.filter(pk=phase_id).exists() or not beat(worker):
        return 0
    done = run_each("the bots of phase", [phase_id], write_for) + handle_due(most=BATCH, phase=phase_id)
    return done + run_each("the lock of phase", [phase_id], lock) + run(phase_id, worker=worker)


def _lock_due(now: datetime) -> int:
    """Lock a batch of due phases. A phase that was checked and is not due does not count.

    Its own mails are handled first, however many others wait for other phases.
    """
    locked, due = 0, due_phases(now)
    forget_other_polls(due)
    for phase_id in due:
        handle_due(most=MAILS_AT_THE_LOCK, phase=phase_id)
        locked += run_each("the lock of phase", [phase_id], lock_if_due)
        if locked == BATCH:
            break
    return locked


def _run_waiting(now: datetime, worker: str) -> int:
    """Run the phases that wait for a worker, the longest locked first. The heartbeat continues meanwhile."""
    waiting = Phase.objects.filter(free(now))
    done = 0
    for phase_id in list(waiting.order_by("locked_at", "pk").values_list("pk", flat=True)[:BATCH]):
        done += run(phase_id, worker=worker)
        if not beat(worker):
            break
    return done


def run(phase_id: int, *, worker: str) -> bool:
    """Claim a phase, adjudicate it and store the result; returns whether this call did it."""
    return bool(run_each("phase", [phase_id], lambda _: _run(phase_id, worker)))


def _run(phase_id: int, worker: str) -> bool:
    claimed = _claimed(phase_id, worker)
    if claimed is None:
        return False
    try:
        return file(resolve(claimed))
    except Exception:
        log.exception("phase %s could not be resolved", phase_id)
        fail(claimed)
        return False


def _claimed(phase_id: int, worker: str) -> Claim | None:
    """The claim on a phase. A fault in the phase counts as its error; a database that cannot write now does not."""
    try:
        return claim(phase_id, worker=worker)
    except OperationalError:
        raise
    except Exception:
        log.exception("phase %s could not be claimed", phase_id)
        fail_unclaimed(phase_id)
        return None
