"""Practice campaigns: one person plays against bots, without GM, review and deadlines, and nobody else sees it."""

import secrets
from datetime import timedelta
from pathlib import Path

from django.db.models import QuerySet

from campaign.engine.phases import Weight
from campaign.game.loading import Loaded
from campaign.game.simulation import simulation_of
from campaign.handling import Handling
from campaign.models import Bot, Campaign, Mailing, Membership, Role, User
from campaign.people.memberships import Refused
from campaign.record.persons import record_join
from campaign.services import create_campaign

MOST = 2
"""The most practice campaigns that a person has at once."""
IDLE = timedelta(days=30)
"""A practice campaign in which nothing was written for so long is removed."""
_TWICE = timedelta(minutes=1)
"""Who starts the same again within this time has pressed the button twice."""

_HANDLING = Handling(hours=1, reviewed=False, mailing=Mailing.DIGEST, pictures=True)


def practices_of(user: User) -> QuerySet[Campaign]:
    """The practice campaigns that a person plays."""
    return Campaign.objects.filter(practice=True, memberships__user=user, memberships__left_at=None)


def start_practice(user: User, *, folder: Path, loaded: Loaded, side: str) -> Campaign:
    """A new practice campaign of a scenario, in which a person commands a side and bots play the others.

    A second press of the button gives the campaign that the first one started. Raises Refused if they have MOST of
    them, and LookupError if the scenario's ruleset has no bots.
    """
    simulation, title = simulation_of(loaded), f"Practice: {loaded.scenario.title}"
    name = next(iter(simulation.bots))

    def join(campaign: Campaign) -> None:
        User.objects.select_for_update(no_key=True).only("pk").get(pk=user.pk)
        if earlier := _just_started(user, campaign, side):
            raise _Started(earlier)
        if practices_of(user).count() >= MOST:
            raise Refused(f"You already have {MOST} practice campaigns. Leave one of them first, on its page People.")
        at = campaign.created_at
        member = Membership.objects.create(
            campaign=campaign, user=user, role=Role.COMMANDER, side=side, knows=side, guided=True, joined_at=at
        )
        others = [each for each in loaded.rules.sides if each != side]
        bots = Bot.objects.bulk_create(Bot(campaign=campaign, side=each, name=name, since=at) for each in others)
        record_join(member, at=at, rows=bots)

    try:
        return create_campaign(
            slug=f"practice-{secrets.token_hex(6)}",
            title=title,
            scenario=folder,
            handling=dict.fromkeys(Weight, _HANDLING),
            options=simulation.options,
            settings={"practice": True, "public": False, "reminder_hours": 0},
            join=join,
        )
    except _Started as started:
        return started.campaign


class _Started(Exception):
    """This person has just started the same campaign."""

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign


def _just_started(user: User, campaign: Campaign, side: str) -> Campaign | None:
    """The campaign like this one that a person plays on this side, if they started it a moment ago."""
    same = practices_of(user).filter(ruleset=campaign.ruleset, scenario_digest=campaign.scenario_digest)
    recent = same.filter(created_at__gt=campaign.created_at - _TWICE, memberships__side=side)
    return recent.order_by("-pk").first()
