"""The client that the docs page shows does what it says, against a server."""

import os
import subprocess
import sys
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from api.models import Scope
from orders.models import Channel, Sheet
from tests.api.asking import token_of
from tests.web.conftest import Cast

CLIENT = Path(settings.BASE_DIR) / "static" / "api_client.py"


def run(site: str, token: str, file: Path, text: str) -> subprocess.CompletedProcess[str]:
    file.write_text(text, encoding="utf-8")
    given = {**os.environ, "FIELDPOST_TOKEN": token}
    return subprocess.run(
        [sys.executable, CLIENT, site, file], env=given, capture_output=True, text=True, check=False, timeout=60
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


@pytest.mark.django_db
def test_the_docs_show_the_client_as_it_is() -> None:
    page = unescape(Client().get("/api/").content.decode())
    assert CLIENT.read_text(encoding="utf-8").strip() in page
    assert "/static/api_client.py" in page
