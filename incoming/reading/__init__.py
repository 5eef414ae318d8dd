"""What a mail says: whether a person wrote it, their orders and their words. Pure: no settings, no database."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from email.utils import parseaddr
from enum import StrEnum

BEGIN, END = "BEGIN ORDERS", "END ORDERS"
_QUOTE = re.compile(r"^\s*>\s?")


class Kind(StrEnum):
    """Who or what has written a mail."""

    REPLY = "reply"
    """A person."""
    AUTOMATIC = "automatic"
    BOUNCE = "bounce"


class Verdict(StrEnum):
    """What a mail server of ours says of the sender's address."""

    PASS = "pass"  # noqa: S105 - a word of mail servers
    FAIL = "fail"
    NONE = "none"


@dataclass(frozen=True)
class Reading:
    """A mail as read."""

    kind: Kind
    sender: str
    """The address in From; empty if there is none."""
    message_id: str
    subject: str
    orders: str | None
    """What is between BEGIN ORDERS and END ORDERS, without the lines that we sent; None: there is no such block."""
    words: str
    """Their own words above the quotation, without a signature."""
    problems: tuple[str, ...]
    """Sentences for the answer if nothing could be read."""


def read(raw: bytes, *, sent: Sequence[str]) -> Reading:
    """Read a mail. `sent`: the lines of the template that we sent, which are no orders of theirs."""
    mail = BytesParser(policy=policy.default).parsebytes(raw)
    text, problems = _text_of(mail)
    return Reading(
        kind=_kind_of(mail),
        sender=parseaddr(str(mail["From"] or ""))[1],
        message_id=str(mail["Message-ID"] or "").strip(),
        subject=str(mail["Subject"] or "").strip(),
        orders=_orders_in(text, {line.strip() for line in sent}),
        words=_words_in(text),
        problems=problems,
    )


def verdict(raw: bytes, authserv_id: str) -> Verdict:
    """What our own server, by its id, says of the sender. Only the topmost header counts: others may be planted."""
    mail = BytesParser(policy=policy.default).parsebytes(raw, headersonly=True)
    topmost = str(mail["Authentication-Results"] or "")
    named, _, results = topmost.partition(";")
    if not authserv_id or named.split()[:1] != [authserv_id]:
        return Verdict.NONE
    found = re.search(r"\bdmarc\s*=\s*(\w+)", results, re.IGNORECASE)
    said = found[1].lower() if found else ""
    return Verdict(said) if said in ("pass", "fail") else Verdict.NONE


def _kind_of(mail: EmailMessage) -> Kind:
    if mail.get_content_type() == "multipart/report":
        return Kind.BOUNCE
    automatic = str(mail["Auto-Submitted"] or "no").lower() != "no"
    bulk = str(mail["Precedence"] or "").lower() in ("bulk", "list", "junk")
    nobody = str(mail["Return-Path"] or "").strip() == "<>"
    return Kind.AUTOMATIC if automatic or bulk or nobody or mail["List-Id"] else Kind.REPLY


def _text_of(mail: EmailMessage) -> tuple[str, tuple[str, ...]]:
    body = mail.get_body(("plain",))
    if body is None:
        return "", ("The mail has no plain text. Set your mail program to write plain text, and send it again.",)
    try:
        return str(body.get_content()), ()
    except (LookupError, UnicodeError, ValueError):
        return "", ("The mail's characters could not be read. Set your mail program to UTF-8, and send it again.",)


def _orders_in(text: str, sent: set[str]) -> str | None:
    lines = [_QUOTE.sub("", line) for line in text.splitlines()]
    marks = [line.strip().upper() for line in lines]
    if BEGIN not in marks or END not in marks[marks.index(BEGIN) :]:
        return None
    begin = marks.index(BEGIN)
    inside = lines[begin + 1 : marks.index(END, begin)]
    return "\n".join(line for line in inside if line.strip() not in sent)


def _words_in(text: str) -> str:
    words: list[str] = []
    for line in text.splitlines():
        if _QUOTE.match(line) or line.rstrip() == "--" or line.strip().upper() == BEGIN:
            break
        words.append(line)
    return "\n".join(words).strip()
