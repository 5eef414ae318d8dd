"""What others do for sure in the second of two worlds, of which a side notices nothing.

Pairs of worlds do it by lot. Here each test also says that it was done, so that it fails where it would show nothing.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from random import Random
from smtplib import SMTPDataError, SMTPRecipientsRefused, SMTPSenderRefused, SMTPServerDisconnected

import pytest

from campaign.engine.values.ids import Audience, PlaceId, SideId, UnitId
from campaign.engine.values.value import replace as change
from campaign.models import Membership, OutboxMessage, OutboxState, Phase
from orders.models import Sheet
from tests.secrecy.campaigns import SLUG, Base, address, live
from tests.secrecy.digests import blanked
from tests.secrecy.knowledge import all_ready, known_to
from tests.secrecy.pairs import plan_of
from tests.secrecy.steps import STEPS
from tests.secrecy.steps.plan import HERE
from tests.secrecy.truth import Truth
from tests.secrecy.worlds import ANONYMOUS, World

GERMAN, ALLIED = SideId("german"), Audience("allied")
PLAYERS = ("commander", "deputy", "staff", "second staff", "tactical")
ALLIES = [f"allied {name}" for name in PLAYERS]
READERS = ("allied commander", "spectator", ANONYMOUS)
PAGES = ("", "stops/", "orders/", "orders/HQ/", "people/", "public/", "public/stops/")


@contextmanager
def pair_of(base: Base) -> Iterator[tuple[World, World]]:
    """Two worlds that are the same."""
    one, two = (World.restored(name, base.snapshot) for name in ("one", "two"))
    with blanked(ALLIED):
        yield one, two
    one.close()
    two.close()


def send(world: World, who: str, text: str) -> Sheet:
    """Somebody submits the first sheet of the HQ."""
    with world.present():
        phase = live()
    assert phase is not None
    form = {"stop": phase.no, "rev": phase.rev, "version": 0, "newest": 0, "act": "send", "text": text, "key": "a key"}
    world.ask(who, "POST", f"{HERE}orders/HQ/", form)
    with world.present():
        return Sheet.objects.get(phase=phase, author__username=who)


def publish(world: World) -> None:
    """The open phase is closed, resolved and published, and its mails are sent."""
    plan = plan_of(world, ALLIED, 1)
    for name in ("lock", "adjudicate", "publish"):
        STEPS[name](world, plan, Random(1))


def mails(world: World, who: str, no: int) -> list[OutboxMessage]:
    """Somebody's mails about a phase, in the order in which they were written."""
    with world.present():
        rows = OutboxMessage.objects.filter(phase__campaign__slug=SLUG, phase__no=no, user__username=who)
        return list(rows.order_by("pk"))


def received(world: World, who: str, no: int) -> list[object]:
    """What a player receives of a phase, and when."""
    sent = [each.mail for each in world.sent if each.to == address(who)]
    return [sent, *((row.kind, row.state, row.sent_at, bytes(row.message)) for row in mails(world, who, no))]


def test_that_a_side_is_ready_shows_on_no_page_of_others(worlds: Mapping[str, Base]) -> None:
    with pair_of(worlds["01-air"]) as (one, two):
        with one.present():
            assert Phase.objects.get(campaign__slug=SLUG, no=1).deadline_at > one.now + timedelta(days=1)
        assert send(two, "german commander", "READY").ready
        with two.present():
            assert list(all_ready()) == []  # everybody would read that all are
        for who in READERS:
            for page in PAGES:
                assert one.ask(who, "GET", HERE + page) == two.ask(who, "GET", HERE + page), (who, page)


@pytest.mark.parametrize("first", ["staff", "second staff"])
def test_who_signs_in_first_changes_no_list_of_names(worlds: Mapping[str, Base], first: str) -> None:
    """Two of the enemy have the same role, so that either could be listed first."""
    with pair_of(worlds["02-german_sheet"]) as (one, two):
        with two.present():
            staff = Membership.objects.filter(campaign__slug=SLUG, side=GERMAN, role="staff", left_at=None)
            names = sorted(staff.values_list("user__username", flat=True), key=lambda name: name != f"german {first}")
            assert not staff.exclude(user__last_login=None).exists()
        assert len(names) == 2
        for name in names:
            two.ask(name, "GET", "/")
            with two.present():
                assert staff.filter(user__username=name, user__last_login=two.now).exists()
            for who in READERS:
                assert one.ask(who, "GET", f"{HERE}people/") == two.ask(who, "GET", f"{HERE}people/")
            for world in (one, two):
                world.now += timedelta(minutes=1)


def test_what_becomes_of_the_enemys_mails_changes_nothing_in_those_of_a_side(worlds: Mapping[str, Base]) -> None:
    """One of them wants no reports, and the mail server refuses the others', each in another way."""
    commander, deputy, staff, second, tactical = (f"german {name}" for name in PLAYERS)
    with pair_of(worlds["01-air"]) as (one, two):
        with two.present():
            Membership.objects.filter(campaign__slug=SLUG, user__username=tactical).update(mutes_reports=True)
        two.refused |= {
            address(commander): SMTPRecipientsRefused({address(commander): (550, b"no such mailbox")}),
            address(deputy): SMTPSenderRefused(552, b"too large", "fieldpost@example.org"),
            address(staff): SMTPDataError(554, b"no"),
            address(second): SMTPServerDisconnected("gone"),
        }
        for world in (one, two):
            publish(world)
        for who in ALLIES:
            assert received(one, who, 1) == received(two, who, 1)
        first = min(row.pk for who in ALLIES for row in mails(two, who, 1))
        for who in (commander, deputy, staff, second):
            (refused,) = mails(two, who, 1)
            assert (refused.state, refused.tries) == (OutboxState.WAITING, 1)
            assert refused.pk < first, "it goes out too late to delay one of the side's"
        assert [len(mails(world, tactical, 1)) for world in (one, two)] == [1, 0]


def test_a_side_gets_no_report_of_a_move_that_it_is_told_nothing_of(worlds: Mapping[str, Base]) -> None:
    """Only commandos move without fuel, which everybody would learn of. Nothing else happens."""
    with pair_of(with_a_hidden_commando(worlds["02-german_sheet"])) as (one, two):
        for world, text in ((one, ""), (two, "MOVE Stielau 9 R23\n")):
            send(world, "german commander", f"{text}ALL OTHERS HOLD")
            publish(world)
        assert known_to(one, ALLIED) == known_to(two, ALLIED)
        for who in ALLIES:
            assert received(one, who, 2) == received(two, who, 2)
        reports = [[row.kind for row in mails(world, "gm", 2)].count("report") for world in (one, two)]
        assert reports == [0, 1], "something happens in the second world, and nothing in the first"
        assert any(not mails(two, who, 2) for who in ALLIES)


def with_a_hidden_commando(base: Base) -> Base:
    """The same phase with one more German commando, behind the front."""
    world = World.restored("hidden", base.snapshot)
    with world.present():
        truth = Truth.read(ALLIED)
        assert truth is not None
        like = next(unit for unit in truth.units(GERMAN).values() if not unit.ground)
        truth.put(GERMAN, change(like, id=UnitId("G-CDO9"), label="Stielau 9", at=PlaceId("S23")))
        truth.write()
    kept = replace(base, snapshot=world.kept())
    world.close()
    return kept
