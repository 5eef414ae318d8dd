"""Campaigns that begin in the middle, and what their phases have that early ones lack."""

import datetime
from collections.abc import Callable, Iterable, Iterator, Mapping

from campaign.engine.state import with_open
from campaign.engine.values.ids import SideId
from campaign.engine.values.options import chosen
from campaign.game.loading import WithStart, find_scenario
from campaign.game.simulation import play_phases
from campaign.rulesets.forum_campaign import RULESET
from campaign.rulesets.forum_campaign.day.sighting import sightings
from campaign.rulesets.forum_campaign.day.supply import along_lines
from campaign.rulesets.forum_campaign.model.calendar import MORNING
from campaign.rulesets.forum_campaign.model.game_data import ALLIED, GERMAN, SIDES, GameData, enemy_of
from campaign.rulesets.forum_campaign.model.state import Sighting, State, on_map
from tests.secrecy.games.game import Opening, Position
from tests.secrecy.games.midway import Played, midway
from tests.with_air import in_fog

_KEPT = {"last_known": "kept"}


def _morning(
    date: datetime.date, *, first: int = 1, options: Mapping[str, str] = _KEPT
) -> Callable[[WithStart], State]:
    """The state on a morning, this or a later one, when a unit is cut off unseen; from then on it has these options.

    `first`: the seed of the first game to look in. If rules change it, others are played, which takes longer, and the
    seed to write here is printed.
    """

    def state(of: WithStart) -> State:
        data = of.scenario.game_data
        wanted: State = midway(
            RULESET,
            _games(of, first),
            MORNING.key,
            lambda state: state.open.date >= date and any(_stays_unseen(data, state, side) for side in SIDES),
        )
        return with_open(wanted, options=chosen(RULESET.options, options))

    return state


def _games(of: WithStart, first: int) -> Iterator[Played]:
    for seed in range(first, first + _MOST_GAMES):
        if seed > first:
            print(f"{of.scenario.title}: no game with the seed {seed - 1} begins as wanted; first={seed}?", flush=True)
        for german in ("home-guard", "all-round"):
            phases = play_phases(of, seed=seed, players={GERMAN: german, ALLIED: "all-round"}, options=_KEPT)
            yield ((phase.before, phase.resolution) for phase in phases)


_MOST_GAMES = 59


# --- what they have --------------------------------------------------------------------------------------------------


def cut_off_unseen(position: Position) -> bool:
    side = SideId(position.observer)
    return _cut_off_unseen(position.data, position.state, side, position.state.own[side].sightings)


def _cut_off_unseen(game_data: GameData, state: State, side: SideId, in_sight: Iterable[Sighting]) -> bool:
    """R7.2 A unit is without supply, and would have it if all enemies were in sight."""
    own, board = state.own[side], game_data.open_board
    really = along_lines(game_data, side, [at for _, at in on_map(state.own[enemy_of(side)])])
    as_seen = along_lines(game_data, side, [seen.at for seen in in_sight])
    cut_off = board.bits(at for unit, at in on_map(own) if not unit.supplied)
    return bool(cut_off & as_seen & ~really)


def _stays_unseen(game_data: GameData, state: State, side: SideId) -> bool:
    """The same by what the side saw last, and by what it will see this morning."""
    looks = (state.own[side].sightings, sightings(game_data, state, side))
    return all(_cut_off_unseen(game_data, state, side, seen) for seen in looks)


def _remembers(position: Position) -> bool:
    """R15.2 Ruling 45"""
    return bool(position.state.own[SideId(position.observer)].last_seen)


def _in(*phases: str) -> Callable[[Position], bool]:
    return lambda position: position.state.open.phase in phases


def _battles(position: Position) -> bool:
    return bool(position.state.open.battles)


_retreats = _in("german_retreats", "allied_retreats")


def _over_soon(position: Position) -> bool:
    return bool(position.state.open.date == position.data.last_day)


CUT_OFF = "a unit cut off by enemies that its side does not see"

LATE = Opening(
    name="late",
    scenario=in_fog(),
    phases=5,
    master=bytes([24]) * 32,  # by these dice both sides fly for superiority
    first_state=_morning(
        datetime.date(1944, 12, 20),
        first=2,
        options={**_KEPT, "separate_removals": "yes", "third_band": "contact"},
    ),
    has={
        CUT_OFF: cut_off_unseen,
        "the last day": _over_soon,
        "missions in the air": _in("air"),
        "air units to remove": _in("removals"),
        "battles that wait": _battles,
    },
)
"""The last day of the small scenario in fog, in phases that most campaigns do not have."""

LATE_LARGE = Opening(
    name="late-large",
    scenario=find_scenario("forum_campaign/ardennes-1944"),
    styles=("all-round",),
    phases=4,
    first_state=_morning(datetime.date(1944, 12, 20), first=20, options={**_KEPT, "separate_retreats": "yes"}),
    has={
        CUT_OFF: cut_off_unseen,
        "an enemy as last seen": _remembers,
        "battles that wait": _battles,
        "retreats to choose": _retreats,
    },
)
"""Some days into the large one."""
