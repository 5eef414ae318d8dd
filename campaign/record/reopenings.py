"""Reopenings: GM interventions that reports, dice logs, the Dice page and the history name with the reason.

They are read from the audit chain. That a phase was reopened is public, and so is the reason: its GM was told that
everybody can read it. The reasons that GMs gave in an older release were for the players alone, who have them by mail.
"""

from dataclasses import dataclass

from campaign.models import Campaign, Phase
from campaign.secrecy import truth

REOPEN = "reopen"
"""The audit chain's name for a reopening."""
TOLD_BY_MAIL = "the reason was told to the players"
"""Replaces a reason that was given in an older release."""


@dataclass(frozen=True)
class Reopening:
    """A published phase was withdrawn, and opened again for new orders."""

    phase: Phase
    """The revision that was opened; without its other tables."""
    reason: str
    by: str
    """Name of the GM; empty if an older release did not note it."""
    withdrawn: int
    """The number of the withdrawn lock."""
    lock: int | None
    """The number of the first lock after it; None until there is one."""


def reopenings(campaign: Campaign) -> tuple[Reopening, ...]:
    """All reopenings of a campaign, the oldest first."""
    with truth.opened("AuditEntry"):
        acts = list(campaign.audit.filter(act=REOPEN).order_by("-no").values_list("subject", flat=True))
    rows = campaign.phases.filter(no__in={act["phase"] for act in acts}) if acts else ()
    phases = {(phase.no, phase.rev): phase for phase in rows}
    found: list[Reopening] = []
    lock: int | None = None
    for act in acts:  # a phase that was withdrawn again while it was open leads to the lock of the next reopening
        no, rev = act["phase"], act["rev"]
        lock = phases[no, rev].lock_no or lock
        withdrawn = phases[no, rev - 1].lock_no or 0
        by = act.get("by", "")
        found.append(Reopening(phases[no, rev], act["reason"] if by else TOLD_BY_MAIL, by, withdrawn, lock))
    return tuple(reversed(found))


def until(phase: Phase) -> tuple[Reopening, ...]:
    """The reopenings before a phase's lock."""
    last = phase.lock_no or 0
    return tuple(each for each in reopenings(phase.campaign) if each.lock is not None and each.lock <= last)


def named_with(phase: Phase) -> tuple[Reopening, ...]:
    """Those that a phase's report names: all of its number so far, and all that led to its lock."""
    return tuple(each for each in until(phase) if each.phase.no == phase.no or each.lock == phase.lock_no)
