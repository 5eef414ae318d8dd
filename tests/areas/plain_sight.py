"""Random sheets of a side of the area game that sees everything, and whether the answer to a sheet is what happens.

Nothing is hidden, the enemy cannot act, and no die hits. Then nothing excuses an answer that does not hold: refused
does nothing, doubted does not happen, and all else does. `python -m tests.areas.plain_sight 5000` tries 5,000 by hand.
"""

import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from campaign.engine.adjudication import adjudicate
from campaign.engine.facts import Event
from campaign.engine.orders.order import Checked, Placed, Severity
from campaign.engine.ruleset import Scenario
from campaign.engine.sheets import DeskSheet, check_side, read_side
from campaign.engine.state import state_known_to
from campaign.engine.values.ids import PlaceId, SideId, UnitId, audience_of
from campaign.game.loading import find_scenario, scenario_files
from campaign.game.store import encode_events
from campaign.rulesets.area_activation import RULESET
from campaign.rulesets.area_activation.model import facts, orders
from campaign.rulesets.area_activation.model.game_data import GERMAN, SIDES, GameData, enemy_of
from campaign.rulesets.area_activation.model.state import MOST_IN_A_SPACE, State
from campaign.rulesets.area_activation.model.words import list_of
from campaign.rulesets.area_activation.scenario.case import read_case
from tests.areas.board import Loaded

FILES = scenario_files(find_scenario("area_activation/ardennes-1944"))
_GAME_DATA = read_case({}, FILES).game_data
_EXITS = [space.id for space in _GAME_DATA.spaces.values() if space.is_exit]


# --- positions -------------------------------------------------------------------------------------------------------


def position_of(seed: int) -> tuple[SideId, Scenario[GameData, State]]:
    """Units of both sides close together; the enemy's have acted."""
    chance = Random(f"a position {seed}")
    side = chance.choice(SIDES)
    near = _around(chance.choice([*_GAME_DATA.spaces, *_EXITS, *_EXITS]), borders=chance.choice([1, 1, 2]))
    surprise = chance.random() < 0.1
    day = 16 if surprise else chance.randint(16, 27)
    units = {
        **_units(chance, enemy_of(side), near, chance.randint(1, 5), acted=True),
        **_units(chance, side, near, chance.randint(3, 9), acted=False),
    }
    control = {place: str(chance.choice(SIDES)) for place in near if chance.random() < 0.7}
    raw: dict[str, Any] = {"date": f"1944-12-{day}", "units": units, "control": control}
    raw |= {"phase": "surprise", "surprise": 1} if surprise else {"phase": "day"}
    at_meuse = any(
        _GAME_DATA.touches_meuse(unit["at"]) for id_, unit in units.items() if _is_german(UnitId(id_))
    )  # R23
    return side, read_case({**raw, "british_free": at_meuse or chance.random() < 0.5}, FILES)


def _is_german(unit: UnitId) -> bool:
    return _GAME_DATA.cards[unit].side == GERMAN


def _around(place: PlaceId, *, borders: int) -> list[PlaceId]:
    """The spaces within this many borders of one, itself included."""
    near = {place: None}
    for _ in range(borders):
        near |= dict.fromkeys(each for one in list(near) for each in _GAME_DATA.board.neighbours(one))
    return list(near)


def _units(chance: Random, side: SideId, near: list[PlaceId], count: int, *, acted: bool) -> dict[str, Any]:
    cards = [card.id for card in _GAME_DATA.cards.values() if card.side == side]
    places = chance.sample([place for place in near for _ in range(MOST_IN_A_SPACE)], k=count)
    at = dict(zip(chance.sample(cards, k=count), places, strict=True))
    return {unit: {"at": place, **({"acted": True} if acted else _signs(chance))} for unit, place in at.items()}


def _signs(chance: Random) -> dict[str, bool]:
    """Now and then a unit that cannot act."""
    return {sign: True for sign in ("acted", "unsupplied", "unfuelled") if chance.random() < 0.04}


# --- sheets ----------------------------------------------------------------------------------------------------------


def sheet_of(seed: int, scenario: Scenario[GameData, State], side: SideId) -> str:
    chance = Random(f"a sheet {seed}")
    own = scenario.start.own[side].units
    goal = chance.choice([unit.at for owned in scenario.start.own.values() for unit in owned.units.values()])
    units = [own[chance.choice(list(own))] for _ in range(chance.randint(2, 12))]
    return "\n".join(_line(chance, scenario.game_data, unit.id, unit.at, goal) for unit in units)


def _line(chance: Random, game_data: GameData, unit: UnitId, at: PlaceId, goal: PlaceId) -> str:
    """A line about a unit; many go to the same space, so that they come into each other's way."""
    roll = chance.random()
    if roll < 0.3:
        after = chance.choice([" after 0530", " after 0830", " after 1900"]) if roll < 0.06 else ""
        return f"ACTIVATE {chance.choice([at, at, at, chance.choice(list(game_data.spaces))])}{after}"
    if roll < 0.4:
        return f"EXIT {unit}"
    if roll > 0.95:
        return f"PASS{chance.choice(['', ' after 0700', ' after 1130', ' after 1900'])}"
    way, place = [], at
    for _ in range(chance.choice([1, 1, 1, 2, 3])):
        near = game_data.board.neighbours(place)
        place = goal if goal in near and chance.random() < 0.6 else chance.choice(near)
        way.append(place)
    return f"MOVE {unit} {'-'.join(way)}{' strategic' if len(way) == 3 or chance.random() < 0.2 else ''}"


# --- what was foretold, and what happened ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Played:
    """A sheet, the answer to it, and what came of it until the end of the day."""

    game_data: GameData
    lines: Sequence[Placed]
    answer: Checked
    events: tuple[Event[Any], ...]

    def troubled(self, severity: Severity) -> set[int]:
        return {each.line for each in self.answer.problems if each.severity is severity}

    def counted(self) -> Iterator[tuple[Any, str]]:
        """The lines that are neither refused nor doubted, each with how it was read."""
        orders_of = {placed.line: placed.order for placed in self.lines}
        doubted = self.troubled(Severity.WARNING)
        return ((orders_of[each.line], each.text) for each in self.answer.understood if each.line not in doubted)

    def happened(self) -> list[Any]:
        """The facts of the side's own turns."""
        days = [number for number, event in enumerate(self.events) if isinstance(event.fact, facts.DayBegan)]
        return [event.fact for event in self.events[: min(days, default=len(self.events))]]


def play(scenario: Scenario[GameData, State], side: SideId, text: str) -> Played:
    """The sheet's day, in which no die hits."""
    who, game_data, state = audience_of(side), scenario.game_data, scenario.start
    known = state_known_to(state, who)
    read = read_side(RULESET, game_data, known, who, [DeskSheet(text)], phase=state.open.phase)
    answer = check_side(RULESET, game_data, known, read)
    resolution = adjudicate(RULESET, game_data, state, {who: read.lines}, dice=Loaded())
    return Played(game_data, read.lines, answer, resolution.events)


def breaches(seed: int) -> list[str]:
    """What an answer foretold and what did not happen, or what happened without it."""
    side, scenario = position_of(seed)
    text = sheet_of(seed, scenario, side)
    played = play(scenario, side, text)
    without = [line for number, line in enumerate(text.split("\n"), 1) if number not in played.troubled(Severity.ERROR)]
    rest = play(scenario, side, "\n".join(without))
    found = [
        *_differences("move", _moves_foretold(played), _moves_made(played)),
        *_differences("combat", *_combats(played)),
        *_unexplained(played),
    ]
    if encode_events(rest.events) != encode_events(played.events):
        found.append("without the refused lines something else happens")
    return found


def _differences(what: str, foretold: Counter[Any], done: Counter[Any]) -> Iterator[str]:
    yield from (f"{what} foretold and not done: {each}" for each in (foretold - done).elements())
    yield from (f"{what} done and not foretold: {each}" for each in (done - foretold).elements())


_INSTEAD = ", if it cannot follow a line further up"


def _moves_foretold(played: Played) -> Counter[Any]:
    moves = ((order, text) for order, text in played.counted() if isinstance(order, orders.Move | orders.Exit))
    return Counter(order for order, text in moves if _INSTEAD not in text)


def _moves_made(played: Played) -> Counter[Any]:
    return Counter(order for fact in played.happened() for order in _as_order(fact))


def _as_order(fact: Any) -> Iterator[Any]:
    if isinstance(fact, facts.Moved):
        yield orders.Move(fact.unit, fact.path[1:], fact.strategic)
    if isinstance(fact, facts.Exited):
        yield orders.Exit(fact.unit)


def _combats(played: Played) -> tuple[Counter[str], Counter[str]]:
    """Those that lines foretell, and those of the spaces that act by these lines."""
    foretold, places = Counter[str](), set()
    for order, text in played.counted():
        found = [each.rpartition(". ")[2] for each in re.findall(r"([^:]*): \d+ % that", text.replace("St. ", "St "))]
        foretold += Counter(found)
        if isinstance(order, orders.Activate):
            places.add(order.at)
        if by_default := re.search(r"\. ([^.]+) acts by default", text.replace("St. ", "St ")):
            places |= {
                space.id for space in played.game_data.spaces.values() if space.name.replace(".", "") == by_default[1]
            }
    return foretold, Counter(_fought(played, places))


def _fought(played: Played, places: set[PlaceId]) -> Iterator[str]:
    acts = False
    for fact in played.happened():
        if isinstance(fact, facts.Activated):
            acts = fact.at in places
            places.discard(fact.at or PlaceId(""))
        if isinstance(fact, facts.Fought) and acts:
            cards, fight = played.game_data.cards, fact.fight
            sides = [list_of([cards[each.unit].name for each in of]) for of in (fight.attackers, fight.defenders)]
            yield f"{' against '.join(sides)} in {played.game_data.spaces[fight.at].name}".replace("St. ", "St ")
    yield from (f"no activation of {place}" for place in places)


def _unexplained(played: Played) -> Iterator[str]:
    """Units that could not go on, of which the answer has not said so, with the same reason."""
    units = {placed.line: getattr(placed.order, "unit", None) for placed in played.lines}
    said = {(units.get(each.line), each.message.partition(": ")[2]) for each in played.answer.problems}
    for fact in played.happened():
        if isinstance(fact, facts.CouldNotMove) and (fact.unit, fact.why) not in said:
            yield f"not foretold: {fact.unit} cannot go on: {fact.why}"


def main(count: int) -> int:
    """Try a number of sheets; returns how many have answers that do not hold."""
    faulty = 0
    for seed in range(count):
        found = breaches(seed)
        faulty += bool(found)
        for each in found:
            print(f"{seed}: {each}")  # noqa: T201 # by hand
    print(f"{count} sheets, {faulty} with answers that did not hold")  # noqa: T201
    return faulty


if __name__ == "__main__":
    sys.exit(bool(main(int(sys.argv[1]))))
