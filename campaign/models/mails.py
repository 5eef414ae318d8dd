"""Outgoing mail."""

from typing import ClassVar

from django.db import models
from django.db.models import F

from campaign.core.on_record import OnRecord
from campaign.models.campaigns import Campaign
from campaign.models.phases import Phase
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
            **dict.fromkeys(("first_try_at", "next_at", "lease_until", "fence"), "when the mail is tried, and by whom"),
            "to_addr": "its reader's address, which is on record with the reader; the mail itself has the same",
            "message": "emptied a month after it was sent; its digest is on record and is computed again",
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
    message = models.BinaryField()
    """The whole mail, so that a second sending has the same bytes."""
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

    class Meta:
        indexes: ClassVar = [models.Index(F("state"), F("next_at"), name="outbox_due")]

    def __str__(self) -> str:
        return self.key

    @property
    def name(self) -> str:
        """Its name in addresses, which does not show how many mails there are."""
        return self.message_id.strip("<>").partition("@")[0]
