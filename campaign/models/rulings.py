"""The GM's hand in a phase, and the dice logs."""

from typing import ClassVar

from django.db import models

from campaign.core.on_record import OnRecord
from campaign.models.campaigns import Campaign
from campaign.models.phases import Phase
from campaign.models.users import User
from campaign.secrecy.tables import Owned, Secret


class Ruling(Secret):
    """A GM ruling, applied when the phase is adjudicated."""

    on_record: ClassVar = OnRecord(campaign="phase__campaign", named_by=("phase_id", "seq"), added={"event_version": 1})
    phase = models.ForeignKey(Phase, on_delete=models.CASCADE, related_name="rulings")
    seq = models.PositiveIntegerField()
    at = models.CharField(max_length=50)
    written = models.TextField(blank=True)
    """As the GM wrote it."""
    fact = models.JSONField()
    event_version = models.PositiveIntegerField(default=1)
    """Version of the ruling, which is stored as the event that it leads to."""
    reason = models.TextField()
    author = models.ForeignKey(User, on_delete=models.PROTECT)
    taken_back_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["phase", "seq"], name="rulings_in_order")]

    def __str__(self) -> str:
        return f"{self.phase}: {self.reason}"


class ManualRoll(Secret):
    """A die roll that the GM asks for while a draft waits. Its value has no column: it follows from the others."""

    on_record: ClassVar = OnRecord(campaign="campaign", named_by=("audience", "number"))
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="manual_rolls")
    phase = models.ForeignKey(Phase, on_delete=models.CASCADE, related_name="manual_rolls")
    audience = models.CharField(max_length=50)
    number = models.PositiveIntegerField()
    """Counts up in its audience. Reports print this number of interventions and nothing else of them."""
    count = models.PositiveSmallIntegerField()
    sides = models.PositiveSmallIntegerField()
    purpose = models.CharField(max_length=200)
    author = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    announced_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["campaign", "audience", "number"], name="manual_rolls_counted")
        ]

    def __str__(self) -> str:
        return f"{self.campaign}: {self.label} for {self.audience}"

    @property
    def label(self) -> str:
        return f"manual/{self.number}"


class VoidedRoll(Secret):
    """A die roll that the GM declares void. It stays in its log, with the reason."""

    on_record: ClassVar = OnRecord(campaign="phase__campaign", named_by=("phase_id", "audience", "label"))
    phase = models.ForeignKey(Phase, on_delete=models.CASCADE, related_name="voided_rolls")
    audience = models.CharField(max_length=50)
    label = models.CharField(max_length=120)
    reason = models.TextField()
    author = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["phase", "audience", "label"], name="voided_once")]

    def __str__(self) -> str:
        return f"{self.phase}: {self.label} is void"


class DiceLine(Owned):
    """A line of one audience's dice log, as published and hashed. Append-only."""

    on_record: ClassVar = OnRecord(campaign="campaign", named_by=("audience", "no"))
    in_campaign, owner = "campaign", "audience"
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="all_dice_lines")
    phase = models.ForeignKey(Phase, on_delete=models.CASCADE, related_name="all_dice_lines")
    audience = models.CharField(max_length=50)
    no = models.PositiveIntegerField()
    """Its place in the log, from 1."""
    lock_no = models.PositiveIntegerField()
    label = models.CharField(max_length=120)
    line = models.TextField()
    digest = models.CharField(max_length=64)
    """SHA-256 of the line: the head of the log up to here."""

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["campaign", "audience", "no"], name="dice_log_without_gaps"),
            models.UniqueConstraint(fields=["campaign", "audience", "lock_no", "label"], name="rolled_once"),
        ]

    def __str__(self) -> str:
        return f"{self.campaign}: {self.audience} {self.no}, {self.label}"
