"""Outgoing mail."""

import zlib
from base64 import encodebytes
from typing import ClassVar

from django.db import models
from django.db.models import F, Q

from campaign.core.on_record import OnRecord
from campaign.models.campaigns import Campaign
from campaign.models.members import Membership
from campaign.models.phases import Phase
from campaign.models.publications import Artefact
from campaign.models.users import User
from campaign.secrecy.tables import Secret


class OutboxState(models.TextChoices):
    WAITING = "waiting"
    SENDING = "sending"
    SENT = "sent"
    DEAD = "dead"


class OutboxMessage(Secret):
    """A mail to one person, written in the transaction that makes it true, sent afterwards."""

    on_record: ClassVar = OnRecord(
        campaign="campaign",
        named_by=("key",),
        free={
            **dict.fromkeys(("state", "tries", "trouble", "refused", "sent_at"), "what became of the mail"),
            **dict.fromkeys(("bounced_at", "bounce_status", "bounced_onward", "delayed_at"), "what servers said later"),
            **dict.fromkeys(("return_token", "return_digest"), "where they say so: emptied weeks after it was sent"),
            **dict.fromkeys(("first_try_at", "next_at", "lease_until", "fence"), "when the mail is tried, and by whom"),
            "to_addr": "its reader's address, which is on record with the reader; the mail itself has the same",
            **dict.fromkeys(
                ("stored", "packed", "picture_id", "picture_at"),
                "how it is stored: emptied some days after it was sent; its digest is on record and computed again",
            ),
        },
    )
    key = models.CharField(max_length=200, unique=True)
    """What it is about: no mail is written twice."""
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="outbox", null=True, blank=True)
    """None: it is about an account, or an invitation."""
    phase = models.ForeignKey(Phase, on_delete=models.CASCADE, related_name="outbox", null=True, blank=True)
    kind = models.CharField(max_length=20)
    audience = models.CharField(max_length=50, blank=True)
    subject = models.CharField(max_length=300)
    user = models.ForeignKey(User, on_delete=models.CASCADE, null=True, blank=True)
    """None: it invites somebody who may have no account."""
    to_addr = models.EmailField()
    stored = models.BinaryField()
    """The mail, without its picture if `picture` has it. Empty: it was emptied."""
    packed = models.BooleanField(default=False)
    """Whether it is stored compressed. Older releases stored whole mails as they are."""
    picture = models.ForeignKey(Artefact, on_delete=models.RESTRICT, null=True, blank=True, related_name="+")
    """The published picture in it, which is not stored again."""
    picture_at = models.PositiveIntegerField(default=0)
    """Where the picture belongs, counted in bytes from the end: an address may change the beginning."""
    digest = models.CharField(max_length=64, blank=True)
    """SHA-256 of the mail as written, independent of its address."""
    message_id = models.CharField(max_length=200)
    state = models.CharField(max_length=10, choices=OutboxState.choices, default=OutboxState.WAITING)
    tries = models.PositiveIntegerField(default=0)
    trouble = models.CharField(max_length=300, blank=True)
    """The error of the last try."""
    refused = models.BooleanField(default=False)
    """Whether the mail server was reached at the last try, and refused the mail."""
    created_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True, blank=True)
    first_try_at = models.DateTimeField(null=True, blank=True)
    """For a mail that was given up and is retried: when that was decided."""
    next_at = models.DateTimeField()
    lease_until = models.DateTimeField(null=True, blank=True)
    fence = models.PositiveIntegerField(default=0)
    return_token = models.CharField(max_length=32, blank=True)
    """The secret in the sender of its envelope, the same at each try. Empty: no report of its delivery is taken."""
    return_digest = models.CharField(max_length=64, unique=True, null=True, blank=True)
    """SHA-256 of that secret, by which it is looked up."""
    bounced_at = models.DateTimeField(null=True, blank=True)
    """When we were told that it could not be delivered, or that its reader is refused; see `campaign.mail.bounces`."""
    bounce_status = models.CharField(max_length=12, blank=True)
    """Why, as the server's status (RFC 3463): 5.1.1; or 550, its reply (RFC 5321). Empty: it gave none."""
    bounced_onward = models.BooleanField(default=False)
    """Whether its address took it and passed it on to another one, which failed."""
    delayed_at = models.DateTimeField(null=True, blank=True)
    """When we were first told that its delivery takes longer."""

    class Meta:
        indexes: ClassVar = [
            models.Index(F("state"), F("next_at"), name="outbox_due"),
            models.Index(fields=["user"], condition=Q(bounced_at__isnull=False), name="outbox_bounced"),
            models.Index(fields=["campaign"], condition=Q(bounced_at__isnull=False), name="outbox_bounced_here"),
        ]

    def __str__(self) -> str:
        return self.key

    @property
    def message(self) -> bytes:
        """The whole mail, the same bytes at each try; empty if it was emptied."""
        written = self.without_picture
        if not written or self.picture is None:
            return written
        at = len(written) - self.picture_at
        return written[:at] + as_lines(bytes(self.picture.content)) + written[at:]

    @message.setter
    def message(self, whole: bytes) -> None:
        self.stored, self.packed, self.picture = whole, False, None

    @property
    def without_picture(self) -> bytes:
        """The mail without what `picture` has of it."""
        return zlib.decompress(self.stored) if self.packed and self.stored else bytes(self.stored)

    def keep(self, written: bytes) -> None:
        """Store the mail without its picture."""
        self.stored, self.packed = zlib.compress(written), True

    @property
    def name(self) -> str:
        """Its name in addresses, which does not show how many mails there are."""
        return self.message_id.strip("<>").partition("@")[0]


def as_lines(picture: bytes) -> bytes:
    """A picture as it is in a mail."""
    return encodebytes(picture).rstrip().replace(b"\n", b"\r\n")


class Gathering(models.TextChoices):
    """What gathers news."""

    BATTLES = "battles"
    DIGEST = "digest"


class MailNews(Secret):
    """Something that waits for one person until a mail gathers it; see `campaign.mail.news`."""

    key = models.CharField(max_length=200, unique=True)
    member = models.ForeignKey(Membership, on_delete=models.CASCADE, related_name="+")
    audience = models.CharField(max_length=50)
    """Their audience when it was news: it is for nobody else."""
    phase = models.ForeignKey(Phase, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=20)
    battle = models.CharField(max_length=50, blank=True)
    text = models.TextField(blank=True)
    page = models.CharField(max_length=500, blank=True)
    into = models.CharField(max_length=10, choices=Gathering.choices)
    created_at = models.DateTimeField()
    leaves_at = models.DateTimeField()
    gathered_at = models.DateTimeField(null=True, blank=True)
    """When it went into a mail, or was found to be no news any more."""
    mail = models.ForeignKey(OutboxMessage, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        verbose_name_plural = "news"
        indexes: ClassVar = [models.Index(F("gathered_at"), F("leaves_at"), name="news_due")]

    def __str__(self) -> str:
        return self.key
