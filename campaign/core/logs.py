"""What is logged holds no secret: whatever opens a door is struck out of every line, tracebacks included."""

import logging
import re
from urllib.parse import unquote, urlsplit

from django.conf import settings

STRUCK = "[struck out]"

_SLASH = "(?:/|%2F)"
_DOORS = re.compile(
    r"(?P<before>"
    rf"{_SLASH}(?:m|invitation|mails){_SLASH}"  # links to pictures, into campaigns, out of mails
    r"|(?:\b|(?<=%3F|%26))(?:sesame|csrfmiddlewaretoken|sessionid|__Host-session|__Host-csrf|csrftoken)"
    r"(?:=|%3D|[\"']?: ?\[?b?[\"']?)"  # in an address, or as Python shows what a form or a cookie has
    r"|\borders\+"
    r")(?P<secret>[^\s/'\"&;@,<>\]]+)",
    re.IGNORECASE,
)
_PASSWORDS = re.compile(r"(?P<before>://[^\s:/@]*:)(?P<secret>[^\s@]+)(?=@)")
"""In addresses, with or without a name before them."""


class Discreet(logging.Formatter):
    """A line of the log without secrets."""

    def format(self, record: logging.LogRecord) -> str:
        return without_secrets(super().format(record))


def without_secrets(text: str) -> str:
    """The text, with whatever opens a door struck out."""
    for secret in _own_secrets():
        text = text.replace(secret, STRUCK)
    for pattern in (_PASSWORDS, _DOORS):
        text = pattern.sub(lambda found: found["before"] + STRUCK, text)
    return text


def _own_secrets() -> list[str]:
    """The server's own, as far as they are long enough to be none by chance."""
    broker = urlsplit(settings.BROKER_URL).password or ""
    passwords = (settings.DATABASES["default"].get("PASSWORD"), settings.EMAIL_HOST_PASSWORD, broker, unquote(broker))
    kept = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS, *passwords)
    return [secret for secret in kept if secret and len(secret) >= 8]
