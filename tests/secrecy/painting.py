"""Pictures that hold the Views from which they are made, in place of what is painted, which takes long.

A map, a board and a moving picture are painted from a View and a base map (`painter.draw`, `vector.board`,
`replays.animate`), and a board also from summaries of its places and some addresses. So two of them may differ only if
these do. `one_world/test_drawing.py` shows that a map and a board depend neither on those painted before them nor on
what `seen_in` leaves out.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from unittest import mock

from archive import editions
from campaign.engine.display.views import BaseMap, View
from campaign.engine.values.value import encode, replace
from campaign.maps import painter, vector
from campaign.maps.base.layout import Layout
from campaign.maps.base.rendered_base import base_name
from campaign.maps.drawing.edition import digest_of
from campaign.maps.drawing.ink import Stamp
from campaign.maps.drawing.paper import IndexedPaper, PalettePrinter
from campaign.maps.drawing.png import FILTER, Palette
from campaign.maps.drawing.sizes import FORUM
from campaign.maps.drawing.svg import element, text_of
from campaign.maps.painter import Sheet
from campaign.maps.place_descriptions import PlaceDescription
from campaign.maps.replay import Frame, Motion
from campaign.maps.style.schemes import DEFAULT, Scheme
from campaign.views.maps import replays

_SHEET, _PRINTED, _BOARD = painter._sheet, painter._printed, vector.board


@contextmanager
def views_alone() -> Iterator[None]:
    """In this context maps, boards and moving pictures hold the Views from which they are made."""
    with (
        _made_by(_bare, _written, _listed),
        mock.patch.object(replays, "animate", _frames),
        mock.patch.object(editions, "animate", _frames),
    ):
        yield


@contextmanager
def painted() -> Iterator[None]:
    """In this context maps and boards are painted, within the other one too; moving pictures are not."""
    with _made_by(_SHEET, _PRINTED, _BOARD):
        yield


@contextmanager
def _made_by(sheet: object, printed: object, board: object) -> Iterator[None]:
    """Sheets made before this context are not used in it, nor those made in it afterwards."""
    painter.SHEETS.clear()
    try:
        with (
            mock.patch.object(painter, "_sheet", sheet),
            mock.patch.object(painter, "_printed", printed),
            mock.patch.object(vector, "board", board),
        ):
            yield
    finally:
        painter.SHEETS.clear()


def seen_in(view: View) -> View:
    """A View without what only charts and reports say, of which maps and boards show nothing."""
    return replace(view, chart=(), log=(), headlines=())


def _bare(base: BaseMap, width: int, colours: Scheme) -> Sheet:
    """A sheet of one row, which holds the names of the base map and the scheme."""
    palette = Palette.of([colours.paper, colours.halo])
    row = FILTER + base_name(base, width, colours).encode().ljust(width, b"\0")
    return Sheet(Layout.of(base, width, colours), row, PalettePrinter(palette, colours.halo), ())


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


def _listed(view: View, layout: Layout, descriptions: Iterable[PlaceDescription], **addresses: str | None) -> str:
    """What is seen of a View as text in an element, with all else of which a board is made."""
    summaries = [(each.place, each.summary) for each in descriptions]
    on = [digest_of(layout.base), layout.projection.width, layout.colours.name]
    return element("svg", text_of(encode([seen_in(view), summaries, on, addresses]).decode()))


def _frames(base: BaseMap, frames: Sequence[Frame], motion: Motion, *, colours: Scheme = DEFAULT) -> bytes:
    """The Views of a moving picture, with the name of its base map."""
    return encode([motion, base_name(base, FORUM, colours), [(frame.view, frame.milliseconds) for frame in frames]])
