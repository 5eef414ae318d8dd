"""The lock of a phase waits for a last poll of the mailbox, but not for long."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings

from campaign.models import Phase, PhaseState
from incoming.models import LastPoll, Mailbox, ReplyAddress
from incoming.ways import IMAP
from incoming.ways.mailbox_url import source

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
    return not _is_read_since(asked.asked_at) and now < asked.asked_at + PATIENCE


def note_if_missed(phase: Phase, now: datetime) -> None:
    """Note that a phase is locked now although the mailbox could not be read, in the caller's transaction."""
    asked = LastPoll.objects.filter(phase=phase).first() if settings.MAIL_IN == IMAP else None
    if asked is not None and not _is_read_since(asked.asked_at):
        LastPoll.objects.filter(pk=asked.pk).update(missed_at=now)


def forget_poll(phase_id: int) -> None:
    """Forget what was asked for a phase that is not due, or due no longer, as when a READY was cancelled."""
    if settings.MAIL_IN == IMAP:
        LastPoll.objects.filter(phase=phase_id, phase__state=PhaseState.OPEN).delete()


def forget_other_polls(due: Sequence[int]) -> None:
    """Forget what was asked for open phases that are none of these."""
    if settings.MAIL_IN == IMAP:
        LastPoll.objects.filter(phase__state=PhaseState.OPEN).exclude(phase__in=due).delete()


def _asked(phase: Phase, now: datetime) -> dict[str, Any]:
    return {"deadline_rev": phase.deadline_rev, "asked_at": now, "missed_at": None, "told_at": None}


def _is_read_since(asked_at: datetime) -> bool:
    try:
        name = source().name
    except ValueError:  # the settings name no mailbox: nothing reads it, and `manage.py check` says why
        return False
    return Mailbox.objects.filter(name=name, read_at__gte=asked_at).exists()
