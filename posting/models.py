"""Where posts go, and every post with what became of it."""

from typing import ClassVar

from django.db import models
from django.db.models import F

from campaign.core.on_record import OnRecord
from campaign.models import Artefact, Campaign, Membership, Phase, User
from campaign.secrecy.tables import Secret


class Destination(Secret):
    """A thread of a forum, or a channel, that receives one audience's posts. Its audience never changes."""

    on_record: ClassVar = OnRecord(
        campaign="campaign",
        named_by=("no",),
        free={"sealed_key": "the key, sealed with the server's own, and emptied when the destination is withdrawn"},
    )
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="destinations")
    no = models.PositiveIntegerField()
    """Its number within its campaign, from 1."""
    audience = models.CharField(max_length=50)
    """A side, or the public."""
    kind = models.CharField(max_length=20)
    """The key of its adapter, and of the forum whose dialect it takes."""
    address = models.CharField(max_length=300)
    thread = models.CharField(max_length=25, blank=True)
    """The number of the topic or thread."""
    acts_as = models.CharField(max_length=100, blank=True)
    """The forum's name or number of the person who posts."""
    sealed_key = models.BinaryField()
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["campaign", "no"], name="one_destination_a_number"),
        ]

    def __str__(self) -> str:
        return f"{self.campaign_id}: destination {self.no} of {self.audience}"


class DispatchState(models.TextChoices):
    """What became of something that goes to a forum."""

    WAITING = "waiting", "waiting"
    SENDING = "sending", "being posted"
    SENT = "sent", "posted"
    DOUBT = "doubt", "in doubt"
    DEAD = "dead", "not posted"
    LEAVING = "leaving", "to be deleted"
    DELETED = "deleted", "deleted"


class Dispatch(Secret):
    """Something that goes to a forum: written in the transaction that makes it true, sent afterwards."""

    text = models.TextField()
    state = models.CharField(max_length=10, choices=DispatchState.choices, default=DispatchState.WAITING)
    tries = models.PositiveIntegerField(default=0)
    trouble = models.CharField(max_length=500, blank=True)
    """What went wrong at the last try, or what is still to be said of it."""
    remote_id = models.CharField(max_length=30, blank=True)
    """Its number at the forum; empty if it is not known."""
    created_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True, blank=True)
    first_try_at = models.DateTimeField(null=True, blank=True)
    next_at = models.DateTimeField(null=True, blank=True)
    """When the machinery does something about it; None: only a person can."""
    lease_until = models.DateTimeField(null=True, blank=True)
    fence = models.PositiveIntegerField(default=0)

    class Meta:
        abstract = True


class ThreadPost(Dispatch):
    """One post of a phase, for the audience of its destination, exactly as it was published."""

    on_record: ClassVar = OnRecord(
        campaign="destination__campaign",
        named_by=("mark",),
        free={
            **dict.fromkeys(("state", "tries", "trouble", "remote_id", "sent_at"), "what became of the post"),
            **dict.fromkeys(("first_try_at", "next_at", "lease_until", "fence"), "when it is tried, and by whom"),
        },
    )
    destination = models.ForeignKey(Destination, on_delete=models.CASCADE, related_name="posts")
    phase = models.ForeignKey(Phase, on_delete=models.CASCADE, related_name="all_forum_posts")
    part = models.PositiveIntegerField()
    """Its number among the posts of its phase there, from 1."""
    parts = models.PositiveIntegerField()
    mark = models.CharField(max_length=32, unique=True)
    """By which it is found again in its topic; nobody can guess it."""
    digest = models.CharField(max_length=64)
    """SHA-256 of the text."""
    picture = models.ForeignKey(Artefact, on_delete=models.RESTRICT, null=True, blank=True, related_name="+")
    """The published map that goes with it."""
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    """Since when it should not be there."""

    class Meta:
        indexes: ClassVar = [models.Index(F("state"), F("next_at"), name="thread_post_due")]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["destination", "phase", "part"], name="one_post_a_part"),
        ]

    def __str__(self) -> str:
        return f"{self.destination_id}: part {self.part} of phase {self.phase_id}"


class TurnWebhook(Secret):
    """A person's own webhook of Discord, which says whose turn it is."""

    user = models.OneToOneField(User, on_delete=models.CASCADE, related_name="+")
    address = models.CharField(max_length=300)
    sealed_key = models.BinaryField()
    created_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"webhook of {self.user_id}"


class TurnCall(Dispatch):
    """A call to one person that it is their turn."""

    webhook = models.ForeignKey(TurnWebhook, on_delete=models.CASCADE, related_name="calls")
    member = models.ForeignKey(Membership, on_delete=models.CASCADE, related_name="+")
    phase = models.ForeignKey(Phase, on_delete=models.CASCADE, related_name="+")

    class Meta:
        indexes: ClassVar = [models.Index(F("state"), F("next_at"), name="turn_call_due")]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["webhook", "member", "phase"], name="one_call_a_phase"),
        ]

    def __str__(self) -> str:
        return f"call of {self.member_id} in phase {self.phase_id}"
