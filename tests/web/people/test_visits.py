"""When members last opened a page: written by reading, seldom, for their own game masters alone."""

import logging
from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError, connection, transaction
from django.test.utils import CaptureQueriesContext

from campaign.engine.values.ids import PUBLIC, Audience
from campaign.mail.outbox import enqueue
from campaign.models import LastSeen, Membership, OutboxMessage, Role
from campaign.people import visits
from campaign.secrecy import truth
from campaign.secrecy.truth import Breach
from tests.api.asking import read_with, token_of, where
from tests.gm.campaigns import START, Clock, new_campaign
from tests.mail.writing import composed
from tests.web.conftest import ANONYMOUS, OUTSIDER, PARTS, Cast

pytestmark = pytest.mark.django_db

ME = "german commander"


def seen() -> dict[str, Any]:
    return {row.member.user.username: row.at for row in LastSeen.objects.select_related("member__user")}


def test_a_member_who_opens_a_page_of_their_campaign_is_noted(cast: Cast, time: Clock) -> None:
    for page in ("/", "/profile/", "/account/email/"):
        cast.browser(ME).get(page)
    assert seen() == {}
    browser = cast.browser(ME)
    browser.get(cast.address())
    first = time.now
    assert seen() == {ME: first}
    time.forward(seconds=59)
    browser.get(cast.address("people/"))
    assert seen() == {ME: first}
    time.forward(seconds=1)
    browser.get(cast.address("people/"))
    assert seen() == {ME: time.now}
    cast.browser("spectator").get(cast.address("public/"))
    assert seen() == {ME: time.now, "spectator": time.now}


def test_who_is_no_member_of_that_campaign_is_not(cast: Cast) -> None:
    other = new_campaign("other")
    Membership.objects.create(campaign=other, user=cast.user(ME), role=Role.COMMANDER, side="allied", joined_at=START)
    Membership.objects.filter(user=cast.user("german deputy")).update(left_at=START)
    for who in (OUTSIDER, ANONYMOUS, "german deputy", "allied commander"):
        for page in ("/c/other/", "/c/other/public/", "/c/nowhere/"):
            cast.browser(who).get(page)
    for who in (OUTSIDER, ANONYMOUS, "german deputy"):
        cast.browser(who).get(cast.address("public/"))
    assert seen() == {}
    cast.browser(ME).get("/c/other/")
    assert [row.member.campaign.slug for row in LastSeen.objects.all()] == ["other"]


def test_what_a_page_fetches_and_what_is_refused_is_no_visit(cast: Cast) -> None:
    browser = cast.browser(ME)
    browser.get(cast.address(), headers={"Sec-Fetch-Mode": "cors"})
    browser.get(cast.address("stops/0/map.png"), headers={"Sec-Fetch-Mode": "no-cors"})
    browser.get(cast.address("desk/"))
    browser.get(cast.address("stops/99/"))
    assert seen() == {}


def test_a_program_is_not_its_owner(cast: Cast) -> None:
    assert read_with(token_of(cast, ME), where(cast)).status_code == 200
    assert seen() == {}


def test_a_page_that_notes_nothing_writes_nothing(cast: Cast, time: Clock) -> None:
    """So it waits for nobody who writes. Looking that up is one statement."""
    browser = cast.browser(ME)
    browser.get(cast.address("people/"))
    time.forward(seconds=30)
    with CaptureQueriesContext(connection) as asked:
        browser.get(cast.address("people/"))
    named = [each["sql"] for each in asked if "campaign_lastseen" in each["sql"]]
    assert [sql.split()[0] for sql in named] == ["SELECT"]
    time.forward(seconds=30)
    with CaptureQueriesContext(connection) as asked:
        browser.get(cast.address("people/"))
    named = [each["sql"] for each in asked if "campaign_lastseen" in each["sql"]]
    assert [sql.split()[0] for sql in named] == ["SELECT", "UPDATE"]


def test_of_two_pages_at_once_the_later_time_stays(cast: Cast, time: Clock) -> None:
    member = cast.member(ME).pk
    visits._write(member, now=time.now, first=True)
    later = time.now + timedelta(minutes=5)
    visits._write(member, now=later, first=False)
    visits._write(member, now=later - timedelta(seconds=5), first=False)
    visits._write(member, now=later - timedelta(seconds=5), first=True)
    assert seen() == {ME: later}


def test_a_page_is_answered_though_it_cannot_be_noted(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OperationalError("database or disk is full")

    monkeypatch.setattr(visits, "_write", full)
    caplog.set_level(logging.WARNING, logger="campaign.people.visits")
    assert cast.browser(ME).get(cast.address()).status_code == 200
    assert caplog.messages == ["it was not noted that a member was on the site: OperationalError"]


# --- who reads it ----------------------------------------------------------------------------------------------------


def sent(cast: Cast, time: Clock, who: str) -> None:
    said = {"key": f"{who} {time.now}", "kind": "notice", "subject": "News", "text": "News."}
    assert enqueue(composed(cast.user(who), campaign=cast.campaign, audience=PARTS[who][1], **said))
    OutboxMessage.objects.filter(user=cast.user(who)).update(state="sent", sent_at=time.now)


def test_the_gm_reads_who_has_been_on_the_site_since_their_mail(cast: Cast, time: Clock) -> None:
    OutboxMessage.objects.all().delete()
    for who in (ME, "allied commander"):
        sent(cast, time, who)
    cast.browser("allied commander").get(cast.address())
    time.forward(hours=1)
    sent(cast, time, "allied commander")
    time.forward(minutes=30)
    cast.browser(ME).get(cast.address())
    page = cast.browser("gm").get(cast.address("desk/outbox/")).content.decode()
    table, mails = page[page.index("Who is reached") :].split("All mails")
    said = {row.split("</th>")[0]: row.split("</th>")[1].split("</tr>")[0] for row in table.split('scope="row">')[1:]}
    assert set(said) == {ME, "allied commander"}, "those who have had mails"
    assert "Sun 1 Mar 2026, 13:30 UTC" in said[ME]
    assert "not yet" not in said[ME]
    assert "not yet" in said["allied commander"]
    assert mails.count("on the site since") == 1


@pytest.mark.parametrize("who", sorted(set(PARTS) - {"gm", "co-gm"}))
def test_no_side_reads_it_of_anybody(cast: Cast, who: str) -> None:
    cast.browser(ME).get(cast.address())
    assert cast.browser(who).get(cast.address("desk/outbox/")).status_code == 404
    reader = truth.Reader(Audience(PARTS[who][1]) if PARTS[who][1] else PUBLIC, user=cast.user(who).pk)
    part = cast.member(ME)
    for read in (LastSeen.objects.exists, lambda: part.last_seen):
        with truth.reading(lambda: reader), pytest.raises(Breach), transaction.atomic():
            read()
