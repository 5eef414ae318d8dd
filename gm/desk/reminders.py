"""Reminders: some hours before a deadline, once, to those who still owe something in the phase."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.db import transaction

from campaign.core.failpoints import fp
from campaign.core.isolation import run_each
from campaign.mail import choices
from campaign.mail.choices import When
from campaign.mail.messages import Extras, message_to, present_members, to_member
from campaign.mail.outbox import MailMessage, enqueue
from campaign.models import BattleState, DeadlineKind, MailNews, Membership, OutboxMessage, Phase, PhaseState
from campaign.selectors import knowledge
from campaign.viewers import Viewer
from gm.phases.rows import locked_row
from gm.todo import Todo, asked_desks, battles_of, todo_of, without_sheet
from incoming.addresses import reply_headers
from orders.models import HQ


def remind_due(now: datetime) -> int:
    """Remind of all deadlines that are near; returns how many messages were written."""
    open_ = Phase.objects.filter(
        state=PhaseState.OPEN, held=False, deadline_at__gt=now, campaign__reminder_hours__gt=0
    ).select_related("campaign")
    near = (phase for phase in open_ if _is_near(phase, now))
    return run_each("the reminders of phase", near, lambda phase: _remind(phase.pk) if any(_owing(phase)) else 0)


def _is_near(phase: Phase, now: datetime) -> bool:
    """Whether it is time to remind; not for a phase that opened later than that."""
    moment = phase.deadline_at - timedelta(hours=phase.campaign.reminder_hours)
    return phase.opens_at < moment <= now


def _remind(phase_id: int) -> int:
    with transaction.atomic(durable=True):
        phase = locked_row(phase_id)
        if phase.state != PhaseState.OPEN or phase.held:
            return 0
        written = sum(enqueue(message) for message in reminders(phase))
        fp("reminder.before_commit")
    return written


def reminders(phase: Phase) -> list[MailMessage]:
    """The messages to those who act in an open phase, have sent nothing, and were not reminded of this deadline."""
    nags = phase.deadline_kind == DeadlineKind.NAGS
    owing = list(_owing(phase))
    of_each_side = {member.side: member for member, _, _ in owing}
    if_missing = {side: "" if nags else _if_missing(member) for side, member in of_each_side.items()}
    replies = reply_headers(phase, [member for member, _, _ in owing])
    return [
        message_to(
            member,
            kind="reminder",
            key=_key(phase),
            context={
                "asked": todo,
                "missing": missing,
                "nags": nags,
                "if_missing": if_missing[member.side],
                "replies": bool(replies) and bool(todo.desks),
            },
            phase=phase,
            extras=Extras(gist=missing, page=todo.link, headers=replies.get(member.pk, {})),
        )
        for member, todo, missing in owing
    ]


def _owing(phase: Phase) -> Iterator[tuple[Membership, Todo, str]]:
    """Who to remind, of what, and what is missing; skips those who were reminded."""
    known = {
        key
        for table in (OutboxMessage, MailNews)
        for key in table.objects.filter(phase=phase, kind="reminder").values_list("key", flat=True)
    }
    for member in present_members(phase.campaign):
        if f"{_key(phase)}/{member.user.username}" in known or choices.chosen(member, "reminder") is When.NEVER:
            continue
        with to_member(member):
            missing = missing_of(member, phase)
        todo = todo_of(member, phase) if missing else None
        if todo is not None:
            yield member, todo, missing


def _if_missing(member: Membership) -> str:
    """What happens if the member's side submits no sheet."""
    with to_member(member):
        known = knowledge(Viewer(member.campaign, member.user, member))
        return without_sheet(known.loaded.rules, known.state, member.side)


def _key(phase: Phase) -> str:
    return f"reminder/{phase.campaign.slug}/{phase.no}.{phase.rev}/{phase.deadline_rev}"


def missing_of(member: Membership, phase: Phase) -> str:
    """What a member has not sent, in words; empty if nothing is missing, or if HQ is READY for all desks."""
    battles = _battles_missing(member, phase)
    if battles:
        return f"You have not reported or answered yet: {', '.join(battles)}."
    if member.side not in phase.acts:
        return ""
    sheets = phase.all_sheets.filter(side=member.side).order_by("version")
    sent = dict(sheets.values_list("desk", "for_side"))
    if sent.get(HQ):
        return ""
    desks = [desk.name for desk in asked_desks(member, phase.key) if desk.name not in sent]
    return f"No sheet has been submitted for: {', '.join(desks)}." if desks else ""


def _battles_missing(member: Membership, phase: Phase) -> list[str]:
    """Battles that nobody has reported, and those that the other player has."""
    waiting = (BattleState.OPEN, BattleState.REPORTED)
    fought = battles_of(member, phase)
    return [battle.key for battle in fought if battle.state in waiting and battle.reported_by != member.side]
