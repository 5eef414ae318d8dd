"""A world: the whole service on a database of its own in memory, its people's browsers, and the post that went out.

Many live in one process; whoever acts makes his the present one. A world is kept as the bytes of its database.
"""

import hashlib
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import datetime
from smtplib import SMTPException
from typing import Any

from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.core.management import call_command
from django.db import connections
from django.db.backends.sqlite3.base import DatabaseWrapper
from django.test import Client

from campaign.mail.delivery import StoredMail
from campaign.models import User
from deploy.settings import SQLITE, SQLITE_OPTIONS
from tests.secrecy.chance import CHANCE

ANONYMOUS = "anonymous"
_LOGIN = "allauth.account.auth_backends.AuthenticationBackend"


@dataclass(frozen=True)
class Snapshot:
    """A world as it can be kept: its database, and what time it is."""

    database: bytes
    now: datetime


@dataclass(frozen=True)
class Sent:
    """A mail as the mail server got it."""

    to: str
    mail: bytes


@dataclass(frozen=True)
class Answer:
    """All that a browser receives, byte for byte."""

    status: int
    headers: tuple[tuple[str, str], ...]
    cookies: str
    body: bytes

    @property
    def size(self) -> int:
        return len(self.body) + len(self.cookies) + sum(len(name) + len(value) for name, value in self.headers)

    @property
    def text(self) -> str:
        return self.body.decode("utf-8", "replace")

    @property
    def links_matter(self) -> bool:
        return self.status == 200 and ("Content-Type", "text/html; charset=utf-8") in self.headers

    def header(self, name: str) -> str:
        return dict(self.headers).get(name, "")


@dataclass
class World:
    """See above. `name` keeps the two of a pair apart in messages; nothing of the service sees it."""

    name: str
    connection: Any
    now: datetime
    sent: list[Sent] = field(default_factory=list)
    refused: dict[str, SMTPException] = field(default_factory=dict)
    """What the mail server says to each mail for these addresses, which it takes nothing for."""
    browsers: dict[str, Client] = field(default_factory=dict)
    asked: dict[str, int] = field(default_factory=dict)
    """How often each has asked for something."""

    @classmethod
    def empty(cls, name: str, now: datetime) -> "World":
        world = cls(name, _connection(), now)
        with world.present():
            call_command("migrate", verbosity=0)
            call_command("createcachetable", verbosity=0)
        return world

    @classmethod
    def restored(cls, name: str, snapshot: Snapshot) -> "World":
        world = cls(name, _connection(), snapshot.now)
        with world.present():
            world.connection.ensure_connection()
        world._become(snapshot)
        return world

    def kept(self) -> Snapshot:
        held: sqlite3.Connection = self.connection.connection
        return Snapshot(held.serialize(), self.now)

    def way_back(self) -> Callable[[], None]:
        """What leads back to where the world stands now, its browsers and its mail server as well."""
        snapshot, sent, refused, asked = self.kept(), list(self.sent), dict(self.refused), dict(self.asked)
        cookies = {who: deepcopy(browser.cookies) for who, browser in self.browsers.items()}

        def go_back() -> None:
            self._become(snapshot)
            self.sent, self.refused, self.asked = sent, refused, asked
            self.browsers = {who: self.stranger() for who in cookies}
            for who, browser in self.browsers.items():
                browser.cookies = cookies[who]

        return go_back

    def _become(self, snapshot: Snapshot) -> None:
        self.connection.connection.deserialize(snapshot.database)
        self.now = snapshot.now

    def close(self) -> None:
        if self.connection.connection is not None:
            self.connection.connection.close()
            self.connection.connection = None

    @contextmanager
    def present(self) -> Iterator["World"]:
        """The service runs in this world as long as this lasts."""
        global _PRESENT  # noqa: PLW0603 - the service has one database, one clock and one mail server, too
        before, _PRESENT = _PRESENT, self
        database = connections["default"]
        connections["default"] = self.connection
        time, CHANCE.now = CHANCE.now, self.now
        try:
            yield self
        finally:
            self.now, CHANCE.now = CHANCE.now, time
            connections["default"] = database
            _PRESENT = before

    def ask(self, who: str, method: str, path: str, data: Mapping[str, Any] | None = None, **headers: str) -> Answer:
        """What somebody receives who asks for a page; redirects are not followed."""
        with self.present():
            browser = self._browser(who)
            count = self.asked[who] = self.asked.get(who, 0) + 1
            CHANCE.of(who, count)
            response = getattr(browser, method.lower())(path, data, headers=headers or None)
        return Answer(
            status=response.status_code,
            headers=tuple(response.items()),
            cookies=response.cookies.output(),
            body=b"".join(response) if response.streaming else response.content,
        )

    @staticmethod
    def stranger() -> Client:
        """A browser in which nobody is logged in."""
        browser = Client(raise_request_exception=False)
        browser.handler = _HANDLER
        return browser

    def _browser(self, who: str) -> Client:
        if who not in self.browsers:
            browser = self.browsers[who] = self.stranger()
            if who != ANONYMOUS:
                CHANCE.of("login", who)
                browser.force_login(User.objects.get(username=who), backend=_LOGIN)
        return self.browsers[who]


def _connection() -> Any:
    defaults = connections.databases["default"]
    memory = {**defaults, "ENGINE": SQLITE, "NAME": ":memory:", "OPTIONS": dict(SQLITE_OPTIONS), "CONN_MAX_AGE": 0}
    return DatabaseWrapper(memory, alias="default")


_PRESENT: World | None = None
_HANDLER = Client(raise_request_exception=False).handler
"""One for all browsers: it reads the settings' middleware once."""


class Post(BaseEmailBackend):
    """The mail server of the present world."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        assert _PRESENT is not None
        for message in email_messages:
            (address,) = message.to
            if address in _PRESENT.refused:
                raise _PRESENT.refused[address]
            _PRESENT.sent.append(Sent(address, _written(message)))
        return len(email_messages)


def _written(message: EmailMessage) -> bytes:
    """What goes out: of the outbox what was stored, which need not be taken apart for that."""
    return message.stored if isinstance(message, StoredMail) else message.message().as_bytes()


def short(data: bytes) -> str:
    """A name for some bytes."""
    return hashlib.sha256(data).hexdigest()[:12]
