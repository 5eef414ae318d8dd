"""Mails that came in time and were found in the mailbox only after their phase had been locked, for the GM."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from campaign.engine.values.ids import GM
from campaign.models import Campaign, DeadlineKind, Phase, PhaseState
from campaign.services import title_of
from incoming.models import LastPoll, MailState, ReceivedMail
from incoming.reading import read

MOST_SHOWN = 20


@dataclass(frozen=True)
class FoundMail:
    """A mail that was found too late, as the GM reads it."""

    writer: str
    side: str
    phase: str
    received_at: datetime
    text: str
    """The orders in it, or else its words; empty once the mail was emptied."""


def was_in_time(mail: ReceivedMail) -> bool:
    """Whether a mail for a phase that is closed had come before that. A reopened phase asks for new ones."""
    phase = mail.address.phase
    if phase.locked_at is None or phase.state == PhaseState.WITHDRAWN:
        return False
    closes = phase.deadline_kind == DeadlineKind.CLOSES
    return mail.received_at < (min(phase.deadline_at, phase.locked_at) if closes else phase.locked_at)


def found_mails(campaign: Campaign) -> list[FoundMail]:
    """The mails about which the GM may still decide: of the newest phase that is locked, and of the one before it."""
    rows = _of(newest_locked(campaign)).select_related("address__member__user", "address__phase__campaign")
    return [_shown(row) for row in rows.order_by("received_at", "pk")[:MOST_SHOWN]]


def missed_phases(campaign: Campaign) -> list[Phase]:
    """Of these phases those that were locked although the mailbox could not be read."""
    missed = LastPoll.objects.filter(phase__in=newest_locked(campaign)).exclude(missed_at=None)
    return [row.phase for row in missed.select_related("phase__campaign").order_by("phase__no")]


def newest_locked(campaign: Campaign) -> list[Phase]:
    """The two phases that were locked last and are not withdrawn."""
    locked = campaign.phases.exclude(locked_at=None).exclude(state=PhaseState.WITHDRAWN)
    return list(locked.order_by("-no")[:2])


def _of(phases: list[Phase]) -> QuerySet[ReceivedMail]:
    return ReceivedMail.objects.filter(state=MailState.FOUND, address__phase__in=phases)


def _shown(row: ReceivedMail) -> FoundMail:
    reading = read(row.message, sent=row.address.template.splitlines()) if row.message else None
    return FoundMail(
        writer=row.address.member.user.username,
        side=row.address.side or GM,
        phase=f"{title_of(row.address.phase)}, {row.address.phase.moment}",
        received_at=row.received_at,
        text=((reading.orders or "").strip("\n") or reading.words) if reading else "",
    )
