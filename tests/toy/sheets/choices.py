"""Candidates for orders; the checker decides."""

from collections.abc import Iterator

from campaign.engine.choices import Draft
from campaign.engine.orders.order import Order
from campaign.engine.values.ids import UnitId
from tests.toy.model.game_data import Card, GameData
from tests.toy.model.orders import Attack, FallBack, Move, Pass, Stand
from tests.toy.model.state import State
from tests.toy.rules.situation import as_known


def candidates(draft: Draft[GameData, State], force: UnitId | None) -> Iterator[Order]:
    """The orders for a force that may be the sheet's next line; for None those that name none."""
    return draft.allowed(_of_nobody(draft) if force is None else _of_a_force(draft.sheet.game_data, force))


def _of_nobody(draft: Draft[GameData, State]) -> Iterator[Order]:
    yield Pass()
    yield from (Stand(card) for card in (None, *Card))
    situation = as_known(draft.sheet.game_data, draft.sheet.known, draft.sheet.side)
    if situation.attacked is not None:
        yield from (FallBack(area) for area in situation.game_data.board.neighbours(situation.attacked))


def _of_a_force(game_data: GameData, force: UnitId) -> Iterator[Order]:
    board = game_data.board
    for area in board.places:
        yield Move(force, (area,))
        yield from (Move(force, (area, further)) for further in board.neighbours(area))
        yield from (Attack(force, area, card) for card in (None, *Card))
