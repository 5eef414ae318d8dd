"""What is missing or wrong in the settings of incoming mail, by `manage.py check`."""

import re
from ipaddress import ip_address
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning, register

from incoming.addresses import CATCH_ALL, FORMS

SMTP = "smtp"
WAYS = (SMTP,)
"""The ways in which mail comes in."""
_DOMAIN = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*")
_NAME = re.compile(r"[a-z0-9._-]{1,20}")


@register()
def check_incoming_mail(**_: Any) -> list[CheckMessage]:
    """The problems of the settings of incoming mail; none where the site takes no mail."""
    if not settings.MAIL_IN:
        return []
    if settings.MAIL_IN not in WAYS:
        ways = " or ".join(WAYS)
        hint = f"Set FIELDPOST_MAIL_IN to {ways}, or leave it empty: then no mail is taken."
        return [Error(f"FIELDPOST_MAIL_IN is {settings.MAIL_IN!r}.", hint=hint, id="incoming.E001")]
    return [*_of_addresses(), *_of_the_listener()]


def _of_addresses() -> list[CheckMessage]:
    found: list[CheckMessage] = []
    if not _DOMAIN.fullmatch(settings.MAIL_IN_DOMAIN):
        said = f"is {settings.MAIL_IN_DOMAIN!r}" if settings.MAIL_IN_DOMAIN else "is missing"
        hint = "Set it to the domain to which players reply, like orders.example.org."
        found.append(Error(f"FIELDPOST_MAIL_IN_DOMAIN {said}.", hint=hint, id="incoming.E002"))
    if settings.MAIL_IN_FORM not in FORMS:
        said = f"FIELDPOST_MAIL_IN_FORM is {settings.MAIL_IN_FORM!r}."
        found.append(Error(said, hint=f"Set it to {' or '.join(FORMS)}.", id="incoming.E003"))
    if settings.MAIL_IN_FORM != CATCH_ALL and not _NAME.fullmatch(settings.MAIL_IN_NAME):
        hint = "Use at most 20 small letters, digits, points, dashes and underscores, like orders."
        said = f"FIELDPOST_MAIL_IN_NAME is {settings.MAIL_IN_NAME!r}."
        found.append(Error(said, hint=hint, id="incoming.E004"))
    return found


def _of_the_listener() -> list[CheckMessage]:
    try:
        host, _ = listening_at()
    except ValueError as error:
        return [Error(str(error), hint="Set it to HOST:PORT, like 127.0.0.1:8025.", id="incoming.E005")]
    return [] if host == "localhost" or ip_address(host).is_loopback else [_open_to_others()]


def _open_to_others() -> Warning:
    return Warning(
        "FIELDPOST_MAIL_IN_LISTEN is an address that other computers reach.",
        hint="The listener does not encrypt. Let your own mail server take mail from others, and pass it on to"
        " 127.0.0.1; or silence incoming.W001 if this network is yours.",
        id="incoming.W001",
    )


def listening_at() -> tuple[str, int]:
    """Host and port of the SMTP listener. Raises ValueError if the setting names none."""
    said = f"FIELDPOST_MAIL_IN_LISTEN is {settings.MAIL_IN_LISTEN!r}."
    host, _, port = settings.MAIL_IN_LISTEN.rpartition(":")
    host = host.strip("[]")
    if not port.isascii() or not port.isdigit() or not 0 <= int(port) < 65536 or not host:
        raise ValueError(said)
    if host != "localhost":
        try:
            ip_address(host)
        except ValueError:
            raise ValueError(said) from None
    return host, int(port)
