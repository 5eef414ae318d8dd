"""Antialiased drawing with Pillow: shapes through supersampled masks, print through stamps made once.

Everything is drawn on opaque RGB pictures. A stamp is a small picture with a mask, pasted at whole pixels.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial, wraps
from math import ceil, degrees, floor, pi, tan
from typing import ParamSpec
from unicodedata import category, normalize

from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageFont

from campaign.core.memory import MB, Halves
from campaign.maps.drawing.geometry import Box, Path, Point, along, bounds, gap, grown, heading
from campaign.maps.style.schemes import Colour
from campaign.maps.style.theme import FONTS, Face, Print

P = ParamSpec("P")

FINE = 4
"""Supersampling: steps per pixel for edges."""
BAND = 64
"""Rows of a picture that are masked at once, which limits the memory of a large picture."""


@dataclass(frozen=True)
class Stroke:
    path: Path
    width: float


@dataclass(frozen=True)
class Fill:
    outline: Path


@dataclass(frozen=True)
class Disc:
    at: Point
    radius: float


Shape = Stroke | Fill | Disc

Halo = tuple[float, Colour]
"""Width in points and colour of a rim that separates print from the map."""


@dataclass(frozen=True)
class Inked:
    """Shapes of one colour as one layer."""

    shapes: tuple[Shape, ...]
    colour: Colour
    crisp: bool = False
    """Whether its edges are on whole pixels."""


@dataclass(frozen=True)
class Printed:
    """A text on one line, centred on a point, narrowed to a part of its width."""

    text: str
    style: Print
    ink: Colour
    at: Point
    squeeze: float = 1.0


Figure = tuple[Inked | Printed, ...]
"""A sign in points, in layers."""


@dataclass(frozen=True, eq=False)
class Stamp:
    """A small picture to paste through its mask; `anchor` is the pixel of it that goes on a point.

    Edges within the picture are smooth. Where its own edge meets the map it has a light rim, if it must look smooth on
    indexed pictures too: there the mask is all or nothing.
    """

    picture: Image.Image
    mask: Image.Image | None
    """None: the whole picture is pasted."""
    anchor: tuple[int, int]

    def press(self, paper: Image.Image, at: Point) -> None:
        left, top = round(at[0]) - self.anchor[0], round(at[1]) - self.anchor[1]
        paper.paste(self.picture, (left, top), self.mask)

    def ink(self, mask: Image.Image, at: Point) -> None:
        """Add what the stamp covers to a mask."""
        left, top = round(at[0]) - self.anchor[0], round(at[1]) - self.anchor[1]
        mask.paste(255, (left, top), self.mask)

    def turned(self) -> "Stamp":
        """The stamp turned a quarter to the left, so that its text reads upwards."""
        quarter = Image.Transpose.ROTATE_90
        anchor = (self.anchor[1], self.picture.width - 1 - self.anchor[0])
        mask = self.mask and self.mask.transpose(quarter)
        return Stamp(self.picture.transpose(quarter), mask, anchor)


def weight_of(stamp: Stamp) -> int:
    """The bytes of a stamp in memory: four for each pixel of its picture, one for each of its mask."""
    return stamp.picture.width * stamp.picture.height * (4 if stamp.mask is None else 5) + _OBJECTS


_OBJECTS = 1_000
"""Bytes of a stamp without its pixels."""

STAMPS: Halves[object, Stamp] = Halves(32 * MB, lambda _, stamp: weight_of(stamp))
"""All stamps in use. A map of 720 counters at 2,400 pixels has 14 MB of them, which one half must hold."""


def stamped(make: Callable[P, Stamp]) -> Callable[P, Stamp]:
    """Create each stamp once while it is in use."""

    @wraps(make)
    def kept(*args: P.args, **named: P.kwargs) -> Stamp:
        return STAMPS.get((make, args, *named.items()), partial(make, *args, **named))

    return kept


# --- shapes -----------------------------------------------------------------------------------------------------------


FULL = tuple(range(256))
CRISP = tuple(min(255, max(0, (level - 64) * 2)) for level in range(256))
"""For shapes with edges on whole pixels: Pillow fills polygons one fine step too far."""


def faint(strength: float) -> tuple[int, ...]:
    return tuple(round(level * strength) for level in range(256))


def lay(paper: Image.Image, shapes: Iterable[Shape], colour: Colour, *, levels: Sequence[int] = FULL) -> None:
    """Draw shapes of one colour as one layer: overlaps do not add up.

    `levels` gives the strength for each coverage of a pixel.
    """
    for corner, mask in _masks(shapes, paper.size):
        paper.paste(colour, corner, mask if levels is FULL else mask.point(levels))


def mask_of(shapes: Iterable[Shape], size: tuple[int, int], *, levels: Sequence[int] = FULL) -> Image.Image:
    """The shapes as one mask of this size."""
    whole = Image.new("L", size)
    for corner, mask in _masks(shapes, size):
        whole.paste(mask if levels is FULL else mask.point(levels), corner)
    return whole


def reach(shape: Shape) -> Box:
    """The box that a shape can touch."""
    if isinstance(shape, Stroke):
        return grown(bounds(shape.path), shape.width)
    if isinstance(shape, Fill):
        return bounds(shape.outline)
    return grown((*shape.at, *shape.at), shape.radius)


def _masks(whole: Iterable[Shape], size: tuple[int, int]) -> Iterator[tuple[tuple[int, int], Image.Image]]:
    """Masks of the parts of a picture that the shapes touch, with the corner of each."""
    shapes = [piece for shape in whole for piece in _pieces(shape)]
    boxes = [reach(shape) for shape in shapes]
    for top in range(0, size[1], BAND):
        bottom = min(top + BAND, size[1])
        here = [n for n, box in enumerate(boxes) if box[1] < bottom and box[3] > top]
        if not here:
            continue
        left, upper, right, lower = _pixels([boxes[n] for n in here], (0, top, size[0], bottom))
        if left < right and upper < lower:
            mask = Image.new("L", ((right - left) * FINE, (lower - upper) * FINE))
            pen = ImageDraw.Draw(mask)
            for n in here:
                _draw(pen, shapes[n], (left, upper))
            yield (left, upper), mask.reduce(FINE)


def _pixels(boxes: Sequence[Box], limit: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
    """The whole pixels that the boxes cover, within a limit."""
    left, top, right, bottom = zip(*boxes, strict=True)
    return (
        max(floor(min(left)) - 1, limit[0]),
        max(floor(min(top)) - 1, limit[1]),
        min(ceil(max(right)) + 1, limit[2]),
        min(ceil(max(bottom)) + 1, limit[3]),
    )


def _draw(pen: ImageDraw.ImageDraw, shape: Shape, corner: tuple[int, int]) -> None:
    if isinstance(shape, Disc):
        (x, y), r = _fine(shape.at, corner), shape.radius * FINE
        pen.ellipse((x - r, y - r, x + r, y + r), fill=255)
    elif isinstance(shape, Fill):
        pen.polygon([_fine(p, corner) for p in shape.outline], fill=255)
    else:
        _draw_stroke(pen, [_fine(p, corner) for p in shape.path], shape.width * FINE / 2)


_RUN = 16
"""The most steps of a stroke drawn at once: a short piece touches few bands and does not cross itself."""


def _pieces(shape: Shape) -> Iterator[Shape]:
    """A shape, or a long stroke as pieces with discs where they meet."""
    if not isinstance(shape, Stroke) or len(shape.path) <= _RUN + 1:
        yield shape
        return
    for start in range(0, len(shape.path) - 1, _RUN):
        if start:
            yield Disc(shape.path[start], shape.width / 2)
        yield Stroke(shape.path[start : start + _RUN + 1], shape.width)


def _draw_stroke(pen: ImageDraw.ImageDraw, path: Sequence[Point], half: float) -> None:
    """A line as filled polygons with mitred bends, and discs at sharp bends."""
    points = [p for n, p in enumerate(path) if n == 0 or gap(p, path[n - 1]) > 1e-6]
    start = 0
    for n in range(1, len(points)):
        last = n == len(points) - 1
        if last or _is_sharp(points[n - 1 : n + 2], half):
            pen.polygon(_ribbon(points, start, n, half), fill=255)
            start = n
            if not last:
                x, y = points[n]
                pen.ellipse((x - half, y - half, x + half, y + half), fill=255)


def _is_sharp(bend: Sequence[Point], half: float) -> bool:
    """Whether the inner edge of a bend would fold over."""
    before, after = heading(bend[0], bend[1]), heading(bend[1], bend[2])
    turn = abs((after - before + pi) % (2 * pi) - pi)
    return turn > 1.2 or half * tan(turn / 2) > 0.9 * min(gap(bend[0], bend[1]), gap(bend[1], bend[2]))


def _ribbon(points: Sequence[Point], start: int, stop: int, half: float) -> list[Point]:
    """The outline of a line between two of its points. Bends inside are mitred, also where ribbons meet."""
    left: list[Point] = []
    right: list[Point] = []
    for n in range(start, stop + 1):
        x, y = points[n]
        dx, dy = _mitre(points[max(n - 1, 0) : n + 2] if start < n < stop else _leg(points, n, start), half)
        left.append((x + dx, y + dy))
        right.append((x - dx, y - dy))
    return left + right[::-1]


def _leg(points: Sequence[Point], n: int, start: int) -> Sequence[Point]:
    """The one leg that belongs to the end of a ribbon."""
    return points[n : n + 2] if n == start else points[n - 1 : n + 1]


def _mitre(bend: Sequence[Point], half: float) -> Point:
    """From a point of a line to its edge: across the leg, or along the middle of a bend."""
    (ax, ay), (bx, by) = _across(bend[0], bend[1]), _across(bend[-2], bend[-1])
    mx, my = ax + bx, ay + by
    stretch = half * 2 / (mx * mx + my * my)
    return mx * stretch, my * stretch


def _across(a: Point, b: Point) -> Point:
    """The unit vector at right angles to a leg."""
    long = gap(a, b)
    return (a[1] - b[1]) / long, (b[0] - a[0]) / long


def _fine(point: Point, corner: tuple[int, int]) -> Point:
    return (point[0] - corner[0]) * FINE - 0.5, (point[1] - corner[1]) * FINE - 0.5


# --- print ------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=128)
def font(face: Face, size: float) -> ImageFont.FreeTypeFont:
    """A font of the project, never of the system, laid out the same on every machine."""
    return ImageFont.truetype(str(FONTS / face.value), max(size, 1.0), layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=8192)
def one_line(text: str) -> str:
    """A text as it can be printed letter by letter: accents joined to their letters, no line breaks, no tabs, nothing
    that cannot be seen. Letters that the fonts do not have come out as boxes.
    """
    seen = (" " if letter.isspace() else letter for letter in normalize("NFC", text))
    return " ".join("".join(letter for letter in seen if letter == " " or category(letter)[0] != "C").split())


@lru_cache(maxsize=32768)
def width_of(text: str, style: Print, scale: float = 1.0) -> float:
    """The width of a text in pixels."""
    return font(style.face, style.size * scale).getlength(one_line(text))


def shrunk(text: str, style: Print, room: float, *, smallest: float, slack: float = 1.0) -> tuple[str, Print]:
    """A text and the largest print down to `smallest` in which it fits; cut short if it is `slack` times too long.

    All in points.
    """
    size = style.size
    while size > smallest and width_of(text, replace(style, size=size)) > room:
        size -= 0.5
    found = replace(style, size=size)
    if width_of(text, found) <= room * slack:
        return text, found
    while text and width_of(text + "…", found) > room * slack:
        text = text[:-1]
    return text + "…", found


@lru_cache(maxsize=256)
def cap_height(style: Print, scale: float = 1.0) -> float:
    """The height of a capital letter in pixels."""
    return -font(style.face, style.size * scale).getbbox("H", anchor="ls")[1]


@stamped
def lettering(
    text: str,
    style: Print,
    scale: float = 1.0,
    *,
    ink: Colour,
    halo: Halo | None = None,
    anchor: str = "ms",
    on: Colour | None = None,
) -> Stamp:
    """A text as a stamp with its anchor on the base line: `ls` at its left end, `ms` its middle, `rs` its right.

    `on` is the colour of the even ground under it, if there is one.
    """
    rim = ceil(halo[0] * scale) if halo else 0
    core, origin = _printed(text, font(style.face, style.size * scale), anchor, rim)
    if on is None:
        return _haloed(core, ink, halo, scale, origin)
    picture = Image.new("RGB", core.size, on)
    picture.paste(ink, None, core)
    return Stamp(picture, None, origin)


@stamped
def squeezed(text: str, style: Print, scale: float, part: float, *, ink: Colour) -> Stamp:
    """A text narrowed to a part of its width, anchored at the middle of its base line."""
    fine, origin = _printed(text, font(style.face, style.size * scale * FINE), "ms", FINE)
    size = (ceil(fine.width * part / FINE), ceil(fine.height / FINE))
    core = fine.resize(size, Image.Resampling.BOX, (0, 0, min(fine.width, size[0] * FINE / part), fine.height))
    return _haloed(core, ink, None, scale, (round(origin[0] * part / FINE), round(origin[1] / FINE)))


def _printed(text: str, letters: ImageFont.FreeTypeFont, anchor: str, rim: int) -> tuple[Image.Image, tuple[int, int]]:
    """A text as a mask with a rim around it, and the point of the mask where its anchor is."""
    text = one_line(text) or " "
    left, top, right, bottom = letters.getbbox(text, anchor=anchor)
    origin = (rim + 1 - floor(left), rim + 1 - floor(top))
    core = Image.new("L", (ceil(right) + rim + 1 + origin[0], ceil(bottom) + rim + 1 + origin[1]))
    ImageDraw.Draw(core).text(origin, text, font=letters, fill=255, anchor=anchor)
    return core, origin


def _haloed(core: Image.Image, ink: Colour, halo: Halo | None, scale: float, anchor: tuple[int, int]) -> Stamp:
    """A stamp in this ink, with a rim if one is wanted."""
    if halo is None:
        return Stamp(Image.new("RGB", core.size, ink), core, anchor)
    width, colour = halo
    picture = Image.new("RGB", core.size, colour)
    picture.paste(ink, None, core)
    return Stamp(picture, ImageChops.lighter(core, spread(core, width * scale)), anchor)


def spread(core: Image.Image, by: float) -> Image.Image:
    """A mask widened on all sides."""
    wide = core.filter(ImageFilter.GaussianBlur(by * 0.75))
    return wide.point([min(255, max(0, (level - 14) * 10)) for level in range(256)])


def curved(text: str, style: Print, path: Path, *, scale: float, spacing: float, ink: Colour, halo: Halo) -> Stamp:
    """A text along a path, from its start; the stamp's anchor is the origin of the path's plane."""
    letters = font(style.face, style.size * scale * FINE)
    box = grown(bounds(path), style.size * scale * 1.6)
    left, top, right, bottom = floor(box[0]), floor(box[1]), ceil(box[2]), ceil(box[3])
    fine = Image.new("L", ((right - left) * FINE, (bottom - top) * FINE))
    done = 0.0
    for letter in one_line(text):
        advance = letters.getlength(letter) / FINE
        at, angle = along(path, done + advance / 2)
        _set_letter(fine, letter, letters, ((at[0] - left) * FINE, (at[1] - top) * FINE), degrees(angle))
        done += advance + spacing * scale
    return _haloed(fine.reduce(FINE), ink, halo, scale, (-left, -top))


def run_of(text: str, style: Print, *, scale: float, spacing: float) -> float:
    """The length of path that a text drawn with `curved` takes."""
    return sum(width_of(letter, style, scale) for letter in one_line(text)) + spacing * scale * max(len(text) - 1, 0)


def _set_letter(fine: Image.Image, letter: str, letters: ImageFont.FreeTypeFont, at: Point, angle: float) -> None:
    """Draw one letter, the middle of its base line at a point, turned clockwise by an angle in degrees."""
    half = ceil(letters.size * 1.2)
    block = Image.new("L", (2 * half, 2 * half))
    ImageDraw.Draw(block).text((half, half), letter, font=letters, fill=255, anchor="ms")
    slanted = block.transform(
        block.size, Image.Transform.AFFINE, (1, 0.2, -0.2 * half, 0, 1, 0), Image.Resampling.BILINEAR
    )
    turned = slanted.rotate(-angle, Image.Resampling.BICUBIC)
    corner = (round(at[0]) - half, round(at[1]) - half)
    area = (*corner, corner[0] + 2 * half, corner[1] + 2 * half)
    fine.paste(ImageChops.lighter(fine.crop(area), turned), corner)
