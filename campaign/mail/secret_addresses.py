"""Addresses with a secret at which this site takes mail: reply addresses, and the return paths of mails.

A token is 160 bits in lower-case base32, so that it survives mail programs and servers that change capitals. It is an
HMAC of the site's key and of what the address is for: nothing is drawn, and a mail that is composed twice has the same
bytes. Addresses are looked up by the token's digest: how long a look-up takes says nothing about tokens, and what was
given out under an earlier key still works.
"""

import hashlib
import hmac
import re
from base64 import b32encode

from django.conf import settings

PLUS, CATCH_ALL = "plus", "catch-all"
FORMS = (PLUS, CATCH_ALL)
_TOKEN_BYTES = 20
_TOKEN = re.compile("[a-z2-7]{32}")


def takes_mail() -> bool:
    """Whether this site takes mail."""
    return bool(settings.MAIL_IN)


def token_for(purpose: str) -> str:
    """The token of an address for this: nobody can guess it without the site's key."""
    digest = hmac.digest(settings.SECRET_KEY.encode(), f"fieldpost {purpose}".encode(), "sha256")
    return b32encode(digest[:_TOKEN_BYTES]).decode().lower()


def digest_of_token(token: str) -> str:
    """By what an address is looked up."""
    return hashlib.sha256(token.encode()).hexdigest()


def address_with(token: str) -> str:
    """The whole address with a token, in the form that the site uses."""
    local = f"{settings.MAIL_IN_NAME}+{token}" if settings.MAIL_IN_FORM == PLUS else token
    return f"{local}@{settings.MAIL_IN_DOMAIN}"


def return_path(token: str) -> str:
    """The sender in a mail's envelope, to which servers report that they could not deliver it.

    Unless the site's settings ask for it, and where the mail has no token, it is the address that the mail comes from.
    """
    if token and takes_mail() and settings.MAIL_RETURN_PATHS:
        return address_with(token)
    return str(settings.DEFAULT_FROM_EMAIL)


def token_in(address: str) -> str:
    """The token of an address of ours, in whatever capitals; a text that is no token for any other address."""
    local, _, domain = address.strip().strip("<>").lower().rpartition("@")
    name, plus, token = local.rpartition("+")
    if settings.MAIL_IN_FORM == PLUS and (name, plus) != (settings.MAIL_IN_NAME, "+"):
        token = ""
    elif settings.MAIL_IN_FORM == CATCH_ALL:
        token = local
    return token if domain == settings.MAIL_IN_DOMAIN and _TOKEN.fullmatch(token) else ""
