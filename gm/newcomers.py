"""Who joins while a phase is open, or takes command or a desk then: they are mailed what it asks of them.

Others were mailed when it opened. A member of whom it asks nothing is noted too: each is looked at once in a phase.
"""

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, Subquery

from campaign.core.failpoints import fp
from campaign.core.isolation import run_each
from campaign.mail.messages import present_members
from campaign.mail.outbox import enqueue
from campaign.mail.secret_addresses import takes_mail
from campaign.models import AuditEntry, Desk, Membership, Phase, PhaseState, Role
from campaign.viewers import COMMANDING
from gm.mail import newcomer_messages
from gm.phases.rows import locked_row
from incoming.addresses import reply_headers
from incoming.models import ReplyAddress

_GIVEN = ("role", "desk")
"""The acts by which a member gets another part, or a desk."""


def ask_newcomers() -> int:
    """Mail newcomers what their open phase asks, where the site takes mail; returns how many messages were written."""
    if not takes_mail():
        return 0
    phases = Phase.objects.filter(pk__in={phase for phase, _ in _without_address()})
    return run_each("the newcomers of phase", phases, lambda phase: _ask(phase.pk))


def _ask(phase_id: int) -> int:
    with transaction.atomic(durable=True):
        phase = locked_row(phase_id)
        if phase.state != PhaseState.OPEN:
            return 0
        new = _newcomers(phase)
        written = sum(enqueue(message) for message in newcomer_messages(phase, new))
        reply_headers(phase, new)
        fp("newcomers.before_commit")
    return written


def _newcomers(phase: Phase) -> list[Membership]:
    """Members of a phase's campaign who have joined, or have been given a part or a desk, since it opened."""
    given = phase.campaign.audit.filter(act__in=_GIVEN, at__gte=phase.opens_at)
    persons = {entry.subject.get("person") for entry in given}
    waiting = {member for open_, member in _without_address() if open_ == phase.pk}
    members = present_members(phase.campaign).filter(pk__in=waiting)
    return [each for each in members if each.joined_at > phase.opens_at or each.user_id in persons]


def _without_address() -> list[tuple[int, int]]:
    """Open phases and members who can give orders and have no reply address for them, by primary keys.

    Of campaigns in which somebody has joined or been given something since it opened; the others were mailed then.
    """
    open_ = Phase.objects.filter(campaign=OuterRef("campaign"), state=PhaseState.OPEN)
    given = AuditEntry.objects.filter(campaign=OuterRef("campaign"), act__in=_GIVEN, at__gte=OuterRef("opened"))
    addresses = ReplyAddress.objects.filter(
        phase=OuterRef("phase"),
        member=OuterRef("pk"),
        role=OuterRef("role"),
        side=OuterRef("side"),
        since=OuterRef("joined_at"),
    )
    present = Membership.objects.filter(left_at=None, user__is_active=True).exclude(user__email="")
    present = present.exclude(role__in=(Role.GM, Role.SPECTATOR))
    writing = Q(role__in=COMMANDING) | Exists(Desk.objects.filter(holder=OuterRef("pk")))
    columns = present.filter(writing).annotate(
        phase=Subquery(open_.values("pk")[:1]), opened=Subquery(open_.values("opens_at")[:1])
    )
    found = columns.filter(Q(joined_at__gt=F("opened")) | Exists(given)).exclude(Exists(addresses))
    return list(found.values_list("phase", "pk"))
