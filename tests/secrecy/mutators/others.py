"""The people whom an audience knows by name only: all who may know more than it."""

from typing import Any

from campaign.models import Membership, Role, User
from tests.secrecy.campaigns import SLUG, cast, game
from tests.secrecy.mutators.change import Change
from tests.secrecy.steps.plan import watchers_of


def others(change: Change) -> list[User]:
    """The GM and the players of other sides, former ones included, unless they may know what the observer knows."""
    names = [name for name in cast(game()) if name not in watchers_of(game(), change.observer)]
    return list(User.objects.filter(username__in=names).order_by("username"))


def parts_of_others(change: Change) -> list[Membership]:
    """Their parts in the campaign, the game master's left out."""
    theirs = Membership.objects.filter(campaign__slug=SLUG, user__in=others(change)).exclude(role=Role.GM)
    return list(theirs.order_by("user__username"))


def written(row: Any, **columns: Any) -> None:
    """Change columns of a row, also of one that nobody changes."""
    type(row)._base_manager.filter(pk=row.pk).update(**columns)
