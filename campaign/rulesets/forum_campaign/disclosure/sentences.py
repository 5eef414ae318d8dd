"""Shared parts of sentences: names of units and places, and why a unit has no supply."""

from dataclasses import dataclass

from campaign.engine.values.ids import PlaceId, SideId, UnitId
from campaign.rulesets.forum_campaign.day.supply import Bar, Blockade
from campaign.rulesets.forum_campaign.model.game_data import GameData
from campaign.rulesets.forum_campaign.model.state import State, Unit


@dataclass(frozen=True)
class Speaker:
    """Names for sentences: the map, and the units that the audience knows."""

    game_data: GameData
    known: State

    def unit(self, side: SideId, unit: UnitId) -> str:
        return self.record(side, unit).label

    def record(self, side: SideId, unit: UnitId) -> Unit:
        own = self.known.own[side]
        return own.units.get(unit) or own.lost[unit]

    def place(self, place: PlaceId) -> str:
        return self.game_data.place_name(place)

    def battle(self, place: PlaceId) -> str:
        return self.game_data.battle_title(place)


def words_of(game_data: GameData, blockade: Blockade, *, unbarred: str) -> tuple[str, ...]:
    """R7.2 Why a unit has no supply: the best route, and what blocks it, if anything."""
    if not blockade.way:
        return ("no route leads to the supply edge",)
    way = f"best known supply route: {'-'.join(blockade.way)}"
    if not blockade.bars:
        return (way, unbarred)
    return (way, *(_bar(game_data, bar) for bar in blockade.bars))


def _bar(game_data: GameData, bar: Bar) -> str:
    what = "held by" if bar.held else "in the zone of control of"
    who = " and ".join(name if at == bar.place else f"{name} at {game_data.place_name(at)}" for at, name in bar.by)
    return f"{game_data.place_name(bar.place)} is {what} {who}"
