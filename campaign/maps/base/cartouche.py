"""The cartouche under the map: north, the scenario's title and subtitle, the scale, and the track of turns."""

from PIL import Image

from campaign.engine.display.views import BaseMap, View
from campaign.maps.drawing.canvas import Canvas, rectangle
from campaign.maps.drawing.geometry import Box
from campaign.maps.drawing.ink import Fill, Printed, shrunk, width_of
from campaign.maps.drawing.paper import TruePaper
from campaign.maps.land.projection import Projection
from campaign.maps.style import theme
from campaign.maps.style.schemes import Scheme
from campaign.maps.style.theme import Print

_NORTH = 24.0
"""Points from the left edge of the page to the middle of the arrow."""
_ARROW = (
    Fill(((0.0, 6.0), (0.0, 22.5), (-5.5, 27.0))),
    Fill(((0.0, 6.0), (5.5, 27.0), (0.0, 22.5))),
)
_WORDS, _TITLE, _SUBTITLE, _WIDEST = 44.0, 15.0, 32.0, 400.0
"""Of title and subtitle: where they begin, at which height each is, how wide they may be."""
_ASIDE = 48.0
"""Points from the words to the scale bar."""
_BAR, _BAR_HIGH, _LONGEST_BAR = 25.0, 5.0, 240.0
_KILOMETRES = (1, 2, 4, 10, 20, 40, 100, 200, 400)
"""The lengths that a scale bar may have. It has four parts, of which every second one is solid."""
_BOX, _BOX_GAP, _BOX_TOP, _BOX_HIGH, _NARROWEST_BOX = 23.0, 3.0, 11.0, 22.0, 17.0
_LONGEST_TRACK = 640.0


def paint_cartouche(paper: Image.Image, base: BaseMap, projection: Projection, colours: Scheme) -> None:
    """Draw the cartouche of a base map on its sheet; a thumbnail has none."""
    if projection.thumbnail:
        return
    board = Canvas(TruePaper(paper), projection.cartouche[:2], projection.page, colours)
    board.lay(_ARROW, colours.ink, (_NORTH, 0))
    board.write("N", (_NORTH, 35.5), theme.NORTH_PRINT, "ms")
    (title, large), (subtitle, small) = _words(base)
    board.write(title, (_WORDS, _TITLE), large)
    board.write(subtitle, (_WORDS, _SUBTITLE), small, ink=colours.quiet)
    _paint_scale(board, base, projection)
    for number, box in enumerate(track(base, projection), 1):
        board.frame(box, colours.quiet, colours.border)
        board.write(str(number), _middle(box), theme.TURN_PRINT, "ms", ink=colours.quiet, on=colours.border)
    for box in track(base, projection)[:1]:
        board.write("Turn", (box[0] - 8, _middle(box)[1]), theme.LEGEND_HEAD, "rs")


def _words(base: BaseMap) -> tuple[tuple[str, Print], tuple[str, Print]]:
    """Title and subtitle, in print that fits."""
    subtitle = "  ·  ".join(filter(None, (base.subtitle, base.scale)))
    return (
        shrunk(base.title, theme.CARTOUCHE_TITLE, _WIDEST, smallest=9),
        shrunk(subtitle, theme.CARTOUCHE_PRINT, _WIDEST, smallest=8),
    )


# --- scale ------------------------------------------------------------------------------------------------------------


def scale_bar(base: BaseMap, projection: Projection) -> tuple[int, float]:
    """The kilometres that the scale bar shows, and its length in points; nothing if the map has no known scale."""
    if not base.kilometres:
        return 0, 0.0
    points = projection.unit / base.kilometres / projection.page
    found = [length for length in _KILOMETRES if length * points <= _LONGEST_BAR]
    return (found[-1], found[-1] * points) if found else (0, 0.0)


def _paint_scale(board: Canvas, base: BaseMap, projection: Projection) -> None:
    length, points = scale_bar(base, projection)
    if not length:
        return
    left, colours = _WORDS + max(width_of(*words) for words in _words(base)) + _ASIDE, board.colours
    ends = [left + points * part / 4 for part in range(5)]
    board.lay([rectangle((left - 0.8, _BAR - 0.8, ends[-1] + 0.8, _BAR + _BAR_HIGH + 0.8))], colours.ink)
    for start, stop in ((ends[1], ends[2]), (ends[3], ends[4])):
        board.lay([rectangle((start, _BAR, stop, _BAR + _BAR_HIGH))], colours.border)
    for part, text in ((0, "0"), (2, f"{length / 2:g}"), (4, f"{length}")):
        board.write(text, (ends[part], _BAR - 8), theme.CARTOUCHE_PRINT, "ms")
    unit = ends[-1] + width_of(f"{length}", theme.CARTOUCHE_PRINT) / 2 + 4
    board.write("km", (unit, _BAR - 8), theme.CARTOUCHE_PRINT)


# --- turns ------------------------------------------------------------------------------------------------------------


def track(base: BaseMap, projection: Projection) -> tuple[Box, ...]:
    """The boxes of the turns, in points from the corner of the cartouche; none if there are too many for a track."""
    count = len(base.turns)
    wide = min(_BOX, _LONGEST_TRACK / count - _BOX_GAP) if count else 0.0
    if projection.thumbnail or wide < _NARROWEST_BOX:
        return ()
    left = projection.points - theme.RIM - 3.0 - count * (wide + _BOX_GAP) + _BOX_GAP
    starts = (left + n * (wide + _BOX_GAP) for n in range(count))
    return tuple((start, _BOX_TOP, start + wide, _BOX_TOP + _BOX_HIGH) for start in starts)


def turn_now(base: BaseMap, view: View, projection: Projection, colours: Scheme) -> tuple[Box, Printed] | None:
    """The box of the turn that a View shows, and its number; None if the track has no such turn."""
    boxes = track(base, projection)
    if not boxes or view.date not in base.turns:
        return None
    number = base.turns.index(view.date)
    return boxes[number], Printed(str(number + 1), theme.TURN_PRINT, colours.reverse, _middle(boxes[number]))


def _middle(box: Box) -> tuple[float, float]:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
