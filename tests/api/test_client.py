"""The client that the docs page shows does what it says, against a server."""

import os
import subprocess
import sys
from collections.abc import Sequence
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from api.models import Scope
from campaign.models import Phase, PhaseState
from orders.models import Channel, Sheet
from tests.api.asking import token_of
from tests.web.conftest import Cast
from tests.web.desk.test_judging import judge

CLIENT = Path(settings.BASE_DIR) / "static" / "api_client.py"
GM_CLIENT = CLIENT.with_name("api_client_gm.py")


def run(site: str, token: str, file: Path, text: str) -> subprocess.CompletedProcess[str]:
    file.write_text(text, encoding="utf-8")
    return started([CLIENT, site, file], token)


def started(program: Sequence[str | Path], token: str) -> subprocess.CompletedProcess[str]:
    given = {**os.environ, "FIELDPOST_TOKEN": token}
    return subprocess.run(
        [sys.executable, *program], env=given, capture_output=True, text=True, check=False, timeout=60
    )


@pytest.mark.django_db(transaction=True)
def test_the_client_of_the_docs_checks_and_submits_a_sheet(cast: Cast, live_server: Any, tmp_path: Path) -> None:
    token, file = token_of(cast, "german commander"), tmp_path / "sheet.txt"
    faulty = run(live_server.url, token, file, "MOVE 1 SS to Brussels")
    assert faulty.returncode == 1
    assert "Not submitted. Fix the lines with errors." in faulty.stderr
    assert "  1 error: " in faulty.stdout
    assert not Sheet.objects.exists()
    done = run(live_server.url, token, file, "MOVE 12 SS to S22\nREADY\n")
    assert (done.returncode, done.stderr) == (0, "")
    stored = Sheet.objects.get()
    assert (stored.text, stored.channel) == ("MOVE 12 SS to S22\nREADY\n", Channel.API)
    assert f"Received as version 1. Its digest is {stored.digest}." in done.stdout
    reads_only = run(live_server.url, token_of(cast, "german commander", [Scope.READ]), file, "HOLD 1 SS")
    assert "needs the scope 'orders'" in reads_only.stderr
    other = run(live_server.url, token_of(cast, "allied commander"), file, "HOLD 106")
    assert other.stderr == "Your side has nothing to do.\n"
    wrong = run(live_server.url, "wrong", file, "HOLD 1 SS")
    assert wrong.stderr == "This token is not valid, or it has ended.\n"


@pytest.mark.django_db(transaction=True)
def test_the_client_of_game_masters_says_what_waits_and_publishes(cast: Cast, noted: Phase, live_server: Any) -> None:
    token = token_of(cast, "gm")

    def run_gm(*more: str, token: str = token) -> subprocess.CompletedProcess[str]:
        return started([GM_CLIENT, live_server.url, *more], token)

    waits = run_gm("publish")
    assert (waits.returncode, waits.stderr) == (0, "")
    assert "wait for your review" in waits.stdout
    assert "Check: German HQ, line 1, is a note for you: may 12 SS rest here?" in waits.stdout
    assert "Judge: The note “may 12 SS rest here?”." in waits.stdout
    assert "Published" not in waits.stdout
    judge(cast, noted)
    assert "needs the scope 'gm'" in run_gm("publish", token=token_of(cast, "gm", [Scope.READ])).stderr
    assert "Published. Next: " in run_gm("publish").stdout
    noted.refresh_from_db()
    assert noted.state == PhaseState.PUBLISHED
    assert "allied HQ: version 0, not READY" in run_gm().stdout
    player = run_gm(token=token_of(cast, "german commander"))
    assert player.stderr == "There is nothing here that you can read.\n"


@pytest.mark.django_db
@pytest.mark.parametrize("client", [CLIENT, GM_CLIENT])
def test_the_docs_show_the_clients_as_they_are(client: Path) -> None:
    page = unescape(Client().get("/api/").content.decode())
    assert client.read_text(encoding="utf-8").strip() in page
    assert f"/static/{client.name}" in page
