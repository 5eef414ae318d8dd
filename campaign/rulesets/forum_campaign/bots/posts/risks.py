"""What standing in a hex may cost: how likely the enemy attacks there, takes it, and destroys who is there."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from campaign.engine.values.ids import PlaceId
from campaign.rulesets.forum_campaign.bots.assessment.assessment import Assessment

_ATTACKED = 0.6
"""How likely the enemy attacks where it can."""
_KILLED = (0.9, 0.8, 0.5, 0.3, 0.15, 0.15, 0.15)
"""How likely a defeated unit finds no retreat, by the hexes around it that are free of enemies and their zones."""
_OF_THEIRS = 0.5
"""The worth of the enemy's losses, as a part of own ones."""


@dataclass
class Risks:
    """The enemy's threat to each hex."""

    seen: Assessment
    _covers: dict[PlaceId, tuple[float, float]] = field(default_factory=dict)

    def at(self, place: PlaceId, own: float, mates: float) -> tuple[float, float]:
        """How likely a unit of this strength holds a hex with its mates, and what it is likely to lose, in points."""
        threat = self.seen.threats.get(place)
        if threat is None:
            return 1.0, 0.0
        cover, killed = self._covers.get(place) or self._covered(place)
        look = self.seen.outlooks.at(threat, (own + mates) * cover)
        lost = (look.lost + killed * look.beaten) * own - _OF_THEIRS * look.paid * min(threat, 2 * own)
        gone = killed * look.beaten * self.seen.style.life
        return 1 - _ATTACKED * look.chance, _ATTACKED * (lost * self.seen.per_strength + gone)

    def _covered(self, place: PlaceId) -> tuple[float, float]:
        seen = self.seen
        own_level = seen.known.own[seen.side].positions.get(place, 0)
        barred: Mapping[PlaceId, object] = seen.foe_strengths
        near = seen.game_data.open_neighbours(place)
        free = sum(each not in barred and each not in seen.situation.zone for each in near)
        found = self._covers[place] = (seen.cover(place, seen.side, own_level), _KILLED[free])
        return found
