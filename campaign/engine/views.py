"""All that may be shown: the base map everybody sees, and the View of one audience.

A ruleset builds a View out of a slice and of the faces its audience was told. Maps, reports, mails and pages read
Views and nothing else, so nothing can reach them that the audience does not know. Places are given by id; the base
map says where on the paper an id lies.
"""

from collections.abc import Mapping
from enum import Enum

from campaign.engine.ids import Audience, PlaceId, SideId, UnitId
from campaign.engine.values import Upgrade, Value

VIEW_VERSION = 1
"""Raised with each change of what a View is made of that older stored Views do not fit."""

VIEW_UPGRADES: Mapping[int, Upgrade] = {}
"""From a version to the next: how a View stored as plain JSON is brought forward."""

Point = tuple[float, float]
"""A position on the paper in map units, x to the east, y to the south; from the middle of a hex to a corner is 1."""


# --- the base map: the same for every audience of a campaign --------------------------------------------------------


class LineKind(Enum):
    """What runs from the centre of one place to the centre of its neighbour."""

    MAIN_ROAD = "main_road"
    SECONDARY_ROAD = "secondary_road"


class BorderKind(Enum):
    """What lies on the side shared by two neighbouring places."""

    RIVER = "river"
    GREAT_RIVER = "great_river"
    FRONTIER = "frontier"
    CLOSED = "closed"


class Ground(Value, frozen=True):
    """One place of the base map: a hex or an area."""

    id: PlaceId
    at: Point
    outline: tuple[Point, ...]
    terrain: str
    """Key of a theme's ground colour: clear, rough, forest, valley, marsh, city."""
    name: str = ""
    importance: int = 0
    """Of the named place: 0 a hamlet, 1 a village, 2 a town, 3 a city."""
    victory_points: int = 0
    fortified: bool = False
    country: str = ""


class Line(Value, frozen=True):
    a: PlaceId
    b: PlaceId
    kind: LineKind
    bridge: bool = False
    """It crosses the river on the shared side by a bridge."""


class Border(Value, frozen=True):
    a: PlaceId
    b: PlaceId
    kind: BorderKind
    names: tuple[str, ...] = ()


class Entry(Value, frozen=True):
    """Where a road of the surrounding country comes onto the map."""

    at: PlaceId
    name: str
    side: SideId


class MarginLabel(Value, frozen=True):
    """The name of a row or column, written at the edge of the paper."""

    text: str
    at: Point


class Backdrop(Value, frozen=True):
    """A picture of the country, upright under the grid, where the land would be drawn otherwise."""

    corner: Point
    """Where on the paper its upper left corner lies."""
    pixel: Point
    """How wide and how high one of its pixels is, in map units."""
    strength: float
    """From nearly 0 to 1: how far it stands out from the paper; at 1 as far as print on it allows."""
    roads: bool
    """It shows the roads itself: none are drawn over it."""
    rivers: bool
    """The same of rivers."""
    picture: bytes = b""
    """The file, PNG, JPEG or WebP. Rulesets leave it out; whoever loads the scenario puts it in."""


class BaseMap(Value, frozen=True, cache_hash=True):
    """The paper: constant for a campaign, drawn once and kept."""

    title: str
    credit: str
    scale: str
    grounds: tuple[Ground, ...]
    lines: tuple[Line, ...]
    borders: tuple[Border, ...]
    entries: tuple[Entry, ...] = ()
    margin: tuple[MarginLabel, ...] = ()
    sides: tuple[SideId, ...] = ()
    """In the ruleset's order; a theme gives the first, second ... side its colour and frame."""
    backdrop: Backdrop | None = None


# --- the view of one audience ----------------------------------------------------------------------------------------


class Branch(Enum):
    """The arm of a unit, as its symbol shows it."""

    INFANTRY = "infantry"
    AIRBORNE = "airborne"
    ARMOR = "armor"
    MECHANIZED = "mechanized"
    COMMANDO = "commando"


class Echelon(Enum):
    """The size of a formation, as the marks above its symbol show it."""

    UNKNOWN = ""
    TEAM = "team"
    BATTALION = "battalion"
    REGIMENT = "regiment"
    BRIGADE = "brigade"
    DIVISION = "division"


class UnitState(Enum):
    """What else a counter of the own side shows."""

    UNSUPPLIED = "unsupplied"
    OUT_OF_FUEL = "out_of_fuel"
    """It was to move in the stop shown, and there was no fuel for it."""
    MOVED = "moved"
    FOUGHT = "fought"
    REDUCED = "reduced"
    """Fallen to task force size by losses."""
    NEW = "new"
    """Came onto the map in the stop shown."""
    DUG_IN = "dug_in"
    ENTRENCHED = "entrenched"
    """Its place is prepared for defence, lightly or well."""


class Counter(Value, frozen=True):
    """A unit fully known to the audience: its own, or any for the GM."""

    unit: UnitId
    at: PlaceId
    side: SideId
    label: str
    name: str
    branch: Branch
    echelon: Echelon
    small: bool
    """It counts as small for stacking."""
    strength: int
    """Percent of the full establishment."""
    movement: int
    states: tuple[UnitState, ...] = ()


class Sighting(Value, frozen=True):
    """An enemy unit as far as the audience makes it out. Strength is never known."""

    at: PlaceId
    side: SideId
    branch: Branch | None
    """None: something is there, nobody knows what."""
    label: str = ""
    """Its name, or empty where only the type is known."""
    echelon: Echelon = Echelon.UNKNOWN
    age: int | None = None
    """Days since it was in sight there, for one that is out of sight; None: it is in sight."""


class MarkerKind(Enum):
    DEPOT = "depot"
    CAPTURED_DEPOT = "captured_depot"
    DESTROYED_DEPOT = "destroyed_depot"
    POSITION = "position"
    """An enemy's place that is prepared for defence; its value says how deep."""
    OBJECTIVE = "objective"
    BATTLE = "battle"


class Marker(Value, frozen=True):
    """Something on the map that is no unit."""

    at: PlaceId
    kind: MarkerKind
    side: SideId | None = None
    """Who holds it, where that means something."""
    value: int = 0
    """Fuel points of a depot, victory points of an objective."""
    text: str = ""
    taken_from: SideId | None = None
    """Who held it before, if it changed hands in the stop shown."""
    won_by: SideId | None = None
    """Of a battle: who won it in the stop shown; nobody while it waits for its result."""


class ArrowKind(Enum):
    MOVE = "move"
    STOPPED = "stopped"
    """A move that ended before its time."""
    ATTACK = "attack"
    ADVANCE = "advance"
    RETREAT = "retreat"


class Arrow(Value, frozen=True):
    """What happened on the ground since the last view: places in order, the starting place first."""

    kind: ArrowKind
    side: SideId
    path: tuple[PlaceId, ...]


class Trace(Value, frozen=True):
    """What keeps supply from a unit: the way by which it would come, and where that is known to be barred."""

    side: SideId
    label: str
    """The unit's."""
    path: tuple[PlaceId, ...]
    """From the unit's place to the first behind all that bars it."""
    barred: tuple[PlaceId, ...]
    """Those that bar it, in the order of the path."""


class FlightKind(Enum):
    INTERDICTION = "interdiction"
    CLOSE_SUPPORT = "close_support"
    """Of the side that flies, in the battle that is fought there."""
    SUPPLY_DROP = "supply_drop"
    PARADROP = "paradrop"


class Sortie(Enum):
    """What has become of a flight."""

    PLANNED = "planned"
    FLOWN = "flown"
    FAILED = "failed"


class Flight(Value, frozen=True):
    """Air units over a place, or what comes down from them: an air box that belongs on the map."""

    at: PlaceId
    kind: FlightKind
    side: SideId
    """Who flies."""
    units: int = 0
    """Air units; 0 where it takes none of those that are counted."""
    sortie: Sortie = Sortie.FLOWN


class Panel(Value, frozen=True):
    """A small table: weather, fuel, victory points, the own order of battle."""

    key: str
    title: str
    head: tuple[str, ...]
    """Titles of the columns; empty where the first column names the rows."""
    rows: tuple[tuple[str, ...], ...]
    on_map: bool = False
    """It is printed beside the map as well: what is wanted at a glance."""


class LogLine(Value, frozen=True):
    """One thing that the audience is told, with the rule it rests on."""

    section: str
    """Title of the phase in which it happened; lines of one section stand together."""
    text: str
    rule: str
    reasons: tuple[str, ...] = ()
    """How a result came about: modifiers, dice, the GM's reason. Shown as the line's why."""
    at: tuple[PlaceId, ...] = ()


class View(Value, frozen=True):
    """All that one audience may be shown of one stop. Everything in it is ready to print."""

    audience: Audience
    audience_title: str
    """Burnt into pictures and file names: German side, GM, Public."""
    campaign: str
    date: str
    """The day of the game as players write it: 16 December 1944."""
    stop: str
    """Title of the stop that was just resolved."""
    next_stop: str
    """Title of the stop that is open now; empty when the campaign has ended."""
    counters: tuple[Counter, ...] = ()
    sightings: tuple[Sighting, ...] = ()
    markers: tuple[Marker, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    traces: tuple[Trace, ...] = ()
    flights: tuple[Flight, ...] = ()
    front: tuple[tuple[PlaceId, PlaceId], ...] = ()
    """The front as far as the audience knows it: pairs of neighbouring places, the first held by the first side."""
    panels: tuple[Panel, ...] = ()
    chart: tuple[Panel, ...] = ()
    """What the quick-reference chart shows: tables that are looked up every day. Reports do not repeat them."""
    log: tuple[LogLine, ...] = ()
    version: int = VIEW_VERSION
    """Of its form: how it is stored, and which upgrades bring it forward."""
