"""What the toy tells each audience, held against an account of it that was written from its rules alone."""

import json
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest

from campaign.engine.values.ids import Audience
from campaign.engine.values.value import encode
from campaign.game.loading import scenario_files
from campaign.game.turn_package import view_of
from tests import toy
from tests.laws.games import PlayedPhase, load, play
from tests.secrecy.oracle import toy as oracle
from tests.secrecy.oracle.account import TOLD, Account, Played, accounts, gaps

PHASES = 60
"""More than a game has."""
REFERENCE = oracle.read(scenario_files(toy.SCENARIO))


def plain(value: object) -> Any:
    return json.loads(encode(value))


def cases(number: int) -> Iterator[tuple[PlayedPhase, Played, dict[str, Account]]]:
    """The phases of a game. From one to the next the oracle carries on what it says that each audience knows."""
    known: dict[str, Any] = {}
    for phase in play(load(toy.SCENARIO), number, PHASES):
        played = Played(plain(phase.before), plain(phase.resolution.events), plain(phase.resolution.state))
        account_of = dict(accounts(played, REFERENCE, known))
        yield phase, played, account_of
        known = {who: account.known for who, account in account_of.items()}


@pytest.mark.parametrize("number", range(12))
def test_each_audience_is_told_what_the_rules_say_and_knows_what_follows(number: int) -> None:
    count = 0
    for phase, played, account_of in cases(number):
        assert list(map(str, gaps(played, REFERENCE, account_of))) == []
        for who, account in account_of.items():
            state, events = phase.resolution.state, phase.resolution.events
            view = plain(view_of(phase.rules, phase.game_data, state, events, Audience(who)))
            assert list(map(str, REFERENCE.gaps_in_view(view, played, who, account))) == []
        count += 1
    assert count > 8


def _fights(number: int) -> tuple[PlayedPhase, Played, dict[str, Account]]:
    """The first phase of a game in which there is a fight."""
    return next(case for case in cases(number) if any(each["fact"]["type"] == "Fought" for each in case[1].events))


@pytest.mark.parametrize("kind", ["Drawn", "Fought", "Weakened", "Scouted"])
def test_a_fact_that_is_told_to_all_is_found(kind: str) -> None:
    _, played, _ = next(case for case in cases(1) if any(each["fact"]["type"] == kind for each in case[1].events))
    played = deepcopy(played)
    for event in played.events:
        if event["fact"]["type"] == kind:
            event["faces"] |= dict.fromkeys(REFERENCE.audiences, event["fact"])
    found = {(gap.fact, gap.field) for gap in gaps(played, REFERENCE)}
    assert found
    assert {fact for fact, _ in found} <= {kind}
    assert kind in ("Drawn", "Fought") or (kind, TOLD) in found


def test_an_enemys_card_and_standing_orders_in_a_position_are_found() -> None:
    _, played, _ = _fights(1)
    for part, leak in (("hand", ["ambush"]), ("standing", [{"type": "WhenAttacked"}]), ("seen", [{"at": "light"}])):
        changed = deepcopy(played)
        changed.after["own"]["north"][part] = leak
        assert {(gap.audience, gap.fact, gap.field) for gap in gaps(changed, REFERENCE)} == {
            ("north", "own.north", part)
        }


def test_a_view_that_shows_what_is_the_enemys_is_found() -> None:
    phase, played, account_of = _fights(1)
    state, events = phase.resolution.state, phase.resolution.events
    view, whole = (
        plain(view_of(phase.rules, phase.game_data, state, events, Audience(who))) for who in ("north", "gm")
    )
    heard = json.dumps([account_of["north"].told, account_of["north"].known])
    unheard = [f["name"] for f in played.before["own"]["south"]["forces"].values() if f["name"] not in heard]
    assert unheard
    for leak, field in (
        ({"counters": whole["counters"]}, "counters"),
        ({"sightings": [{**each, "count": 3} for each in view["sightings"]] + [{}]}, "sightings"),
        ({"panels": whole["panels"]}, "panels"),
        ({"arrows": [{"kind": "move", "side": "south", "path": ["kilns", "weir"]}]}, "arrows"),
        ({"markers": view["markers"][1:]}, "markers"),
        ({"headlines": [f"{unheard[0]} waits"]}, "(names)"),
    ):
        found = {gap.field for gap in REFERENCE.gaps_in_view({**view, **leak}, played, "north", account_of["north"])}
        assert field in found, leak
