"""Where markers are drawn: in or next to their places, where they cover least of names, counters and each other."""

from collections.abc import Callable, Container, Iterator, Sequence
from math import inf, pi

from campaign.engine.display.signs import Layer, MarkerSign
from campaign.engine.display.views import Marker, View
from campaign.engine.values.ids import PlaceId, SideId
from campaign.engine.values.value import Value
from campaign.maps.base.layout import Layout, Spot
from campaign.maps.drawing.geometry import Box, Point, between, grown, heading, moved, overlap, touching
from campaign.maps.drawing.symbols import BATTLE_RADIUS
from campaign.maps.land.room import Room
from campaign.maps.signs.markers import HALF_WIDTH, RAISED, Badge
from campaign.maps.signs.traces import CROSS, Pair
from campaign.maps.style.declared import declared
from campaign.maps.style.schemes import SideColours
from campaign.maps.style.terms import letter_of


class Sign(Value, frozen=True):
    """A marker on the map, and its middle."""

    badge: Badge
    at: Point
    place: PlaceId
    layer: Layer
    name: str
    """The name of its kind, for style sheets."""


_BESIDE = ((17, -8), (-17, -8))
"""Offsets of a marker near the town, in points from the middle of its place."""
_CORNERS = ((-20, -21, 0), (-20, 21, 40), (20, -21, 80), (20, 21, 80), (0, -27, 120), (0, 27, 400), (-27, 0, 500))
"""Offsets of a marker on counters, with penalties in square points: the corner with fewest marks is best."""
_MORE = 4.5
"""Points that the search for room adds round a marker."""
_OVER_PRINT = 6.0
"""How much worse it is to cover another marker, or print of a counter in the same place, than other print."""


class MarkerPlacement:
    """Finds room for markers in their places, among counters, names, attacks and each other."""

    def __init__(
        self,
        layout: Layout,
        room: Room,
        hidden: Container[int],
        printed: Callable[[PlaceId], Sequence[Box]],
    ) -> None:
        self._layout, self._room, self._hidden, self._print = layout, room, hidden, printed
        self._marks: list[Box] = []
        self.boxes: list[Box] = []
        """The boxes of markers, which no name may touch."""
        self.crosses: list[Box] = []

    def objective(self, place: PlaceId, *, taken: bool) -> Point:
        """Where the flag is: before the name if that has not moved. The flag of a place just taken is larger."""
        number = self._layout.number_of.get(place)
        flag = None if number is None or number in self._hidden else self._layout.print_on.names[number].flag
        if flag is None:
            return self.ground(place, taken=taken)
        box = grown((*flag, *flag), (RAISED if taken else HALF_WIDTH) * self._layout.projection.scale)
        self._room.take(box)
        self._marks.append(box)
        self.boxes.append(box)
        return flag

    def ground(self, place: PlaceId, *, taken: bool) -> Point:
        """Near the town, or on a corner of the counters in the place, so that it clearly belongs to this place."""
        what, find = ("taken", _taken) if taken else ("ground", _ground)
        return self._marked(what, place, find)

    def flight(self, place: PlaceId) -> Point:
        return self._marked("ground", place, _ground)

    def battle(self, place: PlaceId) -> Point:
        return self._marked("battle", place, _battle)

    def cross(self, pair: Pair) -> Point:
        """Where the way from one place enters the next."""
        spot = self._best(f"from {pair[0]}", pair[1], lambda _, layout: _crosses(pair, layout), ())
        self.crosses.append(grown(spot.box, _MORE * self._layout.projection.scale))
        return spot.at

    def _marked(self, what: str, place: PlaceId, find: "_Finder") -> Point:
        printed = self._print(place)
        if printed:
            what, find = f"{what} on counters", _CORNERED.get(find, find)
        spot = self._best(what, place, find, printed)
        self.boxes.append(grown(spot.box, _MORE * self._layout.projection.scale))
        return spot.at

    def _best(self, what: str, place: PlaceId, find: "_Finder", printed: Sequence[Box]) -> Spot:
        """Take the spot that costs least, the first of equals."""
        print_there = [*printed, *touching(self._marks, self._layout.reach_of(place))]
        spots = self._layout.spots.get((what, place))
        if spots is None:
            spots = self._layout.spots[what, place] = tuple(find(place, self._layout))
        found, least, room = spots[0], inf, self._room
        for spot in spots:
            if spot.cost >= least:
                continue
            cost = spot.cost + round(room.covered(spot.box, spot.cells), 3)
            if print_there and cost < least:
                cost += round(_OVER_PRINT * sum([overlap(spot.box, words) for words in print_there]), 3)
            if cost < least:
                found, least = spot, cost
            if least <= 0:
                break
        room.take(grown(found.box, _MORE * self._layout.projection.scale))
        self._marks.append(found.box)
        return found


_Finder = Callable[[PlaceId, Layout], Iterator[Spot]]
"""The possible spots for a marker of a kind in a place."""


def _ground(place: PlaceId, layout: Layout, reach: float = HALF_WIDTH) -> Iterator[Spot]:
    half = (reach - 2) * (0.75 if layout.projection.coarse else 1.0)
    for offset in ((0, 0),) if layout.projection.coarse else _BESIDE:
        yield layout.spot_in(place, offset, half)
    yield from _corner(place, layout, reach)


def _corner(place: PlaceId, layout: Layout, reach: float = HALF_WIDTH) -> Iterator[Spot]:
    half = (reach - 2) * (0.75 if layout.projection.coarse else 1.0)
    for right, down, dislike in _CORNERS:
        yield layout.spot_in(place, (right, down), half, dislike)


def _taken(place: PlaceId, layout: Layout) -> Iterator[Spot]:
    return _ground(place, layout, RAISED)


def _taken_corner(place: PlaceId, layout: Layout) -> Iterator[Spot]:
    return _corner(place, layout, RAISED)


_CORNERED: dict[_Finder, _Finder] = {_ground: _corner, _taken: _taken_corner}
"""Offsets for places with counters, which cover the town."""


def _battle(place: PlaceId, layout: Layout) -> Iterator[Spot]:
    for right, down, dislike in (*_CORNERS, *((*offset, 200) for offset in _BESIDE)):
        yield layout.spot_in(place, (right, down), BATTLE_RADIUS * 0.8, dislike)


_ALONG = (0.84, 0.74, 0.94, 0.64, 0.54)
_ASIDE_OF_WAY = (0.0, 5.0, -5.0, 10.0, -10.0, 15.0, -15.0)
"""Spots for a cross: how far along the way to the middle of the place, and how many points to the side."""


def _crosses(pair: Pair, layout: Layout) -> Iterator[Spot]:
    (start, stop), scale = [layout.places.at(place) for place in pair], layout.projection.scale
    across = heading(start, stop) + pi / 2
    for aside in _ASIDE_OF_WAY:
        for along in _ALONG:
            at = moved(between(start, stop, along), across, aside * scale)
            yield layout.spot(at, CROSS * scale, 2 * abs(aside) * scale**2)


# --- markers of a View ------------------------------------------------------------------------------------------------


def signs_of(view: View, layout: Layout, placement: MarkerPlacement) -> Iterator[Sign]:
    """The markers and air boxes of a View, layer by layer; raises ValueError for a place that the map lacks."""
    known, coarse = declared(layout.base.signs), layout.projection.coarse
    markers = [(marker, known.markers[marker.kind]) for marker in view.markers]
    for marker, kind in sorted(markers, key=lambda pair: pair[1].symbol != _BURST):
        layout.places.at(marker.at, f"marker {marker.kind}")
        if kind.symbol in (_FLAG, _BURST) or not coarse:
            yield _marker(marker, kind, layout, placement)
    for flight in view.flights:
        layout.places.at(flight.at, f"{flight.kind} flight")
        if not coarse:
            text, symbol = str(flight.units) if flight.units else "", known.flights[flight.kind].symbol
            outcome = known.sorties[flight.sortie].symbol if flight.sortie else "solid"
            badge = Badge(symbol, _colours_of(layout, flight.side), text, sortie=outcome)
            yield Sign(badge, placement.flight(flight.at), flight.at, Layer.AIR, f"flight {flight.kind}")


_FLAG, _BURST = "flag", "burst"
"""Coarse maps show no other symbols of markers."""


def _marker(marker: Marker, kind: MarkerSign, layout: Layout, placement: MarkerPlacement) -> Sign:
    former = None if marker.taken_from is None else _colours_of(layout, marker.taken_from)
    text, decided = "" if layout.projection.coarse else _text(marker, kind, layout), marker.won_by is not None
    badge = Badge(kind.symbol, _colours_of(layout, marker.won_by or marker.side), text, former, decided=decided)
    if kind.symbol == _FLAG:
        at = placement.objective(marker.at, taken=former is not None)
    elif kind.symbol == _BURST:
        at = placement.battle(marker.at)
    else:
        at = placement.ground(marker.at, taken=former is not None)
    return Sign(badge, at, marker.at, kind.layer, f"marker {marker.kind}")


def _colours_of(layout: Layout, side: SideId | None) -> SideColours:
    return layout.colours.side_colours(layout.base.sides, side)


def _text(marker: Marker, kind: MarkerSign, layout: Layout) -> str:
    """The text on a marker: the winner or the text of a burst, the value of others; empty for 0."""
    if marker.won_by is not None:
        return letter_of(layout.base.sides, marker.won_by)
    if kind.symbol == _BURST:
        return marker.text
    return str(marker.value) if marker.value else ""
