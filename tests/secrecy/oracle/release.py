"""Who is told what, by the release table in RULES and the reference: each fact as each audience may be told it.

A fact is plain JSON with its kind in `type`. Audiences are sides and `public`; the game master is told everything.
"""

from collections.abc import Callable, Mapping
from typing import Any

from tests.secrecy.oracle.chosen import chosen
from tests.secrecy.oracle.ground import Ground
from tests.secrecy.oracle.purposes import purpose_of
from tests.secrecy.oracle.sight import memories, positions, sightings

Json = dict[str, Any]
PUBLIC = "public"
SIDES = ("german", "allied")
EVERYONE = (*SIDES, PUBLIC)

_TO_EVERYONE = """
    Turned WeatherSet Forecast FuelReceived FuelSet DepotSet BattleOpened Destroyed DepotCaptured Controlled
    CampaignEnded AirAvailable AirAllocated SuperiorityWon AirRemoved
"""
_TO_ITS_SIDE = """
    Moved UnitPlaced AttackLapsed Weakened StrengthSet Retreated Advanced CutOff Resupplied Noted MissionsPlanned
    AirDropped Landed CommandosGone Detached Rejoined TaskForceDenied Resized CloseSupport ArtilleryNamed Supported
    Following Followed Beaten Pursued AdvanceOrdered TanksLost Absorbed Reinforced Dug PositionGone
    DemolitionPaid UnitAdded UnitRemoved TanksSet GoodsSet LineWritten LineStruck
"""


def told(fact: Json, truth: Json, ground: Ground) -> dict[str, Json]:
    """The fact as each audience may be told it; an audience that may not know of it is missing.

    `truth` is the position before the fact. Raises KeyError for a kind that the release table does not have.
    """
    return _TABLE[fact["type"]](fact, truth, ground)


def _everyone(fact: Json, _truth: Json, _ground: Ground) -> dict[str, Json]:
    return dict.fromkeys(EVERYONE, fact)


def _its_side(fact: Json, _truth: Json, _ground: Ground) -> dict[str, Json]:
    return {fact["side"]: fact}


def _both(fact: Json, _truth: Json, _ground: Ground) -> dict[str, Json]:
    """R11.3 A search for a commando."""
    return dict.fromkeys(SIDES, fact)


def _plotted(fact: Json, _truth: Json, _ground: Ground) -> dict[str, Json]:
    """R4.5, R4.7 The path only: whether it meets a zone of control may be an enemy's that nobody has seen."""
    return {fact["side"]: fact | {"contact": False}}


def _germans_know_why(fact: Json, _truth: Json, _ground: Ground) -> dict[str, Json]:
    """R9.6, R10.4 Everyone is told the result; the reasons speak of what only the Germans know."""
    return dict.fromkeys(("allied", PUBLIC), fact | {"reasons": []}) | {"german": fact}


def _fought(fact: Json, _truth: Json, _ground: Ground) -> dict[str, Json]:
    """R12.11 Ruling 63: each side is told how its own strength was worked out, everyone who won."""
    reasons = fact["reasons"]
    own = {side: {side: reasons[side]} if side in reasons else {} for side in SIDES}
    return {who: fact | {"reasons": own.get(who, {})} for who in EVERYONE}


def _ruled(fact: Json, truth: Json, _ground: Ground) -> dict[str, Json]:
    """R15.6 Everyone is told that the GM decides, who wins and of a withdrawal; each side what its own units suffer."""

    def part(who: str) -> Json:
        own = truth["own"][who]["units"] if who in truth["own"] else {}
        parts = {name: {unit: what for unit, what in fact[name].items() if unit in own}
                 for name in ("losses", "retreats", "tanks", "pursuers")}  # fmt: skip
        return fact | parts | {"advance": fact["advance"] if fact["advance"] in own else None}

    return {who: part(who) for who in EVERYONE}


def _defeated(fact: Json, truth: Json, ground: Ground) -> dict[str, Json]:
    """R12.5 Ruling 54: everyone is told who is left, and whether they may have a choice, by what everyone knows."""
    choice = ground.leaves_a_choice(fact["battle"], truth["open"])
    return dict.fromkeys(EVERYONE, fact | {"choice": choice})


def _interdicted(fact: Json, _truth: Json, _ground: Ground) -> dict[str, Json]:
    """R3.9 The Allies: where and whether; the Germans only if it succeeded, with the unit."""
    allied = {"allied": fact | {"side": None, "unit": None}}
    return allied | ({"german": fact} if fact["success"] else {})


def _scouted(_fact: Json, truth: Json, ground: Ground) -> dict[str, Json]:
    """R15.1 Each side its own view, worked out anew from where the units are: the fact is not asked."""
    views, kept = {}, chosen(truth["open"], "last_known") == "kept"
    for side in SIDES:
        seen = sightings(truth, side, ground)
        views[side] = {
            "type": "Scouted",
            "sightings": {side: seen},
            "positions": {side: positions(truth, side, ground)},
            "last_seen": {side: memories(truth, side, ground, seen)} if kept else {},
        }
    return views


def _rolled(fact: Json, truth: Json, ground: Ground) -> dict[str, Json]:
    """The audience that the rules name for this die and what it is for, whatever the fact says."""
    who = who_sees_the_die(fact["label"], truth, ground)
    return dict.fromkeys(who, fact | {"purpose": purpose_of(fact["label"], truth, ground)}) if who else {}


def who_sees_the_die(label: str, truth: Json, ground: Ground) -> tuple[str, ...]:
    """Who may see a roll, by the first word of its label; raises KeyError for one that the rules do not have."""
    kind = label.split("/", maxsplit=1)[0]
    if kind == "demolition":  # R9.6 Ruling 39: it would reveal commandos, until they are gone
        return EVERYONE if truth["open"]["date"] > ground.commandos_until else ()
    if kind == "paratroops":  # R11.8 how they land is the Germans'; R11.9 Ruling 27: where they drift is nobody's
        return ("german",) if label == "paratroops/landing" else ()
    if kind not in _DICE:
        raise KeyError(label)
    return who_may_see(label)


def who_may_see(label: str) -> tuple[str, ...]:
    """Who may see a roll whose audience does not depend on the day."""
    return _DICE.get(label.split("/", maxsplit=1)[0], ())


_DICE: Mapping[str, tuple[str, ...]] = {
    "weather": EVERYONE,  # R2.2
    "air": EVERYONE,  # R3.1
    "interdiction": ("allied",),  # R3.9
    "commando": SIDES,  # R11.3 with the release table: both sides are told of a search
    "battle": (),  # R12.11 Ruling 63
}

_Told = Callable[[Json, Json, Ground], dict[str, Json]]
_TABLE: Mapping[str, _Told] = {
    **dict.fromkeys(_TO_EVERYONE.split(), _everyone),
    **dict.fromkeys(_TO_ITS_SIDE.split(), _its_side),
    "Rolled": _rolled,
    "Scouted": _scouted,
    "CommandoSearched": _both,
    "Plotted": _plotted,
    "FuelSpent": _germans_know_why,
    "Demolished": _germans_know_why,
    "BattleFought": _fought,
    "BattleRuled": _ruled,
    "Routed": _defeated,
    "Interdicted": _interdicted,
}
