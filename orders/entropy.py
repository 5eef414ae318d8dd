"""What goes into a lock's dice: each side's contribution, and the mix of the previous lock.

A side contributes the digests of its sheets; at a campaign's start, those of the words that its commanders typed. A
side that might have sent a sheet and sent none contributes the digest of an empty sheet, so that nobody can tell. A
side that might not contributes `none`; but the mix of the previous lock carries on all earlier contributions.
"""

from collections.abc import Iterator, Sequence

from campaign.engine.dice import PREVIOUS
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
    return contributions | ({PREVIOUS: mixed} if mixed is not None else {})


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


def frozen_words(phase: Phase, side: str) -> list[LockedWords]:
    """The words that went into the start; from an older release, which kept only a digest, present words that match."""
    kept, today = list(phase.all_locked_words.filter(side=side).order_by("pk")), list(words_of(phase, side))
    same = _together([words.digest for words in today]) == phase.proof.contributions.get(side)
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
