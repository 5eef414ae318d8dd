"""The GM views a phase as a side, or as a person then: they may, and the audit records it."""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from campaign.core import clock
from campaign.core.failpoints import fp
from campaign.engine.values.ids import PUBLIC, Audience
from campaign.models import Membership, PhaseState, Role
from campaign.people.memberships import ENDS, lock, part
from campaign.record import audit
from campaign.viewers import COMMANDING, Viewer

ACT = "view as"
PARTS = ("join", "role", *ENDS)
"""The acts that say what part a person has from then on."""


@dataclass(frozen=True)
class PartThen:
    """What somebody was in a campaign at a time."""

    role: str
    side: str

    @property
    def audience(self) -> Audience:
        return Audience(self.side) if self.side else PUBLIC

    @property
    def words(self) -> str:
        return part(Membership(role=self.role, side=self.side))

    @property
    def reads_sheets(self) -> bool:
        """Whether they could read their side's sheets."""
        return self.role in (*COMMANDING, Role.STAFF)


def part_then(member: Membership, at: datetime) -> PartThen | None:
    """What a present or former member was at a time, from the record; None if they took no part then.

    Of somebody who is not on the record, what they are now counts since they joined.
    """
    acts = member.campaign.audit.filter(act__in=PARTS, subject__person=member.user_id)
    entries = list(acts.order_by("no").values_list("act", "at", "subject"))
    if not any(act == "join" for act, _, _ in entries):
        present = member.joined_at <= at and (member.left_at is None or member.left_at > at)
        return PartThen(member.role, member.side) if present else None
    until = [(act, said) for act, when, said in entries if when <= at]
    if not until or until[-1][0] in ENDS:
        return None
    return PartThen(until[-1][1]["role"], until[-1][1]["side"])


def note_view_as(viewer: Viewer, no: int, audience: str, person: int | None = None) -> None:
    """Record in the audit that a GM views a phase as an audience, or as this person; once, however often they do.

    A draft is theirs to review before anybody has it, so that is not recorded.
    """
    if viewer.campaign.phases.filter(no=no, state=PhaseState.REVIEW).exists():
        return
    subject: dict[str, str | int] = {"phase": no, "audience": audience, "by": viewer.person.pk}
    subject |= {} if person is None else {"person": person}
    noted = viewer.campaign.audit.filter(act=ACT, subject=subject)
    if noted.exists():
        return
    with transaction.atomic(durable=True):
        lock(viewer.campaign)
        if not noted.exists():
            audit.record(viewer.campaign, ACT, subject, at=clock.now())
        fp("look.before_commit")
