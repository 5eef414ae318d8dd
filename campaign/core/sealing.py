"""Secrets that are stored encrypted: a copy of the database alone does not give them away.

The key is derived from the server's secret key, which is not in the database; earlier keys still open what they sealed.
"""

import base64
import hashlib

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings


class SealBroken(Exception):
    """None of the server's secret keys opens this."""


def seal(purpose: str, secret: bytes) -> bytes:
    """A secret in its stored, encrypted form. What is sealed for one purpose opens for no other."""
    return _box(purpose).encrypt(secret)


def unseal(purpose: str, kept: bytes) -> bytes:
    """A secret from its stored form. Raises SealBroken."""
    try:
        return _box(purpose).decrypt(kept)
    except InvalidToken as error:
        raise SealBroken(purpose) from error


def _box(purpose: str) -> MultiFernet:
    """Encrypts with the current key, and decrypts with earlier ones too."""
    return MultiFernet([_fernet(purpose, key) for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)])


def _fernet(purpose: str, secret: str) -> Fernet:
    key = hashlib.sha256(f"fieldpost {purpose}|{secret}".encode()).digest()
    return Fernet(base64.urlsafe_b64encode(key))
