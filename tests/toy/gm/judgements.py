"""What these rules leave to the GM: what a force finds where nobody was."""

from collections.abc import Iterator, Sequence
from typing import Any

from campaign.engine.facts import Event
from campaign.engine.judgements import Judgement
from campaign.engine.values.ids import audience_of
from tests.toy.model.facts import AttackLapsed
from tests.toy.model.game_data import GameData
from tests.toy.model.state import State


def judgements(_game_data: GameData, _before: State, events: Sequence[Event[Any]]) -> Iterator[Judgement]:
    """R5.1 Attacks that met nobody."""
    for event in events:
        if isinstance(event.fact, AttackLapsed):
            yield Judgement(
                key=f"empty/{event.fact.force}",
                kind="An empty area",
                question=f"{event.fact.force} attacked {event.fact.at}, and nobody was there. What does it find?",
                audiences=(audience_of(event.fact.side),),
                rule="R5.1",
            )
