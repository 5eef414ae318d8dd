"""Closing a campaign: the game master ends it, and all its dice are open to everybody from then on.

No campaign closes automatically, however its last phase ends: revealed dice can never be hidden again, and another
campaign may be played from the same position.
"""

from datetime import datetime

from django.db import transaction

from campaign.core import clock
from campaign.core.failpoints import fp
from campaign.core.workers import Job, wake_workers
from campaign.mail.messages import Extras, link, message_to, present_members
from campaign.models import Closing, Phase, PhaseState
from campaign.people import memberships
from campaign.record import audit
from campaign.viewers import Viewer
from gm.desk.deadlines import Refused
from gm.desk.reopening import withdraw
from gm.mail import enqueue_all
from gm.phases.rows import open_row


def close(viewer: Viewer) -> None:
    """Close a campaign for good, and tell everybody; an open phase is withdrawn.

    Refused while a phase is locked and not published, before anything is published, and if the campaign is closed.
    """
    campaign = viewer.campaign
    with transaction.atomic(durable=True):
        open_ = open_row(campaign)
        memberships.lock(campaign)
        now = clock.now()
        if open_ is not None:
            withdraw(open_, PhaseState.OPEN)
        if campaign.phases.exclude(state__in=[PhaseState.PUBLISHED, PhaseState.WITHDRAWN]).exists():
            raise Refused("A phase is locked but not published. Publish it first, so that its rolls are in the logs.")
        last = campaign.phases.filter(state=PhaseState.PUBLISHED).order_by("-no").first()
        if last is None:
            raise Refused("Nothing has been published yet, so there is nothing to reveal.")
        closing, first = Closing.objects.get_or_create(campaign=campaign, defaults={"author": viewer.person, "at": now})
        if not first:
            raise Refused("The campaign is already closed.")
        withdrawn = [open_] if open_ is not None else []
        audit.record(campaign, "close", {"by": viewer.person.pk}, at=now, rows=[closing, *withdrawn])
        _notify(last, now)
        wake_workers(Job.MAIL, last.pk)
        fp("close.before_commit")


def _notify(last: Phase, now: datetime) -> None:
    what = (
        "The game master has closed the campaign. There are no orders left to give, and everyone can now read all"
        f" its dice: every log, every seed and the master seed. You can check them here:"
        f" {link('dice', last.campaign.slug)}"
    )
    if last.campaign.opens_statistics:
        what += f" The true figures of all sides, day by day, are here: {link('statistics', last.campaign.slug)}"
    key, context = f"close/{last.campaign.slug}", {"what": what, "now": now}
    enqueue_all(
        message_to(member, kind="close", key=key, context=context, phase=last, extras=Extras(template="notice"))
        for member in present_members(last.campaign)
    )
