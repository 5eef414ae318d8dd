"""A slice and what its audience was told, as a View: all that maps, reports, mails and pages may show of them."""

from collections.abc import Iterator, Sequence
from typing import Any

from campaign.engine.facts import Fact, Told
from campaign.engine.ids import GM, PUBLIC, Audience, PlaceId, SideId
from campaign.engine.views import (
    Arrow,
    ArrowKind,
    Branch,
    Counter,
    LogLine,
    Marker,
    MarkerKind,
    Panel,
    Sighting,
    UnitState,
    View,
)
from campaign.rulesets.forum_campaign.describe import describe, section_titles
from campaign.rulesets.forum_campaign.facts import Advanced, Moved, Retreated, Turned
from campaign.rulesets.forum_campaign.front import front
from campaign.rulesets.forum_campaign.sentences import SIDE_NAMES
from campaign.rulesets.forum_campaign.sequence import PHASES
from campaign.rulesets.forum_campaign.state import DepotStatus, Own, State, Unit, UnitType, on_map
from campaign.rulesets.forum_campaign.theatre import GERMAN, SIDES, Theatre, enemy_of
from campaign.rulesets.forum_campaign.victory import victory_points

_TITLES = {phase.key: phase.title for phase in PHASES}
_AUDIENCES = {GM: "GM", PUBLIC: "Public"}
_BRANCHES = {
    UnitType.ARMOUR: Branch.ARMOR,
    UnitType.INFANTRY: Branch.INFANTRY,
    UnitType.PANZERGRENADIER: Branch.MECHANIZED,
    UnitType.COMMANDO: Branch.COMMANDO,
    UnitType.CONTACT: None,
}
"""R15.2 The symbol of an enemy whose type alone is made out."""


def show(theatre: Theatre, known: State, audience: Audience, told: Sequence[Told[Any]]) -> View:
    """Everything an audience may be shown of the stop that was just resolved. `known` is its slice."""
    new = {line.face.unit for line in told if isinstance(line.face, Moved) and line.face.start is None}
    return View(
        audience=audience,
        audience_title=_AUDIENCES.get(audience) or f"{SIDE_NAMES[SideId(audience)]} side",
        campaign=theatre.title,
        date=f"{known.open.date:%-d %B %Y}",
        stop=_resolved_stop(known, told),
        next_stop="" if known.open.ended else _TITLES[known.open.phase],
        counters=tuple(
            _counter(unit, place, side, is_new=unit.id in new)
            for side, own in known.own.items()
            for unit, place in on_map(own)
        ),
        sightings=(*_sightings(known), *_contacts(known, told)),
        markers=tuple(_markers(theatre, known)),
        arrows=(*_arrows(told), *_attacks(known)),
        front=front(theatre, known),
        panels=tuple(_panels(theatre, known)),
        log=tuple(_log(theatre, known, told)),
    )


def _resolved_stop(known: State, told: Sequence[Told[Any]]) -> str:
    """The stop is called after its first phase, with its day if that is not today any more."""
    if not told:
        return ""
    dates = [line.face.date for line in told if isinstance(line.face, Turned)]
    earlier = f" of {dates[0]:%-d %B}" if dates and dates[0] != known.open.date else ""
    return _TITLES[told[0].phase] + earlier


# --- on the map ------------------------------------------------------------------------------------------------------


def _counter(unit: Unit, place: PlaceId, side: SideId, *, is_new: bool) -> Counter:
    states = {
        UnitState.UNSUPPLIED: not unit.supplied,
        UnitState.MOVED: unit.moved,
        UnitState.FOUGHT: unit.fought,
        UnitState.REDUCED: unit.small and not unit.small_from_start,
        UnitState.NEW: is_new,
    }
    return Counter(
        unit=unit.id,
        at=place,
        side=side,
        label=unit.label,
        name=unit.name,
        branch=unit.branch,
        echelon=unit.echelon,
        small=unit.small,
        strength=unit.strength,
        movement=unit.movement,
        states=tuple(state for state, applies in states.items() if applies),
    )


def _sightings(known: State) -> Iterator[Sighting]:
    """The enemy as one side sees it. The GM sees both sides' counters instead."""
    if len(known.own) != 1:
        return
    for side, own in known.own.items():
        for seen in own.sightings:
            yield Sighting(seen.at, enemy_of(side), seen.branch or _BRANCHES[seen.type], seen.label, seen.echelon)


def _contacts(known: State, told: Sequence[Told[Any]]) -> Iterator[Sighting]:
    """R4.7 What own units have run into without making it out."""
    if len(known.own) != 1:
        return
    ((side, own),) = known.own.items()
    met = {line.face.met for line in told if isinstance(line.face, Moved) and line.face.met is not None}
    for place in sorted(met - {seen.at for seen in own.sightings}):
        yield Sighting(place, enemy_of(side), None)


def _markers(theatre: Theatre, known: State) -> Iterator[Marker]:
    for place, side in sorted(known.open.control.items()):
        yield Marker(place, MarkerKind.OBJECTIVE, side, theatre.hexes[place].victory_points)
    for place, status in sorted(known.open.depots.items()):
        if status is DepotStatus.INTACT:
            yield Marker(place, MarkerKind.DEPOT, value=theatre.hexes[place].depot)
        elif status is DepotStatus.CAPTURED:
            yield Marker(place, MarkerKind.CAPTURED_DEPOT, GERMAN)
    for battle in known.open.battles:
        yield Marker(battle.at, MarkerKind.BATTLE, battle.attacker)


def _arrows(told: Sequence[Told[Any]]) -> Iterator[Arrow]:
    for line in told:
        yield from _arrows_of(line.face)


def _attacks(known: State) -> Iterator[Arrow]:
    """The attacks of units that the audience knows, on the battles that wait for results."""
    for battle in known.open.battles:
        own = known.own.get(battle.attacker)
        units = [] if own is None else [own.units.get(fighter.unit) for fighter in battle.attackers]
        for unit in units:
            if unit is not None and unit.at is not None:
                yield Arrow(ArrowKind.ATTACK, battle.attacker, (unit.at, battle.at))


def _arrows_of(face: Fact) -> Iterator[Arrow]:
    match face:
        case Moved(side=side, path=path) if path:
            start = () if face.start is None else (face.start,)
            yield Arrow(ArrowKind.STOPPED if face.halt else ArrowKind.MOVE, side, (*start, *path))
        case Retreated():
            yield Arrow(ArrowKind.RETREAT, face.side, (face.start, face.to))
        case Advanced():
            yield Arrow(ArrowKind.ADVANCE, face.side, (face.start, face.to))


# --- beside the map --------------------------------------------------------------------------------------------------


def _panels(theatre: Theatre, known: State) -> Iterator[Panel]:
    weather = known.open.weather
    if weather is not None:
        rows = (
            ("Weather", weather.condition.value),
            ("Allied air", f"{weather.allied_air:+d}"),
            ("German air", f"{weather.german_air:+d}"),
        )
        yield Panel("weather", "Weather", (), rows)
    yield Panel("fuel", "German fuel", (), (("Reserve", f"{known.open.fuel} points"),))
    points = victory_points(theatre, known.open.control)
    yield Panel("vp", "Victory points", (), tuple((SIDE_NAMES[side], str(points[side])) for side in SIDES))
    for side, own in known.own.items():
        yield Panel(f"forces-{side}", f"{SIDE_NAMES[side]} order of battle", _FORCES_HEAD, tuple(_forces(own)))
        if coming := tuple(_coming(own)):
            yield Panel(f"arrivals-{side}", f"{SIDE_NAMES[side]} reinforcements", ("Unit", "Date", "Enters at"), coming)


_FORCES_HEAD = ("Unit", "Hex", "Strength", "MP", "State", "Army", "Corps")


def _forces(own: Own) -> Iterator[tuple[str, ...]]:
    for unit, place in sorted(on_map(own), key=lambda pair: (pair[0].army, pair[0].corps, pair[0].label)):
        state = ", ".join(
            word
            for word, applies in (
                ("unsupplied", not unit.supplied),
                ("reduced", unit.small and not unit.small_from_start),
                ("small", unit.small_from_start),
            )
            if applies
        )
        yield unit.label, place, f"{unit.strength} %", str(unit.movement), state, unit.army, unit.corps


def _coming(own: Own) -> Iterator[tuple[str, ...]]:
    waiting = [unit for unit in own.units.values() if unit.at is None and unit.arrives is not None]
    for unit in sorted(waiting, key=lambda unit: (str(unit.arrives), unit.label)):
        yield unit.label, f"{unit.arrives:%-d %B}", unit.entry or ""


def _log(theatre: Theatre, known: State, told: Sequence[Told[Any]]) -> Iterator[LogLine]:
    titles = section_titles(told)
    for line, title in zip(told, titles, strict=True):
        sentence = describe(theatre, known, line)
        if sentence is not None:
            yield LogLine(title, sentence.text, line.rule, sentence.reasons, sentence.at)
