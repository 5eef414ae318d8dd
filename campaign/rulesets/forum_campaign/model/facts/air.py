"""R3, R11.8 What can happen in the air."""

from collections.abc import Mapping
from enum import Enum

from campaign.engine.facts import Fact
from campaign.engine.values.ids import PlaceId, SideId, UnitId
from campaign.rulesets.forum_campaign.model.game_data import Box
from campaign.rulesets.forum_campaign.model.state import Missions, WeatherToday


class Forecast(Fact, frozen=True):
    """2.10 Tomorrow's weather is known."""

    tomorrow: WeatherToday


class AirAvailable(Fact, frozen=True):
    """R3.1 The number of a side's air units today."""

    side: SideId
    units: int


class MissionsPlanned(Fact, frozen=True):
    """R3 A side has ordered its air missions, which are flown when the boxes are revealed."""

    side: SideId
    missions: Missions


class AirAllocated(Fact, frozen=True):
    """R3.5 A side's boxes are revealed."""

    side: SideId
    boxes: Mapping[Box, int]


class SuperiorityWon(Fact, frozen=True):
    """R3.7 The side with air superiority, and how many enemy air units it removes. Nobody in a tie."""

    side: SideId | None
    removals: int


class AirRemoved(Fact, frozen=True):
    """R3.7 An air unit of this side is removed from its box for the day."""

    side: SideId
    box: Box


class AirDropped(Fact, frozen=True):
    """R3.8 A unit is supplied from the air."""

    side: SideId
    unit: UnitId
    at: PlaceId | None = None
    """Where it was then; None in events from before this was recorded."""


class Interdicted(Fact, frozen=True):
    """R3.9 Air units attacked a German unit. If they succeeded it is unsupplied."""

    at: PlaceId
    air_units: int
    success: bool
    side: SideId | None = None
    """Whose unit it is; None for an audience that does not know the unit."""
    unit: UnitId | None = None


class Landing(Enum):
    """R11.8 How the paratroops land."""

    NORMAL = "normal"
    SCATTERED = "scattered"
    ELIMINATED = "eliminated"
    CALLED_OFF = "called off"
    """R11.9 No hex of the drop zone was free: nobody jumped."""


class Landed(Fact, frozen=True):
    """R11.8 The paratroops have jumped."""

    side: SideId
    unit: UnitId
    wanted: PlaceId
    at: PlaceId
    """R11.9 Where they came down, which may not be the hex that was ordered."""
    landing: Landing


class CloseSupport(Fact, frozen=True):
    """R3.10 Air units are assigned to an attacking unit."""

    side: SideId
    unit: UnitId
    air_units: int
