"""Signing in by a link that an administrator makes, without a code."""

from datetime import datetime

from django.conf import settings
from django.urls import reverse
from sesame.utils import get_query_string

from campaign.models import User


def entrance_link(user: User) -> str:
    """An address that signs this person in once, without a code, and nobody else."""
    return f"{settings.SITE_URL}{reverse('entrance')}{get_query_string(user)}"


def consume_entrance(user: User, *, at: datetime) -> bool:
    """Use a link up; False if another request used it first. Each sign-in voids the links before it."""
    before = User.objects.filter(pk=user.pk, last_login=user.last_login)
    return before.update(last_login=at) == 1
