"""R4 Cards: a hidden deck, and hands that only their owners see."""

from collections.abc import Iterator

from campaign.engine.facts import Ledger
from campaign.engine.values.ids import GM
from tests.toy.model.facts import Drawn, Shuffled
from tests.toy.model.game_data import SIDES, Card, GameData
from tests.toy.model.state import State, deck_of


def all_cards(game_data: GameData) -> Iterator[Card]:
    """The deck in the chart's order."""
    for card, line in game_data.cards.items():
        yield from [card] * line.count


def shuffle(ledger: Ledger[GameData, State]) -> None:
    """R4.1 A die chooses each card from those that are left.

    Only the GM sees the rolls: from the die of a card that they draw, players could infer how many of a kind are left.
    """
    left, deck = list(deck_of(ledger.state)), []
    while len(left) > 1:
        label, purpose = f"deck/{len(left)}", "the order of the deck"
        (die,) = ledger.roll(label, sides=len(left), audience=GM, purpose=purpose, rule="R4.1")
        deck.append(left.pop(die - 1))
    ledger.emit(Shuffled((*deck, *left)), rule="R4.1")


def draw(ledger: Ledger[GameData, State]) -> None:
    """R4.2 Each side draws until it has as many as the scenario says, its hand is full or the deck is empty."""
    for side in SIDES:
        room = ledger.game_data.hand - len(ledger.state.own[side].hand)
        for card in deck_of(ledger.state)[: max(0, min(ledger.game_data.draw, room))]:
            ledger.emit(Drawn(side, card), rule="R4.2")
