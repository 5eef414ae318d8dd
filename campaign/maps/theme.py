"""Everything about the look that is a matter of taste: colours, fonts, sizes.

Sizes of things on the map are in points that equal pixels when a hex of the map has a centre-to-corner distance of
`UNIT` pixels; sizes of title and legend are in points that equal pixels on a sheet `WIDTH` pixels wide.
"""

from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from campaign.engine.ids import GM, PUBLIC, Audience, SideId
from campaign.engine.values import Value, replace

Colour = tuple[int, int, int]

WIDTH = 1600
NARROWEST = 200
MOST_PIXELS = 40_000_000
"""Of one picture; more would only be a way to stop the service."""
UNIT = 33.4
LARGEST = 1.6
"""The most that map sizes exceed page sizes."""
SMALLEST = 0.42
"""The least map sizes are drawn at, however small the places: counters still show sides and arms."""
COARSE = 0.6
"""Places smaller than that have no room for print: counters are plain, ids and small names left out."""
THUMBNAIL = 600
"""Pixels: narrower sheets have neither legend nor tables."""
THUMBNAIL_WIDTH = 800
"""Points across a thumbnail, whose title is larger for it."""

# --- the sheet --------------------------------------------------------------------------------------------------------

RIM = 12
"""From the edge of the sheet to the neatline."""
TITLE_HEIGHT = 90
LEGEND_HEIGHT = 158
FOOT_HEIGHT = 26
"""Under a thumbnail."""
MARGIN = 0.62
"""Map units round the margin labels, when the names of entries need a lane there."""
BARE_MARGIN = 0.4

PAPER: Colour = (247, 243, 231)
BORDER: Colour = (251, 248, 240)
"""The paper between the neatline and the land."""
INK: Colour = (38, 36, 34)
QUIET: Colour = (104, 98, 86)
"""Ink of secondary print."""
FAINT: Colour = (196, 188, 168)
"""Ink of rules and boxes."""
HALO: Colour = (250, 247, 236)
WHITE: Colour = (255, 255, 255)

# --- the land ---------------------------------------------------------------------------------------------------------


class Mark(Enum):
    """What is printed on a ground, over and over."""

    NONE = "none"
    TREES = "trees"
    HILLS = "hills"
    REEDS = "reeds"
    BLOCKS = "blocks"


@dataclass(frozen=True)
class Land:
    title: str
    fill: Colour
    mark: Mark = Mark.NONE
    ink: Colour = PAPER
    edge: Colour | None = None


LANDS: dict[str, Land] = {
    "clear": Land("Clear", (239, 232, 206)),
    "valley": Land("Valley", (214, 223, 181)),
    "rough": Land("Rough", (227, 212, 173), Mark.HILLS, (196, 174, 128)),
    "forest": Land("Forest", (184, 202, 155), Mark.TREES, (143, 170, 115), (150, 174, 122)),
    "marsh": Land("Marsh", (206, 221, 212), Mark.REEDS, (117, 158, 170), (150, 184, 188)),
    "city": Land("City", (214, 193, 180), Mark.BLOCKS, (178, 149, 135), (168, 140, 127)),
}
"""In the order in which they are laid over each other; the first covers all the land."""

GRID: Colour = (92, 80, 58)
GRID_STRENGTH = 0.26
WATER: Colour = (66, 136, 184)
GREAT_WATER: Colour = (70, 134, 188)
GREAT_BANK: Colour = (20, 66, 118)
WATER_NAME: Colour = (28, 82, 134)
ROAD_EDGE: Colour = (112, 66, 44)
ROAD_FILL: Colour = (240, 178, 96)
TRACK: Colour = (140, 100, 72)
FRONTIER: Colour = (92, 62, 104)
FRONTIER_BAND: Colour = (160, 120, 170)
CLOSED: Colour = (74, 20, 20)
FORT: Colour = (84, 72, 60)
NUMBER: Colour = (104, 92, 66)
STAR: Colour = (168, 120, 28)

# --- the sides --------------------------------------------------------------------------------------------------------


class Frame(Enum):
    """How the corners of a counter are cut, so that sides differ without colour."""

    SQUARE = "square"
    ROUND = "round"
    CUT = "cut"
    NOTCHED = "notched"


class Livery(Value, frozen=True, cache_hash=True):
    """How one side looks."""

    strong: Colour
    """Frames, arrows, flags, its half of the front line."""
    pale: Colour
    """Body of a counter."""
    frame: Frame
    solid: bool
    """The symbol is white on the strong colour; otherwise it is strong on white."""


LIVERIES = (
    Livery(strong=(150, 42, 34), pale=(246, 222, 210), frame=Frame.SQUARE, solid=True),
    Livery(strong=(26, 74, 126), pale=(221, 234, 245), frame=Frame.ROUND, solid=False),
    Livery(strong=(122, 88, 10), pale=(246, 234, 196), frame=Frame.CUT, solid=True),
    Livery(strong=(70, 56, 120), pale=(232, 226, 244), frame=Frame.NOTCHED, solid=False),
)
NEUTRAL = Livery(strong=(96, 92, 86), pale=(236, 233, 226), frame=Frame.SQUARE, solid=False)


def livery(sides: tuple[SideId, ...], side: SideId | None) -> Livery:
    """How a side looks among these; nobody's things are grey. Raises ValueError for a side that is not among them."""
    if side is None:
        return NEUTRAL
    if side not in sides:
        raise ValueError(f"{side!r} is no side of this map; there are {', '.join(sides) or 'none'}")
    return LIVERIES[sides.index(side) % len(LIVERIES)]


def faded(one: Livery) -> Livery:
    """How an enemy looks who was there some time ago."""
    red, green, blue = ((value + 255) // 2 for value in one.strong)
    return replace(one, strong=(red, green, blue))


SIGHTED: Colour = (253, 251, 245)
"""Body of the counter of an enemy who was only sighted."""
SHADE: Colour = (158, 150, 124)
"""What a counter throws its shadow in."""
ALARM: Colour = (206, 30, 30)
BURST: Colour = (250, 190, 40)

PLATES: dict[Audience, Colour] = {GM: (52, 48, 44), PUBLIC: (62, 104, 70)}
"""Ground of the title of an audience that is no side."""

# --- print ------------------------------------------------------------------------------------------------------------

FONTS = Path(__file__).resolve().parents[2] / "static" / "fonts"


class Face(Enum):
    """The fonts, by file name."""

    PLAIN = "DejaVuSansCondensed.ttf"
    BOLD = "DejaVuSansCondensed-Bold.ttf"


@dataclass(frozen=True)
class Print:
    """A face, its size in points and its colour."""

    face: Face
    size: float
    ink: Colour = INK


TOWNS = (
    Print(Face.PLAIN, 9.5, (70, 64, 54)),
    Print(Face.PLAIN, 10.5, (44, 40, 36)),
    Print(Face.BOLD, 11, INK),
    Print(Face.BOLD, 13, INK),
)
"""Names of places by importance."""
TOWN_SIZES = (1.8, 2.6, 3.6, 4.8)
"""Radius of the sign of a place by importance."""
NUMBERS = Print(Face.PLAIN, 7.5, NUMBER)
MARGIN_PRINT = Print(Face.BOLD, 11, QUIET)
ENTRY_PRINT = Print(Face.PLAIN, 10.5, INK)
RIVER_PRINT = Print(Face.PLAIN, 9.5, WATER_NAME)
GREAT_RIVER_PRINT = Print(Face.BOLD, 15, GREAT_BANK)
RIVER_SPACING = 1.0
GREAT_RIVER_SPACING = 7.0
GREAT_RIVER_REPEAT = 900
"""Points along a great river from name to name."""
NAME_HALO = 2.2
COARSE_PRINT = 0.74
"""Scale of the names that stand on a coarse map."""
LEGEND_HEAD = Print(Face.BOLD, 11.5, INK)
LEGEND_PRINT = Print(Face.PLAIN, 11.5, INK)
CREDIT_PRINT = Print(Face.PLAIN, 10, QUIET)
BADGE_PRINT = Print(Face.BOLD, 6, WHITE)
UNSUPPLIED = "U"
"""Letter of the state mark."""
CAMPAIGN_PRINT = Print(Face.BOLD, 25, INK)
DATE_PRINT = Print(Face.BOLD, 15, INK)
STOP_PRINT = Print(Face.PLAIN, 15, INK)
AUDIENCE_PRINT = Print(Face.BOLD, 34, WHITE)
PANEL_HEAD = Print(Face.BOLD, 11.5, INK)
PANEL_COLUMN = Print(Face.PLAIN, 10.5, QUIET)
PANEL_PRINT = Print(Face.PLAIN, 11.5, INK)
