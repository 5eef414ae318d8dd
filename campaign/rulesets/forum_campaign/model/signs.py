"""The signs of the forum campaign's maps."""

from campaign.engine.display.signs import (
    ArrowSign,
    Condition,
    Corner,
    FigureSign,
    FlightSign,
    Holder,
    Layer,
    MarkerSign,
    Sample,
    Sign,
    Signs,
)
from campaign.rulesets.forum_campaign.model.game_data import PEOPLE, Branch, Echelon, Terrain

# --- counters --------------------------------------------------------------------------------------------------------

_ARMS = (
    Sign(Branch.INFANTRY.value, "infantry", "Infantry"),
    Sign(Branch.AIRBORNE.value, "airborne", "Airborne"),
    Sign(Branch.ARMOR.value, "armour", "Armour"),
    Sign(Branch.MECHANIZED.value, "mechanized", "Mechanized"),
    Sign(Branch.COMMANDO.value, "dagger", "Commando"),
)

_SIZES = tuple(Sign(each.value, each.value, each.value.capitalize()) for each in Echelon if each.value)

UNSUPPLIED = Condition("unsupplied", "disc", "Unsupplied", "U")
OUT_OF_FUEL = Condition("out_of_fuel", "block", "Out of fuel", "F")
"""R10.7 It was to move in the phase shown, and there was no fuel for it."""
FOUGHT = Condition("fought", "spark", "Has fought")
MOVED = Condition("moved", "wedge", "Has moved")
NEW = Condition("new", "plus", "New")
"""It came onto the map in the phase shown."""
REDUCED = Condition("reduced", "bracket", "Task force")
"""R8 Fallen to task force size by losses."""
DUG_IN = Condition("dug_in", "earthwork", "Dug-in")
ENTRENCHED = Condition("entrenched", "deep_earthwork", "Entrenched")
"""R13 Its place is prepared for defence, lightly or well."""

STRENGTH = FigureSign(
    key="strength",
    words="{} % strength",
    briefly="{} %",
    legend="{} % strength",
    sample=85,
    corner=Corner.LEFT,
    full=100,
    gauge="Strength, in stacks",
)
MOVEMENT = FigureSign("movement", "moves {}", "moves {}", "{} MP", 3, Corner.RIGHT)

# --- markers ---------------------------------------------------------------------------------------------------------

_FUEL = (("{value} fuel point{s}",), ("{side}",))

DEPOT = MarkerSign("depot", "can", (("fuel depot",), *_FUEL), samples=(Sample("Fuel depot", "3"),))
CAPTURED_DEPOT = MarkerSign(
    key="captured_depot",
    symbol="hollow_can",
    reads=(("captured depot",), *_FUEL),
    samples=(Sample("Captured depot"), Sample("Just captured", holder=Holder.TAKER)),
)
DESTROYED_DEPOT = MarkerSign(
    "destroyed_depot", "crossed_can", (("destroyed depot",), *_FUEL), samples=(Sample("Destroyed depot"),)
)
POSITION = MarkerSign(
    key="position",
    symbol="earthwork",
    reads=(("{side} position", "a position"), ("{level}", "dug-in")),
    levels=("dug-in", "entrenched"),
    samples=(Sample("Dug-in, sighted", "1"), Sample("Entrenched, sighted", "2")),
)
"""R13 An enemy's place that is prepared for defence; its value says how deep."""
OBJECTIVE = MarkerSign(
    key="objective",
    symbol="flag",
    reads=(("objective {value} VP", "objective"), ("held by {people}",)),
    samples=(Sample("{side} objective", "2", Holder.EACH), Sample("Just taken", "4", Holder.TAKER)),
)
BATTLE = MarkerSign(
    key="battle",
    symbol="burst",
    reads=(
        ("battle {text}", "battle"),
        ("attacked by {people}, won by {winners}", "won by {winners}", "attacked by {people}"),
    ),
    layer=Layer.FIGHTS,
    samples=(Sample("Battle, undecided"), Sample("{side} victory", holder=Holder.WINNER)),
)

# --- in the air ------------------------------------------------------------------------------------------------------

INTERDICTION = FlightSign(
    "interdiction", "aircraft", "Interdiction", sample=Sample("Air units over it", "2", Holder.SECOND)
)
CLOSE_SUPPORT = FlightSign("close_support", "aircraft", "Close air support", in_battle=True)
SUPPLY_DROP = FlightSign("supply_drop", "crate", "Supply by air", sample=Sample("Supply by air", "2", Holder.SECOND))
PARADROP = FlightSign("paradrop", "jumper", "Paratroops", sample=Sample("Paratroops", holder=Holder.FIRST))

PLANNED = Sign("planned", "hollow", "Planned")
FLOWN = Sign("flown", "solid", "")
FAILED = Sign("failed", "struck", "Without success")

# --- what happened on the ground --------------------------------------------------------------------------------------

MOVE = ArrowSign("move", "move", "Move")
STOPPED = ArrowSign("stopped", "stopped", "Stopped", reads="move stopped")
ATTACK = ArrowSign("attack", "attack", "Attack", Layer.FIGHTS)
ADVANCE = ArrowSign("advance", "advance", "Advance", Layer.FIGHTS)
RETREAT = ArrowSign("retreat", "retreat", "Retreat", Layer.FIGHTS)

# --- all -------------------------------------------------------------------------------------------------------------

MAIN_ROAD = Sign("main_road", "road", "Main road")
SECONDARY_ROAD = Sign("secondary_road", "track", "Secondary road")
RIVER = Sign("river", "river", "River")
GREAT_RIVER = Sign("great_river", "great_river", "Great river")
FRONTIER = Sign("frontier", "frontier", "Frontier")
CLOSED = Sign("closed", "closed", "Closed side")

SIGNS = Signs(
    lands=(
        Sign(Terrain.CLEAR.value, "clear", "Clear"),
        Sign(Terrain.VALLEY.value, "valley", "Valley"),
        Sign(Terrain.ROUGH.value, "rough", "Rough"),
        Sign(Terrain.FOREST.value, "forest", "Forest"),
        Sign(Terrain.MARSH.value, "marsh", "Marsh"),
        Sign(Terrain.CITY.value, "city", "City"),
    ),
    lines=(MAIN_ROAD, SECONDARY_ROAD),
    borders=(RIVER, GREAT_RIVER, FRONTIER, CLOSED),
    arms=_ARMS,
    sizes=_SIZES,
    conditions=(UNSUPPLIED, OUT_OF_FUEL, FOUGHT, MOVED, NEW, REDUCED, DUG_IN, ENTRENCHED),
    figures=(STRENGTH, MOVEMENT),
    markers=(OBJECTIVE, DEPOT, CAPTURED_DEPOT, DESTROYED_DEPOT, POSITION, BATTLE),
    flights=(INTERDICTION, CLOSE_SUPPORT, SUPPLY_DROP, PARADROP),
    sorties=(PLANNED, FLOWN, FAILED),
    arrows=(MOVE, STOPPED, ATTACK, ADVANCE, RETREAT),
    people=tuple(PEOPLE.items()),
    place=("hex", "hexes"),
    fortified="Fortified",
    front="Front",
    barred="Supply blocked",
    sighted="sighted only",
    age="day",
)
