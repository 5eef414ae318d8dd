"""Sends the outbox, at least once, from any number of workers.

A worker claims a row under a lease and a fence; if it dies, the next worker takes the row. A mail may go out twice
between the server's acceptance and the note of it, with the same bytes, so that mail programs show it once.
"""

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.message import EmailMessage as ParsedMessage
from email.parser import BytesParser
from email.policy import SMTP, Policy
from smtplib import (
    SMTPDataError,
    SMTPRecipientsRefused,
    SMTPResponseException,
    SMTPSenderRefused,
    SMTPServerDisconnected,
)
from typing import cast

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db import transaction
from django.db.models import F, Q, QuerySet, Value
from django.db.models.functions import Coalesce

from campaign.core import clock
from campaign.core.failpoints import fp
from campaign.mail import choices, news
from campaign.mail.bounces import UNTOLD, refusal
from campaign.mail.notes import has_room, note, sending, write_kept
from campaign.mail.outbox import is_address, readdress
from campaign.mail.secret_addresses import return_path
from campaign.models import Campaign, Invitation, OutboxMessage, OutboxState, Phase, PhaseState
from campaign.record import audit
from campaign.reports.layout import clean
from campaign.viewers import Viewer, memberships_of

log = logging.getLogger(__name__)

LEASE = timedelta(minutes=5)
"""How long a worker may take to send one mail before others may claim it."""
BATCH = 20
"""The most mails in one sweep, so that no phase waits for mail."""
FIRST_PAUSE = timedelta(seconds=30)
LONGEST_PAUSE = timedelta(hours=1)
GIVE_UP = timedelta(hours=72)
LONGEST_TROUBLE = 300
KEPT = timedelta(days=settings.MAIL_KEPT_DAYS)
"""How long the content of a sent mail is kept."""
REPORTED_WITHIN = timedelta(days=30)
"""How long after a mail was sent a report of its delivery is taken. Servers give up within a week."""
LONG_KEPT = timedelta(days=30)
"""How long it is kept at least, unless the record of its campaign says that the site sets less."""
KEPT_LESS = "mails kept"
"""The act that says so."""

GOING_DOWN = 421
"""The reply of a mail server that takes no mail from anybody, whatever the command."""

NO_MEMBER = "no longer a member"
NO_ADDRESS = "this member no longer has an address"
WITHDRAWN = "the phase was withdrawn"
VOID = "the invitation is void"
REOPENED = "reopen"
"""The kind of mail that reports a withdrawal: it is sent even if that phase is reopened again."""
EXPOSED = "exposure"
"""The kind that reports an exposure: that stays true, and reopening the phase is a remedy."""
BRIEFED = "briefing"
"""The kind that brings a briefing, which is no news of a phase."""
HANDED_OVER = "handover"
"""The kind that says who is game master now, which no reopening changes."""
_LASTING = (REOPENED, EXPOSED, BRIEFED, HANDED_OVER, choices.MAILED, *choices.ABOUT_QUESTIONS)
_WITHDRAWN = Q(phase__state=PhaseState.WITHDRAWN) & ~Q(kind__in=_LASTING)


class NoServer(Exception):
    """The mail server cannot be reached, so other mails would fail too."""


def send_due(now: datetime) -> int:
    """Send what is due; returns how many mails went out.

    New mails go first, the longest due first; then retries, by the time of their first try. So mails that fail delay
    no new mail, and do not count in how late new mails are.
    """
    write_kept()
    new_first = F("first_try_at").asc(nulls_first=True)
    ids = list(_due(now).order_by(new_first, "next_at", "pk").values_list("pk", flat=True)[: _allowance(now)])
    if not ids:
        return 0
    with sending() as mine:
        return _send_all(ids) if mine else 0


@dataclass
class Server:
    """The mail server while a batch of mails is sent."""

    backend: BaseEmailBackend
    takes_return_paths: bool = True
    """Whether it has refused none yet."""


def _send_all(ids: list[int]) -> int:
    """Send these mails one by one, while it can be noted what becomes of them; returns how many went out."""
    server, sent = Server(get_connection()), 0
    try:
        for pk in ids:
            if not has_room():
                break
            row = None if _put_off(pk) else _claim(pk)
            sent += row is not None and _send(row, server)
    except NoServer:
        _due(clock.now()).filter(state=OutboxState.WAITING).update(next_at=clock.now() + FIRST_PAUSE)
    finally:
        server.backend.close()
    return sent


def revive(campaign: Campaign, pk: int) -> bool:
    """Retry a mail that was given up; False if it was not, or if its phase was withdrawn."""
    dead = OutboxMessage.objects.filter(campaign=campaign, pk=pk, state=OutboxState.DEAD).exclude(_WITHDRAWN)
    now = clock.now()
    return bool(dead.update(state=OutboxState.WAITING, tries=0, first_try_at=now, trouble="", next_at=now))


def may_revive(row: OutboxMessage) -> bool:
    """Whether a campaign's mail can be retried."""
    return OutboxMessage.objects.filter(pk=row.pk, state=OutboxState.DEAD).exclude(_WITHDRAWN).exists()


def forget_sent(now: datetime) -> int:
    """Empty the campaigns' mails that were sent long ago, and forget what they gathered; returns how many.

    Their return paths end too, and those of all other mails.
    """
    news.forget(now - KEPT)
    reported = OutboxMessage.objects.filter(sent_at__lt=now - REPORTED_WITHIN).exclude(return_digest=None)
    reported.update(return_token="", return_digest=None)
    old = OutboxMessage.objects.filter(state=OutboxState.SENT, sent_at__lt=now - KEPT, campaign__isnull=False)
    kept = old.exclude(stored=b"")
    if KEPT < LONG_KEPT:
        _record_less(kept, now)
    return kept.update(stored=b"", picture=None)


def _record_less(old: QuerySet[OutboxMessage], now: datetime) -> None:
    """Put on record, once in each campaign, that its mails are emptied sooner than usual.

    Else nobody could tell that from an edit.
    """
    for campaign in Campaign.objects.filter(pk__in=old.values("campaign")).order_by("pk"):
        with transaction.atomic():
            if not campaign.audit.filter(act=KEPT_LESS, subject__days=KEPT.days).exists():
                audit.record(campaign, KEPT_LESS, {"days": KEPT.days}, at=now)


def withdraw(phase: Phase) -> None:
    """Stop mails about a phase, within the transaction that withdraws it; mails that stay true still go out.

    A worker may claim one of them meanwhile: it goes out or not, and its news does not wait again here.
    """
    unsent = OutboxMessage.objects.filter(phase=phase, state=OutboxState.WAITING).exclude(kind__in=_LASTING)
    unsent.update(state=OutboxState.DEAD, trouble=WITHDRAWN)
    stopped = OutboxMessage.objects.filter(phase=phase, state=OutboxState.DEAD, trouble=WITHDRAWN)
    news.release(list(stopped.values_list("pk", flat=True)))


# --- one mail --------------------------------------------------------------------------------------------------------


def _due(now: datetime) -> QuerySet[OutboxMessage]:
    waiting = Q(state=OutboxState.WAITING, next_at__lte=now)
    return OutboxMessage.objects.filter(waiting | Q(state=OutboxState.SENDING, lease_until__lt=now))


def _allowance(now: datetime) -> int:
    """The most mails that may be tried now: a batch, or the rest of this minute's provider quota."""
    if not settings.MAIL_PER_MINUTE:
        return BATCH
    minute = Q(sent_at__gt=now - timedelta(minutes=1)) | Q(state=OutboxState.SENDING, lease_until__gte=now)
    return min(BATCH, max(0, settings.MAIL_PER_MINUTE - OutboxMessage.objects.filter(minute).count()))


def quiet_until(row: OutboxMessage, now: datetime) -> datetime | None:
    """When the quiet hours of a campaign's reader end; None if it is not quiet for them now."""
    if row.user is None or row.campaign_id is None:
        return None
    part = memberships_of(row.user).filter(campaign=row.campaign_id).first()
    at = choices.leaves_at(part, row.kind, now) if part else now
    return at if at > now else None


def _put_off(pk: int) -> bool:
    """Let a mail wait until quiet hours end which have begun since it was due; whether they have.

    It may have been delayed by the mail server, by many others, or while no worker was alive.
    """
    now = clock.now()
    morning = quiet_until(OutboxMessage.objects.select_related("user").defer("stored").get(pk=pk), now)
    return morning is not None and bool(_due(now).filter(pk=pk).update(next_at=morning))


def _claim(pk: int) -> OutboxMessage | None:
    """The claim on a mail, void once another worker holds a higher fence; None if another was first."""
    with transaction.atomic(durable=True):
        now = clock.now()
        claimed = (
            _due(now)
            .filter(pk=pk)
            .update(
                state=OutboxState.SENDING,
                fence=F("fence") + 1,
                tries=F("tries") + 1,
                lease_until=now + LEASE,
                first_try_at=Coalesce("first_try_at", Value(now)),
                **UNTOLD,
            )
        )
        row = OutboxMessage.objects.select_related("user").get(pk=pk) if claimed else None
    fp("outbox.after_claim")
    return row


def _send(row: OutboxMessage, server: Server) -> bool:
    """Send a claimed mail and record the result; returns whether it went out. Raises NoServer."""
    row = _readdressed(row)
    trouble = _objection(row)
    if trouble:
        if note(row, state=OutboxState.DEAD, trouble=trouble) and trouble == WITHDRAWN:
            news.release([row.pk])
        return False
    reached = False
    try:
        server.backend.open()
        reached = True
        taken = _hand_over(row, server)
    except Exception as error:
        log.warning("mail %s was not sent: %s", row.pk, type(error).__name__)
        refused = reached and _is_refusal(error)
        _failed(row, _trouble(error, row), refused=refused, **_told(error))
        if not refused:
            raise NoServer from error
        server.backend.close()  # it may be broken, or in the middle of that mail
        return False
    if not taken:
        _failed(row, "the mail server took nothing", refused=True)
        return False
    fp("outbox.after_smtp")
    return note(row, state=OutboxState.SENT, trouble="", sent_at=clock.now())


def _hand_over(row: OutboxMessage, server: Server) -> int:
    """Hand a mail to the server; returns how many it took.

    A server that takes mails from its own addresses alone refuses the return path: it gets the mail once more, with
    the address that it comes from in the envelope, as all further mails of the batch, and nobody can report to us
    what became of them.
    """
    mail, backend = StoredMail(row), server.backend
    if not server.takes_return_paths:
        mail.from_email = settings.DEFAULT_FROM_EMAIL
    try:
        return backend.send_messages([mail]) or 0
    except (SMTPSenderRefused, SMTPRecipientsRefused, SMTPDataError) as error:
        if mail.from_email == settings.DEFAULT_FROM_EMAIL or not _is_for_good(error):
            raise
        backend.close()
        backend.open()
        mail.from_email = settings.DEFAULT_FROM_EMAIL
        taken = backend.send_messages([mail]) or 0
        server.takes_return_paths = False
        log.warning("the mail server refuses return paths: set FIELDPOST_MAIL_RETURN_PATHS=off, or allow them there")
        return taken


def _is_for_good(error: SMTPSenderRefused | SMTPRecipientsRefused | SMTPDataError) -> bool:
    """Whether a server refused a mail and would again."""
    if isinstance(error, SMTPRecipientsRefused):
        return all(code >= _PERMANENT for code, _ in error.recipients.values())
    return error.smtp_code >= _PERMANENT


_PERMANENT = 500
"""From this reply on a server refuses for good (RFC 5321, 4.2.1)."""


def _readdressed(row: OutboxMessage) -> OutboxMessage:
    """The row with its reader's present address; a mail about an account or an invitation keeps its own."""
    if row.campaign_id is None or row.user is None:
        return row
    address = row.user.email if is_address(row.user.email) else ""
    if address != row.to_addr:
        row.to_addr = address
        row.keep(readdress(row.without_picture, address))
        claimed = OutboxMessage.objects.filter(pk=row.pk, state=OutboxState.SENDING, fence=row.fence)
        claimed.update(to_addr=row.to_addr, stored=row.stored, packed=row.packed)
    return row


def _objection(row: OutboxMessage) -> str:
    """Why a mail must not go out any more: its subject is void, or its reader has changed; empty if it may."""
    if row.user is None:
        return "" if _invites(row) else VOID
    if row.campaign_id is None:
        return ""
    if OutboxMessage.objects.filter(_WITHDRAWN, pk=row.pk).exists():
        return WITHDRAWN
    part = memberships_of(row.user).filter(campaign=row.campaign_id, user__is_active=True).first()
    belongs = part is not None and Viewer(part.campaign, row.user, part).audience == row.audience
    if not belongs:
        return NO_MEMBER
    return "" if is_address(row.to_addr) else NO_ADDRESS


def _invites(row: OutboxMessage) -> bool:
    """Whether the link in a mail to somebody without an account still works."""
    links = Invitation.objects.filter(token_digest__startswith=row.key.partition("/")[2], used_at=None, revoked_at=None)
    return links.filter(expires_at__gt=clock.now()).exists()


def _failed(row: OutboxMessage, trouble: str, *, refused: bool, **told: str | datetime) -> None:
    """Schedule a retry, each after a longer pause, until the mail is given up. `told`: see `_told`."""
    now = clock.now()
    if row.first_try_at is not None and now - row.first_try_at >= GIVE_UP:
        note(row, state=OutboxState.DEAD, trouble=trouble, refused=refused, **told)
        return
    pause = min(2 ** min(row.tries, 20) * FIRST_PAUSE, LONGEST_PAUSE)
    note(row, state=OutboxState.WAITING, trouble=trouble, refused=refused, next_at=now + pause, **told)


def _told(error: Exception) -> dict[str, str | datetime]:
    """What a server's refusal says of the reader's address, as a report of a bounce would; {} if nothing."""
    if not isinstance(error, SMTPRecipientsRefused) or not _is_for_good(error):
        return {}
    code, reply = next(iter(error.recipients.values()))
    return refusal(code, reply, now=clock.now())


def _is_refusal(error: Exception) -> bool:
    """Whether a server that was reached refused this mail: for its reader, its size or its content."""
    if isinstance(error, SMTPResponseException) and error.smtp_code == GOING_DOWN:
        return False
    return isinstance(error, SMTPRecipientsRefused | SMTPSenderRefused | SMTPDataError | SMTPServerDisconnected)


def _trouble(error: Exception, row: OutboxMessage) -> str:
    """The mail server's reply for the GM, without the player's address and without the secret of the return path."""
    reply: tuple[object, object] = (type(error).__name__, error)
    if isinstance(error, SMTPRecipientsRefused):
        reply = next(iter(error.recipients.values()))
    elif isinstance(error, SMTPResponseException):
        reply = (error.smtp_code, error.smtp_error)
    words = ": ".join(each.decode("utf-8", "replace") if isinstance(each, bytes) else str(each) for each in reply)
    words = words.replace(row.to_addr, "their address")
    return clean(words.replace(row.return_token, "...") if row.return_token else words)[:LONGEST_TROUBLE]


# --- what Django receives --------------------------------------------------------------------------------------------


class Parsed(ParsedMessage):
    """A stored mail that can be inspected, and is written unchanged."""

    stored = b""

    def as_bytes(self, *_: object, **__: object) -> bytes:
        return self.stored


class StoredMail(EmailMessage):
    """A mail of the outbox for the server, with exactly the stored bytes.

    `from_email` is the sender of its envelope: the server gets From as it is stored.
    """

    def __init__(self, row: OutboxMessage) -> None:
        super().__init__(subject=row.subject, to=[row.to_addr], from_email=return_path(row.return_token))
        self.kind = row.kind
        self.reader = row.user.username if row.user else ""
        self.stored = row.message

    def message(self, *, policy: Policy | None = None) -> Parsed:
        parsed = cast(Parsed, BytesParser(Parsed, policy=policy or SMTP).parsebytes(self.stored))
        parsed.stored = self.stored
        return parsed
