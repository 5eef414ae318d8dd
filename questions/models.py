"""Questions of players, and the game master's answers, each version a row."""

from typing import ClassVar

from django.db import models

from campaign.core.on_record import OnRecord
from campaign.models import Campaign, User
from campaign.secrecy.tables import Owned


class Question(Owned):
    """What a player asks. Only they and the game masters read it."""

    on_record: ClassVar = OnRecord(campaign="campaign", named_by=("side", "no"))
    in_campaign, owner = "campaign", "side"
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="all_questions")
    side = models.CharField(max_length=50)
    """The side of its author."""
    no = models.PositiveIntegerField()
    """Its number among the questions of its side, from 1. No player reads it: it would say how many there are."""
    author = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    asked_at = models.DateTimeField()
    rule = models.CharField(max_length=20, blank=True)
    """The rule that it is about, like R4.2; empty if it is about none."""
    line = models.CharField(max_length=200, blank=True)
    """The line of orders that it is about."""
    text = models.TextField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["campaign", "side", "no"], name="one_question_a_number"),
        ]

    def __str__(self) -> str:
        return f"{self.campaign_id}: question {self.no} of {self.side}"


class Reach(models.TextChoices):
    """Whom an answer is for."""

    ASKER = "asker"
    SIDE = "side"
    ALL = "all"


class RuleAnswer(Owned):
    """A version of an answer, with the question in the words that its readers read. It stands until it is over."""

    on_record: ClassVar = OnRecord(campaign="campaign", named_by=("audience", "reach", "no", "version"))
    in_campaign, owner = "campaign", "audience"
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="all_answers")
    question = models.ForeignKey(Question, on_delete=models.CASCADE, related_name="+")
    audience = models.CharField(max_length=50)
    """Who may read it: the side of the question, or the public."""
    reach = models.CharField(max_length=10, choices=Reach.choices)
    """Within its side, whether it is for the asker alone."""
    no = models.PositiveIntegerField()
    """Its number among the answers of its audience and reach, from 1."""
    version = models.PositiveIntegerField()
    author = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()
    rule = models.CharField(max_length=20, blank=True)
    """The rule that it hangs on."""
    asked = models.TextField(blank=True)
    """The question for its readers. For everybody the game master writes it."""
    text = models.TextField()
    over_at = models.DateTimeField(null=True)
    """When a newer version replaced it, or it was withdrawn; None: it stands."""

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["campaign", "audience", "reach", "no", "version"], name="one_answer_a_version"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.campaign_id}: answer {self.no}.{self.version} for {self.reach} of {self.audience}"

    @property
    def anchor(self) -> str:
        """Where the page of questions shows it to its readers. The number of a private one is for nobody's eyes."""
        return "own" if self.reach == Reach.ASKER else f"{self.reach}-{self.no}"

    @property
    def mark(self) -> str:
        """This version, as a form of the game master's names it."""
        return f"{self.reach}.{self.no}.{self.version}"
