"""What stands on the map besides units: flags of objectives, fuel depots, battles, as figures and as stamps."""

from dataclasses import dataclass
from functools import lru_cache

from PIL import Image

from campaign.engine.views import MarkerKind
from campaign.maps.geometry import Path
from campaign.maps.ink import (
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
)
from campaign.maps.schemes import Livery, Scheme
from campaign.maps.symbols import BATTLE, BATTLE_RADIUS, EARTHWORK, SECOND_LINE, placed
from campaign.maps.theme import Face, Frame, Print

_POLE = Stroke(((-8.0, -6.2), (-8.0, 7.6)), 1.5)
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
_RIM = 2.2
HALF_WIDTH = 10.0
"""No marker reaches further from its middle, in points; battles apart."""


@dataclass(frozen=True)
class Emblem:
    """A marker in points round its middle: what a light rim goes round, and the layers within it."""

    core: tuple[Shape, ...]
    layers: Figure
    half: float = 12.0
    """No more than that does it reach from its middle, its rim included."""


@lru_cache(maxsize=512)
def marker_stamp(kind: MarkerKind, livery: Livery, text: str, scale: float, colours: Scheme) -> Stamp:
    """The stamp of a marker; `text` is the number or word printed on it."""
    emblem = marker_emblem(kind, livery, text, colours)
    sign = _Sign(emblem, scale, colours)
    for layer in emblem.layers:
        sign.lay(layer)
    return sign.stamp()


def marker_emblem(kind: MarkerKind, livery: Livery, text: str, colours: Scheme) -> Emblem:
    draw = {
        MarkerKind.OBJECTIVE: _flag,
        MarkerKind.DEPOT: _depot,
        MarkerKind.CAPTURED_DEPOT: _captured_depot,
        MarkerKind.DESTROYED_DEPOT: _destroyed_depot,
        MarkerKind.POSITION: _position,
        MarkerKind.BATTLE: _battle,
    }[kind]
    return draw(livery, text, colours)


class _Sign:
    """A stamp in the making: layers over a light rim that parts them from the map."""

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
    """Lines round the shapes of a marker that make them a little larger."""
    rims: list[Shape] = [Stroke((*s.outline, *s.outline[:2]), _RIM) for s in emblem.core if isinstance(s, Fill)]
    return (*rims, *(Stroke(s.path, s.width + _RIM) for s in emblem.core if isinstance(s, Stroke)))


def _flag(livery: Livery, text: str, colours: Scheme) -> Emblem:
    cloth = Fill(_FLAGS[livery.frame])
    number = Printed(text, _NUMBER, colours.reverse, (-0.6, -1.0))
    layers = (Inked((cloth,), livery.strong), Inked((_POLE,), colours.ink), number)
    return Emblem((cloth, _POLE), layers)


def _depot(livery: Livery, text: str, colours: Scheme) -> Emblem:
    return Emblem(_CAN, (Inked(_CAN, livery.strong), Printed(text, _NUMBER, colours.reverse, (0, 0.6))))


def _captured_depot(livery: Livery, text: str, colours: Scheme) -> Emblem:
    """A can turned inside out: light, with the new owner's colour round it, and struck through if it is empty."""
    struck = () if text else (Inked((Stroke(((-7.5, 7.5), (7.5, -7.5)), 1.8),), livery.strong),)
    number = Printed(text, _NUMBER, livery.strong, (0, 0.6))
    return Emblem(_CAN, (Inked(_CAN, livery.strong), Inked((_INSIDE,), colours.halo), *struck, number))


def _destroyed_depot(_: Livery, __: str, colours: Scheme) -> Emblem:
    """An empty can, crossed out."""
    cross = (Stroke(((-7.5, 7.5), (7.5, -7.5)), 2.0), Stroke(((-7.5, -7.5), (7.5, 7.5)), 2.0))
    layers = (Inked(_CAN, colours.quiet), Inked((_INSIDE,), colours.halo), Inked(cross, colours.ink))
    return Emblem((*_CAN, *cross), layers)


def _position(livery: Livery, text: str, _: Scheme) -> Emblem:
    """An earthwork; from the second level on with a second line."""
    works = (EARTHWORK,) if text in ("", "1") else (EARTHWORK, SECOND_LINE)
    return Emblem(works, (Inked(works, livery.strong),))


def _battle(_: Livery, text: str, colours: Scheme) -> Emblem:
    star = placed(BATTLE, (0, 0), (0.78, 0.78))
    words = (Printed(text, Print(Face.BOLD, 8), colours.on_burst, (0, 0)),) if len(text) <= 2 else ()
    layers = (Inked((BATTLE,), colours.alarm), Inked((star,), colours.burst), *words)
    return Emblem((BATTLE,), layers, BATTLE_RADIUS + 2)
