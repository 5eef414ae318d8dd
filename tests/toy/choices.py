"""Every order that is legal as far as a side knows."""

from collections.abc import Iterator, Sequence

from campaign.engine.ids import Audience, SideId, UnitId
from campaign.engine.orders import ONE_DESK, Order, Placed, Severity
from tests.toy.orders import Attack, FallBack, Move, Pass, Stand
from tests.toy.sequence import PHASES
from tests.toy.sheet import as_known
from tests.toy.state import State
from tests.toy.theatre import Card, Theatre


def choices(
    theatre: Theatre, known: State, who: Audience, force: UnitId | None, sheet: Sequence[Placed] = ()
) -> tuple[Order, ...]:
    """The orders for a force that may be the sheet's next line; for None those that name none."""
    (phase,) = (phase for phase in PHASES if phase.key == known.open.phase)
    if who not in phase.acts(known.open):
        return ()
    candidates = _of_nobody(theatre, known, SideId(who)) if force is None else _of_a_force(theatre, force)
    line = 1 + max((placed.line for placed in sheet), default=0)

    def passes(order: Order) -> bool:
        problems = phase.check(theatre, known, who, (*sheet, Placed(order, line)), ONE_DESK).problems
        return not any(each.severity is Severity.ERROR and each.line == line for each in problems)

    return tuple(order for order in candidates if type(order) in phase.orders and passes(order))


def _of_nobody(theatre: Theatre, known: State, side: SideId) -> Iterator[Order]:
    yield Pass()
    yield from (Stand(card) for card in (None, *Card))
    attacked = as_known(theatre, known, side).attacked
    if attacked is not None:
        yield from (FallBack(area) for area in theatre.board.neighbours(attacked))


def _of_a_force(theatre: Theatre, force: UnitId) -> Iterator[Order]:
    board = theatre.board
    for area in board.places:
        yield Move(force, (area,))
        yield from (Move(force, (area, further)) for further in board.neighbours(area))
        yield from (Attack(force, area, card) for card in (None, *Card))
