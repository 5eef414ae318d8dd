"""The turn package: what one audience receives of a phase, made from its state and its disclosures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from campaign.engine.adjudication import Resolution
from campaign.engine.display.views import BaseMap, View
from campaign.engine.facts import Event, disclose
from campaign.engine.ruleset import Ruleset
from campaign.engine.state import state_known_to
from campaign.engine.values.ids import GM, PUBLIC, Audience, audience_of
from campaign.engine.values.value import replace
from campaign.maps import draw, draw_chart
from campaign.maps.drawing.sizes import THUMBNAIL
from campaign.reports import Document, chart, report
from campaign.secrecy import truth


@dataclass(frozen=True)
class Pictures:
    """PNG pictures of a View."""

    map: bytes
    thumbnail: bytes
    chart: bytes


@dataclass(frozen=True)
class Titles:
    """The names of a package's phases, where phases have numbers."""

    stop: str
    """The published phase, or the first and the last of those that its report gathers."""
    next_stop: str


@dataclass(frozen=True)
class TurnPackage:
    """A phase as one audience receives it. Everything in it comes from the View."""

    audience: Audience
    view: View
    report: Document
    chart: Document
    """The quick-reference chart in words."""
    pictures: Pictures | None
    """None: not drawn."""


def audiences(rules: Ruleset[Any, Any]) -> tuple[Audience, ...]:
    """All who receive a package: each side, the GM, the public."""
    return (*(audience_of(side) for side in rules.sides), GM, PUBLIC)


def turn_packages(
    rules: Ruleset[Any, Any],
    game_data: Any,
    base: BaseMap,
    resolution: Resolution[Any],
    *,
    titles: Titles | None = None,
    before: Mapping[Audience, Sequence[View]] = MappingProxyType({}),
    pictures: bool = True,
) -> tuple[TurnPackage, ...]:
    """The packages of a phase that was just resolved; `base` is the base map of the game data.

    `titles` are the names of phases in Views; None: the ruleset's own. `before` has the Views that each audience has
    read since its last report, whose tables reports do not repeat.
    """
    views = (view_of(rules, game_data, resolution.state, resolution.events, audience) for audience in audiences(rules))
    titled = (_titled(view, titles) for view in views)
    return tuple(_package(base, view, before.get(view.audience, ()), pictures=pictures) for view in titled)


def _titled(view: View, titles: Titles | None) -> View:
    if titles is None:
        return view
    return replace(view, stop=titles.stop, next_stop=titles.next_stop if view.next_stop else "")


def view_of(
    rules: Ruleset[Any, Any], game_data: Any, state: Any, events: Sequence[Event[Any]], audience: Audience
) -> View:
    """The View of an audience: what it may see of a state and of the events that led to it."""
    with truth.writing(audience):
        return rules.show(game_data, state_known_to(state, audience), audience, disclose(events, audience))


def _package(base: BaseMap, view: View, before: Sequence[View], *, pictures: bool) -> TurnPackage:
    with truth.writing(view.audience):
        return TurnPackage(
            audience=view.audience,
            view=view,
            report=report(view, before),
            chart=chart(view),
            pictures=_pictures(base, view) if pictures else None,
        )


def _pictures(base: BaseMap, view: View) -> Pictures:
    return Pictures(map=draw(base, view), thumbnail=draw(base, view, width=THUMBNAIL), chart=draw_chart(base, view))
