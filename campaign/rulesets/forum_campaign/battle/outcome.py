"""R12 The outcome of a battle: reported, ruled, or by the rules' own resolver."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from campaign.engine.values.ids import PlaceId, SideId, UnitId
from campaign.engine.values.modifiers import Modifier
from campaign.rulesets.forum_campaign.model.facts.battle import Decision
from campaign.rulesets.forum_campaign.model.state import Advance, TankLosses, Winner


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What a battle leads to. Losses are final; where units go is a wish, tried in the true position."""

    winner: Winner
    decision: Decision
    losses: Mapping[UnitId, int] = field(default_factory=dict)
    """R12.7 In percent of the establishment."""
    tanks: Mapping[UnitId, TankLosses] = field(default_factory=dict)
    retreats: Mapping[UnitId, PlaceId] = field(default_factory=dict)
    """R12.5 The hexes that the owners of defeated units have chosen."""
    advance: Advance = field(default_factory=Advance)
    """R12.2, R12.3 The victors that move on."""
    reasons: Mapping[SideId, tuple[Modifier, ...]] = field(default_factory=dict)
    """R12.11 What each side's strength was made of, if the rules decided."""


NOT_REPORTED = Outcome(winner=Winner.DEFENDERS, decision=Decision.UNREPORTED)
"""R12.1 A battle without a result counts as a defence without losses."""
