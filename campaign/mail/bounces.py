"""What servers say of mails and their readers: that they take none for an address, could not deliver one, or not yet.

Mail to a person *comes back* if one failed for good (a status of 5), or two in a row for another reason, at the
address that they have now, since they last said that it works. Nothing more is stored of that: it is found in the
outbox. They are told of all their mails, a game master of those of their own campaign alone.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from django.db.models import F, Q, QuerySet
from django.db.models.functions import Coalesce

from campaign.models import Campaign, OutboxMessage, User
from campaign.secrecy import truth


@dataclass(frozen=True)
class ComesBack:
    """Mail to a person comes back."""

    user: int
    address: str
    at: datetime
    """When a server last said so."""
    status: str
    """The status in it."""
    onward: bool
    """Whether their address passed the mail on, and it came back from there."""


def note_bounce(mail: OutboxMessage, status: str, *, now: datetime, passed_on: bool = False) -> None:
    """Note that a mail could not be delivered, in the caller's transaction; the first report counts.

    `passed_on`: its address took it and passed it on to another one, which failed.
    """
    told = {"bounced_at": now, "bounce_status": status, "bounced_onward": passed_on}
    OutboxMessage.objects.filter(pk=mail.pk, bounced_at=None).update(**told)


def refusal(code: int, reply: bytes | str, *, now: datetime) -> dict[str, str | datetime]:
    """The columns of a mail whose reader a server has refused for good, with this code and text.

    The status is the one that the text gives (RFC 2034), or the code alone.
    """
    text = reply.decode("ascii", "replace") if isinstance(reply, bytes) else reply
    given = _STATUS.search(text)
    return {"bounced_at": now, "bounce_status": given.group() if given else str(code)}


_STATUS = re.compile(r"\b5\.\d{1,3}\.\d{1,3}\b")
UNTOLD: Mapping[str, str | bool | None] = {"bounced_at": None, "bounce_status": "", "bounced_onward": False}
"""The same columns of a mail of which nobody has said anything, or that is tried again."""


def note_delay(mail: OutboxMessage, *, now: datetime) -> None:
    """Note that the delivery of a mail takes longer, in the caller's transaction; the first report counts."""
    OutboxMessage.objects.filter(pk=mail.pk, delayed_at=None).update(delayed_at=now)


def own_mail_comes_back(user: User) -> ComesBack | None:
    """Whether mail to a person comes back, of whatever campaign, or about their account."""
    with truth.opened("OutboxMessage"):
        return _come_back(OutboxMessage.objects.filter(user=user)).get(user.pk)


def mail_comes_back(campaign: Campaign) -> Mapping[int, ComesBack]:
    """The present members to whom the mails of this campaign come back, by their users' ids; for its game masters."""
    present = Q(user__memberships__campaign=campaign, user__memberships__left_at=None)
    return _come_back(OutboxMessage.objects.filter(present, campaign=campaign))


def note_works(user: User, *, since: datetime) -> None:
    """Note that mail to a person works: what was sent before says nothing any more."""
    later = Q(mail_works_since=None) | Q(mail_works_since__lt=since)
    User.objects.filter(later, pk=user.pk).update(mail_works_since=since)


def note_written_from(user: User, address: str, *, at: datetime) -> None:
    """Note that a person has written a mail from this address: if it is theirs, it works."""
    if address and address.casefold() == user.email.casefold():
        note_works(user, since=at)


def _come_back(mails: QuerySet[OutboxMessage]) -> dict[int, ComesBack]:
    """Those of these mails' readers to whom they come back, by the readers' ids."""
    bounced = defaultdict(list)
    handed_over = Coalesce("sent_at", "bounced_at")  # a mail that was refused was never sent
    found = mails.filter(bounced_at__isnull=False, to_addr=F("user__email")).annotate(handed_over=handed_over)
    counts = Q(user__mail_works_since=None) | Q(handed_over__gt=F("user__mail_works_since"))
    for mail in found.filter(counts).order_by("-handed_over", "-pk").only(*_READ):
        bounced[mail.user_id].append(mail)
    proofs = {user: _proof(mails, each) for user, each in bounced.items() if user is not None}
    return {
        user: ComesBack(user, mail.to_addr, mail.bounced_at, mail.bounce_status, mail.bounced_onward)
        for user, mail in proofs.items()
        if mail is not None and mail.bounced_at is not None
    }


def _proof(mails: QuerySet[OutboxMessage], bounced: Sequence[OutboxMessage]) -> OutboxMessage | None:
    """The mail that shows that they come back, of those that did to one person, the newest first."""
    lasting = (mail for mail in bounced if mail.bounce_status.startswith("5"))
    return next(lasting, None) or next(_followed_at_once(mails, bounced), None)


def _followed_at_once(mails: QuerySet[OutboxMessage], bounced: Sequence[OutboxMessage]) -> Iterator[OutboxMessage]:
    """The mails that came back after another one, with none between them of which nobody said so."""
    for later, earlier in pairwise(bounced):
        between = mails.filter(sent_at__gt=earlier.sent_at, sent_at__lt=later.sent_at, bounced_at=None)
        if not between.filter(user=later.user_id, to_addr=later.to_addr).exists():
            yield later


_READ = ("user", "to_addr", "sent_at", "bounced_at", "bounce_status", "bounced_onward")


def in_words(status: str, *, onward: bool = False) -> str:
    """A server's status in words, with its number. What a server writes itself may name addresses and is not shown.

    `onward`: the address passed the mail on. Whether it has also kept it, nobody says.
    """
    _, _, detail = status.partition(".")
    if status and not detail:
        return f"The server takes no mail for this address ({status})."
    words = _DETAILS.get(detail) or _SUBJECTS.get(
        detail.partition(".")[0], "the server gave no reason that we recognise"
    )
    said = f"{words} ({status})." if status else "the server gave no reason."
    return f"{_PASSED_ON} {said}" if onward else f"{said[:1].upper()}{said[1:]}"


_PASSED_ON = "The address took it and passed it on to another one, which failed:"


_DETAILS: Mapping[str, str] = {
    "1.1": "there is no such mailbox",
    "1.2": "there is no such domain",
    "1.10": "the domain takes no mail",
    "2.1": "the mailbox is closed",
    "2.2": "the mailbox is full",
    "2.3": "the mail is too large for the mailbox",
    "3.4": "the mail is too large for the server",
    "4.1": "the server did not answer",
    "4.7": "the server did not take the mail for days",
    "7.1": "the server refused the mail by its own rules",
}
"""By the subject and the detail of a status (RFC 3463)."""
_SUBJECTS: Mapping[str, str] = {
    "1": "something is wrong with the address",
    "2": "something is wrong with the mailbox",
    "3": "something is wrong with the server of the mailbox",
    "4": "something is wrong with the network between the servers",
    "5": "the servers did not understand each other",
    "6": "the server cannot handle the form of the mail",
    "7": "the server refused the mail by its own rules",
}
"""By the subject alone."""
