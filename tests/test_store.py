"""Stored engine values: canonical bytes, versions and upgrades, and a state of every version ever released."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from campaign.engine.adjudication import asked
from campaign.engine.display.outcomes import OUTCOMES_VERSION, Because, Effect, LineOutcome, Outcomes
from campaign.engine.display.views import VIEW_UPGRADES, VIEW_VERSION
from campaign.engine.errors import EngineError
from campaign.engine.facts import Event
from campaign.engine.phases import Ruling
from campaign.engine.ruleset import Ruleset
from campaign.engine.values.ids import GM, PhaseKey, SideId, UnitId
from campaign.engine.values.options import answers_of, options_in
from campaign.game import store
from campaign.game.store import (
    decode_events,
    decode_outcomes,
    decode_ruling,
    decode_state,
    decode_view,
    digest,
    encode_events,
    encode_outcomes,
    encode_state,
    encode_view,
)
from campaign.rulesets import RULESETS, ruleset
from campaign.rulesets.forum_campaign.model.facts.air import AirDropped
from campaign.rulesets.forum_campaign.model.facts.movement import Detached
from campaign.rulesets.forum_campaign.model.game_data import Branch
from campaign.rulesets.forum_campaign.model.task_forces import task_force
from tests.maps.examples import RED_VIEW

STORED = Path(__file__).parent / "stored" / "states"


def test_every_version_of_every_ruleset_has_a_stored_state() -> None:
    wanted = {f"{rules.key}-{version}.json" for rules in RULESETS for version in range(1, rules.state_version + 1)}
    assert {path.name for path in STORED.iterdir()} == wanted


@pytest.mark.parametrize("path", sorted(STORED.iterdir()), ids=lambda path: path.stem)
def test_a_stored_state_of_an_older_version_still_plays(path: Path) -> None:
    key, _, version = path.stem.rpartition("-")
    rules = ruleset(key)
    state = decode_state(rules, path.read_bytes(), version=int(version))
    assert asked(rules, state)


def test_the_newest_stored_state_is_written_back_byte_for_byte() -> None:
    for rules in RULESETS:
        data = (STORED / f"{rules.key}-{rules.state_version}.json").read_bytes()
        assert encode_state(decode_state(rules, data, version=rules.state_version)) == data


def test_upgrades_are_applied_one_after_the_other() -> None:
    rules = ruleset("forum_campaign")
    data = (STORED / "forum_campaign-1.json").read_bytes()
    newer = replace(
        rules,
        state_version=3,
        upgrades={
            1: lambda raw: {**raw, "open": {**raw["open"], "fuel": raw["open"]["fuel"] + 1}},
            2: lambda raw: {**raw, "open": {**raw["open"], "fuel": raw["open"]["fuel"] * 10}},
        },
    )
    fuel = json.loads(data)["open"]["fuel"]
    assert decode_state(newer, data, version=1).open.fuel == (fuel + 1) * 10


def test_a_version_without_a_way_is_refused() -> None:
    rules = ruleset("forum_campaign")
    for version in (0, rules.state_version + 1):
        with pytest.raises(
            EngineError, match=f"there is no upgrade of a state of forum_campaign from version {version}"
        ):
            decode_state(rules, b"{}", version=version)
    for version in (0, rules.event_version + 1):
        with pytest.raises(EngineError, match="there is no upgrade of an event of forum_campaign from version"):
            decode_events(rules, b"[{}]", version=version)
    with pytest.raises(EngineError, match=f"there is no upgrade of a view from version {VIEW_VERSION + 1}"):
        decode_view(b'{"version":%d}' % (VIEW_VERSION + 1))
    with pytest.raises(EngineError, match=f"there is no upgrade of outcomes from version {OUTCOMES_VERSION + 1}"):
        decode_outcomes(b'{"version":%d}' % (OUTCOMES_VERSION + 1))


def test_armour_of_an_older_state_has_the_tanks_of_its_order_of_battle() -> None:
    rules = ruleset("forum_campaign")
    for version in (1, 2):
        data = (STORED / f"forum_campaign-{version}.json").read_bytes()
        own = decode_state(rules, data, version=version).own
        for unit in (unit for side in own.values() for unit in (*side.units.values(), *side.lost.values())):
            assert (unit.tanks, unit.heavy_tanks) == ((3, 1) if unit.branch is Branch.ARMOR else (0, 0))


def test_an_older_state_is_continued_by_the_options_that_were_its_rules() -> None:
    rules = ruleset("forum_campaign")
    for version in (1, 2):
        state = decode_state(rules, (STORED / f"forum_campaign-{version}.json").read_bytes(), version=version)
        assert answers_of(rules.options_of(state)) == {each.name: each.before for each in options_in(rules.options)}
        assert decode_state(rules, encode_state(state), version=rules.state_version) == state


def test_defaults_stay_while_states_that_leave_them_out_stay() -> None:
    """Another default takes another version of states, whose upgrade writes the old one down."""
    options = options_in(ruleset("forum_campaign").options)
    assert {option.name: option.default for option in options} == DEFAULTS


DEFAULTS = {
    "battles": "outside",
    "outside_german": "3",
    "outside_allied": "1",
    "separate_attacks": "no",
    "separate_removals": "no",
    "separate_retreats": "no",
    "forecast": "no",
    "parity": "even_first",
    "movement_scale": "full",
    "zone_cost": "both",
    "friends_keep_supply": "no",
    "raiders_fade": "no",
    "costly_demolition": "no",
    "fuel_grouping": "separate",
    "fuel_shortage": "cap",
    "captured_counts_now": "no",
    "advances_burn_fuel": "no",
    "third_band": "type",
    "last_known": "none",
    "whole_drop_zone": "no",
    "commando_die": "6",
    "withdrawal_minute": "20",
    "retreat_length": "one",
    "friends_cover_retreat": "no",
    "wiped_out": "cumulative",
}


def test_a_unit_of_a_state_without_establishments_is_a_full_formation() -> None:
    rules = ruleset("forum_campaign")
    for version in (1, 2, 3):
        own = decode_state(rules, (STORED / f"forum_campaign-{version}.json").read_bytes(), version=version).own
        units = [unit for side in own.values() for unit in (*side.units.values(), *side.lost.values())]
        assert {unit.establishment for unit in units} == {100}


def test_a_task_force_of_an_event_without_establishments_is_part_of_a_full_formation() -> None:
    rules = ruleset("forum_campaign")
    own = decode_state(rules, (STORED / "forum_campaign-3.json").read_bytes(), version=3).own[SideId("german")]
    force = task_force(SideId("german"), own.units[UnitId("G-2PZ")], ())
    detached = Detached(SideId("german"), UnitId("G-2PZ"), force)
    written = json.loads(encode_events([Event(PhaseKey("german_sheet"), "R8.1", detached, {GM: detached})]))
    for fact in (written[0]["fact"], written[0]["faces"]["gm"]):
        del fact["task_force"]["establishment"]
    (event,) = decode_events(rules, json.dumps(written).encode(), version=1)
    assert event.fact == event.disclosures[GM] == detached
    assert force.establishment == 100


def test_a_view_that_was_frozen_before_maps_showed_supply_flights_and_what_was_taken_is_still_read() -> None:
    frozen = json.loads(encode_view(RED_VIEW))
    del frozen["traces"], frozen["flights"]
    for marker in frozen["markers"]:
        del marker["taken_from"], marker["won_by"]
    markers = tuple(structs.replace(marker, taken_from=None) for marker in RED_VIEW.markers)
    then = structs.replace(RED_VIEW, traces=(), flights=(), markers=markers)
    assert decode_view(json.dumps(frozen).encode()) == then != RED_VIEW


def test_a_view_from_before_rulesets_declared_figures_shows_strength_and_movement() -> None:
    frozen = json.loads(encode_view(RED_VIEW))
    del frozen["version"], frozen["control"]
    for counter in frozen["counters"]:
        counter |= {figure["key"]: figure["value"] for figure in counter.pop("figures")}
    for sighting in frozen["sightings"]:
        del sighting["count"]
    assert decode_view(json.dumps(frozen).encode()) == structs.replace(RED_VIEW, control=())


def test_a_view_of_an_older_version_is_brought_forward(monkeypatch: pytest.MonkeyPatch) -> None:
    frozen = {**json.loads(encode_view(RED_VIEW)), "title": RED_VIEW.campaign}
    del frozen["campaign"]

    def with_campaign(raw: dict[str, Any]) -> dict[str, Any]:
        return {**{key: part for key, part in raw.items() if key != "title"}, "campaign": raw["title"]}

    monkeypatch.setattr(store, "VIEW_VERSION", VIEW_VERSION + 1)
    monkeypatch.setattr(store, "VIEW_UPGRADES", dict.fromkeys(VIEW_UPGRADES, dict) | {VIEW_VERSION: with_campaign})
    assert decode_view(json.dumps(frozen).encode()) == structs.replace(RED_VIEW, version=VIEW_VERSION + 1)


def test_an_event_that_was_recorded_before_drops_had_a_place_is_still_read() -> None:
    rules = ruleset("forum_campaign")
    drop = {"type": "AirDropped", "side": "allied", "unit": "28 Inf"}
    recorded = [{"phase": "dawn", "rule": "R3.8", "fact": drop, "faces": {"allied": drop, "gm": drop}, "ruling": ""}]
    (event,) = decode_events(rules, json.dumps(recorded).encode(), version=1)
    assert event.fact == AirDropped(SideId("allied"), UnitId("28 Inf"), at=None)


def as_drops_were_called() -> Ruleset[Any, Any]:
    """The rules of a release that had other names for drops and for the fields of a fact."""

    def renamed(fact: dict[str, Any]) -> dict[str, Any]:
        return {"type": "AirDropped", "side": fact["side"], "unit": fact["who"]}

    def newer(event: dict[str, Any]) -> dict[str, Any]:
        disclosures = {who: renamed(fact) for who, fact in event["faces"].items()}
        return {**event, "phase": "dawn", "fact": renamed(event["fact"]), "faces": disclosures}

    return replace(ruleset("forum_campaign"), event_version=3, event_upgrades={1: newer, 2: dict})


def test_events_and_rulings_of_an_older_version_are_brought_forward_step_by_step() -> None:
    rules, drop = as_drops_were_called(), {"type": "Dropped", "side": "allied", "who": "28 Inf"}
    recorded = [{"phase": "early", "rule": "R3.8", "fact": drop, "faces": {"gm": drop}, "ruling": ""}]
    (event,) = decode_events(rules, json.dumps(recorded).encode(), version=1)
    fact = AirDropped(SideId("allied"), UnitId("28 Inf"))
    assert event == Event(PhaseKey("dawn"), "R3.8", fact, {GM: fact})
    ruling = decode_ruling(rules, at="early", fact=drop, reason="It was seen.", version=1)
    assert ruling == Ruling(PhaseKey("dawn"), fact, "It was seen.")
    assert decode_events(rules, encode_events([event]), version=3) == (event,)


def test_a_digest_is_sha_256_in_hexadecimal() -> None:
    assert digest(b"") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


OUTCOMES = Outcomes((LineOutcome("HQ", 2, Effect.SHORT, (Because("1 SS stays at Q22", "R4", ("a zone +1",)),)),))


def test_outcomes_survive_being_stored() -> None:
    assert decode_outcomes(encode_outcomes(OUTCOMES)) == OUTCOMES
    assert json.loads(encode_outcomes(OUTCOMES))["version"] == OUTCOMES_VERSION


def test_outcomes_of_an_older_version_are_brought_forward(monkeypatch: pytest.MonkeyPatch) -> None:
    (line,) = json.loads(encode_outcomes(OUTCOMES))["lines"]
    frozen = {"orders": [line], "version": OUTCOMES_VERSION}

    def with_lines(raw: dict[str, Any]) -> dict[str, Any]:
        return {"lines": raw["orders"]}

    monkeypatch.setattr(store, "OUTCOMES_VERSION", OUTCOMES_VERSION + 1)
    monkeypatch.setattr(store, "OUTCOMES_UPGRADES", {OUTCOMES_VERSION: with_lines})
    assert decode_outcomes(json.dumps(frozen).encode()) == structs.replace(OUTCOMES, version=OUTCOMES_VERSION + 1)
