"""What is logged holds no secret: whatever opens a door is struck out of every line, tracebacks included."""

import logging
import re

from django.conf import settings

STRUCK = "[struck out]"

_DOORS = re.compile(
    r"(?P<before>"
    r"/m/|/invitation/|/mails/"  # links to pictures, into campaigns, out of mails
    r"|\b(?:sesame|csrfmiddlewaretoken|sessionid|__Host-session|__Host-csrf|csrftoken)(?:=|%3D|'?: ?'?)"
    r"|\borders\+"
    r"|://[^\s:/@]+:"  # a password in an address
    r")(?P<secret>[^\s/'\"&;@,<>]+)"
)


class Discreet(logging.Formatter):
    """A line of the log without secrets."""

    def format(self, record: logging.LogRecord) -> str:
        return without_secrets(super().format(record))


def without_secrets(text: str) -> str:
    """The text, with whatever opens a door struck out."""
    for secret in _own_secrets():
        text = text.replace(secret, STRUCK)
    return _DOORS.sub(lambda found: found["before"] + STRUCK, text)


def _own_secrets() -> list[str]:
    """The server's own, as far as they are long enough to be none by chance."""
    database = settings.DATABASES["default"]
    kept = (settings.SECRET_KEY, database.get("PASSWORD"), settings.EMAIL_HOST_PASSWORD)
    return [secret for secret in kept if secret and len(secret) >= 8]
