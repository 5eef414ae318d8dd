"""Maps at 2,400 pixels: goals 1 to 3 and 8, growth, the same scene drawn by others; and animations.

The scene is the GM's map of 16 December after the German sheet, with all counters, stacks, arrows, the front, names,
tables and legend; and a field with 120 counters. The yardsticks of goals 1 and 2 are the times in which Pillow saves
the same indexed picture, and in which the fastest encoder, igzip, packs its rows. Sheets and stamps are made once for a
map, before the measurement.
"""

from collections.abc import Callable, Iterator
from functools import cache, partial
from io import BytesIO
from itertools import cycle, islice
from math import log10
from typing import Any

from PIL import Image, ImageChops, ImageStat

from campaign.engine.adjudication import Resolution, adjudicate
from campaign.engine.display.views import Arrow, BaseMap, View
from campaign.engine.values.ids import GM, PhaseKey, PlaceId, audience_of
from campaign.engine.values.value import replace
from campaign.game.loading import find_scenario
from campaign.game.turn_package import view_of
from campaign.maps import draw
from campaign.maps.drawing.png import FILTER, encode
from campaign.maps.painter import proof, sheet_of
from campaign.maps.replay import MOST_FRAMES, Motion, animate, of_campaign
from campaign.rulesets.forum_campaign.model import signs
from gm.demo import SCENARIO
from tests.bench import peers
from tests.bench.field import field
from tests.bench.measure import NO_LIMIT, Figure, Work, milliseconds, ratio
from tests.bench.scene import UNITS, game, loaded
from tests.demonstration import PlayedPhase, dice_for, play, read_sheets

_WIDTH = 2400


def figures() -> Iterator[Figure]:
    base, view = _base(), _day_view()
    yield from _goals("16-december", base, view)
    yield from _goals("120-counters", *_field_view())
    scene = peers.Drawing(base, view, _WIDTH)
    map_of = partial(draw, base, view, width=_WIDTH)
    yield Figure("map-16-december-to-naive-pillow", ratio(map_of, partial(peers.pillow, scene)), "x", NO_LIMIT)
    yield from _phase(scene)
    yield from _growth()
    yield from _replay(base)


def _goals(name: str, base: BaseMap, view: View) -> Iterator[Figure]:
    """Goals 1 to 3."""
    map_of = partial(draw, base, view, width=_WIDTH)
    png = map_of()
    picture = _opened(png)
    packed = _encode_alone(base, picture)
    if packed() != png:
        raise AssertionError("the yardstick packs another picture than the map")
    yield Figure(f"map-{name}", milliseconds(map_of), "ms", NO_LIMIT)
    yield Figure(f"map-{name}-to-pillow-save", ratio(map_of, partial(_saved, picture)), "x", 0.25)
    yield Figure(f"map-{name}-to-encode-alone", ratio(map_of, packed), "x", 2.0)
    yield Figure(f"map-{name}-size", len(png) / 1000, "kB", 850)
    yield Figure(f"map-{name}-noise", _noise(picture, proof(base, view, width=_WIDTH)), "dB", -42)


def _opened(png: bytes) -> Image.Image:
    picture = Image.open(BytesIO(png))
    picture.load()
    return picture


def _saved(*pictures: Image.Image) -> None:
    for picture in pictures:
        picture.save(BytesIO(), "PNG")


def _encode_alone(base: BaseMap, picture: Image.Image) -> Work:
    """Packing a finished picture, with its column of filter bytes."""
    ready = Image.new("P", (picture.width + len(FILTER), picture.height))
    ready.paste(picture, (len(FILTER), 0))
    palette = sheet_of(base, _WIDTH).printer.palette
    return lambda: encode(ready.tobytes(), _WIDTH, palette)


def _noise(picture: Image.Image, true: Image.Image) -> float:
    """The difference to true colour as a signal-to-noise ratio, in decibels."""
    squares = ImageStat.Stat(ImageChops.difference(picture.convert("RGB"), true)).sum2
    return 10 * log10(sum(squares) / (3 * true.width * true.height) / 255**2)


# --- a whole phase ----------------------------------------------------------------------------------------------------


def _phase(scene: peers.Drawing) -> Iterator[Figure]:
    """Goal 8: the German sheet checked, both sides' Views, both sides' maps."""
    whole = _checked_and_drawn()
    maps = [_opened(png) for png in whole()]
    yield Figure("map-phase-and-both-maps", milliseconds(whole), "ms", NO_LIMIT)
    yield Figure("map-phase-and-both-maps-to-two-pillow-saves", ratio(whole, partial(_saved, *maps)), "x", 0.3)
    yield Figure("map-phase-and-both-maps-to-diplomacy-and-resvg", ratio(whole, peers.diplomacy), "x", 0.15)
    matplotlib = partial(peers.matplotlib, scene)
    yield Figure("map-phase-and-both-maps-to-one-of-matplotlib", ratio(whole, matplotlib), "x", 0.04)


def _checked_and_drawn() -> Callable[[], list[bytes]]:
    here, base = loaded(), _base()
    rules, game_data = here.rules, here.scenario.game_data
    before = _played_phase("air").resolution.state
    orders, _ = read_sheets(here, before, find_scenario(SCENARIO) / "demo")
    dice = dice_for(here, 2, {})

    def whole() -> list[bytes]:
        done: Resolution[Any] = adjudicate(rules, game_data, before, orders, dice=dice)
        views = (view_of(rules, game_data, done.state, done.events, audience_of(side)) for side in rules.sides)
        return [draw(base, view, width=_WIDTH) for view in views]

    return whole


# --- growth -----------------------------------------------------------------------------------------------------------


def _growth() -> Iterator[Figure]:
    """Time per counter at twice the counters, without an empty map's time; time per pixel at four times the pixels."""
    base, crowd = _field_view(units=6 * UNITS)
    crowds = (crowd.counters[::2], crowd.counters, ())
    less, more, bare = (partial(draw, base, replace(crowd, counters=some), width=_WIDTH) for some in crowds)
    half, whole = ratio(less, bare) - 1, ratio(more, bare) - 1
    yield Figure("map-per-counter-at-twice-the-counters", whole / half / 2, "x", 1.3)
    base, view = _field_view()
    small, large = (partial(draw, base, view, width=width) for width in (_WIDTH // 2, _WIDTH))
    yield Figure("map-per-pixel-at-four-times-the-pixels", ratio(large, small) / 4, "x", 1.3)


# --- animations -------------------------------------------------------------------------------------------------------


def _replay(base: BaseMap) -> Iterator[Figure]:
    """The GM's Views of a whole game of bots, repeated until there are as many phases as an animation shows."""
    rules, game_data = loaded().rules, loaded().scenario.game_data
    ends = (phase.resolution for phase in islice(cycle(game()), MOST_FRAMES))
    frames = of_campaign([view_of(rules, game_data, end.state, end.events, GM) for end in ends])
    for motion in Motion:
        made = partial(animate, base, frames, motion)
        yield Figure(f"replay-{motion.value}-size", len(made()) / 1000, "kB", 2000)
        yield Figure(f"replay-{motion.value}", milliseconds(made), "ms", NO_LIMIT)


# --- scenes -----------------------------------------------------------------------------------------------------------


@cache
def _base() -> BaseMap:
    return loaded().rules.base_map(loaded().scenario.game_data)


@cache
def _played_phase(key: str) -> PlayedPhase:
    """The phase of the demonstration's first day."""
    return next(phase for phase in play() if phase.key == key)


@cache
def _day_view() -> View:
    return next(package.view for package in _played_phase("german_sheet").packages if package.audience == GM)


@cache
def _field_view(units: int = UNITS) -> tuple[BaseMap, View]:
    """The field of the goals as the GM sees it, with an arrow to every third unit from a neighbouring hex.

    Units of both sides are mixed, so there is no front.
    """
    game_data, state = field(loaded().scenario.game_data, units)
    state = replace(state, open=replace(state.open, phase=PhaseKey("german_sheet")))
    view = view_of(loaded().rules, game_data, state, (), GM)
    came = [(unit, game_data.board.neighbours(unit.at)[0]) for unit in view.counters[::3]]
    arrows = tuple(Arrow(signs.MOVE.key, unit.side, (PlaceId(start), unit.at)) for unit, start in came)
    return loaded().rules.base_map(game_data), replace(view, arrows=arrows, front=())
