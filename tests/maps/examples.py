"""A base map of twenty hexes with a bit of everything, and views of it."""

from campaign.engine.hexes import Grid
from campaign.engine.ids import GM, Audience, PlaceId, SideId, UnitId
from campaign.engine.views import (
    Arrow,
    ArrowKind,
    BaseMap,
    Border,
    BorderKind,
    Branch,
    Counter,
    Echelon,
    Entry,
    Flight,
    FlightKind,
    Ground,
    Line,
    LineKind,
    MarginLabel,
    Marker,
    MarkerKind,
    Panel,
    Sighting,
    Sortie,
    Trace,
    UnitState,
    View,
)

RED, BLUE = SideId("red"), SideId("blue")
WIDTH = 600

_TERRAIN = {
    "B2": "forest",
    "B3": "forest",
    "C3": "rough",
    "C4": "rough",
    "D5": "valley",
    "A1": "marsh",
    "B4": "city",
}
_TOWNS = {"B4": ("Großstadt", 3, 4), "C2": ("Saint-Élie", 2, 2), "A5": ("Weiler", 0, 0), "D3": ("Marktplatz", 1, 0)}


PLACES = tuple(f"{row}{column}" for row in "DCBA" for column in range(1, 6))
GRID = Grid.of(map(PlaceId, PLACES))


def place(word: str) -> PlaceId:
    return PlaceId(word)


def middle(word: str) -> tuple[float, float]:
    return GRID.middles[place(word)]


def ground(word: str) -> Ground:
    name, importance, points = _TOWNS.get(word, ("", 0, 0))
    return Ground(
        id=place(word),
        at=middle(word),
        outline=GRID.outline(place(word)),
        terrain=_TERRAIN.get(word, "clear"),
        name=name,
        importance=importance,
        victory_points=points,
        fortified=word in {"C5", "D5"},
    )


def border(a: str, b: str, kind: BorderKind, *names: str) -> Border:
    return Border(place(a), place(b), kind, names)


BASE = BaseMap(
    title="Twenty hexes",
    credit="Drawn for tests.",
    scale="1 km a hex",
    grounds=tuple(ground(word) for word in PLACES),
    lines=(
        Line(place("A1"), place("B2"), LineKind.MAIN_ROAD),
        Line(place("B2"), place("C2"), LineKind.MAIN_ROAD, bridge=True),
        Line(place("C2"), place("D3"), LineKind.MAIN_ROAD),
        Line(place("B4"), place("B3"), LineKind.SECONDARY_ROAD),
        Line(place("B3"), place("B2"), LineKind.SECONDARY_ROAD),
    ),
    borders=(
        border("C1", "B1", BorderKind.GREAT_RIVER, "Strom"),
        border("C1", "B2", BorderKind.GREAT_RIVER, "Strom"),
        border("C2", "B2", BorderKind.GREAT_RIVER, "Strom"),
        border("C2", "B3", BorderKind.GREAT_RIVER, "Strom"),
        border("B3", "B4", BorderKind.RIVER, "Bach"),
        border("A3", "B4", BorderKind.RIVER, "Bach"),
        border("D4", "D5", BorderKind.FRONTIER),
        border("C4", "D5", BorderKind.FRONTIER),
        border("A4", "A5", BorderKind.CLOSED),
    ),
    entries=(
        Entry(place("D1"), "Norden", BLUE),
        Entry(place("C5"), "Osten", RED),
        Entry(place("A3"), "Süden", RED),
        Entry(place("B1"), "Westen", BLUE),
    ),
    margin=tuple(MarginLabel(row, (middle(f"{row}1")[0] - 1.4, middle(f"{row}1")[1])) for row in "ABCD"),
    sides=(RED, BLUE),
)


def counter(at: str, label: str = "1 Pz", side: SideId = RED, **changes: object) -> Counter:
    fields: dict[str, object] = {
        "unit": UnitId(f"{side}-{label}"),
        "at": place(at),
        "side": side,
        "label": label,
        "name": f"{label} of {side}",
        "branch": Branch.ARMOR,
        "echelon": Echelon.DIVISION,
        "small": False,
        "strength": 100,
        "movement": 4,
    }
    return Counter(**(fields | changes))  # type: ignore[arg-type]


def sighting(at: str, label: str = "", branch: Branch | None = Branch.INFANTRY) -> Sighting:
    return Sighting(place(at), BLUE, branch, label)


def arrow(kind: ArrowKind, *path: str, side: SideId = RED) -> Arrow:
    return Arrow(kind, side, tuple(place(word) for word in path))


def trace(*path: str, barred: tuple[str, ...] = (), side: SideId = RED) -> Trace:
    """A way that is barred in its last place, or in those named."""
    return Trace(side, "1 Pz", tuple(map(place, path)), tuple(map(place, barred or path[-1:])))


def flight(at: str, kind: FlightKind = FlightKind.INTERDICTION, side: SideId = BLUE, **changes: object) -> Flight:
    return Flight(place(at), kind, side, **({"units": 2} | changes))  # type: ignore[arg-type]


def table(key: str, *rows: tuple[str, ...]) -> Panel:
    return Panel(key, key.title(), (), rows, on_map=True)


RED_VIEW = View(
    audience=Audience(RED),
    audience_title="Red side",
    campaign="Herbstübung",
    date="16 December 1944",
    stop="Red battles",
    next_stop="Blue sheet",
    counters=(
        counter("C4", "1 Pz", strength=85, states=(UnitState.UNSUPPLIED, UnitState.FOUGHT)),
        counter("D4", "2 VG", branch=Branch.INFANTRY, states=(UnitState.REDUCED, UnitState.MOVED)),
        counter("D4", "Kdo 7", branch=Branch.COMMANDO, echelon=Echelon.TEAM),
    ),
    sightings=(sighting("C3", "4 Inf"), sighting("B4"), sighting("A1", branch=None)),
    markers=(
        Marker(place("B4"), MarkerKind.OBJECTIVE, BLUE, 4),
        Marker(place("C2"), MarkerKind.OBJECTIVE, RED, 2, taken_from=BLUE),
        Marker(place("A3"), MarkerKind.DEPOT, None, 3),
        Marker(place("C2"), MarkerKind.CAPTURED_DEPOT, RED),
        Marker(place("C3"), MarkerKind.BATTLE, RED, text="1"),
    ),
    arrows=(
        arrow(ArrowKind.ATTACK, "C4", "C3"),
        arrow(ArrowKind.MOVE, "D2", "D3", "D4"),
        arrow(ArrowKind.STOPPED, "A5", "A4"),
        arrow(ArrowKind.ADVANCE, "B5", "C5"),
        arrow(ArrowKind.RETREAT, "B4", "B3", side=BLUE),
    ),
    traces=(trace("C4", "B4"), trace("A5", "B5", "B4")),
    flights=(
        flight("C4"),
        flight("C3", FlightKind.CLOSE_SUPPORT, RED, units=1),
        flight("D3", sortie=Sortie.FAILED),
        flight("A1", FlightKind.SUPPLY_DROP, RED, sortie=Sortie.PLANNED),
        flight("D1", FlightKind.PARADROP, RED, units=0),
    ),
    front=((place("C4"), place("C3")), (place("C4"), place("B4")), (place("D4"), place("C3"))),
    panels=(table("weather", ("Sky", "Snow")), table("fuel", ("Reserve", "12"))),
)

EMPTY = View(audience=GM, audience_title="GM", campaign="", date="", stop="", next_stop="")
