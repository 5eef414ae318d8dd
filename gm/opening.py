"""A stop opens: its row, its deadline, and what its writers had sent for it if it opens anew."""

from datetime import datetime
from typing import Any

from campaign.cadence import next_deadline, rhythm_of
from campaign.models import Campaign, DeadlineKind, Phase
from campaign.services import columns_of, scenario_of
from gm.battles import open_battles
from gm.rows import newest_sheets
from orders.models import Draft


def open_next(phase: Phase, state: Any, now: datetime) -> None:
    """The stop after a published one, in the publishing transaction; none when the campaign is over."""
    loaded = scenario_of(phase.campaign)
    if not loaded.rules.over(state):
        open_stop(phase.campaign, phase.no + 1, columns_of(loaded, state, now), now)


def open_stop(campaign: Campaign, no: int, columns: dict[str, Any], now: datetime) -> Phase:
    """Open a stop, within the caller's transaction. A number that was withdrawn comes again as the next revision."""
    before = campaign.phases.filter(no=no).order_by("-rev").first()
    closes = scenario_of(campaign).rules.phase(columns["key"]).closes
    phase = Phase.objects.create(
        campaign=campaign,
        no=no,
        rev=before.rev + 1 if before else 0,
        deadline_at=next_deadline(rhythm_of(campaign), now),
        deadline_kind=DeadlineKind.CLOSES if closes else DeadlineKind.NAGS,
        **columns,
    )
    open_battles(phase)
    if before and before.key == phase.key:
        _offer_again(before, phase, now)
    return phase


def _offer_again(before: Phase, phase: Phase, now: datetime) -> None:
    """What was sent for the withdrawn revision, and over it what was being written, as drafts of their writers."""
    sent = [(sheet.side, sheet.desk, sheet.author_id, sheet.text) for sheet in newest_sheets(before)]
    unsent = before.drafts.values_list("side", "desk", "author_id", "text")
    texts = {
        (side, desk, author): text for side, desk, author, text in (*sent, *unsent) if author and side in phase.acts
    }
    Draft.objects.bulk_create(
        Draft(phase=phase, side=side, desk=desk, author_id=author, text=text, saved_at=now)
        for (side, desk, author), text in texts.items()
    )
