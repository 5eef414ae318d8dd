"""Layers of a map: each takes away what it shows and nothing else."""

from campaign.engine.display.signs import Layer
from campaign.engine.display.views import Arrow, Marker
from campaign.engine.values.ids import PlaceId
from campaign.engine.values.value import replace
from campaign.maps import draw
from campaign.maps.style.layers import without
from campaign.rulesets.forum_campaign.model import signs
from tests.maps.examples import BASE, RED, RED_VIEW

KINDS = tuple(sign.key for sign in BASE.signs.markers)
PLACE, NEXT = PlaceId("A1"), PlaceId("A2")
EVERYTHING = replace(
    RED_VIEW,
    arrows=tuple(Arrow(sign.key, RED, (PLACE, NEXT)) for sign in BASE.signs.arrows),
    markers=tuple(Marker(PLACE, kind, RED) for kind in KINDS),
)
"""A View with every kind of thing that there is."""
SHOWN = {"counters", "sightings", "markers", "arrows", "traces", "flights", "front", "control"}
FIELDS = (*sorted(SHOWN), "panels", "chart", "log")


def changed(*layers: Layer) -> set[str]:
    left = without(BASE.signs, EVERYTHING, layers)
    return {name for name in FIELDS if getattr(left, name) != getattr(EVERYTHING, name)}


def test_the_view_has_something_in_every_field_that_a_layer_shows() -> None:
    assert all(getattr(EVERYTHING, name) for name in SHOWN)


def test_each_layer_takes_its_own() -> None:
    assert changed() == set()
    assert {layer: changed(layer) for layer in Layer} == {
        Layer.MOVES: {"arrows"},
        Layer.FIGHTS: {"arrows", "markers"},
        Layer.SUPPLY: {"traces"},
        Layer.FRONT: {"front"},
        Layer.CONTROL: {"control"},
        Layer.MARKERS: {"markers"},
        Layer.AIR: {"flights"},
        Layer.COUNTERS: {"counters", "sightings"},
    }


def test_a_layer_leaves_the_marks_of_the_others() -> None:
    left = without(BASE.signs, EVERYTHING, [Layer.FIGHTS])
    assert {arrow.kind for arrow in left.arrows} == {signs.MOVE.key, signs.STOPPED.key}
    assert {marker.kind for marker in left.markers} == {*KINDS} - {signs.BATTLE.key}


def test_without_all_layers_the_map_shows_the_land_and_the_tables() -> None:
    bare = without(BASE.signs, EVERYTHING, tuple(Layer))
    assert changed(*Layer) == SHOWN
    assert draw(BASE, bare) != draw(BASE, EVERYTHING)
    assert draw(BASE, without(BASE.signs, EVERYTHING, [])) == draw(BASE, EVERYTHING)
