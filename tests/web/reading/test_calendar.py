"""The calendar: what comes next and when, on a page and for calendar programs by a secret address."""

import logging
import re
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from django.test import Client

from campaign.core import clock
from campaign.core.logs import Discreet
from campaign.models import CalendarFeed, Membership, Phase, PhaseState, Role
from campaign.people import memberships
from campaign.people.throttles import FEEDS, NEIGHBOURS, WRONG_TOKENS
from campaign.services import scenario_of
from campaign.timetable import Kind, timetable
from campaign.viewers import gm_viewer, viewer_of
from gm.desk import deadlines
from tests.gm.campaigns import Clock, live, new_campaign
from tests.web.conftest import ANONYMOUS, OUTSIDER, Cast, rows

pytestmark = pytest.mark.django_db

GERMAN, ALLIED = "german commander", "allied commander"


def address_of(cast: Cast, who: str = GERMAN) -> str:
    """The path of a new secret address."""
    page = cast.browser(who).post(cast.address("calendar/address/"), {"act": "make"}).content.decode()
    (found,) = re.findall(r'value="http://localhost:8000(/c/[^"]+[.]ics)"', page)
    return str(found)


def events_in(text: str) -> list[dict[str, str]]:
    """The events of a calendar, by the standard's rules: unfolded, and each value as it is escaped."""
    assert text.endswith("\r\n")
    lines = text.replace("\r\n ", "").removesuffix("\r\n").split("\r\n")
    assert (lines[0], lines[-1]) == ("BEGIN:VCALENDAR", "END:VCALENDAR")
    found: list[dict[str, str]] = []
    for line in lines:
        name, _, value = line.partition(":")
        if line == "BEGIN:VEVENT":
            found.append({})
        elif found and name not in ("BEGIN", "END"):
            found[-1][name] = value
    return found


def read(path: str) -> list[dict[str, str]]:
    response = Client().get(path)
    assert response.status_code == 200
    return events_in(response.content.decode())


def at(event: dict[str, str]) -> datetime:
    return datetime.strptime(event["DTSTART"], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)


# --- the timetable ----------------------------------------------------------------------------------------------------


def test_the_open_phase_and_those_after_it_are_listed_with_their_times(cast: Cast) -> None:
    phase = live(cast.campaign)
    entries = timetable(cast.campaign).entries
    assert [(each.kind, each.no, each.title) for each in entries[:3]] == [
        (Kind.CLOSES, phase.no, "German movement and attacks"),
        (Kind.EXPECTED, phase.no + 1, "Allied movement and attacks"),
        (Kind.EXPECTED, phase.no + 2, "Purchases and air"),
    ]
    assert [each.acts for each in entries[:3]] == [("german",), ("allied",), ("allied", "german")]
    assert entries[0].at == phase.deadline_at
    gaps = [later.at - earlier.at for earlier, later in pairwise(entries)]
    assert set(gaps) == {timedelta(hours=48)}
    assert entries[0].moment == phase.moment != entries[2].moment, "the air sheets are those of the next day"


def test_expected_times_keep_to_the_schedule_and_end_with_the_campaign(cast: Cast) -> None:
    cast.campaign.weekdays = [0, 2]
    cast.campaign.save()
    _, *expected = timetable(cast.campaign).entries
    assert {each.at.weekday() for each in expected} <= {0, 2}
    phase = live(cast.campaign)
    loaded = scenario_of(cast.campaign)
    Phase.objects.filter(pk=phase.pk).update(day=loaded.rules.last_day(loaded.scenario.game_data))
    entries = timetable(cast.campaign).entries
    assert [each.title for each in entries] == ["German movement and attacks", "Allied movement and attacks"]


def test_a_pause_says_when_the_clock_runs_again(cast: Cast, time: Clock) -> None:
    gm = gm_viewer(cast.user("gm"), cast.campaign.slug)
    deadlines.hold(gm, reason="Holidays")
    assert timetable(cast.campaign).paused
    assert not timetable(cast.campaign).entries
    assert b"no day is set on which it resumes" in cast.browser(GERMAN).get(cast.address("calendar/")).content
    deadlines.resume(gm)
    back = time.now + timedelta(days=5)
    left = live(cast.campaign).deadline_at - time.now
    deadlines.hold(gm, reason="Holidays", until=back)
    resumes, due, *_ = timetable(cast.campaign).entries
    assert (resumes.kind, resumes.at) == (Kind.RESUMES, back)
    assert (due.kind, due.at) == (Kind.EXPECTED, back + left)


def test_a_phase_that_waits_for_results_or_is_being_resolved_lets_nobody_expect_a_time(cast: Cast) -> None:
    phase = Phase.objects.filter(pk=live(cast.campaign).pk)
    phase.update(deadline_kind="nags")
    assert [each.kind for each in timetable(cast.campaign).entries] == [Kind.REMINDS]
    phase.update(state=PhaseState.LOCKED)
    assert not timetable(cast.campaign).entries
    assert b"being resolved" in cast.browser(GERMAN).get(cast.address("calendar/")).content


def test_the_page_gives_times_by_the_readers_clock_with_utc_and_what_is_left(cast: Cast) -> None:
    memberships.set_time_zone(cast.user(GERMAN), "Europe/Berlin")
    page = cast.browser(GERMAN).get(cast.address("calendar/")).content.decode()
    assert "Tue 3 Mar 2026, 13:00 CET (12:00 UTC, in 2 days)" in page
    assert "Expected deadline: Allied movement and attacks" in page


def test_the_page_is_the_same_for_both_sides_and_takes_few_queries(
    cast: Cast, django_assert_max_num_queries: pytest.FixtureRequest
) -> None:
    entries = re.compile(r"<tbody>.*</tbody>", re.DOTALL)
    pages = [cast.browser(who).get(cast.address("calendar/")).content.decode() for who in (GERMAN, ALLIED)]
    german, allied = (entries.findall(page) for page in pages)
    assert german == allied != []
    browser = cast.browser(GERMAN)
    with django_assert_max_num_queries(16):  # type: ignore[operator]
        browser.get(cast.address("calendar/"))


# --- the secret address -----------------------------------------------------------------------------------------------


def test_an_address_is_shown_once_and_kept_as_a_digest(cast: Cast) -> None:
    path = address_of(cast)
    token = path.rpartition("/")[2].removesuffix(".ics")
    assert len(token) == 32
    assert token not in repr(rows())
    later = cast.browser(GERMAN).get(cast.address("calendar/")).content.decode()
    assert token not in later
    assert "You made an address" in later
    assert "You made an address" not in cast.browser(ALLIED).get(cast.address("calendar/")).content.decode()


def test_a_program_reads_the_deadlines_without_a_cookie(cast: Cast) -> None:
    path, before = address_of(cast), rows()
    response = Client().get(path)
    assert response.headers["Content-Type"] == "text/calendar; charset=utf-8"
    assert response.headers["Cache-Control"] == "private, no-store"
    assert not response.cookies
    assert not {"ETag", "Last-Modified"} & set(response.headers)
    first, second, *_ = events_in(response.content.decode())
    phase = live(cast.campaign)
    assert at(first) == phase.deadline_at
    assert first["SUMMARY"] == "The Bulge: deadline\\, German movement and attacks"
    assert first["STATUS"] == "CONFIRMED"
    assert "Your side acts in this phase." in first["DESCRIPTION"]
    assert first["URL"] == f"http://localhost:8000/c/{cast.campaign.slug}/"
    assert second["STATUS"] == "TENTATIVE"
    assert rows() == before, "reading writes nothing"
    assert Client().head(path).status_code == 200
    assert Client().post(path).status_code == 405


def test_each_person_gets_what_is_for_their_side(cast: Cast) -> None:
    own = {who: read(address_of(cast, who)) for who in (GERMAN, ALLIED, "spectator", "gm")}
    asked = {who: ["Your side acts" in event["DESCRIPTION"] for event in events[:2]] for who, events in own.items()}
    assert asked == {GERMAN: [True, False], ALLIED: [False, True], "spectator": [False] * 2, "gm": [False] * 2}
    times = {who: [event["DTSTART"] for event in events] for who, events in own.items()}
    assert len({tuple(each) for each in times.values()}) == 1


def test_an_event_keeps_its_name_while_it_moves_and_says_that_it_moved(cast: Cast, time: Clock) -> None:
    path = address_of(cast)
    before = read(path)
    time.forward(hours=1)
    assert read(path) == before, "the hour at which it is read shows nowhere"
    later = live(cast.campaign).deadline_at + timedelta(hours=5)
    deadlines.extend(gm_viewer(cast.user("gm"), cast.campaign.slug), later)
    after = read(path)
    assert [each["UID"] for each in after] == [each["UID"] for each in before]
    assert len({each["UID"] for each in after}) == len(after)
    assert at(after[0]) == later
    assert [int(new["SEQUENCE"]) - int(old["SEQUENCE"]) for old, new in zip(before, after, strict=True)] == [1] * len(
        after
    )
    assert {each["DTSTAMP"] for each in after} == {each["DTSTAMP"] for each in before}


def test_an_expected_phase_is_the_same_event_once_it_opens(cast: Cast) -> None:
    path, phase = address_of(cast), live(cast.campaign)
    expected = read(path)[1]
    Phase.objects.filter(pk=phase.pk).update(state=PhaseState.PUBLISHED, published_at=clock.now())
    Phase.objects.create(
        campaign=cast.campaign,
        no=phase.no + 1,
        key="allied_sheet",
        moment=phase.moment,
        day=phase.day,
        acts=["allied"],
        opens_at=clock.now(),
        deadline_at=at(expected),
        state_version=phase.state_version,
    )
    opened = read(path)[0]
    assert opened["UID"] == expected["UID"]
    assert int(opened["SEQUENCE"]) > int(expected["SEQUENCE"])


def test_what_has_ended_and_what_never_was_get_the_same_answer(cast: Cast) -> None:
    other = new_campaign(slug="other")
    Membership.objects.create(
        campaign=other, user=cast.user(GERMAN), role=Role.COMMANDER, side="german", joined_at=clock.now()
    )
    revoked, replaced = address_of(cast), address_of(cast, ALLIED)
    foreign = address_of(cast, "german staff").replace("/bulge/", "/other/")
    cast.browser(GERMAN).post(cast.address("calendar/address/"), {"act": "end"})
    assert read(address_of(cast, ALLIED))
    wrong = cast.address("calendar/wrong.ics")
    answers = [Client().get(path) for path in (wrong, revoked, replaced, foreign)]
    assert {each.status_code for each in answers} == {404}
    assert len({each.content for each in answers}) == 1
    assert len({repr(sorted(each.headers.items())) for each in answers}) == 1
    assert cast.browser(ALLIED).get(replaced).status_code == 404, "whoever is signed in"


def test_an_address_ends_with_the_part_that_it_is_for(cast: Cast, time: Clock) -> None:
    leaver, promoted = address_of(cast, GERMAN), address_of(cast, "german staff")
    memberships.leave(viewer_of(cast.user(GERMAN), cast.campaign.slug), now=clock.now())
    gm, staff = gm_viewer(cast.user("gm"), cast.campaign.slug), cast.member("german staff")
    memberships.change_role(gm, staff, role=Role.DEPUTY, side="german", now=clock.now())
    assert [Client().get(path).status_code for path in (leaver, promoted)] == [404, 404]
    time.forward(days=1)
    Membership.objects.filter(user=cast.user(GERMAN)).update(left_at=None, joined_at=time.now)  # as an invitation does
    assert Client().get(leaver).status_code == 404, "it does not come back"
    assert not CalendarFeed.objects.exists()


def test_only_members_make_addresses(cast: Cast) -> None:
    for who in (OUTSIDER, ANONYMOUS):
        answer = cast.browser(who).post(cast.address("calendar/address/"), {"act": "make"})
        assert answer.status_code == (404 if who == OUTSIDER else 302)
    assert not CalendarFeed.objects.exists()


def test_wrong_addresses_are_limited_and_use_up_nothing_of_right_ones(cast: Cast) -> None:
    path, wrong = address_of(cast), cast.address("calendar/wrong.ics")
    statuses = [Client().get(wrong).status_code for _ in range(WRONG_TOKENS.number * NEIGHBOURS + 1)]
    assert (statuses[0], statuses[-2], statuses[-1]) == (404, 404, 429)
    assert Client().get(path).status_code == 200


def test_a_program_that_comes_too_often_waits_and_others_do_not(cast: Cast) -> None:
    path, other = address_of(cast), address_of(cast, ALLIED)
    statuses = [Client().get(path).status_code for _ in range(FEEDS.number + 1)]
    assert statuses == [200] * FEEDS.number + [429]
    assert Client().get(other).status_code == 200


def test_no_log_keeps_an_address(cast: Cast) -> None:
    path = address_of(cast)
    record = logging.LogRecord("gunicorn.access", logging.INFO, "", 0, "GET %s 200", (path,), None)
    written = Discreet().format(record)
    assert path.rpartition("/")[2] not in written
    assert "[struck out]" in written
