"""The process that reads the mailbox is killed between storing a mail and marking it: it counts once."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic, sleep

import pytest

from tests.faults.site.machines import MANAGE, Site
from tests.faults.test_received_mails import CAMPAIGN, FOUND, RAW, swept
from tests.incoming.imap.conftest import url
from tests.incoming.imap.dovecot import Dovecot


@pytest.fixture
def site(tmp_path: Path, server: Dovecot, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    server.empty()
    monkeypatch.setenv("FIELDPOST_MAIL_IN", "imap")
    monkeypatch.setenv("FIELDPOST_MAIL_IN_DOMAIN", "orders.example.org")
    monkeypatch.setenv("FIELDPOST_MAIL_IN_URL", url(server))
    site = Site.prepared(tmp_path / "site", "told = 0")
    yield site
    site.remove()


def polled(site: Site, failpoint: str = "") -> int:
    """The exit status of one look into the mailbox."""
    with site.process(*MANAGE, "takemail", "--once", FAILPOINTS=failpoint) as process:
        return process.wait(120)


def test_a_mail_whose_reader_is_killed_counts_once(site: Site, server: Dovecot) -> None:
    address = site.python(CAMPAIGN)
    server.put(f"Delivered-To: {address}\r\n".encode() + RAW, datetime.now(UTC))
    assert polled(site, "incoming.before_commit=kill9") == -9
    assert (site.python(FOUND)["mails"], server.flags()) == ([], [""])
    assert polled(site, "incoming.after_commit=kill9") == -9
    assert (site.python(FOUND)["mails"], server.flags()) == (["received"], [""]), "it is stored, and not marked"
    assert swept(site) == 0
    assert polled(site) == 0
    assert server.flags() == [r"\Seen"]
    assert swept(site) == 0
    assert site.python(FOUND) == {"mails": ["submitted"], "sheets": [["mail", 1, "READY\n"]], "answers": 1}


def test_the_service_reads_the_mailbox_until_it_is_stopped(site: Site, server: Dovecot) -> None:
    address = site.python(CAMPAIGN)
    server.put(f"Delivered-To: {address}\r\n".encode() + RAW, datetime.now(UTC))
    with site.process(*MANAGE, "takemail") as process:
        until = monotonic() + 120
        while server.flags() != [r"\Seen"]:
            assert process.poll() is None
            assert monotonic() < until
            sleep(0.2)
        process.terminate()
        assert process.wait(60) == 0
    assert site.python(FOUND)["mails"] == ["received"]
