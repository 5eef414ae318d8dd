"""Markers on the ground and in the air, as figures and as stamps."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from PIL import Image

from campaign.engine.values.value import Value
from campaign.maps.drawing.geometry import Path, Point
from campaign.maps.drawing.ink import (
    Figure,
    Fill,
    Inked,
    Printed,
    Shape,
    Stamp,
    Stroke,
    cap_height,
    lay,
    lettering,
    mask_of,
    stamped,
)
from campaign.maps.drawing.symbols import AIRCRAFT, BATTLE, BATTLE_RADIUS, CRATE, EARTHWORK, JUMPER, SECOND_LINE, placed
from campaign.maps.style.schemes import Scheme, SideColours
from campaign.maps.style.theme import Face, Frame, Print

_POLE = Stroke(((-8.0, -6.2), (-8.0, 7.6)), 1.5)
_TALL_POLE = Stroke(((-8.0, -6.2), (-8.0, 11.0)), 1.5)
_SPARK, _FLASH = (placed(BATTLE, (-8.2, -7.6), (size, size)) for size in (0.5, 0.34))
_STAFF = Stroke(((2.4, -13.2), (2.4, -5.5)), 1.2)
_FLAGS: dict[Frame, Path] = {
    Frame.SQUARE: ((-8, -6.5), (8, -6.5), (8, 4.5), (-8, 4.5)),
    Frame.ROUND: ((-8, -6.5), (9, -6.5), (5.6, -1.0), (9, 4.5), (-8, 4.5)),
    Frame.CUT: ((-8, -6.5), (5.5, -6.5), (9, -1.0), (5.5, 4.5), (-8, 4.5)),
    Frame.NOTCHED: ((-8, -6.5), (8, -6.5), (5, 4.5), (-8, 4.5)),
}
"""Flags differ by side as the frames of counters do: straight, swallow-tailed, pointed, slanting."""
_TIN: Path = ((-5.5, -4.5), (-3.5, -6.5), (3.0, -6.5), (5.5, -4.0), (5.5, 7.0), (-5.5, 7.0))
_SPOUT = Stroke(((3.2, -6.2), (5.6, -7.8)), 2.0)
_HANDLE = Stroke(((-3.5, -6.5), (-2.5, -8.2), (1.0, -8.2), (1.8, -6.5)), 1.3)
_CAN: tuple[Shape, ...] = (Fill(_TIN), _SPOUT, _HANDLE)
_INSIDE = placed(Fill(_TIN), (0, 0.2), (0.72, 0.78))
_NUMBER = Print(Face.BOLD, 9.0)
_SMALL_NUMBER = Print(Face.BOLD, 7.0)
_RIM = 2.2
HALF_WIDTH = 10.0
"""The most that a marker reaches from its middle, in points, except battles and flags of places just taken."""
RAISED = 12.0
"""Points that the flag of a place just taken reaches from its middle."""


class Badge(Value, frozen=True):
    """What a marker shows, without its position."""

    symbol: str
    side_colours: SideColours
    text: str = ""
    """The number or word printed on it."""
    former: SideColours | None = None
    """The colours of the side it was taken from."""
    sortie: str = "solid"
    """The symbol of a flight's outcome."""
    decided: bool = False
    """Whether a battle has its result: the colours and the text are the winner's."""


@dataclass(frozen=True)
class Emblem:
    """A marker in points round its middle: the shapes that get a light rim, and the layers within it."""

    core: tuple[Shape, ...]
    layers: Figure
    half: float = 12.0
    """The most that it reaches from its middle, with its rim."""


@stamped
def marker_stamp(badge: Badge, scale: float, colours: Scheme) -> Stamp:
    """The stamp of a marker."""
    emblem = marker_emblem(badge, colours)
    sign = _Sign(emblem, scale, colours)
    for layer in emblem.layers:
        sign.lay(layer)
    return sign.stamp()


def marker_emblem(badge: Badge, colours: Scheme) -> Emblem:
    """A marker by its symbol; raises ValueError for one that is not in the library."""
    if badge.symbol in FLIGHTS:
        return _air_box(badge, colours)
    if badge.symbol not in MARKERS:
        raise ValueError(f"there is no symbol {badge.symbol!r}; there are {', '.join((*MARKERS, *FLIGHTS))}")
    return MARKERS[badge.symbol](badge, colours)


class _Sign:
    """A stamp in the making: layers over a light rim that separates them from the map."""

    def __init__(self, emblem: Emblem, scale: float, colours: Scheme) -> None:
        self.scale, self.middle = scale, int(emblem.half * scale) + 1
        size = (2 * self.middle, 2 * self.middle)
        self.paper = Image.new("RGB", size, colours.halo)
        self.mask = mask_of([self._pixels(shape) for shape in [*emblem.core, *marker_rims(emblem)]], size)

    def lay(self, layer: Inked | Printed) -> None:
        if isinstance(layer, Inked):
            lay(self.paper, [self._pixels(shape) for shape in layer.shapes], layer.colour)
            return
        x, y = (self.middle + c * self.scale for c in layer.at)
        drop = cap_height(layer.style, self.scale) / 2
        lettering(layer.text, layer.style, self.scale, ink=layer.ink).press(self.paper, (x, y + drop))

    def stamp(self) -> Stamp:
        return Stamp(self.paper, self.mask, (self.middle, self.middle))

    def _pixels(self, shape: Shape) -> Shape:
        return placed(shape, (self.middle, self.middle), (self.scale, self.scale), pen=self.scale)


def marker_rims(emblem: Emblem) -> tuple[Shape, ...]:
    """Outlines that make the shapes of a marker a little larger."""
    rims: list[Shape] = [Stroke((*s.outline, *s.outline[:2]), _RIM) for s in emblem.core if isinstance(s, Fill)]
    return (*rims, *(Stroke(s.path, s.width + _RIM) for s in emblem.core if isinstance(s, Stroke)))


# --- on the ground ----------------------------------------------------------------------------------------------------


def _flag(badge: Badge, colours: Scheme) -> Emblem:
    if badge.former is not None:
        return _raised_flag(badge, badge.former, colours)
    cloth = Fill(_FLAGS[badge.side_colours.frame])
    number = Printed(badge.text, _NUMBER, colours.reverse, (-0.6, -1.0))
    layers = (Inked((cloth,), badge.side_colours.strong), Inked((_POLE,), colours.ink), number)
    return Emblem((cloth, _POLE), layers)


def _raised_flag(badge: Badge, former: SideColours, colours: Scheme) -> Emblem:
    """The flag of a place just taken, over its former holder's flag, which hangs lower."""
    cloth, lowered = Fill(_FLAGS[badge.side_colours.frame]), _cloth(former, (-3.0, 6.4), 0.62)
    hem = Stroke((*cloth.outline, cloth.outline[0]), 1.6)
    layers = (
        Inked((lowered,), former.strong),
        Inked((hem,), colours.halo),
        Inked((cloth,), badge.side_colours.strong),
        Inked((_TALL_POLE,), colours.ink),
        Inked((_SPARK,), colours.alarm),
        Inked((_FLASH,), colours.burst),
        Printed(badge.text, _NUMBER, colours.reverse, (-0.6, -1.0)),
    )
    return Emblem((cloth, lowered, _TALL_POLE, _SPARK), layers, 16.0)


def _cloth(side_colours: SideColours, at: Point, size: float) -> Fill:
    return Fill(tuple((x * size + at[0], y * size + at[1]) for x, y in _FLAGS[side_colours.frame]))


def _can(badge: Badge, colours: Scheme) -> Emblem:
    number = Printed(badge.text, _NUMBER, colours.reverse, (0, 0.6))
    return Emblem(_CAN, (Inked(_CAN, badge.side_colours.strong), number))


def _hollow_can(badge: Badge, colours: Scheme) -> Emblem:
    """A light can with its owner's colour round it, struck through if it is empty.

    One that was just taken has the owner's flag on it.
    """
    strong = badge.side_colours.strong
    struck = () if badge.text else (Inked((Stroke(((-7.5, 7.5), (7.5, -7.5)), 1.8),), strong),)
    number = Printed(badge.text, _NUMBER, strong, (0, 0.6))
    can = (Inked(_CAN, strong), Inked((_INSIDE,), colours.halo), *struck, number)
    if badge.former is None:
        return Emblem(_CAN, can)
    cloth = _cloth(badge.side_colours, (7.2, -9.2), 0.6)
    layers = (*can, Inked((cloth,), strong), Inked((_STAFF,), colours.ink))
    return Emblem((*_CAN, cloth, _STAFF), layers, 15.0)


def _crossed_can(_: Badge, colours: Scheme) -> Emblem:
    """An empty can, crossed out."""
    cross = (Stroke(((-7.5, 7.5), (7.5, -7.5)), 2.0), Stroke(((-7.5, -7.5), (7.5, 7.5)), 2.0))
    layers = (Inked(_CAN, colours.quiet), Inked((_INSIDE,), colours.halo), Inked(cross, colours.ink))
    return Emblem((*_CAN, *cross), layers)


def _earthwork(badge: Badge, _: Scheme) -> Emblem:
    """An earthwork, with a second line from the second level on."""
    works = (EARTHWORK,) if badge.text in ("", "1") else (EARTHWORK, SECOND_LINE)
    return Emblem(works, (Inked(works, badge.side_colours.strong),))


def _burst(badge: Badge, colours: Scheme) -> Emblem:
    """A burst; with a result, it is filled with the winner's colour."""
    star = placed(BATTLE, (0, 0), (0.78, 0.78))
    ring, cloth, ink = colours.alarm, colours.burst, colours.on_burst
    if badge.decided:
        star = placed(BATTLE, (0, 0), (0.84, 0.84))
        ring, cloth, ink = colours.burst, badge.side_colours.strong, colours.reverse
    words = (Printed(badge.text, Print(Face.BOLD, 8), ink, (0, 0)),) if len(badge.text) <= 2 else ()
    return Emblem((BATTLE,), (Inked((BATTLE,), ring), Inked((star,), cloth), *words), BATTLE_RADIUS + 2)


MARKERS: Mapping[str, Callable[[Badge, Scheme], Emblem]] = {
    "can": _can,
    "hollow_can": _hollow_can,
    "crossed_can": _crossed_can,
    "earthwork": _earthwork,
    "flag": _flag,
    "burst": _burst,
}
"""Drawings on the ground, by symbol. A `flag` is before the name of its place, a `burst` over its edge."""


# --- in the air -------------------------------------------------------------------------------------------------------


def _air_box(badge: Badge, colours: Scheme) -> Emblem:
    """A flight in the colour of its side, with its number, drawn by its outcome."""
    solid, strong = badge.sortie == "solid", badge.side_colours.strong
    ink = colours.reverse if solid else strong
    half = 10.0 if badge.text else 7.0
    box, inside = _box(half, 7.5), _box(half - 1.3, 6.2)
    sign = Inked(tuple(placed(shape, (-4.2 if badge.text else 0.0, 0.0)) for shape in FLIGHTS[badge.symbol]), ink)
    layers: list[Inked | Printed] = [Inked((box,), strong)]
    layers += [] if solid else [Inked((inside,), colours.halo)]
    layers += [sign, Printed(badge.text, _NUMBER if len(badge.text) < 2 else _SMALL_NUMBER, ink, (5.2, 0.0))]
    core: tuple[Shape, ...] = (box,)
    if badge.sortie == "struck":
        strike = Stroke(((-half, 7.5), (1.6 if badge.text else half, -7.5)), 2.0)
        layers.append(Inked((strike,), strong))
        core = (box, strike)
    return Emblem(core, tuple(layers), 13.0)


def _box(half: float, high: float) -> Fill:
    """A box with slightly cut corners."""
    cut = 1.6
    corners = ((-half, -high), (half, -high), (half, high), (-half, high))
    ends = ((0, cut), (cut, 0)), ((-cut, 0), (0, cut)), ((0, -cut), (-cut, 0)), ((cut, 0), (0, -cut))
    return Fill(tuple((x + dx, y + dy) for (x, y), pair in zip(corners, ends, strict=True) for dx, dy in pair))


FLIGHTS: Mapping[str, tuple[Shape, ...]] = {"aircraft": AIRCRAFT, "crate": CRATE, "jumper": JUMPER}
"""Symbols of flights: aircraft, and what comes down by parachute."""

SORTIES = ("solid", "hollow", "struck")
"""How the box of a flight can be drawn by its outcome: filled, empty, or empty and struck through."""
