"""Rows of a campaign: people, phases, what was published, what is to be mailed. Rows store; services act.

The states and constraints of a phase are those of its life (see `gm.lifecycle`); each holds on SQLite and PostgreSQL.
"""

from typing import ClassVar

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import F, Q


class User(AbstractUser):
    """A person. The user name is the name the forum knows."""

    class Meta(AbstractUser.Meta):
        pass


class Campaign(models.Model):
    """A campaign: a scenario being played."""

    slug = models.SlugField(unique=True)
    title = models.CharField(max_length=200)
    ruleset = models.CharField(max_length=50)
    scenario_files = models.JSONField()
    """The scenario as text, by file name, as it was when the campaign began."""
    scenario_digest = models.CharField(max_length=64)
    sealed_dice = models.BinaryField()
    """The master seed of its dice, encrypted; see `campaign.dice_keys`."""
    reviewed = models.BooleanField(default=True)
    """Drafts wait for the GM. If not, a stop is published as soon as it is adjudicated."""
    time_zone = models.CharField(max_length=64, default="UTC")
    stop_hours = models.PositiveIntegerField(default=48)
    """How long a stop is open."""
    created_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.title


class Role(models.TextChoices):
    """What a person does in a campaign."""

    GM = "gm", "Game master"
    COMMANDER = "commander", "Commander"
    STAFF = "staff", "Staff"
    TACTICAL = "tactical", "Tactical player"
    SPECTATOR = "spectator", "Spectator"


class Membership(models.Model):
    """A person's part in a campaign: one at most, and a side only for those who play."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=20, choices=Role.choices)
    side = models.CharField(max_length=50, blank=True)
    joined_at = models.DateTimeField()
    left_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["campaign", "user"], name="one_part_a_person"),
            models.CheckConstraint(
                condition=Q(role__in=["gm", "spectator"], side="") | (~Q(role__in=["gm", "spectator"]) & ~Q(side="")),
                name="players_have_a_side",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} in {self.campaign}: {self.role} {self.side}".strip()


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
    """At the deadline defaults apply."""
    NAGS = "nags"
    """The deadline reminds; the phase waits for results."""


class Phase(models.Model):
    """One stop of a campaign: the row is the job, its state says where the job stands."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="phases")
    no = models.PositiveIntegerField()
    rev = models.PositiveIntegerField(default=0)
    key = models.CharField(max_length=50)
    day = models.DateField()
    acts = models.JSONField(default=list)
    """Who must act in it: sides, or the GM. Everybody may know."""
    state = models.CharField(max_length=20, choices=PhaseState.choices, default=PhaseState.OPEN)
    held = models.BooleanField(default=False)
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
    sheets_digest = models.CharField(max_length=64, blank=True)
    mix = models.CharField(max_length=64, blank=True)
    state_version = models.PositiveIntegerField()
    result_digest = models.CharField(max_length=64, blank=True)
    published_at = models.DateTimeField(null=True, blank=True)
    state_before = models.BinaryField()
    """The truth at its start: canonical JSON, compressed."""

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
        return f"{self.campaign}: {self.day} {self.key}"


class Ruling(models.Model):
    """A GM's correction, applied when the phase is adjudicated."""

    phase = models.ForeignKey(Phase, on_delete=models.CASCADE, related_name="rulings")
    seq = models.PositiveIntegerField()
    at = models.CharField(max_length=50)
    fact = models.JSONField()
    reason = models.TextField()
    author = models.ForeignKey(User, on_delete=models.PROTECT)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["phase", "seq"], name="rulings_in_order")]

    def __str__(self) -> str:
        return f"{self.phase}: {self.reason}"


class Resolution(models.Model):
    """What came of a phase: one a phase, replaced by a re-run under a higher fence until it is published."""

    phase = models.OneToOneField(Phase, on_delete=models.CASCADE)
    fence = models.PositiveIntegerField()
    state_version = models.PositiveIntegerField()
    """Of the state afterwards."""
    state_after = models.BinaryField()
    events = models.BinaryField()
    digest = models.CharField(max_length=64)

    def __str__(self) -> str:
        return f"{self.phase}: {self.digest[:12]}"


class Artefact(models.Model):
    """What one audience received of a phase, frozen: slice, view, report, map."""

    phase = models.ForeignKey(Phase, on_delete=models.CASCADE, related_name="artefacts")
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


class OutboxState(models.TextChoices):
    WAITING = "waiting"
    SENDING = "sending"
    SENT = "sent"
    DEAD = "dead"


class OutboxMessage(models.Model):
    """A mail to one person, written in the transaction that makes it true, sent afterwards."""

    key = models.CharField(max_length=200, unique=True)
    """What it is about: the same mail is never written twice."""
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="outbox")
    audience = models.CharField(max_length=50)
    user = models.ForeignKey(User, on_delete=models.CASCADE)
    to_addr = models.EmailField()
    message = models.BinaryField()
    """The whole mail as bytes, so that a second sending is the same mail."""
    message_id = models.CharField(max_length=200)
    state = models.CharField(max_length=10, choices=OutboxState.choices, default=OutboxState.WAITING)
    tries = models.PositiveIntegerField(default=0)
    first_try_at = models.DateTimeField(null=True, blank=True)
    next_at = models.DateTimeField()
    lease_until = models.DateTimeField(null=True, blank=True)
    fence = models.PositiveIntegerField(default=0)

    class Meta:
        indexes: ClassVar = [models.Index(F("state"), F("next_at"), name="outbox_due")]

    def __str__(self) -> str:
        return self.key


class Heartbeat(models.Model):
    """When a part of the machinery was last alive."""

    name = models.CharField(max_length=50, primary_key=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name} at {self.at}"


class AuditEntry(models.Model):
    """A link of a campaign's chain of what was done: each digest covers the one before, so an edit shows."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="audit")
    no = models.PositiveIntegerField()
    at = models.DateTimeField()
    act = models.CharField(max_length=50)
    subject = models.JSONField()
    prev = models.CharField(max_length=64)
    digest = models.CharField(max_length=64)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["campaign", "no"], name="audit_without_gaps")]

    def __str__(self) -> str:
        return f"{self.campaign} {self.no}: {self.act}"
