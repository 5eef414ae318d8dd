"""The parts of a plot: shapes and print in tones, which a picture or a style sheet turns into colours."""

from dataclasses import dataclass
from enum import Enum

from campaign.engine.values.ids import SideId
from campaign.maps.drawing.geometry import Point
from campaign.maps.drawing.ink import Shape
from campaign.maps.style.schemes import Colour, Scheme
from campaign.maps.style.theme import Face, Print

Tone = str
INK, QUIET, FAINT, PAPER, NO_SIDE = "ink", "quiet", "faint", "paper", "no-side"

FIGURE_PRINT = Print(Face.PLAIN, 14)
LABEL_PRINT = Print(Face.BOLD, 14)


class Anchor(Enum):
    """Which end of a text its point is at."""

    START = "start"
    MIDDLE = "middle"
    END = "end"


@dataclass(frozen=True)
class Drawn:
    """Shapes of one tone, as one layer."""

    shapes: tuple[Shape, ...]
    tone: Tone


@dataclass(frozen=True)
class Lettered:
    """A text; its point is at half the height of the capitals."""

    text: str
    at: Point
    style: Print
    tone: Tone
    anchor: Anchor


Part = Drawn | Lettered


def tone_of(sides: tuple[SideId, ...], side: SideId | None) -> Tone:
    """The tone of a side's figures."""
    return f"side-{sides.index(side) + 1}" if side in sides else NO_SIDE


def colours_of_tones(colours: Scheme, sides: tuple[SideId, ...]) -> dict[Tone, Colour]:
    """What each tone is in a scheme."""
    plain = {INK: colours.ink, QUIET: colours.quiet, FAINT: colours.faint, PAPER: colours.paper}
    of_sides = {tone_of(sides, side): colours.side_colours(sides, side).strong for side in (*sides, None)}
    return plain | of_sides
