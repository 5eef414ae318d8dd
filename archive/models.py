"""Archives that people have asked for, and how far each is."""

from typing import ClassVar

from django.db import models

from campaign.models import Campaign, User
from campaign.secrecy.tables import Owned


class Archive(Owned):
    """An archive that a member has asked for: the newest of each audience."""

    in_campaign, owner = "campaign", "author"
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="all_archives")
    author = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    audience = models.CharField(max_length=50)
    """As whom it shows the campaign: a side, or the public; or all of it."""
    asked_at = models.DateTimeField()
    token = models.CharField(max_length=32, unique=True)
    """The name of its files; no page shows it."""
    holds = models.CharField(max_length=64, blank=True)
    """A digest of what was published when it was begun: if that changes, it is begun again."""
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    """Files that are made, and all; 0 until it is begun."""
    claimed_until = models.DateTimeField(null=True)
    """Until then a worker makes it; then another may go on."""
    ready_at = models.DateTimeField(null=True)
    failed_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["campaign", "author", "audience"], name="one_archive_an_audience"),
        ]

    def __str__(self) -> str:
        return f"{self.campaign}: archive for {self.audience}"
