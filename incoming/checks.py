"""What is missing or wrong in the settings of incoming mail, by `manage.py check`."""

import re
from email.utils import parseaddr
from ipaddress import ip_address
from itertools import takewhile
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning, register

from campaign.mail.secret_addresses import CATCH_ALL, FORMS
from incoming.ways import IMAP, SMTP, WAYS, WEBHOOK
from incoming.ways.mailbox_url import INBOX, source
from incoming.ways.providers import PROVIDERS, UNTRIED

_DOMAIN = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*")
_NAME = re.compile(r"[a-z0-9._-]{1,20}")
SHORTEST_PAUSE = 5
"""Seconds between two looks into a mailbox."""
SHORTEST_PASSWORD = 16
"""Characters of the password with which a provider signs in."""


@register()
def check_incoming_mail(**_: Any) -> list[CheckMessage]:
    """The problems of the settings of incoming mail; none where the site takes no mail."""
    if not settings.MAIL_IN:
        return []
    if settings.MAIL_IN not in WAYS:
        ways = f"{', '.join(WAYS[:-1])} or {WAYS[-1]}"
        hint = f"Set FIELDPOST_MAIL_IN to {ways}, or leave it empty: then no mail is taken."
        return [Error(f"FIELDPOST_MAIL_IN is {settings.MAIL_IN!r}.", hint=hint, id="incoming.E001")]
    of_way = {SMTP: _of_the_listener, IMAP: _of_the_mailbox, WEBHOOK: _of_the_provider}[settings.MAIL_IN]
    return [*_of_addresses(), *_of_return_paths(), *of_way()]


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


def _of_return_paths() -> list[CheckMessage]:
    """Whether the domain of return paths fits that of From: DMARC asks for one that is related, unless DKIM fits."""
    writes = parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition("@")[2].lower()
    if not settings.MAIL_RETURN_PATHS or _are_related(writes, settings.MAIL_IN_DOMAIN.lower()):
        return []
    hint = (
        f"Where {writes} has a DMARC record, others may refuse our mails. Set FIELDPOST_MAIL_IN_DOMAIN to {writes} or"
        " a domain under it, or FIELDPOST_MAIL_RETURN_PATHS to off. Or let your mail server sign them with DKIM for"
        f" {writes}, and silence incoming.W003."
    )
    said = f"Mails come from {writes}, and their return paths are at {settings.MAIL_IN_DOMAIN}."
    return [Warning(said, hint=hint, id="incoming.W003")]


def _are_related(one: str, other: str) -> bool:
    """Whether two domains belong to one organisation (RFC 7489, 3.1), as far as their names show it.

    A domain of one label is a computer's name and has no DMARC record. Domains under a country's co, com, org and the
    like are strangers: this is less than the list of public suffixes, and warns of few that are related.
    """
    if "." not in one or not _DOMAIN.fullmatch(other):
        return True
    pairs = zip(reversed(one.split(".")), reversed(other.split(".")), strict=False)
    shared = [a for a, _ in takewhile(lambda pair: pair[0] == pair[1], pairs)]
    strangers = len(shared) == 2 and len(shared[0]) == 2 and shared[1] in _FOR_ALL
    return one == other or (len(shared) >= 2 and not strangers)


_FOR_ALL = {"ac", "co", "com", "edu", "go", "gov", "ltd", "ne", "net", "or", "org"}


def _of_the_listener() -> list[CheckMessage]:
    try:
        host, _ = listening_at()
    except ValueError as error:
        return [Error(str(error), hint="Set it to HOST:PORT, like 127.0.0.1:8025.", id="incoming.E005")]
    return [] if _is_here(host) else [_open_to_others()]


def _of_the_mailbox() -> list[CheckMessage]:
    found: list[CheckMessage] = []
    if settings.MAIL_IN_EVERY < SHORTEST_PAUSE:
        said = f"FIELDPOST_MAIL_IN_EVERY is {settings.MAIL_IN_EVERY}."
        found.append(Error(said, hint=f"Set it to {SHORTEST_PAUSE} seconds or more.", id="incoming.E006"))
    try:
        where = source()
    except ValueError as error:
        hint = "Set it to imaps://USER:PASSWORD@SERVER/FOLDER, with an @ in the user’s name written as %40."
        return [*found, Error(str(error), hint=hint, id="incoming.E007")]
    move_to = settings.MAIL_IN_MOVE_TO
    if where.folder == move_to or where.folder.upper() == move_to.upper() == INBOX:  # this one name has no case
        hint = "Name another folder, or leave it empty: then mails stay where they are, marked as seen."
        said = "FIELDPOST_MAIL_IN_MOVE_TO is the folder that is read."
        found.append(Error(said, hint=hint, id="incoming.E008"))
    if not where.encrypted and not _is_here(where.host):
        hint = "Use imaps://, or imap+tls:// where the server begins unencrypted; or silence incoming.W002."
        said = "FIELDPOST_MAIL_IN_URL sends the password of the mailbox unencrypted over a network."
        found.append(Warning(said, hint=hint, id="incoming.W002"))
    return found


def _of_the_provider() -> list[CheckMessage]:
    provider = PROVIDERS.get(settings.MAIL_IN_PROVIDER)
    if provider is None:
        said = f"is {settings.MAIL_IN_PROVIDER!r}" if settings.MAIL_IN_PROVIDER else "is missing"
        tried = " or ".join(name for name in PROVIDERS if name not in UNTRIED)
        hint = f"Set it to {tried}; untried: {', '.join(UNTRIED)}."
        return [Error(f"FIELDPOST_MAIL_IN_PROVIDER {said}.", hint=hint, id="incoming.E009")]
    if not settings.MAIL_IN_SECRET:
        said = "FIELDPOST_MAIL_IN_SECRET is missing."
        return [Error(said, hint=f"Set it to {provider.secret_is}.", id="incoming.E010")]
    name, _, password = settings.MAIL_IN_SECRET.partition(":")
    if provider.by_password and (not name or len(password) < SHORTEST_PASSWORD):
        said = "FIELDPOST_MAIL_IN_SECRET is no NAME:PASSWORD with a long password."
        hint = f"Set it to {provider.secret_is}, with at least {SHORTEST_PASSWORD} characters after the colon."
        return [Error(said, hint=hint, id="incoming.E011")]
    if not settings.MAIL_IN_SECRET.isascii():
        hint = f"Set it to {provider.secret_is}, of plain letters, digits and signs."
        return [Error("FIELDPOST_MAIL_IN_SECRET has signs that are not ASCII.", hint=hint, id="incoming.E011")]
    return []


def _is_here(host: str) -> bool:
    """Whether a host's name or address is this computer's own."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


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
