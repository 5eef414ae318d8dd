"""Letters and signs in orders, in the simple form in which our notation has them."""

import re

from incoming.reading.text.lines import INVISIBLE

_SIMPLE: dict[int, str | int] = {
    **{
        code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)
    },  # full width, from Japanese, Chinese and Korean keyboards
    **dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63"), "-"),
    **dict.fromkeys(map(ord, "\u2018\u2019\u201a\u201b\u2032\u02bc\u00b4"), "'"),
    **dict.fromkeys(map(ord, "\u201c\u201d\u201e\u201f\u2033"), '"'),
    0x2026: "...",
}
_SPACE = re.compile(r"[\t\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_BOLD = re.compile(r"(?<![\w*])\*([^\s*](?:[^*]{0,200}[^\s*])?)\*(?![\w*])")


def simple(text: str) -> str:
    """A line of orders without invisible signs, with simple spaces, dashes, quotation marks and letters."""
    return _SPACE.sub(" ", INVISIBLE.sub("", text).translate(_SIMPLE))


def without_bold(text: str) -> str:
    """A line without the asterisks that stand for bold type in plain text."""
    return _BOLD.sub(r"\1", text)
