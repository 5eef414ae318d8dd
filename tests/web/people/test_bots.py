"""A bot on a side: the GM seats it, everybody reads that it plays, and a person who takes command relieves it."""

from datetime import timedelta
from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaign.models import Bot, Membership, Phase, PhaseState, Role
from campaign.people import bots, invitations, memberships
from campaign.viewers import COMMANDING, gm_viewer
from gm.absences import absent_members
from gm.phases.bots import write_due
from gm.verification import edits_of
from orders.models import Draft
from tests.gm.campaigns import START, Clock, live
from tests.web.conftest import PARTS, Cast

pytestmark = pytest.mark.django_db

ALL_ROUND = {"side": "german", "role": "commander", "name": "all-round"}


@pytest.fixture
def leaderless(cast: Cast) -> Cast:
    """Nobody commands the Germans."""
    gm = gm_viewer(cast.user("gm"), cast.campaign.slug)
    for member in Membership.objects.filter(side="german", role__in=COMMANDING):
        memberships.change_role(gm, member, role=Role.STAFF, side="german", now=START)
    return cast


@pytest.fixture
def seated(leaderless: Cast) -> Cast:
    answer = leaderless.browser("gm").post(leaderless.address("people/bot/"), ALL_ROUND, follow=True)
    assert "The bot plays this side from now on." in answer.content.decode()
    return leaderless


def page(cast: Cast, who: str, rest: str) -> str:
    answer = cast.browser(who).get(cast.address(rest))
    assert answer.status_code == 200
    return answer.content.decode()


def test_everybody_reads_that_a_bot_plays(seated: Cast) -> None:
    for who in PARTS:
        assert 'all-round <span class="tag">bot</span>' in page(seated, who, "people/")
        assert "Played by a bot" in page(seated, who, "")
    public = page(seated, "anonymous", "public/")
    assert "German side</span> (bot)" in public
    assert "(all-round)" in public
    assert "bot all-round" in page(seated, "gm", "desk/")


def test_its_side_reads_its_sheet(seated: Cast) -> None:
    assert write_due() == 1
    assert "the bot" in page(seated, "german staff", "orders/HQ/")
    assert "<dd>the bot</dd>" in page(seated, "german staff", "orders/HQ/2.0/1/")


def test_the_sheet_of_a_bot_that_failed_is_not_called_withdrawn(seated: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gm.phases.bots._text", lambda *_: "")
    assert write_due() == 1
    shown = page(seated, "german staff", "orders/HQ/2.0/1/")
    assert "The bot failed. Unless a new version is submitted" in shown
    assert "Withdrawn" not in shown


def test_the_gm_is_told_that_the_last_bot_starts_a_campaign(leaderless: Cast) -> None:
    assert "It starts at once" not in page(leaderless, "gm", "people/")
    Phase.objects.filter(no__gt=0).delete()
    Phase.objects.update(state=PhaseState.OPEN, held=True)
    assert "It starts at once when every side has a commander or a bot" in page(leaderless, "gm", "people/")
    assert "It starts at once" not in page(leaderless, "spectator", "people/")
    assert "starts when every side has a commander or a bot." in page(leaderless, "german staff", "briefing/")


def test_bots_cost_no_query_where_there_are_none(cast: Cast) -> None:
    browser = cast.browser("gm")
    for address in ("", "desk/"):
        with CaptureQueriesContext(connection) as asked:
            browser.get(cast.address(address))
        assert sum("campaign_bot" in query["sql"] for query in asked) <= 1, address


def test_an_older_release_meets_no_deputies(deputy: Cast) -> None:
    Bot.objects.create(campaign=deputy.campaign, side="allied", name="fist", since=START)
    import_module("campaign.migrations.0017_absences").end_deputies(apps, None)
    assert list(Bot.objects.values_list("side", flat=True)) == ["allied"]


@pytest.mark.parametrize(
    ("sent", "why"),
    [
        (ALL_ROUND | {"side": "allied"}, "allied commander commands this side. Let the bot be their deputy."),
        (ALL_ROUND | {"name": "chess"}, "Choose a side and a bot from the lists."),
        (ALL_ROUND | {"side": "french"}, "Choose a side and a bot from the lists."),
    ],
)
def test_only_a_side_without_a_commander_gets_a_bot(leaderless: Cast, sent: dict[str, str], why: str) -> None:
    answer = leaderless.browser("gm").post(leaderless.address("people/bot/"), sent, follow=True)
    assert why in answer.content.decode()
    assert not Bot.objects.exists()


def test_another_bot_replaces_it_and_the_gm_removes_it(seated: Cast) -> None:
    browser = seated.browser("gm")
    browser.post(seated.address("people/bot/"), ALL_ROUND | {"name": "fist"})
    assert Bot.objects.get().name == "fist"
    removed = [browser.post(seated.address("people/bot/remove/"), {"side": "german"}) for _ in range(2)]
    assert [answer.status_code for answer in removed] == [302, 404]
    assert not Bot.objects.exists()
    assert list(seated.campaign.audit.order_by("-no").values_list("act", flat=True))[:3] == ["no bot", "bot", "bot"]
    assert [str(fault) for fault in edits_of(seated.campaign) if "bot" in str(fault)] == []


@pytest.mark.parametrize("way", ["role", "invitation"])
def test_a_person_who_takes_command_relieves_the_bot(seated: Cast, way: str) -> None:
    gm = gm_viewer(seated.user("gm"), seated.campaign.slug)
    if way == "role":
        memberships.change_role(gm, seated.member("german staff"), role=Role.DEPUTY, side="german", now=START)
    else:
        token = invitations.invite(gm, role=Role.COMMANDER, side="german", meant_for="", now=START)
        invitations.accept_invitation(token, seated.user("outsider"), now=START)
    assert bots.bots_of(seated.campaign) == []


# --- deputies ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def deputy(cast: Cast) -> Cast:
    """A bot is deputy of the Germans, whose commander and deputy are there."""
    cast.browser("gm").post(cast.address("people/bot/"), ALL_ROUND | {"role": "deputy"})
    assert Bot.objects.get().role == Role.DEPUTY
    return cast


def leaves(cast: Cast, who: str, day: str = "2026-03-09") -> None:
    answer = cast.browser(who).post(cast.address("people/away/"), {"until": day}, follow=True)
    assert ("Absence noted." if day else "Welcome back.") in answer.content.decode()


def test_a_deputy_writes_only_while_all_commanders_are_away(deputy: Cast, time: Clock) -> None:
    phase = live(deputy.campaign)
    time.now = phase.deadline_at - timedelta(minutes=59)
    assert write_due() == 0
    leaves(deputy, "german commander")
    assert write_due() == 0
    leaves(deputy, "german deputy")
    for who, knows in (("german staff", True), ("gm", True), ("allied commander", False), ("spectator", False)):
        assert ("German side</span> (bot)" in page(deputy, who, "")) is knows, who
    leaves(deputy, "german deputy", "")
    assert write_due() == 0
    leaves(deputy, "german deputy")
    time.now = phase.deadline_at - timedelta(minutes=61)
    assert write_due() == 0, "people have their time"
    time.now = phase.deadline_at - timedelta(minutes=59)
    assert write_due() == 1
    sheet = phase.all_sheets.get(channel="bot")
    assert sheet.text
    assert "READY" not in sheet.text
    assert not sheet.ready, "people may still overrule it"
    time.forward(days=9)
    assert not absent_members(deputy.campaign.pk, time.now)
    assert bots.playing(deputy.campaign, absent_members(deputy.campaign.pk, time.now)) == []


def test_a_deputy_leaves_a_sheet_to_whoever_is_writing_one(deputy: Cast, time: Clock) -> None:
    phase = live(deputy.campaign)
    time.now = phase.deadline_at - timedelta(minutes=50)
    for who in ("german commander", "german deputy"):
        leaves(deputy, who)
    draft = Draft(phase=phase, side="german", author=deputy.user("german deputy"), text="HOLD", saved_at=time.now)
    draft.save()
    assert write_due() == 0
    Draft.objects.update(saved_at=phase.deadline_at - timedelta(hours=5))
    assert write_due() == 1
    assert Draft.objects.exists()


def test_a_deputy_does_not_command_a_side_without_commanders(deputy: Cast, time: Clock) -> None:
    time.now = live(deputy.campaign).deadline_at - timedelta(minutes=1)
    Membership.objects.filter(side="german", role__in=COMMANDING).update(left_at=time.now)
    away = set(Membership.objects.values_list("pk", flat=True))
    assert bots.playing(deputy.campaign, away) == []


def test_who_comes_back_into_command_is_there(deputy: Cast) -> None:
    leaves(deputy, "german commander")
    gm = gm_viewer(deputy.user("gm"), deputy.campaign.slug)
    memberships.remove(gm, deputy.member("german commander"), now=START)
    token = invitations.invite(gm, role=Role.COMMANDER, side="german", meant_for="", now=START)
    invitations.accept_invitation(token, deputy.user("german commander"), now=START)
    assert not absent_members(deputy.campaign.pk, START)


def test_a_side_and_the_gm_read_who_is_away_and_everybody_that_a_bot_may_write(deputy: Cast) -> None:
    leaves(deputy, "german commander")
    for who, (role, side) in PARTS.items():
        roster = page(deputy, who, "people/")
        assert ('away until <time datetime="2026-03-09' in roster) is (side == "german" or role == Role.GM), who
        assert "German deputy commander" in roster
        assert "while its commanders are away" in page(deputy, who, "")


def test_a_person_who_takes_command_keeps_the_deputy(deputy: Cast) -> None:
    gm = gm_viewer(deputy.user("gm"), deputy.campaign.slug)
    memberships.change_role(gm, deputy.member("german staff"), role=Role.DEPUTY, side="german", now=START)
    assert Bot.objects.exists()


def test_absences_are_booked_by_oneself_or_the_gm(deputy: Cast) -> None:
    sent = {"member": "allied commander", "until": "2026-03-09"}
    assert deputy.browser("german commander").post(deputy.address("people/away/"), sent).status_code == 404
    deputy.browser("gm").post(deputy.address("people/away/"), sent)
    assert absent_members(deputy.campaign.pk, START) == {deputy.member("allied commander").pk}
    assert [str(fault) for fault in edits_of(deputy.campaign) if "away" in str(fault)] == []


@pytest.mark.parametrize("day", ["2026-02-28", "soon"])
def test_a_day_that_is_none_to_come_is_refused(deputy: Cast, day: str) -> None:
    answer = deputy.browser("german commander").post(deputy.address("people/away/"), {"until": day}, follow=True)
    assert "Choose a day" in answer.content.decode()
    assert not absent_members(deputy.campaign.pk, START)
