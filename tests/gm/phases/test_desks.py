"""Desks at the lock: who must be ready, whose line wins, and whose line is nothing."""

import pytest

from campaign.core import clock
from campaign.engine.values.value import encode
from campaign.game.store import decode_state, digest, unpack
from campaign.models import Campaign, Desk, Membership, Phase, PhaseState, Role, User
from campaign.selectors import open_phase
from campaign.services import scenario_of
from campaign.viewers import commander_of
from gm.desk.absence import flags
from gm.machine.sweeper import sweep
from gm.phases.locking import lock
from gm.selectors import DeskProgress, progress
from gm.todo import todo_of
from orders import readiness
from orders.models import HQ, LockedSheet
from tests.gm.campaigns import live, opened, review_drafts, send

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("time", "blank_maps")]

SIXTH = "6th Panzer Army"


def desk(phase: Phase, formation: str = SIXTH, *, held: bool = True) -> Desk:
    holder = None
    if held:
        user = User.objects.create_user("Dietrich")
        holder = Membership.objects.create(
            campaign=phase.campaign, user=user, role=Role.STAFF, side="german", joined_at=clock.now()
        )
    return Desk.objects.create(
        campaign=phase.campaign, side="german", name="a desk", formations=[formation], holder=holder
    )


def shown(campaign: Campaign) -> list[DeskProgress]:
    """What the GM's desk shows of the open phase."""
    phase = open_phase(commander_of(campaign, "german"))
    assert phase is not None
    return progress(phase, campaign)


def where(phase: Phase, unit: str) -> str:
    rules = scenario_of(phase.campaign).rules
    state = decode_state(rules, unpack(phase.resolution.outcome.state_after), version=rules.state_version)
    place: str = state.own["german"].units[unit].at
    return place


def test_a_desk_that_somebody_holds_must_be_ready(phase: Phase, author: User) -> None:
    desk(phase)
    send(phase, author, "HOLD 1 SS", ready=True)
    assert not lock(phase.pk)
    send(phase, author, "HOLD 12 SS", desk="a desk", idem_key="desk")
    assert not lock(phase.pk)
    send(phase, author, "HOLD 12 SS", desk="a desk", idem_key="again", ready=True)
    assert lock(phase.pk)


def test_nobody_waits_for_a_desk_without_a_holder(phase: Phase, author: User) -> None:
    desk(phase, held=False)
    send(phase, author, "HOLD 1 SS", ready=True)
    assert lock(phase.pk)


def test_nobody_waits_for_a_desk_that_has_nothing_to_decide(campaign: Campaign, author: User) -> None:
    """In the air phase a desk could only name battles for the heavy artillery, which HQ shares out."""
    sweep(worker="one")
    phase = live(campaign)
    assert (phase.key, phase.acts) == ("air", ["allied", "german"])
    desk(phase)
    send(phase, author, "", ready=True)
    assert not lock(phase.pk), "the other side is not READY"
    send(phase, author, "", side="allied", ready=True)
    assert lock(phase.pk)


def test_headquarters_is_waited_for_even_if_its_side_has_nothing_to_decide(
    campaign: Campaign, author: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise the other side would learn that it has nothing."""
    monkeypatch.setattr(readiness, "_decides", lambda *_: False)
    sweep(worker="one")
    phase = live(campaign)
    idle = desk(phase)
    send(phase, author, "", side="allied", ready=True)
    send(phase, author, "", desk=idle.name, idem_key="desk", ready=True)
    assert not lock(phase.pk)


def test_only_its_side_and_the_game_master_read_that_a_desk_has_nothing_to_decide(campaign: Campaign) -> None:
    sweep(worker="one")
    phase = live(campaign)
    held = desk(phase).holder
    assert held is not None
    assert [(each.side, each.desk, each.idle) for each in shown(campaign)] == [
        ("allied", HQ, False),
        ("german", HQ, False),
        ("german", "a desk", True),
    ]
    assert todo_of(held, phase) is None
    opened_ = opened(campaign)
    assert [each.idle for each in shown(campaign)] == [False, False]
    asked = todo_of(held, opened_)
    assert asked is not None
    assert [each.name for each in asked.desks] == ["a desk"]


def test_a_phase_waits_for_a_desk_of_which_nobody_can_tell_what_it_decides(
    campaign: Campaign, author: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fault of the rules delays a phase, and stops no page and no publication."""

    def fault(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(readiness, "_decides", fault)
    sweep(worker="one")
    phase = live(campaign)
    held = desk(phase).holder
    for side in phase.acts:
        send(phase, author, "", side=side, ready=True)
    assert not lock(phase.pk)
    assert held is not None
    assert todo_of(held, phase) is not None


def test_headquarters_wins_on_a_unit_that_two_desks_name(phase: Phase, author: User) -> None:
    desk(phase)
    send(phase, author, "MOVE 12 SS T23\nMOVE 150 Pz Bde R24", desk="a desk", idem_key="a", ready=True)
    send(phase, author, "MOVE 12 SS S22", ready=True)
    sweep(worker="one")
    assert where(phase, "G-12SS") == "S22"
    assert where(phase, "G-150") == "R24"


def test_a_hold_by_headquarters_prevents_a_desks_move(phase: Phase, author: User) -> None:
    desk(phase)
    before = where_before(phase, "G-12SS")
    send(phase, author, "MOVE 12 SS S22", desk="a desk", idem_key="a", ready=True)
    send(phase, author, "HOLD 12 SS", ready=True)
    sweep(worker="one")
    assert where(phase, "G-12SS") == before


def test_a_desks_line_for_a_unit_that_is_not_its_own_is_nothing(phase: Phase, author: User) -> None:
    desk(phase, "7th Army")
    before = where_before(phase, "G-12SS")
    send(phase, author, "MOVE 12 SS S22", desk="a desk", idem_key="a", ready=True)
    send(phase, author, "READY", ready=True)
    sweep(worker="one")
    assert where(phase, "G-12SS") == before


def test_what_a_desk_might_order_is_frozen_at_the_lock(phase: Phase, author: User) -> None:
    given = desk(phase)
    send(phase, author, "HOLD 12 SS", desk="a desk", idem_key="a", ready=True)
    send(phase, author, "READY", ready=True)
    assert lock(phase.pk)
    Desk.objects.filter(pk=given.pk).update(formations=["7th Army"])
    by_desk = dict(LockedSheet.objects.filter(phase=phase).values_list("desk", "formations"))
    assert by_desk == {"HQ": None, "a desk": [SIXTH]}


def test_a_desk_that_was_given_up_no_longer_counts(phase: Phase, author: User) -> None:
    given = desk(phase)
    send(phase, author, "MOVE 12 SS S22", desk="a desk", idem_key="a", ready=True)
    given.delete()
    send(phase, author, "READY", ready=True)
    assert lock(phase.pk)
    assert list(LockedSheet.objects.values_list("desk", flat=True)) == ["HQ"]


def test_two_long_desks_are_read_whole(phase: Phase, author: User) -> None:
    desk(phase)
    padding = "# a comment of forty characters, or so it is\n" * 900
    send(phase, author, padding + "MOVE 12 SS S22", ready=True, desk="a desk", idem_key="desk")
    send(phase, author, padding + "MOVE 150 Pz Bde R24", ready=True)
    sweep(worker="one")
    assert (where(phase, "G-12SS"), where(phase, "G-150")) == ("S22", "R24")


def test_the_lock_covers_the_sheets_of_all_desks(phase: Phase, author: User) -> None:
    desk(phase)
    send(phase, author, "HOLD 1 SS", ready=True)
    send(phase, author, "HOLD 12 SS", desk="a desk", idem_key="desk", ready=True)
    assert lock(phase.pk)
    phase.refresh_from_db()
    sheets = sorted((sheet.side, sheet.desk, sheet.digest) for sheet in phase.all_sheets.all())
    assert [name for _, name, _ in sheets] == ["HQ", "a desk"]
    assert phase.proof.sheets_digest == digest(encode(sheets))


def where_before(phase: Phase, unit: str) -> str:
    rules = scenario_of(phase.campaign).rules
    state = decode_state(rules, unpack(phase.start.state_before), version=phase.state_version)
    place: str = state.own["german"].units[unit].at
    return place


# --- what an absent GM is told about them ----------------------------------------------------------------------------


def drafted(phase: Phase, author: User, *, hq: str, desk: str) -> Phase:
    """The phase's draft after these two sheets, in a campaign whose GM has gone away."""
    review_drafts()
    Campaign.objects.update(absent_hours=0)
    send(phase, author, desk, desk="a desk", idem_key="desk", ready=True)
    send(phase, author, hq, ready=True)
    sweep(worker="one")
    phase.refresh_from_db()
    return phase


def test_a_desk_may_order_what_headquarters_creates_and_the_draft_publishes_itself(phase: Phase, author: User) -> None:
    """M2: each sheet alone says less than both together, and both together are what is resolved."""
    desk(phase)
    drafted(phase, author, hq="DETACH 1SS", desk="MOVE KG 1SS R22")
    assert where(phase, "KG 1 SS") == "R22"
    assert flags(phase) == ()
    sweep(worker="one")
    phase.refresh_from_db()
    assert phase.state == PhaseState.PUBLISHED


def test_a_line_that_only_the_other_desks_sheet_refuses_is_flagged(phase: Phase, author: User) -> None:
    """R5.5 Each of the two finds room in the hex, if the other does not go there."""
    desk(phase)
    drafted(phase, author, hq="MOVE 150 Pz Bde S22", desk="MOVE 12 SS S22")
    assert (where(phase, "G-150"), where(phase, "G-12SS")) == ("S22", "T22")
    (flag,) = flags(phase)
    assert flag.startswith("German a desk, line 1, was ignored: ")


def test_a_line_of_another_desks_unit_is_flagged_and_one_that_headquarters_overrules_is_not(
    phase: Phase, author: User
) -> None:
    desk(phase)
    drafted(phase, author, hq="HOLD 12 SS", desk="MOVE 12 SS S22")
    assert flags(phase) == ()
    phase.all_locked_sheets.filter(desk="a desk").update(formations=["7th Army"])
    (flag,) = flags(phase)
    assert flag.startswith("German a desk, line 1, was ignored: ")


def test_a_note_of_a_desk_is_named_after_its_desk(phase: Phase, author: User) -> None:
    desk(phase)
    drafted(phase, author, hq="HOLD 2 Pz", desk="HOLD 12 SS\nNOTE the bridge is down")
    assert flags(phase) == ("German a desk, line 2, is a note for you: the bridge is down",)
