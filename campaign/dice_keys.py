"""The master seeds of campaigns: made once, kept encrypted, never shown.

The key is derived from the server's secret key, which is not in the database: whoever copies the database cannot
foresee a roll.
"""

import base64
import hashlib
import hmac
import secrets

from cryptography.fernet import Fernet
from django.conf import settings

from campaign.engine.dice import SCHEME
from campaign.models import Campaign


def new_master_seed() -> bytes:
    """A sealed master seed for a new campaign."""
    return sealed(secrets.token_bytes(32))


def sealed(master: bytes) -> bytes:
    """A master seed as it is kept."""
    return _box().encrypt(master)


def master_seed(campaign: Campaign) -> bytes:
    """A campaign's master seed: 32 bytes."""
    return _box().decrypt(bytes(campaign.sealed_dice))


def nonce(campaign: Campaign, *, phase: int, rev: int, side: str, desk: str, version: int) -> str:
    """What is hashed with a sheet's text: fixed by the master seed, so that nobody can draw until it suits him."""
    message = "|".join([SCHEME, "nonce", campaign.slug, f"{phase}.{rev}", side, desk, str(version)])
    return hmac.digest(master_seed(campaign), message.encode(), "sha256")[:16].hex()


def _box() -> Fernet:
    key = hashlib.sha256(b"fieldpost master seeds|" + settings.SECRET_KEY.encode()).digest()
    return Fernet(base64.urlsafe_b64encode(key))
