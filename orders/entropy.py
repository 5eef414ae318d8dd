"""What goes into a lock's dice: each side's contribution, and the mix of the previous lock.

A side contributes the digests of its sheets; at a campaign's start, those of the words that its commanders typed. A
side that might have sent a sheet and sent none contributes the digest of an empty sheet, so that nobody can tell. A
side that might not contributes `none`; but the mix of the previous lock carries on all earlier contributions.

After a reopening a lock also names the withdrawn locks of its moment, whose dice stay (see `campaign.engine.dice`).
"""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from math import inf

from campaign.engine.dice import PREVIOUS, WITHDRAWN
from campaign.game.store import digest
from campaign.models import Phase, PhaseProof, Role
from campaign.record.dice_keys import nonce, words_nonce
from campaign.secrecy import truth
from campaign.services import scenario_of, writers_of
from orders.intake import sheet_digest
from orders.models import HQ, LockedWords, Sheet

NOTHING = "none"


def contributions_of(phase: Phase, sheets: Sequence[Sheet]) -> dict[str, str]:
    """The contributions to a lock with these sheets, by name; for the start, the frozen words count."""
    contributions = {side: _contributed(phase, side, sheets) or _nothing(phase, side) for side in _sides(phase)}
    before = PhaseProof.objects.filter(phase__campaign=phase.campaign, phase__lock_no=(phase.lock_no or 0) - 1)
    mixed = before.values_list("mix", flat=True).first()
    withdrawn = "+".join(map(str, withdrawn_locks(phase)))
    contributions |= {PREVIOUS: mixed} if mixed is not None else {}
    return contributions | ({WITHDRAWN: withdrawn} if withdrawn else {})


def withdrawn_locks(phase: Phase) -> list[int]:
    """The locks of a locked phase's moment that had been published and withdrawn when it was locked, in order.

    Numbers of phases rise from lock to lock. Where one does not, the phases from its number on had been withdrawn. Left
    out are those that an older release played again, with other dice, if what it played stands.
    """
    if not phase.campaign.phases.filter(rev__gt=0).exists():
        return []
    locked = phase.campaign.phases.filter(lock_no__lte=phase.lock_no).order_by("lock_no")
    rows = list(locked.values_list("no", "moment", "lock_no", "proof__contributions"))
    numbers = [no for no, *_ in rows]
    older = next((at for at, row in enumerate(rows) if WITHDRAWN in (row[3] or {})), len(rows) - 1)
    lowest = list(accumulate(reversed(numbers), min))[::-1]  # from each lock on
    stands = [no < later for no, later in zip(numbers, [*lowest[1:], inf], strict=True)]
    return [
        lock or 0
        for at, (no, moment, lock, _) in enumerate(rows)
        if moment == phase.moment
        and not stands[at]
        and not any(stands[x] and numbers[x] <= no for x in range(at + 1, older))
    ]


def older_contributions_of(phase: Phase, sheets: Sequence[Sheet]) -> dict[str, str]:
    """The contributions in an older release: without the previous lock, and without hiding a missing sheet."""
    return {side: _contributed(phase, side, sheets) or NOTHING for side in _sides(phase)}


def empty_sheet(phase: Phase, side: str) -> tuple[str, str]:
    """The nonce and the digest of the sheet that a side has not sent."""
    salt = nonce(phase.campaign, phase=phase.no, rev=phase.rev, side=side, desk=HQ, version=0)
    return salt, sheet_digest("", salt)


def freeze_words(phase: Phase) -> list[LockedWords]:
    """Store the commanders' words as they go into the start, whatever happens to them later."""
    return LockedWords.objects.bulk_create(words for side in _sides(phase) for words in words_of(phase, side))


def words_of(phase: Phase, side: str) -> Iterator[LockedWords]:
    """What a side's commanders typed when they joined, in order of joining; not stored."""
    commanders = phase.campaign.memberships.filter(side=side, role=Role.COMMANDER, left_at=None)
    with truth.opened("JoiningWords"):
        spoke = commanders.filter(joining__isnull=False).exclude(joining__words="")
        typed = list(spoke.order_by("joined_at", "pk").values_list("joining__words", "user__username"))
    for words, name in typed:
        salt = words_nonce(phase.campaign, side, name)
        yield LockedWords(phase=phase, side=side, name=name, words=words, nonce=salt, digest=sheet_digest(words, salt))


def frozen_words(phase: Phase, side: str, contribution: str) -> list[LockedWords]:
    """The words that went into the start as the side's `contribution`.

    From an older release, which kept only that digest, present words that match.
    """
    kept, today = list(phase.all_locked_words.filter(side=side).order_by("pk")), list(words_of(phase, side))
    same = _together([words.digest for words in today]) == contribution
    return kept or (today if same else [])


def _contributed(phase: Phase, side: str, sheets: Sequence[Sheet]) -> str:
    """One digest of a side's own contribution; empty if there is none."""
    digests = [sheet.digest for sheet in sheets if sheet.side == side]
    if not phase.no:
        digests = list(phase.all_locked_words.filter(side=side).order_by("pk").values_list("digest", flat=True))
    return _together(digests)


def _together(digests: Sequence[str]) -> str:
    return digests[0] if len(digests) == 1 else digest("|".join(digests).encode()) if digests else ""


def _nothing(phase: Phase, side: str) -> str:
    return empty_sheet(phase, side)[1] if side in writers_of(phase) else NOTHING


def _sides(phase: Phase) -> Sequence[str]:
    return scenario_of(phase.campaign).rules.sides
