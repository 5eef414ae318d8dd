"""States in the middle of games that are played without the service, for campaigns that begin there."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from campaign.engine.adjudication import Resolution
from campaign.engine.ruleset import Ruleset
from campaign.engine.values.ids import PhaseKey

Played = Iterable[tuple[Any, Resolution[Any]]]
"""Each phase of a game in which somebody acts, as the state before it and its result."""


def midway(rules: Ruleset[Any, Any], games: Iterable[Played], key: PhaseKey, wanted: Callable[[Any], bool]) -> Any:
    """The first wanted state of these games at the start of a phase in which nobody acts.

    It is looked for, so that a change of the rules does not take it away. Raises LookupError if no game has one.
    """
    found = next((state for game in games for state in _starts(rules, game, key) if wanted(state)), None)
    if found is None:
        raise LookupError(f"in none of these games a phase {key} is as wanted")
    return found


def _starts(rules: Ruleset[Any, Any], game: Played, key: PhaseKey) -> Iterator[Any]:
    """The states at the start of each phase of this kind, if anything happens in it."""
    for before, resolution in game:
        names = [event.phase for event in resolution.events]
        if key in names:
            state = before
            for event in resolution.events[: names.index(key)]:
                state = rules.evolve(state, event.fact)
            yield state
