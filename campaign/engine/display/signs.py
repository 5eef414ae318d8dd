"""The signs that a ruleset declares: all that its maps, legends, boards, mails and lists may show, as data.

A sign has a key for base maps and Views, a symbol from the library of maps, and its words. A base map holds its
ruleset's declaration, so that maps need not know any ruleset.
"""

from enum import Enum

from campaign.engine.values.ids import SideId
from campaign.engine.values.value import Value


class Layer(Enum):
    """A layer that readers can hide; the value is part of addresses, and the class of its groups on boards."""

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


class Holder(Enum):
    """The side for which the legend shows a sign."""

    NOBODY = "nobody"
    FIRST = "first"
    SECOND = "second"
    """The first side's, or the second side's."""
    EACH = "each"
    """Once for each side, with `{side}` in its words."""
    TAKER = "taker"
    """A side has just taken it from another."""
    WINNER = "winner"
    """Once for each side that may have won."""


class Sample(Value, frozen=True):
    """How the legend explains a sign."""

    words: str
    text: str = ""
    """The text printed on it."""
    holder: Holder = Holder.NOBODY


class Sign(Value, frozen=True, cache_hash=True):
    """A kind of land, of line or of border; the arm or the size of a unit; the outcome of a flight."""

    key: str
    symbol: str
    words: str
    """Its name in the legend and in lists; empty for the usual outcome of a flight, which needs no words."""


class ArrowSign(Value, frozen=True, cache_hash=True):
    """Something that happened along a path."""

    key: str
    symbol: str
    words: str
    """Its name in the legend."""
    layer: Layer = Layer.MOVES
    reads: str = ""
    """Its text in lists; empty: its name."""


class Condition(Value, frozen=True, cache_hash=True):
    """A condition that a counter of the own side shows."""

    key: str
    symbol: str
    words: str
    letter: str = ""
    """Printed on its symbol in the colour of alarms, for serious conditions."""


class MarkerSign(Value, frozen=True, cache_hash=True):
    """Something on the map that is no unit."""

    key: str
    symbol: str
    reads: tuple[tuple[str, ...], ...]
    """Its text in lists, part by part: each part is the first pattern whose fields have values.

    Fields are `{side}` (its title), `{people}` and `{winners}` (sides by their names), `{value}`, `{text}`, `{level}`;
    `{s}` makes a plural of the value.
    """
    levels: tuple[str, ...] = ()
    """The names of values from 1 on; larger values have the last name."""
    layer: Layer = Layer.MARKERS
    samples: tuple[Sample, ...] = ()


class FlightSign(Value, frozen=True, cache_hash=True):
    """Something that flies or comes down from the air."""

    key: str
    symbol: str
    words: str
    in_battle: bool = False
    """Whether it takes part in the battle under it, and is shown with it."""
    sample: Sample | None = None
    """None: another kind of flight explains its symbol."""


class Corner(Enum):
    """The position of a figure on a counter."""

    LEFT = "left"
    RIGHT = "right"
    NONE = "none"
    """In lists only."""


class FigureSign(Value, frozen=True, cache_hash=True):
    """A figure of a counter."""

    key: str
    words: str
    """Its text in lists, with `{}` for the value."""
    briefly: str
    """The same where there is little room."""
    legend: str
    """Its name in the legend."""
    sample: int
    corner: Corner = Corner.NONE
    full: int | None = None
    """The value of a unit at full strength, which is not printed; high stacks show a part of it as a gauge."""
    gauge: str = ""
    """The name of the gauge in the legend."""


class Signs(Value, frozen=True, cache_hash=True):
    """All signs of a ruleset in the order of the legend, which is the order of priority of conditions."""

    lands: tuple[Sign, ...] = ()
    lines: tuple[Sign, ...] = ()
    """The greatest first: where lines of several kinds meet at the edge, the greatest continues past it."""
    borders: tuple[Sign, ...] = ()
    """What lies on the side that two neighbouring places share."""
    arms: tuple[Sign, ...] = ()
    sizes: tuple[Sign, ...] = ()
    """Of formations, the smallest first."""
    conditions: tuple[Condition, ...] = ()
    figures: tuple[FigureSign, ...] = ()
    markers: tuple[MarkerSign, ...] = ()
    flights: tuple[FlightSign, ...] = ()
    sorties: tuple[Sign, ...] = ()
    """The outcomes of flights."""
    arrows: tuple[ArrowSign, ...] = ()

    people: tuple[tuple[SideId, str], ...] = ()
    """What lists call the sides: the Germans. Without a name of its own it is the Red side, say."""
    place: tuple[str, str] = ("place", "places")
    """The word for a place of its maps, singular and plural."""
    fortified: str = ""
    """The legend's name for a fortified place. These names are empty for signs that the ruleset never shows."""
    front: str = ""
    barred: str = ""
    """A barred supply route."""
    control: str = ""
    """The wash and the border in the colour of a `{side}` that holds places."""
    noted: tuple[str, str] = ("", "")
    """An example of the notes after names of places, and what they say."""
    sighted: str = ""
    """An enemy unit that was only sighted."""
    age: str = ""
    """The unit in which the age of a sighting is counted: day."""
