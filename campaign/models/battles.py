"""Battles that are played outside, and what their players report."""

from datetime import UTC
from typing import ClassVar

from django.db import models
from django.db.models import Q

from campaign.core.on_record import OnRecord
from campaign.models.campaigns import Campaign
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


class BattleFile(Secret):
    """Where the newest file of a battle is, as its players and the GM passed it on. Append-only."""

    on_record: ClassVar = OnRecord(campaign="battle__phase__campaign", named_by=("id",))
    battle = models.ForeignKey(Battle, on_delete=models.CASCADE, related_name="+")
    side = models.CharField(max_length=50)
    """The author's side, or the GM."""
    author = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    link = models.URLField()
    note = models.CharField(max_length=200, blank=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.battle}: file of {self.side}"


class PlayingTime(Secret):
    """A time at which a player of a battle would play it, and what became of it."""

    on_record: ClassVar = OnRecord(campaign="battle__phase__campaign", named_by=("id",))
    battle = models.ForeignKey(Battle, on_delete=models.CASCADE, related_name="+")
    side = models.CharField(max_length=50)
    """The side that proposed it."""
    author = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    begins_at = models.DateTimeField()
    proposed_at = models.DateTimeField()
    accepted_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    accepted_at = models.DateTimeField(null=True, blank=True)
    ended_by = models.CharField(max_length=50, blank=True)
    """The side that withdrew it, or that accepted or proposed another."""
    ended_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.battle}: {self.begins_at.isoformat()} by {self.side}"

    @property
    def mark(self) -> str:
        """What forms call it."""
        return self.begins_at.astimezone(UTC).isoformat()


class BattleMap(Secret):
    """A version of what is remembered of the tactical map of a place. It does not say in which battle it was used."""

    on_record: ClassVar = OnRecord(campaign="campaign", named_by=("id",))
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="+")
    place = models.CharField(max_length=50)
    """The key of the battles there."""
    side = models.CharField(max_length=50)
    """The author's side, or the GM."""
    author = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    name = models.CharField(max_length=100)
    link = models.URLField(blank=True)
    notes = models.TextField(blank=True)
    at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["campaign", "place"], name="maps_of_a_place")]

    def __str__(self) -> str:
        return f"{self.campaign}: map of {self.place}"
