"""Whole games as text: every sheet with its answer, every event, and all that each audience is shown, line by line.

A game has a folder, and each of its days a file. `python -m tests.playthroughs` writes them again, after a change that
is meant to show.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from campaign.engine.adjudication import Resolution
from campaign.engine.orders.notation import format_order
from campaign.engine.ruleset import Ruleset
from campaign.engine.sheets import DeskSheet, check_side, read_side
from campaign.engine.state import state_known_to
from campaign.engine.values.ids import Audience, SideId
from campaign.game.loading import WithStart
from campaign.game.simulation import play_phases as bots_play
from campaign.game.turn_package import audiences, view_of
from orders.answers import Answer
from tests.laws.games import load, scenarios
from tests.laws.games import play as strangers_play
from tests.playthroughs.lines import ViewLines, event_lines

FOLDER = Path(__file__).parent
_ENDLESS = 1_000


@dataclass(frozen=True)
class PlayedPhase:
    """A phase as it was played: its sheets and its result."""

    before: Any
    sheets: Mapping[Audience, str]
    resolution: Resolution[Any]


@dataclass(frozen=True)
class Playthrough:
    """A game that is kept, by its scenario."""

    scenario: str
    """Its ruleset and the name of its folder: forum_campaign/st-vith-1944."""
    plays: Callable[[WithStart], Iterator[PlayedPhase]]

    @property
    def folder(self) -> Path:
        return FOLDER / self.scenario

    @property
    def at(self) -> Path:
        """Where its scenario is."""
        (folder,) = (folder for folder in scenarios() if name_of(folder) == self.scenario)
        return folder

    @property
    def loaded(self) -> WithStart:
        return load(self.at)

    def files(self) -> dict[str, list[str]]:
        """Its days by name, each with its lines."""
        return _days(self.loaded, self.plays(self.loaded))


def name_of(folder: Path) -> str:
    """A scenario's name among those of all rulesets."""
    return f"{folder.parent.name}/{folder.name}"


def _by_bots(german: str, allied: str) -> Callable[[WithStart], Iterator[PlayedPhase]]:
    """A game between two bots."""

    def plays(loaded: WithStart) -> Iterator[PlayedPhase]:
        players = {SideId("german"): german, SideId("allied"): allied}
        for phase in bots_play(loaded, seed=1944, players=players):
            yield PlayedPhase(phase.before, {sheet.who: sheet.text for sheet in phase.sheets}, phase.resolution)

    return plays


def _at_random(loaded: WithStart) -> Iterator[PlayedPhase]:
    """A game of the laws' random players, who write sense and nonsense."""
    for phase in strangers_play(loaded, 1944, _ENDLESS):
        sheets = {}
        for who, orders in sorted(phase.orders.items()):
            names = phase.rules.names(phase.game_data, state_known_to(phase.before, who))
            sheets[who] = "\n".join(format_order(placed.order, names) for placed in orders)
        yield PlayedPhase(phase.before, sheets, phase.resolution)


GAMES = (
    Playthrough("forum_campaign/ardennes-1944", _by_bots("all-round", "all-round")),
    Playthrough("forum_campaign/st-vith-1944", _by_bots("cutter", "fist")),
    Playthrough("area_activation/ardennes-1944", _by_bots("spearhead", "allrounder")),
    Playthrough("area_activation/race-to-the-meuse", _at_random),
    Playthrough("toy/estuary", _at_random),
)


def _days(loaded: WithStart, phases: Iterator[PlayedPhase]) -> dict[str, list[str]]:
    rules, game_data = loaded.rules, loaded.scenario.game_data
    days: dict[str, list[str]] = {}
    views: dict[Audience, ViewLines] = {}
    for phase in phases:
        name = f"{rules.moment(phase.before).in_files}.txt"
        if name not in days:
            days[name], views = [], {who: ViewLines() for who in audiences(rules)}
        days[name] += [f"=== {rules.moment(phase.before).in_files} {rules.now(phase.before)}", *_sheets(loaded, phase)]
        days[name] += ["--- events", *event_lines(phase.resolution.events, audiences(rules))]
        for who, lines in views.items():
            view = view_of(rules, game_data, phase.resolution.state, phase.resolution.events, who)
            days[name] += [f"--- the view of {who}", *lines.of(view)]
    return days


def _sheets(loaded: WithStart, phase: PlayedPhase) -> Iterator[str]:
    for who, text in sorted(phase.sheets.items()):
        yield f"--- the sheet of {who}"
        yield from text.splitlines()
        yield f"--- the answer to {who}"
        yield from _answer(loaded.rules, loaded.scenario.game_data, phase.before, who, text).splitlines()


def _answer(rules: Ruleset[Any, Any], game_data: Any, state: Any, who: Audience, text: str) -> str:
    """The answer to the writer of a sheet: how it was read, and what was refused."""
    known = state_known_to(state, who)
    sheet = read_side(rules, game_data, known, who, [DeskSheet(text)], phase=rules.now(state))
    checked = check_side(rules, game_data, known, sheet)
    return Answer(checked.understood, checked.problems, ready=False).text
