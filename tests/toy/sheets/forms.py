"""The lines that can be filled in: standing orders force by force, and the card of an answer."""

from collections.abc import Iterator

from campaign.engine.choices import Draft
from campaign.engine.orders.forms import Blank, Choice, Form, Row
from tests.toy.model.game_data import GameData, Use
from tests.toy.model.orders import Reaction, Stand, WhenAttacked
from tests.toy.model.state import State
from tests.toy.sheets.sheet import chosen


def forms(draft: Draft[GameData, State]) -> Iterator[Form]:
    """R5.6 What forces do when attacked; R5.2 the answer to an attack."""
    own = draft.sheet.known.own[draft.sheet.side]
    reactions = tuple(Choice({"reaction": reaction}, reaction.value) for reaction in Reaction)
    blank = Blank(name="reaction", label="reaction", choices=reactions)
    named = ((force.name, force.id) for force in own.forces.values())
    rows = (
        Row(kind=WhenAttacked, label=label, fixed={"force": force}, blanks=(blank,))
        for label, force in (*named, ("All others", None))
    )
    yield Form(key="standing", title="When attacked", help="Until you say otherwise (R5.6).", rows=tuple(rows))
    if Stand in draft.phase.orders and _may_stand(draft):
        hand = (card for card in dict.fromkeys(own.hand) if draft.sheet.game_data.cards[card].use is Use.DEFENCE)
        cards = tuple(Choice({"card": card}, f"with {card.value}") for card in hand)
        card = Blank(name="card", label="card", choices=(Choice({"card": None}, "without a card"), *cards), spread=True)
        yield Form(key="stand", title="Answer", rows=(Row(kind=Stand, label="Stand", blanks=(card,)),), main=True)


def _may_stand(draft: Draft[GameData, State]) -> bool:
    """R1.3 Unless another line is already what the side does, on this desk's sheet or another's."""
    counts = chosen(draft.sheet, tuple(draft.phase.orders))
    return counts is None or any(line.order is counts for line in draft.own_lines(Stand))
