"""Campaigns of the area game that begin in the middle: an early day with hidden units, and a late one with fuel."""

import datetime
from collections.abc import Callable, Iterator, Mapping

from campaign.engine.adjudication import Resolution, adjudicate, asked
from campaign.engine.orders.notation import parse
from campaign.engine.state import known_state, with_open
from campaign.engine.values.ids import SideId
from campaign.game.beginning import first_state
from campaign.game.loading import WithStart, find_scenario
from campaign.rulesets.area_activation import RULESET
from campaign.rulesets.area_activation.model.game_data import SIDES
from campaign.rulesets.area_activation.model.state import State
from campaign.rulesets.area_activation.sequence import DAWN, EVENING, MORNING, REPLY
from tests.laws.games import dice_of
from tests.secrecy.games.area_activation.orders import ASKS, sheet
from tests.secrecy.games.area_activation.units import unseen
from tests.secrecy.games.game import Opening, Position
from tests.secrecy.games.midway import Played, midway

RACE = find_scenario("area_activation/race-to-the-meuse")
FULL = find_scenario("area_activation/ardennes-1944")


def played(of: WithStart, number: int, options: Mapping[str, str]) -> Iterator[tuple[State, Resolution[State]]]:
    """A game by its number, with the sheets of `orders`, to its end."""
    state, game_data, lock = first_state(of, options), of.scenario.game_data, 0
    while not RULESET.over(state):
        kinds, lock = RULESET.phase(RULESET.now(state)).orders, lock + 1
        texts = {who: sheet(of, state, who, "") for who in asked(RULESET, state)}
        orders = {
            who: parse(text, kinds, RULESET.names(game_data, known_state(state, (SideId(who),)))).orders
            for who, text in texts.items()
        }
        resolution = adjudicate(RULESET, game_data, state, orders, dice=dice_of(RULESET, number, lock))
        yield state, resolution
        state = resolution.state


def _games(of: WithStart, options: Mapping[str, str]) -> Iterator[Played]:
    return (played(of, number, options) for number in range(20))


def _early_dawn(of: WithStart) -> State:
    """R45 The first dawn after which both sides have several units that the enemy does not see; R41 and no commando."""
    data = of.scenario.game_data
    found: State = midway(
        RULESET,
        _games(of, {"fog": "on"}),
        DAWN,
        lambda state: state.open.date > data.first_day and all(len(unseen(data, state, side)) > 1 for side in SIDES),
    )
    return with_open(found, commando_used=False)


def _late_evening(of: WithStart) -> State:
    """R37 The evening before a day with fuel marks. Who has come until then is not asked: the 22nd brings them all."""
    found: State = midway(RULESET, _games(of, {}), EVENING, lambda state: state.open.date.day == _PLAYED)
    return with_open(found, date=datetime.date(1944, 12, 21), points=_UNDECIDED)


_PLAYED = 19
"""The day in December until which the game is really played."""
_UNDECIDED = 10
"""R43 German points with which the game goes on after the 22nd."""


def _in(phase: str) -> Callable[[Position], bool]:
    return lambda position: bool(position.state.open.phase == phase)


def _hides(position: Position) -> bool:
    return all(unseen(position.data, position.state, side) for side in SIDES)


def _marks_fuel(position: Position) -> bool:
    open_ = position.state.open
    return bool(open_.phase == MORNING and position.data.days[open_.date].marked)


EARLY = Opening(
    name="area",
    scenario=RACE,
    phases=3,
    styles=("", ASKS),
    first_state=_early_dawn,
    has={"units of both sides that nobody else sees": _hides, "a commando operation to order": _in(MORNING)},
)
"""An early day of the race, with hidden units."""

LATE = Opening(
    name="area-late",
    scenario=FULL,
    phases=3,
    styles=("", ASKS),
    first_state=_late_evening,
    has={
        "fuel marks to order": lambda at: bool(
            at.state.open.phase == MORNING and at.data.days[at.state.open.date].marked
        ),
        "a question while a day is played": _in(REPLY),
        "a locked sheet of the enemy": lambda at: any(at.state.own[side].plan for side in at.foreign),
    },
)
"""A late day of the full game, in which nothing on the map is hidden, with questions."""
