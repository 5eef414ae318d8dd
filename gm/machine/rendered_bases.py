"""The sheets under all maps of a campaign, drawn before anybody asks for them.

Whoever asked first would wait for seconds, and keep others waiting; and who is answered at once would know that
somebody had asked before him. What is left of that are some hundredths of a second, for stamps that the maps of others
have left in memory.
"""

import logging
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import TypeVar

from django.db.models import Q

from campaign.engine.views import BaseMap
from campaign.maps.drawing.disk_cache import DISK_CACHE
from campaign.maps.drawing.sizes import BOARD, FORUM, FULL, REPLAY, THUMBNAIL
from campaign.maps.painter import draw_ahead
from campaign.maps.style.schemes import SCHEMES, Scheme
from campaign.maps.vector import has_board
from campaign.models import Campaign, DeadlineKind, Phase, PhaseState
from campaign.services import base_map_of
from gm.machine.health_alerts import LATE_LOCK

log = logging.getLogger(__name__)

T = TypeVar("T")

UNUSED = timedelta(days=30)
"""Sheets that nobody has used for so long are deleted, those of older editions among them."""
LOOK_AGAIN = timedelta(days=1)
AT_HAND = timedelta(seconds=15)
"""So long before a deadline nothing is begun that takes seconds."""

_LOOKED: dict[str, datetime] = {}
"""When this process found of a scenario, by its digest, that there is nothing more to draw."""
_FAILED: dict[tuple[str, int, str], datetime] = {}
"""When this process could not draw a sheet, by its scenario's digest, its width and its scheme."""


def draw_one(now: datetime) -> int:
    """Draw one sheet that readers of a campaign in play may ask for and that is not there; returns how many it tried.

    One at a time, and none when a stop is being worked on or soon will be. One that cannot be drawn or kept is told,
    and tried another day; the calls until then try those after it. Any number of workers may call it.
    """
    if DISK_CACHE.folder is None or _a_stop_is_near(now):
        return 0
    _forget(_LOOKED, now)
    _forget(_FAILED, now)
    for campaign in _in_play():
        if campaign.scenario_digest in _LOOKED:
            continue
        with DISK_CACHE.alone() as alone:
            if not alone:
                return 0
            if _try_first_missing(campaign, now):
                return 1
        _LOOKED[campaign.scenario_digest] = now
    return 0


def forget_unused(now: datetime) -> int:
    """Delete sheets that nobody uses any more; returns how many files."""
    return DISK_CACHE.forget(now - UNUSED)


def _forget(known: dict[T, datetime], now: datetime) -> None:
    """Forget what is to be looked at again."""
    for each in [each for each, at in known.items() if now - at >= LOOK_AGAIN]:
        del known[each]


def _try_first_missing(campaign: Campaign, now: datetime) -> bool:
    """Whether one was missing that had not failed before. It is there now, or has failed, which is told."""
    try:
        base = base_map_of(campaign)
    except Exception:
        log.exception("campaign %s has no map that sheets could be drawn ahead for", campaign.pk)
        return False
    for width, colours in wanted(base):
        sheet = (campaign.scenario_digest, width, colours.name)
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
    """Every sheet that a reader may ask for: width and scheme, those first that most will ask for."""
    widths = (FORUM, THUMBNAIL, BOARD, REPLAY, FULL) if has_board(base) else (FORUM, THUMBNAIL, REPLAY, FULL)
    for colours in SCHEMES.values():
        for width in widths:
            yield width, colours


def _in_play() -> Iterator[Campaign]:
    """A campaign of each scenario that is played now."""
    over = (PhaseState.PUBLISHED, PhaseState.WITHDRAWN)
    played = Campaign.objects.filter(pk__in=Phase.objects.exclude(state__in=over).values("campaign"))
    by_scenario = {campaign.scenario_digest: campaign for campaign in played.order_by("-pk")}
    yield from by_scenario.values()


def _a_stop_is_near(now: datetime) -> bool:
    """Whether a stop waits for a worker, or for one that has died, or closes in a moment, or should have closed.

    One that should have closed long ago is waited for no more: something is wrong with it, and with no other.
    """
    at_work = Q(state__in=(PhaseState.LOCKED, PhaseState.RUNNING))
    closes = Q(state=PhaseState.OPEN, held=False, deadline_kind=DeadlineKind.CLOSES)
    due = closes & Q(deadline_at__gte=now - LATE_LOCK, deadline_at__lte=now + AT_HAND)
    return Phase.objects.filter(at_work | due).exists()
