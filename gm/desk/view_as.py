"""The GM views a phase as a side: they may, and the audit records it."""

from django.db import transaction

from campaign.core import clock
from campaign.core.failpoints import fp
from campaign.models import PhaseState
from campaign.people.memberships import lock
from campaign.record import audit
from campaign.viewers import Viewer

ACT = "view as"


def note_view_as(viewer: Viewer, no: int, audience: str) -> None:
    """Record in the audit that a GM views a phase as an audience; once, however often they do.

    A draft is theirs to review before anybody has it, so that is not recorded.
    """
    if viewer.campaign.phases.filter(no=no, state=PhaseState.REVIEW).exists():
        return
    subject: dict[str, str | int] = {"phase": no, "audience": audience, "by": viewer.person.pk}
    noted = viewer.campaign.audit.filter(act=ACT, subject=subject)
    if noted.exists():
        return
    with transaction.atomic(durable=True):
        lock(viewer.campaign)
        if not noted.exists():
            audit.record(viewer.campaign, ACT, subject, at=clock.now())
        fp("look.before_commit")
