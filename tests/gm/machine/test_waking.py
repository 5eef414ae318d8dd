"""Hints that wake workers: sent after the commit if a broker is there; a broker in trouble keeps nobody waiting."""

import ast
import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from django.test import Client
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from campaign.core import workers
from campaign.core.workers import Job, wake_workers
from campaign.models import Phase, User
from deploy import settings as deployed
from gm import tasks
from gm.phases.lifecycle import approve
from gm.phases.locking import lock
from tests.gm.campaigns import live, send

ROOT = Path(__file__).parents[3]

Capture = DjangoCaptureOnCommitCallbacks


@pytest.fixture
def hints(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> list[tuple[Job, int]]:
    """The hints that are sent, with a broker that is only said to be there."""
    settings.BROKER_URL = "redis://nowhere"
    heard: list[tuple[Job, int]] = []
    monkeypatch.setattr(workers, "_send", lambda bell, pk: heard.append((bell, pk)))
    return heard


@pytest.mark.django_db
@pytest.mark.usefixtures("time", "blank_maps")
def test_readiness_a_lock_and_an_approval_wake_workers(
    hints: list[tuple[Job, int]], draft: Phase, author: User, django_capture_on_commit_callbacks: Capture
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        approve(draft.pk, fence=draft.fence)
        assert hints == []
    following = live(draft.campaign)
    side = following.acts[0]
    with django_capture_on_commit_callbacks(execute=True):
        send(following, author, "", side=side)
        send(following, author, "", side=side, ready=True)
        lock(following.pk)
    assert hints == [(Job.MAIL, draft.pk), (Job.PHASE, following.pk), (Job.PHASE, following.pk)]


@pytest.mark.django_db
def test_without_a_broker_nobody_is_woken(django_capture_on_commit_callbacks: Capture) -> None:
    with django_capture_on_commit_callbacks() as callbacks:
        wake_workers(Job.PHASE, 1)
    assert callbacks == []


@pytest.mark.django_db
def test_a_bell_that_fails_fails_nobody(
    hints: list[tuple[Job, int]],
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Capture,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setenv("FAILPOINTS", "ring.before=raise")
    with django_capture_on_commit_callbacks(execute=True):
        wake_workers(Job.PHASE, 1)
    assert hints == []
    assert "nobody heard the bell" in caplog.text


WAKE = """
import time
from campaign.core.workers import Job, answers, wake_workers
began = time.monotonic()
wake_workers(Job.PHASE, 1)
woken = time.monotonic()
print("answers" if answers() else "silent", woken - began, time.monotonic() - woken)
"""


@pytest.mark.parametrize("listening", [False, True])
def test_a_broker_that_is_gone_or_mute_keeps_nobody_waiting(tmp_path: Path, *, listening: bool) -> None:
    with socket.socket() as mute:
        mute.bind(("127.0.0.1", 0))
        if listening:
            mute.listen()
        broker = f"redis://127.0.0.1:{mute.getsockname()[1]}/0"
        environment = {**os.environ, "FIELDPOST_DATA": str(tmp_path), "FIELDPOST_BROKER_URL": broker}
        command = [sys.executable, "manage.py", "shell", "-v0", "-c", WAKE]
        output = subprocess.check_output(command, cwd=ROOT, env=environment, text=True, timeout=120)
    answer, *seconds = output.split()[-3:]
    assert answer == "silent"
    assert all(float(each) < 5 for each in seconds)


def test_without_a_broker_nothing_of_celery_is_loaded(tmp_path: Path) -> None:
    loaded = "[name for name in sys.modules if name.startswith('celery')]"
    code = f"import sys, gm.machine.sweeper, deploy.urls; print({loaded})"
    environment = {**os.environ, "FIELDPOST_DATA": str(tmp_path), "FIELDPOST_BROKER_URL": ""}
    command = [sys.executable, "manage.py", "shell", "-v0", "-c", code]
    output = subprocess.check_output(command, cwd=ROOT, env=environment, text=True, timeout=120)
    assert output.splitlines()[-1] == "[]"


@pytest.mark.django_db
def test_a_broker_that_does_not_answer_is_named(
    client: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.BROKER_URL = "redis://nowhere"
    monkeypatch.setattr("gm.views.health.answers", lambda: False)
    assert "the broker does not answer" in client.get("/readyz").content.decode()


# --- tasks -----------------------------------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.usefixtures("blank_maps")
def test_tasks_do_what_the_sweep_does(phase: Phase, author: User) -> None:
    send(phase, author, "MOVE 12 SS S22", ready=True)
    for _ in range(2):
        tasks.run_phase(phase.pk)
        tasks.send_mail(phase.pk)
        tasks.sweep_task()
    phase.refresh_from_db()
    assert (phase.state, phase.fence) == ("PUBLISHED", 1)


@pytest.mark.django_db
@pytest.mark.usefixtures("blank_maps")
def test_hints_that_come_ten_times_run_a_phase_once(phase: Phase, author: User) -> None:
    send(phase, author, "MOVE 12 SS S22", ready=True)
    for _ in range(10):
        tasks.run_phase(phase.pk)
    phase.refresh_from_db()
    assert (phase.state, phase.fence, phase.leases_lost) == ("PUBLISHED", 1, 0)


@pytest.mark.django_db
@pytest.mark.usefixtures("blank_maps")
def test_a_hint_about_a_phase_that_does_not_exist_is_harmless(phase: Phase, author: User) -> None:
    send(phase, author, "MOVE 12 SS S22", ready=True)
    tasks.run_phase(phase.pk + 4711)
    phase.refresh_from_db()
    assert (phase.state, phase.fence) == ("OPEN", 0)


def test_no_task_has_another_name_than_its_bell() -> None:
    assert {bell.value for bell in Job} < {tasks.sweep_task.name, tasks.run_phase.name, tasks.send_mail.name}


def test_nothing_is_put_off_in_the_broker() -> None:
    """What is redelivered after the visibility timeout would come twice."""
    for folder in (
        "api",
        "campaign",
        "orders",
        "posting",
        "questions",
        "staff",
        "stories",
        "archive",
        "incoming",
        "gm",
        "deploy",
    ):
        for path in (ROOT / folder).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            tree = ast.parse(text if re.search(r"\b(eta|countdown)\b", text) else "")
            words = {node.arg for node in ast.walk(tree) if isinstance(node, ast.keyword)}
            assert not words & {"eta", "countdown"}, path


def test_the_broker_may_lose_or_repeat_what_it_likes() -> None:
    assert deployed.CELERY_TASK_ACKS_LATE
    assert deployed.CELERY_TASK_REJECT_ON_WORKER_LOST
    assert deployed.CELERY_TASK_IGNORE_RESULT
    assert deployed.CELERY_RESULT_BACKEND is None
    assert not deployed.CELERY_TASK_PUBLISH_RETRY
    assert deployed.CELERY_WORKER_PREFETCH_MULTIPLIER == 1
    assert deployed.CELERY_TASK_TIME_LIMIT < deployed.LEASE_SECONDS
    assert deployed.CELERY_BROKER_TRANSPORT_OPTIONS["visibility_timeout"] == 300
