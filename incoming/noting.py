"""What became of a mail is noted once, with the answer, in the transaction that makes it true."""

from collections.abc import Callable, Sequence
from datetime import timedelta

from django.db import transaction

from campaign.core import clock
from campaign.core.failpoints import fp
from campaign.core.workers import Job, wake_workers
from campaign.mail.outbox import MailMessage, enqueue
from campaign.models import Phase
from campaign.people import memberships
from incoming.answering import answer_message
from incoming.models import Answering, MailState, ReceivedMail
from incoming.reading import Reading

MOST_ANSWERS = 20
"""The answers to one member within an hour; then one summary says what became of the rest."""
ANSWERS_IN = timedelta(hours=1)


class Handled(Exception):
    """Another worker has handled the mail meanwhile."""


def conclude(
    mail: ReceivedMail, reading: Reading, state: MailState, *, why: str = "", details: Sequence[str] = ()
) -> None:
    """Note what became of a mail, and answer it."""
    with transaction.atomic(durable=True):
        hold(mail)
        write(mail, state, lambda: answer_message(mail, reading, state, why=why, details=details), why=why)
        fp("incoming.before_note")


def hold(mail: ReceivedMail) -> None:
    """Lock the row of a mail's phase, before the campaign's: what is written refers to it, and would wait for it."""
    Phase.objects.select_for_update(of=("self",)).only("pk").get(pk=mail.address.phase_id)


def note_alone(mail: ReceivedMail, state: MailState, also: Callable[[], None] = lambda: None) -> None:
    """Note what became of a mail that gets no answer; `also` is done in the same transaction."""
    with transaction.atomic(durable=True):
        _note(mail, state, Answering.NONE)
        also()
        fp("incoming.before_note")


def write(mail: ReceivedMail, state: MailState, message: Callable[[], MailMessage], *, why: str = "") -> None:
    """Note what became of a mail, and write the answer or let it wait for a summary, in the caller's transaction."""
    memberships.lock(mail.address.phase.campaign)  # two workers must not both write the last answer of an hour
    now = clock.now()
    recent = ReceivedMail.objects.filter(
        address__member=mail.address.member_id, answering=Answering.ANSWERED, handled_at__gt=now - ANSWERS_IN
    )
    answers = recent.count() < MOST_ANSWERS
    _note(mail, state, Answering.ANSWERED if answers else Answering.GATHERED, why=why)
    if answers:
        enqueue(message())
        wake_workers(Job.MAIL, mail.address.phase_id)


def _note(mail: ReceivedMail, state: MailState, answering: Answering, *, why: str = "") -> None:
    """Raises Handled if another worker was first, so that nothing of the transaction is kept."""
    waiting = ReceivedMail.objects.filter(pk=mail.pk, state=mail.state)
    told = {"state": state, "answering": answering, "why": why[:300]}
    if not waiting.update(handled_at=clock.now(), lease_until=None, **told):
        raise Handled
