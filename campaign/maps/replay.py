"""Animations of Views: one phase step by step, and a campaign phase by phase."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from io import BytesIO

from PIL import Image

from campaign.engine.display.signs import Layer, Signs
from campaign.engine.display.views import BaseMap, View
from campaign.engine.values.value import replace
from campaign.maps.drawing.sizes import REPLAY
from campaign.maps.painter import picture
from campaign.maps.style.declared import declared
from campaign.maps.style.schemes import DEFAULT, Scheme

MOST_FRAMES = 80
"""Sixteen days of five phases. A longer campaign shows its newest phases.

Such a GIF should stay below 2 MB, so that it can be posted: its first frame takes 160 kB, the others 10 to 20 each.
"""


class Motion(Enum):
    """File formats of animations."""

    GIF = "gif"
    WEBP = "webp"


@dataclass(frozen=True)
class Frame:
    """A picture and how long it is shown."""

    view: View
    milliseconds: int


_SHORT, _LONG, _LAST = 1200, 2200, 4000


def of_phase(signs: Signs, before: View | None, after: View) -> tuple[Frame, ...]:
    """The frames of a phase for one audience: the position before, flights, moves, fighting, the position after.

    A frame without news is left out. New sightings appear only in the last one: the View does not say when they were
    made.
    """
    known = declared(signs)
    support = tuple(flight for flight in after.flights if known.flights[flight.kind].in_battle)
    strikes = tuple(flight for flight in after.flights if flight not in support)
    marches = tuple(arrow for arrow in after.arrows if known.arrows[arrow.kind].layer is Layer.MOVES)
    fights = tuple(arrow for arrow in after.arrows if known.arrows[arrow.kind].layer is Layer.FIGHTS)
    fought = fights or support or any(known.markers[marker.kind].layer is Layer.FIGHTS for marker in after.markers)
    frames = []
    if before is not None:
        start = _as_it_was(before, after)
        frames.append(Frame(start, _SHORT))
        if strikes:
            frames.append(Frame(replace(start, flights=strikes), _LONG))
        if marches:
            frames.append(Frame(replace(start, arrows=marches), _LONG))
    if fought:
        frames.append(Frame(replace(after, arrows=fights, flights=support), _LONG))
    return (*frames, Frame(replace(after, arrows=(), flights=()), _LAST))


_ON_THE_GROUND = ("counters", "sightings", "traces", "front", "control", "panels")


def _as_it_was(before: View, after: View) -> View:
    """The position before the phase, without the marks of what had just been taken or decided."""
    waiting = (marker for marker in before.markers if marker.won_by is None)
    markers = tuple(replace(marker, taken_from=None) for marker in waiting)
    ground = {name: getattr(before, name) for name in _ON_THE_GROUND}
    return replace(after, **ground, markers=markers, arrows=(), flights=())


def of_campaign(views: Sequence[View]) -> tuple[Frame, ...]:
    """A frame for the end of each phase, the oldest first; the newest is shown longest."""
    shown = views[-MOST_FRAMES:]
    return tuple(Frame(view, _LAST if view is shown[-1] else _SHORT) for view in shown)


def animate(
    base: BaseMap, frames: Sequence[Frame], motion: Motion, *, width: int = REPLAY, colours: Scheme = DEFAULT
) -> bytes:
    """The frames as one looping file. Equal arguments give equal bytes.

    Raises ValueError if there is no frame, and as `draw` does.
    """
    if not frames:
        raise ValueError("a moving picture needs a frame")
    pictures = _of_one_size([picture(base, frame.view, width=width, colours=colours) for frame in frames])
    durations = [frame.milliseconds for frame in frames]
    file = BytesIO()
    if motion is Motion.GIF:
        # pixels that do not change are transparent, which makes the file eight times smaller
        _save(file, "GIF", pictures, duration=durations, loop=0, optimize=True, disposal=1)
    else:
        _save(file, "WEBP", pictures, duration=durations, loop=0, lossless=True, quality=20, method=1, **_NO_KEYS)
    return file.getvalue()


_NO_KEYS = {"kmin": MOST_FRAMES + 1, "kmax": MOST_FRAMES + 2}
"""Only the first frame is a key frame: more would take twice as long to write, and nobody seeks in the middle."""


def _save(file: BytesIO, kind: str, pictures: Sequence[Image.Image], **options: object) -> None:
    first, *others = pictures
    first.save(file, kind, save_all=True, append_images=others, **options)


def _of_one_size(pictures: Sequence[Image.Image]) -> list[Image.Image]:
    """The pictures at one height: maps that are shorter, having fewer tables, get paper at their foot."""
    height = max(each.height for each in pictures)
    return [each if each.height == height else _longer(each, height) for each in pictures]


def _longer(short: Image.Image, height: int) -> Image.Image:
    paper = short.getpixel((0, short.height - 1))
    longer = Image.new("P", (short.width, height), paper)
    longer.putpalette(short.getpalette() or [])
    longer.paste(short)
    return longer
