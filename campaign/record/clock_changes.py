"""Changes of an open phase's clock, as its players were told of them. They are read from the audit chain."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from campaign.models import AuditEntry, Phase
from campaign.secrecy import truth

CLOSE = "close phase"
"""The audit chain's name for a phase that the GM closed before its deadline, which is a GM intervention."""
_TOLD = ("extend", "hold", "resume", "outage", CLOSE)


@dataclass(frozen=True)
class ClockChange:
    """What all players were told of a deadline or a pause, and when."""

    at: datetime
    what: str


def clock_changes(campaign_id: int, no: int, rev: int) -> tuple[ClockChange, ...]:
    """The changes of a phase's clock, the newest first. They are for the campaign's members."""
    with truth.opened("AuditEntry"):
        entries = AuditEntry.objects.filter(campaign=campaign_id, act__in=_TOLD, subject__phase=no, subject__rev=rev)
        rows = list(entries.order_by("-no").values_list("at", "subject"))
    return tuple(ClockChange(at, subject["what"]) for at, subject in rows)


def closed_early(phases: Collection[Phase]) -> dict[tuple[int, int], str]:
    """Why the GM closed phases before their deadline, by number and revision of each; they are of one campaign."""
    theirs = {(phase.no, phase.rev) for phase in phases}
    with truth.opened("AuditEntry"):
        entries = AuditEntry.objects.filter(act=CLOSE, campaign__in={phase.campaign_id for phase in phases})
        subjects = list(entries.values_list("subject", flat=True))
    return {(each["phase"], each["rev"]): each["reason"] for each in subjects if (each["phase"], each["rev"]) in theirs}
