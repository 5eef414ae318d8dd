"""The position of a campaign's newest morning, as the table with which another campaign can begin."""

from collections.abc import Iterator
from typing import Any

from django.http import Http404

from campaign.engine.positions import last_morning
from campaign.engine.values.options import answers_of
from campaign.game.beginning import scenario_start, written_position
from campaign.game.store import decode_state, unpack
from campaign.models import Campaign, PhaseState
from campaign.services import scenario_of, whole_scenario_of
from campaign.viewers import Viewer
from gm.phases.rows import events_of


def has_position(campaign: Campaign) -> bool:
    """Whether the campaign's ruleset writes positions, and its first morning is over."""
    published = campaign.phases.filter(state=PhaseState.PUBLISHED)
    return scenario_of(campaign).rules.positions is not None and published.exists()


def position_of(viewer: Viewer) -> str:
    """The truth in the newest morning that is published; Http404 for others than a GM, and if there is none."""
    if not viewer.is_gm or scenario_of(viewer.campaign).rules.positions is None:
        raise Http404
    state = next(_mornings(viewer.campaign), None)
    if state is None:
        raise Http404
    loaded = whole_scenario_of(viewer.campaign)
    start = scenario_start(loaded, answers_of(loaded.rules.options_of(state)))
    return written_position(loaded, start, state)


def _mornings(campaign: Campaign) -> Iterator[Any]:
    """The states of published mornings, the newest first."""
    rules = scenario_of(campaign).rules
    published = campaign.phases.filter(state=PhaseState.PUBLISHED).order_by("-no")
    for phase in published.select_related("campaign", "start", "resolution__outcome").iterator(chunk_size=10):
        before = decode_state(rules, unpack(phase.start.state_before), version=phase.state_version)
        found = last_morning(rules, before, (event.fact for event in events_of(phase)))
        if found is not None:
            yield found
