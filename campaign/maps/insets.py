"""The counters of a stack too high for its place, next to the map: each whole, side by side."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from campaign.engine.values.ids import PlaceId
from campaign.maps.drawing.canvas import Board
from campaign.maps.drawing.ink import width_of
from campaign.maps.signs.counters import PLANS, CounterStyle, Size, counter_stamp
from campaign.maps.style import theme

MOST = 12
"""The most counters of a stack that insets show; of a higher one there is a table of labels."""
_ABREAST = 6
_HEAD, _PAD, _GAP = 23.0, 8.0, 5.0


@dataclass(frozen=True)
class Inset:
    """Counters within a frame, under the name of their place. Sizes are in points."""

    title: str
    styles: tuple[CounterStyle, ...]
    page: float
    """Pixels to the point."""

    @property
    def height(self) -> float:
        return _HEAD + PLANS[Size.WHOLE].size[1] + _PAD

    @property
    def width(self) -> float:
        wide = len(self.styles) * (PLANS[Size.WHOLE].size[0] + _GAP) - _GAP
        return max(wide, width_of(self.title, theme.PANEL_HEAD, self.page) / self.page) + 2 * _PAD

    def paint(self, board: Board, left: float, top: float) -> None:
        colours = board.colours
        board.frame((left, top, left + self.width, top + self.height), colours.faint, colours.border)
        board.write(self.title, (left + _PAD, top + 13), theme.PANEL_HEAD, on=colours.border)
        for number, style in enumerate(self.styles):
            x = left + _PAD + number * (PLANS[Size.WHOLE].size[0] + _GAP)
            board.press(counter_stamp(style, Size.WHOLE, board.scale, colours), (x, top + _HEAD))


def insets(place: PlaceId, styles: Sequence[CounterStyle], page: float) -> Iterator[Inset]:
    """The insets of a stack, one for each row of its counters."""
    for start in range(0, len(styles), _ABREAST):
        title = f"In {place}, continued" if start else f"In {place}"
        yield Inset(title, tuple(styles[start : start + _ABREAST]), page)
