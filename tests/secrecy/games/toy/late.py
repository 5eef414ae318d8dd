"""A campaign of the toy that begins in the middle, and what its phases have that early ones lack."""

import datetime
from dataclasses import replace

from campaign.engine.values.ids import SideId
from campaign.game.loading import WithStart
from campaign.handling import DEFAULTS
from tests.laws.games import play
from tests.secrecy.games.game import Opening, Position
from tests.secrecy.games.midway import midway
from tests.toy import RULESET, SCENARIO
from tests.toy.model.state import State
from tests.toy.sequence import ANSWER, DAWN

_GAMES, _PHASES = 20, 60
_SET_UP = 4
"""Forces of a side at the beginning."""
_DAY = datetime.date(1809, 8, 5)


def _third_dawn(of: WithStart) -> State:
    """After both sides have lost a force."""
    games = (((phase.before, phase.resolution) for phase in play(of, game, _PHASES)) for game in range(_GAMES))
    found: State = midway(RULESET, games, DAWN, _both_have_lost)
    return found


def _both_have_lost(state: State) -> bool:
    return state.open.date == _DAY and all(len(own.forces) < _SET_UP for own in state.own.values())


def _others_stand(position: Position) -> bool:
    """R5.6 The other side has standing orders, which nobody else knows."""
    return any(position.state.own[side].standing for side in position.foreign)


LATE = Opening(
    name="toy-late",
    scenario=SCENARIO,
    phases=6,
    first_state=_third_dawn,
    handling={weight: replace(handling, reviewed=True) for weight, handling in DEFAULTS.items()},
    has={
        "forces that are gone": lambda at: len(at.state.own[SideId(at.observer)].forces) < _SET_UP,
        "cards that were played": lambda at: bool(at.state.open.played),
        "an attack to answer": lambda at: bool(at.state.open.phase == ANSWER),
        "standing orders of the enemy": _others_stand,
    },
)
"""The third day, with drafts that wait for the GM in every phase."""
