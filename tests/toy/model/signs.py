"""The signs of the Estuary. No other ruleset has marines."""

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
from tests.toy.model.state import FULL_STRENGTH

CAUSEWAY = Sign("causeway", "track", "Causeway")
WATER = Sign("water", "river", "Water")
BATTALION = Sign("battalion", "battalion", "Battalion")
MARINES = Sign("marines", "anchor", "Marine infantry")
SPENT = Condition("spent", "wedge", "Has acted")
STEPS = FigureSign("steps", "strength {}", "strength {}", "{} steps", 2, Corner.LEFT, FULL_STRENGTH, "Steps, in stacks")
OBJECTIVE = MarkerSign(
    "objective",
    "flag",
    (("objective, {value} points",), ("{side}",)),
    samples=(Sample("{side} objective", "2", Holder.EACH),),
)
ATTACK = MarkerSign("attack", "burst", (("attack by {side}",),), layer=Layer.FIGHTS, samples=(Sample("Attack"),))
MOVE = ArrowSign("move", "move", "Move")
STOPPED = ArrowSign("stopped", "stopped", "Stopped", reads="move stopped")
ASSAULT = ArrowSign("attack", "attack", "Attack", Layer.FIGHTS)

SIGNS = Signs(
    lands=tuple(Sign(key, key, key.capitalize()) for key in ("clear", "rough", "marsh")),
    lines=(CAUSEWAY,),
    borders=(WATER,),
    arms=(MARINES,),
    sizes=(BATTALION,),
    conditions=(SPENT,),
    figures=(STEPS,),
    markers=(OBJECTIVE, ATTACK),
    arrows=(MOVE, STOPPED, ASSAULT),
    place=("area", "areas"),
    control="{side} place",
    sighted="sighted only",
)
