"""Candidates for orders; the checker decides."""

from collections.abc import Iterator

from campaign.engine.choices import Draft
from campaign.engine.ids import UnitId
from campaign.engine.orders import Order
from tests.toy.orders import Attack, FallBack, Move, Pass, Stand
from tests.toy.sheet import as_known
from tests.toy.state import State
from tests.toy.theatre import Card, Theatre


def candidates(draft: Draft[Theatre, State], force: UnitId | None) -> Iterator[Order]:
    """The orders for a force that may be the sheet's next line; for None those that name none."""
    return draft.allowed(_of_nobody(draft) if force is None else _of_a_force(draft.sheet.theatre, force))


def _of_nobody(draft: Draft[Theatre, State]) -> Iterator[Order]:
    yield Pass()
    yield from (Stand(card) for card in (None, *Card))
    situation = as_known(draft.sheet.theatre, draft.sheet.known, draft.sheet.side)
    if situation.attacked is not None:
        yield from (FallBack(area) for area in situation.theatre.board.neighbours(situation.attacked))


def _of_a_force(theatre: Theatre, force: UnitId) -> Iterator[Order]:
    board = theatre.board
    for area in board.places:
        yield Move(force, (area,))
        yield from (Move(force, (area, further)) for further in board.neighbours(area))
        yield from (Attack(force, area, card) for card in (None, *Card))
