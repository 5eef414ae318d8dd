"""Rows of a campaign: people, phases, publications, outgoing mail. Rows store; services act.

The states and constraints of a phase follow its life (see `gm.phases.lifecycle`). All work on SQLite and on
PostgreSQL.
"""

from typing import ClassVar

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import F, Q

from campaign.core.on_record import OnRecord
from campaign.engine.phases import Weight, phase_name
from campaign.engine.values.ids import PhaseKey
from campaign.engine.values.moments import Moment, day_moment
from campaign.secrecy.tables import Owned, Secret


class User(AbstractUser):
    """A person. The user name is their forum name."""

    time_zone = models.CharField(max_length=64, blank=True)
    """The zone in which they read times; empty: UTC."""
    parts_rev = models.PositiveIntegerField(default=0)
    """Grows with every change of their part in a campaign; see `campaign.people.sessions`."""

    class Meta(AbstractUser.Meta):
        pass


class Campaign(models.Model):
    """A campaign: a scenario that is played."""

    on_record: ClassVar = OnRecord(
        campaign="pk",
        parts=("scenario", "dice"),
        removed={
            "reviewed": lambda campaign: _of_full_phases(campaign, "reviewed"),
            "stop_hours": lambda campaign: _of_full_phases(campaign, "hours"),
        },
    )
    slug = models.SlugField(unique=True)
    title = models.CharField(max_length=200)
    ruleset = models.CharField(max_length=50)
    scenario_digest = models.CharField(max_length=64)
    anchors = models.JSONField(default=dict)
    """Seed 0 of every audience's chain of dice seeds, in hexadecimal: public from the start."""
    public = models.BooleanField(default=True)
    """Whether everybody with the address may read what the public is told."""
    open_links = models.JSONField(default=list, blank=True)
    """Audiences whose pictures anybody with a link sees, signed in or not; see `campaign.links`."""
    time_zone = models.CharField(max_length=64, default="UTC")
    """The zone of weekdays and quiet hours."""
    weekdays = models.JSONField(default=list, blank=True)
    """Days on which deadlines may fall, Monday 0; empty: every day."""
    quiet_from = models.PositiveSmallIntegerField(null=True, blank=True)
    quiet_to = models.PositiveSmallIntegerField(null=True, blank=True)
    """Hours of the day between which no deadline falls: 22 to 8 is the night."""
    reminder_hours = models.PositiveIntegerField(default=12)
    """Hours before a deadline at which those without a sheet are reminded; 0: no reminders."""
    battle_hours = models.PositiveIntegerField(default=48)
    """Hours after which a reported result counts if nobody confirms or disputes it."""
    absent_hours = models.PositiveIntegerField(null=True, blank=True)
    """Hours after which a draft without flags publishes itself; empty: it waits for the GM."""
    created_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.title


class CampaignScenario(Secret):
    """The scenario of a campaign, with the start positions of both sides."""

    campaign = models.OneToOneField(Campaign, on_delete=models.CASCADE, related_name="scenario", primary_key=True)
    scenario_files = models.JSONField()
    """Texts by file name, as at the campaign's start; for a picture, its digest."""

    def __str__(self) -> str:
        return f"{self.campaign}: scenario"


class CampaignDice(Secret):
    """The source of all dice of a campaign."""

    campaign = models.OneToOneField(Campaign, on_delete=models.CASCADE, related_name="dice", primary_key=True)
    sealed_dice = models.BinaryField()
    """The master seed, encrypted; see `campaign.record.dice_keys`."""

    class Meta:
        verbose_name_plural = "campaign dice"

    def __str__(self) -> str:
        return f"{self.campaign}: dice"


def _of_full_phases(campaign: Campaign, column: str) -> object:
    """A setting of full phases, which was a column of the campaign before other weights existed."""
    return campaign.phase_settings.filter(weight=Weight.FULL.value).values_list(column, flat=True).first()


class Mailing(models.TextChoices):
    """What is mailed about phases of a weight."""

    REPORTS = "reports"
    """The report to all to whom it says something new, and the question to those who must act."""
    QUESTIONS = "questions"
    """The question to those who must act."""
    DIGEST = "digest"
    """Nothing: the mail of the next full phase gathers it."""


class PhaseSettings(models.Model):
    """How a campaign handles its phases of one weight."""

    on_record: ClassVar = OnRecord(
        campaign="campaign",
        named_by=("weight",),
        migrated=lambda row: (row.weight, row.mailing, row.pictures) == (Weight.FULL.value, Mailing.REPORTS, True),
    )
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="phase_settings")
    weight = models.CharField(max_length=10, choices=[(weight.value, weight.value) for weight in Weight])
    hours = models.PositiveIntegerField()
    """How long a phase is open."""
    reviewed = models.BooleanField()
    """Whether drafts wait for the GM. If not, a phase is published once it is resolved."""
    mailing = models.CharField(max_length=10, choices=Mailing.choices)
    pictures = models.BooleanField()
    """Whether maps and charts are drawn at publication; if not, on request."""

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["campaign", "weight"], name="one_row_a_weight"),
            models.CheckConstraint(
                condition=Q(weight__in=[weight.value for weight in Weight]), name="phase_weight_known"
            ),
            models.CheckConstraint(condition=Q(mailing__in=Mailing.values), name="mailing_known"),
        ]

    def __str__(self) -> str:
        return f"{self.campaign}: {self.weight} phases"


class ScenarioPicture(Secret):
    """A picture under the maps of all campaigns with this scenario, by its digest. It never changes."""

    digest = models.CharField(max_length=64, unique=True)
    """SHA-256 of the file."""
    content = models.BinaryField()

    def __str__(self) -> str:
        return self.digest


class Closing(models.Model):
    """A campaign that the GM has closed: all its dice are open to everybody."""

    on_record: ClassVar = OnRecord(campaign="campaign")
    campaign = models.OneToOneField(Campaign, on_delete=models.CASCADE, related_name="closing")
    author = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.campaign}, closed"


class Role(models.TextChoices):
    """What a person does in a campaign."""

    GM = "gm", "Game master"
    COMMANDER = "commander", "Commander"
    DEPUTY = "deputy", "Deputy commander"
    """Writes the side's sheet like its commander, but nobody waits for them."""
    STAFF = "staff", "Staff"
    TACTICAL = "tactical", "Tactical player"
    SPECTATOR = "spectator", "Spectator"


class Membership(models.Model):
    """A person's part in a campaign: one at most, with a side only for players."""

    on_record: ClassVar = OnRecord(
        campaign="campaign", named_by=("user_id",), parts=("joining",), free=frozenset({"mutes_reports"})
    )
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=20, choices=Role.choices)
    side = models.CharField(max_length=50, blank=True)
    knows = models.CharField(max_length=50, blank=True)
    """The side, or the GM, whose secrets they have been told: they can play for no other side."""
    mutes_reports = models.BooleanField(default=False)
    """Whether they want no mail that only reports. Mail that asks for something still comes."""
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


class JoiningWords(Secret):
    """What a member typed when they joined: a commander's text goes into the dice of the campaign's start."""

    membership = models.OneToOneField(Membership, on_delete=models.CASCADE, related_name="joining", primary_key=True)
    words = models.CharField(max_length=200, blank=True)

    class Meta:
        verbose_name_plural = "joining words"

    def __str__(self) -> str:
        return f"{self.membership}: words"


class Desk(Owned):
    """Formations of a side whose orders one person writes. HQ orders all others, and may override any desk."""

    on_record: ClassVar = OnRecord(campaign="campaign", named_by=("side", "name"))
    in_campaign, owner = "campaign", "side"
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="all_desks")
    side = models.CharField(max_length=50)
    name = models.CharField(max_length=50)
    holder = models.ForeignKey(Membership, on_delete=models.SET_NULL, null=True, blank=True, related_name="all_desks")
    formations = models.JSONField(default=list)
    """Names of formations, as in the ruleset."""

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["campaign", "side", "name"], name="one_desk_a_name"),
            models.CheckConstraint(condition=~Q(name="HQ"), name="hq_is_no_row"),
        ]

    def __str__(self) -> str:
        return f"{self.campaign}: {self.side} {self.name}"


class Invitation(models.Model):
    """A link by which one person joins a campaign."""

    on_record: ClassVar = OnRecord(campaign="campaign", named_by=("token_digest",))
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="invitations")
    token_digest = models.CharField(max_length=64, unique=True)
    """SHA-256 of the link's secret part, which is shown once and not stored."""
    role = models.CharField(max_length=20, choices=Role.choices)
    side = models.CharField(max_length=50, blank=True)
    meant_for = models.CharField(max_length=200, blank=True)
    created_by = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)
    used_at = models.DateTimeField(null=True, blank=True)
    used_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")

    def __str__(self) -> str:
        return f"{self.campaign}: {self.role} {self.side} for {self.meant_for or 'somebody'}"


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
        free=frozenset({"lease_until", "claimed_by", "errors", "leases_lost"}),
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


class BattleState(models.TextChoices):
    OPEN = "open", "waits for a report"
    REPORTED = "reported", "waits for the other player"
    CONFIRMED = "confirmed", "confirmed"
    ACCEPTED = "accepted", "counts as accepted"
    """Nobody answered the report in time."""
    DISPUTED = "disputed", "disputed"
    RULED = "ruled", "decided by the GM"


class Battle(models.Model):
    """A battle that is played outside, and how far its result is. The row of one phase at which results count."""

    on_record: ClassVar = OnRecord(campaign="phase__campaign", named_by=("phase_id", "key"), parts=("result",))
    phase = models.ForeignKey(Phase, on_delete=models.CASCADE, related_name="battles")
    key = models.CharField(max_length=50)
    """The ruleset's key: the hex of the battle."""
    attacker = models.CharField(max_length=50)
    defender = models.CharField(max_length=50)
    attacking_player = models.ForeignKey(
        Membership, on_delete=models.SET_NULL, null=True, blank=True, related_name="battles_attacked"
    )
    defending_player = models.ForeignKey(
        Membership, on_delete=models.SET_NULL, null=True, blank=True, related_name="battles_defended"
    )
    state = models.CharField(max_length=10, choices=BattleState.choices, default=BattleState.OPEN)
    reported_by = models.CharField(max_length=50, blank=True)
    """The side that reported it, or the GM."""
    reported_at = models.DateTimeField(null=True, blank=True)
    accepts_at = models.DateTimeField(null=True, blank=True)
    """When its report counts as accepted without an answer; pauses and outages move it."""
    settled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["phase", "key"], name="one_battle_a_key"),
            models.CheckConstraint(condition=Q(state__in=BattleState.values), name="battle_state_known"),
        ]

    def __str__(self) -> str:
        return f"{self.phase}: battle of {self.key}"


class BattleResult(Secret):
    """The present result of a battle, from the first report on."""

    battle = models.OneToOneField(Battle, on_delete=models.CASCADE, related_name="result", primary_key=True)
    report = models.TextField()
    """In the players' notation."""

    class Meta:
        constraints: ClassVar = [models.CheckConstraint(condition=~Q(report=""), name="results_say_something")]

    def __str__(self) -> str:
        return f"{self.battle}: result"


class BattleAct(models.TextChoices):
    """What the author of a battle report did."""

    REPORT = "report"
    CONFIRM = "confirm"
    DISPUTE = "dispute"
    DECIDE = "decide"
    """The GM alone."""


class BattleReport(Owned):
    """A text about a battle, as written: reports, confirmations, statements, decisions. Append-only."""

    on_record: ClassVar = OnRecord(campaign="battle__phase__campaign", named_by=("id",))
    in_campaign, owner = "battle__phase__campaign", "side"
    battle = models.ForeignKey(Battle, on_delete=models.CASCADE, related_name="all_reports")
    side = models.CharField(max_length=50)
    """The author's side, or the GM."""
    author = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    act = models.CharField(max_length=20, choices=BattleAct.choices)
    text = models.TextField()
    idem_key = models.CharField(max_length=64, blank=True)
    """SHA-256 of the sender's key; empty where doing it twice changes nothing."""
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["battle", "idem_key"], condition=~Q(idem_key=""), name="one_report_a_submission"
            )
        ]

    def __str__(self) -> str:
        return f"{self.battle}: {self.act} by {self.side}"


class Statement(Owned):
    """One side's statement on a disputed battle, for the GM and both players."""

    on_record: ClassVar = OnRecord(campaign="battle__phase__campaign", named_by=("battle_id", "side"))
    in_campaign, owner = "battle__phase__campaign", "side"
    battle = models.ForeignKey(Battle, on_delete=models.CASCADE, related_name="all_statements")
    side = models.CharField(max_length=50)
    author = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    text = models.TextField()
    link = models.URLField(blank=True)
    """A saved game or a picture."""
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["battle", "side"], name="one_statement_a_side")]

    def __str__(self) -> str:
        return f"{self.battle}: statement of {self.side}"


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


class Artefact(Owned):
    """What one audience received of a phase, frozen: their state, view, report, map."""

    on_record: ClassVar = OnRecord(
        campaign="phase__campaign", named_by=("phase_id", "audience", "kind"), free=frozenset({"content"})
    )
    in_campaign, owner = "phase__campaign", "audience"
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


class OutboxState(models.TextChoices):
    WAITING = "waiting"
    SENDING = "sending"
    SENT = "sent"
    DEAD = "dead"


class OutboxMessage(Secret):
    """A mail to one person, written in the transaction that makes it true, sent afterwards."""

    on_record: ClassVar = OnRecord(
        campaign="campaign",
        named_by=("key",),
        free=frozenset(
            {
                *("state", "tries", "trouble", "refused", "sent_at", "first_try_at", "next_at", "lease_until", "fence"),
                *("to_addr", "message"),
            }
        ),
    )
    key = models.CharField(max_length=200, unique=True)
    """What it is about: no mail is written twice."""
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="outbox", null=True, blank=True)
    """None: it is about an account."""
    phase = models.ForeignKey(Phase, on_delete=models.CASCADE, related_name="outbox", null=True, blank=True)
    kind = models.CharField(max_length=20)
    audience = models.CharField(max_length=50, blank=True)
    subject = models.CharField(max_length=300)
    user = models.ForeignKey(User, on_delete=models.CASCADE)
    to_addr = models.EmailField()
    message = models.BinaryField()
    """The whole mail, so that a second sending has the same bytes."""
    digest = models.CharField(max_length=64, blank=True)
    """SHA-256 of the mail as written, independent of its address."""
    message_id = models.CharField(max_length=200)
    state = models.CharField(max_length=10, choices=OutboxState.choices, default=OutboxState.WAITING)
    tries = models.PositiveIntegerField(default=0)
    trouble = models.CharField(max_length=300, blank=True)
    """The error of the last try."""
    refused = models.BooleanField(default=False)
    """Whether the mail server was reached at the last try, and refused the mail."""
    created_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True, blank=True)
    first_try_at = models.DateTimeField(null=True, blank=True)
    """For a mail that was given up and is retried: when that was decided."""
    next_at = models.DateTimeField()
    lease_until = models.DateTimeField(null=True, blank=True)
    fence = models.PositiveIntegerField(default=0)

    class Meta:
        indexes: ClassVar = [models.Index(F("state"), F("next_at"), name="outbox_due")]

    def __str__(self) -> str:
        return self.key

    @property
    def name(self) -> str:
        """Its name in addresses, which does not show how many mails there are."""
        return self.message_id.strip("<>").partition("@")[0]


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


class Heartbeat(models.Model):
    """When a part of the machinery was last alive."""

    name = models.CharField(max_length=50, primary_key=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name} at {self.at}"


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
