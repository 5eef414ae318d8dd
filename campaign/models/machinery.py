"""What the machinery keeps for itself: the record, its heartbeat, counted tries."""

from typing import ClassVar

from django.db import models

from campaign.models.campaigns import Campaign
from campaign.secrecy.tables import Secret


class AuditEntry(Secret):
    """An entry of a campaign's audit chain: each digest covers the one before, so an edit shows."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="audit")
    no = models.PositiveIntegerField()
    at = models.DateTimeField()
    act = models.CharField(max_length=50)
    subject = models.JSONField()
    rows = models.JSONField(default=dict)
    """The digest of every row that it wrote, by the row's name; null for one that it removed."""
    prev = models.CharField(max_length=64)
    digest = models.CharField(max_length=64)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["campaign", "no"], name="audit_without_gaps")]

    def __str__(self) -> str:
        return f"{self.campaign} {self.no}: {self.act}"


class Heartbeat(models.Model):
    """When a part of the machinery was last alive."""

    name = models.CharField(max_length=50, primary_key=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name} at {self.at}"


class Tries(models.Model):
    """How often somebody did something within a window of time; see `campaign.people.throttles`."""

    mark = models.CharField(max_length=32, unique=True)
    """A keyed digest of the action, the person and the window."""
    until = models.DateTimeField(db_index=True)
    """When the window ends and the row can be deleted."""
    count = models.PositiveIntegerField(default=1)

    class Meta:
        verbose_name_plural = "tries"

    def __str__(self) -> str:
        return f"{self.count} tries"
