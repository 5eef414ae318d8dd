"""READY: of which desks it is in effect. Until then it can be cancelled, and only its own side sees it."""

from collections.abc import Iterable
from datetime import datetime

from django.db.models import Q

from orders.models import HQ, Sheet


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
