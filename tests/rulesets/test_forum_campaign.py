"""Laws of the forum campaign's own, over random play on its real scenario."""

from collections import Counter
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from campaign.loading import find_scenario, load_scenario
from campaign.rulesets.forum_campaign.facts import FACTS, Destroyed, StrengthSet, Weakened
from campaign.rulesets.forum_campaign.release import RELEASE
from campaign.rulesets.forum_campaign.state import State, on_map
from campaign.rulesets.forum_campaign.theatre import ALLIED, GERMAN
from campaign.rulesets.forum_campaign.zoc import occupied_hexes, too_full
from tests.laws.games import play

ARDENNES = load_scenario(find_scenario("forum_campaign/ardennes-1944"))


@settings(max_examples=10)
@given(st.integers(0, 10_000))
def test_stacking_and_fuel_hold_and_nobody_is_in_two_places(game: int) -> None:
    for stop in play(ARDENNES, game, 20):
        state: State = stop.resolution.state
        assert state.open.fuel >= 0
        assert not occupied_hexes(state.own[GERMAN]) & occupied_hexes(state.own[ALLIED])
        for own in state.own.values():
            hexes = Counter(place for _, place in on_map(own))
            for place, count in hexes.items():
                assert count == 1 or not too_full(unit for unit in own.units.values() if unit.at == place)
            assert not set(own.units) & set(own.lost)


@settings(max_examples=10)
@given(st.integers(0, 10_000))
def test_strength_changes_only_by_facts_that_say_so(game: int) -> None:
    states = [(stop.before, stop.resolution) for stop in play(ARDENNES, game, 16)]
    for before, resolution in states:
        told = {
            event.fact.unit: event.fact
            for event in resolution.events
            if isinstance(event.fact, Weakened | StrengthSet | Destroyed)
        }
        for side, own in before.own.items():
            now = {**resolution.state.own[side].units, **resolution.state.own[side].lost}
            assert set(own.units) <= set(now)
            for id_, unit in own.units.items():
                assert now[id_].strength == unit.strength or id_ in told


@settings(max_examples=5)
@given(st.integers(0, 10_000))
def test_days_follow_each_other_without_gaps(game: int) -> None:
    dates = [stop.resolution.state.open.date for stop in play(ARDENNES, game, 30)]
    assert all((later - earlier).days in (0, 1) for earlier, later in pairwise(dates))
    assert dates[-1] > dates[0]


def test_every_kind_of_fact_stands_in_the_release_table() -> None:
    assert set(RELEASE) == set(FACTS.__args__)
    assert all(line.words for line in RELEASE.values())
