"""One phase of the real campaign: the German sheet of 16 December, from locked orders to all packages."""

from collections.abc import Iterator
from typing import Any

from campaign.engine.adjudication import Resolution, adjudicate
from campaign.engine.display.views import View
from campaign.game.loading import WithStart, find_scenario, load_scenario
from campaign.game.turn_package import audiences, turn_packages, view_of
from campaign.maps import draw, draw_chart
from campaign.maps.drawing.sizes import THUMBNAIL
from campaign.reports import report, to_bbcode, to_markdown, to_text
from gm.demo import SCENARIO
from tests.bench.measure import Figure, milliseconds
from tests.demonstration import dice_for, read_sheets


def figures() -> Iterator[Figure]:
    """Its parts and the whole. The base map, drawn once for a campaign, is drawn in advance."""
    folder = find_scenario(SCENARIO)
    loaded = load_scenario(folder)
    rules, game_data = loaded.rules, loaded.scenario.game_data
    base = rules.base_map(game_data)
    opening = adjudicate(rules, game_data, loaded.scenario.start, {}, dice=dice_for(loaded, 1, {}))
    orders, _ = read_sheets(loaded, opening.state, folder / "demo")
    dice = dice_for(loaded, 2, {})

    def resolve() -> Resolution[Any]:
        return adjudicate(rules, game_data, opening.state, orders, dice=dice)

    resolution = resolve()
    views = _views(loaded, resolution)
    yield Figure("phase-resolve", milliseconds(resolve), "ms", 150)
    yield Figure("phase-known-states-and-views", milliseconds(lambda: _views(loaded, resolution)), "ms", 150)
    yield Figure("phase-four-maps", milliseconds(lambda: [draw(base, view) for view in views]), "ms", 900)
    small = milliseconds(lambda: [(draw(base, view, width=THUMBNAIL), draw_chart(base, view)) for view in views])
    yield Figure("phase-four-charts-and-thumbnails", small, "ms", 150)
    yield Figure("phase-reports", milliseconds(lambda: [_report(view) for view in views]), "ms", 150)
    whole = milliseconds(lambda: [_report(p.view) for p in turn_packages(rules, game_data, base, resolve())])
    yield Figure("phase-whole", whole, "ms", 1000)


def _views(loaded: WithStart, resolution: Resolution[Any]) -> list[View]:
    game_data, state, events = loaded.scenario.game_data, resolution.state, resolution.events
    return [view_of(loaded.rules, game_data, state, events, who) for who in audiences(loaded.rules)]


def _report(view: View) -> tuple[str, str, str]:
    document = report(view)
    return to_markdown(document), to_bbcode(document), to_text(document)
