"""A position that somebody enters for a new campaign: read, drawn and compared before anything is created."""

import datetime
import json
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from campaign.engine.display.views import Panel
from campaign.engine.pasted import Fault
from campaign.engine.positions import Positions
from campaign.engine.state import state_known_to
from campaign.engine.values.ids import GM
from campaign.forms.scenarios import supplied
from campaign.game.beginning import read_position, scenario_start, written_position
from campaign.game.loading import START, find_scenario, load_scenario
from campaign.game.store import digest
from campaign.maps.painter import draw
from campaign.secrecy import truth


@dataclass(frozen=True)
class Preview:
    """A position without faults, for the person who entered it."""

    text: str
    """As its ruleset writes it."""
    moment: str
    """When the campaign begins."""
    picture: str
    """The map of it, as an address that holds the picture itself."""
    tables: tuple[Panel, ...]
    mark: str
    """What the form sends again with the same position, scenario and house rules. Others are previewed first."""


def positions_for(name: str) -> Positions[Any, Any] | None:
    """How a supplied scenario's ruleset reads positions; None if campaigns begin with none."""
    return supplied()[name].rules.positions


def start_in_words(name: str) -> str:
    """The start of a supplied scenario as a position, to be filled in. KeyError where there are no positions."""
    if positions_for(name) is None:
        raise KeyError(name)
    with truth.opened(START):
        loaded = load_scenario(find_scenario(name))
    start = scenario_start(loaded, {})
    return written_position(loaded, start, start)


def previewed(
    name: str, text: str, day: datetime.date | None, options: Mapping[str, str]
) -> tuple[Preview | None, tuple[Fault, ...]]:
    """What a campaign of a supplied scenario would begin with, or all that is wrong with it.

    The creator of a campaign is its game master, and a supplied scenario is public, so this reads its start.
    """
    with truth.opened(START):
        loaded = load_scenario(find_scenario(name))
    start = scenario_start(loaded, options)
    entered = read_position(loaded, start, text, day)
    state = entered.state
    if state is None:
        return None, entered.faults
    rules, written = loaded.rules, written_position(loaded, start, state)
    view = rules.show(loaded.scenario.game_data, state_known_to(state, GM), GM, ())
    picture = b64encode(draw(supplied()[name].base_map, view)).decode()
    return (
        Preview(
            text=written,
            moment=rules.moment(state).label,
            picture=f"data:image/png;base64,{picture}",
            tables=entered.tables,
            mark=digest(json.dumps([name, written, sorted(options.items())]).encode()),
        ),
        (),
    )
