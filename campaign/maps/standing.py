"""Where markers stand: in or beside their places, wherever they cover least of names, counters and each other."""

from collections.abc import Callable, Iterator, Sequence
from math import inf, pi

from campaign.engine.ids import PlaceId, SideId
from campaign.engine.values import Value
from campaign.engine.views import FlightKind, Marker, MarkerKind, View
from campaign.maps.geometry import Box, Point, between, grown, heading, moved
from campaign.maps.labels import Room
from campaign.maps.layout import Layout, Spot
from campaign.maps.markers import HALF_WIDTH, RAISED, Badge
from campaign.maps.names import Settled
from campaign.maps.schemes import Livery
from campaign.maps.symbols import BATTLE_RADIUS
from campaign.maps.traces import CROSS, Pair


class Sign(Value, frozen=True):
    """A marker on the map, by its middle."""

    badge: Badge
    at: Point

    @property
    def kind(self) -> MarkerKind | FlightKind:
        return self.badge.kind


_BESIDE = ((17, -2), (-17, -2), (28, 3), (-28, 3))
_CORNERS = ((22, -25), (-22, -25), (22, 25), (-22, 25), (0, -26), (0, 26))
"""Where a marker may stand in its place, in points from the middle: by the town or a lone counter; in a corner."""
_FLANKS = ((-32, -2), (32, -2), (-32, -6), (32, -6), (-32, 5), (32, 5))
_ON_CORNERS = ((-20, -21, 0), (-26, -21, 20), (-20, -25, 20), (-22, 20, 60), (20, -21, 200), (22, 20, 200))
"""Where an air box may stand on counters, with the square points that it rather covers: on the corner with fewest
marks.
"""
_TIGHT = ((0, 0), (-15, -15), (15, -15), (-15, 15), (15, 15))
_JUNCTIONS = ((-29, -22), (29, -22), (29, 24), (-29, 24), (0, -26), (0, 26))
"""Where a battle may stand: between counters of a row; where the gaps between rows begin."""
_AWKWARD = 150.0
"""Square points that a marker rather covers than stand where it seems to belong to another place."""
_MORE = 3.0
"""Points by which markers may be larger than what they look for room for."""


class Standing:
    """Finds room for markers among names, counters, attacks and each other."""

    def __init__(self, layout: Layout, room: Room, names: Settled) -> None:
        self._layout, self._room, self._names = layout, room, names
        self.boxes: list[Box] = []
        """Of markers that may lie over names and counters."""
        self.flags: list[Box] = []
        """Of flags before the names of their places."""

    def objective(self, place: PlaceId, *, taken: bool) -> Point:
        """The flag before the name, where the base map has left room for it. That of a place just taken is larger."""
        name = self._names.name(place, self._layout)
        if name is None or name.flag is None:
            if self._layout.projection.coarse:
                return self._best("flag", place, _flag)
            return self.beside(place, taken=taken)
        box = grown((*name.flag, *name.flag), (RAISED if taken else HALF_WIDTH) * self._layout.projection.scale)
        (self.boxes if taken else self.flags).append(box)
        return name.flag

    def beside(self, place: PlaceId, *, taken: bool) -> Point:
        """Next to the name or in the place, whichever covers least."""
        return self._best("taken", place, _taken) if taken else self._best("beside", place, _beside)

    def flight(self, place: PlaceId) -> Point:
        """On a corner of the counters in the place, so that nobody takes it for the next one's."""
        return self._best("flight", place, _flight)

    def battle(self, place: PlaceId) -> Point:
        return self._best("battle", place, _battle)

    def cross(self, pair: Pair) -> Point:
        """Where the way from one place comes into the next."""
        return self._best(f"from {pair[0]}", pair[1], lambda _, layout: _crosses(pair, layout))

    def _best(self, what: str, place: PlaceId, find: "_Finder") -> Point:
        """The spot that costs least, the first of equals; it is taken."""
        spots = self._layout.spots.get((what, place))
        if spots is None:
            spots = self._layout.spots[what, place] = tuple(find(place, self._layout))
        found, least, room = spots[0], inf, self._room
        for spot in spots:
            if spot.cost >= least:
                continue
            cost = spot.cost + round(room.covered(spot.box, spot.cells), 3)
            if cost < least:
                found, least = spot, cost
            if least <= 0:
                break
        room.take(found.box)
        self.boxes.append(grown(found.box, _MORE * self._layout.projection.scale))
        return found.at


_Finder = Callable[[PlaceId, Layout], Iterator[Spot]]
"""Where a marker of a kind may stand in a place."""


def _beside(place: PlaceId, layout: Layout, reach: float = HALF_WIDTH) -> Iterator[Spot]:
    half, name = (reach - 2) * layout.projection.scale, layout.names.get(place)
    if name is not None:
        step, line = reach * layout.projection.scale, (name.box[1] + name.box[3]) / 2
        for at in ((name.box[2] + step, line), (name.box[0] - step, line)):
            yield layout.spot(at, half)
    yield from _spots(place, layout, half, _BESIDE, _CORNERS)


def _taken(place: PlaceId, layout: Layout) -> Iterator[Spot]:
    return _beside(place, layout, RAISED)


def _flag(place: PlaceId, layout: Layout) -> Iterator[Spot]:
    """Of a nameless place on a coarse map: in the middle of it, or on a corner of its counter."""
    (x, y), scale = layout.places.at(place), layout.projection.scale
    for right, down in _TIGHT:
        yield layout.spot((x + right * scale, y + down * scale), 6 * scale)


def _battle(place: PlaceId, layout: Layout) -> Iterator[Spot]:
    return _spots(place, layout, BATTLE_RADIUS * 0.8 * layout.projection.scale, _FLANKS, _JUNCTIONS)


def _flight(place: PlaceId, layout: Layout) -> Iterator[Spot]:
    (x, y), scale = layout.places.at(place), layout.projection.scale
    for right, down, dislike in (*((*offset, 0) for offset in _BESIDE[:2]), *_ON_CORNERS):
        yield layout.spot((x + right * scale, y + down * scale), (HALF_WIDTH - 2) * scale, dislike * scale**2)


def _spots(place: PlaceId, layout: Layout, half: float, near: Sequence[Point], far: Sequence[Point]) -> Iterator[Spot]:
    (x, y), scale = layout.places.at(place), layout.projection.scale
    for offsets, dislike in ((near, 0.0), (far, _AWKWARD * scale**2)):
        for right, down in offsets:
            yield layout.spot((x + right * scale, y + down * scale), half, dislike)


_ALONG = (0.84, 0.74, 0.94, 0.64, 0.54)
_ASIDE_OF_WAY = (0.0, 5.0, -5.0, 10.0, -10.0, 15.0, -15.0)
"""Where a cross may stand: how far on the way to the middle of the place, and how many points aside of it."""


def _crosses(pair: Pair, layout: Layout) -> Iterator[Spot]:
    (start, stop), scale = [layout.places.at(place) for place in pair], layout.projection.scale
    across = heading(start, stop) + pi / 2
    for aside in _ASIDE_OF_WAY:
        for along in _ALONG:
            at = moved(between(start, stop, along), across, aside * scale)
            yield layout.spot(at, CROSS * scale, 2 * abs(aside) * scale**2)


# --- what stands there ------------------------------------------------------------------------------------------------


def signs_of(view: View, layout: Layout, standing: Standing) -> Iterator[Sign]:
    """The markers and air boxes of a View; raises ValueError for a place that the map does not have."""
    for marker in view.markers:
        layout.places.at(marker.at, f"marker {marker.kind.value}")
        if marker.kind in _LARGE or not layout.projection.coarse:
            yield _marker(marker, layout, standing)
    for flight in view.flights:
        layout.places.at(flight.at, f"{flight.kind.value} flight")
        if not layout.projection.coarse:
            text = str(flight.units) if flight.units else ""
            badge = Badge(flight.kind, _livery(layout, flight.side), text, sortie=flight.sortie)
            yield Sign(badge, standing.flight(flight.at))


_LARGE = (MarkerKind.OBJECTIVE, MarkerKind.BATTLE)
"""What coarse maps show of markers."""


def _marker(marker: Marker, layout: Layout, standing: Standing) -> Sign:
    former = None if marker.taken_from is None else _livery(layout, marker.taken_from)
    text = "" if layout.projection.coarse else _text(marker)
    badge = Badge(marker.kind, _livery(layout, marker.side), text, former)
    match marker.kind:
        case MarkerKind.OBJECTIVE:
            return Sign(badge, standing.objective(marker.at, taken=former is not None))
        case MarkerKind.BATTLE:
            return Sign(badge, standing.battle(marker.at))
    return Sign(badge, standing.beside(marker.at, taken=former is not None))


def _livery(layout: Layout, side: SideId | None) -> Livery:
    return layout.colours.livery(layout.base.sides, side)


def _text(marker: Marker) -> str:
    """A battle shows its text, everything else its value; a value of nothing is not shown."""
    if marker.kind is MarkerKind.BATTLE:
        return marker.text
    return str(marker.value) if marker.value else ""
