"""What others do for sure in the second of two worlds, of which a side notices nothing.

Pairs of worlds do it by lot. Here each test also says that it was done, so that it fails where it would show nothing.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from random import Random
from smtplib import SMTPDataError, SMTPRecipientsRefused, SMTPSenderRefused, SMTPServerDisconnected

import pytest

from campaign.engine.values.ids import Audience, PlaceId, SideId, UnitId
from campaign.engine.values.value import replace as change
from campaign.mail.choices import EVENING
from campaign.models import LastSeen, MailNews, Membership, OutboxMessage, OutboxState, Phase
from campaign.people.accounts import new_person
from campaign.reports import FORUMS
from gm.desk.reminders import remind_due
from gm.gathered_mails import gather_due
from gm.machine.heartbeat import beat
from gm.phases.locking import lock_if_due
from orders.models import Sheet
from tests.secrecy.asking.limits import shared
from tests.secrecy.campaigns import SLUG, Base, address, live
from tests.secrecy.chance import CHANCE
from tests.secrecy.digests import blanked
from tests.secrecy.knowledge import all_ready, known_to
from tests.secrecy.pairs import plan_of
from tests.secrecy.steps import STEPS
from tests.secrecy.steps.machinery import deliver
from tests.secrecy.steps.mailed import come_back
from tests.secrecy.steps.people import invited
from tests.secrecy.steps.plan import HERE
from tests.secrecy.truth import Truth
from tests.secrecy.worlds import ANONYMOUS, Answer, World

GERMAN, ALLIED = SideId("german"), Audience("allied")
PLAYERS = ("commander", "deputy", "staff", "second staff", "tactical")
ALLIES = [f"allied {name}" for name in PLAYERS]
OUTSIDE = ("spectator", ANONYMOUS)
PAGES = ("", "stops/", "orders/", "orders/HQ/", "people/", "public/", "public/stops/")


@contextmanager
def pair_of(base: Base, observer: Audience = ALLIED) -> Iterator[tuple[World, World]]:
    """Two worlds that are the same, with no digests of what the observer does not know."""
    one, two = (World.restored(name, base.snapshot) for name in ("one", "two"))
    with blanked(observer):
        yield one, two
    one.close()
    two.close()


def send(world: World, who: str, text: str, *, newest: int = 0) -> Answer:
    """Somebody submits a sheet of the HQ, after this version of it and with a key that others use too."""
    with world.present():
        phase = live()
    assert phase is not None
    form = {"stop": phase.no, "rev": phase.rev, "version": newest, "newest": newest, "act": "anyway", "text": text}
    return world.ask(who, "POST", f"{HERE}orders/HQ/", {**form, "key": f"key {newest}"})


def sheets(world: World, side: str) -> list[tuple[str, int, bool]]:
    """The sheets of a side in the open phase: desk, version, and whether it is READY."""
    with world.present():
        rows = Sheet.objects.filter(phase=live(), side=side).order_by("pk")
        return list(rows.values_list("desk", "version", "ready"))


def publish(world: World) -> None:
    """The open phase is closed, resolved and published, and its mails are sent."""
    plan = plan_of(world, ALLIED, 1)
    for name in ("lock", "adjudicate", "publish"):
        STEPS[name](world, plan, Random(1))


def mails(world: World, who: str, no: int) -> list[OutboxMessage]:
    """Somebody's mails about a phase, in the order in which they were written, but for the notice that it was closed.

    Everybody gets that one: these tests close phases by the GM's act.
    """
    with world.present():
        rows = OutboxMessage.objects.filter(phase__campaign__slug=SLUG, phase__no=no, user__username=who)
        return list(rows.exclude(kind="close phase").select_related("picture").order_by("pk"))


def received(world: World, who: str, no: int) -> list[object]:
    """What a player receives of a phase, and when; also what waits for a digest."""
    sent = [each.mail for each in world.sent if each.to == address(who)]
    rows = [(row.kind, row.state, row.sent_at, bytes(row.message)) for row in mails(world, who, no)]
    with world.present():
        news = MailNews.objects.filter(member__user__username=who, phase__campaign__slug=SLUG, phase__no=no)
        return [sent, *rows, *news.order_by("pk").values_list("key", "kind", "text", "leaves_at")]


def pages(world: World, reader: str) -> dict[tuple[str, str], Answer]:
    """What a player, a spectator and somebody who is not signed in read."""
    return {(who, page): world.ask(who, "GET", HERE + page) for who in (reader, *OUTSIDE) for page in PAGES}


def test_that_a_side_is_ready_shows_on_no_page_of_others(worlds: Mapping[str, Base]) -> None:
    with pair_of(worlds["01-air"]) as (one, two):
        with one.present():
            assert Phase.objects.get(campaign__slug=SLUG, no=1).deadline_at > one.now + timedelta(days=1)
        send(two, "german commander", "READY")
        assert sheets(two, "german") == [("HQ", 1, True)]
        with two.present():
            assert list(all_ready()) == []  # everybody would read that all are
        assert pages(one, "allied commander") == pages(two, "allied commander")


def test_sheets_of_the_enemy_change_no_answer_to_a_sheet(worlds: Mapping[str, Base]) -> None:
    """They are of a desk with the same name, and came under the same keys."""
    commander = "allied commander"
    with pair_of(worlds["01-air"]) as (one, two):
        for newest in range(2):
            send(two, "german commander", "NOTE We wait.", newest=newest)
        assert sheets(two, "german") == [("HQ", 1, False), ("HQ", 2, False)]
        for newest in range(2):
            answers = [send(world, commander, "NOTE We wait, too.", newest=newest) for world in (one, two)]
            assert answers[0] == answers[1]
            version = answers[0].header("Location")
            assert one.ask(commander, "GET", version) == two.ask(commander, "GET", version)
        assert sheets(one, "allied") == sheets(two, "allied") == [("HQ", 1, False), ("HQ", 2, False)]
        assert pages(one, commander) == pages(two, commander)
        assert received(one, commander, 1) == received(two, commander, 1)
        assert shared(two, [commander]) == []


def test_no_hour_says_that_the_enemy_has_sent_its_sheet(worlds: Mapping[str, Base]) -> None:
    """Neither when a side is reminded, which has sent nothing, nor when the phase is closed, for which it has."""
    commander = "german commander"
    with pair_of(worlds["01-air"], Audience(GERMAN)) as (one, two):
        with one.present():
            phase = Phase.objects.select_related("campaign").get(campaign__slug=SLUG, no=1)
        reminder = phase.deadline_at - timedelta(hours=phase.campaign.reminder_hours)
        assert one.now < reminder - SECOND
        send(two, "allied commander", "NOTE We wait.")
        assert [sheets(world, "allied") for world in (one, two)] == [[], [("HQ", 1, False)]]
        for at in (reminder - SECOND, reminder + SECOND, phase.deadline_at - SECOND, phase.deadline_at + SECOND):
            for world in (one, two):
                pass_time(world, at, phase)
            if at in (reminder + SECOND, phase.deadline_at + SECOND):
                assert pages(one, commander) == pages(two, commander)
            for who in (f"german {name}" for name in PLAYERS):
                assert received(one, who, 1) == received(two, who, 1)
            if at == reminder + SECOND:
                assert [row.kind for row in mails(one, commander, 1)] == ["reminder"]
                assert send(one, commander, "NOTE We, too.") == send(two, commander, "NOTE We, too.")
        with one.present():
            assert Phase.objects.get(pk=phase.pk).locked_at is not None


SECOND = timedelta(seconds=1)


def pass_time(world: World, at: datetime, phase: Phase) -> None:
    """At some time a worker reminds people, closes the phase if it is due, and sends mails; it resolves nothing."""
    world.now = at
    with world.present():
        CHANCE.of("time passes", at)
        assert beat("secrecy")
        remind_due(at)
        lock_if_due(phase.pk)
        deliver()


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
            for who in ("allied commander", *OUTSIDE):
                assert one.ask(who, "GET", f"{HERE}people/") == two.ask(who, "GET", f"{HERE}people/")
            for world in (one, two):
                world.now += timedelta(minutes=1)


def test_what_becomes_of_the_enemys_mails_changes_nothing_in_those_of_a_side(worlds: Mapping[str, Base]) -> None:
    """One of them wants no reports, and the mail server refuses the others', each in another way.

    The Allies are the enemy here: mails leave in the order of names, and theirs leave first.
    """
    commander, deputy, staff, second, tactical = ALLIES
    germans = [f"german {name}" for name in PLAYERS]
    with pair_of(worlds["01-air"], Audience(GERMAN)) as (one, two):
        for world in (one, two):
            with world.present():
                Membership.objects.filter(campaign__slug=SLUG).update(mail_choices={"reports": "now"})
        with two.present():
            Membership.objects.filter(campaign__slug=SLUG, user__username=tactical).update(
                mail_choices={"reports": "never"}
            )
        two.refused |= {
            address(commander): SMTPRecipientsRefused({address(commander): (550, b"no such mailbox")}),
            address(deputy): SMTPSenderRefused(552, b"too large", "fieldpost@example.org"),
            address(staff): SMTPDataError(554, b"no"),
            address(second): SMTPServerDisconnected("gone"),
        }
        for world in (one, two):
            publish(world)
        for who in germans:
            assert received(one, who, 1) == received(two, who, 1)
        first = min(row.pk for who in germans for row in mails(two, who, 1))
        for who in (commander, deputy, staff, second):
            (refused,) = mails(two, who, 1)
            assert (refused.state, refused.tries) == (OutboxState.WAITING, 1)
            assert refused.pk < first, "it goes out too late to delay one of the side's"
        assert [len(mails(world, tactical, 1)) for world in (one, two)] == [1, 0]


def test_whose_mails_come_back_and_who_has_opened_pages_shows_to_nobody_else(worlds: Mapping[str, Base]) -> None:
    """Neither of the enemy nor of their own side. The reports come by each way in."""
    those = [*(f"german {name}" for name in PLAYERS), "allied staff"]
    others = ("allied commander", "allied deputy", *OUTSIDE)
    with pair_of(worlds["01-air"]) as (one, two):
        for world in (one, two):
            with world.present():
                deliver()
            world.now += timedelta(hours=1)
        come_back(two, those)
        for who in those:
            assert "Mail to you comes back." in two.ask(who, "GET", HERE).text, who
        with two.present():
            assert LastSeen.objects.filter(member__user__username__in=those, at=two.now).count() == len(those)
        for page in ("/", "/profile/", *(HERE + page for page in PAGES)):
            for who in others:
                assert one.ask(who, "GET", page) == two.ask(who, "GET", page), (who, page)
        for who in others[:2]:
            assert received(one, who, 1) == received(two, who, 1)


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


def test_a_digest_holds_what_its_reader_is_told_and_nobody_gets_that_of_a_side_they_left(
    worlds: Mapping[str, Base],
) -> None:
    """A commando moves unseen in the second world. All are told that it was closed, and read that at night."""
    own, leaver = "german tactical", "german second staff"
    with pair_of(with_a_hidden_commando(worlds["02-german_sheet"])) as (one, two):
        for world, text in ((one, ""), (two, "MOVE Stielau 9 R23\n")):
            with world.present():
                here = Membership.objects.filter(campaign__slug=SLUG)
                here.update(mail_choices={"clock": "digest"})
            send(world, "german commander", f"{text}ALL OTHERS HOLD")
            publish(world)
            with world.present():
                here.filter(user__username=leaver).update(role="spectator", side="")
            pass_evening(world)
        for who in (*ALLIES, leaver):
            assert received(one, who, 2) == received(two, who, 2)
            digests = [[row.kind for row in mails(world, who, 2)].count("digest") for world in (one, two)]
            assert digests == ([0, 0] if who == leaver else [1, 1]), who
        mine = [[row.message for row in mails(world, own, 2) if row.kind == "digest"] for world in (one, two)]
        assert [len(each) for each in mine] == [1, 1]
        assert mine[0] != mine[1], "its own side reads of the move"


def pass_evening(world: World) -> None:
    """The hour of the digests comes; nothing is resolved."""
    midnight = world.now.replace(hour=0, minute=0, second=0, microsecond=0)
    world.now = midnight + timedelta(days=int(world.now.hour >= EVENING), hours=EVENING, seconds=1)
    with world.present():
        CHANCE.of("evening", world.now)
        assert beat("secrecy")
        gather_due(world.now)
        deliver()


def test_a_post_holds_nothing_of_a_move_that_its_audience_is_told_nothing_of(worlds: Mapping[str, Base]) -> None:
    """Whichever forum it is written for, and for the public too; the side that moved reads of it in its own post."""
    with pair_of(with_a_hidden_commando(worlds["02-german_sheet"])) as (one, two):
        for world, text in ((one, ""), (two, "MOVE Stielau 9 R23\n")):
            send(world, "german commander", f"{text}ALL OTHERS HOLD")
            publish(world)
        for forum in FORUMS:
            for who in ("allied commander", "spectator"):
                first, second = (post(world, who, forum) for world in (one, two))
                assert first.status == 200
                assert first == second, (who, forum)
            for who in OUTSIDE:
                assert post(one, who, forum, of="public/") == post(two, who, forum, of="public/"), (who, forum)
            own = [post(world, "german commander", forum).text for world in (one, two)]
            assert ["Stielau 9" in text and "R23" in text for text in own] == [False, True], forum


def post(world: World, who: str, forum: str, *, of: str = "") -> Answer:
    """The page with the post about the phase that was just published."""
    return world.ask(who, "GET", f"{HERE}{of}stops/2/post/?forum={forum}")


def with_a_hidden_commando(base: Base) -> Base:
    """The same phase with one more German commando, behind the front. No German unit is about to regain its supply."""
    world = World.restored("hidden", base.snapshot)
    with world.present():
        truth = Truth.read(ALLIED)
        assert truth is not None
        for unit in truth.units(GERMAN).values():
            truth.put(GERMAN, change(unit, supplied=True))
        like = next(unit for unit in truth.units(GERMAN).values() if not unit.ground)
        truth.put(GERMAN, change(like, id=UnitId("G-CDO9"), label="Stielau 9", at=PlaceId("S23")))
        truth.write()
    kept = replace(base, snapshot=world.kept())
    world.close()
    return kept


def test_mails_of_deadlines_and_reopenings_count_no_sheets_of_the_enemy(worlds: Mapping[str, Base]) -> None:
    """The sheet that counts is the same in both worlds; in the second the enemy has sent another one before."""
    with pair_of(worlds["01-air"]) as (one, two):
        plans = {world.name: plan_of(world, ALLIED, 1) for world in (one, two)}
        send(two, "german commander", "NOTE We wait.")
        for world in (one, two):
            STEPS["clock"](world, plans[world.name], Random(1))
        for who in ALLIES:
            assert received(one, who, 1) == received(two, who, 1)
        assert {row.kind for row in mails(one, "allied commander", 1)} == {"extend", "hold"}
        with one.present():
            paused = live()
        assert paused is not None
        assert paused.held
        for world in (one, two):
            STEPS["clock"](world, plans[world.name], Random(1))
            newest = len(sheets(world, "german"))
            send(world, "german commander", "NOTE We go.", newest=newest)
            publish(world)
            STEPS["reopen"](world, plans[world.name], Random(1))
        assert [sheets_ever(world, "german", 1) for world in (one, two)] == [[1], [1, 2]]
        for who in ALLIES:
            assert received(one, who, 1) == received(two, who, 1)
        assert "reopen" in {row.kind for row in mails(one, "allied commander", 1)}


def sheets_ever(world: World, side: str, no: int) -> list[int]:
    """The versions of a side's sheets in a phase, also before it was reopened."""
    with world.present():
        rows = Sheet.objects.filter(phase__campaign__slug=SLUG, phase__no=no, side=side, desk="HQ")
        return list(rows.order_by("pk").values_list("version", flat=True))


def test_a_used_invitation_names_nobody_to_strangers(worlds: Mapping[str, Base]) -> None:
    """Another person has used it in each world."""
    with pair_of(worlds["01-air"]) as (one, two):
        link = {world.name: f"/invitation/{invited(world, Random(1))}/" for world in (one, two)}
        assert link["one"] == link["two"]
        for world, who in ((one, "somebody new"), (two, "another one")):
            with world.present():
                new_person(who, email=address(who))
            assert world.ask(who, "POST", link[world.name], {}).status == 302
            with world.present():
                assert Membership.objects.filter(campaign__slug=SLUG, user__username=who).exists()
        for who in (ANONYMOUS, "allied commander", "other gm"):
            for method in ("GET", "POST"):
                first, second = (world.ask(who, method, link[world.name]) for world in (one, two))
                assert first == second
