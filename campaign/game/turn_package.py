"""The turn package: what one audience receives of a stop, made from its slice and from what it was told."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from campaign.engine.adjudication import Resolution
from campaign.engine.facts import Event, tell
from campaign.engine.ids import GM, PUBLIC, Audience, audience_of
from campaign.engine.ruleset import Ruleset
from campaign.engine.state import slice_of
from campaign.engine.views import BaseMap, View
from campaign.maps import draw, draw_chart
from campaign.maps.drawing.sizes import THUMBNAIL
from campaign.reports import Document, chart, report


@dataclass(frozen=True)
class TurnPackage:
    """A stop as one audience receives it. Everything in it comes out of the View."""

    audience: Audience
    view: View
    report: Document
    chart: Document
    """The quick-reference chart in words."""
    map: bytes
    """A PNG picture, and so are the others."""
    thumbnail: bytes
    chart_picture: bytes


def audiences(rules: Ruleset[Any, Any]) -> tuple[Audience, ...]:
    """Everybody who receives a package: each side, the GM, the public."""
    return (*(audience_of(side) for side in rules.sides), GM, PUBLIC)


def turn_packages(
    rules: Ruleset[Any, Any], theatre: Any, base: BaseMap, resolution: Resolution[Any]
) -> tuple[TurnPackage, ...]:
    """The packages of a stop that was just resolved; `base` is the theatre's base map."""
    return tuple(
        _package(base, view_of(rules, theatre, resolution.state, resolution.events, audience))
        for audience in audiences(rules)
    )


def view_of(
    rules: Ruleset[Any, Any], theatre: Any, state: Any, events: Sequence[Event[Any]], audience: Audience
) -> View:
    """What an audience may be shown of a state and of the events that led to it."""
    return rules.show(theatre, slice_of(state, audience), audience, tell(events, audience))


def _package(base: BaseMap, view: View) -> TurnPackage:
    return TurnPackage(
        audience=view.audience,
        view=view,
        report=report(view),
        chart=chart(view),
        map=draw(base, view),
        thumbnail=draw(base, view, width=THUMBNAIL),
        chart_picture=draw_chart(base, view),
    )
