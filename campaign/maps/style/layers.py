"""The layers of a map, each of which can be hidden."""

from collections.abc import Collection

from campaign.engine.display.signs import Layer, Signs
from campaign.engine.display.views import View
from campaign.engine.values.value import replace
from campaign.maps.style.declared import declared


def layers_of(signs: Signs) -> tuple[Layer, ...]:
    """The layers in which the maps of a ruleset may show anything."""
    shown = {*(sign.layer for sign in signs.arrows), *(sign.layer for sign in signs.markers)}
    others: dict[Layer, object] = {
        Layer.SUPPLY: signs.barred,
        Layer.FRONT: signs.front,
        Layer.CONTROL: signs.control,
        Layer.AIR: signs.flights,
        Layer.COUNTERS: signs.arms,
    }
    return tuple(layer for layer in Layer if layer in shown or others.get(layer))


def without(signs: Signs, view: View, layers: Collection[Layer]) -> View:
    """The View without anything in these layers; tables and log stay."""
    markers, arrows = declared(signs).markers, declared(signs).arrows
    return replace(
        view,
        counters=() if Layer.COUNTERS in layers else view.counters,
        sightings=() if Layer.COUNTERS in layers else view.sightings,
        markers=tuple(marker for marker in view.markers if markers[marker.kind].layer not in layers),
        arrows=tuple(arrow for arrow in view.arrows if arrows[arrow.kind].layer not in layers),
        traces=() if Layer.SUPPLY in layers else view.traces,
        flights=() if Layer.AIR in layers else view.flights,
        front=() if Layer.FRONT in layers else view.front,
        control=() if Layer.CONTROL in layers else view.control,
    )
