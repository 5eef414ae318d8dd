"""What a palette must be able to show: the sheet, and every kind of thing that a View can lay over it."""

from collections.abc import Iterator
from itertools import product

from PIL import Image

from campaign.engine.views import ArrowKind, BaseMap, Branch, Echelon, MarkerKind, UnitState
from campaign.maps import theme
from campaign.maps.arrows import track_stamp
from campaign.maps.counters import Look, Size, counter_stamp
from campaign.maps.ink import Stamp, lettering
from campaign.maps.lines import front_stamp
from campaign.maps.markers import marker_stamp
from campaign.maps.theme import Colour, Livery

_FIXED: tuple[Colour, ...] = (
    theme.PAPER,
    theme.BORDER,
    theme.INK,
    theme.WHITE,
    theme.HALO,
    theme.SIGHTED,
    theme.SHADE,
    theme.ALARM,
    theme.BURST,
    theme.FAINT,
    theme.QUIET,
    *(land.fill for land in theme.LANDS.values()),
    *theme.PLATES.values(),
)


def exact_colours(base: BaseMap) -> tuple[Colour, ...]:
    """Colours of large areas and of signs that must come out as they are."""
    return (*_FIXED, *(colour for livery in _liveries(base) for colour in (livery.strong, livery.pale)))


def sample_sheet(paper: Image.Image, base: BaseMap, scale: float) -> Image.Image:
    """The sheet, every second pixel of it, with samples of all counters and markers under it."""
    half = paper.resize((paper.width // 2, paper.height // 2), Image.Resampling.NEAREST)
    stamps = [
        stamp
        for livery in _liveries(base)
        for stamp in (*_counters(livery, scale), *_markers(livery, scale), *_arrows(livery, scale))
    ]
    stamps += [lettering("Sample 1234567890", theme.STOP_PRINT, scale, on=on) for on in (theme.PAPER, theme.BORDER)]
    step = round(_STEP * scale) + 4
    across = max(1, half.width // step)
    sheet = Image.new("RGB", (half.width, half.height + -(-len(stamps) // across) * step), theme.PAPER)
    sheet.paste(half)
    lands = [land.fill for land in theme.LANDS.values()]
    for n, stamp in enumerate(stamps):
        x, y = n % across * step, half.height + n // across * step
        sheet.paste(lands[n % len(lands)], (x, y, x + step, y + step))
        stamp.press(sheet, (x + 2 + stamp.anchor[0], y + 2 + stamp.anchor[1]))
    return sheet


_STEP = 60


def _liveries(base: BaseMap) -> tuple[Livery, ...]:
    return (*(theme.livery(base.sides, side) for side in base.sides), theme.NEUTRAL)


def _counters(livery: Livery, scale: float) -> Iterator[Stamp]:
    for branch, states in product(Branch, ((), tuple(UnitState))):
        for sure in (True, False):
            look = Look(
                livery, branch, Echelon.DIVISION, "12 Sample", sure=sure, strength=85, movement=4, states=states
            )
            yield counter_stamp(look, Size.WHOLE, scale)
            yield counter_stamp(look, Size.HALF, scale)
    for branch in Branch:
        faded = Look(livery, branch, Echelon.DIVISION, "12 Sample", sure=False, age=3)
        yield counter_stamp(faded, Size.WHOLE, scale)


def _arrows(livery: Livery, scale: float) -> Iterator[Stamp]:
    for kind in ArrowKind:
        yield track_stamp(kind, livery, 12, scale)
    yield front_stamp((livery, theme.NEUTRAL), (-15 * scale, -9 * scale), (9 * scale, 15 * scale), (0, 0), scale)


def _markers(livery: Livery, scale: float) -> Iterator[Stamp]:
    for kind, text in product(MarkerKind, ("3", "8")):
        yield marker_stamp(kind, livery, text, scale)
