"""Processes that take and handle mail are killed: nothing that was taken is lost, and nothing counts twice."""

import smtplib
import socket
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

from tests.faults.site.machines import MANAGE, Site

CAMPAIGN = """
from datetime import UTC, datetime
from unittest.mock import patch
from campaign.models import Membership, Role, User
from campaign.services import create_campaign
from gm.machine.sweeper import sweep
from incoming.addresses import reply_header
from tests.gm.campaigns import UNREVIEWED, live
from tests.with_air import with_air
campaign = create_campaign(slug="vielsalm", title="Vielsalm", scenario=with_air(), handling=UNREVIEWED)
model = User.objects.create_user("Model", "model@example.org")
member = Membership.objects.create(
    campaign=campaign, user=model, role=Role.COMMANDER, side="german", joined_at=datetime.now(UTC)
)
with patch("campaign.game.turn_package.draw", return_value=b"a map"):
    sweep(worker="start")
told = reply_header(live(campaign), member)["Reply-To"]
"""
FOUND = """
from campaign.models import OutboxMessage
from incoming.models import ReceivedMail
from orders.models import Sheet
told = {
    "mails": list(ReceivedMail.objects.values_list("state", flat=True)),
    "sheets": list(Sheet.objects.values_list("channel", "version", "text")),
    "answers": OutboxMessage.objects.filter(kind="mailed").count(),
}
"""
LEASE_RUNS_OUT = """
from campaign.core import clock
from incoming.handling import LEASE
from incoming.models import ReceivedMail
told = ReceivedMail.objects.exclude(lease_until=None).update(lease_until=clock.now() - LEASE)
"""
RAW = b"From: model@example.org\r\nMessage-ID: <1@example.org>\r\n\r\nBEGIN ORDERS\r\nREADY\r\nEND ORDERS\r\n"


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    monkeypatch.setenv("FIELDPOST_MAIL_IN", "smtp")
    monkeypatch.setenv("FIELDPOST_MAIL_IN_DOMAIN", "orders.example.org")
    monkeypatch.setenv("FIELDPOST_MAIL_IN_LISTEN", f"127.0.0.1:{port}")
    site = Site.prepared(tmp_path / "site", "told = 0")
    yield site
    site.remove()


def delivered(site: Site, address: str, failpoint: str = "") -> bool:
    """Whether a listener of its own said that it took the mail."""
    port = int(site.environment["FIELDPOST_MAIL_IN_LISTEN"].rpartition(":")[2])
    with site.process(*MANAGE, "takemail", FAILPOINTS=failpoint):
        client = connected(port)
        try:
            client.sendmail("model@example.org", [address], RAW)
        except smtplib.SMTPServerDisconnected:
            return False
        client.quit()
        return True


def connected(port: int) -> smtplib.SMTP:
    until = monotonic() + 60
    while True:
        try:
            return smtplib.SMTP("127.0.0.1", port, timeout=60)
        except ConnectionRefusedError:
            assert monotonic() < until
            sleep(0.2)


def swept(site: Site, failpoint: str = "") -> Any:
    """The exit status of one sweep."""
    with site.process(*MANAGE, "tick", FAILPOINTS=failpoint) as process:
        return process.wait(120)


def test_a_mail_whose_taking_and_handling_are_killed_counts_once(site: Site) -> None:
    address = site.python(CAMPAIGN)
    assert not delivered(site, address, "incoming.before_commit=kill9")
    assert site.python(FOUND)["mails"] == []
    assert not delivered(site, address, "incoming.after_commit=kill9")
    assert site.python(FOUND)["mails"] == ["received"], "it is stored, and its sender does not know"
    assert delivered(site, address), "so they deliver it again"
    for place, leased in (("incoming.before_reading", 0), ("incoming.before_note", 1), ("submit.before_commit", 1)):
        assert swept(site, f"{place}=kill9") == -9
        assert site.python(FOUND) == {"mails": ["received"], "sheets": [], "answers": 0}
        assert site.python(LEASE_RUNS_OUT) == leased
    assert swept(site, "submit.after_commit=kill9") == -9
    assert swept(site) == 0
    assert site.python(FOUND) == {"mails": ["submitted"], "sheets": [["mail", 1, "READY\n"]], "answers": 1}
