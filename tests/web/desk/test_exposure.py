"""A leak is reported: links are revoked, visits put on record, the people affected notified."""

import re
from typing import Any

import pytest
from django.test import Client

from campaign.links import KEPT, PICTURES, forget_fetches
from campaign.models import AuditEntry, Fetch, Link, Membership, OutboxMessage
from campaign.people.invitations import accept_invitation, invite
from campaign.people.memberships import change_role, remove
from campaign.record import audit
from gm.desk.exposure import MOST_STRANGERS
from gm.desk.reopening import reopen
from gm.machine.sweeper import sweep
from gm.verification import edits_of
from tests.gm.campaigns import Clock, live
from tests.web.conftest import ANONYMOUS, OUTSIDER, Cast, rows
from tests.web.linking import allow, fetch, gms, linked

pytestmark = pytest.mark.django_db

WHAT = "your map was posted in the public thread"


def expose(cast: Cast, browser: Client | None = None, **more: str) -> Any:
    fields = {"stop": "0.0", "side": "german", "what": WHAT, "tell_all": "on"} | more
    sent = {name: value for name, value in fields.items() if value}
    return (browser or cast.browser("gm")).post(cast.address("desk/exposure/"), sent)


def notice(audience: str) -> str:
    """What the mails about an exposure say to an audience."""
    mails = OutboxMessage.objects.filter(kind="exposure", audience=audience)
    return " ".join(" ".join(mail.message.decode().replace("=\r\n", "").split()) for mail in mails)


def test_one_act_revokes_records_and_notifies(cast: Cast) -> None:
    allow(cast, "german", "allied")
    german, allied = linked(cast, "german"), linked(cast, "allied")
    for address in ("203.0.113.7", "203.0.114.7"):
        fetch(cast, ANONYMOUS, german, address)
    assert expose(cast).status_code == 302
    assert fetch(cast, ANONYMOUS, german).status_code == 404
    assert fetch(cast, "german commander", german).status_code == 404
    assert fetch(cast, ANONYMOUS, allied).status_code == 200
    subject = AuditEntry.objects.get(act="exposure").subject
    assert (subject["phase"], subject["side"], subject["what"]) == (0, "german", WHAT)
    assert (subject["revoked"], subject["visitors"], subject["fetches"]) == (1, 2, 2)
    assert WHAT in notice("german")
    assert "2 visitors had opened them" in notice("german")
    assert WHAT not in notice("allied")
    assert "visitor" not in notice("allied")
    assert "please tell the GM" in notice("allied")
    page = cast.browser("gm").get(cast.address("desk/exposure/")).content.decode()
    assert WHAT in page
    assert "The campaign was not paused" not in page
    assert not live(cast.campaign).held


def joined(cast: Cast) -> None:
    """Put on the record when everybody joined, as invitations do."""
    for member in Membership.objects.filter(campaign=cast.campaign):
        subject: dict[str, str | int] = {"person": member.user_id, "role": member.role, "side": member.side}
        audit.record(cast.campaign, "join", subject, at=member.joined_at, rows=[member])


def visits(cast: Cast) -> list[str]:
    """What the page says of the visits of all exposures."""
    page = cast.browser("gm").get(cast.address("desk/exposure/")).content.decode()
    lines = [re.sub(r"<[^>]+>", "", line) for line in re.findall(r"<li>((?:(?!<li>).)*?, map: .*?)</li>", page)]
    return [re.sub(r"visitor \w{12}", "visitor", line) for line in lines]


def test_fetches_stay_on_record_and_those_of_the_side_itself_are_marked(cast: Cast, time: Clock) -> None:
    joined(cast)
    allow(cast, "german")
    path = linked(cast, no=1)
    for who in ("german staff", "gm", "allied commander", OUTSIDER, OUTSIDER):
        time.forward(minutes=1)
        fetch(cast, who, path)
    expose(cast, stop="1.0")
    assert "4 visitors had opened them, 2 of them of the German side or GM." in notice("german")
    subject = AuditEntry.objects.get(act="exposure").subject
    assert (subject["visitors"], subject["own"], subject["fetches"]) == (4, 2, 5)
    assert [fault for fault in edits_of(cast.campaign) if fault.where.startswith("record")] == []
    reopen(gms(cast), reason="the enemy has seen the map")
    forget_fetches(time.now + 2 * KEPT)
    assert not Fetch.objects.exists()
    assert visits(cast) == [
        "german staff (German side), map: Sun 1 Mar 2026, 12:01 UTC",
        "gm (GM), map: Sun 1 Mar 2026, 12:02 UTC",
        "allied commander (Allied side), map: Sun 1 Mar 2026, 12:03 UTC",
        "visitor, map: Sun 1 Mar 2026, 12:04 UTC, 2 times, last Sun 1 Mar 2026, 12:05 UTC",
    ]


def test_a_member_who_has_left_since_belonged_to_their_side_when_they_fetched(cast: Cast, time: Clock) -> None:
    joined(cast)
    path = linked(cast)
    for _ in range(2):
        fetch(cast, "german staff", path)
        time.forward(minutes=1)
    remove(gms(cast), cast.member("german staff"), now=time.now)
    expose(cast)
    assert "1 visitor had opened them, 1 of them of the German side or GM." in notice("german")
    assert visits(cast) == [
        "german staff (German side), map: Sun 1 Mar 2026, 12:00 UTC, 2 times, last Sun 1 Mar 2026, 12:01 UTC"
    ]


def test_a_member_who_joined_after_they_fetched_did_not_belong_to_the_side(cast: Cast, time: Clock) -> None:
    """Not even if they fetched again, the same picture or another."""
    joined(cast)
    allow(cast, "german")
    paths = [linked(cast), linked(cast, kind="chart")]
    fetch(cast, "spectator", paths[0])
    time.forward(minutes=1)
    change_role(gms(cast), cast.member("spectator"), role="staff", side="german", now=time.now)
    time.forward(minutes=1)
    for path in paths:
        fetch(cast, "spectator", path)
    expose(cast)
    assert "1 visitor had opened them." in notice("german")
    stored = AuditEntry.objects.get(act="exposure").subject["visits"]
    assert [(visit["picture"], visit["part"], visit["times"]) for visit in stored] == [
        ("map", "public", 2),
        ("chart", "german", 1),
    ]


def test_a_member_who_came_back_in_another_part_counts_by_their_part_then(cast: Cast, time: Clock) -> None:
    joined(cast)
    path, token = linked(cast), invite(gms(cast), role="spectator", side="", meant_for="him", now=time.now)
    fetch(cast, "german staff", path)
    time.forward(minutes=1)
    remove(gms(cast), cast.member("german staff"), now=time.now)
    accept_invitation(token, cast.user("german staff"), now=time.now)
    expose(cast)
    (visit,) = visits(cast)
    assert visit.startswith("german staff (German side), map")


@pytest.mark.parametrize(
    ("more", "said"), [(0, ""), (1, "<li>and 1 more visitor</li>"), (1234, "<li>and 1,234 more visitors</li>")]
)
def test_of_strangers_the_first_hundred_are_kept_and_all_are_counted(
    cast: Cast, time: Clock, more: int, said: str
) -> None:
    joined(cast)
    path, strangers = linked(cast), MOST_STRANGERS + more
    link, at = Link.objects.get(), time.now
    Fetch.objects.bulk_create(
        Fetch(link=link, mark=f"{number:012x}", first_at=at, last_at=at) for number in range(strangers)
    )
    time.forward(hours=1)
    fetch(cast, "german staff", path)
    expose(cast)
    subject = AuditEntry.objects.get(act="exposure").subject
    assert (subject["visitors"], subject["own"], subject["fetches"]) == (strangers + 1, 1, strangers + 1)
    marks = [visit["mark"] for visit in subject["visits"]]
    assert marks[:-1] == [f"{number:012x}" for number in range(MOST_STRANGERS)]
    assert visits(cast)[-1].startswith("german staff")
    page = cast.browser("gm").get(cast.address("desk/exposure/")).content.decode()
    assert re.findall("<li>and .*?</li>", page) == ([said] if said else [])


def test_a_withdrawn_publication_can_be_exposed_and_people_are_notified(cast: Cast) -> None:
    allow(cast, "german")
    path = linked(cast, no=1)
    fetch(cast, ANONYMOUS, path)
    OutboxMessage.objects.all().delete()
    reopen(gms(cast), reason="the wrong map")
    assert "(withdrawn)" in cast.browser("gm").get(cast.address("desk/exposure/")).content.decode()
    assert expose(cast, stop="1.0").status_code == 302
    assert Link.objects.get().revoked_at is not None
    assert "worked until the phase was withdrawn" in notice("german")
    sweep(worker="one")
    assert set(OutboxMessage.objects.filter(kind="exposure").values_list("state", flat=True)) == {"sent"}


def test_a_leak_is_notified_although_its_phase_is_reopened_at_once(cast: Cast) -> None:
    expose(cast, stop="1.0")
    reopen(gms(cast), reason="the enemy has seen the map")
    sweep(worker="one")
    assert set(OutboxMessage.objects.filter(kind="exposure").values_list("state", flat=True)) == {"sent"}


def test_the_notice_says_when_there_was_no_link(cast: Cast) -> None:
    expose(cast)
    assert "No link to its pictures was in use." in notice("german")
    assert "revoked" not in notice("german")


def test_exposure_revokes_the_links_to_every_picture(cast: Cast) -> None:
    paths = [linked(cast, kind=kind) for kind in PICTURES]
    expose(cast)
    assert {fetch(cast, "german staff", path).status_code for path in paths} == {404}
    assert f"{len(PICTURES)} links to its pictures worked until now" in notice("german")


def test_new_links_can_be_made_afterwards_and_a_second_leak_is_notified_again(cast: Cast) -> None:
    allow(cast, "german")
    for _ in range(2):
        path = linked(cast)
        assert fetch(cast, ANONYMOUS, path).status_code == 200
        expose(cast)
        assert fetch(cast, ANONYMOUS, path).status_code == 404
    assert OutboxMessage.objects.filter(kind="exposure", user__username="german commander").count() == 2
    assert Link.objects.filter(revoked_at=None).count() == 0


def test_the_others_are_notified_only_if_the_gm_wishes(cast: Cast) -> None:
    expose(cast, tell_all="")
    assert notice("german")
    assert notice("gm")
    assert not notice("allied")


def test_the_gm_may_hold_the_campaign_with_it(cast: Cast) -> None:
    expose(cast, hold="on")
    assert live(cast.campaign).held
    assert "is already paused" in expose_again(cast)


def expose_again(cast: Cast) -> str:
    fields = {"stop": "0.0", "side": "german", "what": WHAT, "hold": "on"}
    return cast.browser("gm").post(cast.address("desk/exposure/"), fields, follow=True).content.decode()


@pytest.mark.parametrize(
    "fields",
    [
        {"stop": "99.0"},
        {"stop": "2.0"},
        {"stop": "x"},
        {"side": "public"},
        {"side": "gm"},
        {"what": ""},
        {"what": "a\u202eb"},
    ],
)
def test_what_cannot_be_exposed_is_said_and_changes_nothing(cast: Cast, fields: dict[str, str]) -> None:
    browser = cast.browser("gm")
    before = rows()
    assert expose(cast, browser, **fields).status_code == 422
    assert rows() == before


@pytest.mark.parametrize("who", ["german commander", "allied commander", "spectator", OUTSIDER])
def test_exposure_is_the_gms(cast: Cast, who: str) -> None:
    browser = cast.browser(who)
    before = rows()
    assert expose(cast, browser).status_code == 404
    assert rows() == before
