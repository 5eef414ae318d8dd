"""A scenario's own picture under its map: its entry in scenario.toml, and its position from hexes marked in it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import floor, fsum, isfinite
from typing import Annotated, Literal

import msgspec

from campaign.engine.display.views import Backdrop, Point
from campaign.engine.files import Source, Step, line_in_toml
from campaign.engine.values.ids import PlaceId
from campaign.engine.values.value import Value

_OFF = 0.15
"""The most, in map units, that the marked places may disagree about scale and position."""
_NAMED = 4
"""The most disagreeing places that an error names."""
_STRETCH = 2.0
"""The greatest ratio between a picture's scales across and down."""


class Background(Value, frozen=True):
    """`[background]` of scenario.toml."""

    file: str
    """A picture next to scenario.toml."""
    hexes: Mapping[PlaceId, tuple[float, float]]
    """The pixel of the middle of each place, from the left and from the top, counted from 0."""
    strength: Annotated[float, msgspec.Meta(ge=0.05, le=1)] = 0.8
    shows: tuple[Literal["roads", "rivers"], ...] = ()
    """What the picture shows, so that it is not drawn again."""


def laid(file: Source, background: Background, middles: Mapping[PlaceId, Point]) -> Backdrop:
    """The backdrop that puts the picture under a map with these middles of places, without the picture itself.

    Raises ScenarioError for places that the map lacks, and for pixels that no upright picture fits.
    """
    pins = [_pin(file, place, pixel, middles) for place, pixel in background.hexes.items()]
    if len(pins) < 2:
        file.refuse("background.hexes names fewer than two hexes", line=_line(file), cure="Name three, far apart.")
    across, down = (_axis(file, pins, n) for n in (0, 1))
    _check_stretch(file, across, down)
    _check_misses(file, pins, across, down)
    return Backdrop(
        corner=(across.start, down.start),
        pixel=(across.step, down.step),
        strength=background.strength,
        roads="roads" in background.shows,
        rivers="rivers" in background.shows,
    )


@dataclass(frozen=True)
class _Pin:
    """A place that was marked in the picture."""

    place: PlaceId
    middle: Point
    """On the paper."""
    pixel: Point
    """In the picture, from its upper left corner."""


@dataclass(frozen=True)
class _Axis:
    """One direction of a picture: where it starts on the paper, and the step from pixel to pixel. In map units."""

    start: float
    step: float

    def at(self, pixel: float) -> float:
        return self.start + self.step * pixel

    def pixel(self, at: float) -> float:
        return (at - self.start) / self.step


def _line(file: Source, *path: Step) -> int:
    return line_in_toml(file.text, ["background", *(path or ("hexes",))])


def _pin(file: Source, place: PlaceId, pixel: Point, middles: Mapping[PlaceId, Point]) -> _Pin:
    line = _line(file, "hexes", place)
    if place not in middles:
        file.refuse(f"background.hexes: {place} is not on this map", line=line, cure="Name a hex of this map.")
    if not all(isfinite(each) and abs(each) <= _FAR for each in pixel):
        file.refuse(f"background.hexes: {place} has no usable pixel", line=line, cure="Write it as [212, 1130].")
    return _Pin(place, middles[place], (pixel[0] + 0.5, pixel[1] + 0.5))


_WAYS = (("column", "further east or west", "left of", "west"), ("row", "further north or south", "above", "north"))


_FAR = 1_000_000
"""Pixels from the corner that lie outside any picture."""


def _axis(file: Source, pins: Sequence[_Pin], n: int) -> _Axis:
    """The straight line that fits all pins best in one direction."""
    line, (lane, cure, side, way) = _line(file), _WAYS[n]
    first, *_, last = sorted(pins, key=lambda pin: pin.middle[n])
    if last.middle[n] - first.middle[n] < 1e-6:
        file.refuse(f"all hexes of the background are in one {lane}", line=line, cure=f"Add one {cure}.")
    middle, pixel = (
        fsum(values) / len(pins) for values in zip(*((p.middle[n], p.pixel[n]) for p in pins), strict=True)
    )
    spread = fsum((pin.middle[n] - middle) ** 2 for pin in pins)
    density = fsum((pin.middle[n] - middle) * (pin.pixel[n] - pixel) for pin in pins) / spread
    if density <= 1e-6:
        what = f"{first.place} is not {side} {last.place} in the background, but on the map it is further {way}"
        file.refuse(what, line=line, cure="Correct the pixels, or turn the picture: north is at its top, unmirrored.")
    return _Axis(middle - pixel / density, 1 / density)


def _check_stretch(file: Source, across: _Axis, down: _Axis) -> None:
    ratio = across.step / down.step
    if not 1 / _STRETCH <= ratio <= _STRETCH:
        what = f"the background's pixels would be {ratio:.2f} times as wide as high"
        cure = "Correct the pixels: the first number counts from the left, the second from the top."
        file.refuse(what, line=_line(file), cure=cure)


def _check_misses(file: Source, pins: Sequence[_Pin], across: _Axis, down: _Axis) -> None:
    """Raise ScenarioError if the pins disagree. Two always fit; more do if they are right and the picture upright."""
    missed = [_missed(pin, across, down) for pin in pins if _miss(pin, across, down) > _OFF]
    if missed:
        what = f"the hexes of the background do not fit each other: {'; '.join(missed[:_NAMED])}"
        cure = "Correct the pixels of one of them; turn a picture that is not upright first."
        file.refuse(what, line=_line(file), cure=cure)


def _miss(pin: _Pin, across: _Axis, down: _Axis) -> float:
    """The distance in map units between a place and where the picture has it."""
    return max(abs(across.at(pin.pixel[0]) - pin.middle[0]), abs(down.at(pin.pixel[1]) - pin.middle[1]))


def _missed(pin: _Pin, across: _Axis, down: _Axis) -> str:
    fits = floor(across.pixel(pin.middle[0])), floor(down.pixel(pin.middle[1]))
    return f"{pin.place} would be at {list(fits)}, not {[floor(pixel) for pixel in pin.pixel]}"
