"""R11 Commandos: the search for them, following friendly units, and their last day."""

from collections.abc import Iterable
from dataclasses import dataclass

from campaign.engine.facts import Ledger
from campaign.engine.orders.checking import Refused, check_lines
from campaign.engine.orders.order import Checked, Submission
from campaign.engine.values.ids import GM, PlaceId, SideId, UnitId
from campaign.rulesets.forum_campaign.model.facts.movement import (
    COMMANDO_SEARCH,
    CommandoSearched,
    CommandosGone,
    Followed,
    Following,
)
from campaign.rulesets.forum_campaign.model.game_data import ALLIED, GERMAN, GameData
from campaign.rulesets.forum_campaign.model.orders import Follow
from campaign.rulesets.forum_campaign.model.state import Escort, State, Unit, commandos_on_map

_FOUND_UP_TO = 3
"""R11.3 Eliminated on 1 to 3, with either die."""


# --- found by the enemy ----------------------------------------------------------------------------------------------


def search(ledger: Ledger[GameData, State], side: SideId, entered: Iterable[PlaceId]) -> None:
    """R11.3 An Allied unit has entered these hexes: each commando there is found on 1 to 3.

    The dice are in the GM's log, since no log is that of both sides; the release table tells both.
    """
    if side != ALLIED:
        return
    for place in entered:
        here = [unit for unit, at in commandos_on_map(ledger.state.own[GERMAN]) if at == place]
        for commando in here:
            _roll_for(ledger, commando, place)


def _roll_for(ledger: Ledger[GameData, State], commando: Unit, place: PlaceId) -> None:
    times = 1 + sum(
        isinstance(event.fact, CommandoSearched) and event.fact.unit == commando.id for event in ledger.events
    )
    (die,) = ledger.roll(
        f"{COMMANDO_SEARCH}{commando.id}/{times}",
        sides=int(ledger.state.open.options.commando_die.value),
        audience=GM,
        purpose=f"the search for {commando.label}",
        rule="R11.3",
    )
    found = die <= _FOUND_UP_TO
    ledger.emit(CommandoSearched(GERMAN, commando.id, commando.label, place, found), rule="R11.3")


# --- following -------------------------------------------------------------------------------------------------------


def follow(ledger: Ledger[GameData, State], leader: UnitId, start: PlaceId, to: PlaceId) -> None:
    """R11.5 A unit has advanced or pursued: commandos ordered to follow it go all or part of the way."""
    own = ledger.state.own[GERMAN]
    for commando, at in list(commandos_on_map(own)):
        escort = own.followers.get(commando.id)
        if escort is not None and escort.leader == leader and at == start:
            _go_along(ledger, commando.id, at, _end_of_escort(ledger.game_data, at, to, escort))


def _end_of_escort(game_data: GameData, start: PlaceId, to: PlaceId, escort: Escort) -> PlaceId:
    """The hex where a commando ends: the one where it should stay behind, if that is on the way."""
    until = escort.until
    if until is None or until == to:
        return to
    if until == start:
        return start
    on_the_way = game_data.grid.distance(start, to) > 1 and {start, to} <= set(game_data.open_neighbours(until))
    return until if on_the_way else to


def retreat_with(ledger: Ledger[GameData, State], side: SideId, start: PlaceId, to: PlaceId) -> None:
    """R11.5 A defeated unit has retreated: the commandos in its hex go with the first that does."""
    if side != GERMAN:
        return
    for commando, at in list(commandos_on_map(ledger.state.own[GERMAN])):
        if at == start:
            _go_along(ledger, commando.id, at, to)


def _go_along(ledger: Ledger[GameData, State], commando: UnitId, start: PlaceId, to: PlaceId) -> None:
    if start != to:
        ledger.emit(Followed(GERMAN, commando, start, to), rule="R11.5")


# --- ordered to follow -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Escorts:
    """The FOLLOW lines of a sheet that count, and the answer to all of them."""

    accepted: tuple[Following, ...]
    checked: Checked


def check_follows(sheet: Submission[GameData, State]) -> Escorts:
    """R11.5 A commando follows a unit that is in its hex when all have moved, as far as the side knows then.

    A commando has one line; its unit's destination is only known after the battles.
    """
    units, accepted = sheet.known.own[sheet.side].units, dict[UnitId, Following]()

    def check(order: Follow) -> str:
        gone = [unit for unit in (order.unit, order.leader) if unit not in units]
        if gone:
            raise Refused("gone", f"{gone[0]} no longer exists", "R11.5")
        unit, leader = units[order.unit], units[order.leader]
        _refuse_follow(unit, leader, twice=unit.id in accepted)
        accepted[order.unit] = Following(GERMAN, order.unit, order.leader, order.to)
        until = f" as far as {sheet.game_data.place_name(order.to)}" if order.to else ""
        return f"{unit.label} follows {leader.label}{until} if {leader.label} advances"

    checked = check_lines(sheet.lines, {Follow: check})
    return Escorts(tuple(accepted.values()), checked)


def _refuse_follow(unit: Unit, leader: Unit, *, twice: bool) -> None:
    if unit.ground:
        raise Refused("no-commando", f"{unit.label} is not a commando; only commandos can follow", "R11.5")
    if not leader.ground:
        message = f"{leader.label} is a commando, and commandos do not advance"
        raise Refused("leader", message, "R11.5", hint="Name the unit in its hex.")
    if twice:
        message = f"{unit.label} already follows a unit in a line above"
        raise Refused("twice", message, "R11.5", hint="Keep one of the two lines.")
    if unit.at is None or unit.at != leader.at:
        message = f"{unit.label} will not be in the hex of {leader.label}"
        raise Refused("apart", message, "R11.5", hint="Move the commando into its hex first.")


def note_follows(ledger: Ledger[GameData, State], wanted: Iterable[Following]) -> None:
    """R11.5 Record the lines that counted, if commando and unit are really in one hex."""
    units = ledger.state.own[GERMAN].units
    for following in wanted:
        unit, leader = units.get(following.unit), units.get(following.leader)
        if unit is not None and leader is not None and unit.at is not None and unit.at == leader.at:
            ledger.emit(following, rule="R11.5")


# --- gone ------------------------------------------------------------------------------------------------------------


def remove_commandos(ledger: Ledger[GameData, State]) -> None:
    """R11.6 Remove the surviving commandos at the end of their last day."""
    if ledger.state.open.date < ledger.game_data.charts.commandos.last_day:
        return
    left = tuple(unit.id for unit in ledger.state.own[GERMAN].units.values() if not unit.ground)
    if left:
        ledger.emit(CommandosGone(GERMAN, left), rule="R11.6")
