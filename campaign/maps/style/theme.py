"""Everything about the look that is a matter of taste but colours: fonts, sizes, shapes.

Sizes of things on the map are in points that equal pixels when a place of the map has a centre-to-corner distance of
`UNIT` pixels; sizes of title and legend are in points that equal pixels on a sheet `WIDTH` pixels wide.
"""

from dataclasses import dataclass
from enum import Enum
from pathlib import Path

WIDTH = 1600
NARROWEST = 200
MOST_PIXELS = 40_000_000
"""Of one picture; more could only serve to overload the service."""
UNIT = 33.4
LARGEST = 1.6
"""The most that map sizes may exceed page sizes."""
SMALLEST = 0.42
"""The least scale of map sizes, however small the places: counters still show side and arm."""
COARSE = 0.6
"""Smaller places have no room for print: counters are plain, ids and small names left out."""
THUMBNAIL = 600
"""Pixels: narrower sheets have no legend and no tables."""
THUMBNAIL_WIDTH = 800
"""Points across a thumbnail, whose title is larger because of it."""

# --- the sheet --------------------------------------------------------------------------------------------------------

RIM = 12
"""From the edge of the sheet to the neatline."""
TITLE_HEIGHT = 90
LEGEND_HEIGHT = 178
CARTOUCHE_HEIGHT = 44
"""Between map and legend."""
FOOT_HEIGHT = 26
"""Under a thumbnail."""
MARGIN = 0.62
"""Map units around the margin labels, if the names of entries need room there."""
BARE_MARGIN = 0.4

# --- the land ---------------------------------------------------------------------------------------------------------


class Mark(Enum):
    """What is printed on a ground as a pattern."""

    NONE = "none"
    TREES = "trees"
    COPSES = "copses"
    HILLS = "hills"
    REEDS = "reeds"
    BLOCKS = "blocks"


LANDS: dict[str, Mark] = {
    "clear": Mark.NONE,
    "valley": Mark.NONE,
    "rough": Mark.HILLS,
    "woods": Mark.COPSES,
    "forest": Mark.TREES,
    "marsh": Mark.REEDS,
    "city": Mark.BLOCKS,
}
"""The looks of land, in the order in which they are laid over each other; the first covers all the land."""

GRID_STRENGTH = 0.26
GRID_ON_PICTURES = 0.4

# --- the sides --------------------------------------------------------------------------------------------------------


class Frame(Enum):
    """How the corners of a counter are cut, so that sides differ without colour."""

    SQUARE = "square"
    ROUND = "round"
    CUT = "cut"
    NOTCHED = "notched"


# --- print ------------------------------------------------------------------------------------------------------------

FONTS = Path(__file__).resolve().parents[3] / "static" / "fonts"


class Face(Enum):
    """The fonts, by file name."""

    PLAIN = "DejaVuSansCondensed.ttf"
    BOLD = "DejaVuSansCondensed-Bold.ttf"


@dataclass(frozen=True)
class Print:
    """A face and its size in points."""

    face: Face
    size: float


TOWNS = (
    Print(Face.PLAIN, 9.5),
    Print(Face.PLAIN, 10.5),
    Print(Face.BOLD, 11),
    Print(Face.BOLD, 13),
)
"""Names of places by importance."""
TOWN_SIZES = (1.8, 2.6, 3.6, 4.8)
"""Radius of the sign of a place by importance."""
NUMBERS = Print(Face.PLAIN, 8.0)
MARGIN_PRINT = Print(Face.BOLD, 11)
ENTRY_PRINT = Print(Face.PLAIN, 10.5)
RIVER_PRINT = Print(Face.PLAIN, 9.5)
GREAT_RIVER_PRINT = Print(Face.BOLD, 15)
RIVER_SPACING = 1.0
GREAT_RIVER_SPACING = 7.0
GREAT_RIVER_REPEAT = 900
"""Points along a great river from one name to the next."""
NAME_HALO = 2.2
NUMBER_HALO = 1.4
"""Of ids on pictures, and on counters."""
COARSE_PRINT = 0.74
"""Scale of names on a coarse map."""
LEGEND_HEAD = Print(Face.BOLD, 11.5)
LEGEND_PRINT = Print(Face.PLAIN, 11.5)
CARTOUCHE_TITLE = Print(Face.BOLD, 14)
CARTOUCHE_PRINT = Print(Face.PLAIN, 11.5)
NORTH_PRINT = Print(Face.BOLD, 10)
TURN_PRINT = Print(Face.BOLD, 11.5)
CREDIT_PRINT = Print(Face.PLAIN, 10)
BADGE_PRINT = Print(Face.BOLD, 6)
CAMPAIGN_PRINT = Print(Face.BOLD, 25)
DATE_PRINT = Print(Face.BOLD, 15)
STOP_PRINT = Print(Face.PLAIN, 15)
AUDIENCE_PRINT = Print(Face.BOLD, 34)
PANEL_HEAD = Print(Face.BOLD, 11.5)
PANEL_COLUMN = Print(Face.PLAIN, 10.5)
PANEL_PRINT = Print(Face.PLAIN, 11.5)
