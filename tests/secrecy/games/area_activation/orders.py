"""What sides and the game master of the area game write."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from random import Random

from campaign.engine.orders.order import Path
from campaign.engine.state import known_state
from campaign.engine.values.ids import GM, PhaseKey, PlaceId, SideId
from campaign.game.loading import Loaded
from campaign.rulesets.area_activation.day.morning import may_strike
from campaign.rulesets.area_activation.model.game_data import ALLIED, GERMAN, Kind
from campaign.rulesets.area_activation.model.orders import Decision
from campaign.rulesets.area_activation.model.state import State, Unit
from campaign.rulesets.area_activation.rules.combat import may_act
from campaign.rulesets.area_activation.rules.movement import ways as all_ways
from campaign.rulesets.area_activation.rules.situation import Situation, as_known
from campaign.rulesets.area_activation.sequence import DAY, IMPULSE, MORNING, REPLY, SURPRISE
from tests.secrecy.games.area_activation.units import has_room, hidden
from tests.secrecy.games.game import Position

TEXTS = (
    "PASS\nREADY",
    "PASS after 0530\nASK ME retreats\nREADY",
    "MARK 1 SS Pz\nMARK 2 Pz\nREADY",
    "REFUEL 116 Pz\nREFUEL Pz Lehr\nREADY",
    "COMMANDO 4 Inf\nREADY",
    "COMMANDO 28 Inf\nARRIVE 150 Pz at Monschau",
    "RETREAT St. Vith hits 2\nSTAND Clervaux\nLOSE 26 VG",
    "MOVE nobody nowhere\nNONSENSE\n# ",
    "NOTE we come at night",
    "",
)

ASKED: Mapping[PhaseKey, Sequence[str]] = {
    MORNING: (
        "ARRIVE {unit} at {hex}",
        "REPLACE {unit}",
        "REFUEL {unit}",
        "COMMANDO 101 Abn",
        "COMMANDO 28 Inf",
        "MARK 2 Pz",
        "MARK 150 Pz",
    ),
    DAY: (
        "ACTIVATE {hex}",
        "MOVE {unit} {hex}",
        "MOVE {unit} {hex} strategic",
        "RETREAT {hex} to Bastogne",
        "BREAK THROUGH {unit} to {hex}",
        "COMBAT {hex}",
        "EXIT {unit}",
    ),
}


def sheet(loaded: Loaded, state: State, who: str, style: str) -> str:
    """A sheet that does something of everything; it asks if `style` is all-round. The game master writes none."""
    if who == GM:
        return "READY\n"
    side = SideId(who)
    known = known_state(state, (side,))
    situation = as_known(loaded.scenario.game_data, known, side)
    writing = _WRITING[state.open.phase]
    asks = [f"ASK ME {about.value}" for about in _ASKED_ABOUT] if writing is _day and style == ASKS else []
    return "\n".join([*writing(situation, known), *asks, "READY\n"])


ASKS = "asks"
_ASKED_ABOUT = (Decision.RETREATS, Decision.LOSSES)


def _morning(situation: Situation, known: State) -> Iterator[str]:
    """R37, R41 The strongest in sight are marked or struck, and two units are freed."""
    strongest = sorted(situation.enemies, key=lambda unit: (-unit.strength, unit.id))
    day = situation.game_data.days[known.open.date]
    if situation.side == ALLIED:
        drivers = [unit for unit in strongest if situation.card(unit).drives]
        yield from (f"MARK {unit.id}" for unit in drivers[: day.marked])
        return
    own = [unit for unit in situation.own.values() if situation.card(unit).drives]
    yield from (f"REFUEL {unit.id}" for unit in own[: day.refuelled])
    if strongest and may_strike(situation.game_data, known):
        yield f"COMMANDO {strongest[0].id}"


def _day(situation: Situation, _known: State) -> Iterator[str]:
    """R49 Every space acts, those at the front first; one of its units goes as far to the west as it can."""
    spaces = sorted({unit.at for unit in situation.own.values()}, key=lambda place: _to_the_west(situation, place))
    for place in spaces if situation.side == GERMAN else reversed(spaces):
        yield f"ACTIVATE {place}"
        for unit in situation.own_in(place)[:2]:
            paths = [path for path, strategic in all_ways(situation, unit) if not strategic]
            if may_act(unit) and paths and situation.side == GERMAN:
                _, best = min((_to_the_west(situation, path[-1]), path) for path in paths)
                yield f"MOVE {unit.id} {'-'.join(best)}"
        yield f"RETREAT {place} hits 3"
        yield from _on(situation, place)
    yield from (f"LOSE {unit}" for unit in situation.own)


def _on(situation: Situation, place: PlaceId) -> Iterator[str]:
    """R33 Armor goes on to the west, from where it is or from the next space."""
    near, to_the_west = situation.game_data.board.neighbours, partial(_to_the_west, situation)
    goals = sorted({to for at in (place, *near(place)) for to in near(at)}, key=to_the_west)
    for unit in situation.own_in(place):
        if situation.card(unit).kind is Kind.ARMOR:
            yield from (f"BREAK THROUGH {unit.id} to {to}" for to in goals[:3])


def _to_the_west(situation: Situation, place: PlaceId) -> tuple[float, PlaceId]:
    return situation.space(place).at[0], place


def _reply(situation: Situation, known: State) -> Iterator[str]:
    """R48 It acts from the east, stands, and the first unit takes the first hit; the other questions it leaves open."""
    question, fight = known.open.question, known.open.fight
    about = None if question is None else question.about
    if about is Decision.ACTIVATIONS:
        ready = {unit.at for unit in situation.own.values() if may_act(unit)}
        yield from (f"ACTIVATE {place}" for place in sorted(ready, key=lambda at: _to_the_west(situation, at))[-1:])
    if fight is not None and about is Decision.RETREATS:
        yield f"STAND {fight.at}"
    if fight is not None and about is Decision.LOSSES:
        yield f"LOSE {fight.of(situation.side)[0].unit}"


_WRITING = {MORNING: _morning, DAY: _day, SURPRISE: _day, REPLY: _reply, IMPULSE: _reply}


def ways(loaded: Loaded, state: State, side: SideId, chance: Random) -> list[tuple[Unit, Path]]:
    """One each for some units, longer ones more likely."""
    situation = as_known(loaded.scenario.game_data, known_state(state, (side,)), side)
    units = list(situation.own.values())
    found = []
    for unit in sorted(chance.sample(units, k=min(6, len(units))), key=lambda unit: unit.id):
        paths = sorted((path for path, strategic in all_ways(situation, unit) if not strategic), key=len)
        if paths:
            found.append((unit, chance.choice(paths[len(paths) // 2 :])))
    return found


def unseen_moves(position: Position, side: SideId, chance: Random) -> dict[str, str]:
    """R14 Between spaces of its own side, so that nobody else learns of it."""
    if position.state.open.phase != DAY:
        return {}
    game_data, known = position.data, known_state(position.state, (side,))
    situation, found = as_known(game_data, known, side), {}
    for unit in hidden(position, side):
        safe = [
            path
            for path, strategic in all_ways(situation, unit)
            if not strategic and all(situation.is_safe(at) and has_room(position, side, unit, at) for at in path)
        ]
        if safe:
            name = game_data.cards[unit.id].name
            found[name] = f"MOVE {name} {'-'.join(chance.choice(safe))}"
    return found


def lines(planned: Sequence[tuple[Unit, Path]], places: Sequence[PlaceId], chance: Random) -> str:
    chosen = [f"MOVE {unit.id} {'-'.join(way)}" for unit, way in planned if chance.random() < 0.8]
    units = [str(unit.id) for unit, _ in planned] or ["nobody"]
    spots: list[PlaceId] = chance.choices(places, k=9)
    more = [
        f"ACTIVATE {spots[0]}",
        f"ACTIVATE {spots[1]} after 1000 when {spots[2]} is ours",
        f"MOVE {chance.choice(units)} {spots[3]}-{spots[4]}",
        f"MOVE {chance.choice(units)} {spots[5]} strategic",
        f"COMBAT {spots[6]}",
        f"RETREAT {spots[7]} hits 2",
        f"BREAK THROUGH {chance.choice(units)} to {spots[8]}",
        f"LOSE {chance.choice(units)}",
        f"ARRIVE {chance.choice(units)} at {spots[0]}",
        f"REPLACE {chance.choice(units)}",
        f"REFUEL {chance.choice(units)}",
        "MARK 2 Pz",
        "COMMANDO 28 Inf",
        "ASK ME losses",
        "PASS after 1600",
        "NOTE a word",
        "no order at all",
    ]
    return "\n".join([*chosen, *chance.sample(more, k=6)])


def correction(unit: Unit, chance: Random) -> str:
    """A sign on a unit that nobody else sees."""
    return f"PUT SIGN {chance.choice(['acted', 'unfuelled', 'unsupplied'])} on {unit.id}"


def ruling(chance: Random) -> str:
    """Everybody learns of points."""
    return f"ADD POINTS {chance.randint(1, 3)}"
