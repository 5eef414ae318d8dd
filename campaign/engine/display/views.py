"""All that may be shown: the base map everybody sees, and the View of one audience.

A ruleset builds a View from a player's state and the disclosures to its audience. Maps, reports, mails and pages read
only Views, so they can show nothing that the audience does not know. Places are given by id; the base map has their
positions on the paper.
"""

from collections.abc import Mapping
from functools import lru_cache
from math import cos, pi, sin
from typing import Any

from campaign.engine.display.signs import Signs
from campaign.engine.values.ids import Audience, PlaceId, SideId, UnitId
from campaign.engine.values.value import Upgrade, Value

VIEW_VERSION = 2
"""Raised by each change of the View that older stored Views do not fit."""


def _with_figures(raw: dict[str, Any]) -> dict[str, Any]:
    """Turn the strength in percent and the movement allowance of counters into figures, which rulesets now declare."""
    counters = [
        {
            **{name: part for name, part in counter.items() if name not in ("strength", "movement")},
            "figures": [{"key": key, "value": counter[key]} for key in ("strength", "movement")],
        }
        for counter in raw.get("counters", ())
    ]
    return {**raw, "counters": counters}


VIEW_UPGRADES: Mapping[int, Upgrade] = {1: _with_figures}
"""By version: turns a View stored as plain JSON into the next version."""

Point = tuple[float, float]
"""A position on the paper in map units, x to the east, y to the south; from the middle of a hex to a corner is 1."""


# --- the base map: the same for every audience of a campaign --------------------------------------------------------


class Ground(Value, frozen=True):
    """One place of the base map: a hex, an area or a point."""

    id: PlaceId
    """The name of the place in orders and paths."""
    at: Point
    """Where its middle is on the paper."""
    outline: tuple[Point, ...]
    """Empty for a point: see `edge`."""
    terrain: str
    """Key of a declared land."""
    name: str = ""
    """What is there, like a town; empty: nothing with a name."""
    importance: int = 0
    """Of the named place: 0 a hamlet, 1 a village, 2 a town, 3 a city."""
    victory_points: int = 0
    """The points for holding it."""
    fortified: bool = False
    """Whether it has permanent fortifications."""
    country: str = ""
    """The country that it belongs to; empty where the map has none."""
    note: str = ""
    """Figures of the place, printed after its name; empty: none."""

    @property
    def edge(self) -> tuple[Point, ...]:
        """The line drawn round the place: its outline, or a circle if it is a point."""
        return self.outline or _circle(self.at)


_RADIUS, _CORNERS = 0.8, 64
"""Of the circle round a point, in map units: a little more than a counter needs."""


@lru_cache(maxsize=4096)
def _circle(middle: Point) -> tuple[Point, ...]:
    turns = (n * 2 * pi / _CORNERS for n in range(_CORNERS))
    return tuple((middle[0] + _RADIUS * sin(turn), middle[1] - _RADIUS * cos(turn)) for turn in turns)


class Line(Value, frozen=True):
    """A road, railway or the like from the middle of a place to the middle of the next one."""

    a: PlaceId
    """Where it begins."""
    b: PlaceId
    """Where it ends."""
    kind: str
    """Key of a declared line."""
    bridge: bool = False
    """It crosses the river on the shared side by a bridge."""


class Exit(Value, frozen=True):
    """Where a line leaves a map that was cut out of a larger one."""

    at: PlaceId
    """The last place on the map."""
    toward: Point
    """The middle of the next place, which is not on the map."""
    kind: str
    """Key of a declared line."""


class Border(Value, frozen=True):
    """What lies between two neighbouring places: a river, a frontier."""

    a: PlaceId
    """The place on one side of it."""
    b: PlaceId
    """The place on the other side."""
    kind: str
    """Key of a declared border."""
    names: tuple[str, ...] = ()
    """The names of the river."""


class Entry(Value, frozen=True):
    """Where a road of the surrounding country comes onto the map."""

    at: PlaceId
    """The place on the map to which the road leads."""
    name: str
    """The name of the entry in orders."""
    side: SideId
    """The side whose units enter there."""


class MarginLabel(Value, frozen=True):
    """The name of a row or column, written at the edge of the paper."""

    text: str
    at: Point


class Backdrop(Value, frozen=True):
    """A picture of the country, upright under the grid, in place of drawn land."""

    corner: Point
    """Where on the paper its upper left corner lies."""
    pixel: Point
    """The width and height of one of its pixels, in map units."""
    strength: float
    """From nearly 0 to 1: its contrast with the paper; at 1 the most that print on it allows."""
    roads: bool
    """Whether it shows roads, so that none are drawn over it."""
    rivers: bool
    """The same for rivers."""
    picture: bytes = b""
    """The file, PNG, JPEG or WebP. Rulesets leave it out; the loader of the scenario adds it."""


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
    exits: tuple[Exit, ...] = ()
    subtitle: str = ""
    """The days of the scenario, say; printed under the title."""
    kilometres: float = 0.0
    """Per map unit, for the scale bar; 0: there is none."""
    turns: tuple[str, ...] = ()
    """The dates of all turns as Views have them, for the track of turns; empty: there is none."""
    backdrop: Backdrop | None = None
    signs: Signs = Signs()
    """What the ruleset declares; Views name signs by their keys."""


# --- the view of one audience ----------------------------------------------------------------------------------------


class Figure(Value, frozen=True):
    """A figure of a counter; its sign says what it means."""

    key: str
    """Key of a declared figure."""
    value: int
    """The number."""


class Counter(Value, frozen=True):
    """A unit fully known to the audience: its own, or any for the GM."""

    unit: UnitId
    """Its id, which no other unit has."""
    at: PlaceId
    """Where it is."""
    side: SideId
    """Whose unit it is."""
    label: str
    """Its name in orders, as short as on its counter."""
    name: str
    """Its full name."""
    branch: str
    """Key of a declared arm."""
    echelon: str
    """Key of a declared size; empty: unknown."""
    small: bool
    """It counts as small for stacking."""
    figures: tuple[Figure, ...] = ()
    """What is printed on it, like strength and movement."""
    states: tuple[str, ...] = ()
    """Keys of declared conditions, in the order of lists."""


class Sighting(Value, frozen=True):
    """An enemy unit as far as the audience makes it out. Strength is never known."""

    at: PlaceId
    """Where it is, or was seen last."""
    side: SideId
    """Whose unit it is."""
    branch: str | None
    """None: something unknown is there."""
    label: str = ""
    """Its name, or empty where only the type is known."""
    echelon: str = ""
    """Key of a declared size; empty: unknown."""
    age: int | None = None
    """Days since it was in sight there, for one that is out of sight; None: it is in sight."""
    count: int | None = None
    """The number of such units; None: not counted."""


class Marker(Value, frozen=True):
    """Something on the map that is no unit."""

    at: PlaceId
    """Where it is."""
    kind: str
    """Key of a declared marker."""
    side: SideId | None = None
    """Who holds it, where that means something."""
    value: int = 0
    """What its sign counts: victory points of an objective, the level of a position."""
    text: str = ""
    """Words about it; empty: the sign says all."""
    taken_from: SideId | None = None
    """Who held it before, if it changed hands in the phase shown."""
    won_by: SideId | None = None
    """Of a battle: who won it in the phase shown; None while it waits for its result."""


class Arrow(Value, frozen=True):
    """What happened on the ground since the last view: places in order, the starting place first."""

    kind: str
    """Key of a declared arrow."""
    side: SideId
    """Whose unit it was."""
    path: tuple[PlaceId, ...]
    """The places on its way, in order."""


class Trace(Value, frozen=True):
    """Why a unit has no supply: the best route to it, and where the route is known to be barred."""

    side: SideId
    """Whose unit it is."""
    label: str
    """The unit's name on its counter."""
    path: tuple[PlaceId, ...]
    """From the unit's place to the first place past the last barred one."""
    barred: tuple[PlaceId, ...]
    """The places that bar it, in the order of the path."""


class Flight(Value, frozen=True):
    """Air units over a place, or what comes down from them: an air box that belongs on the map."""

    at: PlaceId
    """The place under them."""
    kind: str
    """Key of a declared flight."""
    side: SideId
    """Who flies."""
    units: int = 0
    """The number of air units; 0 if it uses none of those that are counted."""
    sortie: str = ""
    """Key of a declared outcome; empty: drawn as its kind is."""


class Panel(Value, frozen=True):
    """A small table: weather, fuel, victory points, the own order of battle."""

    key: str
    """What it is about; the same in every phase."""
    title: str
    """Its heading."""
    head: tuple[str, ...]
    """Titles of the columns; empty where the first column names the rows."""
    rows: tuple[tuple[str, ...], ...]
    """Its lines, each with a text for every column."""
    on_map: bool = False
    """Whether it is printed next to the map too, to be seen at a glance."""
    news: str = ""
    """What each report says of rows that the last one had and that are gone, as it does of new ones; empty: nothing."""


class LogLine(Value, frozen=True):
    """One line of the audience's report, with its rule."""

    section: str
    """Title of the phase in which it happened; lines of one section come together."""
    text: str
    """What happened, in words."""
    rule: str
    """The number of the rule; empty: no rule."""
    reasons: tuple[str, ...] = ()
    """The reasons of a result: modifiers, dice, the GM's reason. Shown as the line's why."""
    at: tuple[PlaceId, ...] = ()
    """The places that it is about."""


class View(Value, frozen=True):
    """All that one audience may be shown of one phase, ready to print."""

    audience: Audience
    """Who may be shown it: a side, gm, public."""
    audience_title: str
    """Printed on pictures and in file names: German side, GM, Public."""
    campaign: str
    """The title of the campaign."""
    date: str
    """The day of the game as players write it: 16 December 1944."""
    stop: str
    """Title of the phase that was just resolved."""
    next_stop: str
    """Title of the phase that is open now; empty when the campaign has ended."""
    counters: tuple[Counter, ...] = ()
    """Units of which the audience knows everything."""
    sightings: tuple[Sighting, ...] = ()
    """Enemy units as far as they are known."""
    markers: tuple[Marker, ...] = ()
    """Everything on the map that is no unit."""
    arrows: tuple[Arrow, ...] = ()
    """What happened on the ground."""
    traces: tuple[Trace, ...] = ()
    """Why units have no supply."""
    flights: tuple[Flight, ...] = ()
    """What happened in the air."""
    front: tuple[tuple[PlaceId, PlaceId], ...] = ()
    """The front as far as the audience knows it: pairs of neighbouring places, the first held by the first side."""
    control: tuple[tuple[PlaceId, SideId], ...] = ()
    """Places that are coloured as their holder's."""
    panels: tuple[Panel, ...] = ()
    """The small tables: weather, fuel, points, units."""
    chart: tuple[Panel, ...] = ()
    """The tables of the quick-reference chart, for daily use. Reports do not repeat them."""
    log: tuple[LogLine, ...] = ()
    """The events that the audience was told, in order."""
    headlines: tuple[str, ...] = ()
    """The most important events of `log` in at most three short sentences. Older Views have none."""
    version: int = VIEW_VERSION
    """The version of its stored form, for upgrades."""
