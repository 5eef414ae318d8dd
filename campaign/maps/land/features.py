"""The features of a base map and their positions: rivers, roads, bridges, frontiers, fortified lines. In pixels."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import pi

from campaign.engine.display.views import BaseMap, Border, Entry, Ground
from campaign.engine.values.ids import PlaceId
from campaign.maps.drawing.geometry import (
    Box,
    Edge,
    Knot,
    Path,
    Point,
    between,
    bounds,
    chains,
    crossing,
    eased,
    gap,
    heading,
    knot,
    middle,
    moved,
    rounded,
    shared,
    sides,
    through,
)
from campaign.maps.land.backdrop import drawn_over
from campaign.maps.land.lines import BORDERS
from campaign.maps.land.projection import Projection
from campaign.maps.style.declared import declared


@dataclass(frozen=True)
class River:
    name: str
    symbol: str
    path: Path

    @property
    def great(self) -> bool:
        return BORDERS[self.symbol].great


@dataclass(frozen=True)
class Way:
    """The lines or borders of one kind, by the symbol with which they are painted."""

    symbol: str
    paths: tuple[Path, ...]


@dataclass(frozen=True)
class Bridge:
    """Where a road crosses a river, and the road's direction there."""

    at: Point
    way: float
    great: bool


@dataclass(frozen=True)
class Features:
    """Smooth lines, ready to be drawn."""

    grid: tuple[Path, ...]
    rim: tuple[Path, ...]
    """The edge of the map."""
    rivers: tuple[River, ...]
    ways: tuple[Way, ...]
    bridges: tuple[Bridge, ...]
    borders: tuple[Way, ...]
    """All borders but rivers."""
    forts: tuple[Path, ...]
    """Outlines of fortified zones, with the fortified ground on their right."""

    @property
    def closed(self) -> tuple[Path, ...]:
        """The borders that are painted again over the front."""
        return tuple(path for way in self.borders if BORDERS[way.symbol].over_front for path in way.paths)


def features(base: BaseMap, projection: Projection) -> Features:
    """The lines and borders of a base map; raises ValueError for a place it does not have."""
    base, places, known = drawn_over(base), Places(base, projection), declared(base.signs)
    for kind in (*(line.kind for line in base.lines), *(each.kind for each in base.exits)):
        known.lines[kind]
    symbols = [(border, known.borders[border.kind].symbol) for border in base.borders]
    water = [(border, symbol) for border, symbol in symbols if BORDERS[symbol].water]
    return Features(
        grid=tuple(places.outline(g.id) for g in base.grounds),
        rim=tuple(chains(outer_sides([places.outline(g.id) for g in base.grounds]))),
        rivers=tuple(_rivers(water, places)),
        ways=tuple(Way(sign.symbol, _roads(base, places, sign.key)) for sign in base.signs.lines),
        bridges=tuple(_bridges(base, places)),
        borders=tuple(
            Way(sign.symbol, _borders(base.borders, places, sign.key))
            for sign in base.signs.borders
            if not BORDERS[sign.symbol].water
        ),
        forts=_forts(base.grounds, places),
    )


def unknown_place(place: PlaceId, what: str) -> ValueError:
    return ValueError(f"{what}: there is no place {place!r} on the map")


class Places:
    """The grounds of a base map by id, in pixels."""

    def __init__(self, base: BaseMap, projection: Projection) -> None:
        self._projection = projection
        self.scale, self.unit = projection.scale, projection.unit
        self._grounds: Mapping[PlaceId, Ground] = {ground.id: ground for ground in base.grounds}
        self._at = {ground.id: projection.at(ground.at) for ground in base.grounds}
        self._fronts: dict[tuple[PlaceId, PlaceId], tuple[tuple[Edge, tuple[Knot, Knot]], ...]] = {}

    def ground(self, place: PlaceId, what: str) -> Ground:
        """The ground with this id; raises ValueError that names what was to be placed there."""
        found = self._grounds.get(place)
        if found is None:
            raise unknown_place(place, what)
        return found

    def at(self, place: PlaceId, what: str = "a line") -> Point:
        found = self._at.get(place)
        if found is None:
            raise unknown_place(place, what)
        return found

    def outline(self, place: PlaceId, what: str = "a border") -> Path:
        return self._projection.path(self.ground(place, what).edge)

    def between(self, a: PlaceId, b: PlaceId, what: str = "a border") -> tuple[Edge, ...]:
        """The sides that two places share; a short line across their link if they do not touch."""
        common = shared(self.outline(a, what), self.outline(b, what))
        return common or (self._across(self.at(a), self.at(b)),)

    def front(self, ours: PlaceId, theirs: PlaceId) -> tuple[tuple[Edge, tuple[Knot, Knot]], ...]:
        """The sides between two places, ours on the right, and the knots at their ends."""
        found = self._fronts.get((ours, theirs))
        if found is None:
            known = {(knot(p), knot(q)) for p, q in sides(clockwise(self.outline(ours, "front")))}
            common = shared(self.outline(ours), self.outline(theirs, "front"))
            edges = [(p, q) if (knot(p), knot(q)) in known else (q, p) for p, q in common]
            edges = edges or [self._across(self.at(ours), self.at(theirs))]
            found = tuple(((p, q), (knot(p), knot(q))) for p, q in edges)
            self._fronts[ours, theirs] = found
        return found

    @cached_property
    def extent(self) -> Box:
        """The box round all places."""
        grounds = self._grounds.values()
        left, top, right, bottom = bounds(p for ground in grounds for p in ground.edge)
        return (*self._projection.at((left, top)), *self._projection.at((right, bottom)))

    def way_out(self, place: PlaceId, what: str) -> tuple[Point, Point]:
        """From the centre of a place straight towards the nearest edge of the map, to the edge of the place."""
        x, y = centre = self.at(place, what)
        left, top, right, bottom = self.extent
        exits: tuple[Point, ...] = ((x, top), (x, bottom), (left, y), (right, y))
        nearest = min(exits, key=lambda edge: round(gap(centre, edge), 3))
        return centre, crossing(self.outline(place), centre, nearest)

    def exit(self, place: PlaceId, toward: Point) -> Edge:
        """From the middle of a place to its edge, on the way to a point in map units that is not on the map."""
        centre, beyond = self.at(place, "a road out"), self._projection.at(toward)
        return centre, crossing(self.outline(place), centre, beyond)

    def off_the_edge(self, place: PlaceId, what: str) -> bool:
        """Whether a place is at the edge of the map: its way out ends there, or less than a place's width before."""
        centre, out = self.way_out(place, what)
        left, top, right, bottom = self.extent
        return min(out[0] - left, right - out[0], out[1] - top, bottom - out[1]) < gap(centre, out) * 1.1

    def _across(self, a: Point, b: Point) -> Edge:
        (x, y), half = middle(a, b), self.unit / 2
        way = heading(a, b)
        return moved((x, y), way - pi / 2, half), moved((x, y), way + pi / 2, half)


# --- borders ----------------------------------------------------------------------------------------------------------


def _borders(borders: Iterable[Border], places: Places, kind: str) -> tuple[Path, ...]:
    edges = [edge for b in borders if b.kind == kind for edge in places.between(b.a, b.b)]
    return tuple(rounded(path) for path in chains(edges))


def _rivers(borders: Iterable[tuple[Border, str]], places: Places) -> Iterator[River]:
    """Each named river as a few smooth lines. Tributaries end on the smooth line of the river that they join.

    `borders`: those that are water, with their symbols.
    """
    edges: dict[tuple[str, str], list[Edge]] = defaultdict(list)
    for border, symbol in borders:
        for name in border.names or ("",):
            edges[name, symbol] += places.between(border.a, border.b)
    raw = [(name, symbol, path) for (name, symbol), some in edges.items() for path in chains(some)]
    bends = _bends(path for _, _, path in raw)
    for name, symbol, path in raw:
        smooth = rounded((bends.get(knot(path[0]), path[0]), *path[1:-1], bends.get(knot(path[-1]), path[-1])))
        yield River(name, symbol, smooth)


def _bends(paths: Iterable[Path]) -> dict[tuple[int, int], Point]:
    """For each corner within a path, where the smooth line passes it."""
    return {
        knot(corner): between(corner, middle(before, after), 0.25)
        for path in paths
        for before, corner, after in zip(path, path[1:], path[2:], strict=False)
    }


def _forts(grounds: Sequence[Ground], places: Places) -> tuple[Path, ...]:
    """Lines around fortified grounds, next to other ground."""
    if not any(ground.fortified for ground in grounds):
        return ()
    owners: dict[frozenset[tuple[int, int]], list[bool]] = defaultdict(list)
    for ground in grounds:
        for p, q in sides(places.outline(ground.id)):
            owners[frozenset((knot(p), knot(q)))].append(ground.fortified)
    edges = [
        edge
        for ground in grounds
        if ground.fortified
        for edge in sides(clockwise(places.outline(ground.id)))
        if sorted(owners[frozenset((knot(edge[0]), knot(edge[1])))]) == [False, True]
    ]
    return tuple(rounded(path, times=2) for path in directed(edges))


def outer_sides(outlines: Sequence[Path]) -> list[Edge]:
    """The sides that belong to only one outline, with the inside on their right."""
    edges = [edge for outline in outlines for edge in sides(clockwise(outline))]
    keys = [frozenset((knot(p), knot(q))) for p, q in edges]
    count = Counter(keys)
    return [edge for edge, key in zip(edges, keys, strict=True) if count[key] == 1]


def clockwise(outline: Path) -> Path:
    """The outline in the direction that has its inside on the right."""
    area = sum(p[0] * q[1] - q[0] * p[1] for p, q in sides(outline))
    return outline if area > 0 else outline[::-1]


def directed(edges: Sequence[Edge]) -> list[Path]:
    """Paths over directed edges, each in the direction of its edges."""
    known = {(knot(p), knot(q)) for p, q in edges}
    return [path if (knot(path[0]), knot(path[1])) in known else path[::-1] for path in chains(edges)]


# --- roads ------------------------------------------------------------------------------------------------------------


_SHARPEST = pi * 0.55
"""Roads that turn more sharply than this meet in a corner."""


def _roads(base: BaseMap, places: Places, kind: str) -> tuple[Path, ...]:
    """Roads of one kind, smooth, exactly through junctions and named places, and out to the edge of the map."""
    if base.backdrop is not None and base.backdrop.roads:
        return ()
    keep = _fixed(base, places)
    edges = [(places.at(line.a), places.at(line.b)) for line in base.lines if line.kind == kind]
    edges += [
        places.way_out(entry.at, f"entry {entry.name}") for entry in base.entries if _road_to(base, entry) == kind
    ]
    edges += [places.exit(each.at, each.toward) for each in base.exits if each.kind == kind]
    return tuple(through(eased(path, keep=keep)) for path in chains(edges, sharpest=_SHARPEST))


def _fixed(base: BaseMap, places: Places) -> list[Point]:
    count: dict[PlaceId, int] = defaultdict(int)
    for line in base.lines:
        count[line.a] += 1
        count[line.b] += 1
    for at in (*(entry.at for entry in base.entries), *(each.at for each in base.exits)):
        count[at] += 1
    return [places.at(g.id) for g in base.grounds if g.name or count[g.id] > 2]


def _road_to(base: BaseMap, entry: Entry) -> str:
    """The kind of road that continues from an entry: the greatest that leads there, or of all if none does."""
    kinds = {line.kind for line in base.lines if entry.at in (line.a, line.b)}
    ranked = [sign.key for sign in base.signs.lines]
    return next((kind for kind in ranked if kind in kinds), ranked[0] if ranked else "")


def _bridges(base: BaseMap, places: Places) -> Iterator[Bridge]:
    known = declared(base.signs).borders
    great = {frozenset((b.a, b.b)) for b in base.borders if BORDERS[known[b.kind].symbol].great}
    for line in base.lines:
        if line.bridge:
            edges = places.between(line.a, line.b)
            way = heading(places.at(line.a), places.at(line.b))
            yield Bridge(middle(*edges[len(edges) // 2]), way, frozenset((line.a, line.b)) in great)
