"""The addresses to which players reply, and the mails that came there."""

import zlib
from typing import ClassVar

from django.db import models
from django.db.models import F

from campaign.models import Membership, OutboxMessage, Phase
from campaign.secrecy.tables import Secret
from orders.models import Sheet


class ReplyAddress(Secret):
    """The secret address of one member for one phase. A mail to it is written in that member's name.

    It belongs to the part that they have when it is made: once they have left, or have another role or side, it takes
    no mail.
    """

    member = models.ForeignKey(Membership, on_delete=models.CASCADE, related_name="+")
    phase = models.ForeignKey(Phase, on_delete=models.CASCADE, related_name="+")
    digest = models.CharField(max_length=64, unique=True)
    """SHA-256 of its token, which is not stored: a copy of the database gives no address away."""
    role = models.CharField(max_length=20)
    side = models.CharField(max_length=50, blank=True)
    since = models.DateTimeField()
    """When they had joined."""
    template = models.TextField(blank=True)
    """The order template that was mailed with it: these lines are ours and not theirs. Emptied with the raw mails."""
    made_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "reply addresses"

    def __str__(self) -> str:
        return f"{self.member}: reply address for {self.phase_id}"


class MailState(models.TextChoices):
    """What became of a mail that came in."""

    RECEIVED = "received"
    """Nothing yet."""
    SUBMITTED = "submitted"
    """A sheet."""
    BATTLE = "battle"
    """A report of a battle, or the answer to one."""
    ASKED = "asked"
    """A question to the game master."""
    AWAY = "away"
    """An absence of its writer."""
    WAITS = "waits"
    """Nothing before the member confirms it on the site."""
    LATE = "late"
    """Nothing: its phase was closed when it came, or when it was confirmed."""
    FOUND = "found"
    """Nothing: it arrived in time, and we found it in its mailbox only after the phase was locked. The GM decides."""
    OVERTAKEN = "overtaken"
    """Nothing: a sheet that was submitted after it came had been stored before it."""
    REFUSED = "refused"
    """Nothing: the member could not write this; `why` says what they were told."""
    UNREADABLE = "unreadable"
    """Nothing: there were no orders in it."""
    AUTOMATIC = "automatic"
    """Nothing: a program wrote it."""
    BOUNCE = "bounce"
    """Nothing: a mail server could not deliver a mail of ours."""
    FAILED = "failed"
    """Nothing: reading it broke each time."""


class Answering(models.TextChoices):
    """Whether its writer was answered."""

    NONE = "none"
    ANSWERED = "answered"
    GATHERED = "gathered"
    """It waits for a summary: they have had many answers within an hour."""
    SUMMARISED = "summarised"


class KeptMail(Secret):
    """A mail as it came. Its content is emptied after some weeks."""

    digest = models.CharField(max_length=64, unique=True)
    """What makes two deliveries one mail: see `incoming.receiving.digest_of`."""
    stored = models.BinaryField()
    """The mail, compressed. Empty: it was emptied."""
    received_at = models.DateTimeField()
    """When our listener, or our mailbox, took it: orders in it count at that time."""
    lease_until = models.DateTimeField(null=True, blank=True)
    """Until when other workers leave it to the one that reads it now; none if nobody does."""

    class Meta:
        abstract = True

    @property
    def message(self) -> bytes:
        """The mail as it came; empty if it was emptied."""
        return zlib.decompress(self.stored) if self.stored else b""


class ReceivedMail(KeptMail):
    """A mail to a reply address, as it came. Its content is emptied after some weeks; what became of it is kept."""

    address = models.ForeignKey(ReplyAddress, on_delete=models.CASCADE, related_name="mails")
    from_nobody = models.BooleanField(default=False)
    """Whether its envelope names no sender, as those of bounces and many automatic mails do."""
    too_large = models.BooleanField(default=False)
    """Whether it had more bytes than `receiving.LARGEST`, so that only its headers were kept."""
    state = models.CharField(max_length=20, choices=MailState.choices, default=MailState.RECEIVED)
    why = models.CharField(max_length=300, blank=True)
    tries = models.PositiveIntegerField(default=0)
    """How often reading it has failed: it broke, or its worker did not come back."""
    handled_at = models.DateTimeField(null=True, blank=True)
    answering = models.CharField(max_length=20, choices=Answering.choices, default=Answering.NONE)
    sheet = models.ForeignKey(Sheet, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    told_at = models.DateTimeField(null=True, blank=True)
    """When the GMs were told that it was found after its phase was locked."""

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=models.Q(state__in=MailState.values), name="state_of_received_mail_known"),
            models.CheckConstraint(
                condition=models.Q(answering__in=Answering.values), name="answering_of_received_mail_known"
            ),
        ]
        indexes: ClassVar = [models.Index(F("state"), F("received_at"), name="received_mail_due")]

    def __str__(self) -> str:
        return f"{self.address}: {self.state}"

    @property
    def idem_key(self) -> str:
        """The key under which it is submitted, so that it is one sheet at most."""
        return f"mail {self.digest}"

    @property
    def said(self) -> str:
        """What became of it, for its author."""
        return _SAID.get(MailState(self.state), "does not count.")

    @property
    def name(self) -> str:
        """Its name in addresses and keys of mails, which does not show how many mails there are."""
        return self.digest[:32]


class ReturnState(models.TextChoices):
    """What a mail to a return path was."""

    RECEIVED = "received"
    """It is not read yet."""
    LOST = "lost"
    """A report that ours was given up."""
    LATE = "late"
    """A report that ours takes longer."""
    NOTHING = "nothing"
    """No report: a person's mail, an automatic answer, or what we cannot read."""
    FAILED = "failed"
    """Reading it broke each time."""


class ReturnedMail(KeptMail):
    """A mail to the return path of one of ours, as it came. Nobody is answered, and nothing in it is an order."""

    about = models.ForeignKey(OutboxMessage, on_delete=models.CASCADE, related_name="+")
    state = models.CharField(max_length=20, choices=ReturnState.choices, default=ReturnState.RECEIVED)
    tries = models.PositiveIntegerField(default=0)
    """How often reading it was begun."""

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(state__in=ReturnState.values), name="state_of_returned_mail_known"
            )
        ]
        indexes: ClassVar = [models.Index(F("state"), F("received_at"), name="returned_mail_due")]

    def __str__(self) -> str:
        return f"{self.about_id}: {self.state}"


class Mailbox(Secret):
    """How far a mailbox is read, where mail comes in by IMAP, and what is wrong with it."""

    name = models.CharField(max_length=64, unique=True)
    """SHA-256 of server, user and folder: another mailbox is read from its beginning."""
    validity = models.BigIntegerField(null=True, blank=True)
    """Its UIDVALIDITY: with another one, its numbers mean other mails."""
    uid = models.BigIntegerField(default=0)
    """Every mail with a UID up to this one was read, but for those in `retries`."""
    retries = models.JSONField(default=dict, blank=True)
    """How often reading a mail was begun in vain, and when to begin again, by UID, for mails that are tried again."""
    unfiled = models.JSONField(default=list, blank=True)
    """The UIDs of mails that are stored and could not yet be marked or moved."""
    unfiled_why = models.CharField(max_length=300, blank=True)
    """Why not, for the administrator; empty if that did not fail."""
    unfiled_since = models.DateTimeField(null=True, blank=True)
    """Since when it has failed."""
    read_at = models.DateTimeField(null=True, blank=True)
    """When the last poll began that read everything."""
    tried_at = models.DateTimeField(null=True, blank=True)
    failing_since = models.DateTimeField(null=True, blank=True)
    """Since when every poll has failed; none if the last one did not."""
    why = models.CharField(max_length=300, blank=True)
    """What went wrong with the last poll, for the administrator; empty if nothing did."""

    class Meta:
        verbose_name_plural = "mailboxes"

    def __str__(self) -> str:
        return f"mailbox {self.name[:8]}"


class LastPoll(Secret):
    """The last poll of the mailbox for which the lock of a phase waits."""

    phase = models.OneToOneField(Phase, on_delete=models.CASCADE, related_name="+")
    deadline_rev = models.IntegerField()
    """Which deadline of the phase it was asked for."""
    asked_at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True, blank=True)
    """When a poll that began after it was asked for had read every mail."""
    missed_at = models.DateTimeField(null=True, blank=True)
    """When the phase was locked although the mailbox could not be read."""
    told_at = models.DateTimeField(null=True, blank=True)
    """When the GMs were told of it."""

    def __str__(self) -> str:
        return f"{self.phase_id}: last poll"


_SAID = {
    MailState.SUBMITTED: "is a version of your sheet.",
    MailState.BATTLE: "is about your battle, and counts.",
    MailState.ASKED: "is a question to the game master.",
    MailState.AWAY: "booked your absence.",
    MailState.WAITS: "waits for your confirmation on the site.",
    MailState.LATE: "came too late, and does not count.",
    MailState.FOUND: "arrived in time, but we found it too late; the game master decides.",
    MailState.OVERTAKEN: "does not count: a newer version was submitted after it came.",
    MailState.UNREADABLE: "had no orders that we could find.",
}
