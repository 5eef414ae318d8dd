"""Tokens with which programs use the API for a person in one campaign."""

from django.db import models
from knox.models import AbstractAuthToken

from campaign.models import Membership


class Scope(models.TextChoices):
    """What a token may be used for."""

    READ = "read", "Read what you can read, and ask how a sheet would be read"
    ORDERS = "orders", "Save drafts, submit and withdraw order sheets, report battles and answer reports"
    GM = "gm", "Act as game master: deadlines, rulings, publishing, battles, links"


class ApiToken(AbstractAuthToken):
    """A token, as a digest from which it cannot be found. It ends with the part in the campaign that it is for."""

    member = models.ForeignKey(Membership, on_delete=models.CASCADE, related_name="+")
    label = models.CharField(max_length=60)
    """What its owner calls it."""
    role = models.CharField(max_length=20)
    side = models.CharField(max_length=50, blank=True)
    """What its owner was when it was made. It is not for anything else that they become."""
    scopes = models.JSONField(default=list)
    created = models.DateTimeField()
    used_at = models.DateTimeField(null=True)
    """When it was last used, within an hour."""

    @property
    def mark(self) -> str:
        """What its owner names it by.

        It reveals nothing: 64 bits of the SHA-512 of 256 random ones neither lead back to these nor serve as a token.
        """
        return self.digest[:16]

    def __str__(self) -> str:
        return f"{self.label} of {self.user}"
