"""A constant observer of the database: is anything half published, and who resolves what?"""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from django.db import OperationalError, connection

from campaign.engine.phases import Weight
from campaign.links import PICTURES
from campaign.models import PhaseState
from tests.faults.checks.records import Record

EVERY = 0.03
"""Seconds between looks."""

KINDS = 11
"""Artefacts of a phase for an audience besides pictures: player's state, View, what became of its lines, the chart in 3
forms, the report in 4 and as a document."""

_LOOK = f"""
SELECT p.id, p.state, p.fence, p.claimed_by, p.weight,
       (SELECT COUNT(*) FROM campaign_artefact a WHERE a.phase_id = p.id AND a.kind NOT IN {PICTURES}),
       (SELECT COUNT(*) FROM campaign_artefact a WHERE a.phase_id = p.id AND a.kind IN {PICTURES}),
       (SELECT COUNT(*) FROM campaign_resolution r WHERE r.phase_id = p.id),
       (SELECT COUNT(*) FROM campaign_outboxmessage o WHERE o.phase_id = p.id AND o.kind IN ('opened', 'report'))
       + (SELECT COUNT(*) FROM campaign_mailnews m WHERE m.phase_id = p.id AND m.kind IN ('opened', 'report')),
       (SELECT COUNT(*) FROM campaign_phase n WHERE n.campaign_id = p.campaign_id AND n.no = p.no + 1)
FROM campaign_phase p WHERE p.id > %s ORDER BY p.id
"""  # noqa: S608 - the kinds are constants
"""One statement, so that it shows one moment."""

_LATE = 30
"""The number of rows below the newest finished one that are still read: a lower id may be committed later."""


class Look(NamedTuple):
    """A phase at one moment, and the number of rows of each part of its publication."""

    pk: int
    state: str
    fence: int
    claimed_by: str
    weight: str
    artefacts: int
    """Without pictures."""
    pictures: int
    resolutions: int
    mails: int
    following: int

    def is_half(self, readers: int) -> bool:
        """Whether a part of its publication exists and another does not. Only full phases have pictures."""
        if self.state == PhaseState.PUBLISHED:
            artefacts = KINDS * readers + 1  # the heads of the dice logs
            pictures = len(PICTURES) * readers if self.weight == Weight.FULL.value else 0
            found = (self.artefacts, self.pictures, self.resolutions)
            return found != (artefacts, pictures, 1) or self.following > self.mails
        if self.state in (PhaseState.OPEN, PhaseState.LOCKED, PhaseState.RUNNING):
            return bool(self.artefacts or self.pictures or self.resolutions or self.mails or self.following)
        return bool(self.mails or self.following)


class Claims:
    """The claims of phases seen so far."""

    def __init__(self) -> None:
        self._running: dict[tuple[int, int], bool] = {}

    def seen(self, look: Look) -> dict[str, object]:
        """The news: a claim, or the end of one without another claim of its phase."""
        claim, runs = (look.pk, look.fence), look.state == PhaseState.RUNNING
        ran = self._running.get(claim)
        self._running[claim] = runs
        if runs and ran is None:
            return {"phase": look.pk, "fence": look.fence, "by": look.claimed_by}
        return {"over": claim} if ran and not runs else {}


def watch(folder: Path, readers: int) -> None:
    """Record each claim, the end of each, and each half published phase, until killed.

    `readers`: the number of audiences of every campaign.
    """
    record, claims, whole, after = Record(folder, "watch"), Claims(), set[int](), 0
    while True:
        looks = _looked(after)
        for look in looks:
            if news := claims.seen(look):
                record.write(**news)
            if look.is_half(readers):
                record.write(half=look.pk, look=look._asdict())
            elif look.state == PhaseState.PUBLISHED:
                whole.add(look.pk)
        after = max(after, _settled(looks, whole) - _LATE)
        time.sleep(EVERY)


def _settled(looks: Sequence[Look], whole: set[int]) -> int:
    """The id up to which every phase has been seen published whole."""
    last = 0
    for look in looks:
        if look.pk not in whole:
            break
        last = look.pk
    return last


def _looked(after: int) -> list[Look]:
    try:
        with connection.cursor() as cursor:
            cursor.execute(_LOOK, [after])
            return [Look(*row) for row in cursor.fetchall()]
    except OperationalError:  # the next look comes soon
        connection.close()
        return []
