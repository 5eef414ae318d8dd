"""Campaigns and their settings."""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from campaign.core.on_record import OnRecord
from campaign.engine.phases import Weight
from campaign.models.users import User
from campaign.secrecy.tables import Secret


class Campaign(models.Model):
    """A campaign: a scenario that is played."""

    on_record: ClassVar = OnRecord(
        campaign="pk",
        parts=("scenario", "dice"),
        added={
            "practice": False,
            "opens_statistics": False,
            "forum": "phpbb",
            "think_seconds": 0,
            "opens_story": False,
            "from_position": False,
            "confirms_mail": False,
        },
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
    forum = models.CharField(max_length=20, default="phpbb")
    """The kind of forum for which posts are written; see `campaign.reports.forums`."""
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
    think_seconds = models.PositiveSmallIntegerField(default=0)
    """Seconds in which a READY, the GM's publishing and an invitation can be cancelled; 0: they take effect at once."""
    practice = models.BooleanField(default=False)
    """Whether one person plays against bots: without GM, review and deadlines, and never public."""
    opens_statistics = models.BooleanField(default=False)
    """Whether everybody may read its statistics once it is closed. It was created with this, or without."""
    opens_story = models.BooleanField(default=False)
    """Whether everybody may read what all sides received and ordered once it has ended. It was created with this, or
    all agreed to it after the end."""
    from_position = models.BooleanField(default=False)
    """Whether it began with a position that its GM entered: it was played elsewhere before."""
    confirms_mail = models.BooleanField(default=False)
    """Whether a sheet that comes by mail waits until its author confirms it on the site."""
    created_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(practice=False) | Q(think_seconds=0), name="practices_do_not_wait")
        ]

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


class Ending(models.TextChoices):
    """How a campaign ended."""

    CLOSED = "closed"
    """By its game master, in a release that did not ask how."""
    VICTORY = "victory"
    """It was played to its end, and its rules say who has won."""
    CONCESSION = "concession"
    DRAW = "draw"
    ABANDONED = "abandoned"


class Closing(models.Model):
    """The end of a campaign: all its dice are open to everybody."""

    on_record: ClassVar = OnRecord(campaign="campaign", added={"kind": Ending.CLOSED.value, "winner": "", "reason": ""})
    campaign = models.OneToOneField(Campaign, on_delete=models.CASCADE, related_name="closing")
    author = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    """The game master; the commander who conceded, or who accepted a draw."""
    at = models.DateTimeField()
    kind = models.CharField(max_length=20, choices=Ending.choices, default=Ending.CLOSED)
    winner = models.CharField(max_length=50, blank=True)
    """The side that has won; empty: none."""
    reason = models.TextField(blank=True)
    """Why it was abandoned, for everybody."""

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(kind__in=Ending.values), name="ending_known"),
        ]

    def __str__(self) -> str:
        return f"{self.campaign}, closed"


class Agreed(models.TextChoices):
    """What of their own those who played can open after the end."""

    NOTES = "notes"
    """A side's NOTE lines, and what the GM wrote to it."""
    QUESTIONS = "questions"
    """What a side or everyone was answered to questions of its players."""
    STORY = "story"
    """All else, in a campaign that did not promise it: both sides and the GM must agree."""


class Consent(models.Model):
    """A side, or the GM, agrees after the end that everybody may read something. It is final."""

    on_record: ClassVar = OnRecord(campaign="campaign", named_by=("side", "what"))
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="consents")
    side = models.CharField(max_length=50)
    """The side, or the GM."""
    what = models.CharField(max_length=20, choices=Agreed.choices)
    author = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["campaign", "side", "what"], name="one_consent_a_side"),
            models.CheckConstraint(condition=Q(what__in=Agreed.values), name="consent_known"),
        ]

    def __str__(self) -> str:
        return f"{self.campaign}: {self.side} agrees to open its {self.what}"
