"""Orders by mail: the observer's player mails them by each way in, and somebody tries addresses that are not theirs.

And mails of ours that come back, by each way in.
"""

import hashlib
import hmac
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from random import Random
from typing import Any
from unittest.mock import patch

from django.test import override_settings

from campaign.core import clock
from campaign.mail.secret_addresses import address_with
from campaign.models import Membership, OutboxMessage, Phase, PhaseState
from incoming.addresses import reply_header
from incoming.handling import handle_due
from incoming.receiving import take
from incoming.returned import handle_returned
from incoming.ways import polling
from incoming.ways.heads import head_of
from incoming.ways.mailbox import Folder, Head
from tests.incoming.returns import report
from tests.secrecy.campaigns import SLUG
from tests.secrecy.steps.plan import HERE, Plan
from tests.secrecy.worlds import Answer, World

_DOMAIN = "orders.example.org"
_KEY = "the provider's key"
_PROVIDER = "the provider"
_SHOWN = ("", "orders/HQ/", "battles/")
_WRITERS = ("commander", "deputy", "tactical", "leaver")


def mail(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """A player mails orders, a question or nothing; what the mail server is told, and what they read then."""
    if not plan.playing:
        return []
    who = plan.player(chance.choice(_WRITERS))
    said = chance.choice([_block(plan.lines(chance)), _block("READY"), "QUESTION: may they?", "Good luck!"])
    told = from_player(world, who, said, chance)
    return [*told, *(world.ask(plan.player(), "GET", HERE + page) for page in _SHOWN)]


def from_player(world: World, who: str, said: str, chance: Random) -> list[Answer]:
    """A player mails this to the newest phase, by some way in; what the mail server is told."""
    named = f"From: {who}\r\nMessage-ID: <{chance.random()}@example.org>\r\n"
    way, settings = chance.choice(_WAYS)
    with world.present(), override_settings(MAIL_IN_DOMAIN=_DOMAIN, **settings):
        member = Membership.objects.select_related("user").get(campaign__slug=SLUG, user__username=who)
        phase = Phase.objects.filter(campaign__slug=SLUG).exclude(state=PhaseState.WITHDRAWN).latest("no")
        address = reply_header(phase, member)["Reply-To"]
        to = (address, f"orders+{'a' * 32}@{_DOMAIN}", f"postmaster@{_DOMAIN}")
        told = way(world, {each: f"{named}To: {each}\r\n\r\n{said}\r\n" for each in to})
        handle_due(most=9)
    return told


def _block(orders: str) -> str:
    return f"BEGIN ORDERS\r\n{orders}\r\nEND ORDERS"


def come_back(world: World, readers: Sequence[str]) -> list[Answer]:
    """Mail servers report of the newest mail to each of these, by one way in after the other; what they are told."""
    told = list[Answer]()
    for number, who in enumerate(readers):
        way, settings = _WAYS[number % len(_WAYS)]
        with world.present(), override_settings(MAIL_IN_DOMAIN=_DOMAIN, **settings):
            mails = OutboxMessage.objects.filter(campaign__slug=SLUG, user__username=who, sent_at__isnull=False)
            path = address_with(mails.latest("sent_at", "pk").return_token)
            told += way(world, {path: report("Postfix", path, number=number).decode()})
            handle_returned(most=9)
    return told


# --- the ways in: what those are told who bring mails, by their addresses --------------------------------------------


def _by_smtp(_: World, mails: Mapping[str, str]) -> list[Answer]:
    """Whether each mail was taken, as a browser would be told."""
    return [
        Answer(200 if take(raw.encode(), [to], from_nobody=False) else 404, (), "", b"") for to, raw in mails.items()
    ]


def _by_webhook(world: World, mails: Mapping[str, str]) -> list[Answer]:
    proof = {"timestamp": "1772359200", "token": "a" * 50}
    signature = hmac.new(_KEY.encode(), "".join(proof.values()).encode(), hashlib.sha256).hexdigest()
    signed = {**proof, "signature": signature, "sender": "somebody@example.org"}
    world.browsers.setdefault(_PROVIDER, world.stranger(_PROVIDER))
    told = [
        world.ask(_PROVIDER, "POST", "/incoming/mime", {**signed, "recipient": to, "body-mime": raw})
        for to, raw in mails.items()
    ]
    assert {each.status for each in told} == {200}
    return told


def _by_mailbox(_: World, mails: Mapping[str, str]) -> list[Answer]:
    """A mailbox is told nothing."""

    @contextmanager
    def opened(_: object) -> Iterator[Folder]:
        yield _InMemory([raw.encode() for raw in mails.values()])

    with patch.object(polling, "opened", opened):
        polling.poll()
    assert polling.mailbox().why == "", polling.mailbox().why
    return []


class _InMemory(Folder):
    """A mailbox into which these mails have come since the last poll."""

    def __init__(self, mails: Sequence[bytes]) -> None:
        self.validity, self._mails, self._before = 1, mails, 0

    def uids_after(self, uid: int) -> list[int]:
        self._before = uid
        return [uid + number for number, _ in enumerate(self._mails, 1)]

    def head(self, uid: int) -> Head:
        raw = self._mails[uid - self._before - 1]
        return Head(uid, clock.now(), len(raw), head_of(raw))

    def whole(self, head: Head) -> bytes:
        return self._mails[head.uid - self._before - 1]

    def put_away(self, uid: int, folder: str) -> None:
        """Nobody looks into it later."""


_WAYS: Sequence[tuple[Callable[[World, Mapping[str, str]], list[Answer]], dict[str, Any]]] = (
    (_by_smtp, {"MAIL_IN": "smtp"}),
    (_by_webhook, {"MAIL_IN": "webhook", "MAIL_IN_PROVIDER": "mailgun", "MAIL_IN_SECRET": _KEY}),
    (_by_mailbox, {"MAIL_IN": "imap", "MAIL_IN_URL": "imap://orders:secret@mail.example.org/"}),
)
