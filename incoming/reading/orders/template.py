"""The order template that we sent, to tell its lines from those that somebody wrote."""

import re
import unicodedata
from collections.abc import Iterable, Sequence

from incoming.reading.orders.characters import simple
from incoming.reading.text.lines import Line

MOST_WRAPPED = 8
"""Lines into which a mail program breaks one of ours."""

COMMENT = "#"

_LEFT_OUT = re.compile(r"[\s*\\]+")


def squash(text: str) -> str:
    """A line in the form for comparing: what mail programs change on the way makes no difference.

    Marks of comments and paths stay: to take the # from one of our lines is to write an order.
    """
    return _LEFT_OUT.sub("", simple(unicodedata.normalize("NFKC", text))).casefold()


class Template:
    """The lines that our mail had between its marks."""

    def __init__(self, sent: Iterable[str]) -> None:
        self._lines = [key for key in map(squash, sent) if key]
        self._known = frozenset(self._lines)
        self._all = "".join(self._lines)

    def is_unchanged(self, rows: Sequence[Line], *, below: bool, cut_off: bool) -> bool:
        """Whether lines without quote marks say nothing but our template, of which some may be missing.

        Where nobody quotes (not `below`), one of our lines alone is what somebody wrote, unless it is a comment.
        """
        rest = self.without(rows, quoted_only=False)
        if cut_off and rest and any(line.startswith(squash(rest[-1].text)) for line in self._lines):
            rest = rest[:-1]
        if any(row.text.strip() for row in rest):
            return False
        written = [squash(row.text) for row in rows]
        return below or "".join(written) in ("", self._all) or any(line.startswith(COMMENT) for line in written)

    def without(self, rows: Sequence[Line], *, quoted_only: bool = True) -> list[Line]:
        """The lines that are not ours: those with a quote mark that are equal to one that we sent are left out."""
        kept: list[Line] = []
        index = 0
        while index < len(rows):
            ours = 0 if quoted_only and not rows[index].depth else self._length(rows, index)
            if not ours:
                kept.append(rows[index])
            index += ours or 1
        return kept

    def _length(self, rows: Sequence[Line], index: int) -> int:
        """How many lines from here on are one of ours, which may be broken into several; 0 if they are none."""
        written = ""
        for length, row in enumerate(rows[index : index + MOST_WRAPPED], 1):
            written += squash(row.text)
            if written in self._known:
                return length
        return 0
