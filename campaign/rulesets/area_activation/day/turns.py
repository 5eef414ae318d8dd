"""R9, R10, R49: a turn, from its choice to its end."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from campaign.engine.facts import Ledger
from campaign.engine.orders.order import Order
from campaign.engine.phases import Orders
from campaign.engine.values.ids import PlaceId, SideId
from campaign.rulesets.area_activation.day.fighting import attack_next, break_through, defend, take_hits_of
from campaign.rulesets.area_activation.day.ground import scout, settle
from campaign.rulesets.area_activation.day.moving import move_all, why_not
from campaign.rulesets.area_activation.day.questions import ask, must_ask, wants
from campaign.rulesets.area_activation.model.facts import Activated, CombatsDue, Passed, TurnOver, Used
from campaign.rulesets.area_activation.model.game_data import GameData, enemy_of
from campaign.rulesets.area_activation.model.options import Fog
from campaign.rulesets.area_activation.model.orders import (
    LAST_TURN,
    TIMES,
    Activate,
    Decision,
    Exit,
    GoOn,
    Holding,
    Move,
    Pass,
    Time,
    is_used_up,
)
from campaign.rulesets.area_activation.model.state import Open, Stage, State, is_surprise
from campaign.rulesets.area_activation.rules.combat import may_act, places_to_fight
from campaign.rulesets.area_activation.rules.situation import Situation, as_seen, as_true, watched

Work = Callable[[Ledger[GameData, State]], bool]
"""Takes a turn one step further. False: a side must be asked first."""


def play_turn(ledger: Ledger[GameData, State], _orders: Orders) -> None:
    """R7 Play a turn until it is over, or until a side must be asked; R50 what the GM has corrected is seen."""
    settle(ledger)
    scout(ledger)
    while ledger.state.open.stage is not Stage.DONE and _WORK[ledger.state.open.stage](ledger):
        pass


def clock(open_: Open) -> Time:
    """R4, R7 The time: it moves on with each turn of the side that has the initiative, but for surprise turns."""
    if is_surprise(open_):
        return TIMES[0]
    return TIMES[min(open_.turns.get(open_.initiative, 0), LAST_TURN)]


def may_pass(open_: Open) -> bool:
    """R9 Whether the side whose turn it is may pass though it can act."""
    if is_surprise(open_):
        return False
    return open_.turn != open_.initiative or open_.passes > 0


def active_spaces(situation: Situation) -> tuple[PlaceId, ...]:
    """R9, R10 The spaces in which the side has units that can be activated, in the order of the map."""
    ready = {unit.at for unit in situation.own.values() if may_act(unit)}
    return tuple(place for place in situation.game_data.spaces if place in ready)


def _choose(ledger: Ledger[GameData, State]) -> bool:
    """R9 Activate a space or pass. R48 Who is asked which space it activates may answer that it passes."""
    open_ = ledger.state.open
    side, allowed = open_.turn, may_pass(open_)
    about = Decision.ACTIVATIONS if wants(open_, Decision.ACTIVATIONS, side) else Decision.PASSES
    if not _nobody_left(open_) and (allowed or about is Decision.ACTIVATIONS) and must_ask(open_, about, side):
        ask(ledger, about, side)
        return False
    situation = as_seen(ledger.game_data, ledger.state, side)
    own = ledger.state.own[side]
    choice = chosen(situation, (*own.reply, *own.plan), allowed=allowed)
    of_sheet = any(choice is line for line in own.plan)  # an answer does not use up the sheet's line
    if of_sheet and isinstance(choice, Activate | Pass) and is_used_up(choice):
        ledger.emit(Used(side, choice), rule="R49")
    place = choice.at if isinstance(choice, Activate) else choice
    if place is None or isinstance(place, Pass):
        ledger.emit(Passed(side), rule="R9")
        scout(ledger)
        return True
    _activate(ledger, side, place)
    return True


def _nobody_left(open_: Open) -> bool:
    """R48 Whether everybody sees that the side has no unit to activate, so that there is nothing to ask."""
    own = [unit for unit in open_.shown if unit.side == open_.turn]
    return open_.options.fog is Fog.OFF and not any(map(may_act, own))


def chosen(situation: Situation, lines: Sequence[Order], *, allowed: bool) -> Activate | Pass | PlaceId | None:
    """R49 The line that decides, or the space that the default gives; None: the side passes.

    `lines`: the answers to questions, then the sheet. `allowed`: whether the side may pass though it can act.
    """
    spaces = active_spaces(situation)
    if not spaces:
        return None
    allowed = allowed and not any(isinstance(line, GoOn) for line in lines)
    now = clock(situation.open)
    for line in lines:
        if isinstance(line, Pass) and allowed and is_met(situation, line, now):
            return line
        if isinstance(line, Activate) and line.at in spaces and is_met(situation, line, now):
            return line
    return next(_default(situation, lines, spaces, allowed=allowed), None)


def is_met(situation: Situation, line: Activate | Pass, now: Time) -> bool:
    """R49 Whether the conditions of a line are met."""
    if line.after is not None and now.value < line.after.value:
        return False
    if isinstance(line, Pass) or line.when is None or line.holds is None:
        return True
    return holding(situation, line.when) is line.holds


def holding(situation: Situation, place: PlaceId) -> Holding:
    """R49 How a space stands for a side."""
    if situation.is_contested(place):
        return Holding.CONTESTED
    return Holding.OURS if situation.is_ours(place) else Holding.THEIRS


def _default(
    situation: Situation, lines: Sequence[Order], spaces: tuple[PlaceId, ...], *, allowed: bool
) -> Iterator[PlaceId]:
    """R49 The spaces of units with a line that they can follow; else, if the side must act, where it risks least."""
    for line in lines:
        if isinstance(line, Move | Exit) and line.unit in situation.own:
            unit = situation.own[line.unit]
            if may_act(unit) and why_not(situation, line) is None:
                yield unit.at
    if not allowed:
        yield from (place for place in spaces if not situation.is_contested(place))
        yield from spaces


def _activate(ledger: Ledger[GameData, State], side: SideId, place: PlaceId) -> None:
    """R10 All units of a space that can act become active and move; then their combats are due."""
    units = tuple(unit.id for unit in ledger.state.own[side].units.values() if unit.at == place and may_act(unit))
    seen = place in watched(ledger.game_data, ledger.state, enemy_of(side))
    ledger.emit(Activated(side, place, units, seen), rule="R10")
    move_all(ledger, side, units)
    settle(ledger)
    places = places_to_fight(as_true(ledger.game_data, ledger.state, side))
    ledger.emit(CombatsDue(places), rule="R25")


def _finish(ledger: Ledger[GameData, State]) -> bool:
    """R25 The next combat, or the end of the turn."""
    if ledger.state.open.fights:
        return attack_next(ledger)
    ledger.emit(TurnOver(ledger.state.open.turn), rule="R10")
    scout(ledger)
    return True


_WORK: Mapping[Stage, Work] = {
    Stage.CHOICE: _choose,
    Stage.COMBATS: _finish,
    Stage.RETREAT: defend,
    Stage.DEFENDER: take_hits_of(Stage.DEFENDER),
    Stage.ATTACKER: take_hits_of(Stage.ATTACKER),
    Stage.BREAKTHROUGH: break_through,
}
