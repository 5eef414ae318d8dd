"""What somebody wrote in words: what is left of a mail without quotation, signature and orders."""

from collections.abc import Collection, Sequence

from incoming.reading.quotation import Quotation, is_disclaimer, is_sent_from, is_signature
from incoming.reading.text.lines import Line


def words_of(quotation: Quotation, blocks: Collection[int]) -> str:
    """The writer's own words, without the lines of blocks of orders; paragraphs are apart by one blank line."""
    own: list[str] = []
    signed = False
    for index, line in enumerate(quotation.lines):
        if index >= quotation.boundary:
            break
        if quotation.is_foreign(index):
            signed = False
            own.append("")
        elif index not in blocks:
            signed = signed or is_signature(line) or is_disclaimer(line)
            own.append("" if signed else line.text.strip())
    return _joined(_without_sent_from(own))


def _without_sent_from(rows: Sequence[str]) -> list[str]:
    """Without what a phone adds, at the end of what is written or right before a quotation."""
    return [
        "" if row and is_sent_from(Line(row)) and not (index + 1 < len(rows) and _continues(rows[index + 1])) else row
        for index, row in enumerate(rows)
    ]


def _continues(row: str) -> bool:
    return bool(row) and not is_sent_from(Line(row))


def _joined(rows: Sequence[str]) -> str:
    kept: list[str] = []
    for row in rows:
        if row or (kept and kept[-1]):
            kept.append(row)
    return "\n".join(kept).strip()
