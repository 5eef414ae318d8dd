"""Published digests over what an observer does not know, blanked in both worlds.

Each publication prints the other sides' contributions to the lock's dice, and the head of every secret log. These
differ as soon as the enemy's orders differ, and with them the mix and all dice, so that no two worlds could be
compared. Therefore they are blanked where they are made. Everything else stays: that a side contributed nothing, that
no line was written. `two_worlds/test_digests.py` proves that the digests themselves reveal nothing.
"""

import hashlib
import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from unittest import mock

from campaign.engine.dice import PREVIOUS
from campaign.engine.values.ids import PUBLIC, Audience
from campaign.models import Phase
from campaign.record.dice_log import NO_LINE, Entry, append
from gm.phases import locking, rolls
from orders.entropy import contributions_of
from orders.models import Sheet


@contextmanager
def blanked(observer: Audience) -> Iterator[None]:
    """In this context locks and logs hold no digests of others' secrets."""

    def contributions(phase: Phase, sheets: Sequence[Sheet]) -> dict[str, str]:
        brought = contributions_of(phase, sheets)
        foreign = {side for side in brought if side not in (observer, PREVIOUS) and _is_digest(brought[side])}
        return brought | {side: _blank(side, phase.lock_no) for side in foreign}

    def head(phase: Phase, audience: Audience, entries: Sequence[Entry]) -> str:
        made = append(phase, audience, entries)
        if audience in (observer, PUBLIC) or made == NO_LINE:
            return made
        lines = phase.campaign.all_dice_lines.filter(audience=audience)
        return _blank(audience, lines.values("lock_no").distinct().count())  # another, if this lock has added lines

    with ExitStack() as stack:
        stack.enter_context(mock.patch.object(locking, "contributions_of", contributions))
        stack.enter_context(mock.patch.object(rolls, "append", head))
        yield


def _is_digest(text: str) -> bool:
    return re.fullmatch("[0-9a-f]{64}", text) is not None


def _blank(*what: object) -> str:
    return hashlib.sha256(f"blank {what}".encode()).hexdigest()
