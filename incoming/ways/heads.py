"""What the headers of a mail say of its envelope, which mailboxes and providers do not keep."""

import re
from collections.abc import Iterable
from email.message import Message
from email.parser import BytesHeaderParser
from email.policy import compat32

from django.conf import settings

_DELIVERED = ("Delivered-To", "X-Original-To", "Envelope-To", "X-Envelope-To", "X-Delivered-To", "X-Forwarded-To")
"""Where servers write for whom they took a mail."""
_WRITTEN = ("To", "Cc", "Bcc", "Resent-To", "Resent-Cc")
_ADDRESS = re.compile(r"[^\s<>,;:\"'()\[\]@]{1,200}@[A-Za-z0-9.-]{1,200}")
MOST = 20
"""The addresses of one mail that are looked up. Who writes orders names one."""
LARGEST_HEAD = 256 * 1024


def recipients(head: bytes, envelope: Iterable[str] = ()) -> list[str]:
    """The addresses of our domain that a mail's envelope and headers name, those of its envelope first.

    It takes any bytes: who writes a header that no program reads has written no address there.
    """
    headers = BytesHeaderParser(policy=compat32).parsebytes(head)
    named = [*envelope, *(value for name in (*_DELIVERED, *_WRITTEN) for value in _values(headers, name))]
    found = [address.lower().rstrip(".") for value in named for address in _ADDRESS.findall(value)]
    ours = [address for address in found if address.endswith(f"@{settings.MAIL_IN_DOMAIN}")]
    return list(dict.fromkeys(ours))[:MOST]


def is_from_nobody(head: bytes) -> bool:
    """Whether a mail's envelope named no sender, as the server that delivered it has noted."""
    headers = BytesHeaderParser(policy=compat32).parsebytes(head)
    return any(value.strip() == "<>" for value in _values(headers, "Return-Path"))


def head_of(raw: bytes) -> bytes:
    """The headers of a mail."""
    end = _END.search(raw, 0, LARGEST_HEAD)
    return raw[: end.start() if end else LARGEST_HEAD]


def headers_only(head: bytes) -> bytes:
    """A mail of headers alone, in the place of one that is too large."""
    return head.rstrip(b"\r\n") + b"\r\n\r\n"


_END = re.compile(rb"\r?\n\r?\n")


def _values(headers: Message, name: str) -> list[str]:
    """The values of a header, whatever bytes are in them."""
    return [str(value) for value in headers.get_all(name, [])]
