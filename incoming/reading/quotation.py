"""Where a mail quotes another, and where its writer's signature begins: what is left are their own words.

Mail programs announce a quotation in three ways: by a line such as "On Monday Anna wrote:", by a block of header lines
("From: ... Sent: ..."), or by a rule of dashes. mail-parser-reply knows them for many programs and languages; the
shape alone tells them in the others. Lines with quote marks need no announcement.
"""

import re
from collections.abc import Sequence

from mailparser_reply.constants import MAIL_LANGUAGES
from mailparser_reply.parser import EmailMessage

from incoming.reading import phrases
from incoming.reading.text.lines import SIGNATURE, Line
from incoming.reading.text.marks import Mark, mark_in

LONGEST_ANNOUNCEMENT = 300
"""Characters of the lines that announce a quotation."""
MOST_QUESTIONS = 60
"""How often the library is asked for one mail: some of its expressions take long."""
MOST_IN_A_HEADER = 8

_LABEL = re.compile(rf"[*_ ]{{0,3}}({phrases.LABELS})[*_]{{0,2}}[ \u00a0]?[*_]{{0,2}}[:\uff1a]", re.IGNORECASE)
_WROTE = re.compile(phrases.WROTE, re.IGNORECASE)
_ADDRESS = re.compile(r"[^\s<>@]{1,64}@[^\s<>@]{1,80}")
_DATE = re.compile(r"\d{1,2}[:.h]\d{2}|\d{4}|\d{1,2}[./-]\d{1,2}")
_DASHES = re.compile(r"\s{0,5}-{3,60}\s{0,5}[^\s-].{0,200}?-{3,60}\s{0,5}")
_RULE = re.compile(r"\s{0,5}[_\u2500\u2501*=-]{20,200}\s{0,5}")
_SENT_FROM = re.compile(
    rf"\W{{0,3}}(?:{phrases.SENT_FROM})|.{{0,60}}(?:{phrases.SENT_FROM_AT_THE_END})\W{{0,3}}$", re.I
)
_CONFIDENTIAL = re.compile(phrases.CONFIDENTIAL, re.IGNORECASE)
_MAIL = re.compile(phrases.MAIL, re.IGNORECASE)
_LIBRARY: re.Pattern[str] = EmailMessage(text="", languages=sorted(MAIL_LANGUAGES)).HEADER_REGEX
"""All headers of quotations that mail-parser-reply knows, in all its languages."""
_COLON = (":", "\uff1a")
LONGEST_SENT_FROM = 100
SHORTEST_DISCLAIMER = 60


class Quotation:
    """What of a mail's lines is somebody else's."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines = lines
        self.announced: set[int] = set()
        """Lines that announce a quotation."""
        self.boundary = len(lines)
        """Where a quotation without quote marks begins, which lasts to the end."""
        self._questions = 0
        self._find()

    def is_foreign(self, index: int) -> bool:
        """Whether a line is quoted or announces a quotation."""
        return index >= self.boundary or self.lines[index].depth > 0 or index in self.announced

    def _find(self) -> None:
        index = inside = 0
        while index < len(self.lines):
            if index >= inside:
                inside = self._end_of_block(index)
            length = self._announcement(index) if index >= inside else self._header(index)
            if length and not self._quote_marks_follow(index + length):
                self.boundary = index
                return
            self.announced.update(range(index, index + length))
            index += length or 1

    def _end_of_block(self, index: int) -> int:
        """Where a whole block of orders without quote marks ends that begins here; before here if none does.

        What looks like an announcement within it is an order, but for a whole header.
        """
        if self.lines[index].depth or mark_in(self.lines[index].text) is not Mark.BEGIN:
            return 0
        for at in range(index + 1, len(self.lines)):
            mark = mark_in(self.lines[at].text)
            if mark is not None:
                return at if mark is Mark.END and not self.lines[at].depth else 0
        return 0

    def _quote_marks_follow(self, index: int) -> bool:
        """Whether the next line with something in it is quoted."""
        following = (line for line in self.lines[index : index + 6] if line.text.strip() or line.depth)
        return next((line.depth > 0 for line in following), False)

    # --- what announces -----------------------------------------------------------------------------------------------

    def _announcement(self, index: int) -> int:
        """How many lines from here on announce a quotation; 0 if none does."""
        line = self.lines[index]
        if line.depth or not line.text.strip():
            return 0
        if _DASHES.fullmatch(line.text[:LONGEST_ANNOUNCEMENT]) and not set(line.text) <= set("- "):
            return 1
        if _RULE.fullmatch(line.text[:LONGEST_ANNOUNCEMENT]):
            start = self._next(index + 1)
            return start - index if start < len(self.lines) and self._header(start) else 0
        return self._header(index) or self._attribution(index)

    def _next(self, index: int) -> int:
        """The next line with something in it."""
        while index < len(self.lines) and not self.lines[index].text.strip():
            index += 1
        return index

    def _header(self, index: int) -> int:
        """How many lines of a quoted mail's header are here: three labels, two where a rule or the library says so."""
        if self.lines[index].depth or not _LABEL.match(self.lines[index].text):
            return 0
        rows = self._paragraph(index, MOST_IN_A_HEADER)
        labelled = [row for row in rows if _LABEL.match(row)]
        if len(labelled) >= 3 or (len(labelled) == 2 and index and _RULE.fullmatch(self.lines[index - 1].text)):
            return len(rows)
        return len(rows) if len(labelled) == 2 and self._library_knows("\n".join(rows)) else 0

    def _attribution(self, index: int) -> int:
        """How many lines from here on say who wrote what follows: one to three that end with a colon.

        Before quote marks an address is enough.
        """
        rows = self._paragraph(index, 3)
        for count in range(1, len(rows) + 1):
            text = " ".join(rows[:count])
            if len(text) > LONGEST_ANNOUNCEMENT:
                return 0
            if text.rstrip(" *_\u00a0").endswith(_COLON):
                starts = [" ".join(rows[at:count]) for at in range(count)]
                known = [self._says_who_and_when(start) for start in starts]
                if not any(known) and self._quote_marks_follow(index + count):
                    known = [_ADDRESS.search(start) is not None for start in starts]
                return count if known[0] and not any(known[1:]) else 0
        return 0

    def _says_who_and_when(self, text: str) -> bool:
        dated = _DATE.search(_ADDRESS.sub("", text))
        if dated and (_WROTE.search(text) or _ADDRESS.search(text)):
            return True
        return self._library_knows(text)

    def _library_knows(self, text: str) -> bool:
        self._questions += 1
        return self._questions <= MOST_QUESTIONS and _LIBRARY.search(text[:LONGEST_ANNOUNCEMENT]) is not None

    def _paragraph(self, index: int, most: int) -> list[str]:
        """The lines from here to the next blank or quoted one."""
        rows: list[str] = []
        for line in self.lines[index : index + most]:
            if line.depth or not line.text.strip():
                break
            rows.append(line.text.strip())
        return rows


# --- what the writer's program adds at the end ------------------------------------------------------------------------


def is_signature(line: Line) -> bool:
    """Whether a signature begins here."""
    return line.depth == 0 and line.text.rstrip() in {SIGNATURE, "__", "\u2014"}


def is_sent_from(line: Line) -> bool:
    """Whether a line is what a phone adds to a mail."""
    text = line.text.strip()
    return line.depth == 0 and len(text) <= LONGEST_SENT_FROM and _SENT_FROM.match(text) is not None


def is_disclaimer(line: Line) -> bool:
    """Whether a line is the start of what a company adds to every mail."""
    text = line.text[:2_000]
    return (
        line.depth == 0
        and len(text) >= (SHORTEST_DISCLAIMER if text.isascii() else SHORTEST_DISCLAIMER // 3)
        and _CONFIDENTIAL.search(text) is not None
        and _MAIL.search(text) is not None
    )
