"""Mails as files, for a site without a mail server: one .eml a mail, in the data folder's mail/."""

from collections.abc import Sequence
from pathlib import Path

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend


class EmailBackend(BaseEmailBackend):
    """Writes each mail into a file of its own."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        folder = Path(settings.EMAIL_FILE_PATH)
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for number, message in enumerate(email_messages, sum(1 for _ in folder.glob("*.eml")) + 1):
            (folder / f"{number:05}.eml").write_bytes(message.message().as_bytes())
        return len(email_messages)
