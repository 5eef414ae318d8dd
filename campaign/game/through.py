"""Bots that play a running campaign over the API of a site. They know what it answers to their tokens, nothing else."""

import http.client
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import msgspec

from campaign.engine.display.views import Ground, Panel
from campaign.engine.values.ids import Audience, SideId
from campaign.engine.values.value import encode
from campaign.game.loading import Loaded
from campaign.game.simulation import simulation_of
from campaign.game.store import decode_state

_SEEN_ONCE = "Idempotency-Key"
"""The header that makes a repeated submission the same one."""
_LOCAL = ("localhost", "127.0.0.1", "::1")
_PATIENCE = 60.0
"""Seconds for an answer."""
_OVERTAKEN = 409
"""The phase closed, or somebody else submitted first."""
_MOST_WAITS = 5
"""How often a request is made again that came too fast."""


class Refused(Exception):
    """The site refused a request; the message says which, and why."""

    def __init__(self, message: str, status: int = 0) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True)
class Reply:
    """An answer of a site."""

    status: int
    headers: Mapping[str, str]
    """By their names in lower case."""
    body: bytes


Send = Callable[[str, str, Mapping[str, str], bytes | None], Reply]
"""(method, address, headers, body): the answer of a site."""


def over_http(method: str, address: str, headers: Mapping[str, str], body: bytes | None) -> Reply:
    """Ask a site. Redirects are not followed: a token is for the site that it was sent to."""
    url = urlsplit(address)
    kind = http.client.HTTPSConnection if url.scheme == "https" else http.client.HTTPConnection
    connection = kind(url.netloc, timeout=_PATIENCE)
    try:
        connection.request(method, url.path, body=body, headers=dict(headers))
        answer = connection.getresponse()
        return Reply(answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read())
    finally:
        connection.close()


def site_of(written: str) -> str:
    """The address of a site without a slash at its end; raises ValueError if a token must not be sent there."""
    url = urlsplit(written)
    if url.scheme not in ("http", "https") or not url.hostname:
        raise ValueError(f"{written!r} is no address of a site, as in https://fieldpost.example.org")
    if url.scheme == "http" and url.hostname not in _LOCAL:
        raise ValueError("a token is sent over https only; http is for sites on this computer")
    return f"{url.scheme}://{url.netloc}{url.path.rstrip('/')}"


@dataclass(frozen=True)
class Api:
    """The API of a site for the holder of a token."""

    site: str
    token: str
    send: Send
    pause: Callable[[float], None] = time.sleep

    def read(self, path: str) -> Any:
        """An answer as values; None if there is nothing."""
        found = self._ask("GET", path, None, {})
        return None if found.status == 404 else json.loads(self._require(found, path))

    def submit(self, path: str, body: Mapping[str, Any], *, key: str) -> Any:
        """Send something once, whatever becomes of the connection; raises Refused."""
        sent = json.dumps(body).encode()
        headers = {"Content-Type": "application/json", _SEEN_ONCE: key}
        return json.loads(self._require(self._ask("POST", path, sent, headers), path))

    def _ask(self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]) -> Reply:
        given = {"Authorization": f"Bearer {self.token}", "Accept": "application/json", **headers}
        found = self.send(method, f"{self.site}/api/v1/{path}", given, body)
        for _ in range(_MOST_WAITS):
            if found.status != 429:
                break
            self.pause(float(found.headers.get("retry-after", 60)))
            found = self.send(method, f"{self.site}/api/v1/{path}", given, body)
        return found

    def _require(self, found: Reply, path: str) -> bytes:
        if found.status not in (200, 201):
            said = found.body.decode("utf-8", "replace")[:500]
            raise Refused(f"{self.site}/api/v1/{path} answered {found.status}: {said}", found.status)
        return found.body


@dataclass(frozen=True)
class Player:
    """A bot that writes the sheets of a side's HQ."""

    api: Api
    slug: str
    side: str
    bot: str
    loaded: Loaded

    def play(self) -> str:
        """Submit the sheet that the open phase waits for, if this side owes one; returns what was done, if anything.

        Raises Over if the campaign has no open phase.
        """
        phase = self.api.read(f"{self._here}/phases/open/")
        if phase is None:
            raise Over
        if not phase["open"] or self.side not in phase["acts"]:
            return ""
        own, told = self.api.read(f"{self._here}/desks/HQ/"), self.api.read(f"{self._here}/state/")
        if own is None or told is None or own["desk"]["version"]:
            return ""
        body = {"phase": phase["phase"], "version": 0, "text": self._sheet(told), "ready": True}
        key = f"{self.bot} {self.slug} {phase['phase']}"
        try:
            receipt = self.api.submit(f"{self._here}/desks/HQ/sheets/", body, key=key)
        except Refused as refused:
            if refused.status == _OVERTAKEN:
                return ""
            raise
        return f"{self.side}: {phase['moment']}, {phase['title']}, version {receipt['version']}"

    def _sheet(self, told: Mapping[str, Any]) -> str:
        """What the bot writes, from what the side was told to know."""
        rules = self.loaded.rules
        if told["ruleset"] != rules.key:
            raise Refused(f"the campaign is played by {told['ruleset']}, and the scenario by {rules.key}")
        known = decode_state(rules, json.dumps(told["state"]).encode(), version=told["version"])
        return simulation_of(self.loaded).bots[self.bot](self.loaded.scenario.game_data, known, Audience(self.side))

    @property
    def _here(self) -> str:
        return f"campaigns/{self.slug}"


class Over(Exception):
    """The campaign has no open phase any more."""


def players_with(
    site: str, tokens: Sequence[str], loaded: Loaded, bots: Mapping[SideId, str], *, send: Send | None = None
) -> list[Player]:
    """A player for each token, with the bot of its side; raises Refused.

    The campaign must have the map and the charts of the scenario, as bots read them from there. `send`: how a site is
    asked, if not over HTTP.
    """
    players = []
    for token in tokens:
        api = Api(site, token, send or over_http)
        (part,) = api.read("campaigns/")
        if part["side"] not in bots:
            raise Refused(f"a token is for a {part['role']}, who plays no side of {loaded.scenario.title}")
        _require_same(api, part["slug"], loaded)
        players.append(Player(api, part["slug"], part["side"], bots[part["side"]], loaded))
    return players


def play_on(
    players: Sequence[Player], *, wait: Callable[[], None], goes_on: Callable[[], bool] = lambda: True
) -> Iterator[str]:
    """Let them play until the campaign is over; yields what they did. Waits whenever there is nothing to do.

    A site that cannot be reached for a while is asked again.
    """
    while goes_on():
        try:
            done = [said for player in players if (said := player.play())]
        except Over:
            return
        except (http.client.HTTPException, OSError) as error:
            yield f"the site does not answer ({type(error).__name__}: {error}); it is asked again"
            done = []
        yield from done
        if not done:
            wait()


def _require_same(api: Api, slug: str, loaded: Loaded) -> None:
    """Raise Refused unless a campaign is played on the map of a scenario, with its charts."""
    there = api.read(f"campaigns/{slug}/map/")
    if msgspec.convert(there["places"], tuple[Ground, ...]) != loaded.base_map.grounds:
        raise Refused(f"{slug} has another map than {loaded.scenario.title}")
    charts = msgspec.convert(api.read(f"campaigns/{slug}/charts/")["charts"], tuple[Panel, ...])
    if encode(charts) != encode(loaded.rules.charts(loaded.scenario.game_data)):
        raise Refused(f"{slug} has other charts than {loaded.scenario.title}")
