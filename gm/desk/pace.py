"""When a campaign will be done, if it goes on as fast as it has so far."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Min

from campaign.models import Campaign, PhaseState
from campaign.services import scenario_of


@dataclass(frozen=True)
class Pace:
    """How fast the days of the game were played, and what follows."""

    played: int
    """Days of the game that are over."""
    took: timedelta
    left: int
    """Days that are not, today's included."""
    done_on: datetime


def pace_of(campaign: Campaign, now: datetime) -> Pace | None:
    """The pace of a campaign in play; None on its first day, and where turns are no days.

    None also until it has taken a day: the demonstration's days take seconds, which says nothing of people's.
    """
    loaded = scenario_of(campaign)
    last = loaded.rules.last_day(loaded.scenario.game_data)
    begun = campaign.phases.exclude(state=PhaseState.WITHDRAWN).filter(no__gte=1)
    days = sorted((day, since) for day, since in begun.values_list("day").annotate(Min("opens_at")) if day)
    if last is None or len(days) < 2:
        return None
    (first, start), (today, since) = days[0], days[-1]
    played, left, took = (today - first).days, (last - today).days + 1, since - start
    if took < timedelta(days=1):
        return None
    a_day = took / played
    return Pace(played, took, left, max(since + a_day, now) + a_day * (left - 1))
