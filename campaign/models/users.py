"""People."""

from typing import ClassVar

from django.contrib.auth.models import AbstractUser
from django.db import models

from campaign.core.on_record import OnRecord


class User(AbstractUser):
    """A person. The user name is their forum name."""

    on_record: ClassVar = OnRecord(
        campaign="memberships__campaign",
        named_by=("id",),
        lists={"emailaddress_set": ("id", "email", "verified", "primary")},
        keyed=True,
        since="people",
        free={
            "last_login": "changes at every sign-in",
            "time_zone": "the person's own: how pages show times",
            "mail_works_since": "the person's own: when they last said that mail reaches them",
            "parts_rev": "counts changes of their parts, each on record; only renews the keys of their sessions",
        },
    )
    time_zone = models.CharField(max_length=64, blank=True)
    """The zone in which they read times; empty: UTC."""
    parts_rev = models.PositiveIntegerField(default=0)
    """Grows with every change of their part in a campaign; see `campaign.people.sessions`."""
    mail_works_since = models.DateTimeField(null=True, blank=True)
    """When they last said that mail to them works, or wrote from their address: what was sent before says nothing."""

    class Meta(AbstractUser.Meta):
        pass
