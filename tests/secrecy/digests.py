"""What everybody is printed and nobody can read: digests over what an observer does not know, blank in both worlds.

Each publication prints what the other sides brought to the lock's dice, and the head of every secret log. Left as they
are, no two worlds in which the enemy's orders differ could be compared: the digests differ, and with them the mix and
all dice. So they are blanked where they are made. All that is not such a digest is left as it is: that nothing was
brought, that no line was written. That the digests themselves tell nothing is proven in `two_worlds/test_digests.py`.
"""

import hashlib
import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from unittest import mock

from campaign.engine.dice import PREVIOUS
from campaign.engine.ids import PUBLIC, Audience
from campaign.models import Phase
from campaign.record.dice_log import NO_LINE, Entry, append
from gm.phases import locking, rolls
from orders.entropy import contributions_of
from orders.models import Sheet


@contextmanager
def blanked(observer: Audience) -> Iterator[None]:
    """As long as this lasts, locks and logs hold nothing of others that is a digest."""

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


def _is_digest(told: str) -> bool:
    return re.fullmatch("[0-9a-f]{64}", told) is not None


def _blank(*what: object) -> str:
    return hashlib.sha256(f"blank {what}".encode()).hexdigest()
