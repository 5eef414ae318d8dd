"""The house rules of a campaign: its ruleset's options, and its answers to them."""

from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import Http404

from campaign.engine.values.options import Option, answers_of, chosen, options_in
from campaign.game.store import decode_state, unpack
from campaign.models import Campaign
from campaign.secrecy import truth
from campaign.selectors import knowledge
from campaign.services import scenario_of
from campaign.viewers import Viewer


@dataclass(frozen=True)
class HouseRule:
    """An option with a campaign's answer."""

    option: Option
    answer: str
    default: str
    """The answer that the scenario is made for."""

    @property
    def meaning(self) -> str:
        """The answer in words."""
        return self.option.meaning(self.answer)

    @property
    def differs(self) -> bool:
        """Whether the answer differs from the default."""
        return self.answer != self.default

    @property
    def departs(self) -> bool:
        """Whether the answer departs from the published rules."""
        return self.option.departs(self.answer)

    @property
    def usual(self) -> str:
        """The default answer in words."""
        return self.option.meaning(self.default)


def house_rules(campaign: Campaign) -> tuple[HouseRule, ...]:
    """Every option with a campaign's present answer, which everybody may know."""
    loaded = scenario_of(campaign)
    rules = loaded.rules
    answers = answers_of(rules.options_of(_known_to_all(campaign)))
    usual = answers_of(chosen(rules.options, loaded.scenario.options))
    return tuple(HouseRule(each, answers[each.name], usual[each.name]) for each in options_in(rules.options))


def began_on(campaign: Campaign) -> str:
    """When a campaign began that was played elsewhere before; empty if it began as its scenario does."""
    if not campaign.from_position:
        return ""
    moment: str = campaign.phases.filter(no=0).values_list("moment", flat=True)[0]
    return moment


def _known_to_all(campaign: Campaign) -> Any:
    """The public's latest state; before anything is published, the state at the campaign's start."""
    try:
        return knowledge(Viewer(campaign, AnonymousUser(), None)).state
    except Http404:
        first = campaign.phases.filter(no=0).order_by("-rev")[0]
        with truth.opened("PhaseStart"):
            began = unpack(first.start.state_before)
        return decode_state(scenario_of(campaign).rules, began, version=first.state_version)
