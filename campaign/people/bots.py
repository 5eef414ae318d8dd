"""Bots that play a side. Everybody may know which side a bot plays, and which bot."""

from collections.abc import Mapping
from datetime import datetime

from django.db import transaction
from django.http import Http404

from campaign.models import Bot, Campaign, Membership
from campaign.people.memberships import Refused, end_bot, lock, record
from campaign.services import scenario_of
from campaign.viewers import COMMANDING, Viewer


def bots_of(campaign: Campaign) -> Mapping[str, str]:
    """The names of a campaign's bots, by side."""
    return dict(campaign.bots.order_by("side").values_list("side", "name"))


def names_of(campaign: Campaign) -> tuple[str, ...]:
    """The names of the bots that can play in a campaign; none if its ruleset has no bots."""
    simulation = scenario_of(campaign).rules.simulation
    return tuple(simulation.bots) if simulation else ()


def seat(viewer: Viewer, *, side: str, name: str, now: datetime) -> Bot:
    """Let a bot play a side that nobody commands, in place of any earlier bot. Raises Refused."""
    _require_gm(viewer)
    with transaction.atomic():
        lock(viewer.campaign)
        if side not in scenario_of(viewer.campaign).rules.sides or name not in names_of(viewer.campaign):
            raise Refused("Choose a side and a bot from the lists.")
        commanders = Membership.objects.filter(campaign=viewer.campaign, side=side, role__in=COMMANDING, left_at=None)
        if commander := commanders.select_related("user").order_by("pk").first():
            raise Refused(f"{commander.user.username} commands this side. Give them another role first.")
        bot, _ = Bot.objects.update_or_create(
            campaign=viewer.campaign, side=side, defaults={"name": name, "since": now}
        )
        record(viewer, "bot", {"side": side, "name": name}, now, rows=[bot])
    return bot


def unseat(viewer: Viewer, *, side: str, now: datetime) -> None:
    """Let no bot play a side any more. Http404 if none does."""
    _require_gm(viewer)
    with transaction.atomic():
        lock(viewer.campaign)
        if not end_bot(viewer.campaign, side, now=now):
            raise Http404


def _require_gm(viewer: Viewer) -> None:
    if not viewer.is_gm:
        raise Http404
