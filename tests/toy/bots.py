"""Bots of the toy: they attack, else go on, else pass."""

from collections.abc import Callable, Iterator, Mapping

from campaign.engine.values.ids import Audience, SideId
from tests.toy.model.game_data import SIDES, GameData, Use
from tests.toy.model.state import State
from tests.toy.rules.situation import Situation, as_known
from tests.toy.rules.victory import points_of
from tests.toy.sequence import ANSWER, TURN

Bot = Callable[[GameData, State, Audience], str]


def _bot(*, bold: bool) -> Bot:
    def sheet(game_data: GameData, known: State, who: Audience) -> str:
        side = SideId(who)
        situation = as_known(game_data, known, side)
        if known.open.phase == ANSWER and situation.attacked is not None:
            return f"STAND{_card(situation, Use.DEFENCE, bold=bold)}\nREADY\n"
        if known.open.phase != TURN or known.open.turn != side:
            return f"WHEN ATTACKED evade with {min(situation.forces)}\n" if bold and situation.forces else ""
        return next(_acts(situation, bold=bold), "PASS\nREADY\n")

    return sheet


BOTS: Mapping[str, Bot] = {"bold": _bot(bold=True), "cautious": _bot(bold=False)}
"""Only the bold attacks and plays cards, and gives standing orders when it is not asked."""


def _acts(situation: Situation, *, bold: bool) -> Iterator[str]:
    board = situation.game_data.board
    fresh = [force for force in situation.forces.values() if not force.spent]
    for force in fresh if bold else []:
        near = [at for at in board.neighbours(force.at) if at in situation.enemies]
        yield from (f"ATTACK {force.id} {at}{_card(situation, Use.ATTACK, bold=bold)}\n" for at in near)
    held = situation.own | situation.enemies
    for force in fresh:
        yield from (f"MOVE {force.id} {at}\n" for at in board.neighbours(force.at) if at not in held)


def _card(situation: Situation, use: Use, *, bold: bool) -> str:
    charts = situation.game_data.cards
    usable = sorted(card.value for card in situation.hand if charts[card].use is use and bold)
    return f" with {usable[0]}" if usable else ""


def measures(game_data: GameData, state: State) -> Mapping[str, int]:
    """The points and forces of each side."""
    points = points_of(game_data, state.open.control)
    return {f"points_{side}": points[side] for side in SIDES} | {
        f"forces_{side}": len(state.own[side].forces) for side in SIDES
    }


def outcome(game_data: GameData, state: State) -> str:
    """The side that is ahead, or draw."""
    points = points_of(game_data, state.open.control)
    ahead, behind = sorted(SIDES, key=lambda side: -points[side])
    return ahead if points[ahead] > points[behind] else "draw"
