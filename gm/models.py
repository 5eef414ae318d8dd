"""What the GM tries, judges and approves while a draft waits, and how drafts differ."""

from typing import ClassVar

from django.db import models

from campaign.core.on_record import OnRecord
from campaign.models import Phase, User
from campaign.secrecy.tables import Secret


class TriedRuling(Secret):
    """Rulings that the GM tried on a draft, without applying them, to see what they would change."""

    on_record: ClassVar = OnRecord(campaign="phase__campaign", named_by=("phase_id", "seq"))
    phase = models.ForeignKey(Phase, on_delete=models.CASCADE, related_name="tried_rulings")
    seq = models.PositiveIntegerField()
    stage = models.CharField(max_length=50)
    """The phase of the run before which they would apply."""
    written = models.TextField()
    """As the GM wrote them, one per line."""
    dice = models.PositiveIntegerField()
    """The number of dice that the GM saw and that the draft does not have."""
    digest = models.CharField(max_length=64)
    """Of the result that the GM saw, as a phase's result has it."""
    author = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["phase", "seq"], name="tried_in_order")]

    def __str__(self) -> str:
        return f"{self.phase}: try {self.seq}"


class DraftDifferences(Secret):
    """What a re-run changed in a draft, for as long as the draft waits."""

    phase = models.OneToOneField(Phase, on_delete=models.CASCADE, related_name="draft_differences", primary_key=True)
    version = models.PositiveSmallIntegerField()
    content = models.BinaryField()
    """Differences of each audience, as JSON."""

    def __str__(self) -> str:
        return f"{self.phase}: what the last re-run changed"


class Answer(Secret):
    """The GM's answer to something that the rules leave to them. Part of reports once the phase is published."""

    on_record: ClassVar = OnRecord(campaign="phase__campaign", named_by=("phase_id", "key"))
    phase = models.ForeignKey(Phase, on_delete=models.CASCADE, related_name="answers")
    key = models.CharField(max_length=120)
    """Of the question."""
    question = models.TextField()
    """In words, for those who read the answer."""
    audiences = models.JSONField()
    """Who reads it."""
    text = models.TextField()
    author = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["phase", "key"], name="answered_once")]

    def __str__(self) -> str:
        return f"{self.phase}: answer to {self.key}"


class Approval(Secret):
    """The GM's word that a draft is published at a time, which can be cancelled until then."""

    on_record: ClassVar = OnRecord(campaign="phase__campaign", named_by=("phase_id",))
    phase = models.OneToOneField(Phase, on_delete=models.CASCADE, related_name="approval")
    fence = models.PositiveIntegerField()
    """That of the draft that the GM has seen."""
    author = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    given_at = models.DateTimeField()
    publishes_at = models.DateTimeField()
    cancelled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["publishes_at"], name="approval_due")]

    def __str__(self) -> str:
        return f"{self.phase}: approved"
