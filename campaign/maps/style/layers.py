"""What a map shows in layers, each of which can be left out."""

from collections.abc import Collection
from enum import Enum

from campaign.engine.values import replace
from campaign.engine.views import ArrowKind, FlightKind, MarkerKind, View


class Layer(Enum):
    """What readers can leave out; the value stands in addresses and is the class of the layer's groups on boards."""

    MOVES = "moves"
    FIGHTS = "fights"
    SUPPLY = "supply"
    FRONT = "front"
    MARKERS = "markers"
    AIR = "air"
    COUNTERS = "counters"

    @property
    def title(self) -> str:
        return self.value.capitalize()


_LAYERS: dict[ArrowKind | MarkerKind | FlightKind, Layer] = {
    ArrowKind.MOVE: Layer.MOVES,
    ArrowKind.STOPPED: Layer.MOVES,
    ArrowKind.ATTACK: Layer.FIGHTS,
    ArrowKind.ADVANCE: Layer.FIGHTS,
    ArrowKind.RETREAT: Layer.FIGHTS,
    MarkerKind.BATTLE: Layer.FIGHTS,
    **dict.fromkeys(FlightKind, Layer.AIR),
}


def layer_of(kind: ArrowKind | MarkerKind | FlightKind) -> Layer:
    """The layer of an arrow, a marker or an air box; markers of the ground have their own."""
    return _LAYERS.get(kind, Layer.MARKERS)


def without(view: View, layers: Collection[Layer]) -> View:
    """The View with nothing in it that these layers show; tables and log stay."""
    return replace(
        view,
        counters=() if Layer.COUNTERS in layers else view.counters,
        sightings=() if Layer.COUNTERS in layers else view.sightings,
        markers=tuple(marker for marker in view.markers if layer_of(marker.kind) not in layers),
        arrows=tuple(arrow for arrow in view.arrows if layer_of(arrow.kind) not in layers),
        traces=() if Layer.SUPPLY in layers else view.traces,
        flights=() if Layer.AIR in layers else view.flights,
        front=() if Layer.FRONT in layers else view.front,
    )
