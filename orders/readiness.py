"""READY: of which desks it is in effect, and which desks have nothing to decide, so that nobody waits for theirs.

Until a READY is in effect it can be cancelled, and only its own side sees it. Whether a desk has something to decide
follows from what its side knew when the phase opened, and only that side and the GM see it. HQ always has: if a phase
closed without its READY, the enemy would learn that a side has nothing to decide.
"""

import logging
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Q

from campaign.engine.choices import Draft
from campaign.engine.orders.order import Hold
from campaign.engine.ruleset import Ruleset
from campaign.engine.sheets import DeskSheet
from campaign.engine.values.ids import PhaseKey, SideId, UnitId
from campaign.models import Campaign, Desk
from campaign.secrecy.memory import Key, KeyedMemory
from campaign.selectors import Knowledge, PhaseInfo, knowledge, newest_phase
from campaign.viewers import Viewer, commander_of
from orders.choices import draft_for
from orders.models import HQ, Sheet

log = logging.getLogger(__name__)


def in_effect(now: datetime) -> Q:
    """A filter for the sheets whose READY is in effect."""
    return Q(ready=True) & (Q(ready_at=None) | Q(ready_at__lte=now))


def is_in_effect(sheet: Sheet, now: datetime) -> bool:
    """Whether the READY of a sheet is in effect."""
    return sheet.ready and (sheet.ready_at is None or sheet.ready_at <= now)


def unready(desks: Iterable[tuple[str, str]], ready: Iterable[Sheet]) -> set[tuple[str, str]]:
    """Those of these desks, by side and name, that are not READY; `ready` are the newest sheets that are.

    HQ may be READY for its whole side.
    """
    sheets = list(ready)
    by_desk = {(sheet.side, sheet.desk) for sheet in sheets}
    whole = {sheet.side for sheet in sheets if sheet.desk == HQ and sheet.for_side}
    return {desk for desk in desks if desk not in by_desk and desk[0] not in whole}


# --- desks with nothing to decide ------------------------------------------------------------------------------------


class StaffDesk(NamedTuple):
    """A desk other than HQ, with the names of its formations."""

    name: str
    formations: Sequence[str]


def idle_desks(
    viewer: Viewer, phase: PhaseKey, desks: Iterable[StaffDesk | Desk], *, after: PhaseInfo | None = None
) -> frozenset[str]:
    """Which of some staff desks of the viewer's side have nothing to decide in the open phase, by name.

    `after`: the phase published last, if the caller has it.
    """
    named = tuple(sorted((desk.name, tuple(desk.formations)) for desk in desks))
    before = (after or newest_phase(viewer)) if named else None
    if before is None:
        return frozenset()
    key = Key(viewer.audience, viewer.campaign, before)
    return _IDLE.get(key, (phase, named), lambda: _found(viewer, phase, named, after=before.no))


def idle_of_all(campaign: Campaign, phase: PhaseKey, desks: Iterable[Desk]) -> set[tuple[str, str]]:
    """Which of some desks of all sides have nothing to decide in an open phase, by side and name."""
    of_sides: dict[str, list[Desk]] = defaultdict(list)
    for desk in desks:
        of_sides[desk.side].append(desk)
    return {
        (side, name) for side, own in of_sides.items() for name in idle_desks(commander_of(campaign, side), phase, own)
    }


_IDLE: KeyedMemory[frozenset[str]] = KeyedMemory(200_000, lambda names: 300 + sum(map(len, names)))


def _found(
    viewer: Viewer, phase: PhaseKey, desks: Sequence[tuple[str, Sequence[str]]], *, after: int
) -> frozenset[str]:
    """The idle ones of some desks after a published phase; none if another was published since, or if that fails."""
    known = knowledge(viewer)
    try:
        return _idle(known, phase, SideId(viewer.audience), desks) if known.after == after else frozenset()
    except Exception:  # whatever the error, it is the ruleset's, and the phase waits
        log.exception("what the desks of %s decide in %s could not be found out", viewer.audience, phase)
        return frozenset()


def _idle(
    known: Knowledge, phase: PhaseKey, side: SideId, desks: Sequence[tuple[str, Sequence[str]]]
) -> frozenset[str]:
    """Those of a side's desks that can write no order that decides anything.

    A desk decides nothing by leaving a unit where it is, or by asking for a part of what the side has for all desks.
    """
    sheets = [DeskSheet(""), *(DeskSheet("", name, tuple(formations)) for name, formations in desks)]
    draft = draft_for(known, phase, sheets, side=side)
    if draft is None:
        return frozenset()
    draft = draft.without([kind for kind in draft.phase.orders if kind is Hold or kind.of_the_side or kind.shared_out])
    own, rules = draft.sheet.desks.units, known.loaded.rules
    return frozenset(name for name, _ in desks if not _decides(rules, replace(draft, desk=name), own[name]))


def _decides(rules: Ruleset[Any, Any], draft: Draft[Any, Any], units: Iterable[UnitId]) -> bool:
    """Whether any order may come next on the sheet of the draft's desk, which has these units."""
    if any(rules.candidates(draft, None)):
        return True
    return any(any(rules.candidates(draft, unit)) or any(rules.ways(draft, unit)) for unit in units)
