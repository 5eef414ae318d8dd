"""What an audience receives of a phase, and links to it."""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from campaign.core.on_record import OnRecord
from campaign.models.phases import Phase
from campaign.models.users import User
from campaign.secrecy.tables import Owned, Secret


class Preface(Secret):
    """The GM's text to one audience before the report. Part of its package once the phase is published."""

    on_record: ClassVar = OnRecord(campaign="phase__campaign", named_by=("phase_id", "audience"))
    phase = models.ForeignKey(Phase, on_delete=models.CASCADE, related_name="prefaces")
    audience = models.CharField(max_length=50)
    text = models.TextField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["phase", "audience"], name="one_preface_an_audience")]

    def __str__(self) -> str:
        return f"{self.phase}: preface for {self.audience}"


class Artefact(Owned):
    """What one audience received of a phase, frozen: their state, view, report, map."""

    on_record: ClassVar = OnRecord(
        campaign="phase__campaign",
        named_by=("phase_id", "audience", "kind"),
        free={"content": "large; its digest is on record and is computed again"},
    )
    in_campaign, owner, in_story = "phase__campaign", "audience", True
    phase = models.ForeignKey(Phase, on_delete=models.CASCADE, related_name="all_artefacts")
    audience = models.CharField(max_length=50)
    kind = models.CharField(max_length=20)
    content = models.BinaryField()
    sha256 = models.CharField(max_length=64)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["phase", "audience", "kind"], name="one_artefact_a_kind")
        ]

    def __str__(self) -> str:
        return f"{self.phase}: {self.kind} for {self.audience}"


class Link(Secret):
    """An address that nobody can guess, which shows one published artefact."""

    on_record: ClassVar = OnRecord(campaign="artefact__phase__campaign", named_by=("token",))
    artefact = models.ForeignKey(Artefact, on_delete=models.CASCADE, related_name="links")
    token = models.CharField(max_length=32, unique=True)
    """128 bits in hexadecimal."""
    made_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["artefact"], condition=Q(revoked_at__isnull=True), name="one_live_link_an_artefact"
            )
        ]

    def __str__(self) -> str:
        return f"link to {self.artefact}"


class Fetch(models.Model):
    """A visitor of an artefact's link; one row for each, however often they came."""

    link = models.ForeignKey(Link, on_delete=models.CASCADE, related_name="fetches")
    user = models.ForeignKey(User, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    """None: not a member of the campaign, or not signed in."""
    mark = models.CharField(max_length=12)
    """Tells visitors apart: a keyed digest, from which no address can be recovered."""
    first_at = models.DateTimeField()
    last_at = models.DateTimeField()
    times = models.PositiveIntegerField(default=1)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["link", "mark"], name="one_fetch_a_visitor")]
        indexes: ClassVar = [models.Index(fields=["last_at"], name="fetch_age")]

    def __str__(self) -> str:
        return f"{self.link}: {self.mark}"
