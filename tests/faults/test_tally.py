"""The time until others take over is measured only for workers that died while resolving a phase."""

from pathlib import Path

import pytest

from campaign.models import PhaseState
from tests.faults.records import Record
from tests.faults.tally import reruns, windows
from tests.faults.watch import Claims, Look


def look(pk: int, state: PhaseState, fence: int, by: str = "") -> Look:
    return Look(pk, state, fence, by, artefacts=0, resolutions=0, mails=0, following=0)


def test_a_worker_that_died_when_its_claim_was_over_left_nothing_to_be_claimed_again(tmp_path: Path) -> None:
    deaths, watch, claims = Record(tmp_path, "deaths"), Record(tmp_path, "watch"), Claims()

    def see(*looks: Look) -> None:
        for each in looks:
            if news := claims.seen(each):
                watch.write(**news)

    see(look(1, PhaseState.LOCKED, 0), look(2, PhaseState.LOCKED, 0))
    see(look(1, PhaseState.RUNNING, 1, "runloop-11"), look(2, PhaseState.RUNNING, 1, "runloop-12"))
    see(look(1, PhaseState.RUNNING, 1, "runloop-11"), look(2, PhaseState.REVIEW, 1))
    for pid in (11, 12):
        deaths.write(pid=pid, role="loop", killed=True)
    see(look(2, PhaseState.RUNNING, 2, "tick"))
    assert reruns(tmp_path) == []
    see(look(1, PhaseState.RUNNING, 2, "tick"))
    assert len(reruns(tmp_path)) == 1


@pytest.mark.parametrize(("function", "counted"), [("_note", 1), ("_claim", 0)])
def test_a_sender_that_cannot_note_a_sent_mail_may_send_it_twice(tmp_path: Path, function: str, counted: int) -> None:
    trace = f'Traceback (most recent call last):\n  File "delivery.py", line 1, in {function}\n    update()\n'
    (tmp_path / "loop.log").write_text(f"ERROR trouble with the post\n{trace}OperationalError: disk is full\n")
    assert windows(tmp_path, {}) == counted
