"""Bytes as a message with its headers, within limits that keep time and memory in proportion to its size.

The standard library takes a mail apart. What it would do slowly is refused before: parts nested deeply, thousands of
parts, endless header fields.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message
from email.parser import BytesHeaderParser
from email.utils import getaddresses

from incoming.reading.text.charsets import decode
from incoming.reading.text.lines import INVISIBLE

MOST_BYTES = 16 * 1024 * 1024
MOST_HEADER_BYTES = 256 * 1024
MOST_NESTED = 24
"""Parts that may hold other parts."""
MOST_LOOKS = 64 * 1024 * 1024
"""Bytes that the parser looks at, once for every part around them."""
MOST_STARTS = 2_000
"""Lines that may begin a part."""
LONGEST_PART_HEADER = 64 * 1024
MOST_FIELDS = 1_000
"""Header fields that describe parts; each part has one to four."""
LONGEST_FIELD = 4_000
MOST_PARAMETERS = 60
LONGEST_VALUE = 2_000
"""Characters of a header that are read."""
LONGEST_SUBJECT = 300
MOST_COMMENTS = 20
"""In an address; each may be within another."""

_NESTING = re.compile(rb"(?:multipart|message)/", re.IGNORECASE)
_PART_OR_MAIL = re.compile(rb"^--[^\n]*\n|message/[^\n]*\n(?:[^\n]+\n)*\n", re.IGNORECASE | re.MULTILINE)
"""Where a part may begin, or a mail within the mail."""
_HEADER_LINE = re.compile(rb"[!-9;-~]{1,100}:")
_FIELD = re.compile(rb"^content-[a-z-]{1,30}:[^\n]*(?:\n[ \t][^\n]*)*", re.IGNORECASE | re.MULTILINE)
_SPACES = re.compile(r"\s+")
_ADDRESS = re.compile(r"[^\s<>\"(),:;@\[\]\\]{1,128}@[^\s<>\"(),:;@\\]{1,255}")
_MESSAGE_ID = re.compile(r"<[^<>@\s]{1,400}@[^<>@\s]{1,400}>")


class TooComplicated(Exception):
    """A mail is beyond the limits. The message names the limit."""


@dataclass(frozen=True)
class Headers:
    """The header fields of a mail: every value by its name in small letters, in their order."""

    values: Mapping[str, Sequence[str]]

    def first(self, name: str) -> str:
        """The first value of that name; empty if there is none."""
        return next(iter(self.values.get(name, ())), "")


def normal(raw: bytes) -> bytes:
    """The same bytes with lines that end in a line feed. A lone carriage return ends no line of the headers."""
    raw = raw.replace(b"\r\n", b"\n")
    at = end_of_headers(raw)
    return raw[:at].replace(b"\r", b" ") + raw[at:].replace(b"\r", b"\n")


def end_of_headers(raw: bytes) -> int:
    """Where the headers of `normal` bytes end."""
    at = 0 if raw.startswith(b"\n") else raw.find(b"\n\n")
    return at if at >= 0 else len(raw)


def take_apart(raw: bytes) -> Message:
    """The message of `normal` bytes; TooComplicated if it would take too long."""
    if len(raw) > MOST_BYTES:
        raise TooComplicated(f"it has more than {MOST_BYTES // 2**20} MB")
    if end_of_headers(raw) > MOST_HEADER_BYTES:
        raise TooComplicated("its header is too long")
    require_few_parts(raw)
    return message_from_bytes(raw, policy=policy.compat32)


def require_few_parts(raw: bytes) -> None:
    """Raise TooComplicated if `normal` bytes have more parts, or parts with longer headers, than we take apart."""
    _check_parts(raw)
    _check_descriptions(raw)


def _check_parts(raw: bytes) -> None:
    """Refuses too many parts, also those without a description, and parts with endless headers."""
    nested = len(_NESTING.findall(raw))
    if nested > MOST_NESTED or (nested + 1) * len(raw) > MOST_LOOKS:
        raise TooComplicated("it has too many parts within parts")
    starts = [found.end() for found in _PART_OR_MAIL.finditer(raw)]
    if len(starts) > MOST_STARTS:
        raise TooComplicated("it has too many parts")
    for start in starts if nested else ():
        window = raw[start : start + LONGEST_PART_HEADER] if _HEADER_LINE.match(raw, start) else b""
        if len(window) == LONGEST_PART_HEADER and b"\n\n" not in window:
            raise TooComplicated("the header of one of its parts is too long")


def _check_descriptions(raw: bytes) -> None:
    for number, field in enumerate(_FIELD.finditer(raw), 1):
        if number > MOST_FIELDS:
            raise TooComplicated("it has too many parts")
        if len(field[0]) > LONGEST_FIELD or field[0].count(b";") > MOST_PARAMETERS:
            raise TooComplicated("the description of one of its parts is too long")


def only_headers(raw: bytes) -> Message:
    """The message of `normal` bytes without its text, which is not looked at, and with the start of its headers."""
    return BytesHeaderParser(policy=policy.compat32).parsebytes(raw[: min(end_of_headers(raw), MOST_HEADER_BYTES)])


def headers_of(message: Message) -> Headers:
    """The header fields of a message, each no longer than we read."""
    found: dict[str, list[str]] = {}
    for name, value in message.raw_items():
        found.setdefault(name.lower(), []).append(str(value)[:LONGEST_VALUE])
    return Headers(found)


def decoded(value: str) -> str:
    """The text of a header on one line: encoded words and raw bytes are decoded, as far as they can be."""
    value = _SPACES.sub(" ", value)
    try:
        parts = decode_header(value) if "=?" in value else [(value, None)]
    except (HeaderParseError, ValueError):
        parts = [(value, None)]
    text = "".join(_decoded_part(part, charset) for part, charset in parts)
    return _SPACES.sub(" ", INVISIBLE.sub("", text)).strip()


def _decoded_part(part: bytes | str, charset: str | None) -> str:
    if isinstance(part, str):
        part = part.encode("utf-8", "surrogateescape")
    return decode(part, charset or "utf-8").text


def sender_of(headers: Headers) -> str:
    """The one address in the one From, as it is written there; empty if there is none or more than one."""
    fields = headers.values.get("from", ())
    if len(fields) != 1:
        return ""
    value = _restored(_SPACES.sub(" ", fields[0]))
    if value.count("(") > MOST_COMMENTS:
        return ""
    found = [address for _, address in getaddresses([value]) if address]
    return found[0] if len(found) == 1 and found[0] in value and _ADDRESS.fullmatch(found[0]) else ""


def _restored(value: str) -> str:
    """Raw bytes of a header as text, so that an address with other letters than ours can be read."""
    return value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def message_id_of(headers: Headers) -> str:
    fields = [value.strip() for value in headers.values.get("message-id", ())]
    return fields[0] if len(fields) == 1 and fields[0].isascii() and _MESSAGE_ID.fullmatch(fields[0]) else ""


def subject_of(headers: Headers) -> str:
    return decoded(headers.first("subject"))[:LONGEST_SUBJECT]
