"""A site that takes mail, and the players' mail server."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from campaign.game import turn_package
from tests.bymail.mailboxes import MailServer, mail_server
from tests.bymail.playing import DOMAIN
from tests.gm.campaigns import blank_map
from tests.incoming.conftest import listening
from tests.web.conftest import time

__all__ = ["time"]


@dataclass(frozen=True)
class Servers:
    """Both ends: where players' mails are taken, and where mails to players are."""

    players: MailServer
    port: int
    """Where the site takes mail."""


@pytest.fixture
def servers(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Servers]:
    monkeypatch.setattr(turn_package, "draw", blank_map)
    settings.MAIL_IN, settings.MAIL_IN_DOMAIN = "smtp", DOMAIN
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    with mail_server() as (server, out), listening() as port:
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", out
        yield Servers(server, port)
