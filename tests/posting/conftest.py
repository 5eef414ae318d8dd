"""Forums that tests post to, and campaigns with destinations there."""

from collections.abc import Iterator
from typing import Any

import pytest

from campaign.viewers import viewer_of
from posting.adapters import ADAPTERS, Adapter, Place
from posting.destinations import Wanted, add_destination
from posting.models import Destination
from tests.gm.campaigns import Clock
from tests.posting.forums import SERVERS, ForumServer
from tests.web.conftest import Cast, cast, draft, pages_are_read_as_they_are_seen, time

__all__ = ["cast", "draft", "pages_are_read_as_they_are_seen", "time"]


@pytest.fixture(params=SERVERS)
def forum(request: pytest.FixtureRequest, settings: Any) -> Iterator[ForumServer]:
    """Each kind of forum in turn."""
    yield from _open(request.param, settings)


@pytest.fixture
def discourse(settings: Any) -> Iterator[ForumServer]:
    yield from _open("discourse", settings)


@pytest.fixture
def xenforo(settings: Any) -> Iterator[ForumServer]:
    yield from _open("xenforo", settings)


@pytest.fixture
def discord(settings: Any) -> Iterator[ForumServer]:
    yield from _open("discord", settings)


def _open(kind: str, settings: Any) -> Iterator[ForumServer]:
    server = SERVERS[kind]()
    settings.POSTING_HOSTS = [*settings.POSTING_HOSTS, server.host]
    yield server
    server.close()


def adapter_to(server: ForumServer, *, patience: float = 5.0, **other: str) -> Adapter:
    """The adapter for a forum of a test."""
    place = {"address": server.address, "thread": server.thread, "acts_as": server.acts_as, "key": server.secret}
    return ADAPTERS[server.key](Place(**{**place, **other}, patience=patience))


def destination_at(server: ForumServer, cast: Cast, time: Clock, audience: str = "german") -> Destination:
    """A destination of the cast's campaign."""
    wanted = Wanted(
        audience=audience,
        kind=server.key,
        address=server.address,
        thread=server.thread,
        acts_as=server.acts_as,
        key=server.secret,
    )
    return add_destination(viewer_of(cast.user("gm"), cast.campaign.slug), wanted, now=time.now)
