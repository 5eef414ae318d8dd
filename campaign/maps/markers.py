"""What stands on the map besides units, as stamps round their middle: flags of objectives, fuel depots, battles."""

from functools import lru_cache

from PIL import Image

from campaign.engine.views import MarkerKind
from campaign.maps import theme
from campaign.maps.geometry import Path, Point
from campaign.maps.ink import Fill, Shape, Stamp, Stroke, cap_height, lay, lettering, mask_of
from campaign.maps.symbols import BATTLE, BATTLE_RADIUS, EARTHWORK, SECOND_LINE, placed
from campaign.maps.theme import Colour, Face, Frame, Livery, Print

_POLE = Stroke(((-8.0, -6.2), (-8.0, 7.6)), 1.5)
_FLAGS: dict[Frame, Path] = {
    Frame.SQUARE: ((-8, -6.5), (8, -6.5), (8, 4.5), (-8, 4.5)),
    Frame.ROUND: ((-8, -6.5), (9, -6.5), (5.6, -1.0), (9, 4.5), (-8, 4.5)),
    Frame.CUT: ((-8, -6.5), (5.5, -6.5), (9, -1.0), (5.5, 4.5), (-8, 4.5)),
    Frame.NOTCHED: ((-8, -6.5), (8, -6.5), (5, 4.5), (-8, 4.5)),
}
"""Flags differ by side as the frames of counters do: straight, swallow-tailed, pointed, slanting."""
_CAN: Path = ((-5.5, -4.5), (-3.5, -6.5), (3.0, -6.5), (5.5, -4.0), (5.5, 7.0), (-5.5, 7.0))
_SPOUT = Stroke(((3.2, -6.2), (5.6, -7.8)), 2.0)
_HANDLE = Stroke(((-3.5, -6.5), (-2.5, -8.2), (1.0, -8.2), (1.8, -6.5)), 1.3)
_NUMBER = Print(Face.BOLD, 9.0, theme.WHITE)
_RIM = 2.2
HALF_WIDTH = 10.0
"""No marker reaches further from its middle, in points; battles apart."""


@lru_cache(maxsize=512)
def marker_stamp(kind: MarkerKind, livery: Livery, text: str, scale: float) -> Stamp:
    """The stamp of a marker; `text` is the number or word printed on it."""
    draw = {
        MarkerKind.OBJECTIVE: _flag,
        MarkerKind.DEPOT: _depot,
        MarkerKind.CAPTURED_DEPOT: _captured_depot,
        MarkerKind.DESTROYED_DEPOT: _destroyed_depot,
        MarkerKind.POSITION: _position,
        MarkerKind.BATTLE: _battle,
    }[kind]
    return draw(livery, text, scale)


class _Sign:
    """A stamp in the making: layers over a light rim that parts them from the map."""

    def __init__(self, shapes: list[Shape], scale: float, half: float = 12.0) -> None:
        self.scale, self.middle = scale, int(half * scale) + 1
        size = (2 * self.middle, 2 * self.middle)
        self.paper = Image.new("RGB", size, theme.HALO)
        self.mask = mask_of([self._pixels(shape) for shape in [*shapes, *_rims(shapes)]], size)

    def lay(self, shapes: list[Shape], colour: Colour) -> None:
        lay(self.paper, [self._pixels(shape) for shape in shapes], colour)

    def write(self, text: str, at: Point, style: Print) -> None:
        x, y = (self.middle + c * self.scale for c in at)
        lettering(text, style, self.scale).press(self.paper, (x, y + cap_height(style, self.scale) / 2))

    def stamp(self) -> Stamp:
        return Stamp(self.paper, self.mask, (self.middle, self.middle))

    def _pixels(self, shape: Shape) -> Shape:
        return placed(shape, (self.middle, self.middle), (self.scale, self.scale), pen=self.scale)


def _rims(shapes: list[Shape]) -> list[Shape]:
    """Lines round shapes that make them a little larger."""
    rims: list[Shape] = [Stroke((*s.outline, *s.outline[:2]), _RIM) for s in shapes if isinstance(s, Fill)]
    return rims + [Stroke(s.path, s.width + _RIM) for s in shapes if isinstance(s, Stroke)]


def _flag(livery: Livery, text: str, scale: float) -> Stamp:
    cloth = Fill(_FLAGS[livery.frame])
    sign = _Sign([cloth, _POLE], scale)
    sign.lay([cloth], livery.strong)
    sign.lay([_POLE], theme.INK)
    sign.write(text, (-0.6, -1.0), _NUMBER)
    return sign.stamp()


def _depot(livery: Livery, text: str, scale: float) -> Stamp:
    can: list[Shape] = [Fill(_CAN), _SPOUT, _HANDLE]
    sign = _Sign(can, scale)
    sign.lay(can, livery.strong)
    sign.write(text, (0, 0.6), _NUMBER)
    return sign.stamp()


def _captured_depot(livery: Livery, text: str, scale: float) -> Stamp:
    """A can turned inside out: light, with the new owner's colour round it, and struck through if it is empty."""
    can: list[Shape] = [Fill(_CAN), _SPOUT, _HANDLE]
    sign = _Sign(can, scale)
    sign.lay(can, livery.strong)
    sign.lay([placed(Fill(_CAN), (0, 0.2), (0.72, 0.78))], theme.HALO)
    sign.lay([Stroke(((-7.5, 7.5), (7.5, -7.5)), 1.8)] if not text else [], livery.strong)
    sign.write(text, (0, 0.6), Print(Face.BOLD, 9.0, livery.strong))
    return sign.stamp()


def _destroyed_depot(_: Livery, __: str, scale: float) -> Stamp:
    """An empty can, crossed out."""
    can: list[Shape] = [Fill(_CAN), _SPOUT, _HANDLE]
    cross: list[Shape] = [Stroke(((-7.5, 7.5), (7.5, -7.5)), 2.0), Stroke(((-7.5, -7.5), (7.5, 7.5)), 2.0)]
    sign = _Sign([*can, *cross], scale)
    sign.lay(can, theme.QUIET)
    sign.lay([placed(Fill(_CAN), (0, 0.2), (0.72, 0.78))], theme.HALO)
    sign.lay(cross, theme.INK)
    return sign.stamp()


def _position(livery: Livery, text: str, scale: float) -> Stamp:
    """An earthwork; from the second level on with a second line."""
    works: list[Shape] = [EARTHWORK] if text in ("", "1") else [EARTHWORK, SECOND_LINE]
    sign = _Sign(works, scale)
    sign.lay(works, livery.strong)
    return sign.stamp()


def _battle(_: Livery, text: str, scale: float) -> Stamp:
    sign = _Sign([BATTLE], scale, BATTLE_RADIUS + 2)
    sign.lay([BATTLE], theme.ALARM)
    sign.lay([placed(BATTLE, (0, 0), (0.78, 0.78))], theme.BURST)
    if len(text) <= 2:
        sign.write(text, (0, 0), Print(Face.BOLD, 8))
    return sign.stamp()
