"""Mails that are stored as TOML: raw text as it came in, and what reading it must give."""

import base64
import quopri
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from incoming.reading import Kind, read

MAILS = Path(__file__).parent / "mails"

_ENCODED = re.compile(
    r"^\[\[(base64|quoted-printable|8bit) ([\w-]+)\]\]\n(.*?)\n\[\[end\]\]$", re.DOTALL | re.MULTILINE
)
"""A text that is stored readable, with how it goes through the wire."""


@dataclass(frozen=True)
class Stored:
    """One mail of a file. README.md in the folder of the mails describes the form."""

    file: str
    client: str
    sent: tuple[str, ...]
    title: str
    raw: bytes
    language: str = ""
    expected: dict[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return f"{self.file}: {self.language or '-'}: {self.title}"


def stored_mails(folder: str) -> list[Stored]:
    """The mails of a folder with its subfolders."""
    return [mail for path in sorted((MAILS / folder).rglob("*.toml")) for mail in _of_file(path)]


def assert_read_as_meant(mail: Stored) -> None:
    """Every field of the reading is what the file says; of a problem it gives the beginning."""
    reading, expected = read(mail.raw, sent=mail.sent), mail.expected
    assert reading.kind is Kind(expected.get("kind", "reply"))
    assert reading.orders == expected.get("orders")
    assert reading.words == expected["words"]
    beginnings = expected.get("problems", [])
    assert len(reading.problems) == len(beginnings), reading.problems
    assert [told[: len(start)] for told, start in zip(reading.problems, beginnings, strict=True)] == beginnings
    assert reading.sender == expected["sender"]
    assert reading.message_id == expected["message_id"]
    assert reading.subject == expected["subject"]
    assert reading.bounced == expected.get("bounced", "")


def _of_file(path: Path) -> Iterator[Stored]:
    content = tomllib.loads(path.read_text(encoding="utf-8"))
    for mail in content["mail"]:
        raw = mail.pop("raw")
        newline = {"crlf": "\r\n", "lf": "\n"}[mail.pop("newline", "crlf")]
        yield Stored(
            file=str(path.relative_to(MAILS).with_suffix("")),
            client=content["client"],
            sent=tuple(mail.pop("sent", content["sent"])),
            title=mail.pop("title"),
            language=mail.pop("language", ""),
            raw=b"".join(_pieces(raw, newline)),
            expected=mail,
        )


def _pieces(raw: str, newline: str) -> Iterator[bytes]:
    """The bytes of a stored mail, with its encoded texts as they go through the wire."""
    start = 0
    for found in _ENCODED.finditer(raw):
        yield raw[start : found.start()].replace("\n", newline).encode()
        yield _encoded(found[1], (found[3] + "\n").replace("\n", newline).encode(found[2])).rstrip(b"\r\n")
        start = found.end()
    yield raw[start:].replace("\n", newline).encode()


def _encoded(encoding: str, data: bytes) -> bytes:
    if encoding == "base64":
        return base64.encodebytes(data).replace(b"\n", b"\r\n")
    if encoding == "quoted-printable":
        return quopri.encodestring(data.replace(b"\r\n", b"\n")).replace(b"\n", b"\r\n")
    return data
