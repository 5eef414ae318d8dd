"""Seats: what a person is in a campaign. Every page begins with one; what may be read or done follows from it."""

from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from django.http import Http404

from campaign.engine.ids import GM, PUBLIC, Audience
from campaign.models import Campaign, Membership, Role, User

COMMANDING = (Role.COMMANDER, Role.DEPUTY)
"""Who writes a side's HQ sheet."""

PLAYING = (*COMMANDING, Role.STAFF, Role.TACTICAL)


@dataclass(frozen=True)
class Viewer:
    """A viewer's place in a campaign."""

    campaign: Campaign
    user: User | AnonymousUser
    membership: Membership | None
    """None: he reads what the public reads."""
    looking_as: Audience | None = None
    """Through whose eyes a game master looks for the moment."""

    @property
    def role(self) -> str:
        return self.membership.role if self.membership else Role.SPECTATOR

    @property
    def side(self) -> str:
        """The side he plays on; empty for the GM and for who only watches."""
        return self.membership.side if self.membership else ""

    @property
    def audience(self) -> Audience:
        """Whose artefacts he may read."""
        if self.is_gm:
            return self.looking_as or GM
        return Audience(self.side) if self.side else PUBLIC

    @property
    def is_gm(self) -> bool:
        return self.role == Role.GM

    @property
    def commands(self) -> bool:
        """Whether he writes his side's HQ sheet and hands out its desks."""
        return self.role in COMMANDING

    @property
    def writes_sheets(self) -> bool:
        """Whether he has a part in his side's sheets."""
        return self.is_gm or self.commands or self.role == Role.STAFF

    @property
    def plays(self) -> bool:
        return self.role in PLAYING

    @property
    def person(self) -> User:
        """The user who sits here; Http404 for nobody in particular."""
        if not isinstance(self.user, User):
            raise Http404
        return self.user

    @property
    def member(self) -> Membership:
        """His membership; Http404 if he has none."""
        if self.membership is None:
            raise Http404
        return self.membership


def viewer_of(user: User | AnonymousUser, slug: str) -> Viewer:
    """The seat of a member. Http404 alike for campaigns that do not exist and for those he is not, or no longer, in."""
    membership = memberships_of(user).filter(campaign__slug=slug).first()
    if membership is None:
        raise Http404
    return Viewer(membership.campaign, user, membership)


def gm_viewer(user: User | AnonymousUser, slug: str) -> Viewer:
    """The seat of a game master; Http404 for everybody else."""
    viewer = viewer_of(user, slug)
    if not viewer.is_gm:
        raise Http404
    return viewer


def public_viewer(user: User | AnonymousUser, slug: str) -> Viewer:
    """The seat from which anybody reads what the public is told; Http404 if the campaign is not public."""
    campaign = Campaign.objects.filter(slug=slug, public=True).first()
    if campaign is None:
        raise Http404
    return Viewer(campaign, user, None)


def memberships_of(user: User | AnonymousUser) -> QuerySet[Membership]:
    """The parts that a person has at present."""
    if not isinstance(user, User):
        return Membership.objects.none()
    present = Membership.objects.filter(user=user, left_at=None)
    return present.select_related("campaign")
