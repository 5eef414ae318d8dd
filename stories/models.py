"""What the players of battles write after them, the audiences that may read it, and the pictures of battle maps."""

from collections.abc import Mapping
from typing import ClassVar

import msgspec
from django.db import models
from django.db.models import Q

from campaign.core.on_record import OnRecord
from campaign.engine.values.value import Value
from campaign.models import Battle, Campaign, User
from campaign.secrecy.tables import Owned, Secret
from stories.decoding import THUMBNAIL


class Readers(models.TextChoices):
    """Who may read a story once its phase is published, besides its author and the GM."""

    NOBODY = "nobody", "Nobody else"
    SIDE = "side", "The author’s side"
    SIDES = "sides", "The players of all sides"
    EVERYONE = "everyone", "Everyone who can read the campaign"


SMALL = "-small"
SUFFIXES: Mapping[str, str] = {"jpeg": "jpg", "webp": "webp"}
"""Of the names of files, by the kind of a picture."""


class Picture(Value, frozen=True):
    """A picture of a story or of a battle map. Its files are named by their digests."""

    token: str
    """128 bits in hexadecimal: its name in addresses."""
    kind: str
    """jpeg or webp."""
    digest: str
    """SHA-256 of its file."""
    thumbnail: str
    """That of the file with its thumbnail."""
    width: int
    height: int
    size: int
    """Bytes."""
    caption: str = ""

    @property
    def name(self) -> str:
        """Its name in addresses."""
        return f"{self.token}.{SUFFIXES[self.kind]}"

    @property
    def small_name(self) -> str:
        """That of its thumbnail."""
        return f"{self.token}{SMALL}.{SUFFIXES[self.kind]}"

    @property
    def small_size(self) -> tuple[int, int]:
        """Width and height of its thumbnail, in pixels."""
        part = min(1.0, THUMBNAIL / max(self.width, self.height))
        return max(1, round(self.width * part)), max(1, round(self.height * part))


class Story(Owned):
    """What a player of a battle writes about it: their own, until the GM says who else may read it."""

    on_record: ClassVar = OnRecord(campaign="battle__phase__campaign", named_by=("token",))
    in_campaign, owner = "battle__phase__campaign", "author"
    battle = models.ForeignKey(Battle, on_delete=models.CASCADE, related_name="all_stories")
    side = models.CharField(max_length=50)
    """The side for which its author fought."""
    author = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    """None: their account was erased."""
    token = models.CharField(max_length=32, unique=True)
    """128 bits in hexadecimal: its name in forms."""
    text = models.TextField(blank=True)
    stored_pictures = models.JSONField(default=list, blank=True)
    """See `pictures`."""
    version = models.PositiveIntegerField(default=1)
    """Grows with every change by its author."""
    written_at = models.DateTimeField()
    """When it was last changed."""
    readers = models.CharField(max_length=10, choices=Readers.choices, blank=True)
    """Who may read it; empty: the GM has not said so since it was last changed."""
    told_at = models.DateTimeField(null=True, blank=True)
    """When the GM said so."""

    class Meta:
        verbose_name_plural = "stories"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["battle", "author"], name="one_story_an_author"),
            models.CheckConstraint(condition=Q(readers__in=["", *Readers.values]), name="story_readers_known"),
        ]

    def __str__(self) -> str:
        return f"{self.battle}: story of {self.side}"

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """Its pictures, in the order in which they were added."""
        return tuple(msgspec.convert(self.stored_pictures, list[Picture]))

    @pictures.setter
    def pictures(self, pictures: tuple[Picture, ...]) -> None:
        self.stored_pictures = msgspec.to_builtins(pictures)


class Telling(Owned):
    """An audience that may read a story once its phase is published. The GM may from the beginning."""

    on_record: ClassVar = OnRecord(campaign="story__battle__phase__campaign", named_by=("story_id", "audience"))
    in_campaign, owner = "story__battle__phase__campaign", "audience"
    story = models.ForeignKey(Story, on_delete=models.CASCADE, related_name="all_tellings")
    audience = models.CharField(max_length=50)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["story", "audience"], name="one_telling_an_audience")]

    def __str__(self) -> str:
        return f"{self.story}, for {self.audience}"


class MapPicture(Secret):
    """A picture of the tactical map of a place. It does not say in which battle it was used."""

    on_record: ClassVar = OnRecord(campaign="campaign", named_by=("token",))
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="+")
    place = models.CharField(max_length=50)
    """The key of the battles there."""
    side = models.CharField(max_length=50)
    """The side of who added it, or the GM."""
    author = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    """Erasing their account deletes the picture with its files."""
    token = models.CharField(max_length=32, unique=True)
    """The picture's."""
    stored_picture = models.JSONField()
    """See `picture`."""
    at = models.DateTimeField()

    class Meta:
        indexes: ClassVar = [models.Index(fields=["campaign", "place"], name="pictures_of_a_place")]

    def __str__(self) -> str:
        return f"{self.campaign}: picture of the map of {self.place}"

    @property
    def picture(self) -> Picture:
        """The picture that it keeps."""
        return msgspec.convert(self.stored_picture, Picture)
