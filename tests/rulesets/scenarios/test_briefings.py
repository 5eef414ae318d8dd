"""Briefings: what each side reads before it begins, and its first sheets, which can be submitted as they are."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest

from campaign.engine.adjudication import adjudicate, asked
from campaign.engine.orders.order import Placed, Problem, Severity
from campaign.engine.ruleset import Ruleset
from campaign.engine.sheets import DeskSheet, check_side, read_side
from campaign.engine.state import state_known_to
from campaign.engine.values.ids import GM, Audience, PhaseKey, SideId
from campaign.engine.values.options import answers_of, options_in
from campaign.game.beginning import first_state
from campaign.game.briefing import Part, file_name, parts_of
from campaign.game.loading import WithStart, find_scenario, load_scenario
from campaign.rulesets.forum_campaign.bots import BOTS
from campaign.rulesets.forum_campaign.model.game_data import ALLIED, GERMAN, SIDES
from tests.laws.games import dice_of, scenarios
from tests.laws.games import load as load_once
from tests.playthroughs.games import name_of

load = cache(load_once)

FOLDERS = {name_of(folder): folder for folder in scenarios()}
ST_VITH = "forum_campaign/st-vith-1944"
FORUM = ("forum_campaign/ardennes-1944", ST_VITH)
every_side = pytest.mark.parametrize(
    ("name", "side"), [(name, side) for name, folder in FOLDERS.items() for side in load(folder).rules.sides]
)


@dataclass(frozen=True)
class Answered:
    """A first sheet in its phase, with all that is wrong with it."""

    phase: PhaseKey
    side: SideId
    orders: tuple[Placed, ...]
    problems: tuple[Problem, ...]


def briefing(name: str, side: SideId) -> tuple[Part, ...]:
    loaded, text = load(FOLDERS[name]), (FOLDERS[name] / file_name(side)).read_text(encoding="utf-8")
    return parts_of(text, loaded.rules, loaded.scenario.game_data, side)


def sheets(name: str, side: SideId) -> Mapping[PhaseKey, str]:
    return {part.phase: part.text for part in briefing(name, side) if part.phase}


def words(name: str, side: SideId) -> str:
    return "\n\n".join(part.text for part in briefing(name, side))


def first_day(
    name: str, number: int, *, german: str = "", options: Mapping[str, str] | None = None
) -> Iterator[Answered]:
    """The first sheets of both sides, each played in its phase; the Germans may be a bot instead.

    Results of battles are left out: the defenders hold. A side's first sheet is for the first time it is asked.
    """
    loaded = load(FOLDERS[name])
    rules, game_data = loaded.rules, loaded.scenario.game_data
    state, lock = first_state(loaded, options or {}), 1
    if not asked(rules, state):
        state = _resolved(loaded, state, {}, number, lock)
    answered: set[tuple[PhaseKey, SideId]] = set()
    day = rules.moment(state).date
    while not rules.over(state) and rules.moment(state).date == day and lock < 30:
        orders: dict[Audience, tuple[Placed, ...]] = {}
        for who in sorted(asked(rules, state) - {GM}):
            side, phase = SideId(who), rules.now(state)
            text = sheets(name, side).get(phase, "") if (phase, side) not in answered else ""
            by_bot = german and side == GERMAN
            if by_bot:
                text = BOTS[german](game_data, state_known_to(state, who), who)
            read = _read(rules, game_data, state, who, text)
            if not by_bot and (phase, side) not in answered:
                yield Answered(phase, side, *read)
            answered.add((phase, side))
            orders[who] = read[0]
        lock += 1
        state = _resolved(loaded, state, orders, number, lock)


def _read(
    rules: Ruleset[Any, Any], game_data: Any, state: Any, who: Audience, text: str
) -> tuple[tuple[Placed, ...], tuple[Problem, ...]]:
    known = state_known_to(state, who)
    sheet = read_side(rules, game_data, known, who, [DeskSheet(text)], phase=rules.now(state))
    return sheet.orders, check_side(rules, game_data, known, sheet).problems


def _resolved(loaded: WithStart, state: Any, orders: Any, number: int, lock: int) -> Any:
    dice = dice_of(loaded.rules, number, lock)
    return adjudicate(loaded.rules, loaded.scenario.game_data, state, orders, dice=dice).state


def wrong(answered: Answered) -> list[str]:
    """Errors and warnings. A notice may say that air units are left, which depends on the weather."""
    return [problem.message for problem in answered.problems if problem.severity is not Severity.NOTICE]


@every_side
@pytest.mark.parametrize("number", range(1, 5))
def test_there_is_a_first_sheet_for_every_phase_of_the_first_day_that_can_be_submitted_unchanged(
    name: str, side: SideId, number: int
) -> None:
    """Whatever the weather."""
    played = [each for each in first_day(name, number) if each.side == side]
    assert played
    for each in played:
        assert len(each.orders) >= 2, f"{each.phase}: there is no sheet for it"
        assert wrong(each) == [], each.phase


@pytest.mark.parametrize("name", FORUM)
def test_the_first_sheets_are_valid_whatever_a_campaign_has_chosen(name: str) -> None:
    """Where attacks have a phase of their own, the answer to each says so."""
    loaded = load_scenario(FOLDERS[name])
    usual = answers_of(loaded.rules.options_of(first_state(loaded, {})))
    for option in options_in(loaded.rules.options):
        for answer in {answer for answer, _ in option.answers} - {usual[option.name]}:
            played = list(first_day(name, 1, options={option.name: answer}))
            found = {message for each in played for message in wrong(each)}
            later = {"attacks are ordered in the next phase"} if option.name == "separate_attacks" else set()
            assert found == later, f"{option.name} {answer}"


@pytest.mark.parametrize("name", FORUM)
@pytest.mark.parametrize("german", BOTS)
@pytest.mark.parametrize("number", range(1, 4))
def test_the_first_allied_sheet_is_valid_whatever_the_germans_do_first(name: str, german: str, number: int) -> None:
    (answered,) = [
        each for each in first_day(name, number, german=german) if (each.side, each.phase) == (ALLIED, "allied_sheet")
    ]
    assert wrong(answered) == []


@pytest.mark.parametrize("name", FORUM)
@pytest.mark.parametrize("side", SIDES)
def test_a_briefing_says_first_how_many_points_win(name: str, side: SideId) -> None:
    hexes = load(FOLDERS[name]).scenario.game_data.hexes.values()
    points = sum(hex_.victory_points for hex_ in hexes)
    begin = sum(hex_.victory_points for hex_ in hexes if hex_.control == side)
    start = " ".join(words(name, side).split()[:40])
    assert f"You win if you hold {points // 2 + 1} of the {points} victory points" in start
    assert f"You begin with {begin}" in start


@pytest.mark.parametrize("name", FORUM)
@pytest.mark.parametrize("side", SIDES)
def test_a_briefing_names_every_objective_and_depot(name: str, side: SideId) -> None:
    game_data, text = load(FOLDERS[name]).scenario.game_data, " ".join(words(name, side).split())
    for place, hex_ in game_data.hexes.items():
        if hex_.victory_points or hex_.depot:
            assert game_data.place_name(place) in text


@every_side
def test_a_briefing_begins_with_the_first_phase(name: str, side: SideId) -> None:
    parts = briefing(name, side)
    asked_first = next(each.phase for each in first_day(name, 1) if each.side == side)
    assert parts[1].phase == asked_first, "after a few words of the aim"
    assert len(parts[0].text.split()) <= 120


def test_figures_are_those_of_the_scenario() -> None:
    loaded = load(FOLDERS[ST_VITH])
    figure, game_data = loaded.rules.figure, loaded.scenario.game_data
    st_vith, houffalize = (game_data.hexes[place].victory_points for place in ("P18", "M13"))
    assert figure(game_data, GERMAN, "worth P18 M13") == f"{st_vith + houffalize} victory points"
    assert figure(game_data, GERMAN, "depot R16") == f"{game_data.hexes['R16'].depot} points"
    to_win, begin = (int(figure(game_data, GERMAN, f"points {what}")) for what in ("to win", "at start"))
    assert figure(game_data, GERMAN, "points to gain") == str(to_win - begin)
    assert figure(game_data, GERMAN, "points to spare") == "0"
    assert figure(game_data, ALLIED, "points to gain") == "0"
    for unknown in ("", "worth", "worth A1", "points to", "worth P18 nowhere", "fuel R16"):
        with pytest.raises(KeyError):
            figure(game_data, GERMAN, unknown)


def test_the_first_day_of_the_tutorial_begins_with_movement() -> None:
    loaded = load_scenario(find_scenario(ST_VITH))
    first = adjudicate(
        loaded.rules, loaded.scenario.game_data, loaded.scenario.start, {}, dice=dice_of(loaded.rules, 1, 1)
    ).state
    assert loaded.rules.now(first) == "german_sheet"
    assert first.open.weather is not None
    assert all(own.sightings for own in first.own.values()), "both sides have looked around"


# --- whoever wrote it ------------------------------------------------------------------------------------------------


def parts(text: str) -> tuple[Part, ...]:
    loaded = load(FOLDERS[ST_VITH])
    return parts_of(text, loaded.rules, loaded.scenario.game_data, GERMAN)


def test_a_briefing_is_harmless() -> None:
    hostile = (
        "<script>alert(1)</script> <img src=x onerror=alert(1)> [here](javascript:alert(1)) <p id=content onclick=x>"
        " <form action=/c/bulge/people/leave/ method=post><button>x</button></form> <style>*{}</style>"
    )
    (only,) = parts(f"# Plan\n\n{hostile}\n")
    for word in ("<script", "<img", "javascript:", "onclick", "id=", "<form", "<button", "<style", "alert(1)</"):
        assert word not in only.html
    assert "<h1>Plan</h1>" in only.html


@pytest.mark.parametrize("name", FORUM)
def test_briefings_say_how_far_the_defeated_retreat_in_campaigns_that_choose_nothing(name: str) -> None:
    loaded = load(FOLDERS[name])
    assert answers_of(loaded.rules.options_of(first_state(loaded, {})))["retreat_length"] == "clear"
    assert "by default it may go two or three hexes" in " ".join(words(name, ALLIED).split())


def test_what_is_no_sheet_chart_or_figure_stays_as_it_is_written() -> None:
    """As in campaigns that an older release created."""
    text = "```\nMOVE 1 SS Q20\n```\n\n[[chart: tides]]\n\n[[luck]] [[points]]\n\n```german_sheet\nREADY"
    (only,) = parts(text)
    assert only.phase is None
    for word in ("MOVE 1 SS Q20", "[[chart: tides]]", "[[luck]] 28", "german_sheet"):
        assert word in only.text
    assert "<pre><code>MOVE" in only.html


def test_a_sheet_is_taken_as_it_is_written() -> None:
    text = "Now:\r\n\r\n```german_sheet\r\nNOTE <b> & [[points]]\r\n\r\nREADY\r\n```\r\nThen."
    before, sheet, after = parts(text)
    assert (before.text, after.text) == ("Now:", "Then.")
    assert (sheet.phase, sheet.title) == ("german_sheet", "German movement and attacks")
    assert sheet.text == "NOTE <b> & [[points]]\n\nREADY\n"


@pytest.mark.parametrize("text", ["```german_sheet\n" * 1300, "```a\nb\n" * 2800])
def test_a_text_of_fences_alone_is_read(text: str) -> None:
    assert parts(text)


def test_every_scenario_that_is_supplied_has_a_briefing_for_each_side() -> None:
    for folder in FOLDERS.values():
        loaded = load(folder)
        assert loaded.briefed == set(loaded.rules.sides)
