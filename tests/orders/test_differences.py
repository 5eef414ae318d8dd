"""Differences of two texts of a sheet."""

import pytest

from orders.writing.differences import ChangedLine, differences

MARKS = {"same": " ", "added": "+", "removed": "-"}


def marked(changes: tuple[ChangedLine, ...]) -> list[str]:
    return [f"{MARKS[each.change.value]}{each.text}" for each in changes]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("HOLD 1 SS\n", "HOLD 1 SS", []),
        ("HOLD 1 SS\nHOLD 2 Pz", "HOLD 1 SS\r\nHOLD 3 FJ\r\nHOLD 2 Pz", [" HOLD 1 SS", "+HOLD 3 FJ", " HOLD 2 Pz"]),
        ("HOLD 1 SS\nHOLD 2 Pz", "HOLD 2 Pz", ["-HOLD 1 SS", " HOLD 2 Pz"]),
        ("HOLD 1 SS", "MOVE 1 SS K15", ["-HOLD 1 SS", "+MOVE 1 SS K15"]),
        ("HOLD 1 SS", "", ["-HOLD 1 SS", "+"]),
    ],
)
def test_lines_are_kept_added_or_removed(before: str, after: str, expected: list[str]) -> None:
    assert marked(differences(before, after)) == expected


def test_the_longest_texts_are_compared_as_far_as_sheets_are_read() -> None:
    long = "\n".join(f"# {number % 120}" for number in range(12_000))
    assert len(differences(long, f"READY\n{long}")) <= 2_000
