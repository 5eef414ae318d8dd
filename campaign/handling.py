"""How a campaign handles its phases: one row of settings for each weight that phases of its rules have."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Any

from campaign.engine.phases import Weight
from campaign.engine.ruleset import Ruleset
from campaign.models import Campaign, Mailing, PhaseSettings


@dataclass(frozen=True, kw_only=True)
class Handling:
    """The settings for phases of one weight."""

    hours: int
    """How long phases are open."""
    reviewed: bool
    """Whether drafts wait for the GM."""
    mailing: Mailing
    pictures: bool
    """Whether maps and charts are drawn at publication."""


_LIGHT = Handling(hours=24, reviewed=False, mailing=Mailing.QUESTIONS, pictures=False)

DEFAULTS: Mapping[Weight, Handling] = MappingProxyType(
    {
        Weight.FULL: Handling(hours=48, reviewed=True, mailing=Mailing.REPORTS, pictures=True),
        Weight.IMPULSE: _LIGHT,
        Weight.REPLY: _LIGHT,
    }
)
"""The settings where nothing else is chosen."""


def weights_of(rules: Ruleset[Any, Any]) -> tuple[Weight, ...]:
    """The weights that phases of these rules have, the heaviest first; always with full."""
    there = {phase.weight for phase in rules.phases}
    return tuple(weight for weight in Weight if weight in there or weight is Weight.FULL)


def as_heavy(weight: Weight) -> tuple[Weight, ...]:
    """This weight and all heavier ones."""
    return tuple(Weight)[: list(Weight).index(weight) + 1]


def handling_of(campaign: Campaign, weight: Weight) -> Handling:
    """How a campaign handles its phases of this weight."""
    return all_handling(campaign)[weight]


def all_handling(campaign: Campaign) -> dict[Weight, Handling]:
    """How a campaign handles its phases, by weight; the default where it has no row."""
    return {**DEFAULTS, **{Weight(row.weight): _handling(row) for row in campaign.phase_settings.all()}}


def _handling(row: PhaseSettings) -> Handling:
    return Handling(hours=row.hours, reviewed=row.reviewed, mailing=Mailing(row.mailing), pictures=row.pictures)


def new_rows(campaign: Campaign, rules: Ruleset[Any, Any], chosen: Mapping[Weight, Handling]) -> list[PhaseSettings]:
    """The rows of a new campaign, stored; the default where nothing was chosen."""
    return PhaseSettings.objects.bulk_create(
        PhaseSettings(campaign=campaign, weight=weight.value, **asdict(chosen.get(weight, DEFAULTS[weight])))
        for weight in weights_of(rules)
    )


def change_rows(campaign: Campaign, chosen: Mapping[Weight, Handling]) -> list[PhaseSettings]:
    """Store the choices for a running campaign; returns the rows that were written."""
    return [
        PhaseSettings.objects.update_or_create(campaign=campaign, weight=weight.value, defaults=asdict(handling))[0]
        for weight, handling in chosen.items()
    ]
