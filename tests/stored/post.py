"""A mail server that refuses the first mail, and during the second the worker dies that sends it."""

from collections.abc import Sequence
from itertools import count
from smtplib import SMTPRecipientsRefused
from typing import Any

from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend


class Killed(BaseException):
    """A process has died."""


class FaultyServer(BaseEmailBackend):
    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._mails = count()

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        if next(self._mails):
            raise Killed
        raise SMTPRecipientsRefused({email_messages[0].to[0]: (550, b"no such mailbox")})
