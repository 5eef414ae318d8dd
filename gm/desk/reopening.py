"""Reopening: the phase published last is withdrawn, and everybody submits new orders for it.

It is a GM intervention: reports, dice logs, the Dice page and the history name it with its reason, for everybody.
Dice that were published stay as they fell (see `campaign.engine.dice`).
"""

from datetime import datetime

from django.db import transaction

from campaign.core import clock
from campaign.core.failpoints import fp
from campaign.core.workers import Job, wake_workers
from campaign.mail import delivery
from campaign.mail.messages import Extras, message_to, present_members
from campaign.mail.outbox import enqueue
from campaign.mail.secret_addresses import takes_mail
from campaign.models import Campaign, Phase, PhaseState
from campaign.record import audit
from campaign.record.reopenings import REOPEN
from campaign.services import title_of
from campaign.viewers import Viewer
from gm.desk.deadlines import Refused, moment
from gm.phases.opening import open_phase
from gm.phases.rows import open_row
from gm.todo import todo_of
from incoming.addresses import reply_headers
from posting.writing import withdraw_posts


def reopen(viewer: Viewer, *, reason: str) -> Phase:
    """Reopen the phase published last; its publication is withdrawn, and its dice stay as they fell.

    Refused once the next phase is locked: the GM fixes an older mistake by a ruling in the present phase.
    """
    campaign, reason = viewer.campaign, " ".join(reason.split())
    with transaction.atomic(durable=True):
        following = open_row(campaign)
        now = clock.now()
        if following is None:
            raise Refused(
                "No phase is open, so none can be reopened. Correct the mistake with a GM ruling in the current phase."
            )
        published = _newest_published(campaign, following)
        withdraw(following, PhaseState.OPEN)
        withdraw(published, PhaseState.PUBLISHED)
        fp("reopen.mid")
        phase = open_phase(campaign, published.no, _columns_of(published, now), now)
        by = viewer.person.username
        subject: dict[str, str | int] = {"phase": phase.no, "rev": phase.rev, "reason": reason, "by": by}
        audit.record(campaign, REOPEN, subject, at=now, rows=[following, published])
        _notify(phase, reason, now)
        wake_workers(Job.MAIL, phase.pk)
        fp("reopen.before_commit")
    return phase


def _newest_published(campaign: Campaign, following: Phase) -> Phase:
    published = campaign.phases.filter(state=PhaseState.PUBLISHED).order_by("-no").first()
    if published is None or published.no != following.no - 1:
        raise Refused("There is no published phase before the open one.")
    if not published.acts:
        raise Refused("Nobody gives orders at the start of the campaign. To start over, create a new campaign.")
    return published


def withdraw(phase: Phase, state: PhaseState) -> None:
    """Withdraw a phase in this state, within the caller's transaction; Refused if the state has changed."""
    if not Phase.objects.filter(pk=phase.pk, state=state).update(state=PhaseState.WITHDRAWN):
        raise Refused("Someone else changed the phase after you opened the page. Check it and try again.")
    delivery.withdraw(phase)
    withdraw_posts(phase, now=clock.now())


def _columns_of(published: Phase, now: datetime) -> dict[str, object]:
    """The same state in the same phase; its version stays the one it was written in."""
    kept = {column: getattr(published, column) for column in _KEPT}
    return {**kept, "state_before": published.start.state_before, "opens_at": now}


_KEPT = ("key", "occurrences", "acts", "moment", "day", "state_version")


def _notify(phase: Phase, reason: str, now: datetime) -> None:
    """Tell all players and GMs, also those who have nothing to submit: what they received is void."""
    what = (
        f"“{title_of(phase)}” of {phase.moment} is open again: {reason}. Its maps and reports are withdrawn,"
        f" and so is the phase after it. Submitted sheets are drafts again, and what was rolled stays as it fell."
        f" The deadline is {moment(phase.deadline_at)}."
    )
    key = f"reopen/{phase.campaign.slug}/{phase.no}.{phase.rev}"
    context = {"what": what, "now": now, "deadline_at": phase.deadline_at}
    members = list(present_members(phase.campaign))
    asked = [member for member in members if takes_mail() and todo_of(member, phase)]
    replies = reply_headers(phase, asked)
    for member in members:
        extras = Extras(template="notice", headers=replies.get(member.pk, {}))
        told = {**context, "replies": member.pk in replies}
        enqueue(message_to(member, kind="reopen", key=key, context=told, phase=phase, extras=extras))
