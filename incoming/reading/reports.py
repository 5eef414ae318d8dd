"""What a mail server reports of a mail of ours: that it could not deliver it, or has not yet."""

import re
from collections.abc import Iterator
from email.iterators import typed_subpart_iterator
from email.message import Message

from incoming.reading.kinds import MOST_OF_A_BOUNCE, failures
from incoming.reading.results import Fate, Report
from incoming.reading.text.message import TooComplicated, end_of_headers, normal, take_apart

MOST_IDS = 20
"""The names of returned mails that are read."""

_STATUS = re.compile(r"(?<![\w.])([45]\.\d{1,3}\.\d{1,3})(?![\w]|\.\d)")
"""A status as RFC 3463 writes it, which is no part of an address or a version."""
_REPLY = re.compile(r"(?<![\w.-])([45])\d\d[ -]")
"""A reply of SMTP."""
_RETURNED = re.compile(rb"^[> ]{0,4}Message-ID:[ \t]*(?:\n[ \t]+)?(<[^<>@\s]{1,100}@[^<>@\s]{1,255}>)", re.M | re.I)


def read_report(raw: bytes) -> Report:
    """What a mail reports of the delivery of ours. Never raises: what cannot be read reports nothing.

    Only flufl.bounce decides whether a mail is lost or late; a mail that says both is about a lost one.
    """
    raw = normal(raw)
    try:
        message = take_apart(raw)
    except TooComplicated:
        return Report(Fate.UNKNOWN)
    late, failed = failures(raw)
    if failed:
        last = _failed(message) or (each.decode("ascii", "replace").lower() for each in failed)
        return Report(Fate.LOST, _status(raw, message), _returned(raw), frozenset(last))
    return Report(Fate.LATE, returned=_returned(raw)) if late else Report(Fate.UNKNOWN)


def _failed(message: Message) -> frozenset[str]:
    """The final recipients in a report for programs; none if it has no such part.

    flufl.bounce prefers the original ones, to which the mail was addressed before it was passed on (RFC 3464, 2.3).
    """
    blocks = (block for block in _blocks(message) if _has_failed(block))
    found = (str(block.get("final-recipient", ""))[:400].partition(";")[2].strip(" \t<>").lower() for block in blocks)
    return frozenset(each for each in found if "@" in each)


def _has_failed(block: Message) -> bool:
    return str(block.get("action", "")).strip().lower().startswith(("fail", "error"))


def _status(raw: bytes, message: Message) -> str:
    """The server's status: from the report for programs, else from its words; empty if it gives none.

    A reply without such a status is told by its first digit alone.
    """
    for block in _blocks(message):
        found = _STATUS.search(str(block.get("status", ""))[:100])
        if found and _has_failed(block):
            return _more_exact(found[1], str(block.get("diagnostic-code", ""))[:1000])
    words = _words(raw)
    if found := _STATUS.search(words):
        return found[1]
    reply = _REPLY.search(words)
    return f"{reply[1]}.0.0" if reply else ""


def _more_exact(status: str, diagnostic: str) -> str:
    """The status of the server that refused the mail, where the one that reports it says nothing but that it failed."""
    found = _STATUS.search(diagnostic) if status[1:] == ".0.0" else None
    return found[1] if found and found[1][0] == status[0] else status


def _blocks(message: Message) -> Iterator[Message]:
    """The parts of a report for programs, one for each address."""
    for part in typed_subpart_iterator(message, "message", "delivery-status"):
        if part.is_multipart():
            yield from (block for block in part.get_payload() if isinstance(block, Message))


def _words(raw: bytes) -> str:
    """The words of a report up to our own mail, which it quotes."""
    text = raw[end_of_headers(raw) : MOST_OF_A_BOUNCE]
    end = _OURS.search(text)
    return text[: end.start() if end else len(text)].decode("ascii", "replace")


_OURS = re.compile(rb"^(?:Return-Path|Received|Auto-Submitted|Message-ID):", re.M | re.I)


def _returned(raw: bytes) -> tuple[str, ...]:
    """The names of the mails that a report quotes: not its own."""
    found = _RETURNED.findall(raw, end_of_headers(raw))
    return tuple(dict.fromkeys(each.decode("ascii", "replace") for each in found[:MOST_IDS]))
