"""A base map of twenty hexes with a bit of everything, and views of it."""

from campaign.engine.board.hexes import Grid
from campaign.engine.display.views import (
    Arrow,
    BaseMap,
    Border,
    Counter,
    Entry,
    Figure,
    Flight,
    Ground,
    Line,
    MarginLabel,
    Marker,
    Panel,
    Sighting,
    Trace,
    View,
)
from campaign.engine.values.ids import GM, Audience, PlaceId, SideId, UnitId
from campaign.engine.values.value import replace
from campaign.rulesets.forum_campaign.model import signs
from campaign.rulesets.forum_campaign.model.game_data import Branch

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


def border(a: str, b: str, kind: str, *names: str) -> Border:
    return Border(place(a), place(b), kind, names)


BASE = BaseMap(
    title="Twenty hexes",
    credit="Drawn for tests.",
    scale="1 km a hex",
    grounds=tuple(ground(word) for word in PLACES),
    lines=(
        Line(place("A1"), place("B2"), signs.MAIN_ROAD.key),
        Line(place("B2"), place("C2"), signs.MAIN_ROAD.key, bridge=True),
        Line(place("C2"), place("D3"), signs.MAIN_ROAD.key),
        Line(place("B4"), place("B3"), signs.SECONDARY_ROAD.key),
        Line(place("B3"), place("B2"), signs.SECONDARY_ROAD.key),
    ),
    borders=(
        border("C1", "B1", signs.GREAT_RIVER.key, "Strom"),
        border("C1", "B2", signs.GREAT_RIVER.key, "Strom"),
        border("C2", "B2", signs.GREAT_RIVER.key, "Strom"),
        border("C2", "B3", signs.GREAT_RIVER.key, "Strom"),
        border("B3", "B4", signs.RIVER.key, "Bach"),
        border("A3", "B4", signs.RIVER.key, "Bach"),
        border("D4", "D5", signs.FRONTIER.key),
        border("C4", "D5", signs.FRONTIER.key),
        border("A4", "A5", signs.CLOSED.key),
    ),
    entries=(
        Entry(place("D1"), "Norden", BLUE),
        Entry(place("C5"), "Osten", RED),
        Entry(place("A3"), "Süden", RED),
        Entry(place("B1"), "Westen", BLUE),
    ),
    margin=tuple(MarginLabel(row, (middle(f"{row}1")[0] - 1.4, middle(f"{row}1")[1])) for row in "ABCD"),
    sides=(RED, BLUE),
    signs=replace(signs.SIGNS, control="{side} place"),
    subtitle="16 to 20 December 1944",
    kilometres=1 / 3**0.5,
    turns=tuple(f"{day} December 1944" for day in range(16, 21)),
)


def counter(
    at: str, label: str = "1 Pz", side: SideId = RED, *, strength: int = 100, movement: int = 4, **changes: object
) -> Counter:
    fields: dict[str, object] = {
        "unit": UnitId(f"{side}-{label}"),
        "at": place(at),
        "side": side,
        "label": label,
        "name": f"{label} of {side}",
        "branch": "armor",
        "echelon": "division",
        "small": False,
        "figures": (Figure("strength", strength), Figure("movement", movement)),
    }
    return Counter(**(fields | changes))  # type: ignore[arg-type]


def sighting(at: str, label: str = "", branch: str | None = Branch.INFANTRY.value) -> Sighting:
    return Sighting(place(at), BLUE, branch, label)


def arrow(kind: str, *path: str, side: SideId = RED) -> Arrow:
    return Arrow(kind, side, tuple(place(word) for word in path))


def trace(*path: str, barred: tuple[str, ...] = (), side: SideId = RED) -> Trace:
    """A way that is barred in its last place, or in those named."""
    return Trace(side, "1 Pz", tuple(map(place, path)), tuple(map(place, barred or path[-1:])))


def flight(at: str, kind: str = signs.INTERDICTION.key, side: SideId = BLUE, **changes: object) -> Flight:
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
        counter("C4", "1 Pz", strength=85, states=(signs.UNSUPPLIED.key, signs.FOUGHT.key)),
        counter("D4", "2 VG", branch=Branch.INFANTRY.value, states=(signs.REDUCED.key, signs.MOVED.key)),
        counter("D4", "Kdo 7", branch=Branch.COMMANDO.value, echelon="team"),
    ),
    sightings=(sighting("C3", "4 Inf"), sighting("B4"), sighting("A1", branch=None)),
    markers=(
        Marker(place("B4"), signs.OBJECTIVE.key, BLUE, 4),
        Marker(place("C2"), signs.OBJECTIVE.key, RED, 2, taken_from=BLUE),
        Marker(place("A3"), signs.DEPOT.key, None, 3),
        Marker(place("C2"), signs.CAPTURED_DEPOT.key, RED),
        Marker(place("C3"), signs.BATTLE.key, RED, text="1"),
    ),
    arrows=(
        arrow(signs.ATTACK.key, "C4", "C3"),
        arrow(signs.MOVE.key, "D2", "D3", "D4"),
        arrow(signs.STOPPED.key, "A5", "A4"),
        arrow(signs.ADVANCE.key, "B5", "C5"),
        arrow(signs.RETREAT.key, "B4", "B3", side=BLUE),
    ),
    traces=(trace("C4", "B4"), trace("A5", "B5", "B4")),
    flights=(
        flight("C4"),
        flight("C3", signs.CLOSE_SUPPORT.key, RED, units=1),
        flight("D3", sortie=signs.FAILED.key),
        flight("A1", signs.SUPPLY_DROP.key, RED, sortie=signs.PLANNED.key),
        flight("D1", signs.PARADROP.key, RED, units=0),
    ),
    front=((place("C4"), place("C3")), (place("C4"), place("B4")), (place("D4"), place("C3"))),
    control=((place("D4"), RED), (place("B4"), BLUE)),
    panels=(table("weather", ("Sky", "Snow")), table("fuel", ("Reserve", "12"))),
)

EMPTY = View(audience=GM, audience_title="GM", campaign="", date="", stop="", next_stop="")
