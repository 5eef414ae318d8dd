"""Random sheets of a side that sees everything, and whether the answer to a sheet is what then happens.

Every enemy is in sight and supplied, so that what the side knows of the enemy is what is. Then nothing excuses an
answer that does not hold: refused does nothing, accepted is done, and what was promised is paid.
`python -m tests.rulesets.plain_sight 5000` tries 5,000 sheets by hand.
"""

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from campaign.engine.adjudication import adjudicate
from campaign.engine.facts import Event
from campaign.engine.orders.order import Checked, Placed, Severity
from campaign.engine.ruleset import Scenario
from campaign.engine.sheets import DeskSheet, SideSheet, check_side, read_side
from campaign.engine.state import state_known_to
from campaign.engine.values.ids import GM, Audience, PlaceId, SideId, UnitId, audience_of
from campaign.game.loading import find_scenario, scenario_files
from campaign.game.store import encode_events
from campaign.rulesets.forum_campaign import RULESET
from campaign.rulesets.forum_campaign.model.facts import air, battle, day, movement
from campaign.rulesets.forum_campaign.model.game_data import ALLIED, GERMAN, GameData, enemy_of
from campaign.rulesets.forum_campaign.model.orders import Artillery, Then
from campaign.rulesets.forum_campaign.model.situation import Situation, as_known, as_true
from campaign.rulesets.forum_campaign.model.state import State
from campaign.rulesets.forum_campaign.scenario.case import read_case
from tests.laws.games import dice_of

FILES = scenario_files(find_scenario("forum_campaign/ardennes-1944"))
SIZE = "A1-F9"
_FORCES = ("KG", "TF")
"""What task forces are called."""
_ROWS, _COLUMNS = "ABCDEF", range(1, 10)
_PLACES = [PlaceId(f"{row}{column}") for row in _ROWS for column in _COLUMNS]


# --- positions -------------------------------------------------------------------------------------------------------


def position(chance: Random, side: SideId) -> dict[str, Any]:
    """A small map with both sides close together, the side's units in every state that matters to a sheet."""
    places = chance.sample(_PLACES, k=len(_PLACES))
    towns = [{"hex": places.pop(), "name": name, "depot": chance.randint(1, 4)} for name in ("Spa", "Theux")]
    own, enemy = dict(_own_units(chance, side, places)), dict(_enemies(chance, places))
    return {
        "map": {"size": SIZE, "terrain": _terrain(chance), "towns": towns, "supply": _edges()},
        "units": {side: own, enemy_of(side): enemy},
        "phase": f"{side}_sheet",
        "fuel": chance.choice([0, 1, 1, 2, 3, 20]),
        "weather": chance.choice(["Sunny", "Gloomy"]),
        "air": {side: {"available": 6, "boxes": {"cas": chance.randint(0, 3), "drop": chance.choice([0, 2, 3, 4])}}},
        "artillery": {side: chance.sample(sorted(own), k=chance.choice([0, 0, 1]))},
        "charts": {"sight": {"identity": 12, "type": 12}},
        "options": _options(chance),
    }


def _terrain(chance: Random) -> dict[str, str]:
    kinds: dict[str, list[str]] = {}
    for place in _PLACES:
        kinds.setdefault(chance.choice(["clear", "clear", "clear", "forest", "rough", "marsh"]), []).append(place)
    return {kind: " ".join(hexes) for kind, hexes in kinds.items()}


def _edges() -> dict[str, str]:
    """Every unit is in supply wherever it is, so that an enemy that is seen is what it seems."""
    return {"german": " ".join(_PLACES), "allied": " ".join(_PLACES)}


def _own_units(chance: Random, side: SideId, places: list[PlaceId]) -> Iterator[tuple[str, dict[str, Any]]]:
    near = _near(chance, places, 12)
    last = near.pop()
    for number in range(1, chance.randint(3, 6)):
        kind = chance.choice(["infantry", "infantry", "armor", "mechanized"])
        name = f"{number} {'Pz' if side == GERMAN else 'Inf'}"
        supplied = chance.random() < (0.95 if side == GERMAN else 0.6)
        strength = chance.choice([100, 100, 100, 80, 60])
        unit = {"at": near.pop(), "class": kind, "strength": strength, "supplied": supplied}
        if chance.random() < 0.3 and strength == 100:
            force = {**unit, "size": "small", "strength": 30, "raised": 30, "parent": name, "tanks": 0}
            force["at"] = unit["at"] if chance.random() < 0.6 else near.pop()
            yield f"{_FORCES[side == ALLIED]} {name}", force
            unit |= {"strength": 70, "lent": 30}
        elif chance.random() < 0.2:
            unit |= {"size": "small", "strength": 60}
        yield name, unit
        last = PlaceId(str(unit["at"]))
    if side == GERMAN:
        at = last if chance.random() < 0.5 else near.pop()
        yield "Stielau", {"at": at, "class": "commando", "size": "small"}


def _enemies(chance: Random, places: list[PlaceId]) -> Iterator[tuple[str, dict[str, Any]]]:
    for number in range(1, chance.randint(2, 4)):
        yield f"{number} E", {"at": places.pop(), "class": chance.choice(["infantry", "armor"])}


def _near(chance: Random, places: list[PlaceId], count: int) -> list[PlaceId]:
    """Places in the middle of the map, taken out of all of them."""
    middle = [place for place in places if place[0] in "BCDE" and 3 <= int(place[1:]) <= 7]
    taken = chance.sample(middle, k=count)
    places[:] = [place for place in places if place not in taken]
    return taken


def _options(chance: Random) -> dict[str, str]:
    """Often the defaults; now and then any other choice by which sheets of movement are checked."""
    if chance.random() < 0.5:
        return {}
    return {
        "fuel_grouping": chance.choice(["separate", "pooled"]),
        "fuel_shortage": chance.choice(["cap", "cap", "debt", "infantry_free"]),
        "zone_cost": chance.choice(["none", "enter", "both", "stop"]),
        "captured_counts_now": chance.choice(["no", "yes"]),
    }


# --- sheets ----------------------------------------------------------------------------------------------------------


@dataclass
class _Writer:
    """Writes a sheet as people do, with the places in mind to which its lines bring the units."""

    chance: Random
    game_data: GameData
    situation: Situation

    def lines(self) -> list[str]:
        at = {unit.label: unit.at for unit in self.situation.units.values()}
        forces = {f"{_FORCES[self.situation.side == ALLIED]} {label}": place for label, place in at.items()}
        dark = [unit.label for unit in self.situation.units.values() if not unit.supplied]
        drops = self.chance.sample(dark, k=self.chance.randint(0, len(dark))) if self.situation.side == ALLIED else []
        lines = [f"AIRDROP {label}" for label in drops]
        for _ in range(self.chance.randint(2, 9)):
            label = self.chance.choice([*at, *at, *(force for force in forces if force not in at)])
            lines += self._about(label, at, {**forces, **at})
        if self.chance.random() < 0.3:
            self.chance.shuffle(lines)
        return lines

    def _about(self, label: str, at: dict[str, Any], known: Mapping[str, Any]) -> Iterator[str]:
        place = at.get(label) or known[label]
        roll = self.chance.random()
        if roll < 0.3:
            way = self._walk(place)
            at[label] = way[-1]
            yield f"MOVE {label} {'-'.join(way)}" if self.chance.random() < 0.8 else f"MOVE {label} to {way[-1]}"
        elif roll < 0.45:
            way = self._walk(place)
            yield f"THEN {label} {'-'.join(way)}" if self.chance.random() < 0.8 else f"THEN {label} to {way[-1]}"
        elif roll < 0.65:
            yield from self._attack(label, place)
        elif roll < 0.77 and not label.startswith(_FORCES):
            at[f"{_FORCES[self.situation.side == ALLIED]} {label}"] = place
            yield f"DETACH {label}{self.chance.choice(['', '', ' tanks 1'])}"
        elif roll < 0.84 and label.startswith(_FORCES):
            home = known[label.partition(" ")[2]]
            if home in self.game_data.open_neighbours(place):
                at[label] = home
                yield f"MOVE {label} {home}"
            yield f"REJOIN {label}"
        else:
            yield self._support(label)

    def _attack(self, label: str, place: PlaceId) -> Iterator[str]:
        near = self.game_data.open_neighbours(place)
        held = [each for each in near if each in self.situation.enemy]
        if self.chance.random() < 0.2:
            yield f"ATTACK {label} contact"
        else:
            yield f"ATTACK {label} {self.chance.choice(held or list(near))}"
        if self.chance.random() < 0.4:
            yield f"CAS {label} {self.chance.randint(1, 2)}"

    def _support(self, label: str) -> str:
        others = [unit.label for unit in self.situation.units.values()]
        if self.situation.side == GERMAN and self.chance.random() < 0.4:
            return f"FOLLOW Stielau {self.chance.choice(others)}"
        return f"{self.chance.choice(['ARTILLERY', 'ARTILLERY', 'HOLD'])} {label}"

    def _walk(self, place: PlaceId) -> list[PlaceId]:
        way: list[PlaceId] = []
        for _ in range(self.chance.randint(1, 4)):
            place = self.chance.choice(list(self.game_data.open_neighbours(place)))
            way.append(place)
        return way


# --- what was promised, and what happened ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Played:
    """A sheet, the answer to it, and what came of it up to the end of the portion."""

    side: SideId
    game_data: GameData
    text: str
    read: SideSheet
    answer: Checked
    events: tuple[Event[Any], ...]
    guns: tuple[UnitId, ...]
    """R15.3 Whose battles had the heavy artillery before."""

    @property
    def refused(self) -> set[int]:
        return {each.line for each in self.answer.problems if each.severity is Severity.ERROR and each.line}

    @property
    def doubted(self) -> set[int]:
        return {each.line for each in self.answer.problems if each.severity is Severity.WARNING and each.line}

    @property
    def accepted(self) -> Sequence[Placed]:
        return [placed for placed in self.read.lines if placed.line not in self.refused]

    def events_of(self, phase: str) -> list[Event[Any]]:
        return [event for event in self.events if event.phase == f"{self.side}_{phase}"]


def position_of(seed: int) -> tuple[SideId, Scenario[GameData, State]]:
    chance = Random(f"a position {seed}")
    side = chance.choice([GERMAN, GERMAN, ALLIED, ALLIED, ALLIED])
    return side, read_case(position(chance, side), FILES)


def sheet_of(seed: int, scenario: Scenario[GameData, State], side: SideId) -> str:
    situation = as_known(scenario.game_data, state_known_to(scenario.start, audience_of(side)), side)
    return "\n".join(_Writer(Random(f"a sheet {seed}"), scenario.game_data, situation).lines())


def play(scenario: Scenario[GameData, State], side: SideId, text: str) -> Played:
    """The sheet's portion, with battles that nobody reports: they change nothing."""
    who, game_data, state = audience_of(side), scenario.game_data, scenario.start
    known = state_known_to(state, who)
    read = read_side(RULESET, game_data, known, who, [DeskSheet(text)], phase=state.open.phase)
    answer = check_side(RULESET, game_data, known, read)
    orders: Mapping[Audience, Sequence[Placed]] = {who: read.lines}
    events: list[Event[Any]] = []
    for lock in (1, 2):
        resolution = adjudicate(RULESET, game_data, state, orders, dice=dice_of(RULESET, 1, lock))
        state, orders = resolution.state, {}
        events += resolution.events
        if GM not in RULESET.phase(state.open.phase).acts(state.open):
            break
    return Played(side, game_data, text, read, answer, tuple(events), scenario.start.own[side].artillery)


def sees_everything(scenario: Scenario[GameData, State], side: SideId) -> bool:
    """Whether what the side knows of the enemy is what is."""
    known = as_known(scenario.game_data, state_known_to(scenario.start, audience_of(side)), side)
    true = as_true(scenario.game_data, scenario.start, side)
    return all(getattr(known, part) == getattr(true, part) for part in ("units", "terms", "fuel", "depots", "retired"))


def breaches(seed: int) -> list[str]:
    """What an answer promised and did not keep, or what happened without it."""
    side, scenario = position_of(seed)
    assert sees_everything(scenario, side)
    played = play(scenario, side, sheet_of(seed, scenario, side))
    rest = play(scenario, side, _without(played.text, played.refused))
    found = [
        *_differences("the sheet", _promised(played), _done(played)),
        *_differences("after the battles", _promised_later(played), _done_later(played)),
        *_fuel(played),
    ]
    if encode_events(rest.events) != encode_events(played.events):
        found.append("without the refused lines something else happens")
    return found


def _without(text: str, lines: set[int]) -> str:
    return "\n".join("" if number in lines else line for number, line in enumerate(text.split("\n"), 1))


def _differences(where: str, promised: Counter[str], done: Counter[str]) -> Iterator[str]:
    yield from (f"{where}: promised and not done: {what}" for what in (promised - done).elements())
    yield from (f"{where}: done and not promised: {what}" for what in (done - promised).elements())


_NOBODY = "the first enemy that it meets"


def _promised(played: Played) -> Counter[str]:
    """What the answer says of the lines, as far as it is of the sheet's own phase."""
    said: list[str] = []
    for each in played.answer.understood:
        if not each.line:
            continue
        text = re.sub(r"(moves \S+: \d+) of .*", r"\1", each.text)
        text = re.sub(r" after the battles: .*", "", text)
        text = re.sub(r" is supported by (\d+) air.*", r" is supported by \1", text)
        if " attacks " in text and (each.line in played.doubted or text.endswith(_NOBODY)):  # there is nobody to meet
            text = f"{text.partition(' attacks ')[0]} attacks nobody"
        said.append(text)
    return Counter(said)


def _done(played: Played) -> Counter[str]:
    """What happened in the sheet's phase, in the words of the answer."""
    happened = [event.fact for event in played.events_of("sheet")]
    names_guns = any(isinstance(placed.order, Artillery) for placed in played.accepted)
    if names_guns and not any(isinstance(fact, battle.ArtilleryNamed) for fact in happened):
        happened.append(battle.ArtilleryNamed(played.side, played.guns))  # those that were named before count
    return Counter(text for fact in happened for text in _in_words(played.game_data, fact))


def _in_words(game_data: GameData, fact: Any) -> Iterator[str]:
    put = _WORDS.get(type(fact))
    return iter(()) if put is None else iter(put(game_data, fact))


def _moved(_game_data: GameData, fact: movement.Moved) -> list[str]:
    return [f"{fact.unit} moves {'-'.join(fact.path)}: {fact.spent}{' and is halted' if fact.stop_reason else ''}"]


def _detached(_game_data: GameData, fact: movement.Detached) -> list[str]:
    force = fact.task_force
    return [f"{fact.parent} detaches {force.label}: {force.strength} %{' and 1 tank' if force.tanks else ''}"]


def _following(game_data: GameData, fact: movement.Following) -> list[str]:
    until = f" as far as {game_data.place_name(fact.until)}" if fact.until else ""
    return [f"{fact.unit} follows {fact.leader}{until} if {fact.leader} advances"]


_WORDS: Mapping[type, Callable[[GameData, Any], Iterable[str]]] = {
    movement.Moved: _moved,
    movement.Detached: _detached,
    movement.Rejoined: lambda _game_data, fact: [f"{fact.unit} rejoins {fact.parent}"],
    movement.TaskForceDenied: lambda _game_data, fact: [f"{fact.unit} is denied: {fact.refusal_reason}"],
    battle.BattleOpened: lambda game_data, fact: [
        f"{fighter.unit} attacks {game_data.place_name(fact.battle.at)}" for fighter in fact.battle.attackers
    ],
    battle.AttackCancelled: lambda _game_data, fact: [f"{fact.unit} attacks nobody"],
    movement.Plotted: lambda _game_data, fact: [f"{fact.unit} moves {'-'.join(fact.path[1:])}"],
    air.CloseSupport: lambda _game_data, fact: [f"{fact.unit} is supported by {fact.air_units}"],
    battle.ArtilleryNamed: lambda _game_data, fact: [
        f"heavy artillery for the battles of {unit}: choice {number}" for number, unit in enumerate(fact.units, 1)
    ],
    movement.Following: _following,
    air.AirDropped: lambda _game_data, fact: [f"{fact.unit} is supplied from the air before anyone moves"],
}


def _promised_later(played: Played) -> Counter[str]:
    """R4.5 Battles that change nothing leave saved movement as it was seen, if nothing was said against it."""
    certain = (each for each in played.answer.understood if each.line and each.line not in played.doubted)
    went = (re.fullmatch(r"(.*) moves (\S+) after the battles: .*", each.text) for each in certain)
    return Counter(f"{found[1]} moves {found[2]}" for found in went if found)


def _done_later(played: Played) -> Counter[str]:
    thens = [placed for placed in played.accepted if isinstance(placed.order, Then)]
    doubted = {placed.order.unit for placed in thens if placed.line in played.doubted}
    moved = [event.fact for event in played.events_of("after") if isinstance(event.fact, movement.Moved)]
    return Counter(f"{fact.unit} moves {'-'.join(fact.path)}" for fact in moved if fact.unit not in doubted)


def _fuel(played: Played) -> Iterator[str]:
    """R10.4 The price that was named is paid; less, if saved movement could not begin."""
    named = [re.match(r"Fuel: these moves cost (\d+) of", each.text) for each in played.answer.understood]
    promised = sum(int(found[1]) for found in named if found)
    paid = sum(event.fact.points for event in played.events if isinstance(event.fact, day.FuelSpent))
    if paid > promised or (paid < promised and not played.doubted):
        yield f"fuel: {promised} promised, {paid} paid"


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
