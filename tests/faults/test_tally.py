"""The time until others take over is measured only for workers that died while resolving a phase."""

import logging
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest.mock import patch

import pytest
from django.db import OperationalError, transaction

from campaign.engine.phases import Weight
from campaign.mail import notes
from campaign.mail.delivery import _claim, _failed
from campaign.mail.notes import note
from campaign.models import Campaign, OutboxMessage, OutboxState, PhaseState
from tests.faults.checks.records import Record
from tests.faults.checks.tally import reruns, windows
from tests.faults.checks.watch import KINDS, Claims, Look
from tests.faults.plan import EMBEDDED, LOOP, Plan
from tests.faults.site import processes
from tests.faults.site.processes import Machinery, Process


@pytest.fixture(autouse=True)
def forget_kept_notes() -> Iterator[None]:
    yield
    notes._UNWRITTEN.clear()


def look(pk: int, state: PhaseState, fence: int, by: str = "") -> Look:
    return Look(pk, state, fence, by, Weight.FULL.value, artefacts=0, pictures=0, resolutions=0, mails=0, following=0)


@pytest.mark.parametrize(
    ("weight", "pictures", "half"),
    [(Weight.FULL, 12, False), (Weight.FULL, 0, True), (Weight.REPLY, 0, False), (Weight.REPLY, 12, True)],
)
def test_a_full_phase_without_its_pictures_is_half_published(weight: Weight, pictures: int, *, half: bool) -> None:
    rows = {"artefacts": KINDS * 4 + 1, "resolutions": 1, "mails": 3, "following": 1}
    found = Look(1, PhaseState.PUBLISHED, 1, "", weight.value, pictures=pictures, **rows)
    assert found.is_half(readers=4) is half
    assert found._replace(artefacts=KINDS * 4).is_half(readers=4)


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


@pytest.mark.parametrize(("plan", "left"), [(Plan(1, EMBEDDED, lease=3), 0), (None, 2)], ids=["faults", "none"])
def test_what_runs_when_planned_faults_end_is_killed_and_may_have_sent_a_mail(
    plan: Plan | None, left: int, tmp_path: Path
) -> None:
    with (
        patch.object(processes, "adopt_orphans"),
        patch.object(processes, "children", return_value=[]),
        patch.object(processes, "_signal"),
        patch.object(os, "waitpid"),
    ):
        machinery = Machinery({}, {}, tmp_path, plan, running=[Process(LOOP, pid, 0) for pid in (11, 12)])
        machinery.calm()
    assert (len(machinery.running), windows(tmp_path, {})) == (left, 2 - left)


def claimed(pk: int) -> OutboxMessage:
    return OutboxMessage(pk=pk, campaign=Campaign(pk=1), to_addr="player@example.org")


@pytest.mark.parametrize(
    ("trouble", "counted"),
    [
        (lambda: note(claimed(7), state=OutboxState.SENT), 1),
        (lambda: _failed(claimed(7), "busy", refused=True), 1),
        (lambda: _claim(7), 0),
    ],
    ids=["sent", "refused", "never claimed"],
)
def test_a_sender_that_cannot_note_a_sent_mail_may_send_it_twice(
    trouble: Callable[[], object], counted: int, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with patch.object(transaction, "atomic", side_effect=OperationalError("disk is full")):
        with pytest.raises(OperationalError) as error:
            trouble()
        logging.getLogger("gm.machine").error("trouble with the post", exc_info=error.value)
    (tmp_path / "loop.log").write_text(caplog.text)
    assert windows(tmp_path, {}) == counted
