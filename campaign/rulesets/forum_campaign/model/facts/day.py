"""What can happen in the course of a day: weather, fuel, supply, sighting, depots, positions, objectives."""

import datetime
from collections.abc import Mapping

from campaign.engine.facts import Fact
from campaign.engine.values.ids import PhaseKey, PlaceId, SideId, UnitId
from campaign.engine.values.modifiers import Modifier
from campaign.rulesets.forum_campaign.model.game_data import Goods
from campaign.rulesets.forum_campaign.model.state import DepotStatus, LastSeen, Sighting, WeatherToday


class Turned(Fact, frozen=True):
    """R1.2 The next phase begins."""

    phase: PhaseKey
    date: datetime.date


class WeatherSet(Fact, frozen=True):
    """R2.3 The weather of the day is set."""

    today: WeatherToday


class FuelReceived(Fact, frozen=True):
    """R10.2 The daily fuel arrives."""

    points: int


class FuelSpent(Fact, frozen=True):
    """R10.4 The Germans pay fuel for the moves of their portion."""

    points: int
    reasons: tuple[Modifier, ...] = ()


class FuelSet(Fact, frozen=True):
    """R15.6 The GM sets the fuel reserve."""

    points: int


class Scouted(Fact, frozen=True):
    """R15.1 What each side sees of the enemy now."""

    sightings: Mapping[SideId, tuple[Sighting, ...]]
    positions: Mapping[SideId, Mapping[PlaceId, int]] = {}
    """R13 The enemy's prepared positions that each side sees."""
    last_seen: Mapping[SideId, tuple[LastSeen, ...]] = {}
    """2.10 Enemies out of sight, if the campaign keeps them."""


class Demolished(Fact, frozen=True):
    """R9.6 The Allies try to destroy a depot."""

    place: PlaceId
    destroyed: bool
    reasons: tuple[Modifier, ...] = ()
    """The die and its modifiers. The Germans know their commandos; the Allies do not see this."""


class DemolitionPaid(Fact, frozen=True):
    """R9.5 An attempt to destroy a depot costs purchase points of the day, if demolition is costly."""

    side: SideId
    points: int


class Reinforced(Fact, frozen=True):
    """R14.2 A unit has received what was bought for it."""

    side: SideId
    unit: UnitId
    goods: Goods
    amount: int
    """What it receives: percent of the establishment, guns or tanks."""


class Dug(Fact, frozen=True):
    """R13.1 A hex has a prepared position: level 1 Dug-in, 2 Entrenched."""

    side: SideId
    at: PlaceId
    level: int


class PositionGone(Fact, frozen=True):
    """R13.5 A prepared position is given up or lost."""

    side: SideId
    at: PlaceId


class DepotSet(Fact, frozen=True):
    """R15.6 The GM sets the status of a depot; the fuel does not change."""

    place: PlaceId
    status: DepotStatus


class CutOff(Fact, frozen=True):
    """R7.1 A unit gets an unsupplied marker."""

    side: SideId
    unit: UnitId


class Resupplied(Fact, frozen=True):
    """R7.1 A unit loses its unsupplied marker."""

    side: SideId
    unit: UnitId


class DepotCaptured(Fact, frozen=True):
    """R9.2 A depot is captured."""

    place: PlaceId
    value: int


class Controlled(Fact, frozen=True):
    """R15.5 An objective changes hands."""

    place: PlaceId
    side: SideId


class CampaignEnded(Fact, frozen=True):
    """R15.5 The last day is over, and the campaign ends with a winner or a draw."""

    points: Mapping[SideId, int]
    winner: SideId | None
