"""Pictures that hold the Views from which they are made, in place of pixels, which take long to paint.

A map and a moving picture are painted from a View and a base map alone (`painter.draw`, `replays.animate`), so two of
them may differ only if their Views do. `one_world/test_drawing.py` shows that a map depends neither on those painted
before it nor on what `seen_in` leaves out.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from unittest import mock

from archive import editions
from campaign.engine.display.views import BaseMap, View
from campaign.engine.values.value import encode, replace
from campaign.maps import painter
from campaign.maps.base.layout import Layout
from campaign.maps.drawing.ink import Stamp
from campaign.maps.drawing.paper import IndexedPaper, PalettePrinter
from campaign.maps.drawing.png import FILTER, Palette
from campaign.maps.painter import Sheet
from campaign.maps.replay import Frame, Motion
from campaign.maps.style.schemes import DEFAULT, Scheme
from campaign.views.maps import replays

_SHEET, _PRINTED = painter._sheet, painter._printed


@contextmanager
def views_alone() -> Iterator[None]:
    """In this context no picture is painted: its file holds the View."""
    with (
        mock.patch.object(painter, "_sheet", _bare),
        mock.patch.object(painter, "_printed", _written),
        mock.patch.object(replays, "animate", _frames),
        mock.patch.object(editions, "animate", _frames),
    ):
        yield


@contextmanager
def painted() -> Iterator[None]:
    """In this context maps are painted, within the other one too."""
    with mock.patch.object(painter, "_sheet", _SHEET), mock.patch.object(painter, "_printed", _PRINTED):
        painter.SHEETS.clear()
        try:
            yield
        finally:
            painter.SHEETS.clear()


def seen_in(view: View) -> View:
    """A View without what only charts and reports say, of which a map shows nothing."""
    return replace(view, chart=(), log=(), headlines=())


def _bare(base: BaseMap, width: int, colours: Scheme) -> Sheet:
    """A sheet of one row of paper."""
    palette = Palette.of([colours.paper, colours.halo])
    return Sheet(Layout.of(base, width, colours), FILTER + bytes(width), PalettePrinter(palette, colours.halo), ())


def _written(
    view: View, layout: Layout, _patches: Sequence[Stamp], copy: Callable[[int], IndexedPaper]
) -> IndexedPaper:
    """What is seen of a View as rows of a picture."""
    width, written = layout.projection.width, encode(seen_in(view))
    paper = copy(-(-len(written) // width))
    for row, start in enumerate(range(0, len(written), width), 1):
        at = row * (len(FILTER) + width) + len(FILTER)
        part = written[start : start + width]
        paper.rows[at : at + len(part)] = part
    return paper


def _frames(_base: Any, frames: Sequence[Frame], motion: Motion, *, colours: Scheme = DEFAULT) -> bytes:
    """The Views of a moving picture."""
    return encode([motion, colours.name, [(frame.view, frame.milliseconds) for frame in frames]])
