"""The two lines between which orders are written, in the ways in which mail programs and people change them."""

import re
import unicodedata
from enum import Enum

from incoming.reading.text.lines import INVISIBLE

LONGEST_MARK = 80
_AROUND = (
    " \t*_=~-+.:;,!\"'`|()[]{}<>/\u2022\u00b7"
    "\u2010\u2011\u2012\u2013\u2014\u2015\u201c\u201d\u201e\u2018\u2019\u00ab\u00bb"
)
"""What may be around a mark: emphasis, punctuation, bullets."""
_BETWEEN_WORDS = re.compile(r"[\s_\u2010-\u2015-]+")
_FLATTENED = re.compile(r"\W{0,5}BEGIN\s{1,3}ORDERS\s+(?!and\b)\S", re.IGNORECASE)
_NEARLY = re.compile(r"(?:begin|start|end|ende?)\W{0,3}(?:of )?(?:the )?orders?")
_LOOKALIKES = str.maketrans(
    "\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0425\u0405\u0406\u0391\u0392\u0395\u0396\u0397"
    "\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a7\u0430\u0435\u043e\u0440\u0441\u0455\u0456\u03bf\u03c1\u0261"
    "\u0501\u0433",
    "ABEKMHOPCTXSIABEZHIKMNOPTXaeopcsiopgdr",
)
"""Cyrillic and Greek letters that look like ours."""


class Mark(Enum):
    BEGIN = "begin orders"
    END = "end orders"


def mark_in(text: str) -> Mark | None:
    """The mark that a line without its quote marks is: in any case, width and emphasis, with nothing else on it."""
    words = _words(text)
    return next((mark for mark in Mark if mark.value == words), None)


def is_nearly_mark(text: str) -> bool:
    """Whether a line looks like a mark to a person, but is none: other letters, other words, or orders next to it."""
    if mark_in(text) is not None:
        return False
    words = _words(text.translate(_LOOKALIKES))
    return _NEARLY.fullmatch(words) is not None or _FLATTENED.match(text) is not None


def _words(text: str) -> str:
    if len(text) > LONGEST_MARK:
        return ""
    bare = unicodedata.normalize("NFKC", INVISIBLE.sub("", text)).strip(_AROUND).casefold()
    return _BETWEEN_WORDS.sub(" ", bare)
