"""The GM looks through a side's eyes: he may, and the audit says that he did."""

from django.db import transaction

from campaign.core import clock
from campaign.core.failpoints import fp
from campaign.models import PhaseState
from campaign.people.memberships import lock
from campaign.record import audit
from campaign.viewers import Viewer

ACT = "view as"


def note_view_as(viewer: Viewer, no: int, audience: str) -> None:
    """Write into the audit that a GM looks at what an audience has of a stop; once, however often he looks.

    A draft is his to review before anybody has it: that is no look through a side's eyes.
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
