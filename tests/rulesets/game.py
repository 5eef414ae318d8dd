"""A small position of the forum campaign in which the sides give orders, and what each is shown of it."""

from collections.abc import Mapping, Sequence
from typing import Any

from campaign.engine.adjudication import adjudicate
from campaign.engine.dice import ScriptedDice
from campaign.engine.display.views import View
from campaign.engine.facts import disclose
from campaign.engine.orders.notation import parse
from campaign.engine.orders.order import Placed
from campaign.engine.phases import Ruling
from campaign.engine.state import state_known_to
from campaign.engine.values.ids import Audience, SideId, audience_of
from campaign.game.loading import find_scenario, scenario_files
from campaign.rulesets.forum_campaign import RULESET
from campaign.rulesets.forum_campaign.disclosure.show import show
from campaign.rulesets.forum_campaign.model.game_data import ALLIED, GERMAN
from campaign.rulesets.forum_campaign.scenario.case import read_case

FILES = scenario_files(find_scenario("forum_campaign/ardennes-1944"))


class Game:
    """A position in which the sides give orders."""

    def __init__(self, **position: Any) -> None:
        scenario = read_case({"map": {"size": "A1-G12"}, **position}, FILES)
        self.game_data, self.state = scenario.game_data, scenario.start
        self.events: tuple[Any, ...] = ()

    def play(self, writer: SideId | Audience, sheet: str = "", **dice: int) -> "Game":
        return self.play_all({Audience(writer): sheet}, dice)

    def play_all(
        self, sheets: Mapping[Audience, str], dice: Mapping[str, int] | None = None, rulings: Sequence[Ruling] = ()
    ) -> "Game":
        """One phase, with the sheets of those who write one."""
        rolls = ScriptedDice({label: (die,) for label, die in (dice or {}).items()})
        orders = {who: self._read(who, sheet) for who, sheet in sheets.items()}
        resolution = adjudicate(RULESET, self.game_data, self.state, orders, dice=rolls, rulings=rulings)
        self.state, self.events = resolution.state, resolution.events
        return self

    def _read(self, who: Audience, sheet: str) -> tuple[Placed, ...]:
        kinds = RULESET.phase(self.state.open.phase).orders
        orders = parse(sheet, kinds, RULESET.names(self.game_data, state_known_to(self.state, who)))
        assert not orders.problems
        return orders.orders

    def view(self, who: Audience) -> View:
        return show(self.game_data, state_known_to(self.state, who), who, disclose(self.events, who))

    def panel(self, who: Audience, key: str) -> tuple[tuple[str, ...], ...]:
        return next((panel.rows for panel in self.view(who).panels if panel.key == key), ())


NIGHT = {"weather/1944-12-17": 7, "air/german/1944-12-17": 1, "air/allied/1944-12-17": 1}
GERMANS, ALLIES = audience_of(GERMAN), audience_of(ALLIED)
VG = {"26 VG": {"at": "D7"}}
US = {"28 Inf": {"at": "D4"}}
