"""What servers report of mails that they had taken: that they could not deliver them, or not yet."""

from collections.abc import Mapping
from datetime import datetime

from campaign.models import OutboxMessage


def note_bounce(mail: OutboxMessage, status: str, *, now: datetime) -> None:
    """Note that a mail could not be delivered, in the caller's transaction; the first report counts."""
    OutboxMessage.objects.filter(pk=mail.pk, bounced_at=None).update(bounced_at=now, bounce_status=status)


def note_delay(mail: OutboxMessage, *, now: datetime) -> None:
    """Note that the delivery of a mail takes longer, in the caller's transaction; the first report counts."""
    OutboxMessage.objects.filter(pk=mail.pk, delayed_at=None).update(delayed_at=now)


def in_words(status: str) -> str:
    """A server's status in words, with its number. What a server writes itself may name addresses and is not shown."""
    if not status:
        return "The server gave no reason."
    _, _, detail = status.partition(".")
    words = _DETAILS.get(detail) or _SUBJECTS.get(
        detail.partition(".")[0], "the server gave no reason that we recognise"
    )
    return f"{words[:1].upper()}{words[1:]} ({status})."


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
