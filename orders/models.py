"""Sheets as rows: every version that was received, and those with which a phase was adjudicated. Append-only."""

from typing import ClassVar

from django.db import models

from campaign.core.on_record import OnRecord
from campaign.models import Phase, User
from campaign.secrecy.tables import Owned

HQ = "HQ"
"""The desk that every side has; on a unit that two desks name, its line wins."""


class Channel(models.TextChoices):
    """How a sheet came."""

    WEB = "web"
    API = "api"
    MAIL = "mail"
    GM = "gm"
    """Entered by the GM for a player."""
    BATTLES = "battles"
    """The results of battles at the lock."""
    BOT = "bot"
    """Written by the bot that plays the side; without a text if it failed."""


class Sheet(Owned):
    """One version of a desk's sheet for a phase, exactly as received."""

    on_record: ClassVar = OnRecord(
        campaign="phase__campaign",
        named_by=("phase_id", "side", "desk", "version"),
        added={"ready_at": None, "for_side": False},
    )
    in_campaign, owner = "phase__campaign", "side"
    phase = models.ForeignKey(Phase, on_delete=models.CASCADE, related_name="all_sheets")
    side = models.CharField(max_length=50)
    desk = models.CharField(max_length=50, default=HQ)
    version = models.PositiveIntegerField()
    author = models.ForeignKey(User, on_delete=models.PROTECT, related_name="all_sheets", null=True, blank=True)
    """None: composed from the results of battles, or written by a bot."""
    channel = models.CharField(max_length=10, choices=Channel.choices)
    text = models.TextField()
    nonce = models.CharField(max_length=32)
    digest = models.CharField(max_length=64)
    ready = models.BooleanField(default=False)
    ready_at = models.DateTimeField(null=True, blank=True)
    """When its READY takes effect; None: at once, or it is not READY."""
    for_side = models.BooleanField(default=False)
    """Of a READY sheet of HQ: whether it is READY for all desks of its side."""
    received_at = models.DateTimeField()
    idem_key = models.CharField(max_length=64)
    """SHA-256 of the sender's key."""

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["phase", "side", "desk", "version"], name="one_sheet_a_version"),
            models.UniqueConstraint(fields=["phase", "idem_key"], name="one_sheet_a_submission"),
            models.CheckConstraint(
                condition=models.Q(for_side=False) | models.Q(ready=True, desk=HQ), name="ready_for_a_side_by_its_hq"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.phase}: {self.side} {self.desk} version {self.version}"


class LockedSheet(Owned):
    """The version of a desk's sheet with which a phase was adjudicated."""

    on_record: ClassVar = OnRecord(campaign="phase__campaign", named_by=("phase_id", "side", "desk"))
    in_campaign, owner, in_story = "phase__campaign", "side", True
    phase = models.ForeignKey(Phase, on_delete=models.CASCADE, related_name="all_locked_sheets")
    side = models.CharField(max_length=50)
    desk = models.CharField(max_length=50)
    sheet = models.ForeignKey(Sheet, on_delete=models.PROTECT, related_name="+")
    formations = models.JSONField(null=True)
    """What the desk might order at the lock; None: everything, as for HQ."""
    digest = models.CharField(max_length=64)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["phase", "side", "desk"], name="one_locked_sheet_a_desk")
        ]

    def __str__(self) -> str:
        return f"{self.sheet}, locked"


class LockedWords(Owned):
    """What a commander had typed, as it was when the campaign's start was locked: it went into the dice."""

    on_record: ClassVar = OnRecord(campaign="phase__campaign", named_by=("phase_id", "name"))
    in_campaign, owner = "phase__campaign", "side"
    phase = models.ForeignKey(Phase, on_delete=models.CASCADE, related_name="all_locked_words")
    side = models.CharField(max_length=50)
    name = models.CharField(max_length=150)
    """Its commander's name then; the nonce depends on it."""
    words = models.CharField(max_length=200)
    nonce = models.CharField(max_length=32)
    digest = models.CharField(max_length=64)

    class Meta:
        verbose_name_plural = "locked words"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["phase", "name"], name="one_commander_speaks_once"),
        ]

    def __str__(self) -> str:
        return f"{self.phase}: words of {self.name}, locked"


class Draft(Owned):
    """What somebody is writing for a desk and has not submitted."""

    in_campaign, owner = "phase__campaign", "author"
    phase = models.ForeignKey(Phase, on_delete=models.CASCADE, related_name="all_drafts")
    side = models.CharField(max_length=50)
    desk = models.CharField(max_length=50, default=HQ)
    author = models.ForeignKey(User, on_delete=models.CASCADE, related_name="all_drafts")
    text = models.TextField(blank=True)
    base_version = models.PositiveIntegerField(default=0)
    """The version that its writer saw when they began."""
    saved_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["phase", "side", "desk", "author"], name="one_draft_a_writer")
        ]

    def __str__(self) -> str:
        return f"{self.phase}: draft of {self.author} for {self.side} {self.desk}"
