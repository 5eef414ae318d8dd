"""Keeps secrets out of the log: everything that gives access is removed from every line, tracebacks included."""

import logging
import re
from copy import copy
from urllib.parse import unquote, urlsplit

from django.conf import settings

STRUCK = "[struck out]"
_REFUSALS = "django.security."
"""The loggers of requests that are too large, have too many fields, or name another host."""

_SLASH = "(?:/|%2F)"
_DOORS = re.compile(
    r"(?P<before>"
    rf"{_SLASH}(?:m|invitation|mails|calendar){_SLASH}"  # links to pictures, invitations, links in mails, calendars
    rf"|{_SLASH}webhooks{_SLASH}\d+{_SLASH}"  # of Discord: who knows the key may post there
    r"|(?:\b|(?<=%3F|%26))(?:sesame|csrfmiddlewaretoken|sessionid|__Host-session|__Host-csrf|csrftoken)"
    r"(?:=|%3D|[\"']?: ?\[?b?[\"']?)"  # in an address, or as Python shows a form or a cookie
    r"|\borders\+"
    r")(?P<secret>[^\s/'\"&;@,<>\]]+)",
    re.IGNORECASE,
)
_PASSWORDS = re.compile(r"(?P<before>://[^\s:/@]*:)(?P<secret>[^\s@]+)(?=@)")
"""In addresses, with or without a user name."""

_REPLIES = re.compile(r"(?P<before>(?<![A-Za-z2-7]))(?P<secret>[A-Za-z2-7]{32})(?=@|%40)")
"""Reply addresses that consist of their token alone."""


class Discreet(logging.Formatter):
    """A log formatter that removes secrets.

    A request that Django refuses before any page gets it leaves one line. Its traceback would show nothing of ours.
    """

    def format(self, record: logging.LogRecord) -> str:
        if record.name.startswith(_REFUSALS):
            record = copy(record)
            record.exc_info = record.exc_text = None
        return without_secrets(super().format(record))


def without_secrets(text: str) -> str:
    """The text with everything removed that gives access."""
    for secret in _own_secrets():
        text = text.replace(secret, STRUCK)
    for pattern in (_PASSWORDS, _DOORS, _REPLIES):
        text = pattern.sub(lambda found: found["before"] + STRUCK, text)
    return text


def _own_secrets() -> list[str]:
    """The server's own secrets, if they are too long to occur by chance."""
    broker = urlsplit(settings.BROKER_URL).password or ""
    passwords: tuple[str | None, ...]
    passwords = (settings.DATABASES["default"].get("PASSWORD"), settings.EMAIL_HOST_PASSWORD, broker, unquote(broker))
    mailbox = _PASSWORDS.search(settings.MAIL_IN_URL)
    passwords += (mailbox["secret"], unquote(mailbox["secret"])) if mailbox else ()
    passwords += (settings.MAIL_IN_SECRET, settings.MAIL_IN_SECRET.partition(":")[2])
    kept = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS, *passwords)
    return [secret for secret in kept if secret and len(secret) >= 8]
