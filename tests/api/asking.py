"""Requests to the API, from a browser or with a token."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.test import Client

from api.models import Scope
from api.tokens import make_token
from campaign.viewers import viewer_of
from tests.web.conftest import Cast

PLAYS, LEADS = (Scope.READ, Scope.ORDERS), tuple(Scope)
"""All that a token of a player, and of a game master, can be for."""


def address(cast: Cast, rest: str, *, desk: str = "HQ") -> str:
    return f"/api/v1/campaigns/{cast.campaign.slug}/desks/{desk}/{rest}/"


def token_of(cast: Cast, who: str, scopes: Iterable[Scope] | None = None) -> str:
    """A new token of somebody, for the campaign; for all that it can be for, unless scopes are given."""
    viewer = viewer_of(cast.user(who), cast.campaign.slug)
    most = LEADS if viewer.is_gm else PLAYS
    return make_token(viewer, label="a program", scopes=most if scopes is None else scopes)


def ask(
    cast: Cast,
    who: str,
    rest: str,
    body: Mapping[str, Any],
    *,
    desk: str = "HQ",
    method: str = "post",
    key: str = "a key",
) -> Any:
    """The answer to somebody who is signed in."""
    send = getattr(cast.browser(who), method)
    headers = {"Idempotency-Key": key}
    return send(address(cast, rest, desk=desk), body, content_type="application/json", headers=headers)


def ask_with(token: str, where: str, body: Mapping[str, Any], *, key: str = "a key") -> Any:
    """The answer to a program."""
    headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": key}
    return Client().post(where, body, content_type="application/json", headers=headers)


def where(cast: Cast, rest: str = "") -> str:
    """An address of the campaign."""
    return f"/api/v1/campaigns/{cast.campaign.slug}/{rest}"


def read(cast: Cast, who: str, rest: str = "") -> Any:
    """What somebody who is signed in reads, as values."""
    answer = cast.browser(who).get(where(cast, rest))
    assert answer.status_code == 200, (rest, answer.content)
    return answer.json()


def read_with(token: str, address: str) -> Any:
    """The answer to a program that reads."""
    return Client().get(address, headers={"Authorization": f"Bearer {token}"})


def write(cast: Cast, who: str, rest: str, body: Mapping[str, Any], *, method: str = "post", key: str = "a key") -> Any:
    """The answer to somebody who is signed in and sends this to an address of the campaign."""
    send = getattr(cast.browser(who), method)
    return send(where(cast, rest), body, content_type="application/json", headers={"Idempotency-Key": key})
