"""Absences: who reads them, who stands in, and what that allows."""

from datetime import timedelta

import pytest

from campaign.core import clock
from campaign.models import Absence, OutboxMessage, Role
from campaign.people import absences, desks, invitations, memberships
from campaign.people.absences import Booking
from campaign.selectors import open_phase
from campaign.viewers import gm_viewer, viewer_of
from gm.selectors import progress
from gm.todo import desks_of
from orders.models import Sheet
from tests.gm.campaigns import Clock, live
from tests.web.conftest import PARTS, Cast

pytestmark = pytest.mark.django_db

GERMAN, STAFF, ALLIED = "german commander", "german staff", "allied commander"
WHY = "a wedding in Trier"
BOOKED = {"since": "", "until": "2026-03-09", "deputy": STAFF, "why": WHY}


def book(cast: Cast, who: str = GERMAN, **more: str) -> str:
    """What the page says to a booking."""
    answer = cast.browser(who).post(cast.address("people/away/"), BOOKED | more, follow=True)
    return str(answer.content.decode())


def submit(cast: Cast, who: str, desk: str = "HQ") -> int:
    phase = live(cast.campaign)
    newest = Sheet.objects.filter(phase=phase, desk=desk).count()
    form = {"stop": phase.no, "rev": phase.rev, "version": newest, "newest": newest, "act": "send"}
    text = {"text": "NOTE hold the line", "key": f"{who} {desk} {newest}"}
    return cast.browser(who).post(cast.address(f"orders/{desk}/"), form | text).status_code


def reads(cast: Cast, who: str, page: str) -> str:
    return cast.browser(who).get(cast.address(page)).content.decode()


def test_the_own_side_and_the_gm_read_it_and_nobody_else(cast: Cast) -> None:
    before = {who: reads(cast, who, "calendar/") for who in PARTS}
    assert "Absence noted." in book(cast)
    for who, (role, side) in PARTS.items():
        for page in ("calendar/", "people/"):
            assert (WHY in reads(cast, who, page)) is (side == "german" or role == Role.GM), (who, page)
    for who in (ALLIED, "allied staff", "spectator"):
        assert _rest(reads(cast, who, "calendar/")) == _rest(before[who])


def _rest(page: str) -> str:
    """A page without the tokens of its forms."""
    return page.partition("<main")[2].split('name="csrfmiddlewaretoken"')[0]


def test_a_gm_who_is_away_is_so_for_every_member(cast: Cast) -> None:
    book(cast, "gm", deputy="")
    assert all(WHY in reads(cast, who, "calendar/") for who in PARTS)


def test_a_deputy_writes_the_sheets_while_the_absence_lasts(cast: Cast, time: Clock) -> None:
    cast.campaign.phases.filter(pk=live(cast.campaign).pk).update(deadline_at=time.now + timedelta(days=90))
    assert submit(cast, STAFF) == 404
    book(cast, since="2026-03-03")
    assert submit(cast, STAFF) == 404, "it has not begun"
    time.forward(days=3)
    assert "You stand in for german commander" in reads(cast, STAFF, "")
    assert submit(cast, STAFF) == 302
    assert Sheet.objects.get().author == cast.user(STAFF)
    assert submit(cast, "german deputy") == 302
    time.forward(days=9)
    assert submit(cast, STAFF) == 404, "it has ended"
    assert "You stand in" not in reads(cast, STAFF, "")


def test_a_deputy_has_the_desks_of_who_is_away_and_no_others(cast: Cast) -> None:
    commander = viewer_of(cast.user(GERMAN), cast.campaign.slug)
    desks.set_desk(commander, name="South", formations=["7th Army"], holder=cast.member(STAFF), now=clock.now())
    gm, joined = gm_viewer(cast.user("gm"), cast.campaign.slug), cast.member("german tactical")
    memberships.change_role(gm, joined, role=Role.STAFF, side="german", now=clock.now())
    assert submit(cast, "german tactical", "South") == 404
    book(cast, STAFF, deputy="german tactical")
    assert submit(cast, "german tactical", "South") == 302
    assert submit(cast, "german tactical") == 404, "HQ is not theirs"
    assert [desk.name for desk in desks_of(cast.member("german tactical"))] == ["South"]
    shown = open_phase(gm)
    assert shown is not None
    holders = {each.desk: each.holder for each in progress(shown, cast.campaign)}
    assert holders["South"] == "german staff (away, german tactical stands in)"


def test_a_deputy_is_told_by_mail_and_nobody_else_is(cast: Cast) -> None:
    book(cast)
    (message,) = OutboxMessage.objects.filter(kind="deputy")
    assert message.user == cast.user(STAFF)
    assert WHY.encode() not in bytes(message.message)


@pytest.mark.parametrize("name", [ALLIED, GERMAN, "german tactical", "nobody at all", "spectator"])
def test_only_others_who_write_for_the_side_stand_in(cast: Cast, name: str) -> None:
    assert "who stands in from the list" in book(cast, deputy=name)
    viewer = viewer_of(cast.user(GERMAN), cast.campaign.slug)
    with pytest.raises(memberships.Refused):
        absences.book(viewer, viewer.member, Booking(until=clock.now() + timedelta(1), deputy=name), now=clock.now())
    assert not Absence.objects.exists()


def test_one_tap_ends_it(cast: Cast) -> None:
    book(cast)
    (absence,) = Absence.objects.all()
    sent = {"member": GERMAN, "since": absence.starts_at.isoformat()}
    for who in (STAFF, ALLIED, "spectator"):
        assert cast.browser(who).post(cast.address("people/back/"), sent).status_code == 404
    assert submit(cast, STAFF) == 302
    assert cast.browser(GERMAN).post(cast.address("people/back/"), sent).status_code == 302
    assert not Absence.objects.exists()
    assert submit(cast, STAFF) == 404, "who stood in stands in no more"
    assert cast.browser(GERMAN).post(cast.address("people/back/"), sent).status_code == 404
    acts = cast.campaign.audit.filter(act__in=["back", "submit", "away"]).order_by("no")
    assert list(acts.values_list("act", flat=True)) == ["away", "submit", "back"]


def test_a_new_absence_replaces_those_that_it_overlaps(cast: Cast) -> None:
    book(cast, since="2026-03-20", until="2026-03-25")
    book(cast)
    book(cast, until="2026-03-12")
    found = Absence.objects.order_by("starts_at").values_list("ends_at__day", flat=True)
    assert list(found) == [12, 25]


def test_who_leaves_and_comes_back_is_there(cast: Cast, time: Clock) -> None:
    book(cast)
    gm = gm_viewer(cast.user("gm"), cast.campaign.slug)
    memberships.remove(gm, cast.member(GERMAN), now=clock.now())
    assert submit(cast, STAFF) == 404
    time.forward(hours=1)
    token = invitations.invite(gm, role=Role.COMMANDER, side="german", meant_for="", now=clock.now())
    invitations.accept_invitation(token, cast.user(GERMAN), now=clock.now())
    assert submit(cast, STAFF) == 404
    assert not absences.coming(gm, clock.now())


def test_the_page_asks_no_more_of_the_database_for_more_absences(
    cast: Cast, django_assert_max_num_queries: pytest.FixtureRequest
) -> None:
    browser = cast.browser("gm")
    for who in (GERMAN, STAFF, ALLIED, "allied staff"):
        book(cast, who, deputy="")
    browser.get(cast.address("calendar/"))
    with django_assert_max_num_queries(18):  # type: ignore[operator]
        browser.get(cast.address("calendar/"))


@pytest.mark.parametrize(("since", "until"), [("2026-03-09", "2026-03-09"), ("", "2026-03-01"), ("", "2029-01-01")])
def test_days_that_make_no_absence_are_refused(cast: Cast, since: str, until: str) -> None:
    assert "Absence noted." not in book(cast, since=since, until=until)
    assert not Absence.objects.exists()
