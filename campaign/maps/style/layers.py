"""The layers of a map, each of which can be hidden."""

from collections.abc import Collection

from campaign.engine.display.signs import ArrowKind, Layer, Signs
from campaign.engine.display.views import View
from campaign.engine.values.value import replace
from campaign.maps.style.declared import declared

_ARROWS = {
    ArrowKind.MOVE: Layer.MOVES,
    ArrowKind.STOPPED: Layer.MOVES,
    ArrowKind.ATTACK: Layer.FIGHTS,
    ArrowKind.ADVANCE: Layer.FIGHTS,
    ArrowKind.RETREAT: Layer.FIGHTS,
}


def layer_of(kind: ArrowKind) -> Layer:
    """The layer of an arrow."""
    return _ARROWS[kind]


def layers_of(signs: Signs) -> tuple[Layer, ...]:
    """The layers in which the maps of a ruleset may show anything."""
    shown = {*map(layer_of, signs.arrows), *(sign.layer for sign in signs.markers)}
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
    kinds = declared(signs).markers
    return replace(
        view,
        counters=() if Layer.COUNTERS in layers else view.counters,
        sightings=() if Layer.COUNTERS in layers else view.sightings,
        markers=tuple(marker for marker in view.markers if kinds[marker.kind].layer not in layers),
        arrows=tuple(arrow for arrow in view.arrows if layer_of(arrow.kind) not in layers),
        traces=() if Layer.SUPPLY in layers else view.traces,
        flights=() if Layer.AIR in layers else view.flights,
        front=() if Layer.FRONT in layers else view.front,
        control=() if Layer.CONTROL in layers else view.control,
    )
