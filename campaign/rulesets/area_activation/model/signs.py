"""The signs of the maps of areas."""

from campaign.engine.display.signs import (
    ArrowSign,
    Condition,
    Corner,
    FigureSign,
    Holder,
    Layer,
    MarkerSign,
    Sample,
    Sign,
    Signs,
)
from campaign.rulesets.area_activation.model.game_data import PEOPLE, Kind, Terrain

ACTED = Condition("acted", "wedge", "Has acted")
UNSUPPLIED = Condition("unsupplied", "disc", "Out of supply", "U")
UNFUELLED = Condition("unfuelled", "block", "Short of fuel", "F")

STRENGTH = FigureSign("strength", "strength {}", "{}", "Strength", 4, Corner.LEFT)
CHANCE = FigureSign("chance", "hits with {} or less", "hits {}", "Hits with this or less", 3, Corner.RIGHT)

OBJECTIVE = MarkerSign(
    key="objective",
    symbol="flag",
    reads=(("worth {value} point{s}",), ("held by {people}",)),
    samples=(Sample("{side} space with points", "2", Holder.EACH), Sample("Just taken", "3", Holder.TAKER)),
)
COMBAT = MarkerSign(
    key="combat",
    symbol="burst",
    reads=(("combat",), ("attacked by {people}, won by {winners}", "attacked by {people}")),
    layer=Layer.FIGHTS,
    samples=(Sample("Combat"), Sample("{side} victory", holder=Holder.WINNER)),
)

MOVE = ArrowSign("move", "move", "Move")
STRATEGIC = ArrowSign("strategic", "advance", "Strategic move")
RETREAT = ArrowSign("retreat", "retreat", "Retreat", Layer.FIGHTS)
BREAKTHROUGH = ArrowSign("breakthrough", "attack", "Breakthrough", Layer.FIGHTS)

ROAD = Sign("road", "road", "Road")
RIVER = Sign("river", "river", "River")
GREAT_RIVER = Sign("great_river", "great_river", "Meuse")

SIGNS = Signs(
    lands=(
        Sign(Terrain.CLEAR.value, "clear", "Clear"),
        Sign(Terrain.BROKEN.value, "rough", "Broken"),
        Sign(Terrain.WOODS.value, "woods", "Woods"),
        Sign(Terrain.FOREST.value, "forest", "Forest"),
    ),
    lines=(ROAD,),
    borders=(RIVER, GREAT_RIVER),
    arms=(
        Sign(Kind.INFANTRY.value, "infantry", "Infantry"),
        Sign(Kind.MECHANIZED.value, "mechanized", "Mechanized"),
        Sign(Kind.ARMOR.value, "armour", "Armor"),
    ),
    conditions=(UNSUPPLIED, UNFUELLED, ACTED),
    figures=(STRENGTH, CHANCE),
    markers=(OBJECTIVE, COMBAT),
    arrows=(MOVE, STRATEGIC, RETREAT, BREAKTHROUGH),
    people=tuple(PEOPLE.items()),
    place=("space", "spaces"),
    control="{side} space",
    noted=("2/1", "Defence if held/if not"),
)
