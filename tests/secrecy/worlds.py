"""A world: the whole service on its own database in memory, its people's browsers, and the mails sent.

One process holds many worlds, and each action makes its world the present one. A world is kept as its database's bytes.
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
from tests.secrecy.asking.memories import MEMORIES
from tests.secrecy.chance import CHANCE

ANONYMOUS = "anonymous"
_LOGIN = "allauth.account.auth_backends.AuthenticationBackend"


@dataclass(frozen=True)
class Snapshot:
    """A world as it is kept: its database and its time."""

    database: bytes
    now: datetime


@dataclass(frozen=True)
class Sent:
    """A mail as the mail server received it."""

    to: str
    mail: bytes


@dataclass(frozen=True)
class Answer:
    """All that a browser receives, byte by byte."""

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

    @property
    def is_health(self) -> bool:
        """Whether it says that the site is ill, for monitors."""
        return self.status == 503 and self.header("Content-Type").startswith("text/plain")

    def header(self, name: str) -> str:
        return dict(self.headers).get(name, "")


@dataclass
class World:
    """See above. `name` distinguishes the two of a pair in messages; the service never sees it."""

    name: str
    connection: Any
    now: datetime
    sent: list[Sent] = field(default_factory=list)
    refused: dict[str, SMTPException] = field(default_factory=dict)
    """Addresses whose mails the mail server refuses, with its answers."""
    browsers: dict[str, Client] = field(default_factory=dict)
    asked: dict[str, int] = field(default_factory=dict)
    """The number of requests of each person."""
    asking: str = ""
    """Who asked last."""
    counted: dict[str, set[tuple[str, str]]] = field(default_factory=dict)
    """By who asked: the limits that counted it, each with the name by which it counts."""
    looked_for: set[str] = field(default_factory=set)
    """The parameters of its address that the page asked for last has looked for."""
    asked_elsewhere: list[Any] = field(default_factory=list)
    """What forums were asked; see `forum.Asked`."""
    keeps: bool = False
    """Whether the service still knows what it remembers of this world when it has been in another."""
    _remembered: list[Any] = field(default_factory=list)

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
        """A function that restores the present state of the world, its browsers and its mail server."""
        snapshot, sent, refused, asked = self.kept(), list(self.sent), dict(self.refused), dict(self.asked)
        elsewhere = list(self.asked_elsewhere)
        cookies = {who: deepcopy(browser.cookies) for who, browser in self.browsers.items()}

        def go_back() -> None:
            self._become(snapshot)
            self.sent, self.refused, self.asked, self.asked_elsewhere = sent, refused, asked, elsewhere
            self.browsers = {who: self.stranger(who) for who in cookies}
            for who, browser in self.browsers.items():
                browser.cookies = cookies[who]

        return go_back

    def _become(self, snapshot: Snapshot) -> None:
        self.connection.connection.deserialize(snapshot.database)
        self._remembered = []
        if _REMEMBERED is self:
            MEMORIES.forget()
        self.now = snapshot.now

    def _remember(self, before: "World | None") -> None:
        """Let the service remember what it knew of this world if that is kept, and nothing else."""
        if before is not None and before.keeps:
            before._remembered = MEMORIES.taken()
        MEMORIES.forget()
        if self._remembered:
            MEMORIES.put_back(self._remembered)

    def close(self) -> None:
        if self.connection.connection is not None:
            self.connection.connection.close()
            self.connection.connection = None

    @contextmanager
    def present(self) -> Iterator["World"]:
        """In this context the service runs in this world."""
        global _PRESENT, _REMEMBERED  # noqa: PLW0603 - the service has one database, clock and mail server, too
        before, _PRESENT = _PRESENT, self
        if _REMEMBERED is not self:  # rows of two worlds have the same numbers
            self._remember(_REMEMBERED)
            _REMEMBERED = self
        database = connections["default"]
        connections["default"] = self.connection
        time, CHANCE.now = CHANCE.now, self.now
        try:
            yield self
        finally:
            self.now, CHANCE.now = CHANCE.now, time
            connections["default"] = database
            _PRESENT = before

    def ask(
        self,
        who: str,
        method: str,
        path: str,
        data: Mapping[str, Any] | None = None,
        *,
        json: bool = False,
        draws: str = "",
        **headers: str,
    ) -> Answer:
        """The answer to a person's request; redirects are not followed. `json`: the data is sent as a program does.

        `draws`: what is drawn for it, if others see that, whatever the person has asked for before.
        """
        with self.present():
            browser = self._browser(who)
            self.asking, count = who, self.asked.get(who, 0) + 1
            self.asked[who] = count
            self.looked_for.clear()
            CHANCE.of(who, draws or count)
            more = {"content_type": "application/json"} if json else {}
            response = getattr(browser, method.lower())(path, data, headers=headers or None, **more)
        return Answer(
            status=response.status_code,
            headers=tuple(response.items()),
            cookies=response.cookies.output(),
            body=b"".join(response) if response.streaming else response.content,
        )

    @staticmethod
    def stranger(who: str = "") -> Client:
        """A browser in which nobody is signed in. Everybody asks from a household of their own in one network."""
        browser = Client(raise_request_exception=False, REMOTE_ADDR=f"{household_of(who)}1")
        browser.handler = _HANDLER
        return browser

    def _browser(self, who: str) -> Client:
        if who not in self.browsers:
            browser = self.browsers[who] = self.stranger(who)
            if who != ANONYMOUS:
                CHANCE.of("login", who)
                browser.force_login(User.objects.get(username=who), backend=_LOGIN)
        return self.browsers[who]


def household_of(who: str) -> str:
    """The IPv6 network of a person's household, as its first address is written."""
    return f"2001:db8:0:{int(hashlib.sha256(who.encode()).hexdigest()[:4], 16):x}::"


def present_world() -> World:
    """The world in which the service runs."""
    assert _PRESENT is not None
    return _PRESENT


def note(limit: str, name: str) -> None:
    """Note that a limit of the present world has counted something by this name."""
    if _PRESENT is not None:
        _PRESENT.counted.setdefault(_PRESENT.asking, set()).add((limit, name))


def look_for(parameter: object) -> None:
    """Note that a page of the present world looks for a parameter of its address."""
    if _PRESENT is not None:
        _PRESENT.looked_for.add(str(parameter))


def _connection() -> Any:
    defaults = connections.databases["default"]
    memory = {**defaults, "ENGINE": SQLITE, "NAME": ":memory:", "OPTIONS": dict(SQLITE_OPTIONS), "CONN_MAX_AGE": 0}
    return DatabaseWrapper(memory, alias="default")


_PRESENT: World | None = None
_REMEMBERED: World | None = None
"""The world of which the service remembers something."""
_HANDLER = Client(raise_request_exception=False).handler
"""One handler for all browsers: it reads the settings' middleware once."""


class Post(BaseEmailBackend):
    """The mail server of the present world."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        world = present_world()
        for message in email_messages:
            (address,) = message.to
            if address in world.refused:
                raise world.refused[address]
            world.sent.append(Sent(address, _written(message)))
        return len(email_messages)


def _written(message: EmailMessage) -> bytes:
    """A message in bytes: of one from the outbox the stored bytes, which need no parsing."""
    return message.stored if isinstance(message, StoredMail) else message.message().as_bytes()


def short(data: bytes) -> str:
    """A short name for some bytes."""
    return hashlib.sha256(data).hexdigest()[:12]
