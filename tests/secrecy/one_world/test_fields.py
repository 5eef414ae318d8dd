"""Facts are told as the reference says whatever their fields hold, of which games bring few values together."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, product
from typing import Any

import pytest

from campaign.engine.facts import Fact, Rolled
from campaign.engine.ruleset import Ruleset
from campaign.engine.values.ids import GM
from campaign.engine.values.value import replace
from campaign.rulesets import area_activation, forum_campaign
from tests import toy
from tests.secrecy.one_world import test_oracle, test_oracle_of_areas, test_oracle_of_toy
from tests.secrecy.one_world.test_oracle import plain
from tests.secrecy.oracle.account import Reference

WORKED_OUT = {("RetreatsBegun", "choice"), ("Sighted", "pictures"), ("Sighted", "shown")}
"""Fields whose right values the reference works out from the position, whatever a fact says."""
_MOST = 4
"""The number of values that a field of a fact is given, at most."""


@dataclass(frozen=True)
class Told:
    """A ruleset, the reference for what it tells, and games of it."""

    rules: Ruleset[Any, Any]
    reference: Reference
    played: Callable[[], Iterator[tuple[Any, Any]]]
    """The position before each phase, and what came of it."""


def _forum_campaigns() -> Iterator[tuple[Any, Any]]:
    for game in ("st-vith-1944, bots", "st-vith-1944, random 1", "st-vith-1944, random 2"):
        yield from ((case.before, case.resolution) for case in test_oracle.phases_of(game))


def _area_games() -> Iterator[tuple[Any, Any]]:
    return chain.from_iterable(map(test_oracle_of_areas.played, test_oracle_of_areas.GAMES))


def _toys() -> Iterator[tuple[Any, Any]]:
    for number in range(4):
        yield from ((phase.before, phase.resolution) for phase, _, _ in test_oracle_of_toy.cases(number))


TOLD = {
    "forum_campaign": Told(forum_campaign.RULESET, test_oracle.reference("st-vith-1944"), _forum_campaigns),
    "area_activation": Told(area_activation.RULESET, test_oracle_of_areas.REFERENCE, _area_games),
    "toy": Told(toy.RULESET, test_oracle_of_toy.REFERENCE, _toys),
}


@pytest.mark.parametrize("ruleset", TOLD)
def test_a_fact_is_told_as_the_reference_says_whatever_its_fields_hold(ruleset: str) -> None:
    told, tried, switches = TOLD[ruleset], set[tuple[str, str]](), set[tuple[str, str]]()
    for happened in _phases(told):
        for truth, field, fact in _varied(happened):
            about = (type(fact).__name__, field)
            right = dict(told.reference.told(plain(fact), plain(truth)))
            if _is_possible(plain(fact), right):
                faces = told.rules.release[type(fact)].disclosures(truth, truth, fact)
                assert {str(who): plain(face) for who, face in faces.items() if who != GM} == right, about
                tried.add(about)
            if isinstance(getattr(fact, field), bool) and field != "seen":
                switches.add(about)
    assert tried
    assert switches <= tried, "what is true or false has been both"


def _phases(told: Told) -> Iterator[Sequence[tuple[Any, Fact]]]:
    """The facts of each phase, each with the position before it."""
    for before, resolution in told.played():
        truth, happened = before, []
        for event in resolution.events:
            happened.append((truth, event.fact))
            truth = told.rules.evolve(truth, event.fact)
        yield happened


def _varied(happened: Sequence[tuple[Any, Fact]]) -> Iterator[tuple[Any, str, Fact]]:
    """Some facts of each kind, with a field as others of the phase have it."""
    for kind, found in _by_kind(happened).items():
        for field in kind.__struct_fields__:
            values = () if (kind.__name__, field) in WORKED_OUT else _values(getattr(fact, field) for _, fact in found)
            for (truth, fact), value in product(found[:2], values):
                if value != getattr(fact, field):
                    yield truth, field, replace(fact, **{field: value})


def _by_kind(happened: Sequence[tuple[Any, Fact]]) -> Mapping[type[Fact], Sequence[tuple[Any, Fact]]]:
    """All but rolls, whose words follow from their labels."""
    found = defaultdict[type[Fact], list[tuple[Any, Fact]]](list)
    for truth, fact in happened:
        if not isinstance(fact, Rolled):
            found[type(fact)].append((truth, fact))
    return found


def _values(held: Iterator[Any]) -> Sequence[Any]:
    different = list({repr(value): value for value in held}.values())
    return [False, True] if all(isinstance(value, bool) for value in different) else different[:_MOST]


def _is_possible(fact: Any, told: Any) -> bool:
    """Whether the enemy sees as much of it as it says: the reference works that out, too."""
    side = fact.get("side", "german")
    return "seen" not in fact or (side in told and told[side]["seen"] == fact["seen"])
