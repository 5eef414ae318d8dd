"""What becomes of mails that were taken: a sheet, a question, or nothing, and the answer to each.

A mail is handled once: what it becomes, the note of it and the answer are written in one transaction. Mails are handled
in the order in which they came.
"""

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Case, F, Q, QuerySet, When

from campaign.core import clock
from campaign.core.failpoints import fp
from campaign.core.isolation import run_each
from campaign.mail.bounces import note_written_from
from campaign.mail.outbox import enqueue
from campaign.models import Battle, DeadlineKind, Phase, PhaseState
from campaign.people import memberships
from incoming.addresses import is_in_force
from incoming.answering import Submitted, answer_message, summary_message
from incoming.asking import carry_out
from incoming.battles import battles_in, settle
from incoming.found import was_in_time
from incoming.meaning import Meant, asked_in, meant_by, says_something
from incoming.models import Answering, MailState, ReceivedMail, ReplyAddress
from incoming.noting import ANSWERS_IN, Handled, conclude, hold, note_alone, write
from incoming.reading import Kind, Reading, Verdict, read, read_report, verdict
from incoming.receiving import LARGEST
from incoming.returned import note_report_to_reply_address
from orders.answers import Answer
from orders.intake import NotYours, Outdated, TooLate, takes_sheets
from orders.mailed import Mailed, replaced, require_length, submit_mailed
from orders.models import Sheet
from orders.services import TooLong

log = logging.getLogger(__name__)

MOST_TRIES = 3
"""How often reading a mail may fail."""
LEASE = timedelta(minutes=1)
"""How long a worker may read one mail before others try; a phase waits that long for a worker that has died."""
_NOTHING = Reading(kind=Kind.REPLY, sender="", message_id="", subject="", orders=None, words="", problems=())


def handle_due(*, most: int, phase: int | None = None) -> int:
    """Handle mails that wait, the oldest first; returns how many. `phase`: only those for this one."""
    waiting = _free(clock.now())
    if phase is not None:
        waiting = waiting.filter(address__phase=phase)
    ids = list(waiting.order_by("received_at", "pk").values_list("pk", flat=True)[:most])
    return run_each("the received mail", ids, handle)


def waits_for_mail(phase: Phase) -> bool:
    """Whether a phase has mails that may still count in it and are not handled: it must not be locked before."""
    waiting = ReceivedMail.objects.filter(address__phase=phase, state=MailState.RECEIVED)
    if phase.deadline_kind == DeadlineKind.CLOSES:
        waiting = waiting.filter(received_at__lt=phase.deadline_at)
    return waiting.exists()


def handle(pk: int) -> int:
    """Handle one mail; returns whether this call did it."""
    mail = _claim(pk)
    if mail is None:
        return 0
    try:
        if mail.tries >= MOST_TRIES:
            log.error("received mail %s could not be handled in %s tries", mail.pk, MOST_TRIES)
            conclude(mail, _NOTHING, MailState.FAILED)
        else:
            _handle(mail)
    except Handled:
        return 0
    except Exception:
        _let_go(mail)
        raise
    return 1


def _free(now: datetime) -> QuerySet[ReceivedMail]:
    """Mails that wait, and that no other worker reads."""
    free = Q(lease_until=None) | Q(lease_until__lt=now)
    return ReceivedMail.objects.filter(free, state=MailState.RECEIVED)


def _claim(pk: int) -> ReceivedMail | None:
    """The mail, left to this worker under a lease; None if another was first.

    A lease that ran out counts as a failed try: a mail that kills its process is given up in the end.
    """
    with transaction.atomic(durable=True):
        now = clock.now()
        lost = Case(When(lease_until=None, then=0), default=1)
        claimed = _free(now).filter(pk=pk).update(tries=F("tries") + lost, lease_until=now + LEASE)
        mail = ReceivedMail.objects.select_related(*_RELATED).get(pk=pk) if claimed else None
        fp("incoming.before_reading")
    return mail


def _let_go(mail: ReceivedMail) -> None:
    """Count that reading a mail broke, and leave it to others, unless its lease ran out and another has it."""
    held = ReceivedMail.objects.filter(pk=mail.pk, state=MailState.RECEIVED, lease_until=mail.lease_until)
    held.update(tries=F("tries") + 1, lease_until=None)


_RELATED = ("address__member__user", "address__member__campaign__closing", "address__phase__campaign")


def _handle(mail: ReceivedMail) -> None:
    reading = read(mail.message, sent=mail.address.template.splitlines())
    if reading.kind is Kind.BOUNCE:
        report = read_report(mail.message)
        note_alone(mail, MailState.BOUNCE, lambda: note_report_to_reply_address(mail, report))
    elif reading.kind is Kind.AUTOMATIC or mail.from_nobody:
        note_alone(mail, MailState.AUTOMATIC)
    elif not is_in_force(mail.address):
        note_alone(mail, MailState.REFUSED)
    else:
        _handle_members(mail, reading)


def _handle_members(mail: ReceivedMail, reading: Reading) -> None:
    """Handle what a member wrote."""
    if not _is_refuted(mail):
        note_written_from(mail.address.member.user, reading.sender, at=mail.received_at)
    if mail.too_large:
        _too_large(mail, reading)
    elif not says_something(reading.orders):
        _in_words(mail, reading)
    elif not takes_sheets(mail.address.phase, mail.received_at):
        _came_late(mail, reading)
    elif fought := battles_in(mail, reading):
        _settle(mail, reading, fought)
    else:
        _take_sheet(mail, reading)


def _settle(mail: ReceivedMail, reading: Reading, fought: Sequence[Battle]) -> None:
    if doubt := _doubt(mail):
        conclude(mail, reading, MailState.REFUSED, why=f"{doubt} Write it on the site.")
    else:
        settle(mail, reading, fought)


def _too_large(mail: ReceivedMail, reading: Reading) -> None:
    if takes_sheets(mail.address.phase, mail.received_at):
        conclude(mail, reading, MailState.REFUSED, why=_TOO_LARGE)
    else:
        _came_late(mail, reading)


def _in_words(mail: ReceivedMail, reading: Reading) -> None:
    """What somebody asks for without orders, while the address counts; what our own server refutes is not theirs."""
    asked = asked_in(reading.words)
    if asked is None:
        conclude(mail, reading, MailState.UNREADABLE)
    elif not takes_sheets(mail.address.phase, mail.received_at):
        _came_late(mail, reading)
    elif _is_refuted(mail):
        conclude(mail, reading, MailState.REFUSED, why=f"{_REFUTED} Write it on the site.")
    else:
        carry_out(mail, reading, asked)


def _came_late(mail: ReceivedMail, reading: Reading) -> None:
    """Note a mail that counts for nothing as too late, or as found too late: then the GM decides."""
    conclude(mail, reading, MailState.FOUND if was_in_time(mail) else MailState.LATE)


def _is_refuted(mail: ReceivedMail) -> bool:
    return verdict(mail.message, settings.MAIL_IN_JUDGE) is Verdict.FAIL


_TOO_LARGE = (
    f"It has more than {LARGEST // 2**20} MB, so we read nothing of it. Send the orders in a mail without attachments."
)
_REFUTED = "Our mail server could not confirm that the mail is from its sender."


def _doubt(mail: ReceivedMail) -> str:
    """Why what is mailed counts only with its author's confirmation on the site; empty if it needs none."""
    if _is_refuted(mail):
        return _REFUTED
    if mail.address.phase.campaign.confirms_mail:
        return "The game master has chosen that orders by mail are confirmed on the site."
    return ""


# --- a sheet ---------------------------------------------------------------------------------------------------------


def _take_sheet(mail: ReceivedMail, reading: Reading) -> None:
    """Submit a sheet, or keep it until its author confirms it. One that would be refused is refused at once."""
    meant = meant_by(mail, reading)
    if meant is None:
        conclude(mail, reading, MailState.REFUSED, why=_NO_DESK)
        return
    try:
        require_length(meant.text)
    except TooLong as refusal:
        conclude(mail, reading, MailState.REFUSED, why=f"{str(refusal)[:1].upper()}{str(refusal)[1:]}.")
        return
    if doubt := _doubt(mail):
        conclude(mail, reading, MailState.WAITS, why=doubt)
    else:
        _submit(mail, reading, meant)


def _submit(mail: ReceivedMail, reading: Reading, meant: Meant) -> None:
    mailed = Mailed(place=meant.place, text=meant.text, idem_key=mail.idem_key, received_at=mail.received_at)

    def noted(sheet: Sheet, answer: Answer) -> None:
        told = Submitted(sheet, answer, replaced(meant.viewer, sheet))
        write(mail, MailState.SUBMITTED, lambda: answer_message(mail, reading, MailState.SUBMITTED, submitted=told))
        ReceivedMail.objects.filter(pk=mail.pk).update(sheet=sheet)
        fp("incoming.before_note")

    try:
        submit_mailed(meant.viewer, meant.phase, mailed, noted=noted)
    except TooLate:
        mail.address.phase.refresh_from_db()
        _came_late(mail, reading)
    except Outdated as newer:
        why = f"What counts now is version {newer.newest} of the sheet of {meant.place.name}."
        conclude(mail, reading, MailState.OVERTAKEN, why=why)
    except NotYours:
        conclude(mail, reading, MailState.REFUSED, why=_NOT_YOURS)


_NO_DESK = "You write no such desk’s sheet. A line “# Desk: NAME” names one of yours; without it, it is your first."
_NOT_YOURS = "Your side has no orders to give in this phase, or you no longer hold this desk."


# --- many mails ------------------------------------------------------------------------------------------------------


def summarise_due(now: datetime) -> int:
    """Mail those whose mails had no answer of their own what became of them, an hour after the first of these."""
    waiting = ReceivedMail.objects.filter(answering=Answering.GATHERED, handled_at__lte=now - ANSWERS_IN)
    members = list(waiting.order_by("address__member").values_list("address__member", flat=True).distinct())
    return run_each("the summary for member", members, _summarise)


def _summarise(member: int) -> int:
    """Nobody adds to what is listed, or summarises it, while phase and campaign are locked."""
    waiting = ReceivedMail.objects.filter(answering=Answering.GATHERED, address__member=member)
    related = ("address__member__user", "address__member__campaign", "address__phase__campaign", "sheet")
    waiting = waiting.select_related(*related).defer("stored").order_by("received_at", "pk")
    with transaction.atomic(durable=True):
        newest = waiting.last()
        if newest is None:
            return 0
        hold(newest)
        memberships.lock(newest.address.phase.campaign)
        mails = list(waiting)
        if newest not in mails:
            return 0  # another worker was first; what came since waits for the next summary
        ReceivedMail.objects.filter(pk__in=[mail.pk for mail in mails]).update(answering=Answering.SUMMARISED)
        if is_in_force(newest.address):
            enqueue(summary_message(newest, mails))
        fp("incoming.before_summary")
    return 1


# --- what was not confirmed ------------------------------------------------------------------------------------------


def drop_unconfirmed() -> int:
    """Tell those whose sheets waited for their confirmation when the phase closed that these do not count."""
    waiting = ReceivedMail.objects.filter(state=MailState.WAITS).exclude(address__phase__state=PhaseState.OPEN)
    ids = list(waiting.order_by("received_at", "pk").values_list("pk", flat=True))
    return run_each("the unconfirmed mail", ids, _drop)


def _drop(pk: int) -> int:
    mail = ReceivedMail.objects.select_related(*_RELATED).get(pk=pk)
    reading = read(mail.message, sent=mail.address.template.splitlines())
    try:
        conclude(mail, reading, MailState.LATE, why="closed before you confirmed it")
    except Handled:
        return 0
    return 1


# --- what is kept no longer ------------------------------------------------------------------------------------------


def forget_raw(now: datetime) -> int:
    """Empty mails that came in long ago, and the templates of phases that are long over; returns how many mails.

    A phase that was withdrawn may never have been locked.
    """
    before = now - timedelta(days=settings.MAIL_IN_KEPT_DAYS)
    closed = Q(phase__locked_at__lt=before) & ~Q(phase__state=PhaseState.OPEN)
    withdrawn = Q(phase__state=PhaseState.WITHDRAWN, made_at__lt=before)
    ReplyAddress.objects.filter(closed | withdrawn).exclude(template="").update(template="")
    old = ReceivedMail.objects.filter(received_at__lt=before).exclude(state__in=[MailState.RECEIVED, MailState.WAITS])
    return old.exclude(stored=b"").update(stored=b"")
