"""R11 Commandos: found by whoever comes upon them, going along with friends, and gone when their time is over."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from campaign.engine.facts import Ledger
from campaign.engine.hexes import distance
from campaign.engine.ids import PUBLIC, PlaceId, SideId, UnitId
from campaign.engine.orders import Placed, Problem, Severity, Understood
from campaign.rulesets.forum_campaign.facts import CommandoSearched, CommandosGone, Followed, Following
from campaign.rulesets.forum_campaign.orders import Follow
from campaign.rulesets.forum_campaign.state import Escort, State, Unit, commandos_on_map
from campaign.rulesets.forum_campaign.theatre import ALLIED, GERMAN, Theatre

Book = Ledger[Theatre, State]

_FOUND_UP_TO = 3
"""R11.3 Eliminated on 1 to 3, whatever the die."""


# --- found by the enemy ----------------------------------------------------------------------------------------------


def search(ledger: Book, side: SideId, entered: Iterable[PlaceId]) -> None:
    """R11.3 An Allied unit has entered these hexes, by whatever way: each commando there is found on 1 to 3."""
    if side != ALLIED:
        return
    for place in entered:
        here = [unit for unit, at in commandos_on_map(ledger.state.own[GERMAN]) if at == place]
        for commando in here:
            _roll_for(ledger, commando, place)


def _roll_for(ledger: Book, commando: Unit, place: PlaceId) -> None:
    times = 1 + sum(
        isinstance(event.fact, CommandoSearched) and event.fact.unit == commando.id for event in ledger.events
    )
    (die,) = ledger.roll(
        f"commando/{commando.id}/{times}",
        sides=int(ledger.state.open.options.commando_die.value),
        audience=PUBLIC,
        purpose=f"the search for {commando.label}",
        rule="R11.3",
    )
    found = die <= _FOUND_UP_TO
    ledger.emit(CommandoSearched(GERMAN, commando.id, commando.label, place, found), rule="R11.3")


# --- going along -----------------------------------------------------------------------------------------------------


def follow(ledger: Book, leader: UnitId, start: PlaceId, to: PlaceId) -> None:
    """R11.5 A unit has advanced or pursued: commandos that were ordered to follow go along, all or part of the way."""
    own = ledger.state.own[GERMAN]
    for commando, at in list(commandos_on_map(own)):
        escort = own.followers.get(commando.id)
        if escort is not None and escort.leader == leader and at == start:
            _go_along(ledger, commando.id, at, _as_far(ledger.theatre, at, to, escort))


def _as_far(theatre: Theatre, start: PlaceId, to: PlaceId, escort: Escort) -> PlaceId:
    """Where an escort ends: where it was told to stay behind, if that is on the way."""
    until = escort.until
    if until is None or until == to:
        return to
    if until == start:
        return start
    on_the_way = distance(start, to) > 1 and {start, to} <= set(theatre.open_neighbours(until))
    return until if on_the_way else to


def retreat_with(ledger: Book, side: SideId, start: PlaceId, to: PlaceId) -> None:
    """R11.5 A beaten unit has retreated: the commandos in its hex must go with the first that does."""
    if side != GERMAN:
        return
    for commando, at in list(commandos_on_map(ledger.state.own[GERMAN])):
        if at == start:
            _go_along(ledger, commando.id, at, to)


def _go_along(ledger: Book, commando: UnitId, start: PlaceId, to: PlaceId) -> None:
    if start != to:
        ledger.emit(Followed(GERMAN, commando, start, to), rule="R11.5")


# --- ordered to follow -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Escorts:
    """The FOLLOW lines of a sheet: those that count, and what is to be said of all of them."""

    accepted: tuple[Following, ...]
    understood: tuple[Understood, ...]
    problems: tuple[Problem, ...]


def judge_follows(theatre: Theatre, units: Mapping[UnitId, Unit], sheet: Sequence[Placed]) -> Escorts:
    """R11.5 A commando follows a unit in whose hex it stands when all have moved. `units`: the side's, after its moves.

    A commando has one line; where its unit goes in the end is settled after the battles.
    """
    accepted: dict[UnitId, Following] = {}
    understood: list[Understood] = []
    problems: list[Problem] = []
    for placed in sheet:
        if not isinstance(placed.order, Follow):
            continue
        order = placed.order
        fault = _fault(units, order, accepted)
        if fault is not None:
            problems.append(Problem(fault[0], Severity.ERROR, placed.line, 1, fault[1], fault[2], "R11.5"))
        else:
            accepted[order.unit] = Following(GERMAN, order.unit, order.leader, order.to)
            until = f" as far as {theatre.place_name(order.to)}" if order.to else ""
            text = f"{units[order.unit].label} goes along with {units[order.leader].label}{until} if it advances"
            understood.append(Understood(placed.line, text))
    return Escorts(tuple(accepted.values()), tuple(understood), tuple(problems))


def _fault(
    units: Mapping[UnitId, Unit], order: Follow, accepted: Mapping[UnitId, Following]
) -> tuple[str, str, str] | None:
    """Code, message and hint of what is wrong with a line."""
    gone = [unit for unit in (order.unit, order.leader) if unit not in units]
    if gone:
        return "gone", f"{gone[0]} is not there any more", ""
    unit, leader = units[order.unit], units[order.leader]
    if unit.ground:
        return "no-commando", f"{unit.label} is no commando; only commandos follow", ""
    if not leader.ground:
        return "leader", f"{leader.label} is a commando and advances nowhere", "Name the unit it stands with."
    if unit.id in accepted:
        return "twice", f"{unit.label} follows already by a line above", "Keep one of the two lines."
    if unit.at is None or unit.at != leader.at:
        hint = "Move the commando into its hex first."
        return "apart", f"{unit.label} will not stand in the hex of {leader.label}", hint
    return None


def note_follows(ledger: Book, wanted: Iterable[Following]) -> None:
    """R11.5 The lines that counted, where commando and unit have really come together."""
    units = ledger.state.own[GERMAN].units
    for following in wanted:
        unit, leader = units.get(following.unit), units.get(following.leader)
        if unit is not None and leader is not None and unit.at is not None and unit.at == leader.at:
            ledger.emit(following, rule="R11.5")


# --- gone ------------------------------------------------------------------------------------------------------------


def remove_commandos(ledger: Book) -> None:
    """R11.6 At the end of their last day the surviving commandos go."""
    if ledger.state.open.date < ledger.theatre.charts.commandos.last_day:
        return
    left = tuple(unit.id for unit in ledger.state.own[GERMAN].units.values() if not unit.ground)
    if left:
        ledger.emit(CommandosGone(GERMAN, left), rule="R11.6")
