"""Practice campaigns have no game master: failed phases are retried, and campaigns that nobody plays are removed."""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from campaign.core.isolation import run_each
from campaign.models import AuditEntry, Campaign, Membership, Phase, PhaseState
from campaign.people.practice import IDLE
from gm.phases.lifecycle import retry
from orders.models import Draft, LockedSheet, Sheet

RETRY_AFTER = timedelta(days=1)
"""How long a practice campaign's failed phase waits before it is tried again, as there is no GM who retries it."""


def retry_practices(now: datetime) -> int:
    """Retry the phases of practice campaigns that failed a day ago or earlier; returns how many."""
    lately = AuditEntry.objects.filter(campaign=OuterRef("campaign"), act="fail", at__gt=now - RETRY_AFTER)
    failed = Phase.objects.filter(~Exists(lately), campaign__practice=True, state=PhaseState.FAILED)
    return run_each("the practice phase", failed.order_by("pk").values_list("pk", flat=True), retry)


def forget_practices(now: datetime) -> int:
    """Remove the practice campaigns that everybody has left, and those in which nothing was done for long."""
    return run_each("the practice campaign", list(_idle(now).order_by("pk")), lambda each: _forget(each, now))


def _idle(now: datetime) -> QuerySet[Campaign]:
    here, in_phase, since = {"campaign": OuterRef("pk")}, {"phase__campaign": OuterRef("pk")}, now - IDLE
    played = Exists(Membership.objects.filter(**here, left_at=None))
    in_use = (
        Exists(Phase.objects.filter(**here, opens_at__gt=since))
        | Exists(Draft.objects.filter(**in_phase, saved_at__gt=since))
        | Exists(Sheet.objects.filter(**in_phase, author__isnull=False, received_at__gt=since))
    )
    return Campaign.objects.filter(practice=True).exclude(played & in_use)


def _forget(campaign: Campaign, now: datetime) -> bool:
    """Remove an idle campaign, unless somebody has acted in it since it was found."""
    with transaction.atomic():
        _lock(campaign)
        if not _idle(now).filter(pk=campaign.pk).exists():
            return False
        LockedSheet.objects.filter(phase__campaign=campaign).delete()
        campaign.delete()
    return True


def _lock(campaign: Campaign) -> None:
    """Let nobody act in a campaign until the transaction ends; first its phases, then its row, if it is still there."""
    for rows in (Phase.objects.filter(campaign=campaign), Campaign.objects.filter(pk=campaign.pk)):
        list(rows.select_for_update().order_by("pk").values_list("pk"))
