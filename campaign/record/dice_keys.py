"""The master seeds of campaigns: created once, stored encrypted, never shown.

The key is derived from the server's secret key, which is not in the database, so a copy of the database cannot foresee
a roll. Without the key no sheet is received and nothing is adjudicated; earlier keys still open seeds.
"""

import hmac
import logging
import secrets
from collections.abc import Iterable

from django.core.exceptions import ImproperlyConfigured

from campaign.core.sealing import SealBroken, seal, unseal
from campaign.engine.dice import SCHEME, chain, seed, written
from campaign.engine.values.ids import Audience
from campaign.models import Campaign, CampaignDice, Phase, PhaseState
from campaign.secrecy import truth

log = logging.getLogger(__name__)

_SEEDS = "master seeds"
"""What they are sealed for."""


class KeyMissing(Exception):
    """None of the server's secret keys opens a campaign's master seed."""


def new_master_seed() -> bytes:
    """A master seed for a new campaign: 32 bytes."""
    return secrets.token_bytes(32)


def sealed(master: bytes) -> bytes:
    """A master seed in its stored, encrypted form."""
    return seal(_SEEDS, master)


def master_seed(campaign: Campaign) -> bytes:
    """A campaign's master seed: 32 bytes. Raises KeyMissing."""
    with truth.opened("CampaignDice"):
        kept = bytes(campaign.dice.sealed_dice)
    try:
        return unseal(_SEEDS, kept)
    except SealBroken as error:
        raise KeyMissing(_missing([campaign.slug])) from error


def require_key() -> None:
    """Raise ImproperlyConfigured if the server's secret keys do not open the seed of every running campaign.

    For closed campaigns only a log line is written: their dice cannot be shown, but nothing else depends on them.
    """
    every = CampaignDice.objects.order_by("campaign__slug").values_list("pk", "campaign__slug", "sealed_dice")
    with truth.opened("CampaignDice"):
        closed = {pk: slug for pk, slug, kept in every if not _opens(bytes(kept))}
    if not closed:
        return
    live = Phase.objects.exclude(state__in=(PhaseState.PUBLISHED, PhaseState.WITHDRAWN))
    played = set(live.filter(campaign__in=closed).values_list("campaign", flat=True))
    if played:
        raise ImproperlyConfigured(_missing(slug for pk, slug in closed.items() if pk in played))
    log.error(_missing(closed.values()))


def _missing(slugs: Iterable[str]) -> str:
    return (
        f"The secret key does not open the dice of {', '.join(slugs)}: it is not the one that they were created"
        " with. Put back the file secret_key of the data folder, or FIELDPOST_SECRET_KEY; if it was changed on"
        " purpose, name the one before in FIELDPOST_OLD_SECRET_KEYS. Nothing is lost meanwhile."
    )


def _opens(kept: bytes) -> bool:
    try:
        unseal(_SEEDS, kept)
    except SealBroken:
        return False
    return True


def nonce(campaign: Campaign, *, phase: int, rev: int, side: str, desk: str, version: int) -> str:
    """The nonce hashed with a sheet's text. The master seed fixes it, so nobody can try several."""
    message = "|".join([SCHEME, "nonce", campaign.slug, f"{phase}.{rev}", side, desk, str(version)])
    return hmac.digest(master_seed(campaign), message.encode(), "sha256")[:16].hex()


def anchors(master: bytes, campaign: str, audiences: Iterable[Audience]) -> dict[str, str]:
    """Seed 0 of every audience's chain, in hexadecimal: published before anyone can act."""
    return {who: seed(master, campaign=campaign, audience=who, lock=0).hex() for who in audiences}


def seeds(master: bytes, campaign: str, audience: Audience, last: int) -> list[str]:
    """The seeds 1 to `last` of an audience's chain, in hexadecimal."""
    return [link.hex() for link in chain(master, campaign, audience, last)][1:]


def salt(master: bytes, campaign: str, audience: Audience, lock: int) -> str:
    """The start of a phase in a secret log, so that its new head does not show whether anything was rolled."""
    message = "|".join([SCHEME, "salt", campaign, written(audience), str(lock)])
    return hmac.digest(master, message.encode(), "sha256")[:16].hex()


def words_nonce(campaign: Campaign, side: str, name: str) -> str:
    """The nonce hashed with the words that a commander typed when they joined."""
    message = "|".join([SCHEME, "words", campaign.slug, side, name])
    return hmac.digest(master_seed(campaign), message.encode(), "sha256")[:16].hex()
