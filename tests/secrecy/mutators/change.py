"""The input of a mutator."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from campaign.engine.orders.order import Path
from campaign.engine.values.ids import Audience
from tests.secrecy.campaigns import game
from tests.secrecy.worlds import World


@dataclass
class Change:
    """The world that a mutator changes, and the audience that must not notice."""

    world: World
    observer: Audience
    chance: Random
    plans: Sequence[Path] = ()
    """Paths that the observer will write on their sheets."""
    placements: Counter[str] = field(default_factory=Counter)

    @property
    def foreign(self) -> tuple[str, ...]:
        """The sides that the observer is not on."""
        with self.world.present():
            return game().others(self.observer)

    @property
    def enemy(self) -> str:
        return self.chance.choice(self.foreign)
