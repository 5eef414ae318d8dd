"""The lock: closes a due phase and fixes its sheets."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from campaign.core import clock
from campaign.core.failpoints import fp
from campaign.core.workers import Job, wake_workers
from campaign.engine.dice import mix
from campaign.engine.values.ids import PhaseKey
from campaign.engine.values.value import encode
from campaign.game.store import digest
from campaign.models import Campaign, DeadlineKind, Desk, Phase, PhaseProof, PhaseState
from campaign.record import audit
from campaign.record.persons import seal_people
from campaign.services import writers_of
from gm.phases.battles import all_stand, freeze, stands
from gm.phases.rows import locked_row, newest_sheets
from incoming.handling import waits_for_mail
from incoming.ways.waiting import forget_poll, note_if_missed, waits_for_poll
from orders.entropy import contributions_of, freeze_words
from orders.models import HQ, LockedSheet, Sheet
from orders.readiness import idle_of_all, in_effect, is_in_effect, unready


def due_phases(now: datetime) -> list[int]:
    """Phases that may be due for their lock, the longest due first."""
    ready = Sheet.objects.filter(in_effect(now), phase=OuterRef("pk"))
    passed = Q(deadline_kind=DeadlineKind.CLOSES, deadline_at__lte=now)
    open_ = Phase.objects.filter(passed | Exists(ready) | stands(), state=PhaseState.OPEN, held=False)
    return list(open_.order_by("deadline_at", "pk").values_list("pk", flat=True))


def is_due(phase: Phase, now: datetime) -> bool:
    """Whether to lock a phase: its deadline closes it and has passed, all are ready, or all battles have results."""
    if phase.state != PhaseState.OPEN or phase.held:
        return False
    passed = phase.deadline_kind == DeadlineKind.CLOSES and phase.deadline_at <= now
    return passed or all_ready(phase, now) or all_stand(phase)


def all_ready(phase: Phase, now: datetime) -> bool:
    """Whether the READY of every desk of those who act is in effect.

    That is HQ, and each desk with a holder who has something to decide.
    """
    ready = [sheet for sheet in newest_sheets(phase) if is_in_effect(sheet, now)]
    if not phase.acts or unready({(who, HQ) for who in phase.acts}, ready):
        return False
    held = Desk.objects.filter(campaign=phase.campaign_id, side__in=phase.acts, holder__isnull=False)
    missing = unready(held.values_list("side", "name"), ready)
    return not missing or missing <= idle_of_all(phase.campaign, PhaseKey(phase.key), held)


def lock_if_due(phase_id: int) -> bool:
    """Lock a phase if it is due. Checks first without the row lock, since most candidates are not due."""
    seen = Phase.objects.filter(pk=phase_id).first()
    if seen is None or not is_due(seen, clock.now()):
        forget_poll(phase_id)
        return False
    return lock(phase_id)


def lock(phase_id: int) -> bool:
    """Close a due phase and fix its sheets; returns whether this call did it.

    Not before the mails that came in time are handled: nobody can add one of these while the phase's row is locked. For
    those that are still in the mailbox it waits for a last poll, but not for long.
    """
    with transaction.atomic(durable=True):
        phase = locked_row(phase_id)
        now = clock.now()
        if not is_due(phase, now) or waits_for_poll(phase, now) or waits_for_mail(phase):
            return False
        open_ = Phase.objects.filter(pk=phase_id, state=PhaseState.OPEN, held=False, deadline_rev=phase.deadline_rev)
        phase.lock_no = _next_lock(phase.campaign)
        if not open_.update(state=PhaseState.LOCKED, locked_at=now, lock_no=phase.lock_no):
            return False
        fp("lock.mid")
        freeze(phase, now)
        _fix_sheets(phase, now)
        note_if_missed(phase, now)
        wake_workers(Job.PHASE, phase.pk)
    fp("lock.after")
    return True


def _fix_sheets(phase: Phase, now: datetime) -> None:
    """Fix the newest sheets as those that count, and mix the lock's dice. Sheets of closed desks do not count."""
    desks = _desks(phase)
    sheets = [sheet for sheet in newest_sheets(phase) if (sheet.side, sheet.desk) in desks]
    locked = LockedSheet.objects.bulk_create(
        LockedSheet(
            phase=phase,
            side=sheet.side,
            desk=sheet.desk,
            sheet=sheet,
            digest=sheet.digest,
            formations=desks[sheet.side, sheet.desk],
        )
        for sheet in sheets
    )
    words = [] if phase.no else freeze_words(phase)
    contributions, sheets_digest = contributions_of(phase, sheets), digest_of_sheets(sheets)
    PhaseProof.objects.create(
        phase=phase, sheets_digest=sheets_digest, contributions=contributions, mix=mix(contributions)
    )
    seal_people(phase.campaign, at=now)
    subject: dict[str, str | int] = {"phase": phase.no, "rev": phase.rev, "sheets": sheets_digest}
    audit.record(phase.campaign, "lock", subject, at=now, rows=[phase, *locked, *words])


def _desks(phase: Phase) -> dict[tuple[str, str], list[str] | None]:
    """Every desk that may have sent a sheet, with what it may order; None for HQ: everything."""
    staff = Desk.objects.filter(campaign=phase.campaign_id, side__in=phase.acts)
    named = {
        (side, name): list(formations) for side, name, formations in staff.values_list("side", "name", "formations")
    }
    return {**{(who, HQ): None for who in writers_of(phase)}, **named}


def _next_lock(campaign: Campaign) -> int:
    """The number of a campaign's next lock, from 1 for the start; it numbers the dice's seeds."""
    last = campaign.phases.exclude(lock_no=None).order_by("-lock_no").values_list("lock_no", flat=True).first()
    return (last or 0) + 1


def digest_of_sheets(sheets: Sequence[Sheet]) -> str:
    """One digest over a phase's locked sheets, by side and desk."""
    return digest(encode([(sheet.side, sheet.desk, sheet.digest) for sheet in sheets]))
