"""The GMs are told once when a phase was locked without its last poll, and when mails are found too late."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from django.db import transaction

from campaign.core import clock
from campaign.core.isolation import run_each
from campaign.mail.outbox import MailMessage, enqueue
from campaign.models import Phase, PhaseState
from campaign.services import title_of
from gm import mail
from incoming.models import LastPoll, MailState, ReceivedMail


def report_missing_mails() -> int:
    """Tell the GMs what they have not been told; returns how many messages were written."""
    missed = LastPoll.objects.filter(told_at=None).exclude(missed_at=None)
    done = run_each("the unread mailbox of phase", list(missed.values_list("phase", flat=True)), _report_missed)
    return done + run_each("the mails that were found for phase", list(_found()), _report_found)


def _report_missed(phase_id: int) -> int:
    with transaction.atomic():
        phase = Phase.objects.select_related("campaign").get(pk=phase_id)
        LastPoll.objects.filter(phase=phase).update(told_at=clock.now())
        return sum(enqueue(message) for message in _unread_mailbox_messages(phase))


def _found() -> Mapping[int, list[ReceivedMail]]:
    """The mails of which the GMs were not told, by phase; none of phases that were reopened meanwhile."""
    rows = ReceivedMail.objects.filter(state=MailState.FOUND, told_at=None).select_related("address__member__user")
    rows = rows.exclude(address__phase__state=PhaseState.WITHDRAWN).defer("stored").order_by("received_at", "pk")
    found: dict[int, list[ReceivedMail]] = defaultdict(list)
    for row in rows:
        found[row.address.phase_id].append(row)
    return found


def _report_found(phase_id: int) -> int:
    with transaction.atomic():
        phase = Phase.objects.select_related("campaign").get(pk=phase_id)
        rows = _found().get(phase_id, [])
        if not rows:
            return 0  # another worker was first
        ReceivedMail.objects.filter(pk__in=[row.pk for row in rows]).update(told_at=clock.now())
        return sum(enqueue(message) for message in _found_mails_messages(phase, rows))


# --- what they are told -----------------------------------------------------------------------------------------------


def _unread_mailbox_messages(phase: Phase) -> list[MailMessage]:
    """A phase was locked although the mailbox could not be read."""
    return mail.desk_messages(
        phase,
        kind="unread_mailbox",
        key=_key("unread_mailbox", phase),
        what=f"“{title_of(phase)}” has closed, and our mailbox could not be read then. Orders that players mailed"
        " shortly before may be missing.",
        to_do="Mails that arrived in time and are found later are shown on your desk, and you are told of them. The"
        " person who runs this site sees what is wrong.",
        button="GM desk",
    )


def _found_mails_messages(phase: Phase, found: Sequence[ReceivedMail]) -> list[MailMessage]:
    """Mails of players arrived in time and were found too late. `found` is not empty."""
    writers = ", ".join(dict.fromkeys(f"{each.address.member.user.username}" for each in found))
    many = f"{len(found)} mails" if len(found) > 1 else "A mail"
    return mail.desk_messages(
        phase,
        kind="found_mails",
        key=f"{_key('found_mails', phase)}/{found[-1].name}",
        what=f"{many} for “{title_of(phase)}” came before it closed, and we found {'them' if len(found) > 1 else 'it'}"
        f" in our mailbox only after that. From: {writers}.",
        to_do="Nothing that they say counts so far, and their writers know that you decide. Your desk shows those of"
        " the two phases that closed last. You can reopen the phase once it is published, or write a GM ruling while"
        " its results are a draft.",
        button="GM desk",
    )


def _key(kind: str, phase: Phase) -> str:
    return f"{kind}/{phase.campaign.slug}/{phase.no}.{phase.rev}"
