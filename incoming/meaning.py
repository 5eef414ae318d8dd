"""What a mail means: a sheet, of which desk and for which phase, or what its writer asks for in their own words."""

import re
from dataclasses import dataclass
from datetime import date

from campaign.selectors import PhaseInfo, addressed_phase
from campaign.viewers import Viewer
from incoming.models import ReceivedMail
from incoming.reading import Reading
from orders.desks import Place
from orders.mailed import desk_of, whole_text

_COMMENT = re.compile(r"\s*(#|$)")
_QUESTION = re.compile(r"\s*question(?:\s+(?P<rule>r?\d+(?:\.\d+)*))?\s*:(?P<text>.*)", re.IGNORECASE | re.DOTALL)
_AWAY = re.compile(r"\s*away\s+until\s+(?P<until>\d{4}-\d\d-\d\d)\b[ \t]*[.:,]?(?P<why>[^\n]*)", re.IGNORECASE)


@dataclass(frozen=True)
class Meant:
    """A sheet in a mail."""

    viewer: Viewer
    phase: PhaseInfo
    place: Place
    text: str


def says_something(orders: str | None) -> bool:
    """Whether there is any line but comments in what somebody wrote."""
    return orders is not None and not all(_COMMENT.match(line) for line in orders.splitlines())


def meant_by(mail: ReceivedMail, reading: Reading) -> Meant | None:
    """The sheet that a mail means; None if its writer writes no such desk's."""
    member, row = mail.address.member, mail.address.phase
    viewer = Viewer(row.campaign, member.user, member)
    phase = addressed_phase(viewer, row.no, row.rev)
    orders = (reading.orders or "").strip("\n") + "\n"
    place = desk_of(viewer, orders)
    return Meant(viewer, phase, place, whole_text(viewer, phase, place, orders)) if place else None


# --- in their own words -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Enquiry:
    """A question to the game master."""

    rule: str
    """The rule that it is about; empty if it names none."""
    text: str


@dataclass(frozen=True)
class Away:
    """An absence from now on."""

    until: date
    why: str


Asked = Enquiry | Away


def asked_in(words: str) -> Asked | None:
    """What somebody asks for with the first words of a mail: QUESTION: ..., or AWAY UNTIL 2026-12-24.

    None: nothing, or a day that is in no calendar.
    """
    if found := _QUESTION.match(words):
        return Enquiry((found["rule"] or "").upper(), found["text"].strip())
    if found := _AWAY.match(words):
        try:
            return Away(date.fromisoformat(found["until"]), found["why"].strip())
        except ValueError:
            return None
    return None
