"""Orders by mail: the observer's player mails them, and somebody tries addresses that are not theirs."""

from random import Random

from django.test import override_settings

from campaign.models import Membership, Phase, PhaseState
from incoming.addresses import reply_header
from incoming.handling import handle_due
from incoming.receiving import take
from tests.secrecy.campaigns import SLUG
from tests.secrecy.steps.plan import HERE, Plan
from tests.secrecy.worlds import Answer, World

_DOMAIN = "orders.example.org"
_SHOWN = ("", "orders/HQ/", "battles/")
_WRITERS = ("commander", "deputy", "tactical", "leaver")


def mail(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """A player mails orders, a question or nothing; what the mail server is told, and what they read then."""
    if not plan.playing:
        return []
    who = plan.player(chance.choice(_WRITERS))
    said = chance.choice([_block(plan.lines(chance)), _block("READY"), "QUESTION: may they?", "Good luck!"])
    with world.present(), override_settings(MAIL_IN="smtp", MAIL_IN_DOMAIN=_DOMAIN):
        member = Membership.objects.select_related("user").get(campaign__slug=SLUG, user__username=who)
        phase = Phase.objects.filter(campaign__slug=SLUG).exclude(state=PhaseState.WITHDRAWN).latest("no")
        address = reply_header(phase, member)["Reply-To"]
        raw = f"From: {who}\r\nMessage-ID: <{chance.random()}@example.org>\r\n\r\n{said}\r\n".encode()
        told = [_taken(raw, each) for each in (address, f"orders+{'a' * 32}@{_DOMAIN}", f"postmaster@{_DOMAIN}")]
        handle_due(most=9)
    return [*told, *(world.ask(plan.player(), "GET", HERE + page) for page in _SHOWN)]


def _block(orders: str) -> str:
    return f"BEGIN ORDERS\r\n{orders}\r\nEND ORDERS"


def _taken(raw: bytes, address: str) -> Answer:
    """Whether the mail was taken, as a browser would be told."""
    return Answer(200 if take(raw, [address], from_nobody=False) else 404, (), "", b"")
