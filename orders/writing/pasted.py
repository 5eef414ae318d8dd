"""Orders that were copied from a forum post or a mail: what is not of the orders is taken out."""

import re
from dataclasses import dataclass

from campaign.engine.orders.notation import lines_of

_BEGIN = re.compile(r"\s*BEGIN ORDERS\s*", re.IGNORECASE)
_END = re.compile(r"\s*END ORDERS\s*", re.IGNORECASE)
_QUOTED = re.compile(r"^\s*(?:>\s?)+")
_FENCE = re.compile(r"\s*(```|~~~).*")
_BULLET = re.compile(r"^\s*[*\u2022\u00b7\u2013-]\s+(?=\w)")
_TAGS = "b|i|u|s|code|quote|list|spoiler|size|color|colour|font|center|left|right|url|img|indent|pre|\\*"
_TAG = re.compile(rf"\[/?(?:{_TAGS})(?:[= ][^\[\]]{{0,300}})?\]", re.IGNORECASE)


@dataclass(frozen=True)
class Cleaned:
    """A pasted text without the marks of the place that it comes from."""

    text: str
    taken_out: tuple[str, ...]
    """What was taken out, in words; empty if the text is unchanged."""


def cleaned(text: str) -> Cleaned:
    """The orders of a pasted text: without quote marks, tags, code fences, bullets and what is around the orders."""
    rows = lines_of(text)
    taken_out = []
    for words, step in _STEPS:
        done = step(rows)
        if done != rows:
            taken_out.append(words)
            rows = done
    return Cleaned("\n".join(rows) if taken_out else text, tuple(taken_out))


def _unquoted(rows: list[str]) -> list[str]:
    return [_QUOTED.sub("", row, count=1) if _QUOTED.match(row) else row for row in rows]


def _without_tags(rows: list[str]) -> list[str]:
    """Without the tags of forums; a line that had nothing else is left out."""
    found = ((row, _TAG.sub("", row)) for row in rows)
    return [bare if row != bare else row for row, bare in found if row == bare or bare.strip()]


def _without_fences(rows: list[str]) -> list[str]:
    return [row for row in rows if not _FENCE.fullmatch(row)]


def _without_bullets(rows: list[str]) -> list[str]:
    return [_BULLET.sub("", row, count=1) for row in rows]


def _between(rows: list[str]) -> list[str]:
    """The lines between BEGIN ORDERS and END ORDERS, of every such block; all lines if there is none."""
    if not any(_BEGIN.fullmatch(row) for row in rows):
        return [row for row in rows if not _END.fullmatch(row)]
    inside, kept = False, []
    for row in rows:
        if _BEGIN.fullmatch(row) or _END.fullmatch(row):
            inside = bool(_BEGIN.fullmatch(row))
        elif inside:
            kept.append(row)
    return kept


_STEPS = (
    ("quote marks", _unquoted),
    ("forum tags", _without_tags),
    ("code fences", _without_fences),
    ("what is outside BEGIN ORDERS and END ORDERS", _between),
    ("bullets", _without_bullets),
)
