"""R12, R15 What players state of a battle that waits: told to the sides that fight it, never to the public.

A row is plain JSON: `at` of the battle, `side` that states, `act`, `text`. A report names the losses of both sides,
and the retreats of its own; comments and notes are for the game master (NOTATION, Ruling 17).
"""

from collections.abc import Iterator, Sequence
from typing import Any

Json = dict[str, Any]
_SIDES = ("german", "allied")


def stated(audience: str, rows: Sequence[Json]) -> list[Json]:
    """What an audience may know of these statements, in order."""
    return [_as_told(audience, row) for row in rows if audience in _SIDES]


def _as_told(audience: str, row: Json) -> Json:
    if row["act"] == "statement" or row["side"] == audience:
        return row
    return {**row, "text": "\n".join(_of_a_report(row["text"]))}


def _of_a_report(text: str) -> Iterator[str]:
    for line in text.splitlines():
        words = line.partition("#")[0].split()
        if words and words[0].upper() not in ("NOTE", "RETREAT"):
            yield " ".join(words).upper()
