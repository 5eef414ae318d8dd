"""A player's state and its disclosures as a View."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from campaign.engine.display.sentences import audience_title, headlines, log_lines, sentence_for
from campaign.engine.display.views import Arrow, Counter, Figure, Marker, Panel, View
from campaign.engine.facts import Disclosure
from campaign.engine.phases import title_in
from campaign.engine.values.ids import GM, PUBLIC, Audience, SideId
from campaign.rulesets.area_activation.day.turns import clock
from campaign.rulesets.area_activation.model import facts
from campaign.rulesets.area_activation.model.game_data import SIDE_NAMES, SIDES, Card, GameData
from campaign.rulesets.area_activation.model.signs import (
    ACTED,
    BREAKTHROUGH,
    CHANCE,
    COMBAT,
    MOVE,
    OBJECTIVE,
    RETREAT,
    STRATEGIC,
    STRENGTH,
    UNFUELLED,
    UNSUPPLIED,
)
from campaign.rulesets.area_activation.model.state import Due, Open, State, Unit
from campaign.rulesets.area_activation.sequence import PHASES, moment
from campaign.rulesets.area_activation.show.describe import HEADLINES, SENTENCES

_TITLES = {phase.key: phase.title for phase in PHASES}


def show(game_data: GameData, known: State, audience: Audience, disclosures: Sequence[Disclosure[Any]]) -> View:
    """All that an audience may be shown. `known` is the player's state."""
    return View(
        audience=audience,
        audience_title=audience_title(audience, SIDE_NAMES),
        campaign=game_data.title,
        date=moment(known).label,
        stop=_title(disclosures[0]) if disclosures else "",
        next_stop="" if known.open.ended else _TITLES[known.open.phase],
        counters=tuple(_counter(game_data, unit) for unit in _units(known, audience)),
        markers=tuple(_markers(game_data, known.open, disclosures)),
        arrows=tuple(_arrows(disclosures)),
        control=tuple(sorted(known.open.control.items())),
        panels=tuple(_panels(game_data, known)),
        chart=tuple(_chart(game_data, known)),
        log=tuple(log_lines(disclosures, map(_title, disclosures), partial(_sentence, game_data))),
        headlines=headlines(disclosures, HEADLINES, game_data),
    )


def _title(line: Disclosure[Any]) -> str:
    return title_in(PHASES, line.phase)


def _sentence(game_data: GameData, line: Disclosure[Any]) -> Any:
    return sentence_for(line, SENTENCES, game_data)


def _units(known: State, audience: Audience) -> Iterator[Unit]:
    """The units of the side, and the enemy's in sight: an enemy in sight is fully known."""
    if audience == PUBLIC:
        yield from known.open.shown
        return
    for own in known.own.values():
        yield from own.units.values()
        if audience != GM:
            yield from own.seen


def _counter(game_data: GameData, unit: Unit) -> Counter:
    card = game_data.cards[unit.id]
    signs = ((UNSUPPLIED, unit.unsupplied), (UNFUELLED, unit.unfuelled), (ACTED, unit.acted))
    return Counter(
        unit=unit.id,
        at=unit.at,
        side=unit.side,
        label=card.name,
        name=card.name,
        branch=card.kind.value,
        echelon="",
        small=False,
        figures=(Figure(STRENGTH.key, unit.strength), Figure(CHANCE.key, card.attack)),
        states=tuple(sign.key for sign, on in signs if on),
    )


def _markers(game_data: GameData, open_: Open, disclosures: Sequence[Disclosure[Any]]) -> Iterator[Marker]:
    taken = {line.fact.place: line.fact.side for line in disclosures if isinstance(line.fact, facts.Taken)}
    for place, holder in open_.control.items():
        points = game_data.spaces[place].points
        if points:
            before = next((side for side in SIDES if side != holder), None) if taken.get(place) == holder else None
            yield Marker(place, OBJECTIVE.key, holder, points, taken_from=before)
    fights = {
        line.fact.fight.at: line.fact.fight.attacker for line in disclosures if isinstance(line.fact, facts.Fought)
    }
    for place, attacker in fights.items():
        yield Marker(place, COMBAT.key, attacker)


def _arrows(disclosures: Sequence[Disclosure[Any]]) -> Iterator[Arrow]:
    for line in disclosures:
        match line.fact:
            case facts.Moved(side=side, path=path, strategic=strategic) if len(path) > 1:
                yield Arrow((STRATEGIC if strategic else MOVE).key, side, path)
            case facts.Retreated(side=side, start=start, to=to):
                yield Arrow(RETREAT.key, side, (start, to))
            case facts.BrokeThrough(side=side, start=start, to=to):
                yield Arrow(BREAKTHROUGH.key, side, (start, to))


# --- tables ----------------------------------------------------------------------------------------------------------


def _panels(game_data: GameData, known: State) -> Iterator[Panel]:
    yield from _chart(game_data, known)
    open_ = known.open
    if open_.contested:
        names = tuple((game_data.spaces[place].name,) for place in open_.contested)
        yield Panel("contested", "Contested", (), names)
    for side in known.own:
        yield from _waiting(game_data, known, side)


def _waiting(game_data: GameData, known: State, side: SideId) -> Iterator[Panel]:
    """R38, R39 What a side still has to come."""
    own = known.own[side]
    due = tuple((game_data.cards[unit].name, _comes(game_data.cards[unit], own.due[unit])) for unit in own.due)
    reserve = tuple((game_data.cards[unit].name, "in reserve") for unit in own.reserve)
    if due or reserve:
        yield Panel(f"waiting-{side}", f"{SIDE_NAMES[side]} units to come", (), (*due, *reserve))


def _comes(card: Card, waiting: Due) -> str:
    return "delayed, any edge" if waiting.delayed else f"{waiting.date.day} December at {card.entry}"


def _chart(game_data: GameData, known: State) -> Iterator[Panel]:
    """R6, R7, R42 The points, the thresholds of today, and the time."""
    open_ = known.open
    day = game_data.days[open_.date]
    rows = [("German points", str(open_.points).replace("-", "\N{MINUS SIGN}"))]
    if day.german_win is not None:
        rows.append(("Germans win tonight with", f"{day.german_win} or more"))
    if day.allied_win is not None:
        rows.append(("Allies win tonight with", f"{day.allied_win} or fewer"))
    yield Panel("points", "Points", (), tuple(rows), on_map=True)
    turns = f"surprise turn {open_.surprise} of 3" if open_.surprise else clock(open_).value
    yield Panel("time", "Time", (), (("Time", turns), ("Initiative", SIDE_NAMES[open_.initiative])), on_map=True)
