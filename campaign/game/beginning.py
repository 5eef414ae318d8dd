"""How a campaign begins: as its scenario does, or with a position of a later day that its game master entered."""

import datetime
from collections.abc import Mapping, Sequence
from typing import Any

from campaign.engine.pasted import Fault
from campaign.engine.positions import Entered, Positions
from campaign.engine.ruleset import Ruleset
from campaign.engine.values.options import chosen
from campaign.game.loading import WithStart


class WrongOptions(ValueError):
    """The answers to a ruleset's options are none that it knows."""


class FaultyPosition(ValueError):
    """A position that cannot be read."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__("; ".join(map(str, faults)))
        self.faults = tuple(faults)


def scenario_start(loaded: WithStart, options: Mapping[str, str]) -> Any:
    """The scenario's start with these options, else the scenario's own; raises WrongOptions for unknown ones."""
    answers = {**loaded.scenario.options, **options}
    try:
        return loaded.rules.with_options(loaded.scenario.start, chosen(loaded.rules.options, answers))
    except ValueError as why:
        raise WrongOptions(str(why)) from why


def first_state(loaded: WithStart, options: Mapping[str, str]) -> Any:
    """The first state of a campaign with these options; raises WrongOptions, or FaultyPosition."""
    start = scenario_start(loaded, options)
    if not loaded.position:
        return start
    entered = read_position(loaded, start, loaded.position)
    if entered.state is None:
        raise FaultyPosition(entered.faults)
    return entered.state


def read_position(loaded: WithStart, start: Any, text: str, day: datetime.date | None = None) -> Entered[Any]:
    """The position of a text, on top of the scenario's start. ValueError where campaigns begin with none."""
    return positions_of(loaded.rules).read(loaded.scenario.game_data, start, text, day)


def written_position(loaded: WithStart, start: Any, state: Any) -> str:
    """The text from which `read_position` makes a state again."""
    return positions_of(loaded.rules).write(loaded.scenario.game_data, start, state)


def positions_of(rules: Ruleset[Any, Any]) -> Positions[Any, Any]:
    if rules.positions is None:
        raise ValueError(f"a campaign of {rules.title} begins as its scenario does")
    return rules.positions
