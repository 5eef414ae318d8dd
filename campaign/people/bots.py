"""Bots that play a side. Everybody may know which side a bot plays, and which bot."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404

from campaign.models import Bot, Campaign, Membership, Role
from campaign.people.memberships import Refused, end_bot, lock, record
from campaign.services import scenario_of
from campaign.viewers import COMMANDING, Viewer


def bots_of(campaign: Campaign) -> list[Bot]:
    """A campaign's bots, by side."""
    return list(campaign.bots.order_by("side"))


def playing(campaign: Campaign, absent: Collection[int], bots: Sequence[Bot] | None = None) -> list[Bot]:
    """The bots that play their side now: a deputy does while its side has commanders and all of them are away.

    `absent`: the members who are away, by their numbers; of sides whose absences the reader may not know, nobody.
    `bots`: those of the campaign, where they are at hand.
    """
    bots = bots_of(campaign) if bots is None else bots
    if not bots:
        return []
    away = defaultdict[str, list[bool]](list)
    for side, member in commanders_of(campaign).values_list("side", "pk"):
        away[side].append(member in absent)
    return [bot for bot in bots if bot.role == Role.COMMANDER or (away[bot.side] and all(away[bot.side]))]


def commanders_of(campaign: Campaign) -> QuerySet[Membership]:
    """The people who command the sides of a campaign."""
    return Membership.objects.filter(campaign=campaign, role__in=COMMANDING, left_at=None)


def names_of(campaign: Campaign) -> tuple[str, ...]:
    """The names of the bots that can play in a campaign; none if its ruleset has no bots."""
    simulation = scenario_of(campaign).rules.simulation
    return tuple(simulation.bots) if simulation else ()


def seat(viewer: Viewer, *, side: str, name: str, now: datetime, role: str = Role.COMMANDER) -> Bot:
    """Let a bot play a side that nobody commands, or as a deputy one whose commanders are away. Raises Refused.

    It replaces any earlier bot of the side.
    """
    _require_gm(viewer)
    with transaction.atomic():
        lock(viewer.campaign)
        if side not in scenario_of(viewer.campaign).rules.sides or name not in names_of(viewer.campaign):
            raise Refused("Choose a side and a bot from the lists.")
        if role not in COMMANDING:
            raise Refused("A bot is a commander or a deputy.")
        commander = commanders_of(viewer.campaign).filter(side=side).select_related("user").order_by("pk").first()
        if commander and role == Role.COMMANDER:
            raise Refused(f"{commander.user.username} commands this side. Let the bot be their deputy.")
        bot, _ = Bot.objects.update_or_create(
            campaign=viewer.campaign, side=side, defaults={"name": name, "role": role, "since": now}
        )
        record(viewer, "bot", {"side": side, "name": name, "role": role}, now, rows=[bot])
    return bot


def unseat(viewer: Viewer, *, side: str, now: datetime) -> None:
    """Let no bot play a side any more. Http404 if none does."""
    _require_gm(viewer)
    with transaction.atomic():
        lock(viewer.campaign)
        if not end_bot(viewer.campaign, side, by=viewer.person.pk, now=now):
            raise Http404


def _require_gm(viewer: Viewer) -> None:
    if not viewer.is_gm:
        raise Http404
