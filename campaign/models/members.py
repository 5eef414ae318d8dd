"""The parts of people in campaigns."""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from campaign.core.on_record import OnRecord
from campaign.models.campaigns import Campaign
from campaign.models.users import User
from campaign.secrecy.tables import Owned, Secret


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
        campaign="campaign",
        named_by=("user_id",),
        parts=("joining",),
        added={"away_until": None},
        free={
            **dict.fromkeys(
                ("mail_choices", "mails_quiet_from", "mails_quiet_to"),
                "the member's own: which mails they want, and when",
            ),
            "guided": "the member's own: whether the guide is shown to them",
            "guide_step": "the same, and which of its steps they are at",
        },
    )
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=20, choices=Role.choices)
    side = models.CharField(max_length=50, blank=True)
    knows = models.CharField(max_length=50, blank=True)
    """The side, or the GM, whose secrets they have been told: they can play for no other side."""
    mail_choices = models.JSONField(default=dict, blank=True)
    """When they get each kind of mail, by its name, as far as they have chosen; see `campaign.mail.choices`."""
    mails_quiet_from = models.PositiveSmallIntegerField(null=True, blank=True)
    mails_quiet_to = models.PositiveSmallIntegerField(null=True, blank=True)
    """They get no mail from the one hour to the other, by their clock. None: at any hour."""
    away_until = models.DateTimeField(null=True, blank=True)
    """When they are back, as they said it in a release that had no rows for absences; nothing reads it any more."""
    guided = models.BooleanField(default=False)
    """Whether the guide is shown to them."""
    guide_step = models.CharField(max_length=40, blank=True)
    """Where they are in the guide; empty: they have not begun it."""
    joined_at = models.DateTimeField()
    """When they joined their side, or the campaign if they have none."""
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


class LastSeen(Secret):
    """When a member last opened a page of their campaign, to the minute: for its game masters alone."""

    member = models.OneToOneField(Membership, on_delete=models.CASCADE, related_name="last_seen", primary_key=True)
    at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "last seen"

    def __str__(self) -> str:
        return f"{self.member}: seen {self.at}"


class CalendarFeed(models.Model):
    """The secret address of a member's calendar, as a digest from which it cannot be found."""

    member = models.OneToOneField(Membership, on_delete=models.CASCADE, related_name="+")
    digest = models.CharField(max_length=64, unique=True)
    """SHA-256 of the address's secret part, which is shown once and not stored."""
    made_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.member}: calendar"


class SubstituteOffer(Owned):
    """Somebody would step in if a player drops out. They and the GM read it."""

    in_campaign, owner = "campaign", "author"
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="all_offers")
    author = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    words = models.CharField(max_length=200, blank=True)
    offered_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["campaign", "author"], name="one_offer_a_person"),
        ]

    def __str__(self) -> str:
        return f"{self.author} would step in: {self.campaign}"


class Bot(models.Model):
    """A bot that plays a side: it writes the sheets of HQ. Everybody may know."""

    on_record: ClassVar = OnRecord(campaign="campaign", named_by=("side",), added={"role": Role.COMMANDER.value})
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="bots")
    side = models.CharField(max_length=50)
    name = models.CharField(max_length=50)
    """Which one, of the bots of the ruleset."""
    role = models.CharField(
        max_length=20,
        choices=[(role.value, role.label) for role in (Role.COMMANDER, Role.DEPUTY)],
        default=Role.COMMANDER,
    )
    """A deputy writes only while all who command the side are away."""
    since = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["campaign", "side"], name="one_bot_a_side")]

    def __str__(self) -> str:
        return f"{self.campaign}: {self.side} by the bot {self.name}"


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


class Absence(Owned):
    """From when until when a member is away, and who writes their sheets meanwhile."""

    on_record: ClassVar = OnRecord(
        campaign="member__campaign",
        named_by=("member_id", "starts_at"),
        migrated=lambda row: (row.ends_at, row.deputy_id, row.why) == (row.member.away_until, None, ""),
    )
    in_campaign, owner = "member__campaign", "audience"
    member = models.ForeignKey(Membership, on_delete=models.CASCADE, related_name="all_absences")
    audience = models.CharField(max_length=50)
    """Who reads it besides the GM: their side; of a game master's, every member."""
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    deputy = models.ForeignKey(Membership, on_delete=models.SET_NULL, null=True, related_name="+")
    """Who may write their sheets meanwhile; None: nobody."""
    why = models.CharField(max_length=200, blank=True)
    booked_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["member", "starts_at"], name="one_absence_at_a_time"),
            models.CheckConstraint(condition=Q(ends_at__gt=models.F("starts_at")), name="absences_end_later"),
        ]

    def __str__(self) -> str:
        return f"{self.member}: away until {self.ends_at}"


class Invitation(models.Model):
    """A link by which one person joins a campaign."""

    on_record: ClassVar = OnRecord(
        campaign="campaign",
        named_by=("token_digest",),
        added={"takes_over": False, "opens_at": None, "hides_address": False},
        free={"address": "emptied when the link is void; anyone who has the link can use it, whatever their address"},
    )
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="invitations")
    token_digest = models.CharField(max_length=64, unique=True)
    """SHA-256 of the link's secret part, which is shown once and not stored."""
    role = models.CharField(max_length=20, choices=Role.choices)
    side = models.CharField(max_length=50, blank=True)
    takes_over = models.BooleanField(default=False)
    """Whether who joins by it is game master in place of the one who made it, whose part ends."""
    meant_for = models.CharField(max_length=200, blank=True)
    address = models.EmailField(blank=True)
    """Where Fieldpost mailed the link; empty: the GM passes it on, or the link is void."""
    hides_address = models.BooleanField(default=False)
    """Whether the address is that of the person's account, which the GM has not typed and does not read."""
    created_by = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    created_at = models.DateTimeField()
    opens_at = models.DateTimeField(null=True, blank=True)
    """When the link begins to work, and is mailed; None: at once."""
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)
    used_at = models.DateTimeField(null=True, blank=True)
    used_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(takes_over=False) | Q(role="gm"), name="only_gms_are_taken_over_from")
        ]

    def __str__(self) -> str:
        return f"{self.campaign}: {self.role} {self.side} for {self.meant_for or 'somebody'}"

    @property
    def shown_address(self) -> str:
        """The address as the GM reads it; empty where it is hidden from them."""
        return "" if self.hides_address else self.address
