"""The parts of a message: the text that its sender sees as the mail, and what is only attached to it."""

import re
from binascii import a2b_base64
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import Message
from itertools import chain, takewhile

from incoming.reading.text.charsets import decode
from incoming.reading.text.lines import MOST_LINES, Line, Text, flowed, limited, plain
from incoming.reading.text.marks import Mark, mark_in
from incoming.reading.text.markup import text_of_html
from incoming.reading.text.message import decoded

MOST_TEXT = 1024 * 1024
"""Bytes of a text that are read."""
MOST_PARTS = 300
"""Parts of a mail that are looked at."""
MOST_ALTERNATIVES = 4
"""Parts that say the same and are looked at."""

_BASE64 = re.compile(rb"[A-Za-z0-9+/=]*")
SHORTEST_BASE64 = 16
"""Letters that tell base64 from a word."""
_META_CHARSET = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?([\w-]{1,40})", re.IGNORECASE)
_ENCRYPTED = {"multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime"}
_NO_ORDERS = re.compile(
    r"image/|audio/|video/|font/|text/(?:calendar|x-?vcard|directory|x-amp-html)"
    r"|application/(?:pgp-|(?:x-)?pkcs7-|ics|pgp)|message/(?:delivery|disposition)"
)
"""Attachments in which nobody writes orders."""


@dataclass(frozen=True)
class Body:
    """What a mail says, and what else is in it."""

    text: Text
    attached: tuple[str, ...]
    """Names of attachments in which orders might be."""
    encrypted: bool
    certain: bool
    """Its letters are certain."""


@dataclass
class _Found:
    """Parts that have been met on the way."""

    texts: list[Text]
    attached: list[str]
    encrypted: bool = False
    certain: bool = True
    parts: int = 0

    @property
    def full(self) -> bool:
        """Whether no more can be read."""
        return self.parts > MOST_PARTS or sum(len(text.lines) for text in self.texts) >= MOST_LINES


def body_of(message: Message) -> Body:
    """The text of a mail, from its plain text or, where that has none of our marks, from its HTML."""
    found = _Found([], [])
    _collect(message, found)
    text = limited(chain.from_iterable(text.lines for text in found.texts))
    whole = text.whole and not found.full and all(each.whole for each in found.texts)
    return Body(Text(text.lines, whole), tuple(found.attached), found.encrypted, found.certain)


def _collect(part: Message, found: _Found) -> None:
    found.parts += 1
    if found.full:
        return
    kind = part.get_content_type()
    if kind in _ENCRYPTED:
        found.encrypted = True
    elif _is_attached(part):
        found.attached += [] if _NO_ORDERS.match(kind) else [_name_of(part)]
    elif kind == "multipart/alternative":
        _choose(part, found)
    elif part.is_multipart():
        for each in _parts(part):
            _collect(each, found)
    elif part.get_content_maintype() == "text":
        found.texts.append(_text_of(part, found))


def _parts(part: Message) -> list[Message]:
    """The parts of a part; a message that calls itself a multipart may have a text in their place."""
    payload = part.get_payload() if part.is_multipart() else None
    return [each for each in payload if isinstance(each, Message)] if isinstance(payload, list) else []


def _is_attached(part: Message) -> bool:
    """Whether a part is apart from the mail's text: attached, named, or a message of its own."""
    if part.get_content_maintype() == "message":
        return True
    if part.is_multipart() or part.get_content_maintype() == "multipart":
        return False
    if part.get_content_type() not in {"text/plain", "text/html", "text/enriched", "text/markdown"}:
        return True
    return part.get_content_disposition() == "attachment" or bool(_filename(part))


def _name_of(part: Message) -> str:
    named = decoded(_filename(part))[:80]
    return named or ("a mail within your mail" if part.get_content_maintype() == "message" else "without a name")


def _filename(part: Message) -> str:
    """The name of a part; empty if it has none, or one in a charset that Python cannot use."""
    try:
        return str(part.get_filename() or "")
    except ValueError:
        return ""


# --- the same text twice ----------------------------------------------------------------------------------------------


def _choose(part: Message, found: _Found) -> None:
    """Of parts that say the same: the first with our marks, else the first with words.

    Plain text comes first. It may be a stub, or have lost its lines on the way.
    """
    best: _Found | None = None
    for each in _parts(part)[:MOST_ALTERNATIVES]:
        one = _Found([], found.attached, parts=found.parts)
        _collect(each, one)
        found.parts = one.parts
        found.encrypted = found.encrypted or one.encrypted
        if best is None or _rank(one) > _rank(best):
            best = one
    if best is not None:
        found.texts += best.texts
        found.certain = found.certain and best.certain


def _rank(found: _Found) -> tuple[bool, bool]:
    lines = [line for text in found.texts for line in text.lines]
    return any(mark_in(line.text) is Mark.BEGIN for line in lines), any(line.text.strip() for line in lines)


# --- one text ---------------------------------------------------------------------------------------------------------


def _text_of(part: Message, found: _Found) -> Text:
    data = _bytes_of(part)
    is_html = part.get_content_type() == "text/html"
    label = _parameter(part, "charset")
    if is_html and not label and (meta := _META_CHARSET.search(data[:2_000])):
        label = meta[1].decode("ascii", "replace")
    content = decode(data[:MOST_TEXT], label if len(data) <= MOST_TEXT else label or "utf-8")
    found.certain = found.certain and (content.certain or len(data) > MOST_TEXT)
    text = text_of_html(content.text) if is_html else limited(_plain_lines(part, content.text))
    return Text(text.lines, text.whole and len(data) <= MOST_TEXT)


def _plain_lines(part: Message, text: str) -> Iterator[Line]:
    if _parameter(part, "format").lower() == "flowed":
        return flowed(text, delete_space=_parameter(part, "delsp").lower() == "yes")
    return plain(text)


def _parameter(part: Message, name: str) -> str:
    """A parameter of the part's type; empty if it has none. A charset of the parameter itself is left out."""
    value = part.get_param(name, "")
    return str(value[2] if isinstance(value, tuple) else value or "")


def _bytes_of(part: Message) -> bytes:
    """The bytes of a part without its transfer encoding, as far as it can be undone."""
    encoding = str(part.get("content-transfer-encoding", "") or "").strip().lower()
    if encoding == "base64":
        del part["content-transfer-encoding"]
    payload = part.get_payload(decode=True)
    data = payload if isinstance(payload, bytes) else b""
    return _from_base64(data) if encoding == "base64" else data


def _from_base64(payload: bytes) -> bytes:
    """The bytes that base64 stands for, without what a list or a scanner wrote below it in plain letters.

    A text that merely calls itself base64 is returned unchanged.
    """
    rows = [row.strip() for row in payload.split(b"\n") if row.strip()]
    encoded = b"".join(takewhile(_BASE64.fullmatch, rows))
    if len(encoded) < min(SHORTEST_BASE64, sum(map(len, rows))):
        return payload
    encoded = encoded.replace(b"=", b"")
    return a2b_base64(encoded[: len(encoded) - (len(encoded) % 4 == 1)] + b"==")
