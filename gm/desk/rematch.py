"""A rematch: a new campaign of the same scenario, options and settings, with its players invited to the other side."""

from datetime import datetime

from django.http import Http404

from campaign.core import clock
from campaign.ending import other_side
from campaign.forms.scenarios import supplied
from campaign.game.loading import find_scenario
from campaign.handling import all_handling
from campaign.house_rules import house_rules
from campaign.models import Campaign, Closing, Membership, Role
from campaign.people import bots
from campaign.people.invitations import invite
from campaign.people.memberships import members
from campaign.services import ScheduleSettings, create_campaign, scenario_of
from campaign.viewers import Viewer
from gm.desk.deadlines import Refused

_SETTINGS = (
    *("forum", "think_seconds", "open_links", "public"),
    *("reminder_hours", "battle_hours", "absent_hours", "confirms_mail"),
)
_SCHEDULE = ("time_zone", "weekdays", "quiet_from", "quiet_to")


def rematch(viewer: Viewer, *, title: str, slug: str) -> Campaign:
    """The new campaign, whose GM is the viewer. It starts when each side has a commander or a bot.

    All others are invited by mail, players to the side that they did not play. Raises SlugTaken, and Refused if the
    scenario is no longer supplied. Http404 before the end, and for others than a GM.
    """
    before = viewer.campaign
    if not viewer.is_gm or before.practice or not Closing.objects.filter(campaign=before).exists():
        raise Http404
    return create_campaign(
        slug=slug,
        title=title,
        scenario=find_scenario(_scenario(before)),
        waits=True,
        schedule=ScheduleSettings(**{name: getattr(before, name) for name in _SCHEDULE}),
        handling=all_handling(before),
        options={each.option.name: each.answer for each in house_rules(before)},
        founder=viewer.person,
        settings={name: getattr(before, name) for name in _SETTINGS},
        join=lambda campaign: _invite_all(viewer, campaign, clock.now()),
    )


def invited(viewer: Viewer) -> list[Membership]:
    """Those whom a rematch invites: all present members but the viewer."""
    return [each for each in members(viewer) if each.user_id != viewer.person.pk]


def _scenario(campaign: Campaign) -> str:
    """The name of a campaign's scenario among those that are supplied."""
    known = scenario_of(campaign)
    for name, loaded in supplied().items():
        if (loaded.rules.key, loaded.scenario.title) == (campaign.ruleset, known.scenario.title):
            return name
    raise Refused("Fieldpost does not supply this campaign’s scenario. Ask the server’s admin to create the rematch.")


def _invite_all(viewer: Viewer, campaign: Campaign, now: datetime) -> None:
    founder = Membership.objects.select_related("user", "campaign").get(campaign=campaign, user=viewer.person)
    there = Viewer(campaign, viewer.user, founder)
    for member in invited(viewer):
        user, side = member.user, member.side and other_side(campaign, member.side)
        invite(
            there,
            role=member.role,
            side=side,
            meant_for=user.username,
            address=user.email,
            hides_address=True,
            now=now,
        )
    for bot in bots.bots_of(viewer.campaign):
        if bot.role == Role.COMMANDER:
            bots.seat(there, side=other_side(campaign, bot.side), name=bot.name, now=now)
