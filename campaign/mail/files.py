"""Mails as files, for a site without a mail server: one .eml for each mail, in the data folder's mail/."""

import re
import tempfile
from collections.abc import Sequence
from itertools import count
from pathlib import Path

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.utils.text import slugify


class EmailBackend(BaseEmailBackend):
    """Writes each mail into its own file, with a number, its reader and its kind: 00017-rundstedt-opened.eml."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        folder = Path(settings.EMAIL_FILE_PATH)
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for message in email_messages:
            _write(folder, message)
        return len(email_messages)


def _write(folder: Path, message: EmailMessage) -> None:
    """Write a temporary file and link it into place: nobody reads half a mail, and no process overwrites another's."""
    with tempfile.NamedTemporaryFile(dir=folder, suffix=".part") as draft:
        draft.write(message.message().as_bytes())
        draft.flush()
        for number in count(_next_number(folder)):
            try:
                (folder / f"{number:05}-{_about(message)}.eml").hardlink_to(draft.name)
            except FileExistsError:
                continue
            return


def _next_number(folder: Path) -> int:
    numbers = (re.match(r"\d+", path.name) for path in folder.glob("*.eml"))
    return max((int(number[0]) for number in numbers if number), default=0) + 1


def _about(message: EmailMessage) -> str:
    """A mail's reader and kind from its headers; else its address and subject."""
    reader = getattr(message, "reader", "") or message.to[0].partition("@")[0]
    kind = getattr(message, "kind", "") or message.subject
    return f"{slugify(reader)[:40] or 'somebody'}-{slugify(kind)[:40] or 'mail'}"
