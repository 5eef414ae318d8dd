"""Facts disclose what the reference says whatever their fields hold: games bring few of these values together."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import msgspec
import pytest

from campaign.engine.facts import Fact, Rolled
from campaign.engine.ruleset import Ruleset
from campaign.engine.values.ids import GM
from campaign.rulesets import area_activation, forum_campaign
from tests import toy
from tests.secrecy.one_world import test_oracle, test_oracle_of_areas, test_oracle_of_toy, test_release
from tests.secrecy.one_world.test_oracle import plain
from tests.secrecy.oracle.account import Reference
from tests.secrecy.oracle.area_activation.release import with_sight

_MOST = 6
"""The number of values that a field of a fact is given, at most."""

Happened = tuple[Any, Fact]
"""The position before a fact, and the fact."""


@dataclass(frozen=True)
class Case:
    """A ruleset, and what happens in some of its games."""

    rules: Ruleset[Any, Any]
    reference: Reference
    happened: Callable[[], Iterator[Happened]]
    never: frozenset[str]
    """Kinds of facts that are not tried: these games bring none, or only equal ones, or every field is worked out."""
    worked_out: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """By kind: fields with values that follow from the position, so that others are impossible."""


def _kinds(names: str) -> frozenset[str]:
    return frozenset(names.split())


def _in(rules: Ruleset[Any, Any], played: Iterable[tuple[Any, Any]]) -> Iterator[Happened]:
    for before, resolution in played:
        truth = before
        for event in resolution.events:
            yield truth, event.fact
            truth = rules.evolve(truth, event.fact)


def _of_forum_campaigns() -> Iterator[Happened]:
    for game in ("st-vith-1944, bots", "st-vith-1944, random 1", "st-vith-1944, random 2", "st-vith-1944, random 5"):
        for case in test_oracle.phases_of(game):
            yield from _in(forum_campaign.RULESET, [(case.before, case.resolution)])
            yield from ((case.before, fact) for fact in test_release.possible(case.before))


def _of_area_games() -> Iterator[Happened]:
    played = chain.from_iterable(map(test_oracle_of_areas.played, test_oracle_of_areas.GAMES))
    yield from _in(area_activation.RULESET, played)
    for fog in ("off", "on"):
        state = test_oracle_of_areas.early(fog)
        yield from ((state, fact) for fact in test_oracle_of_areas.rare_facts(state, fog))


def _of_toys() -> Iterator[Happened]:
    for number in range(6):
        played = ((phase.before, phase.resolution) for phase, _, _ in test_oracle_of_toy.cases(number))
        yield from _in(toy.RULESET, played)


CASES = {
    "forum_campaign": Case(
        forum_campaign.RULESET,
        test_oracle.reference("st-vith-1944"),
        _of_forum_campaigns,
        _kinds(
            """
            AirRemoved BattleRuled CommandosGone DemolitionPaid DepotSet Followed FuelReceived FuelSet GoodsSet
            Landed LineStruck LineWritten Pursued Resized Rolled Scouted StrengthSet TanksSet TaskForceDenied
            UnitAdded UnitPlaced UnitRemoved
            """
        ),
        {
            "BattleRuled": ["at", "advance", "losses", "retreats", "tanks", "pursuers"],
            "RetreatsBegun": ["choice"],
            "Scouted": ["sightings", "positions", "last_seen"],
        },
    ),
    "area_activation": Case(
        area_activation.RULESET,
        test_oracle_of_areas.REFERENCE,
        _of_area_games,
        _kinds(
            """
            BritishFreed CommandoLapsed CommandoStruck ControlSet Ended Joined Marked Noted PointsSet Rolled
            Sighted Starved StrengthSet UnitPlaced UnitRemoved
            """
        ),
        {"Sighted": ["pictures", "shown"]},
    ),
    "toy": Case(
        toy.RULESET,
        test_oracle_of_toy.REFERENCE,
        _of_toys,
        _kinds("AttackLapsed ForcePlaced Noted Rested Rolled Scouted StandingOrdersGiven StrengthSet"),
        {"Scouted": ["pictures"]},
    ),
}


@pytest.mark.parametrize("ruleset", CASES)
def test_a_fact_discloses_what_the_reference_says_whatever_its_fields_hold(ruleset: str) -> None:
    case = CASES[ruleset]
    happened = list(case.happened())
    tried = set[tuple[type[Fact], str]]()
    for truth, name, fact in _varied(case, happened):
        faces = case.rules.release[type(fact)].disclosures(truth, truth, fact)
        disclosed = {str(who): plain(face) for who, face in faces.items() if who != GM}
        assert disclosed == dict(case.reference.told(plain(fact), plain(truth))), (name, fact)
        tried.add((type(fact), name))
    kinds = {kind for kind, _ in tried}
    assert {kind.__name__ for kind in case.rules.release if kind not in kinds} == case.never
    switches = {(kind, each.name) for kind in kinds for each in msgspec.structs.fields(kind) if each.type is bool}
    assert {each for each in switches - tried if not _is_worked_out(case, *each)} == set(), "tried both true and false"


def _varied(case: Case, happened: Sequence[Happened]) -> Iterator[tuple[Any, str, Fact]]:
    """Some facts, each with one field as another fact of the kind has it. What a roll is for follows from its label."""
    values = _values(fact for _, fact in happened)
    for truth, fact in _chosen(case, happened):
        for name in fact.__struct_fields__:
            if not _is_worked_out(case, type(fact), name):
                others = (value for value in values[type(fact), name] if value != getattr(fact, name))
                found = (_with(truth, fact, name, value) for value in others)
                yield from ((truth, name, other) for other in found if other is not None)


def _is_worked_out(case: Case, kind: type[Fact], name: str) -> bool:
    return name == "seen" or name in case.worked_out.get(kind.__name__, ())


def _values(facts: Iterable[Fact]) -> Mapping[tuple[type[Fact], str], Sequence[Any]]:
    """Values of each field of each kind; for true or false always both."""
    held = defaultdict[tuple[type[Fact], str], dict[str, Any]](dict)
    for fact in facts:
        for each in msgspec.structs.fields(fact):
            value = getattr(fact, each.name)
            found = (False, True) if each.type is bool else (value,)
            held[type(fact), each.name] |= {repr(value): value for value in found}
    return {where: list(found.values())[:_MOST] for where, found in held.items()}


def _chosen(case: Case, happened: Sequence[Happened]) -> Iterator[Happened]:
    """Two facts of each kind for each way to disclose it: to whom, and to whom of them in part."""
    chosen = defaultdict[tuple[Any, ...], list[Happened]](list)
    for truth, fact in happened:
        if not isinstance(fact, Rolled):
            whole = plain(fact)
            told = case.reference.told(whole, plain(truth))
            in_part = sorted(who for who, face in told.items() if face != whole)
            chosen[type(fact), tuple(sorted(told)), tuple(in_part)].append((truth, fact))
    return chain.from_iterable(found[:2] for found in chosen.values())


def _with(truth: Any, fact: Fact, name: str, value: Any) -> Fact | None:
    """The fact with another value, and with what the enemy then sees of it; None if it names a missing unit."""
    other = msgspec.structs.replace(fact, **{name: value})
    if "seen" not in fact.__struct_fields__:
        return other
    try:
        seen = with_sight(plain(other), plain(truth), test_oracle_of_areas.LAND)["seen"]
    except KeyError:
        return None
    return msgspec.structs.replace(other, seen=tuple(seen) if isinstance(seen, list) else seen)
