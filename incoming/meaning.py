"""The sheet that a mail means: whose, of which desk, for which phase."""

import re
from dataclasses import dataclass

from campaign.selectors import PhaseInfo, addressed_phase
from campaign.viewers import Viewer
from incoming.models import ReceivedMail
from incoming.reading import Reading
from orders.desks import Place
from orders.mailed import desk_of, whole_text

_COMMENT = re.compile(r"\s*(#|$)")


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
