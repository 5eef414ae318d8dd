"""The life of a phase after its lock: claimed, filed, reviewed, published; each step is one transaction or none.

The database is the truth. A step begins with an UPDATE that names the state it expects; the number of changed rows
decides, so any number of workers may try at once. Nothing between claim and publication changes anything else.
`gm.phases.locking` is the step before, `gm.phases.adjudication` the work between, and `gm.machine.sweeper` calls
them all.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import msgspec
from django.conf import settings
from django.db import transaction
from django.db.models import F, Q

from campaign.core import clock
from campaign.core.failpoints import fp
from campaign.core.isolation import run_each
from campaign.core.workers import Job, wake_workers
from campaign.engine.errors import EngineError, ScenarioError
from campaign.engine.phases import Ruling as Correction
from campaign.engine.values.ids import PhaseKey
from campaign.game.store import decode_state, pack, unpack
from campaign.handling import handling_of
from campaign.links import link_published
from campaign.mail.outbox import enqueue
from campaign.models import (
    OutboxMessage,
    Outcome,
    Phase,
    PhaseProof,
    PhaseState,
    Resolution,
    Ruling,
    User,
)
from campaign.record import audit
from campaign.services import scenario_of
from gm import mail
from gm.phases.adjudication import Claim, Draft, require_possible
from gm.phases.bots import failures
from gm.phases.comparing import drop_differences, keep_differences
from gm.phases.gathering import phases_in, weight_of
from gm.phases.judging import drop_unasked
from gm.phases.opening import open_next
from gm.phases.prefaces import freeze_reports
from gm.phases.rolls import write_rolls
from gm.phases.rows import events_of, is_approved, locked_row, write_artefacts
from posting.writing import write_posts

log = logging.getLogger(__name__)

LEASE = timedelta(seconds=settings.LEASE_SECONDS)
"""How long a worker may take before others may claim its phase."""
MOST_ERRORS = 3
MOST_LEASES_LOST = 10


def claim(phase_id: int, *, worker: str) -> Claim | None:
    """The claim on a locked phase, or on one whose worker has died; None if another has it, or it is not claimable.

    During an upgrade of a fleet, workers of the old release leave alone what the new release has written.
    """
    with transaction.atomic(durable=True):
        phase = locked_row(phase_id)
        if not _is_readable(phase):
            log.warning("phase %s was written by another release: it is left to a worker of that", phase_id)
            return None
        now = clock.now()
        lost = int(phase.state == PhaseState.RUNNING)
        waiting = Phase.objects.filter(free(now), pk=phase_id)
        if phase.errors >= MOST_ERRORS or phase.leases_lost + lost > MOST_LEASES_LOST:
            if waiting.update(state=PhaseState.FAILED):
                audit.record(phase.campaign, "fail", {"phase": phase.no}, at=now, rows=[phase])
            return None
        changed = waiting.update(
            state=PhaseState.RUNNING,
            fence=F("fence") + 1,
            lease_until=now + LEASE,
            claimed_by=worker,
            leases_lost=F("leases_lost") + lost,
        )
        if not changed:
            return None
        fence = Phase.objects.values_list("fence", flat=True).get(pk=phase_id)
        audit.record(phase.campaign, "claim", {"phase": phase.no, "fence": fence}, at=now, rows=[phase])
        fp("claim.before_commit")
    fp("claim.after")
    return Claim(phase_id, fence)


def _is_readable(phase: Phase) -> bool:
    """Whether the running release can read a phase. Its scenario was valid for the release that created it."""
    try:
        rules = scenario_of(phase.campaign).rules
        newer = phase.rulings.filter(event_version__gt=rules.event_version)
        return phase.state_version <= rules.state_version and not newer.exists()
    except ScenarioError:
        log.exception("the scenario of phase %s cannot be read here", phase.pk)
        return False


def free(now: datetime) -> Q:
    """A filter for phases that wait for a worker: locked ones, and those whose worker has died."""
    return Q(state=PhaseState.LOCKED) | Q(state=PhaseState.RUNNING, lease_until__lt=now)


def _has_failed_bot(phase: Phase) -> bool:
    """Whether the GM must look at a result in which a side has no orders because its bot failed."""
    return not phase.campaign.practice and any(failures(phase))


def file(draft: Draft) -> bool:
    """Store the result of a claimed phase, published at once or as a draft for the GM; False if another was first."""
    with transaction.atomic(durable=True):
        phase = locked_row(draft.claim.phase_id)
        now = clock.now()
        waits = phase.no > 0 and (handling_of(phase.campaign, draft.weight).reviewed or _has_failed_bot(phase))
        idle: dict[str, Any] = {"lease_until": None, "claimed_by": "", "drafted_at": now}
        fp("publish.before_cas")
        after = PhaseState.REVIEW if waits else PhaseState.PUBLISHED
        if not _advance(draft.claim, PhaseState.RUNNING, after, now, idle):
            return False
        _store(phase, draft)
        phase.all_artefacts.all().delete()
        write_artefacts(phase, draft.artefacts)
        fp("publish.mid")
        if waits:
            if draft.differences is not None:
                keep_differences(phase, draft.differences)
            _record_result(phase, "review", now, edition=draft.edition)
            mail.enqueue_all(mail.review_messages(phase, fence=draft.claim.fence))
        else:
            _publish(phase, draft.state, draft.ran, now, edition=draft.edition)
        wake_workers(Job.MAIL, phase.pk)
        fp("publish.before_commit")
    fp("publish.after_commit")
    return True


def _store(phase: Phase, draft: Draft) -> None:
    """Store a phase's result in place of any earlier one."""
    PhaseProof.objects.filter(phase=phase).update(result_digest=draft.digest)
    versions = {"state_version": draft.state_version, "event_version": draft.event_version}
    result, _ = Resolution.objects.update_or_create(phase=phase, defaults={"fence": draft.claim.fence, **versions})
    Outcome.objects.update_or_create(
        resolution=result,
        defaults={
            "state_after": pack(draft.state_after),
            "events": pack(draft.events),
            "digest": draft.digest,
        },
    )


def approve(phase_id: int, *, fence: int, still: Callable[[Phase], bool] = lambda _: True) -> bool:
    """Publish the draft that the GM has seen; False if it has been re-run since.

    `still` is asked about its row when nobody else can change that, and may write what is published with it; if it says
    no, nothing is published.
    """
    with transaction.atomic(durable=True):
        phase = locked_row(phase_id)
        now = clock.now()
        if not still(phase) or not _advance(Claim(phase_id, fence), PhaseState.REVIEW, PhaseState.PUBLISHED, now, {}):
            return False
        loaded = scenario_of(phase.campaign)
        result = phase.resolution
        state = decode_state(loaded.rules, unpack(result.outcome.state_after), version=result.state_version)
        fp("publish.mid")
        _publish(phase, state, phases_in(events_of(phase)), now)
        wake_workers(Job.MAIL, phase.pk)
        fp("publish.before_commit")
    fp("publish.after_commit")
    return True


def _publish(phase: Phase, state: Any, ran: Sequence[PhaseKey], now: datetime, **more: str | int) -> None:
    """Publish a phase that led to this state, with all that follows, within the caller's transaction."""
    phase.weight = weight_of(scenario_of(phase.campaign).rules, state, ran).value
    Phase.objects.filter(pk=phase.pk).update(weight=phase.weight)
    drop_differences(phase)
    drop_unasked(phase)
    freeze_reports(phase, write_rolls(phase))
    _record_result(phase, "publish", now, **more)
    link_published(phase, now=now)
    write_posts(phase, now=now)
    open_next(phase, state, ran, now)
    mail.enqueue_publication(phase)


def _record_result(phase: Phase, act: str, now: datetime, **more: str | int) -> None:
    """Record a phase's result: its digest, what everybody receives, and its lines of the dice logs.

    For an adjudication, also the edition of the rules.
    """
    result = Resolution.objects.select_related("outcome").get(phase=phase)
    rows = [phase, result, *phase.all_artefacts.defer("content"), *phase.all_dice_lines.all()]
    audit.record(phase.campaign, act, {"phase": phase.no, "digest": result.outcome.digest, **more}, at=now, rows=rows)


class RulingRefused(Exception):
    """The ruling is impossible; the message says why."""


def rule(phase_id: int, *, fence: int, at: str, facts: Sequence[tuple[str, Any]], reason: str, author: User) -> bool:
    """Add rulings to the draft that the GM has seen and send the phase back for a re-run.

    `facts` are the rulings, each with the GM's own text. They are tried first: RulingRefused if the phase cannot be
    adjudicated with them. False if the draft is not the newest, or is approved.
    """
    _try(phase_id, more=[Correction(PhaseKey(at), fact, reason) for _, fact in facts])
    with transaction.atomic(durable=True):
        phase = locked_row(phase_id)
        rules = scenario_of(phase.campaign).rules
        now = clock.now()
        reviewed = Phase.objects.filter(pk=phase_id, state=PhaseState.REVIEW, fence=fence)
        if is_approved(phase) or not reviewed.update(state=PhaseState.LOCKED, **_UNTRIED):
            return False
        first = phase.rulings.count() + 1
        rulings = Ruling.objects.bulk_create(
            Ruling(
                phase=phase,
                seq=seq,
                at=at,
                written=written,
                fact=msgspec.to_builtins(fact),
                event_version=rules.event_version,
                reason=reason,
                author=author,
            )
            for seq, (written, fact) in enumerate(facts, first)
        )
        subject: dict[str, str | int] = {
            "phase": phase.no,
            "rev": phase.rev,
            "first": first,
            "count": len(facts),
            "reason": reason,
        }
        audit.record(phase.campaign, "ruling", subject, at=now, rows=[phase, *rulings])
        fp("ruling.before_commit")
    return True


def undo(phase_id: int, *, fence: int, seq: int) -> bool:
    """Undo a ruling of the draft that the GM has seen, and re-run the phase without it.

    RulingRefused if the other rulings depend on it. False if the draft is not the newest, is approved, or has no such
    ruling.
    """
    _try(phase_id, without=seq)
    with transaction.atomic(durable=True):
        phase = locked_row(phase_id)
        now = clock.now()
        applied = phase.rulings.filter(seq=seq, taken_back_at=None)
        reviewed = Phase.objects.filter(pk=phase_id, state=PhaseState.REVIEW, fence=fence)
        if is_approved(phase) or not applied.exists() or not reviewed.update(state=PhaseState.LOCKED, **_UNTRIED):
            return False
        applied.update(taken_back_at=now)
        subject: dict[str, str | int] = {"phase": phase.no, "rev": phase.rev, "seq": seq}
        rows = [phase, *phase.rulings.filter(seq=seq)]
        audit.record(phase.campaign, "take back", subject, at=now, rows=rows)
        fp("ruling.before_commit")
    return True


def _try(phase_id: int, *, more: Sequence[Correction] = (), without: int | None = None) -> None:
    try:
        require_possible(phase_id, more=more, without=without)
    except EngineError as error:
        raise RulingRefused(str(error)) from error


def retry(phase_id: int) -> bool:
    """Retry a failed phase, once its fault is fixed."""
    with transaction.atomic(durable=True):
        phase = locked_row(phase_id)
        failed = Phase.objects.filter(pk=phase_id, state=PhaseState.FAILED)
        if not failed.update(state=PhaseState.LOCKED, **_UNTRIED):
            return False
        audit.record(phase.campaign, "retry", {"phase": phase.no}, at=clock.now(), rows=[phase])
        fp("retry.before_commit")
    return True


def fail(claim_: Claim) -> None:
    """Record that a claimed phase raised an error; after the third it waits for a person."""
    with transaction.atomic(durable=True):
        phase = locked_row(claim_.phase_id)
        _count_error(phase, Q(state=PhaseState.RUNNING, fence=claim_.fence), clock.now())
        fp("fail.before_commit")


def fail_unclaimed(phase_id: int) -> None:
    """Record that a phase could not even be claimed, as an error of a worker that claimed it."""
    with transaction.atomic(durable=True):
        phase = locked_row(phase_id)
        now = clock.now()
        _count_error(phase, free(now), now, fence=F("fence") + 1)
        fp("fail.before_commit")


def _count_error(phase: Phase, as_found: Q, now: datetime, **more: Any) -> None:
    """Count one more error of a phase that is still as its worker found it."""
    last = phase.errors + 1 >= MOST_ERRORS
    state = PhaseState.FAILED if last else PhaseState.LOCKED
    found = Phase.objects.filter(as_found, pk=phase.pk)
    if found.update(errors=F("errors") + 1, lease_until=None, state=state, **more):
        act = "fail" if last else "error"
        audit.record(phase.campaign, act, {"phase": phase.no}, at=now, rows=[phase])


def report_failures() -> int:
    """Report every failure to the GMs once, apart from the step that fails; returns how many messages were written."""
    failed = Phase.objects.filter(state=PhaseState.FAILED)
    return run_each("the letters about phase", failed.select_related("campaign"), _report_failure)


def _report_failure(phase: Phase) -> int:
    reported = OutboxMessage.objects.filter(phase=phase, kind="failed", key__contains=f"/{phase.fence}/")
    if reported.exists():
        return 0
    with transaction.atomic():
        return sum(enqueue(message) for message in mail.failure_messages(phase, fence=phase.fence))


_UNTRIED: Mapping[str, Any] = {"errors": 0, "leases_lost": 0}


def _advance(claim_: Claim, before: PhaseState, after: PhaseState, now: datetime, more: Mapping[str, Any]) -> bool:
    """Move a phase from one state to another if the claim is still valid."""
    published = {"published_at": now} if after == PhaseState.PUBLISHED else {}
    held = Phase.objects.filter(pk=claim_.phase_id, state=before, fence=claim_.fence)
    return bool(held.update(state=after, **published, **more))
