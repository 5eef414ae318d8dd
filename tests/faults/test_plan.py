"""The faults of processes: drawn from a seed, at every failpoint that a role passes."""

from itertools import islice

import pytest

from campaign.core.failpoints import _faults
from tests.faults.people.acts import ACTS
from tests.faults.plan import EMBEDDED, FLEET, Plan, places, places_of


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


def test_every_failpoint_is_come_by_or_provoked_by_an_act_of_its_own() -> None:
    come_by = {place for role in FLEET for place in places_of(role, FLEET)}
    come_by |= {place for role in EMBEDDED for place in places_of(role, EMBEDDED)}
    assert set(places()) - come_by == set(ACTS)
