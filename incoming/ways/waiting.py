"""The lock of a phase waits for a last poll of the mailbox, but not for long."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import QuerySet

from campaign.models import Phase, PhaseState
from incoming.models import LastPoll, ReplyAddress
from incoming.ways import IMAP

PATIENCE = timedelta(seconds=20)


def waits_for_poll(phase: Phase, now: datetime) -> bool:
    """Whether the mailbox is still to be read before a phase that is due is locked. The first call asks for it.

    Called before anybody asks whether mails of the phase wait: what the poll has found is stored by then.
    """
    if settings.MAIL_IN != IMAP or not ReplyAddress.objects.filter(phase=phase).exists():
        return False
    asked, _ = LastPoll.objects.get_or_create(phase=phase, defaults=_asked(phase, now))
    if asked.deadline_rev != phase.deadline_rev:
        asked = LastPoll(pk=asked.pk, phase=phase, **_asked(phase, now))
        asked.save()
    return asked.answered_at is None and now < asked.asked_at + PATIENCE


def note_if_missed(phase: Phase, now: datetime) -> None:
    """Note that a phase is locked now although the mailbox could not be read, in the caller's transaction."""
    asked = LastPoll.objects.filter(phase=phase).first() if settings.MAIL_IN == IMAP else None
    if asked is not None and asked.answered_at is None:
        LastPoll.objects.filter(pk=asked.pk).update(missed_at=now)


def forget_poll(phase_id: int) -> None:
    """Forget what was asked for a phase that is not due, or due no longer, as when a READY was cancelled."""
    if settings.MAIL_IN == IMAP:
        LastPoll.objects.filter(phase=phase_id, phase__state=PhaseState.OPEN).delete()


def forget_other_polls(due: Sequence[int]) -> None:
    """Forget what was asked for open phases that are none of these."""
    if settings.MAIL_IN == IMAP:
        LastPoll.objects.filter(phase__state=PhaseState.OPEN).exclude(phase__in=due).delete()


def polls_asked_for() -> QuerySet[LastPoll]:
    """The polls for which locks wait. No clocks are compared: the one who asks may be another computer."""
    return LastPoll.objects.filter(phase__state=PhaseState.OPEN, answered_at=None)


def answer_polls(asked: Collection[LastPoll], now: datetime) -> None:
    """Note that these were answered, but for those that were asked for another deadline meanwhile."""
    for each in asked:
        same = polls_asked_for().filter(pk=each.pk, deadline_rev=each.deadline_rev, asked_at=each.asked_at)
        same.update(answered_at=now)


def _asked(phase: Phase, now: datetime) -> dict[str, Any]:
    missing = dict.fromkeys(("answered_at", "missed_at", "told_at"))
    return {"deadline_rev": phase.deadline_rev, "asked_at": now, **missing}
