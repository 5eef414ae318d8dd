"""Comments of a side's staff, who has read them, and who agrees that others may."""

from typing import ClassVar

from django.db import models

from campaign.models import Campaign, Membership, Phase, User
from campaign.secrecy.tables import Owned


class Comment(Owned):
    """A comment on a side's plans in a phase: on a line of a sheet, on a place of the map, or on neither."""

    in_campaign, owner = "phase__campaign", "audience"
    phase = models.ForeignKey(Phase, on_delete=models.CASCADE, related_name="all_comments")
    side = models.CharField(max_length=50)
    """The side whose staff wrote it."""
    audience = models.CharField(max_length=50)
    """Who reads it: that side; or the public, since the side has opened its room."""
    no = models.PositiveIntegerField()
    """Its number among the comments of its side and phase, from 1."""
    author = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    """None: their account was erased."""
    written_at = models.DateTimeField()
    text = models.TextField(blank=True)
    desk = models.CharField(max_length=50, blank=True)
    """The desk whose sheet it is about; empty if it is about none."""
    version = models.PositiveIntegerField(null=True)
    line = models.PositiveIntegerField(null=True)
    """The line of that version, from 1; None if it is about the whole sheet."""
    quote = models.CharField(max_length=200, blank=True)
    """The line as it was then."""
    place = models.CharField(max_length=50, blank=True)
    """The place that it is about, by its id; empty if it is about none."""
    removed_at = models.DateTimeField(null=True)
    """When its author removed it; its text is gone since then."""

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["phase", "side", "no"], name="one_comment_a_number"),
        ]

    def __str__(self) -> str:
        return f"{self.phase}: comment {self.no} of {self.side}"

    @property
    def mark(self) -> str:
        """The comment that a form is about, as text."""
        return f"{self.phase.no}.{self.phase.rev}.{self.no}"


class Visit(Owned):
    """Up to when a member has read their side's comments."""

    in_campaign, owner = "member__campaign", "side"
    member = models.OneToOneField(Membership, on_delete=models.CASCADE, related_name="+")
    side = models.CharField(max_length=50)
    seen_at = models.DateTimeField()
    """When the newest comment was written that they have marked as read."""

    def __str__(self) -> str:
        return f"{self.member} has read comments"


class Agreement(Owned):
    """A commander agrees that everybody may read their side's comments after the end."""

    in_campaign, owner = "campaign", "side"
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="all_agreements")
    side = models.CharField(max_length=50)
    member = models.ForeignKey(Membership, on_delete=models.CASCADE, related_name="+")
    agreed_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["side", "member"], name="one_agreement_a_member"),
        ]

    def __str__(self) -> str:
        return f"{self.member} agrees to open the staff room of {self.side}"
