"""What mail servers report of our mails: noted with the mail that it is about, and told to nobody else.

Only someone who knows the secret in a mail's return path can say that it came back, or someone who knows its Message-ID
and the secret reply address of its reader. Its reader does, and those to whom they give the mail.
"""

import logging
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q, QuerySet

from campaign.core import clock
from campaign.core.failpoints import fp
from campaign.core.isolation import run_each
from campaign.mail.bounces import note_bounce, note_delay
from campaign.models import OutboxMessage
from incoming.models import ReceivedMail, ReturnedMail, ReturnState
from incoming.reading import Fate, Report, read_report

log = logging.getLogger(__name__)

MOST_TRIES = 3
"""How often reading a report may be begun."""
LEASE = timedelta(minutes=1)
"""How long a worker may read one report before others try."""
_STATES = {Fate.LOST: ReturnState.LOST, Fate.LATE: ReturnState.LATE, Fate.UNKNOWN: ReturnState.NOTHING}


def handle_returned(*, most: int) -> int:
    """Read reports that wait, the oldest first; returns how many."""
    waiting = _free(clock.now()).order_by("received_at", "pk").values_list("pk", flat=True)
    return run_each("the returned mail", list(waiting[:most]), _handle)


def _free(now: datetime) -> QuerySet[ReturnedMail]:
    free = Q(lease_until=None) | Q(lease_until__lt=now)
    return ReturnedMail.objects.filter(free, state=ReturnState.RECEIVED)


def _handle(pk: int) -> int:
    """Read one report; returns whether this call did it. If that breaks, it is begun again after a while."""
    mail = _claim(pk)
    if mail is None:
        return 0
    if mail.tries > MOST_TRIES:
        log.error("returned mail %s could not be read in %s tries", mail.pk, MOST_TRIES)
        return int(conclude_report(mail, ReturnState.FAILED, Report(Fate.UNKNOWN)))
    report = read_report(mail.message)
    return int(conclude_report(mail, _STATES[report.fate], report))


def _claim(pk: int) -> ReturnedMail | None:
    """The report, left to this worker under a lease; None if another was first."""
    with transaction.atomic(durable=True):
        now = clock.now()
        claimed = _free(now).filter(pk=pk).update(tries=F("tries") + 1, lease_until=now + LEASE)
        mail = ReturnedMail.objects.select_related("about").get(pk=pk) if claimed else None
        fp("returned.before_reading")
    return mail


def conclude_report(mail: ReturnedMail, state: ReturnState, report: Report) -> bool:
    """Note what a report was, and what it says of our mail, once."""
    with transaction.atomic(durable=True):
        waiting = ReturnedMail.objects.filter(pk=mail.pk, state=ReturnState.RECEIVED)
        noted = bool(waiting.update(state=state, lease_until=None))
        if noted:
            note_report(mail.about, report, at=mail.received_at)
        fp("returned.before_note")
    return noted


def note_report(about: OutboxMessage, report: Report, *, at: datetime) -> None:
    """Note what a report says of a mail of ours, in the caller's transaction."""
    if report.fate is Fate.LOST:
        note_bounce(about, report.status, now=at, passed_on=report.passed_on_from(about.to_addr))
    elif report.fate is Fate.LATE:
        note_delay(about, now=at)


def note_report_to_reply_address(mail: ReceivedMail, report: Report) -> None:
    """Note that a mail was given up, of which a server reports to a reply address, in the caller's transaction.

    It counts if it quotes a mail of the campaign to this member by its Message-ID, which nobody can guess.
    """
    member = mail.address.member
    ours = OutboxMessage.objects.filter(campaign=member.campaign_id, user=member.user_id)
    for about in ours.filter(message_id__in=report.returned).only("pk", "to_addr"):
        note_report(about, report, at=mail.received_at)


def forget_returned(now: datetime) -> int:
    """Empty reports that came in long ago; returns how many."""
    before = now - timedelta(days=settings.MAIL_IN_KEPT_DAYS)
    old = ReturnedMail.objects.filter(received_at__lt=before).exclude(state=ReturnState.RECEIVED)
    return old.exclude(stored=b"").update(stored=b"")
