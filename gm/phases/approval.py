"""Time to think again: the GM's publishing takes effect after a while, and can be cancelled until then.

An approval is a row with a time that the sweeper reads. Nothing else happens before: publication is one transaction of
its own, so a machine that dies between the two loses nothing. An approved draft cannot be changed, so that none is
published that its GM has not seen. What publishes without review does not wait.
"""

from datetime import datetime, timedelta

from django.db import transaction

from campaign.core import clock
from campaign.core.failpoints import fp
from campaign.core.isolation import run_each
from campaign.models import Phase, PhaseState, User
from campaign.record import audit
from campaign.services import takes_effect
from gm.models import Approval
from gm.phases.lifecycle import approve
from gm.phases.rows import is_approved, locked_row, may_change


def waiting(phase: Phase) -> Approval | None:
    """The approval with which a draft waits for its publication; None if there is none."""
    if phase.state != PhaseState.REVIEW:
        return None
    return Approval.objects.filter(phase=phase, cancelled_at=None).select_related("author").first()


def give(phase_id: int, *, fence: int, author: User) -> bool:
    """Approve the draft that the GM has seen: it is published after the campaign's time to think again.

    Where that is none, at once. False if the draft has been re-run since, or is approved already.
    """
    with transaction.atomic(durable=True):
        phase = locked_row(phase_id)
        now = clock.now()
        if not may_change(phase, fence=fence):
            return False
        at = takes_effect(phase.campaign, now)
        if at is not None:
            columns = {"fence": fence, "author": author, "given_at": now, "publishes_at": at, "cancelled_at": None}
            given, _ = Approval.objects.update_or_create(phase=phase, defaults=columns)
            subject: dict[str, str | int] = {"phase": phase.no, "rev": phase.rev, "by": author.pk}
            audit.record(phase.campaign, "approve", subject, at=now, rows=[given])
            fp("approve.before_commit")
    if at is not None:
        fp("approve.after_commit")
        return True
    return approve(phase_id, fence=fence)


def cancel(phase_id: int, *, fence: int, author: User) -> bool:
    """Cancel the publication of an approved draft; False if it is published, or was cancelled already."""
    with transaction.atomic(durable=True):
        phase = locked_row(phase_id)
        now = clock.now()
        given = waiting(phase)
        if given is None or given.fence != fence:
            return False
        given.cancelled_at = now
        given.save(update_fields=["cancelled_at"])
        subject: dict[str, str | int] = {"phase": phase.no, "rev": phase.rev, "by": author.pk}
        audit.record(phase.campaign, "cancel publishing", subject, at=now, rows=[given])
        fp("approve.before_commit")
    return True


def publishes_unattended_at(phase: Phase) -> datetime | None:
    """When a draft publishes itself if nothing is flagged; None if it waits for the GM, or for its approved time.

    A GM who has cancelled its publication was there, so the hours begin again.
    """
    hours = phase.campaign.absent_hours
    if hours is None or phase.drafted_at is None or is_approved(phase):
        return None
    cancelled = Approval.objects.filter(phase=phase).values_list("cancelled_at", flat=True).first()
    return max(phase.drafted_at, cancelled or phase.drafted_at) + timedelta(hours=hours)


def publish_approved(now: datetime) -> int:
    """Publish the approved drafts whose time has come; returns how many."""
    due = Approval.objects.filter(phase__state=PhaseState.REVIEW, cancelled_at=None, publishes_at__lte=now)
    phases = due.order_by("publishes_at", "pk").values_list("phase", "fence")
    return run_each("the approved draft of phase", list(phases), lambda found: _publish(*found))


def _publish(phase_id: int, fence: int) -> bool:
    def still(phase: Phase) -> bool:
        given = waiting(phase)
        return given is not None and given.publishes_at <= clock.now()

    fp("approve.due")
    return approve(phase_id, fence=fence, still=still)
