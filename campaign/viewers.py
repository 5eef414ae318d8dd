"""Viewers: a person's part in a campaign. Every page begins with one, which decides what they may read and do."""

from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from django.http import Http404

from campaign.engine.values.ids import GM, PUBLIC, Audience
from campaign.models import Campaign, Membership, Role, User

COMMANDING = (Role.COMMANDER, Role.DEPUTY)
"""Who writes a side's HQ sheet."""

PLAYING = (*COMMANDING, Role.STAFF, Role.TACTICAL)


@dataclass(frozen=True)
class Viewer:
    """A person in a campaign, or the public."""

    campaign: Campaign
    user: User | AnonymousUser
    membership: Membership | None
    """None: reads as the public."""
    viewing_as: Audience | None = None
    """The audience as which a GM views the campaign for the moment, or as which anybody reads it after the end."""
    without_notes: bool = False
    """Whether the NOTE lines of that audience, and what the GM wrote to it, stay shut to them."""

    @property
    def role(self) -> str:
        return self.membership.role if self.membership else Role.SPECTATOR

    @property
    def side(self) -> str:
        """The side they play on; empty for the GM and for spectators."""
        return self.membership.side if self.membership else ""

    @property
    def audience(self) -> Audience:
        """The audience whose artefacts they may read."""
        if self.viewing_as is not None:
            return self.viewing_as
        if self.is_gm:
            return GM
        return Audience(self.side) if self.side else PUBLIC

    @property
    def is_gm(self) -> bool:
        return self.role == Role.GM

    @property
    def commands(self) -> bool:
        """Whether they write their side's HQ sheet and assign its desks."""
        return self.role in COMMANDING

    @property
    def writes_sheets(self) -> bool:
        """Whether they write any of their side's sheets."""
        return self.is_gm or self.commands or self.role == Role.STAFF

    @property
    def plays(self) -> bool:
        return self.role in PLAYING

    @property
    def person(self) -> User:
        """The user; Http404 for the public."""
        if not isinstance(self.user, User):
            raise Http404
        return self.user

    @property
    def member(self) -> Membership:
        """Their membership; Http404 if they have none."""
        if self.membership is None:
            raise Http404
        return self.membership


def viewer_of(user: User | AnonymousUser, slug: str) -> Viewer:
    """A member's viewer. Http404 alike for campaigns that do not exist and for those without a present membership."""
    try:
        membership = memberships_of(user).get(campaign__slug=slug)
    except Membership.DoesNotExist:
        raise Http404 from None
    return Viewer(membership.campaign, user, membership)


def gm_viewer(user: User | AnonymousUser, slug: str) -> Viewer:
    """A game master's viewer; Http404 for everybody else."""
    viewer = viewer_of(user, slug)
    if not viewer.is_gm:
        raise Http404
    return viewer


def public_viewer(user: User | AnonymousUser, slug: str) -> Viewer:
    """The public's viewer; Http404 if the campaign is not public."""
    try:
        campaign = Campaign.objects.select_related("closing").get(slug=slug, public=True)
    except Campaign.DoesNotExist:
        raise Http404 from None
    return Viewer(campaign, user, None)


def commander_of(campaign: Campaign, side: str) -> Viewer:
    """The commander of a side, for what is made from all that it knows."""
    return Viewer(campaign, AnonymousUser(), Membership(campaign=campaign, role=Role.COMMANDER, side=side))


def memberships_of(user: User | AnonymousUser) -> QuerySet[Membership]:
    """A person's present memberships."""
    if not isinstance(user, User):
        return Membership.objects.none()
    present = Membership.objects.filter(user=user, left_at=None)
    return present.select_related("campaign__closing")
