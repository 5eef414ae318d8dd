"""The sentences of reports about units, except moves and fights."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from campaign.engine.display.sentences import Sentence
from campaign.engine.values.modifiers import explain
from campaign.rulesets.forum_campaign.day.digging import LEVELS
from campaign.rulesets.forum_campaign.disclosure.sentences import Speaker
from campaign.rulesets.forum_campaign.model.facts.battle import (
    Absorbed,
    AdvanceOrdered,
    ArtilleryNamed,
    Defeated,
    Pursued,
    Supported,
    TanksLost,
)
from campaign.rulesets.forum_campaign.model.facts.day import Demolished, DemolitionPaid, Dug, PositionGone, Reinforced
from campaign.rulesets.forum_campaign.model.facts.movement import (
    CommandoSearched,
    CommandosGone,
    Detached,
    Followed,
    Following,
    Plotted,
    Rejoined,
    Resized,
    TaskForceDenied,
)
from campaign.rulesets.forum_campaign.model.facts.muster import (
    GoodsSet,
    LineStruck,
    LineWritten,
    TanksSet,
    UnitAdded,
    UnitRemoved,
)
from campaign.rulesets.forum_campaign.model.game_data import Goods
from campaign.rulesets.forum_campaign.model.ledger import LedgerLine, LineKind, extras, in_words
from campaign.rulesets.forum_campaign.model.reasons import REFUSAL_REASONS
from campaign.rulesets.forum_campaign.model.state import TankLosses, Unit
from campaign.rulesets.forum_campaign.model.words import counted, listed, received, tanks_in_words


def _searched(speaker: Speaker, fact: CommandoSearched) -> Sentence:
    outcome = "is found and eliminated" if fact.eliminated else "is not found"
    return Sentence(f"Commando {fact.label} at {speaker.place(fact.at)} {outcome}", (), (fact.at,))


def _gone(speaker: Speaker, fact: CommandosGone) -> Sentence:
    labels = listed([speaker.unit(fact.side, unit) for unit in fact.units])
    verb = "leaves" if len(fact.units) == 1 else "leave"
    return Sentence(f"The last day of the commandos is over: {labels} {verb} the map")


def _demolished(speaker: Speaker, fact: Demolished) -> Sentence:
    place = speaker.place(fact.place)
    text = (
        f"The Allies destroy the depot at {place}"
        if fact.destroyed
        else f"The Allies fail to destroy the depot at {place}"
    )
    return Sentence(text, explain(fact.reasons), (fact.place,))


def _detached(speaker: Speaker, fact: Detached) -> Sentence:
    force = fact.task_force
    tanks = f" and {counted(force.tanks, 'tank')}" if force.tanks else ""
    return Sentence(f"{speaker.unit(fact.side, fact.parent)} detaches {force.label} with {force.strength} %{tanks}")


def _rejoined(speaker: Speaker, fact: Rejoined) -> Sentence:
    return Sentence(f"{speaker.unit(fact.side, fact.unit)} rejoins {speaker.unit(fact.side, fact.parent)}")


def _denied(speaker: Speaker, fact: TaskForceDenied) -> Sentence:
    verb = "does not rejoin" if speaker.record(fact.side, fact.unit).parent else "detaches no task force"
    return Sentence(f"{speaker.unit(fact.side, fact.unit)} {verb}: {REFUSAL_REASONS[fact.refusal_reason]}")


def _resized(speaker: Speaker, fact: Resized) -> Sentence:
    size = "counts as small now" if fact.small else "counts as full size again"
    return Sentence(f"{speaker.unit(fact.side, fact.unit)} {size}")


def _plotted(speaker: Speaker, fact: Plotted) -> Sentence:
    text = f"{speaker.unit(fact.side, fact.unit)} saves movement to go on to {fact.path[-1]} after the battles"
    return Sentence(text, (), fact.path)


def _artillery(speaker: Speaker, fact: ArtilleryNamed) -> Sentence:
    if not fact.units:
        return Sentence("No battle gets heavy artillery")
    units = ", ".join(speaker.unit(fact.side, unit) for unit in fact.units)
    return Sentence(f"Heavy artillery, in this order, for the battles of: {units}")


def _supported(speaker: Speaker, fact: Supported) -> Sentence:
    units = fact.support.air_units
    planes = units * speaker.game_data.charts.air.planes
    parts = [f"{counted(units, 'air unit')} ({counted(planes, 'plane')})"] if units else []
    parts += ["heavy artillery"] if fact.support.artillery else []
    return Sentence(f"Support at {speaker.place(fact.at)}: {' and '.join(parts)}", (), (fact.at,))


def _following(speaker: Speaker, fact: Following) -> Sentence:
    leader = speaker.unit(fact.side, fact.leader)
    until = f", as far as {speaker.place(fact.until)}" if fact.until else ""
    return Sentence(f"{speaker.unit(fact.side, fact.unit)} goes with {leader} if it advances{until}")


def _followed(speaker: Speaker, fact: Followed) -> Sentence:
    text = f"Commando {speaker.unit(fact.side, fact.unit)} goes with them from {fact.start} to {speaker.place(fact.to)}"
    return Sentence(text, (), (fact.start, fact.to))


def _defeated(speaker: Speaker, fact: Defeated) -> Sentence | None:
    """None if the retreat follows at once: it has its own sentence."""
    if not speaker.known.open.options.separate_retreats or fact.wanted is not None:
        return None
    return Sentence(f"{speaker.unit(fact.side, fact.unit)} is defeated and must retreat")


def _advance_ordered(speaker: Speaker, fact: AdvanceOrdered) -> Sentence | None:
    """The same for a victor's advance."""
    if not speaker.known.open.options.separate_retreats:
        return None
    moves = [f"{speaker.unit(fact.side, fact.unit)} advances"] if fact.unit else []
    moves += [f"{speaker.unit(fact.side, unit)} pursues to {speaker.place(to)}" for unit, to in fact.pursuers.items()]
    return Sentence(f"After the victory at {speaker.place(fact.at)}: {'; '.join(moves)}")


def _tanks_lost(speaker: Speaker, fact: TanksLost) -> Sentence:
    lost = tanks_in_words(TankLosses(fact.medium, fact.heavy))
    return Sentence(f"{speaker.unit(fact.side, fact.unit)} loses {lost}")


def _pursued(speaker: Speaker, fact: Pursued) -> Sentence:
    unit, wanted = speaker.unit(fact.side, fact.unit), speaker.place(fact.wanted)
    way = "-".join((fact.start, *fact.path))
    if not fact.path:
        return Sentence(f"{unit} stays at {fact.start}: it cannot enter {wanted}", (), (fact.start,))
    short = "" if fact.path[-1] == fact.wanted else f"; it cannot enter {wanted}"
    fuel = ", which counts as a move" if fact.counts else ""
    return Sentence(f"{unit} pursues {way}{fuel}{short}", (), (fact.start, *fact.path))


def _absorbed(speaker: Speaker, fact: Absorbed) -> Sentence:
    unit, gone = speaker.unit(fact.side, fact.unit), speaker.unit(fact.side, fact.remains_of)
    cost = f"{counted(fact.debt, 'movement point')} {'less' if fact.debt == 1 else 'fewer'} next time"
    came = "".join(f"; it gets {line.text}" for line in _extras_from(gone, speaker.record(fact.side, fact.unit)))
    return Sentence(f"{unit} absorbs what is left of {gone}: {fact.gained:+d} %, {cost}{came}")


def _extras_from(gone: str, unit: Unit) -> Iterator[LedgerLine]:
    """The extras that a unit has of a destroyed one, by its label."""
    return (line for line in extras(unit.ledger) if line.origin == gone)


def _reinforced(speaker: Speaker, fact: Reinforced) -> Sentence:
    unit = speaker.unit(fact.side, fact.unit)
    if fact.goods is Goods.MEN:
        return Sentence(f"{unit} receives replacements of {fact.amount} %")
    (ware,) = (ware for ware in speaker.game_data.charts.purchases.wares if ware.goods is fact.goods)
    return Sentence(f"{unit} receives {received(ware, fact.side, fact.amount)}")


def _dug(speaker: Speaker, fact: Dug) -> Sentence:
    return Sentence(f"{speaker.place(fact.at)} is {LEVELS[fact.level]}", (), (fact.at,))


def _position_gone(speaker: Speaker, fact: PositionGone) -> Sentence:
    return Sentence(f"The prepared position at {speaker.place(fact.at)} is gone", (), (fact.at,))


def _added(speaker: Speaker, fact: UnitAdded) -> Sentence:
    text = f"{fact.label} joins the campaign at {speaker.place(fact.at)} with {fact.strength} %"
    return Sentence(text, (), (fact.at,))


def _tanks_set(speaker: Speaker, fact: TanksSet) -> Sentence:
    has = tanks_in_words(TankLosses(fact.medium, fact.heavy))
    return Sentence(f"{speaker.unit(fact.side, fact.unit)} has {has} of its own")


def _goods_set(speaker: Speaker, fact: GoodsSet) -> Sentence:
    (ware,) = (ware for ware in speaker.game_data.charts.purchases.wares if ware.goods is fact.goods)
    unit = speaker.unit(fact.side, fact.unit)
    return Sentence(f"{unit} has {received(ware, fact.side, fact.amount)} besides its order of battle")


def _line_written(speaker: Speaker, fact: LineWritten) -> Sentence:
    unit, line = speaker.unit(fact.side, fact.unit), in_words(fact.line)
    return Sentence(f"{unit} gets {line}" if fact.line.kind is LineKind.EXTRA else f"ledger of {unit}: {line}")


UNIT_SENTENCES: Mapping[type, Callable[[Speaker, Any], Sentence | None]] = {
    CommandoSearched: _searched,
    CommandosGone: _gone,
    Demolished: _demolished,
    DemolitionPaid: lambda _speaker, fact: Sentence(f"The demolition costs {fact.points} of the day's purchase points"),
    Detached: _detached,
    Rejoined: _rejoined,
    TaskForceDenied: _denied,
    Resized: _resized,
    Plotted: _plotted,
    ArtilleryNamed: _artillery,
    Supported: _supported,
    Following: _following,
    Followed: _followed,
    Defeated: _defeated,
    AdvanceOrdered: _advance_ordered,
    TanksLost: _tanks_lost,
    Pursued: _pursued,
    Absorbed: _absorbed,
    Reinforced: _reinforced,
    Dug: _dug,
    PositionGone: _position_gone,
    UnitAdded: _added,
    UnitRemoved: lambda speaker, fact: Sentence(f"{speaker.unit(fact.side, fact.unit)} leaves the campaign"),
    TanksSet: _tanks_set,
    GoodsSet: _goods_set,
    LineWritten: _line_written,
    LineStruck: lambda speaker, fact: Sentence(
        f"struck from the ledger of {speaker.unit(fact.side, fact.unit)}: {in_words(fact.line)}"
    ),
}
