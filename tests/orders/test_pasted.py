"""What a forum post or a mail adds to orders is taken out, and nothing else."""

import time

import pytest

from orders.writing.pasted import cleaned


@pytest.mark.parametrize(
    ("text", "left", "taken_out"),
    [
        ("MOVE 1 SS K15-K14 # [north] of the river > there\nREADY\n", None, ()),
        ("> HOLD 1 SS\n>> HOLD 2 Pz\n> > READY", "HOLD 1 SS\nHOLD 2 Pz\nREADY", ("quote marks",)),
        ("[quote=Model]\n[b]HOLD[/b] 1 SS\n[/quote]", "HOLD 1 SS", ("forum tags",)),
        ('[quote="Model" post_id=7]HOLD 1 SS[/quote]', "HOLD 1 SS", ("forum tags",)),
        ("```text\nHOLD 1 SS\n```", "HOLD 1 SS", ("code fences",)),
        ("- HOLD 1 SS\n* HOLD 2 Pz\n\u2022 READY", "HOLD 1 SS\nHOLD 2 Pz\nREADY", ("bullets",)),
        (
            "Hello,\nBEGIN ORDERS\nHOLD 1 SS\nEND ORDERS\nBye",
            "HOLD 1 SS",
            ("what is outside BEGIN ORDERS and END ORDERS",),
        ),
        (
            "> On Monday Model wrote:\n> BEGIN ORDERS\n> HOLD 1 SS\n> HOLD 2 Pz\n> END ORDERS",
            "HOLD 1 SS\nHOLD 2 Pz",
            ("quote marks", "what is outside BEGIN ORDERS and END ORDERS"),
        ),
        ("BEGIN ORDERS\nHOLD 1 SS", "HOLD 1 SS", ("what is outside BEGIN ORDERS and END ORDERS",)),
        ("HOLD 1 SS\r\n[i]READY[/i]", "HOLD 1 SS\nREADY", ("forum tags",)),
    ],
)
def test_marks_are_taken_out(text: str, left: str | None, taken_out: tuple[str, ...]) -> None:
    found = cleaned(text)
    assert (found.text, found.taken_out) == (text if left is None else left, taken_out)
    assert cleaned(found.text).taken_out == ()


@pytest.mark.parametrize("part", ["[b=", ">", " ", "- ", "[quote", "BEGIN ORDERS\n"])
def test_the_time_grows_no_faster_than_the_length(part: str) -> None:
    ratio = _least_seconds(part, 65_536) / _least_seconds(part, 8_192)
    assert ratio < 24, "linear: 8; quadratic: 64"


def _least_seconds(part: str, length: int) -> float:
    return min(_seconds(part * (length // len(part))) for _ in range(5))


def _seconds(text: str) -> float:
    start = time.process_time()
    cleaned(text)
    return time.process_time() - start
