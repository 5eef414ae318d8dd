"""The GM's rulings: the facts that their lines mean, and objections to facts."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from campaign.engine.facts import Fact
from campaign.engine.orders.checking import read_each
from campaign.engine.orders.order import Order, Placed, Problem
from campaign.engine.state import State
from campaign.engine.values.ids import SideId

Objections = Mapping[type[Fact], Callable[[Any, Any, Any], str]]
"""The facts that may be ruled, each with (game data, state, fact): why it cannot be ruled now; empty if it can."""

RuledFacts = tuple[tuple[tuple[int, Fact], ...], tuple[Problem, ...]]
"""The facts that lines mean, each with its line's number, and what is wrong with the other lines."""


def facts_meant(lines: Iterable[Placed], meanings: Mapping[type[Order], Callable[[Any], Fact]]) -> RuledFacts:
    """The facts that lines mean, by kind of order. A meaning may raise Refused. Objections are not checked here."""
    read, problems = read_each(lines, lambda placed: meanings[type(placed.order)](placed.order))
    return tuple((placed.line, fact) for placed, fact in read), tuple(problems)


def objection_to(fact: Fact, objections: Objections, game_data: object, state: State[Any, Any, Any]) -> str:
    """Why a fact cannot be ruled now; empty if it can."""
    objection = objections.get(type(fact))
    if objection is None:
        return f"{type(fact).__name__} cannot be ruled; it follows from the sheets and the rules"
    return objection(game_data, state, fact)


def no_side(state: State[Any, Any, Any], side: SideId) -> str:
    """The objection to a fact about a side that is not in the game; empty if it is."""
    return "" if side in state.own else f"there is no side {side!r}"
