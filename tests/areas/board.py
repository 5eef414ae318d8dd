"""The supplied scenario of the area game, and positions made of it."""

import datetime
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache

from campaign.engine.dice import Entered
from campaign.engine.values.ids import Audience, PlaceId, SideId, UnitId
from campaign.engine.values.value import replace
from campaign.game.loading import find_scenario, load_scenario
from campaign.rulesets.area_activation.model.game_data import SIDES, GameData
from campaign.rulesets.area_activation.model.state import Own, State, Unit
from campaign.rulesets.area_activation.rules.situation import Situation, as_true
from campaign.rulesets.area_activation.scenario.reading import contested_in


@cache
def scenario(name: str = "ardennes-1944") -> tuple[GameData, State]:
    """The charts and the start of a supplied scenario."""
    loaded = load_scenario(find_scenario(f"area_activation/{name}")).scenario
    return loaded.game_data, loaded.start


def unit(id_: str, at: str, strength: int = 0, *, across: bool = False, unsupplied: bool = False) -> Unit:
    """A unit in a space, with its printed strength unless another is given."""
    card = scenario()[0].cards[UnitId(id_)]
    return Unit(
        card.id, card.side, PlaceId(at), strength or card.strength, active=True, across=across, unsupplied=unsupplied
    )


def position(
    units: Iterable[Unit], *, side: SideId, day: int, control: Mapping[str, SideId] | None = None, surprise: int = 0
) -> Situation:
    """A position on the map of the full game with these units alone."""
    game_data, start = scenario()
    placed = list(units)
    own = {each: Own({unit.id: unit for unit in placed if unit.side == each}) for each in SIDES}
    given = {PlaceId(place): holder for place, holder in (control or {}).items()}
    open_ = replace(
        start.open,
        date=datetime.date(1944, 12, day),
        control={**start.open.control, **given},
        contested=contested_in(game_data, own),
        surprise=surprise,
    )
    return as_true(game_data, replace(start, open=open_, own=own), side)


@dataclass(frozen=True)
class Loaded:
    """Dice of which all are 10, which never hits, but for those of some units, by the end of their label."""

    ones: Mapping[str, int] = field(default_factory=dict)
    """How many of a unit's dice show 1, by its id."""

    def roll(self, label: str, *, count: int, sides: int, audience: Audience) -> tuple[int, ...]:
        hits = min(count, self.ones.get(label.rpartition("/")[2], 0))
        return (1,) * hits + (sides,) * (count - hits)

    def entered(self, label: str) -> Entered | None:
        return None

    def left_over(self) -> tuple[str, ...]:
        return ()
