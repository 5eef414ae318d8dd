"""What bots write: lines that count, from nothing but their side's state, the same on every machine."""

import os
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from itertools import chain
from typing import Any

import pytest

from campaign.engine.adjudication import asked
from campaign.engine.orders.order import Note, Order
from campaign.engine.state import state_known_to
from campaign.engine.values.ids import GM, Audience, SideId, audience_of
from campaign.engine.values.value import replace
from campaign.game.loading import WithStart, find_scenario, load_scenario
from campaign.game.simulation import PlayedPhase, Sheet, bot_sheet, play_phases, simulation_of
from campaign.rulesets.forum_campaign.bots import BOTS
from campaign.rulesets.forum_campaign.model.game_data import ALLIED, GERMAN, SIDES
from campaign.rulesets.forum_campaign.model.options import BattleMode, Options
from campaign.rulesets.forum_campaign.model.orders import Attack, Outside
from tests.laws.games import answers
from tests.laws.games import play as strangers_play

LOADED = {name: load_scenario(find_scenario(f"forum_campaign/{name}")) for name in ("st-vith-1944", "ardennes-1944")}
SMALL, LARGE = LOADED
SEPARATE = {"separate_attacks": "yes", "separate_removals": "yes", "separate_retreats": "yes"}
NAMES = list(BOTS)


@cache
def game(
    scenario: str, german: str, allied: str, seed: int = 1, options: tuple[tuple[str, str], ...] = ()
) -> tuple[PlayedPhase, ...]:
    players = {SideId(GERMAN): german, SideId(ALLIED): allied}
    return tuple(play_phases(LOADED[scenario], seed=seed, players=players, options=dict(options)))


def mirror() -> tuple[PlayedPhase, ...]:
    """The large game that most tests look at, so that a process plays it once."""
    return game(LARGE, "all-round", "all-round")


def opponent(name: str) -> str:
    return NAMES[NAMES.index(name) - 1]


def sheets(phases: tuple[PlayedPhase, ...]) -> Iterator[Sheet]:
    return chain.from_iterable(phase.sheets for phase in phases)


def refused(phases: tuple[PlayedPhase, ...]) -> list[str]:
    return [f"{sheet.who}: {problem.message}" for sheet in sheets(phases) for problem in sheet.refused]


# --- every line counts ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_no_line_of_a_bot_is_refused(name: str) -> None:
    other = opponent(name)
    assert refused(game(SMALL, other, name)) == []
    assert refused(game(LARGE, name, other)) == []


@pytest.mark.parametrize("number", range(1, 24, 2))
def test_nor_with_any_choice_that_a_campaign_may_have_made(number: int) -> None:
    options = {**answers(LOADED[SMALL].rules, number), **simulation_of(LOADED[SMALL]).options}
    names = NAMES[number % len(NAMES)], NAMES[number // 2 % len(NAMES)]
    assert refused(game(SMALL, *names, number, tuple(sorted(options.items())))) == []


@pytest.mark.parametrize("number", range(6))
def test_nor_in_the_positions_of_strangers(number: int) -> None:
    """Random players write sense and nonsense: their positions are like none of the bots' own."""
    for phase in strangers_play(LOADED[SMALL], number, 20):
        for who in sorted(asked(LOADED[SMALL].rules, phase.before) - {GM}):
            for name in NAMES:
                sheet = bot_sheet(LOADED[SMALL], phase.before, who, name)
                assert [problem.message for problem in sheet.refused] == [], sheet.text


def test_bots_write_every_kind_of_order_that_a_side_has() -> None:
    """In a game, in one with phases that only some campaigns have, and if need be in those of other styles."""
    wanted, used = _kinds_of_sides() - {Note, Outside}, set[type[Order]]()
    likely = [("all-round", "all-round", SEPARATE), ("fist", opponent("fist"), {})]
    games = chain(likely, ((name, opponent(name), {}) for name in NAMES))
    used.update(_kinds(mirror()))
    while not used >= wanted and (more := next(games, None)):
        used.update(_kinds(game(LARGE, *more[:2], options=tuple(more[2].items()))))
    assert used >= wanted


def _kinds(phases: tuple[PlayedPhase, ...]) -> set[type[Order]]:
    return {type(placed.order) for sheet in sheets(phases) for placed in sheet.orders}


def test_bots_rank_their_battles_where_only_some_are_fought_outside() -> None:
    chosen = {"battles": BattleMode.BY_CHOICE}
    ranked = 0
    for phase in game(SMALL, "all-round", "fist"):
        before = replace(phase.before, open=replace(phase.before.open, options=replace(Options(), **chosen)))
        for sheet in (bot_sheet(LOADED[SMALL], before, sheet.who, "all-round") for sheet in phase.sheets):
            assert not sheet.refused
            orders = [placed.order for placed in sheet.orders]
            attacks = {order.at for order in orders if isinstance(order, Attack) and order.at}
            outside = [order for order in orders if isinstance(order, Outside)]
            assert len(outside) == len(attacks)
            ranked += len(outside)
    assert ranked


def _kinds_of_sides() -> set[type[Order]]:
    state = LOADED[LARGE].scenario.start
    waiting = replace(
        state.open, options=replace(state.open.options, **dict.fromkeys(SEPARATE, True)), air_winner=GERMAN, removals=1
    )
    writers = frozenset(map(audience_of, SIDES))
    phases = [phase for phase in LOADED[LARGE].rules.phases if phase.side or phase.acts(waiting) & writers]
    of_sides = [phase for phase in phases if "battles" not in phase.key]
    return {kind for phase in of_sides for kind in phase.orders}


# --- of what they know ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_a_bot_writes_the_same_whatever_the_enemy_has(name: str) -> None:
    *_, stranger = game(SMALL, "sitter", "fist", 8)
    for phase in game(SMALL, name, name, 9):
        for sheet in phase.sheets:
            changed = _with_another_enemy(phase.before, sheet.who, stranger.before)
            assert _write(LOADED[SMALL], name, changed, sheet.who) == sheet.text


def _write(loaded: WithStart, name: str, state: Any, who: Audience) -> str:
    text: str = simulation_of(loaded).bots[name](loaded.scenario.game_data, state_known_to(state, who), who)
    return text


def _with_another_enemy(state: Any, who: str, stranger: Any) -> Any:
    """The same position, with everything that the writer may not know taken from another game."""
    own = {side: part if side == who else stranger.own[side] for side, part in state.own.items()}
    assert own != state.own
    return replace(state, own=own, hidden=stranger.hidden)


_DIGEST = """
import hashlib, os
os.environ["DJANGO_SETTINGS_MODULE"] = "deploy.settings"
import django; django.setup()
from campaign.secrecy import truth; truth.trust_process()
from tests.bots.test_sheets import SMALL, game, sheets
written = "".join(sheet.text for sheet in sheets(game(SMALL, "all-round", "cutter", 4)))
print(hashlib.sha256(written.encode()).hexdigest())
"""


def test_a_bot_writes_the_same_in_every_process() -> None:
    found = {
        subprocess.run(
            [sys.executable, "-c", _DIGEST],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1


# --- styles -----------------------------------------------------------------------------------------------------------


def test_styles_play_different_games() -> None:
    """From the same position no two of them write the same sheet every day."""
    days = [phase for phase in mirror() if phase.before.open.phase == "german_sheet"]
    texts = {name: [_write(LOADED[LARGE], name, day.before, Audience(GERMAN)) for day in days[:6]] for name in NAMES}
    assert len({tuple(sheets_) for sheets_ in texts.values()}) == len(NAMES)


def test_a_style_without_meaning_for_a_side_is_played_all_round() -> None:
    for phase in game(SMALL, "all-round", "dash"):
        for sheet in phase.sheets:
            if sheet.who == Audience(ALLIED):
                assert sheet.text == _write(LOADED[SMALL], "all-round", phase.before, sheet.who)
