"""Reopening: the newest phase is withdrawn and played again in a lock of its own, and nothing that was sent is lost."""

from zoneinfo import ZoneInfo

import pytest

from campaign import selectors
from campaign.models import AuditEntry, Campaign, Desk, Membership, OutboxMessage, Phase, PhaseState, Role, User
from campaign.record.dice_keys import nonce
from campaign.templatetags.fieldpost import duration
from campaign.viewers import Viewer
from gm.desk.deadlines import Refused
from gm.desk.reopening import reopen
from gm.machine.sweeper import run, sweep
from gm.phases.locking import lock
from orders.intake import TooLate
from orders.models import Channel, Draft
from tests.gm.campaigns import START, Clock, live, send, sheet_texts
from tests.gm.conftest import rundstedt
from tests.kept import kept
from tests.mails import plain_text_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("time", "blank_maps")]


@pytest.fixture
def published(phase: Phase) -> Phase:
    """The phase of the first German sheet, published; its orders open a battle."""
    kept("published", lambda: _published(phase), after="phase")
    phase.refresh_from_db()
    return phase


def _published(phase: Phase) -> None:
    (text,) = sheet_texts("1944-12-16-german-sheet", "german")
    send(phase, rundstedt(), text, ready=True)
    sweep(worker="one")
    phase.refresh_from_db()
    assert phase.state == PhaseState.PUBLISHED


EARLIER = [(0, 0, "PUBLISHED"), (1, 0, "PUBLISHED")]
"""The campaign's start, and the phase of air missions."""


def revisions(campaign: Campaign) -> list[tuple[int, int, str]]:
    return list(campaign.phases.order_by("no", "rev").values_list("no", "rev", "state"))


def test_the_newest_phase_opens_again_from_the_same_state(gm: Viewer, published: Phase, campaign: Campaign) -> None:
    again = reopen(gm, reason="the wrong map")
    assert revisions(campaign) == [*EARLIER, (2, 0, "WITHDRAWN"), (2, 1, "OPEN"), (3, 0, "WITHDRAWN")]
    same = ("no", "key", "acts", "day", "state_version", "deadline_kind")
    assert [getattr(again, column) for column in same] == [getattr(published, column) for column in same]
    assert bytes(again.start.state_before) == bytes(published.start.state_before)


@pytest.mark.usefixtures("published")
def test_what_was_published_of_it_is_read_by_nobody_any_more(gm: Viewer) -> None:
    assert [phase.no for phase in selectors.published_phases(gm)] == [2, 1, 0]
    reopen(gm, reason="the wrong map")
    assert [phase.no for phase in selectors.published_phases(gm)] == [1, 0]


@pytest.mark.usefixtures("published")
def test_everyone_is_notified_and_the_audit_says_why(gm: Viewer) -> None:
    reopen(gm, reason="the wrong map")
    notified = OutboxMessage.objects.filter(kind="reopen").values_list("user__username", flat=True)
    assert set(notified) == {"germancommander", "alliedcommander", "gm"}
    subject = {"phase": 2, "rev": 1, "reason": "the wrong map", "by": "gm"}
    assert AuditEntry.objects.get(act="reopen").subject == subject


@pytest.mark.usefixtures("published")
def test_the_notice_gives_the_new_deadline_in_its_readers_time_zone(gm: Viewer, time: Clock) -> None:
    User.objects.filter(username="germancommander").update(time_zone="America/New_York")
    deadline = reopen(gm, reason="the wrong map").deadline_at.astimezone(ZoneInfo("America/New_York"))
    notice = plain_text_of(bytes(OutboxMessage.objects.get(kind="reopen", user__username="germancommander").message))
    assert f"In your time zone the deadline is {deadline:%a %-d %b %Y, %H:%M} EST" in " ".join(notice.split())
    assert f", {duration(deadline - time.now)} after this mail was written" in " ".join(notice.split())


@pytest.mark.usefixtures("gm")
def test_no_mail_of_what_is_withdrawn_goes_out(gm: Viewer, phase: Phase, author: User) -> None:
    (text,) = sheet_texts("1944-12-16-german-sheet", "german")
    send(phase, author, text, ready=True)
    assert lock(phase.pk)
    assert run(phase.pk, worker="one")  # published, and nothing mailed yet
    unsent = OutboxMessage.objects.filter(state="waiting")
    assert "opened" in unsent.values_list("kind", flat=True)
    reopen(gm, reason="a secret got out")
    assert set(unsent.values_list("kind", flat=True)) == {"reopen"}


def drafts(phase: Phase) -> dict[tuple[str, str], str]:
    return {(draft.author.username, draft.desk): draft.text for draft in Draft.objects.filter(phase=phase)}


def member(campaign: Campaign, name: str, role: Role, side: str = "german") -> Membership:
    user = User.objects.create_user(name, f"{name}@example.org")
    return Membership.objects.create(campaign=campaign, user=user, role=role, side=side, joined_at=START)


def test_the_sheet_that_was_sent_is_a_draft_for_all_who_write_and_unsent_text_for_its_writer(
    gm: Viewer, published: Phase, campaign: Campaign
) -> None:
    staff, _ = member(campaign, "Dietrich", Role.STAFF), member(campaign, "Krebs", Role.DEPUTY)
    Desk.objects.create(campaign=campaign, side="german", name="Fifth", holder=staff)
    sheet = published.all_sheets.get()
    sheet.pk, sheet.desk, sheet.text, sheet.idem_key = None, "Fifth", "SAVE 2 Pz", "fifth"
    sheet.save()
    Draft.objects.create(
        phase=published, side="german", desk="HQ", author=gm.person, text="NOTE unsent", saved_at=published.opens_at
    )
    again = drafts(reopen(gm, reason="the wrong map"))
    text = published.all_sheets.get(desk="HQ").text
    assert again == {
        ("germancommander", "HQ"): text,
        ("Krebs", "HQ"): text,
        ("Dietrich", "Fifth"): "SAVE 2 Pz",
        ("gm", "HQ"): "NOTE unsent",
    }
    assert published.all_sheets.count() == 2


def test_a_sheet_that_the_gm_entered_is_a_draft_for_the_side_and_for_the_gm(gm: Viewer, published: Phase) -> None:
    published.all_sheets.update(author=gm.person, channel=Channel.GM)
    assert set(drafts(reopen(gm, reason="the wrong map"))) == {("germancommander", "HQ"), ("gm", "HQ")}


def test_it_has_the_next_lock_and_the_phase_after_it_comes_as_its_next_revision(
    gm: Viewer, published: Phase, author: User, campaign: Campaign
) -> None:
    again = reopen(gm, reason="the wrong map")
    send(again, author, published.all_sheets.get().text, ready=True)
    sweep(worker="one")
    again.refresh_from_db()
    assert (published.lock_no, again.lock_no) == (3, 4)
    assert revisions(campaign)[3:] == [(2, 1, "PUBLISHED"), (3, 0, "WITHDRAWN"), (3, 1, "OPEN")]


def test_a_phase_may_be_reopened_more_than_once(gm: Viewer, published: Phase, author: User, campaign: Campaign) -> None:
    for _ in range(2):
        again = reopen(gm, reason="the wrong map")
        send(again, author, published.all_sheets.get().text, ready=True)
        sweep(worker="one")
    assert revisions(campaign)[2:5] == [(2, 0, "WITHDRAWN"), (2, 1, "WITHDRAWN"), (2, 2, "PUBLISHED")]
    assert live(campaign).rev == 2


def test_a_sheet_for_the_phase_after_it_is_offered_when_that_comes_again(
    gm: Viewer, published: Phase, author: User, campaign: Campaign
) -> None:
    send(live(campaign), author, "RESULT Q19 attackers", side="gm")
    again = reopen(gm, reason="the wrong map")
    send(again, author, published.all_sheets.get().text, ready=True)
    sweep(worker="one")
    (draft,) = live(campaign).all_drafts.all()
    assert (draft.side, draft.text) == ("gm", "RESULT Q19 attackers")


def test_sheets_for_what_was_withdrawn_come_too_late(
    gm: Viewer, published: Phase, author: User, campaign: Campaign
) -> None:
    following = live(campaign)
    reopen(gm, reason="the wrong map")
    for phase, side in ((published, "german"), (following, "gm")):
        with pytest.raises(TooLate):
            send(phase, author, "HOLD 1 SS", side=side, idem_key="late")
        assert not lock(phase.pk)


@pytest.mark.usefixtures("published")
def test_nothing_is_reopened_once_the_phase_after_it_is_locked(gm: Viewer, author: User, campaign: Campaign) -> None:
    following = live(campaign)
    send(following, author, "RESULT Q19 attackers", side="gm", ready=True)
    assert lock(following.pk)
    before = revisions(campaign)
    with pytest.raises(Refused, match="Correct the mistake"):
        reopen(gm, reason="the wrong map")
    assert revisions(campaign) == before


def test_a_campaigns_start_is_not_reopened(gm: Viewer, campaign: Campaign) -> None:
    sweep(worker="one")
    with pytest.raises(Refused, match="start"):
        reopen(gm, reason="the wrong map")
    assert revisions(campaign) == [(0, 0, "PUBLISHED"), (1, 0, "OPEN")]


def test_its_deadline_is_a_new_one(gm: Viewer, published: Phase, time: Clock) -> None:
    time.forward(hours=30)
    assert reopen(gm, reason="the wrong map").deadline_at == published.deadline_at + (time.now - published.opens_at)


def test_the_nonces_of_a_revision_are_its_own(campaign: Campaign) -> None:
    made = {nonce(campaign, phase=1, rev=rev, side="german", desk="HQ", version=1) for rev in (0, 1)}
    assert len(made) == 2
