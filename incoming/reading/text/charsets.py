"""Bytes of a mail as text, whatever the mail says of their charset.

Labels are wrong in known ways: Latin-1 that is Windows-1252, GB2312 that is GB18030, and UTF-8 under the name of
anything. Only charsets are decoded, none of Python's other codecs: some of those take a time that grows with the
square of their input.
"""

import codecs
import re
from typing import NamedTuple

WIDER = {
    "ascii": "utf-8",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "hz": "hz",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "big5": "cp950",
    "iso2022_jp": "iso2022_jp_ext",
}
"""Charsets that mail programs name when they use a wider one."""

LABELS = {
    "iso-8859-8-i": "iso8859-8",
    "iso-8859-8-e": "iso8859-8",
    "unicode-1-1-utf-7": "utf-7",
    "utf8mb4": "utf-8",
    "x-gbk": "gb18030",
    "x-sjis": "cp932",
    "x-windows-949": "cp949",
}
"""Labels that Python does not know."""

_CHARSET = re.compile(
    r"utf-(?:7|8|8-sig|16|16-le|16-be|32|32-le|32-be)|iso8859-\d+|cp\d+|koi8-[rtu]|mac-\w+|gb\w+|big5\w*|shift_jis\w*"
    r"|euc_\w+|iso2022_\w+|johab|hz|tis-620|ptcp154|kz1048"
)
_MULTIBYTE = re.compile(r"utf-|gb|big5|shift_jis|cp9(?:32|49|50)|euc_|iso2022_|johab|hz")
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
LONGEST_LABEL = 40


class Decoded(NamedTuple):
    """A text, and whether its letters are certain."""

    text: str
    certain: bool


def decode(data: bytes, label: str) -> Decoded:
    """The text of these bytes, by the charset of that label as far as it fits."""
    for bom, charset in _BOMS:
        if data.startswith(bom):
            return _in(data, charset) or Decoded(data.decode(charset, "replace"), certain=False)
    charset = charset_of(label)
    if charset.startswith("utf-16"):
        charset = _byte_order(data, charset)
    for name in _candidates(data, charset):
        found = _in(data, name)
        if found is not None:
            return found
    if _MULTIBYTE.match(charset):
        return Decoded(data.decode(charset, "replace"), certain=False)
    return Decoded(data.decode("cp1252", "replace"), certain=data.isascii())


def charset_of(label: str) -> str:
    """Python's name of the charset that is meant by a label; empty if it is none that we know."""
    try:
        label = label[:LONGEST_LABEL].strip(" \t\"'").lower()
        name = codecs.lookup(LABELS.get(label, label)).name
    except (LookupError, ValueError):
        return ""
    name = WIDER.get(name, name)
    return name if _CHARSET.fullmatch(name) else ""


def _candidates(data: bytes, charset: str) -> list[str]:
    """The charsets to try in turn. Text that happens to be UTF-8 is hardly ever anything else of a byte a letter."""
    escapes = b"\x1b$" in data or b"\x1b(" in data
    if not charset:
        return [*(["iso2022_jp_ext"] if escapes else []), *(["utf-16-le"] if _is_wide(data) else []), "utf-8"]
    if _MULTIBYTE.match(charset) or data.isascii():
        return [charset, *(["iso2022_jp_ext"] if escapes and charset == "utf-8" else []), "utf-8"]
    return ["utf-8", charset]


def _in(data: bytes, charset: str) -> Decoded | None:
    try:
        return Decoded(data.decode(charset), certain=True)
    except (UnicodeError, ValueError):
        return None


def _is_wide(data: bytes) -> bool:
    """Whether every second byte of the beginning is nothing, as in UTF-16 without its mark."""
    start = data[:400]
    return len(start) >= 8 and start[1::2].count(0) > len(start) // 3 and start[::2].count(0) == 0


def _byte_order(data: bytes, charset: str) -> str:
    """UTF-16 without its mark, in the order in which it makes sense."""
    start = data[:400]
    if charset == "utf-16" or not _in(data, charset):
        return "utf-16-le" if start[1::2].count(0) >= start[::2].count(0) else "utf-16-be"
    return charset
