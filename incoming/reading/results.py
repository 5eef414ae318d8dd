"""What reading a mail gives: values without behaviour."""

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """Who wrote a mail: a person, a program on a person's behalf, or a mail server that could not deliver ours."""

    REPLY = "reply"
    AUTOMATIC = "automatic"
    BOUNCE = "bounce"


class Verdict(StrEnum):
    """What our own mail server says of the sender."""

    PASS = "pass"  # noqa: S105  no password
    FAIL = "fail"
    NONE = "none"


class Fate(StrEnum):
    """What a mail server reports of a mail of ours."""

    LOST = "lost"
    """It was given up."""
    LATE = "late"
    """It is tried again."""
    UNKNOWN = "unknown"
    """Nothing: that is no such report, or one that we cannot read."""


@dataclass(frozen=True)
class Report:
    """A mail as a report of the delivery of one of ours."""

    fate: Fate
    status: str = ""
    """Why it was given up, as RFC 3463 numbers it: 5.1.1; empty if the report does not say."""
    returned: tuple[str, ...] = ()
    """The Message-IDs of the mails that it quotes, with their angle brackets."""
    failed: frozenset[str] = frozenset()
    """The addresses that failed, in small letters: the last ones, to which others may have passed the mail on."""

    def passed_on_from(self, address: str) -> bool:
        """Whether it was not this address that failed, but one to which it passed the mail on.

        A report that names no address is about this one.
        """
        return bool(self.failed) and address.lower() not in self.failed


@dataclass(frozen=True)
class Reading:
    """A mail as we read it."""

    kind: Kind
    sender: str = ""
    """The address in From; empty if there is none, or more than one."""
    message_id: str = ""
    """With its angle brackets; empty if it is missing or malformed."""
    subject: str = ""
    orders: str | None = None
    """The orders between BEGIN ORDERS and END ORDERS, ready for a sheet; None if the mail has none of its own."""
    words: str = ""
    """What they wrote in words: without quotation, signature and the block of orders."""
    problems: tuple[str, ...] = ()
    """What could not be read and how to fix it, in sentences for the player."""
    bounced: str = ""
    """The address that could not be reached, if the mail is a bounce and tells it."""
