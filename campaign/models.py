"""Rows of a campaign: people, phases, what was published, what is to be mailed. Rows store; services act.

The states and constraints of a phase are those of its life (see `gm.phases.lifecycle`). Each holds on SQLite and on
PostgreSQL.
"""

from typing import ClassVar

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import F, Q

from campaign.core.on_record import OnRecord
from campaign.engine.ids import PhaseKey
from campaign.engine.moments import Moment, day_moment
from campaign.engine.phases import Weight, phase_name
from campaign.secrecy.tables import Owned, Secret


class User(AbstractUser):
    """A person. The user name is the name the forum knows."""

    time_zone = models.CharField(max_length=64, blank=True)
    """In which he reads times; empty: UTC."""
    parts_rev = models.PositiveIntegerField(default=0)
    """Grows whenever his part in a campaign changes; see `campaign.people.sessions`."""

    class Meta(AbstractUser.Meta):
        pass


class Campaign(models.Model):
    """A campaign: a scenario being played."""

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
    """Whoever has the address may read what the public is told."""
    open_links = models.JSONField(default=list, blank=True)
    """Audiences whose pictures are shown to whoever has a link, logged in or not; see `campaign.links`."""
    time_zone = models.CharField(max_length=64, default="UTC")
    """In which weekdays and quiet hours are meant."""
    weekdays = models.JSONField(default=list, blank=True)
    """Days on which deadlines may fall, Monday 0; empty: every day."""
    quiet_from = models.PositiveSmallIntegerField(null=True, blank=True)
    quiet_to = models.PositiveSmallIntegerField(null=True, blank=True)
    """Hours of the day between which no deadline falls: 22 to 8 is the night."""
    reminder_hours = models.PositiveIntegerField(default=12)
    """So long before a deadline those are reminded who have not sent their sheet; 0: nobody is."""
    battle_hours = models.PositiveIntegerField(default=48)
    """A reported result that nobody has confirmed or disputed stands after so long."""
    absent_hours = models.PositiveIntegerField(null=True, blank=True)
    """A draft with nothing flagged in it publishes itself after so long; empty: it waits for the GM."""
    created_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.title


class CampaignScenario(Secret):
    """The scenario of a campaign, with what both sides have at its start."""

    campaign = models.OneToOneField(Campaign, on_delete=models.CASCADE, related_name="scenario", primary_key=True)
    scenario_files = models.JSONField()
    """As text, by file name, as it was when the campaign began; of a picture its digest."""

    def __str__(self) -> str:
        return f"{self.campaign}: scenario"


class CampaignDice(Secret):
    """What all dice of a campaign follow from."""

    campaign = models.OneToOneField(Campaign, on_delete=models.CASCADE, related_name="dice", primary_key=True)
    sealed_dice = models.BinaryField()
    """The master seed, encrypted; see `campaign.record.dice_keys`."""

    class Meta:
        verbose_name_plural = "campaign dice"

    def __str__(self) -> str:
        return f"{self.campaign}: dice"


def _of_full_phases(campaign: Campaign, column: str) -> object:
    """A setting of full phases, which was a column of the campaign before there were others."""
    return campaign.phase_settings.filter(weight=Weight.FULL.value).values_list(column, flat=True).first()


class Mailing(models.TextChoices):
    """What is mailed of phases of a weight."""

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
    """Drafts wait for the GM. If not, a phase is published as soon as it is resolved."""
    mailing = models.CharField(max_length=10, choices=Mailing.choices)
    pictures = models.BooleanField()
    """Maps and charts are drawn when a phase is published; if not, they are drawn when somebody asks for them."""

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
    """A picture under the maps of all campaigns whose scenario has it, by its digest. It stays as it is."""

    digest = models.CharField(max_length=64, unique=True)
    """SHA-256 of the file."""
    content = models.BinaryField()

    def __str__(self) -> str:
        return self.digest


class Closing(models.Model):
    """That the game master has closed a campaign: all its dice are open to everybody."""

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
    """Writes the side's sheet like its commander, but nobody waits for him."""
    STAFF = "staff", "Staff"
    TACTICAL = "tactical", "Tactical player"
    SPECTATOR = "spectator", "Spectator"


class Membership(models.Model):
    """A person's part in a campaign: one at most, and a side only for those who play."""

    on_record: ClassVar = OnRecord(
        campaign="campaign", named_by=("user_id",), parts=("joining",), free=frozenset({"mutes_reports"})
    )
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=20, choices=Role.choices)
    side = models.CharField(max_length=50, blank=True)
    knows = models.CharField(max_length=50, blank=True)
    """Whose secrets he has ever been told, a side's or the GM's: he plays for no other side any more."""
    mutes_reports = models.BooleanField(default=False)
    """He wants no mail that only tells him something. What asks for something comes all the same."""
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
    """What a member typed when they joined: a commander's go into the dice of the campaign's start."""

    membership = models.OneToOneField(Membership, on_delete=models.CASCADE, related_name="joining", primary_key=True)
    words = models.CharField(max_length=200, blank=True)

    class Meta:
        verbose_name_plural = "joining words"

    def __str__(self) -> str:
        return f"{self.membership}: words"


class Desk(Owned):
    """A set of a side's formations whose orders one person writes. What no desk has is HQ's, as is the last word."""

    on_record: ClassVar = OnRecord(campaign="campaign", named_by=("side", "name"))
    in_campaign, owner = "campaign", "side"
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="all_desks")
    side = models.CharField(max_length=50)
    name = models.CharField(max_length=50)
    holder = models.ForeignKey(Membership, on_delete=models.SET_NULL, null=True, blank=True, related_name="all_desks")
    formations = models.JSONField(default=list)
    """Names of formations, as the ruleset knows them."""

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
    """SHA-256 of the link's secret part, which is shown once and not kept."""
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
    """At the deadline defaults apply."""
    NAGS = "nags"
    """The deadline reminds; the phase waits for results."""


class Phase(models.Model):
    """One stop of a campaign: the row is the job, its state says where the job stands."""

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
    """When it is in the game, as players call it: 16 December 1944."""
    day = models.DateField(null=True, blank=True)
    """The same as a date, where it has one."""
    weight = models.CharField(max_length=10, default=Weight.FULL.value)
    """Of the phase that people act in; once it is published, of the heaviest that ran then."""
    occurrences = models.JSONField(default=dict, blank=True)
    """How often each impulse and reply had come up before, by its key, since numbers began again."""
    acts = models.JSONField(default=list)
    """Who must act in it: sides, or the GM. Everybody may know."""
    state = models.CharField(max_length=20, choices=PhaseState.choices, default=PhaseState.OPEN)
    held = models.BooleanField(default=False)
    remaining = models.DurationField(null=True, blank=True)
    """Of a phase that is held: the time that was left."""
    held_at = models.DateTimeField(null=True, blank=True)
    """Of a phase that is held: since when."""
    held_until = models.DateTimeField(null=True, blank=True)
    """Then it goes on by itself; empty: when the GM says so."""
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
    """Of the state at its start."""
    drafted_at = models.DateTimeField(null=True, blank=True)
    """When its newest draft came to the GM."""
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
        """What names of files about it begin with: 1944-12-16-german-sheet."""
        again = f"-{self.occurrence}" if self.occurrence > 1 else ""
        return f"{Moment(self.moment, self.day).in_files}-{self.key.replace('_', '-')}{again}"

    @property
    def occurrence(self) -> int:
        """Its number among the phases of its key, from 1."""
        return int(self.occurrences.get(self.key, 0)) + 1


class PhaseStart(Secret):
    """The truth with which a phase begins."""

    phase = models.OneToOneField(Phase, on_delete=models.CASCADE, related_name="start", primary_key=True)
    state_before = models.BinaryField()
    """Canonical JSON, compressed."""

    def __str__(self) -> str:
        return f"{self.phase}: state"


class PhaseProof(Secret):
    """What proves with which sheets a phase was locked, of what its dice were mixed, and what came of it.

    It is there from the lock on.
    """

    phase = models.OneToOneField(Phase, on_delete=models.CASCADE, related_name="proof", primary_key=True)
    sheets_digest = models.CharField(max_length=64, blank=True)
    contributions = models.JSONField(default=dict)
    """What went into the lock's dice: what each side brought, by side, and the mix of the lock before."""
    mix = models.CharField(max_length=64, blank=True)
    result_digest = models.CharField(max_length=64, blank=True)

    def __str__(self) -> str:
        return f"{self.phase}: proof"


class Ruling(Secret):
    """A GM's correction, applied when the phase is adjudicated."""

    on_record: ClassVar = OnRecord(campaign="phase__campaign", named_by=("phase_id", "seq"), added={"event_version": 1})
    phase = models.ForeignKey(Phase, on_delete=models.CASCADE, related_name="rulings")
    seq = models.PositiveIntegerField()
    at = models.CharField(max_length=50)
    written = models.TextField(blank=True)
    """As the GM wrote it."""
    fact = models.JSONField()
    event_version = models.PositiveIntegerField(default=1)
    """Of the ruling, stored as the event that it leads to."""
    reason = models.TextField()
    author = models.ForeignKey(User, on_delete=models.PROTECT)
    taken_back_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["phase", "seq"], name="rulings_in_order")]

    def __str__(self) -> str:
        return f"{self.phase}: {self.reason}"


class ManualRoll(Secret):
    """A roll that the GM asks for himself while a draft waits. Its value is no column: it follows from the rest."""

    on_record: ClassVar = OnRecord(campaign="campaign", named_by=("audience", "number"))
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="manual_rolls")
    phase = models.ForeignKey(Phase, on_delete=models.CASCADE, related_name="manual_rolls")
    audience = models.CharField(max_length=50)
    number = models.PositiveIntegerField()
    """Counts up in its audience. All that others can tell is in the number of interventions that reports print."""
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
    """A roll that the GM declares void. It stays in its log, with the reason."""

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
    """A line of the dice log of one audience, as it is published and hashed. Append-only."""

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
    """What the GM says to one audience before the report. Part of its package once the phase is published."""

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
    """A battle that is fought outside, and how far its result has come. The row of one stop at which results count."""

    on_record: ClassVar = OnRecord(campaign="phase__campaign", named_by=("phase_id", "key"), parts=("result",))
    phase = models.ForeignKey(Phase, on_delete=models.CASCADE, related_name="battles")
    key = models.CharField(max_length=50)
    """As the ruleset names it: the hex fought for."""
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
    """When its report counts as accepted if nobody answers; holds and outages move it."""
    settled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["phase", "key"], name="one_battle_a_key"),
            models.CheckConstraint(condition=Q(state__in=BattleState.values), name="battle_state_known"),
        ]

    def __str__(self) -> str:
        return f"{self.phase}: battle of {self.key}"


class BattleResult(Secret):
    """What came of a battle, as it stands now. It is there from the first report on."""

    battle = models.OneToOneField(Battle, on_delete=models.CASCADE, related_name="result", primary_key=True)
    report = models.TextField()
    """In the players' notation."""

    class Meta:
        constraints: ClassVar = [models.CheckConstraint(condition=~Q(report=""), name="results_say_something")]

    def __str__(self) -> str:
        return f"{self.battle}: result"


class BattleAct(models.TextChoices):
    """What somebody did who wrote of a battle."""

    REPORT = "report"
    CONFIRM = "confirm"
    DISPUTE = "dispute"
    DECIDE = "decide"
    """The GM alone."""


class BattleReport(Owned):
    """What somebody wrote of a battle, as he wrote it: reports, confirmations, statements, decisions. Append-only."""

    on_record: ClassVar = OnRecord(campaign="battle__phase__campaign", named_by=("id",))
    in_campaign, owner = "battle__phase__campaign", "side"
    battle = models.ForeignKey(Battle, on_delete=models.CASCADE, related_name="all_reports")
    side = models.CharField(max_length=50)
    """Of its author: a side, or the GM."""
    author = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    act = models.CharField(max_length=20, choices=BattleAct.choices)
    text = models.TextField()
    idem_key = models.CharField(max_length=64, blank=True)
    """SHA-256 of the key that its sender gave it; empty where doing it twice changes nothing."""
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
    """What one side says of a disputed battle, for the GM and both players."""

    on_record: ClassVar = OnRecord(campaign="battle__phase__campaign", named_by=("battle_id", "side"))
    in_campaign, owner = "battle__phase__campaign", "side"
    battle = models.ForeignKey(Battle, on_delete=models.CASCADE, related_name="all_statements")
    side = models.CharField(max_length=50)
    author = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    text = models.TextField()
    link = models.URLField(blank=True)
    """To a saved game or a picture."""
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["battle", "side"], name="one_statement_a_side")]

    def __str__(self) -> str:
        return f"{self.battle}: statement of {self.side}"


class Resolution(models.Model):
    """What came of a phase: one a phase, replaced by a re-run under a higher fence until it is published."""

    on_record: ClassVar = OnRecord(
        campaign="phase__campaign", named_by=("phase_id",), parts=("outcome",), added={"event_version": 1}
    )
    phase = models.OneToOneField(Phase, on_delete=models.CASCADE)
    fence = models.PositiveIntegerField()
    state_version = models.PositiveIntegerField()
    """Of the state afterwards."""
    event_version = models.PositiveIntegerField(default=1)

    def __str__(self) -> str:
        return f"{self.phase}: result"


class Outcome(Secret):
    """All that happened in a phase, and the truth with which it ends."""

    resolution = models.OneToOneField(Resolution, on_delete=models.CASCADE, related_name="outcome", primary_key=True)
    state_after = models.BinaryField()
    events = models.BinaryField()
    digest = models.CharField(max_length=64)
    """Of both, before they are compressed."""

    def __str__(self) -> str:
        return f"{self.resolution}: {self.digest[:12]}"


class Artefact(Owned):
    """What one audience received of a phase, frozen: slice, view, report, map."""

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
    """An address that nobody can guess, under which one published artefact is shown."""

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
    """That somebody fetched an artefact by its link; one row for each, however often he came."""

    link = models.ForeignKey(Link, on_delete=models.CASCADE, related_name="fetches")
    user = models.ForeignKey(User, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    """None: he is no member of the campaign, or was not logged in."""
    mark = models.CharField(max_length=12)
    """By which he is told apart from others: a keyed digest, from which no address can be had back."""
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
    """What it is about: the same mail is never written twice."""
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="outbox", null=True, blank=True)
    """None: it is about an account."""
    phase = models.ForeignKey(Phase, on_delete=models.CASCADE, related_name="outbox", null=True, blank=True)
    kind = models.CharField(max_length=20)
    audience = models.CharField(max_length=50, blank=True)
    subject = models.CharField(max_length=300)
    user = models.ForeignKey(User, on_delete=models.CASCADE)
    to_addr = models.EmailField()
    message = models.BinaryField()
    """The whole mail as bytes, so that a second sending is the same mail."""
    digest = models.CharField(max_length=64, blank=True)
    """SHA-256 of the mail as it was written, but for its address."""
    message_id = models.CharField(max_length=200)
    state = models.CharField(max_length=10, choices=OutboxState.choices, default=OutboxState.WAITING)
    tries = models.PositiveIntegerField(default=0)
    trouble = models.CharField(max_length=300, blank=True)
    """What the last try met."""
    refused = models.BooleanField(default=False)
    """Whether the mail server was there at the last try, and would not take it."""
    created_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True, blank=True)
    first_try_at = models.DateTimeField(null=True, blank=True)
    """Of a mail that was given up and is to be tried again: when that was decided."""
    next_at = models.DateTimeField()
    lease_until = models.DateTimeField(null=True, blank=True)
    fence = models.PositiveIntegerField(default=0)

    class Meta:
        indexes: ClassVar = [models.Index(F("state"), F("next_at"), name="outbox_due")]

    def __str__(self) -> str:
        return self.key

    @property
    def name(self) -> str:
        """What it is called in addresses, which say nothing of how many mails there are."""
        return self.message_id.strip("<>").partition("@")[0]


class Tries(models.Model):
    """How often somebody has done something within a window of time; see `campaign.people.throttles`."""

    mark = models.CharField(max_length=32, unique=True)
    """Of what, by whom, in which window: a keyed digest."""
    until = models.DateTimeField(db_index=True)
    """When the window is over and the row can go."""
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
    """A link of a campaign's chain of what was done: each digest covers the one before, so an edit shows."""

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
