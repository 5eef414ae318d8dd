"""Mails as rows: stored whole in the transaction that makes them true, and sent afterwards.

A mail is composed once, to bytes. A second sending has the same bytes and the same Message-ID.
"""

import hashlib
import hmac
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from email.charset import QP, Charset
from email.header import Header
from email.message import Message
from email.mime.image import MIMEImage
from email.utils import format_datetime, parseaddr

import css_inline
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.mail import EmailMultiAlternatives
from django.core.mail.message import forbid_multi_line_headers
from django.core.validators import validate_email
from django.db import IntegrityError, transaction

from campaign.core import clock
from campaign.engine.values.ids import PUBLIC, Audience
from campaign.mail import choices, news
from campaign.mail.choices import When
from campaign.mail.news import NewsItem
from campaign.mail.secret_addresses import digest_of_token, token_for
from campaign.models import Artefact, Campaign, MailNews, Membership, OutboxMessage, Phase, User
from campaign.models.mails import as_lines
from campaign.record import audit
from campaign.reports.layout import clean
from campaign.secrecy import truth

LONGEST_SUBJECT = 200
LONGEST_ADDRESS = 254
"""In octets (RFC 5321, 4.5.3.1.3, less its brackets)."""


@dataclass(frozen=True, kw_only=True)
class MailMessage:
    """A mail to one person. Raises Breach if it is made elsewhere than in a block that writes to that person."""

    key: str
    """What it is about: the outbox takes one mail of each key."""
    kind: str
    user: User | None
    """None: it goes to an address that may have no account."""
    to_addr: str
    subject: str
    text: str
    campaign: Campaign | None = None
    """None: it is about an account or an invitation, and its content is deleted once it is sent."""
    phase: Phase | None = None
    audience: str = ""
    """The audience that a campaign's mail is for: it is sent only while its reader belongs to it."""
    html: str = ""
    """A whole page with its own style sheet, which is inlined into its elements."""
    pictures: Mapping[str, bytes] = field(default_factory=dict)
    """PNG pictures by the name after `cid:` in the HTML."""
    published: Artefact | None = None
    """The stored artefact that is the picture: it is not stored again with the mail."""
    headers: Mapping[str, str] = field(default_factory=dict)
    gist: str = ""
    """What a digest says instead, if its reader wants this kind there; empty: the subject."""
    page: str = ""
    """Where a digest leads to."""
    gathered: Collection[int] = ()
    """The rows of news that it brings."""

    def __post_init__(self) -> None:
        if (self.campaign is None) != (not self.audience):
            raise ValueError(f"{self.key}: a campaign's mail is for an audience, any other for none")
        truth.require_written(Audience(self.audience or PUBLIC), self.user.pk if self.user else None)


def enqueue(message: MailMessage | NewsItem, *, not_before: datetime | None = None) -> bool:
    """Write a mail into the outbox, or keep news for one, within the caller's transaction; whether this call did it.

    A member decides whether they get a kind of mail at once, in the evening's digest or never. A mail is not sent
    before the time that is given. None is written twice, and none for a person without an address.
    """
    if isinstance(message, NewsItem):
        return news.keep(message)
    member = _member(message)
    when = choices.chosen(member, message.kind) if member else When.NOW
    if when is When.NEVER:
        return False
    if member is not None and message.phase is not None and when is When.DIGEST:
        return news.keep(_as_news(message, member, message.phase))
    return _write(message, member, not_before=not_before)


def _member(message: MailMessage) -> Membership | None:
    """The present member whom a campaign's mail is for."""
    if message.campaign is None or message.user is None:
        return None
    members = Membership.objects.filter(campaign=message.campaign, user=message.user, left_at=None)
    return members.select_related("campaign", "user").first()


def _as_news(message: MailMessage, member: Membership, phase: Phase) -> NewsItem:
    """A mail as an item of the digest. It was made for its reader, and so is this."""
    said = message.gist or message.subject
    with truth.reading(lambda: truth.Reader(Audience(message.audience), member.user_id)):
        return NewsItem(key=message.key, kind=message.kind, member=member, phase=phase, text=said, page=message.page)


def _write(message: MailMessage, member: Membership | None, *, not_before: datetime | None) -> bool:
    if not is_address(message.to_addr) or _is_written(message.key):
        return False
    now = clock.now()
    leaves = not_before or now
    token = token_for(f"return|{message.key}")
    mail = compose(message, at=leaves)
    row = OutboxMessage(
        key=message.key,
        campaign=message.campaign,
        phase=message.phase,
        kind=message.kind,
        audience=message.audience,
        subject=_one_line(message.subject),
        user=message.user,
        to_addr=message.to_addr,
        digest=mail_digest(mail),
        message_id=_message_id(message.key),
        return_token=token,
        return_digest=digest_of_token(token),
        created_at=now,
        next_at=choices.leaves_at(member, message.kind, leaves) if member else leaves,
    )
    _store(row, mail, message.published)
    try:
        with (
            transaction.atomic(),
            truth.opened("OutboxMessage"),
        ):  # a savepoint: another's row with this key must not spoil the caller's work
            row.save(force_insert=True)
            _note_gathered(message, row)
            if message.campaign is not None:
                audit.record(message.campaign, "mail", {"key": message.key}, at=now, rows=[row])
    except IntegrityError:
        if _is_written(message.key):
            return False
        raise
    return True


def _store(row: OutboxMessage, mail: bytes, published: Artefact | None) -> None:
    """Store a mail compressed, and a published picture by reference only."""
    before, found, after = mail.partition(as_lines(bytes(published.content))) if published else (mail, b"", b"")
    if found:
        row.picture, row.picture_at = published, len(after)
    row.keep(before + after)


def _note_gathered(message: MailMessage, row: OutboxMessage) -> None:
    """Note for news that this mail brings it."""
    if message.gathered:
        with truth.opened("MailNews"):
            MailNews.objects.filter(pk__in=message.gathered).update(mail=row, gathered_at=row.created_at)


def _is_written(key: str) -> bool:
    with truth.opened("OutboxMessage"):
        return OutboxMessage.objects.filter(key=key).exists()


def is_address(address: str) -> bool:
    """Whether mail can be sent there: one line in the form of mail servers, no longer than they accept."""
    if not address.isprintable():  # not even in quotes: the standard allows it, servers do not
        return False
    try:
        validate_email(address)
        return len(_as_servers_read(address)) <= LONGEST_ADDRESS
    except (ValidationError, UnicodeError):
        return False


# --- composing -------------------------------------------------------------------------------------------------------


def compose(message: MailMessage, *, at: datetime) -> bytes:
    """The whole mail: plain text, then HTML with its pictures; seven bits, with lines that every server accepts."""
    mail = EmailMultiAlternatives(
        subject=_header(_one_line(message.subject), "Subject"),
        body=_lines(message.text),
        to=[message.to_addr],
        headers={
            "Date": format_datetime(at),
            "Message-ID": _message_id(message.key),
            "Auto-Submitted": "auto-generated",
            **_thread(message),
            **{name: clean(value) for name, value in message.headers.items()},
        },
    )
    mail.encoding = _SEVEN_BITS
    if message.html:
        mail.attach_alternative(_lines(_INLINER.inline(message.html)), "text/html")
    # The pictures belong to the HTML; as "mixed" they would be loose attachments.
    mail.mixed_subtype = "related"  # type: ignore[attr-defined] # Django 5.2 has it
    for name, picture in message.pictures.items():
        mail.attach(_picture(name, picture))
    whole = mail.message()
    # keeps addresses and names of mails on their header's line
    whole.policy = whole.policy.clone(max_line_length=998)
    _fix_boundaries(whole, message.key)
    return whole.as_bytes(linesep="\r\n")  # type: ignore[call-arg] # Django's own message takes it


def mail_digest(mail: bytes) -> str:
    """SHA-256 of a composed mail, independent of its address."""
    return hashlib.sha256(_TO.sub(b"To:", mail, count=1)).hexdigest()


def readdress(mail: bytes, address: str) -> bytes:
    """A composed mail with another address, otherwise unchanged."""
    head, gap, body = mail.partition(b"\r\n\r\n")
    return _TO.sub(lambda _: f"To: {_as_servers_read(address)}".encode(), head, count=1) + gap + body


def is_addressed(mail: bytes, address: str) -> bool:
    """Whether a composed mail goes to this address alone; an empty address stands for none."""
    return (not address or is_address(address)) and readdress(mail, address) == mail


def _as_servers_read(address: str) -> str:
    """An address as in a header, its domain in ASCII; raises UnicodeError if that has no such form."""
    return str(forbid_multi_line_headers("To", address, "utf-8")[1])


def _header(text: str, name: str) -> str:
    """A header as ASCII, in words short enough to fold; the library folds them."""
    return text if text.isascii() else Header(text, "utf-8", header_name=name).encode(linesep="")


def _picture(name: str, picture: bytes) -> MIMEImage:
    part = MIMEImage(picture, "png")
    part["Content-ID"] = f"<{name}>"
    part["Content-Disposition"] = f'inline; filename="{name}.png"'
    return part


def _fix_boundaries(mail: Message, key: str) -> None:
    """Set boundaries from the key, where the library would use random ones: composing twice gives the same bytes."""
    for number, part in enumerate(mail.walk()):
        if part.is_multipart():
            part.set_boundary(f"=_{_digest('boundary', f'{number} {key}')}")


def _lines(text: str) -> str:
    return "".join(f"{_printable(line)}\n" for line in text.splitlines())


def _printable(line: str) -> str:
    if line.isprintable():  # as nearly all are
        return line
    return "".join(c for c in line.encode("utf-8", "replace").decode() if c == "\t" or c.isprintable() or c.isspace())


def _one_line(text: str) -> str:
    return clean(text)[:LONGEST_SUBJECT]


# --- names of mails --------------------------------------------------------------------------------------------------


def _message_id(key: str) -> str:
    return f"<{_digest('message', key)}@{_domain()}>"


def _thread(message: MailMessage) -> dict[str, str]:
    """Headers that keep all mails of a campaign to one person in one thread of their mail program."""
    if message.campaign is None or message.user is None:
        return {}
    root = thread_root(message.campaign, message.user)
    return {"In-Reply-To": root, "References": root}


def thread_root(campaign: Campaign, user: User) -> str:
    """The name of the mail, never sent, to which all mails of a campaign to one person are replies."""
    return f"<{_digest('thread', f'{campaign.slug} {user.username}')}@{_domain()}>"


def _digest(what: str, key: str) -> str:
    """A name without counters or numbers, which would show others how busy the campaign is."""
    secret = settings.SECRET_KEY.encode()
    return hmac.digest(secret, f"fieldpost mail|{what}|{key}".encode(), "sha256")[:16].hex()


def _domain() -> str:
    return parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition("@")[2] or "localhost"


_TO = re.compile(rb"^To:[^\r\n]*(?:\r\n[ \t][^\r\n]*)*", re.MULTILINE)

_INLINER = css_inline.CSSInliner(keep_at_rules=True, load_remote_stylesheets=False)

_SEVEN_BITS = Charset("utf-8")
_SEVEN_BITS.body_encoding = QP
