"""A player's state and its disclosures as a View: all that maps, reports, mails and pages may show of them."""

import datetime
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from campaign.engine.display.sentences import audience_title, headlines, log_lines
from campaign.engine.display.views import Arrow, Counter, Figure, Marker, Panel, Sighting, Trace, View
from campaign.engine.facts import Disclosure, Fact
from campaign.engine.values.ids import Audience, PlaceId, SideId, UnitId
from campaign.rulesets.forum_campaign.air.flights import flights
from campaign.rulesets.forum_campaign.air.paratroops import has_missed_its_day
from campaign.rulesets.forum_campaign.day.digging import DEEPEST, LEVELS
from campaign.rulesets.forum_campaign.day.front import front
from campaign.rulesets.forum_campaign.day.supply import Blockade, why_unsupplied
from campaign.rulesets.forum_campaign.day.victory import victory_points
from campaign.rulesets.forum_campaign.disclosure.day_chart import day_chart
from campaign.rulesets.forum_campaign.disclosure.describe import describe, section_titles
from campaign.rulesets.forum_campaign.disclosure.enemies import enemy_panels, sightings
from campaign.rulesets.forum_campaign.disclosure.headlines import HEADLINES
from campaign.rulesets.forum_campaign.disclosure.sentences import Speaker, words_of
from campaign.rulesets.forum_campaign.model import signs
from campaign.rulesets.forum_campaign.model.calendar import title_of
from campaign.rulesets.forum_campaign.model.facts.air import Landed
from campaign.rulesets.forum_campaign.model.facts.battle import Advanced, BattleFought, Pursued, Retreated
from campaign.rulesets.forum_campaign.model.facts.day import Controlled, DepotCaptured, Turned
from campaign.rulesets.forum_campaign.model.facts.movement import Moved, StopReason
from campaign.rulesets.forum_campaign.model.game_data import ALLIED, GERMAN, SIDES, Box, GameData, enemy_of
from campaign.rulesets.forum_campaign.model.ledger import in_words, lines_in
from campaign.rulesets.forum_campaign.model.options import BattleMode
from campaign.rulesets.forum_campaign.model.state import (
    FULL,
    DepotStatus,
    Own,
    State,
    Unit,
    Winner,
    commandos_on_map,
    on_map,
)
from campaign.rulesets.forum_campaign.model.words import BOX_NAMES, SIDE_NAMES, counted


def show(game_data: GameData, known: State, audience: Audience, disclosures: Sequence[Disclosure[Any]]) -> View:
    """All that an audience may be shown of the phase that was just resolved. `known` is the player's state."""
    sighted = tuple(sightings(known, disclosures))
    new, dry = set(_newcomers(disclosures)), set(_without_fuel(disclosures))
    cut_off = {side: tuple(_cut_off(game_data, known, side)) for side in known.own}
    return View(
        audience=audience,
        audience_title=audience_title(audience, SIDE_NAMES),
        campaign=game_data.title,
        date=f"{known.open.date:%-d %B %Y}",
        stop=_resolved_phase(known, disclosures),
        next_stop="" if known.open.ended else title_of(known.open.phase),
        counters=tuple(
            _counter(unit, place, side, level=own.positions.get(place, 0), is_new=unit.id in new, dry=unit.id in dry)
            for side, own in known.own.items()
            for unit, place in (*on_map(own), *commandos_on_map(own))
        ),
        sightings=sighted,
        markers=tuple(_markers(game_data, known, disclosures)),
        arrows=(*_arrows(disclosures), *_attacks(known)),
        traces=tuple(_traces(cut_off)),
        flights=flights(known, disclosures),
        front=front(game_data, known),
        panels=tuple(_panels(game_data, known, cut_off, sighted)),
        chart=day_chart(game_data, known),
        log=tuple(log_lines(disclosures, section_titles(disclosures), partial(describe, game_data, known))),
        headlines=headlines(disclosures, HEADLINES, Speaker(game_data, known)),
    )


def _resolved_phase(known: State, disclosures: Sequence[Disclosure[Any]]) -> str:
    """The title of the first phase resolved, with its day if that is not today."""
    if not disclosures:
        return ""
    dates = [line.fact.date for line in disclosures if isinstance(line.fact, Turned)]
    earlier = f" of {dates[0]:%-d %B}" if dates and dates[0] != known.open.date else ""
    return title_of(disclosures[0].phase) + earlier


_CutOff = tuple[Unit, PlaceId, Blockade]
"""An unsupplied unit, its hex, and the known reason."""


def _cut_off(game_data: GameData, known: State, side: SideId) -> Iterator[_CutOff]:
    for unit, place in on_map(known.own[side]):
        if not unit.supplied:
            yield unit, place, why_unsupplied(game_data, known, side, unit)


# --- on the map ------------------------------------------------------------------------------------------------------


def _newcomers(disclosures: Sequence[Disclosure[Any]]) -> Iterator[UnitId]:
    """2.9, R11.8 Units that came onto the map, by road or from the air."""
    for line in disclosures:
        match line.fact:
            case Moved(start=None, unit=unit) | Landed(unit=unit):
                yield unit


def _without_fuel(disclosures: Sequence[Disclosure[Any]]) -> Iterator[UnitId]:
    """R10.7 Units whose move, or saved movement, lacked fuel."""
    for line in disclosures:
        match line.fact:
            case Moved(stop_reason=StopReason.FUEL, unit=unit):
                yield unit


def _counter(unit: Unit, place: PlaceId, side: SideId, *, level: int, is_new: bool, dry: bool) -> Counter:
    states = {
        signs.UNSUPPLIED: not unit.supplied,
        signs.OUT_OF_FUEL: dry,
        signs.MOVED: unit.moved,
        signs.FOUGHT: unit.fought,
        signs.REDUCED: unit.small and not unit.small_from_start,
        signs.NEW: is_new,
        signs.DUG_IN: level == 1 and unit.ground,
        signs.ENTRENCHED: level == DEEPEST and unit.ground,
    }
    return Counter(
        unit=unit.id,
        at=place,
        side=side,
        label=unit.label,
        name=unit.name,
        branch=unit.branch.value,
        echelon=unit.echelon.value,
        small=unit.small,
        figures=(Figure(signs.STRENGTH.key, unit.strength), Figure(signs.MOVEMENT.key, unit.movement)),
        states=tuple(sign.key for sign, applies in states.items() if applies),
    )


def _markers(game_data: GameData, known: State, disclosures: Sequence[Disclosure[Any]]) -> Iterator[Marker]:
    before = _former_holders(disclosures)
    for place, side in sorted(known.open.control.items()):
        taken_from = before.get(place) if before.get(place) != side else None
        points = game_data.hexes[place].victory_points
        yield Marker(place, signs.OBJECTIVE.key, side, points, taken_from=taken_from)
    captured = {line.fact.place for line in disclosures if isinstance(line.fact, DepotCaptured)}
    for place, status in sorted(known.open.depots.items()):
        yield _depot(game_data, place, status, captured=place in captured)
    yield from _enemy_positions(known)
    for battle in known.open.battles:
        yield Marker(battle.at, signs.BATTLE.key, battle.attacker)
    yield from _fought(disclosures)


def _fought(disclosures: Sequence[Disclosure[Any]]) -> Iterator[Marker]:
    """R12.1 The battles that got their result in the phase shown, only the last one of each hex."""
    fought = {line.fact.at: line.fact for line in disclosures if isinstance(line.fact, BattleFought)}
    for place, battle in sorted(fought.items()):
        won_by = battle.attacker if battle.winner is Winner.ATTACKERS else enemy_of(battle.attacker)
        yield Marker(place, signs.BATTLE.key, battle.attacker, won_by=won_by)


def _former_holders(disclosures: Sequence[Disclosure[Any]]) -> dict[PlaceId, SideId]:
    """R15.5 The former holders of objectives taken in the phase shown; the GM's rulings do not count as taking."""
    takers: dict[PlaceId, SideId] = {}
    for line in disclosures:
        if isinstance(line.fact, Controlled) and not line.ruling:
            takers.setdefault(line.fact.place, line.fact.side)
    return {place: enemy_of(side) for place, side in takers.items()}


def _depot(game_data: GameData, place: PlaceId, status: DepotStatus, *, captured: bool) -> Marker:
    """R9 A depot; only the Germans capture them (R9.2)."""
    match status:
        case DepotStatus.INTACT:
            return Marker(place, signs.DEPOT.key, value=game_data.hexes[place].depot)
        case DepotStatus.CAPTURED:
            taken_from = ALLIED if captured else None
            return Marker(place, signs.CAPTURED_DEPOT.key, GERMAN, taken_from=taken_from)
        case DepotStatus.DESTROYED:
            return Marker(place, signs.DESTROYED_DEPOT.key)


def _enemy_positions(known: State) -> Iterator[Marker]:
    """R13 Enemy positions that a side has seen. The counters show its own positions."""
    if len(known.own) != 1:
        return
    for side, own in known.own.items():
        for place, level in sorted(own.seen_positions.items()):
            yield Marker(place, signs.POSITION.key, enemy_of(side), level)


def _arrows(disclosures: Sequence[Disclosure[Any]]) -> Iterator[Arrow]:
    for line in disclosures:
        yield from _arrows_of(line.fact)


def _attacks(known: State) -> Iterator[Arrow]:
    """The attacks of units that the audience knows, on the battles that wait for results."""
    for battle in known.open.battles:
        own = known.own.get(battle.attacker)
        units = [] if own is None else [own.units.get(fighter.unit) for fighter in battle.attackers]
        for unit in units:
            if unit is not None and unit.at is not None:
                yield Arrow(signs.ATTACK.key, battle.attacker, (unit.at, battle.at))


def _traces(cut_off: Mapping[SideId, Sequence[_CutOff]]) -> Iterator[Trace]:
    """R7.2 Routes to one step past the last barred hex. If no barred hex is known, only the report mentions it."""
    for side, units in cut_off.items():
        for unit, place, blockade in units:
            barred = tuple(bar.place for bar in blockade.bars)
            if barred:
                behind = blockade.way.index(barred[-1]) + 2
                yield Trace(side, unit.label, (place, *blockade.way[:behind]), barred)


def _arrows_of(fact: Fact) -> Iterator[Arrow]:
    match fact:
        case Moved(side=side, path=path) if path:
            start = () if fact.start is None else (fact.start,)
            yield Arrow((signs.STOPPED if fact.stop_reason else signs.MOVE).key, side, (*start, *path))
        case Retreated():
            yield Arrow(signs.RETREAT.key, fact.side, (fact.start, *fact.through, fact.to))
        case Advanced():
            yield Arrow(signs.ADVANCE.key, fact.side, (fact.start, fact.to))
        case Pursued(side=side, path=path) if path:
            yield Arrow(signs.ADVANCE.key, side, (fact.start, *path))


# --- next to the map -------------------------------------------------------------------------------------------------


def _panels(
    game_data: GameData, known: State, cut_off: Mapping[SideId, Sequence[_CutOff]], sighted: Sequence[Sighting]
) -> Iterator[Panel]:
    weather = known.open.weather
    if weather is not None:
        rows = (
            ("Weather", weather.condition.value),
            ("Allied air", f"{weather.allied_air:+d}"),
            ("German air", f"{weather.german_air:+d}"),
            *_forecast(known),
        )
        yield Panel("weather", "Weather", (), rows, on_map=True)
    if known.open.air:
        yield _air(known)
    yield Panel("fuel", "German fuel", (), (("Reserve", counted(known.open.fuel, "point")),), on_map=True)
    points = victory_points(game_data, known.open.control)
    worth = tuple((SIDE_NAMES[side], str(points[side])) for side in SIDES)
    yield Panel("vp", "Victory points", (), worth, on_map=True)
    if len(known.own) == 1:
        (observer,) = known.own
        yield from enemy_panels(game_data, known, observer, sighted)
    for side, own in known.own.items():
        yield Panel(f"forces-{side}", f"{SIDE_NAMES[side]} order of battle", _FORCES_HEAD, tuple(_forces(known, own)))
        why = tuple(_unsupplied(game_data, known, cut_off[side]))
        yield from (panel for panel in _panels_of(game_data, known, side, own, why) if panel.rows)


def _panels_of(
    game_data: GameData, known: State, side: SideId, own: Own, why: tuple[tuple[str, ...], ...]
) -> Iterator[Panel]:
    """The panels of one side; those without rows are not shown."""
    name, level = SIDE_NAMES[side], ("Hex", "Level")
    yield Panel(f"supply-{side}", f"{name} units out of supply", ("Unit", "Hex", "Why"), why)
    yield Panel(f"positions-{side}", f"{name} positions", level, tuple(_levels(game_data, own.positions)))
    if len(known.own) == 1:
        seen = tuple(_levels(game_data, own.seen_positions))
        yield Panel(f"seen-positions-{side}", "Enemy positions in sight", level, seen)
    yield Panel(f"ledgers-{side}", f"{name} ledgers", ("Unit", "Line", "It says"), tuple(_ledgers(own)))
    coming = tuple(_coming(own, known.open.date))
    yield Panel(f"arrivals-{side}", f"{name} reinforcements", ("Unit", "Date", "Enters"), coming)


def _forecast(known: State) -> Iterator[tuple[str, str]]:
    """2.10"""
    if known.open.forecast is not None:
        yield "Tomorrow", known.open.forecast.condition.value


def _air(known: State) -> Panel:
    """R3.5 Both sides' boxes, after any removals."""
    days = dict(sorted(known.open.air.items()))
    rows = [("Available", *(str(day.available) for day in days.values()))]
    rows += [(BOX_NAMES[box].capitalize(), *(str(day.boxes.get(box, 0)) for day in days.values())) for box in Box]
    return Panel("air", "Air units", ("Box", *(SIDE_NAMES[side] for side in days)), tuple(rows))


_FORCES_HEAD = ("Unit", "Hex", "Strength", "MP", "State", "Army", "Corps")


def _forces(known: State, own: Own) -> Iterator[tuple[str, ...]]:
    resolver = known.open.options.battles is not BattleMode.OUTSIDE
    there = (*on_map(own), *commandos_on_map(own))
    for unit, place in sorted(there, key=lambda pair: (pair[0].army, pair[0].corps, pair[0].label)):
        state = ", ".join(
            word
            for word, applies in (
                ("unsupplied", not unit.supplied),
                ("reduced", unit.small and not unit.small_from_start),
                ("small", unit.small_from_start and unit.ground),
                (LEVELS.get(own.positions.get(place, 0), ""), unit.ground),
                (f"establishment {unit.establishment} %", resolver and unit.establishment != FULL),
                ("ledger", bool(lines_in(unit.ledger))),
            )
            if applies and word
        )
        yield unit.label, place, f"{unit.strength} %", str(unit.movement), state, unit.army, unit.corps


def _ledgers(own: Own) -> Iterator[tuple[str, ...]]:
    """R12.9, R12.10 What units have besides their orders of battle, with the numbers of the lines."""
    for unit in sorted(own.units.values(), key=lambda unit: unit.label):
        for number, line in enumerate(lines_in(unit.ledger), 1):
            yield unit.label, str(number), in_words(line)


def _unsupplied(game_data: GameData, known: State, cut_off: Sequence[_CutOff]) -> Iterator[tuple[str, ...]]:
    """R7.2 What bars the supply of each unsupplied unit, as far as the audience knows."""
    unbarred = "nothing blocks it now" if len(known.own) > 1 else "no enemy that you see blocks it"
    for unit, place, blockade in cut_off:
        yield unit.label, place, "; ".join(words_of(game_data, blockade, unbarred=unbarred))


def _levels(game_data: GameData, positions: Mapping[PlaceId, int]) -> Iterator[tuple[str, ...]]:
    """R13 Prepared positions, by hex."""
    for place, level in sorted(positions.items()):
        yield game_data.place_name(place), LEVELS[level]


def _coming(own: Own, today: datetime.date) -> Iterator[tuple[str, ...]]:
    waiting = [unit for unit in own.units.values() if unit.at is None and unit.arrives is not None]
    for unit in sorted(waiting, key=lambda unit: (str(unit.arrives), unit.label)):
        if not has_missed_its_day(unit, today):
            yield unit.label, f"{unit.arrives:%-d %B}", f"at {unit.entry}" if unit.entry else "by parachute"
