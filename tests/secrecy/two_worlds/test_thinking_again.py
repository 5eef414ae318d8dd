"""Nobody learns of a READY, a publication or an invitation that is cancelled before it takes effect.

In the second world somebody else has acted; what a side sees, and when, is the same.
"""

from collections.abc import Mapping
from datetime import timedelta
from random import Random

import pytest

from campaign.engine.values.ids import Audience
from campaign.models import Campaign, Invitation, PhaseState, Role
from campaign.people import invitations
from campaign.viewers import viewer_of
from gm.machine.sweeper import sweep
from gm.models import Approval
from gm.phases import approval
from orders.models import HQ
from tests.secrecy.asking.limits import shared
from tests.secrecy.campaigns import SLUG, Base, live, person
from tests.secrecy.chance import CHANCE
from tests.secrecy.knowledge import all_ready
from tests.secrecy.mutators import mutate
from tests.secrecy.mutators.change import Change
from tests.secrecy.pairs import plan_of
from tests.secrecy.steps import STEPS
from tests.secrecy.steps.machinery import deliver
from tests.secrecy.steps.plan import HERE
from tests.secrecy.two_worlds.test_single_acts import ALLIED, ALLIES, pages, pair_of, received, sheets
from tests.secrecy.worlds import Answer, World

ALLIED_COMMANDER, GERMAN_COMMANDER = "allied commander", "german commander"


def think(world: World, seconds: int = 60) -> None:
    with world.present():
        Campaign.objects.filter(slug=SLUG).update(think_seconds=seconds)


def say_ready(world: World, who: str) -> Answer:
    """HQ submits a sheet that is READY for its whole side, as others hold desks of it."""
    with world.present():
        phase = live()
    assert phase is not None
    form = {"stop": phase.no, "rev": phase.rev, "version": 0, "text": "READY", "key": "ready", "act": "anyway"}
    return world.ask(who, "POST", f"{HERE}orders/HQ/", {**form, "for_side": "1"})


def cancel_ready(world: World, who: str, newest: int) -> Answer:
    with world.present():
        phase = live()
    assert phase is not None
    form = {"stop": phase.no, "rev": phase.rev, "newest": newest, "act": "cancel-ready", "key": f"not {newest}"}
    return world.ask(who, "POST", f"{HERE}orders/HQ/", form)


def wait(world: World, seconds: int) -> None:
    """Time passes with a worker that does all that is due."""
    world.now += timedelta(seconds=seconds)
    with world.present():
        CHANCE.of("time passes", world.now)
        sweep(worker="secrecy")
        deliver()


def alike(one: World, two: World, reader: str, no: int) -> None:
    """What a side reads and receives is the same in both worlds."""
    assert pages(one, reader) == pages(two, reader)
    for who in ALLIES:
        assert received(one, who, no) == received(two, who, no)


def test_a_ready_looks_the_same_whether_or_not_it_completes_the_phase(worlds: Mapping[str, Base]) -> None:
    """In the second world the enemy has long been READY. The answer, the receipt and all pages are the same."""
    with pair_of(worlds["01-air"]) as (one, two):
        for world in (one, two):
            think(world)
        say_ready(two, GERMAN_COMMANDER)
        for world in (one, two):
            wait(world, 90)
        alike(one, two, ALLIED_COMMANDER, 1)
        answers = [say_ready(world, ALLIED_COMMANDER) for world in (one, two)]
        assert answers[0] == answers[1]
        with two.present():
            assert list(all_ready()), "it completes the phase, once it takes effect"
        receipt = answers[0].header("Location")
        for seconds in (0, 30, 29):
            for world in (one, two):
                wait(world, seconds)
            assert one.ask(ALLIED_COMMANDER, "GET", receipt) == two.ask(ALLIED_COMMANDER, "GET", receipt)
            alike(one, two, ALLIED_COMMANDER, 1)
        answers = [cancel_ready(world, ALLIED_COMMANDER, 1) for world in (one, two)]
        assert answers[0] == answers[1]
        assert [sheets(world, "allied") for world in (one, two)] == [[(HQ, 1, True), (HQ, 2, False)]] * 2
        for world in (one, two):
            wait(world, 60)
        alike(one, two, ALLIED_COMMANDER, 1)
        assert shared(two, [ALLIED_COMMANDER]) == []


def test_a_cancelled_ready_of_the_enemy_closes_nothing_and_shows_nowhere(worlds: Mapping[str, Base]) -> None:
    """The side itself is READY in both worlds, so that the enemy's would have closed the phase."""
    with pair_of(worlds["01-air"]) as (one, two):
        for world in (one, two):
            think(world)
            say_ready(world, ALLIED_COMMANDER)
            wait(world, 90)
        say_ready(two, GERMAN_COMMANDER)
        with two.present():
            assert list(all_ready()), "it completes the phase, once it takes effect"
        assert sheets(two, "german") == [(HQ, 1, True)]
        for world in (one, two):
            wait(world, 59)
        alike(one, two, ALLIED_COMMANDER, 1)
        cancel_ready(two, GERMAN_COMMANDER, 1)
        assert sheets(two, "german") == [(HQ, 1, True), (HQ, 2, False)]
        for seconds in (1, 60):
            for world in (one, two):
                wait(world, seconds)
            alike(one, two, ALLIED_COMMANDER, 1)
            for world in (one, two):
                with world.present():
                    phase = live()
                    assert phase is not None
                    assert phase.state == PhaseState.OPEN


def test_a_cancelled_publication_shows_nowhere(worlds: Mapping[str, Base]) -> None:
    with pair_of(worlds["01-air"]) as (one, two):
        for world in (one, two):
            think(world)
            plan = plan_of(world, ALLIED, 1)
            for name in ("lock", "adjudicate"):
                STEPS[name](world, plan, Random(1))
        with two.present():
            phase = live()
            assert phase is not None
            assert phase.state == PhaseState.REVIEW
            author = {"author": person("gm")}
            assert approval.give(phase.pk, fence=phase.fence, **author)
        for world in (one, two):
            wait(world, 59)
        alike(one, two, ALLIED_COMMANDER, 1)
        with two.present():
            assert approval.cancel(phase.pk, fence=phase.fence, **author)
        for seconds in (1, 90):
            for world in (one, two):
                wait(world, seconds)
            alike(one, two, ALLIED_COMMANDER, 1)
        with two.present():
            assert Approval.objects.get().cancelled_at is not None
        for world in (one, two):
            STEPS["publish"](world, plan_of(world, ALLIED, 1), Random(1))
        alike(one, two, ALLIED_COMMANDER, 1)


def test_a_cancelled_invitation_of_an_enemy_shows_nowhere(worlds: Mapping[str, Base]) -> None:
    with pair_of(worlds["01-air"]) as (one, two):
        for world in (one, two):
            think(world)
        with two.present():
            gm = viewer_of(person("gm"), SLUG)
            CHANCE.of("invite", 1)
            invitations.invite(
                gm, role=Role.STAFF, side="german", meant_for="a friend", address="friend@example.org", now=two.now
            )
        for world in (one, two):
            wait(world, 59)
        alike(one, two, ALLIED_COMMANDER, 1)
        with two.present():
            newest = Invitation.objects.get(address="friend@example.org")
            invitations.revoke_invitation(gm, newest.token_digest, now=two.now)
        for world in (one, two):
            wait(world, 90)
        alike(one, two, ALLIED_COMMANDER, 1)
        assert [len(world.sent) for world in (one, two)] == [len(one.sent)] * 2


@pytest.mark.parametrize("base", ["01-air", "02-german_sheet"])
def test_what_others_cancel_by_lot_is_done(worlds: Mapping[str, Base], base: str) -> None:
    """The mutator says of itself, in its asserts, that it did what it does."""
    with pair_of(worlds[base]) as (_, two):
        change = Change(two, Audience("allied"), Random(1))
        assert mutate("M30", change, 1)
        assert [ready for _, _, ready in sheets(two, "german")][-2:] == [True, False]
