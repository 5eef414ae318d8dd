"""What is done to processes: drawn from a seed, at every failpoint that a role comes by."""

from itertools import islice

import pytest

from campaign.failpoints import _faults
from tests.faults.plan import EMBEDDED, FLEET, Plan, places, places_of

ELSEWHERE = {
    *("battle", "close", "exposure", "fail", "found", "link", "look", "reminder", "reopen", "retry", "roll", "ruling"),
    *("settings", "start"),
}
"""Failpoints of acts that nobody does in these campaigns; tests of their own provoke faults there."""


@pytest.mark.parametrize("roles", [EMBEDDED, FLEET])
def test_the_same_seed_draws_the_same_faults(roles: dict[str, int]) -> None:
    def drawn(seed: int) -> tuple[object, ...]:
        plan = Plan(seed, roles, 3)
        return (*islice(plan.faults(), 50), *(plan.failpoints(role) for role in roles for _ in range(50)))

    assert drawn(1) == drawn(1)
    assert drawn(1) != drawn(2)


@pytest.mark.parametrize("roles", [EMBEDDED, FLEET])
def test_each_failpoint_that_a_role_comes_by_is_provoked(roles: dict[str, int]) -> None:
    plan = Plan(1, roles, 3)
    found = {place for role in roles for _ in range(400) for place in _faults(plan.failpoints(role) or "a=busy")} - {
        "a"
    }
    assert found == {place for role in roles for place in places_of(role, roles)}


def test_every_failpoint_is_come_by_or_named_here() -> None:
    come_by = {place for role in FLEET for place in places_of(role, FLEET)}
    come_by |= {place for role in EMBEDDED for place in places_of(role, EMBEDDED)}
    assert {place.partition(".")[0] for place in set(places()) - come_by} == ELSEWHERE
