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
