"""Phases, what they begin with, and what comes of them.

Their states and constraints follow their life; see `gm.phases.lifecycle`.
"""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from campaign.core.on_record import OnRecord
from campaign.engine.phases import Weight, phase_name
from campaign.engine.values.ids import PhaseKey
from campaign.engine.values.moments import Moment, day_moment
from campaign.models.campaigns import Campaign
from campaign.models.users import User
from campaign.secrecy.tables import Secret


class PhaseState(models.TextChoices):
    OPEN = "OPEN"
    LOCKED = "LOCKED"
    RUNNING = "RUNNING"
    REVIEW = "REVIEW"
    PUBLISHED = "PUBLISHED"
    FAILED = "FAILED"
    WITHDRAWN = "WITHDRAWN"


class DeadlineKind(models.TextChoices):
    CLOSES = "closes"
    """At the deadline, defaults apply."""
    NAGS = "nags"
    """The deadline reminds; the phase waits for results."""
    READY = "ready"
    """The deadline means nothing: the phase closes when all who act are READY."""


class Phase(models.Model):
    """One phase of a campaign: the row is the job, and its state says how far the job is."""

    on_record: ClassVar = OnRecord(
        campaign="campaign",
        named_by=("no", "rev"),
        parts=("start", "proof"),
        added={
            "moment": lambda phase: day_moment(phase.day).label if phase.day else None,
            "occurrences": {},
            "weight": Weight.FULL.value,
        },
        free={
            "lease_until": "how long a worker may take; then another takes over and gets the same result",
            "claimed_by": "a worker's name",
            "errors": "counts tries; each error has an entry of its own",
            "leases_lost": "counts workers that died",
        },
    )
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="phases")
    no = models.PositiveIntegerField()
    rev = models.PositiveIntegerField(default=0)
    key = models.CharField(max_length=50)
    moment = models.CharField(max_length=100)
    """When it is in the game, in players' words: 16 December 1944."""
    day = models.DateField(null=True, blank=True)
    """The same as a date, if it has one."""
    weight = models.CharField(max_length=10, default=Weight.FULL.value)
    """The weight of the phase in which people act; once published, the heaviest of those that ran then."""
    occurrences = models.JSONField(default=dict, blank=True)
    """By key of an impulse or reply: how often it had come up before, since numbers last restarted."""
    acts = models.JSONField(default=list)
    """Who must act in it: sides, or the GM. Everybody may know."""
    state = models.CharField(max_length=20, choices=PhaseState.choices, default=PhaseState.OPEN)
    held = models.BooleanField(default=False)
    remaining = models.DurationField(null=True, blank=True)
    """For a paused phase: the time that was left."""
    held_at = models.DateTimeField(null=True, blank=True)
    """For a paused phase: when it was paused."""
    held_until = models.DateTimeField(null=True, blank=True)
    """For a paused phase: when it resumes; empty: when the GM says so."""
    opens_at = models.DateTimeField()
    deadline_at = models.DateTimeField()
    """The campaign's start is due at once."""
    deadline_rev = models.PositiveIntegerField(default=0)
    deadline_kind = models.CharField(max_length=10, choices=DeadlineKind.choices, default=DeadlineKind.CLOSES)
    fence = models.PositiveIntegerField(default=0)
    lease_until = models.DateTimeField(null=True, blank=True)
    claimed_by = models.CharField(max_length=100, blank=True)
    errors = models.PositiveIntegerField(default=0)
    leases_lost = models.PositiveIntegerField(default=0)
    locked_at = models.DateTimeField(null=True, blank=True)
    lock_no = models.PositiveIntegerField(null=True, blank=True)
    state_version = models.PositiveIntegerField()
    """Version of the state at its start."""
    drafted_at = models.DateTimeField(null=True, blank=True)
    """When its latest draft came to the GM."""
    published_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["campaign", "no", "rev"], name="one_phase_a_number"),
            models.UniqueConstraint(fields=["campaign", "lock_no"], name="one_phase_a_lock"),
            models.CheckConstraint(condition=Q(state__in=PhaseState.values), name="phase_state_known"),
            models.CheckConstraint(
                condition=~Q(state="PUBLISHED") | Q(published_at__isnull=False), name="published_has_a_time"
            ),
            models.UniqueConstraint(
                fields=["campaign"], condition=~Q(state__in=["PUBLISHED", "WITHDRAWN"]), name="one_live_phase"
            ),
        ]
        indexes: ClassVar = [models.Index(fields=["state", "deadline_at"], name="phase_due")]

    def __str__(self) -> str:
        return f"{self.campaign}: {self.moment} {phase_name(PhaseKey(self.key), self.occurrence)}"

    @property
    def file_stem(self) -> str:
        """The beginning of names of files about it: 1944-12-16-german-sheet."""
        again = f"-{self.occurrence}" if self.occurrence > 1 else ""
        return f"{Moment(self.moment, self.day).in_files}-{self.key.replace('_', '-')}{again}"

    @property
    def occurrence(self) -> int:
        """Its number among the phases of its key, from 1."""
        return int(self.occurrences.get(self.key, 0)) + 1


class PhaseStart(Secret):
    """The true state at a phase's start."""

    phase = models.OneToOneField(Phase, on_delete=models.CASCADE, related_name="start", primary_key=True)
    state_before = models.BinaryField()
    """Canonical JSON, compressed."""

    def __str__(self) -> str:
        return f"{self.phase}: state"


class PhaseProof(Secret):
    """The proof of a phase's lock: its sheets, the sources of its dice, and its result.

    It exists from the lock on.
    """

    phase = models.OneToOneField(Phase, on_delete=models.CASCADE, related_name="proof", primary_key=True)
    sheets_digest = models.CharField(max_length=64, blank=True)
    contributions = models.JSONField(default=dict)
    """What went into the lock's dice: each side's contribution, by side, and the mix of the previous lock."""
    mix = models.CharField(max_length=64, blank=True)
    result_digest = models.CharField(max_length=64, blank=True)

    def __str__(self) -> str:
        return f"{self.phase}: proof"


class Resolution(models.Model):
    """The result of a phase: one for each phase, replaced by re-runs under higher fences until publication."""

    on_record: ClassVar = OnRecord(
        campaign="phase__campaign", named_by=("phase_id",), parts=("outcome",), added={"event_version": 1}
    )
    phase = models.OneToOneField(Phase, on_delete=models.CASCADE)
    fence = models.PositiveIntegerField()
    state_version = models.PositiveIntegerField()
    """Version of the state afterwards."""
    event_version = models.PositiveIntegerField(default=1)

    def __str__(self) -> str:
        return f"{self.phase}: result"


class Outcome(Secret):
    """All events of a phase, and the true state at its end."""

    resolution = models.OneToOneField(Resolution, on_delete=models.CASCADE, related_name="outcome", primary_key=True)
    state_after = models.BinaryField()
    events = models.BinaryField()
    digest = models.CharField(max_length=64)
    """Digest of both, before compression."""

    def __str__(self) -> str:
        return f"{self.resolution}: {self.digest[:12]}"


class DrawOffer(Secret):
    """A side offers a draw. It lapses with the next publication."""

    on_record: ClassVar = OnRecord(campaign="after__campaign", named_by=("after_id", "side"))
    after = models.ForeignKey(Phase, on_delete=models.CASCADE, related_name="draw_offers")
    """The phase published last when it was made: the offer stands while it is."""
    side = models.CharField(max_length=50)
    author = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["after", "side"], name="one_draw_offer_a_phase"),
        ]

    def __str__(self) -> str:
        return f"{self.after}: {self.side} offers a draw"
