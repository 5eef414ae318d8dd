"""What a ruleset declares of its signs: all that its maps, legends, boards, mails and lists may show, as data.

A sign has a key, by which base maps and Views name it, a symbol out of the library of maps, with which it is drawn, and
its words. A base map carries its ruleset's declaration, so that maps need to know no ruleset.
"""

from enum import Enum

from campaign.engine.values import Value


class Layer(Enum):
    """What readers can leave out of a map; the value stands in addresses and is the class of its groups on boards."""

    MOVES = "moves"
    FIGHTS = "fights"
    SUPPLY = "supply"
    FRONT = "front"
    CONTROL = "control"
    MARKERS = "markers"
    AIR = "air"
    COUNTERS = "counters"

    @property
    def title(self) -> str:
        return self.value.capitalize()


class Echelon(Enum):
    """The size of a formation, as the marks above its symbol show it."""

    UNKNOWN = ""
    TEAM = "team"
    BATTALION = "battalion"
    REGIMENT = "regiment"
    BRIGADE = "brigade"
    DIVISION = "division"


class ArrowKind(Enum):
    MOVE = "move"
    STOPPED = "stopped"
    """A move that ended before its time."""
    ATTACK = "attack"
    ADVANCE = "advance"
    RETREAT = "retreat"


class Holder(Enum):
    """Whose a sign in the legend is."""

    NOBODY = "nobody"
    FIRST = "first"
    SECOND = "second"
    """The first side's, or the second side's."""
    EACH = "each"
    """It is there once for each side, with `{side}` in its words."""
    TAKER = "taker"
    """A side has just taken it from another."""
    WINNER = "winner"
    """It is there for each side that may have won."""


class Sample(Value, frozen=True):
    """How the legend explains a sign."""

    words: str
    text: str = ""
    """What is printed on it."""
    holder: Holder = Holder.NOBODY


class Sign(Value, frozen=True, cache_hash=True):
    """A kind of land, a line from place to place, or the arm of a unit."""

    key: str
    symbol: str
    words: str
    """What the legend and lists call it."""


class Condition(Value, frozen=True, cache_hash=True):
    """What else a counter of the own side shows."""

    key: str
    symbol: str
    words: str
    letter: str = ""
    """Printed on its symbol, in the colour of alarms: what a unit can hardly bear."""


class MarkerSign(Value, frozen=True, cache_hash=True):
    """Something on the map that is no unit."""

    key: str
    symbol: str
    reads: tuple[tuple[str, ...], ...]
    """How lists tell of one, part by part: of each part by the first pattern for whose fields the marker has values.

    Fields are `{side}` (its title), `{value}`, `{text}`, `{level}`, `{winner}`; `{s}` makes a plural of the value.
    """
    levels: tuple[str, ...] = ()
    """What values from 1 on are called; larger ones are called like the last."""
    layer: Layer = Layer.MARKERS
    samples: tuple[Sample, ...] = ()


class FlightSign(Value, frozen=True, cache_hash=True):
    """Something that flies, or comes down from the air."""

    key: str
    symbol: str
    words: str
    in_battle: bool = False
    """It takes part in the battle over which it flies, and is shown with it."""
    sample: Sample | None = None
    """None: another kind of flight explains its symbol."""


class Corner(Enum):
    """Where a counter has a figure."""

    LEFT = "left"
    RIGHT = "right"
    NONE = "none"
    """Lists alone tell of it."""


class FigureSign(Value, frozen=True, cache_hash=True):
    """A figure of a counter."""

    key: str
    words: str
    """What lists say of it, with `{}` for the value."""
    briefly: str
    """The same where there is little room."""
    legend: str
    """What the legend calls the figures of its sample."""
    sample: int
    corner: Corner = Corner.NONE
    full: int | None = None
    """The value of a unit that lacks nothing, which is not printed; high stacks show a part of it as a gauge."""
    gauge: str = ""
    """What the legend calls the gauge."""


class Signs(Value, frozen=True, cache_hash=True):
    """All signs of a ruleset, in the order of the legend; conditions are given room in it."""

    lands: tuple[Sign, ...] = ()
    lines: tuple[Sign, ...] = ()
    """The first is the greatest: it goes on beyond the edge of the map where lines of several kinds meet."""
    arms: tuple[Sign, ...] = ()
    sizes: tuple[Echelon, ...] = ()
    conditions: tuple[Condition, ...] = ()
    figures: tuple[FigureSign, ...] = ()
    markers: tuple[MarkerSign, ...] = ()
    flights: tuple[FlightSign, ...] = ()
    arrows: tuple[ArrowKind, ...] = ()

    place: tuple[str, str] = ("place", "places")
    """What one place of its maps is called, and several."""
    fortified: str = ""
    """What the legend calls a fortified place; these names are empty for what the ruleset never shows."""
    front: str = ""
    barred: str = ""
    """A way that is barred."""
    control: str = ""
    """The band in the colour of the side that holds a place."""
    sighted: str = ""
    """An enemy who was only sighted."""
    age: str = ""
    """What is counted since an enemy was seen: day."""
