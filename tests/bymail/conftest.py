"""A site that takes mail, and the players' mail server."""

import smtplib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from email.message import EmailMessage
from functools import partial
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
    deliver: Callable[[EmailMessage], None]
    """Takes a player's mail for the site."""
    collect: Callable[[], int] = lambda: 0
    """Lets the site look for mails, where they are not brought to it; returns how much there was to do."""


@pytest.fixture
def players_server(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[MailServer]:
    """Where the site's mails to players go."""
    monkeypatch.setattr(turn_package, "draw", blank_map)
    settings.MAIL_IN_DOMAIN = DOMAIN
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    with mail_server() as (server, out):
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", out
        yield server


@pytest.fixture
def servers(settings: Any, players_server: MailServer) -> Iterator[Servers]:
    settings.MAIL_IN = "smtp"
    with listening() as port:
        yield Servers(players_server, partial(_deliver, port))


def _deliver(port: int, mail: EmailMessage) -> None:
    with smtplib.SMTP("127.0.0.1", port, timeout=20) as client:
        client.send_message(mail)
