"""Opens a phase: its row, its deadline, and its writers' earlier sheets if it reopens."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import transaction

from campaign.core.failpoints import fp
from campaign.core.isolation import run_each
from campaign.core.workers import Job, wake_workers
from campaign.engine.phases import Weight
from campaign.engine.values.ids import GM, PhaseKey
from campaign.handling import handling_of
from campaign.models import Campaign, DeadlineKind, Phase, PhaseState, Role
from campaign.record import audit
from campaign.schedule import next_deadline, schedule_of
from campaign.services import columns_of, new_phase, scenario_of, writers_of
from campaign.viewers import COMMANDING
from gm.phases.battles import open_battles
from gm.phases.gathering import counts_after
from orders.models import HQ, Draft, Sheet


def start_complete(now: datetime) -> int:
    """Start the campaigns in which each side has a commander or a bot; returns how many."""
    waiting = Phase.objects.filter(no=0, state=PhaseState.OPEN, held=True).select_related("campaign")
    return run_each("the start of phase", waiting, lambda phase: _start(phase, now))


def _start(phase: Phase, now: datetime) -> bool:
    sides = set(scenario_of(phase.campaign).rules.sides)
    commanders = phase.campaign.memberships.filter(role=Role.COMMANDER, left_at=None)
    bots = phase.campaign.bots.filter(role=Role.COMMANDER).values_list("side", flat=True)
    if not sides <= {*commanders.values_list("side", flat=True), *bots}:
        return False
    with transaction.atomic(durable=True):
        waiting = Phase.objects.filter(pk=phase.pk, state=PhaseState.OPEN, held=True)
        if not waiting.update(held=False):
            return False
        audit.record(phase.campaign, "start", {"phase": phase.no}, at=now, rows=[phase])
        fp("start.before_commit")
    return True


def open_next(phase: Phase, state: Any, ran: Sequence[PhaseKey], now: datetime) -> None:
    """Open the phase after a published one, in the publishing transaction; none when the campaign is over.

    `ran` are the phases of the published run, by their names in it.
    """
    loaded = scenario_of(phase.campaign)
    if not loaded.rules.over(state):
        columns = columns_of(loaded, state, now)
        counts = counts_after(phase, ran, weight=Weight(phase.weight), moment=columns["moment"])
        open_phase(phase.campaign, phase.no + 1, columns | {"occurrences": counts}, now)


def open_phase(campaign: Campaign, no: int, columns: dict[str, Any], now: datetime) -> Phase:
    """Open a phase, within the caller's transaction. A withdrawn number returns as the next revision."""
    before = campaign.phases.filter(no=no).order_by("-rev").first()
    line = scenario_of(campaign).rules.phase(columns["key"])
    hours = handling_of(campaign, line.weight).hours
    phase = new_phase(
        campaign,
        no=no,
        rev=before.rev + 1 if before else 0,
        deadline_at=next_deadline(schedule_of(campaign, hours=hours), now),
        deadline_kind=_kind(campaign, closes=line.closes),
        **columns,
    )
    open_battles(phase)
    subject: dict[str, str | int] = {"phase": phase.no, "rev": phase.rev}
    audit.record(campaign, "open", subject, at=now, rows=[phase, *phase.battles.all()])
    if before and before.key == phase.key:
        _offer_again(before, phase, now)
    if campaign.bots.filter(side__in=phase.acts).exists():
        wake_workers(Job.PHASE, phase.pk)
    return phase


def _kind(campaign: Campaign, *, closes: bool) -> DeadlineKind:
    if not closes:
        return DeadlineKind.NAGS
    return DeadlineKind.READY if campaign.practice else DeadlineKind.CLOSES


def _offer_again(before: Phase, phase: Phase, now: datetime) -> None:
    """Offer the sheets of the withdrawn revision as drafts to the present writers; their own drafts replace them."""
    written = before.all_sheets.exclude(author=None).order_by("version")
    newest = {(sheet.side, sheet.desk): sheet for sheet in written}
    sent = [(side, desk, user, sheet.text) for (side, desk), sheet in newest.items() for user in _writers(phase, sheet)]
    unsent = before.all_drafts.values_list("side", "desk", "author_id", "text")
    texts = {(side, desk, author): text for side, desk, author, text in (*sent, *unsent) if side in writers_of(phase)}
    Draft.objects.bulk_create(
        Draft(phase=phase, side=side, desk=desk, author_id=author, text=text, saved_at=now)
        for (side, desk, author), text in texts.items()
    )


def _writers(phase: Phase, sheet: Sheet) -> set[int]:
    """The present writers of a desk's sheet. A GM gets back what they entered for others, but not others' sheets."""
    present = phase.campaign.memberships.filter(left_at=None)
    if sheet.side == GM:
        writers = present.filter(role=Role.GM)
    elif sheet.desk == HQ:
        writers = present.filter(side=sheet.side, role__in=COMMANDING)
    else:
        writers = present.filter(all_desks__side=sheet.side, all_desks__name=sheet.desk)
    entered = present.filter(role=Role.GM, user=sheet.author_id)
    return set(writers.values_list("user_id", flat=True)) | set(entered.values_list("user_id", flat=True))
