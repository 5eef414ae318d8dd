"""The base pictures under all maps of a campaign, drawn before anybody asks for them.

Without this the first reader would wait for seconds and delay others, and a fast answer would show a reader that
somebody had asked before. Some hundredths of a second remain, for stamps that the maps of others have left in
memory.
"""

import logging
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import TypeVar

from django.db.models import Q

from campaign.engine.display.views import BaseMap
from campaign.maps.drawing.disk_cache import DISK_CACHE
from campaign.maps.drawing.sizes import BOARD, FORUM, FULL, REPLAY, THUMBNAIL
from campaign.maps.painter import draw_ahead
from campaign.maps.style.schemes import SCHEMES, Scheme
from campaign.maps.vector import has_board
from campaign.models import Campaign, DeadlineKind, Phase, PhaseState
from campaign.services import base_map_of, shared_digest
from gm.machine.health_alerts import LATE_LOCK

log = logging.getLogger(__name__)

T = TypeVar("T")

UNUSED = timedelta(days=30)
"""Base pictures that nobody has used for this long are deleted, also those of older editions."""
LOOK_AGAIN = timedelta(days=1)
AT_HAND = timedelta(seconds=15)
"""The time before a deadline in which no slow work begins."""

_LOOKED: dict[str, datetime] = {}
"""When this process last found nothing to draw for a scenario, by its digest without an entered position."""
_FAILED: dict[tuple[str, int, str], datetime] = {}
"""When this process failed to draw a base picture, by the same digest, width and scheme."""


def draw_one(now: datetime) -> int:
    """Draw one missing base picture that readers of a campaign in play may ask for; returns how many it tried.

    It draws one at a time, and none while a phase is being resolved or soon will be. A picture that cannot be drawn
    or stored is logged and tried another day; until then calls try the next ones. Any number of workers may call it.
    """
    if DISK_CACHE.folder is None or a_phase_is_near(now):
        return 0
    _forget(_LOOKED, now)
    _forget(_FAILED, now)
    for scenario, campaign in _in_play().items():
        if scenario in _LOOKED:
            continue
        with DISK_CACHE.alone() as alone:
            if not alone:
                return 0
            if _try_first_missing(scenario, campaign, now):
                return 1
        _LOOKED[scenario] = now
    return 0


def forget_unused(now: datetime) -> int:
    """Delete base pictures that nobody uses; returns how many files."""
    return DISK_CACHE.forget(now - UNUSED)


def _forget(known: dict[T, datetime], now: datetime) -> None:
    """Forget entries that are due for another look."""
    for each in [each for each, at in known.items() if now - at >= LOOK_AGAIN]:
        del known[each]


def _try_first_missing(scenario: str, campaign: Campaign, now: datetime) -> bool:
    """Whether a base picture was missing that had not failed before. It exists now, or its failure is logged."""
    try:
        base = base_map_of(campaign)
    except Exception:
        log.exception("campaign %s has no map that sheets could be drawn ahead for", campaign.pk)
        return False
    for width, colours in wanted(base):
        sheet = (scenario, width, colours.name)
        if sheet in _FAILED:
            continue
        try:
            if draw_ahead(base, width, colours):
                return True
        except Exception:
            what = f"the {colours.name} sheet of {width} pixels of campaign {campaign.pk}"
            log.exception("%s cannot be drawn ahead; readers will wait for it", what)
            _FAILED[sheet] = now
            return True
    return False


def wanted(base: BaseMap) -> Iterator[tuple[int, Scheme]]:
    """Every base picture that a reader may ask for: width and scheme, the most common first."""
    widths = (FORUM, THUMBNAIL, BOARD, REPLAY, FULL) if has_board(base) else (FORUM, THUMBNAIL, REPLAY, FULL)
    for colours in SCHEMES.values():
        for width in widths:
            yield width, colours


def _in_play() -> dict[str, Campaign]:
    """One campaign of each scenario in play, by the scenario's digest without an entered position."""
    over = (PhaseState.PUBLISHED, PhaseState.WITHDRAWN)
    played = Campaign.objects.filter(pk__in=Phase.objects.exclude(state__in=over).values("campaign"))
    return {shared_digest(campaign): campaign for campaign in played.order_by("-pk")}


def a_phase_is_near(now: datetime) -> bool:
    """Whether a phase waits for a worker, or for one that died, or closes in a moment, or should have closed.

    A phase that should have closed long ago does not count: something is wrong with it alone.
    """
    at_work = Q(state__in=(PhaseState.LOCKED, PhaseState.RUNNING))
    closes = Q(state=PhaseState.OPEN, held=False, deadline_kind=DeadlineKind.CLOSES)
    due = closes & Q(deadline_at__gte=now - LATE_LOCK, deadline_at__lte=now + AT_HAND)
    return Phase.objects.filter(at_work | due).exists()
