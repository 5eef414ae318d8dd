"""What is noted of a game: its points, who reached what when, and how many marches fuel forbade."""

from collections.abc import Iterable, Iterator

from campaign.engine.bars import Moment, Result, Trial
from campaign.engine.state import state_known_to
from campaign.engine.values.ids import PlaceId, audience_of
from campaign.rulesets.forum_campaign.air.paratroops import is_paratroop
from campaign.rulesets.forum_campaign.bars.trials import PLAYERS, full_tank
from campaign.rulesets.forum_campaign.day.supply import along_lines
from campaign.rulesets.forum_campaign.measures import measures, meuse_bank, outcome
from campaign.rulesets.forum_campaign.model.calendar import SHEET
from campaign.rulesets.forum_campaign.model.game_data import ALLIED, GERMAN, GameData
from campaign.rulesets.forum_campaign.model.state import State, on_map
from campaign.rulesets.forum_campaign.model.zoc import occupied_hexes

BASTOGNE, ELSENBORN = PlaceId("J13"), PlaceId("T19")


def note(game_data: GameData, trial: Trial[State], moments: Iterable[Moment[State]]) -> Result:
    """The result of a game."""
    firsts: dict[str, int] = {}
    forbidden: list[int] = []
    last: State | None = None
    for moment in moments:
        forbidden.extend(_forbidden(game_data, trial, moment))
        last = moment.after
        for name in _seen_today(game_data, last):
            firsts.setdefault(name, moment.before.open.date.day)
    assert last is not None
    figures = measures(game_data, last)
    return {
        "outcome": outcome(game_data, last),
        **{name: figures[name] for name in ("vp_german", "vp_allied", "lost_german", "lost_allied")},
        "elsenborn": last.open.control.get(ELSENBORN) == GERMAN,
        "forbidden": forbidden,
        **firsts,
    }


def _seen_today(game_data: GameData, state: State) -> Iterator[str]:
    """What is true of a state that is noted with its first day."""
    bank = meuse_bank(game_data)
    if any(unit.ground and not is_paratroop(unit) and place in bank for unit, place in on_map(state.own[GERMAN])):
        yield "at_the_meuse"
    board = game_data.open_board
    if BASTOGNE in game_data.hexes and not board.holds(
        along_lines(game_data, ALLIED, occupied_hexes(state.own[GERMAN])), BASTOGNE
    ):
        yield "bastogne_cut_off"


def _forbidden(game_data: GameData, trial: Trial[State], moment: Moment[State]) -> Iterator[int]:
    """R10 The marches that the German bot would order with unlimited fuel, less those that it has ordered."""
    if moment.before.open.phase != SHEET[GERMAN].key:
        return
    who = audience_of(GERMAN)
    wanted = PLAYERS[trial.players[GERMAN]](game_data, state_known_to(full_tank(moment.before), who), who)
    yield _marches(moment.before, wanted) - _marches(moment.before, moment.sheets[who])


def _marches(state: State, sheet: str) -> int:
    """The ground units that a sheet moves."""
    labels = [unit.label for unit in state.own[GERMAN].units.values() if unit.ground]
    moves = tuple(f"MOVE {label} " for label in labels)
    return sum(line.startswith(moves) for line in sheet.splitlines())
