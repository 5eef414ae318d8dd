"""Battles that are played outside, and what their players report."""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from campaign.core.on_record import OnRecord
from campaign.models.members import Membership
from campaign.models.phases import Phase
from campaign.models.users import User
from campaign.secrecy.tables import Owned, Secret


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
