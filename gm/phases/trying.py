"""Rulings tried on a draft: what they would change, before they are applied. Every try is on the record.

A try rolls nothing: its dice are those that fall if the same rulings are applied.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from campaign.core import clock
from campaign.core.failpoints import fp
from campaign.engine.display.views import View
from campaign.engine.errors import EngineError
from campaign.engine.facts import Event, Rolled
from campaign.engine.phases import Ruling as Correction
from campaign.engine.values.ids import GM, PhaseKey
from campaign.maps.differences import Differences
from campaign.models import Phase, User
from campaign.record import audit
from gm.models import TriedRuling
from gm.phases.adjudication import outlook
from gm.phases.comparing import compared, views_of_draft
from gm.phases.lifecycle import RulingRefused
from gm.phases.rolls import dice_in
from gm.phases.rows import events_of, locked_row, may_change


@dataclass(frozen=True)
class Tried:
    """What rulings would lead to."""

    digest: str
    """Of the result, as the phase would have it."""
    view: View
    """The GM's, of the result."""
    differences: tuple[Differences, ...]
    dice: int
    """The number of dice in it that the draft does not have."""


def try_rulings(
    phase: Phase, *, fence: int, at: str, facts: Sequence[tuple[str, Any]], reason: str, author: User
) -> Tried | None:
    """Try rulings on the draft that the GM has seen, and put the try on record; changes nothing else.

    `facts` are the rulings, each with the GM's own text. The reason is part of the result. RulingRefused if the phase
    cannot be resolved with them. None if the draft is not the newest.
    """
    try:
        result = outlook(phase.pk, more=[Correction(PhaseKey(at), fact, reason) for _, fact in facts])
    except EngineError as error:
        raise RulingRefused(str(error)) from error
    dice = _dice(result.events) - _dice(events_of(phase))
    tried = Tried(
        digest=result.digest,
        view=next(view for view in result.views if view.audience == GM),
        differences=compared(phase, views_of_draft(phase), result.views),
        dice=len(dice),
    )
    columns = {"stage": at, "written": "\n".join(text for text, _ in facts), "author": author}
    return tried if _record(phase.pk, fence, tried, columns) else None


def _dice(events: Sequence[Event[Any]]) -> set[tuple[str, str, int]]:
    """The dice among these events, but for those that were entered by hand."""
    return set(dice_in(event for event in events if isinstance(event.fact, Rolled) and not event.fact.by_hand))


def _record(phase_id: int, fence: int, tried: Tried, columns: Mapping[str, Any]) -> bool:
    with transaction.atomic(durable=True):
        phase = locked_row(phase_id)
        now = clock.now()
        if not may_change(phase, fence=fence):
            return False
        row = TriedRuling.objects.create(
            phase=phase,
            seq=phase.tried_rulings.count() + 1,
            dice=tried.dice,
            digest=tried.digest,
            at=now,
            **columns,
        )
        subject: dict[str, str | int] = {"phase": phase.no, "rev": phase.rev, "seq": row.seq, "dice": tried.dice}
        audit.record(phase.campaign, "try", subject, at=now, rows=[row])
        fp("ruling.before_commit")
    return True
