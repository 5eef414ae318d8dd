"""The signs of the Estuary. No other ruleset has marines."""

from campaign.engine.display.signs import (
    ArrowKind,
    Condition,
    Corner,
    Echelon,
    FigureSign,
    Holder,
    Layer,
    MarkerSign,
    Sample,
    Sign,
    Signs,
)
from tests.toy.state import FULL_STRENGTH

CAUSEWAY = Sign("causeway", "track", "Causeway")
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

SIGNS = Signs(
    lands=tuple(Sign(key, key, key.capitalize()) for key in ("clear", "rough", "marsh")),
    lines=(CAUSEWAY,),
    arms=(MARINES,),
    sizes=(Echelon.BATTALION,),
    conditions=(SPENT,),
    figures=(STEPS,),
    markers=(OBJECTIVE, ATTACK),
    arrows=(ArrowKind.MOVE, ArrowKind.STOPPED, ArrowKind.ATTACK),
    place=("area", "areas"),
    control="Held",
    sighted="sighted only",
)
