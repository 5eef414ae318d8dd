"""Practice campaigns: who starts them, that nobody else sees them, how their phases run, and when they are removed."""

from datetime import timedelta

import pytest
from django.test import Client

from campaign.engine.errors import EngineError
from campaign.game import turn_package
from campaign.models import Bot, Campaign, Membership, OutboxMessage, Phase, PhaseState, Role, User
from campaign.people import practice, throttles
from campaign.people.accounts import new_person
from gm.machine import heartbeat, sweeper
from gm.machine import practice as machine
from gm.machine.sweeper import sweep
from gm.phases.adjudication import Claim
from gm.verification import edits_of
from orders.models import HQ, Draft, Sheet
from tests.gm.campaigns import START, Clock, blank_map, live
from tests.web.conftest import rows

pytestmark = pytest.mark.django_db(transaction=True)

GERMANS, ALLIES = ("forum_campaign/st-vith-1944/german", "forum_campaign/st-vith-1944/allied")


@pytest.fixture(autouse=True)
def maps_are_blank(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turn_package, "draw", blank_map)


@pytest.fixture
def player(time: Clock) -> User:
    assert time.now == START
    return new_person("Beginner", email="beginner@example.org")


def browser_of(user: User) -> Client:
    client = Client()
    client.force_login(user, backend="allauth.account.auth_backends.AuthenticationBackend")
    return client


@pytest.fixture
def browser(player: User) -> Client:
    return browser_of(player)


def started(browser: Client, part: str = GERMANS) -> Campaign:
    answer = browser.post("/practice/", {"part": part})
    assert answer.status_code == 302, answer.content.decode()
    campaign = Campaign.objects.latest("pk")
    assert answer.headers["Location"] == f"/c/{campaign.slug}/briefing/"
    return campaign


def submits(browser: Client, text: str = "ALL OTHERS HOLD", *, desk: str = HQ) -> str:
    """Submit as READY; the address that follows."""
    phase = live(Campaign.objects.get())
    form = {"stop": phase.no, "rev": phase.rev, "version": 0, "newest": 0, "act": "ready", "text": text, "key": desk}
    answer = browser.post(f"/c/{phase.campaign.slug}/orders/{desk}/", form)
    assert answer.status_code == 302
    return answer.headers["Location"]


# --- starting --------------------------------------------------------------------------------------------------------


def test_whoever_is_signed_in_starts_one(browser: Client) -> None:
    home = browser.get("/").content.decode()
    assert 'href="/practice/"' in home
    assert GERMANS in browser.get("/practice/").content.decode()
    campaign = started(browser)
    assert (campaign.practice, campaign.public, campaign.title) == (True, False, "Practice: St. Vith, December 1944")
    assert list(Membership.objects.values_list("user__username", "role", "side")) == [
        ("Beginner", Role.COMMANDER, "german")
    ]
    assert list(Bot.objects.values_list("side", "name")) == [("allied", "all-round")]
    assert campaign.title in browser.get("/").content.decode()


@pytest.mark.usefixtures("player")
def test_a_stranger_starts_none() -> None:
    assert Client().post("/practice/", {"part": GERMANS}).status_code == 302
    assert not Campaign.objects.exists()


@pytest.mark.parametrize("part", ["", "forum_campaign/st-vith-1944/french", "german"])
def test_what_is_not_offered_is_refused(browser: Client, part: str) -> None:
    assert browser.post("/practice/", {"part": part}).status_code == 422
    assert not Campaign.objects.exists()


def test_a_person_has_at_most_two(browser: Client, player: User, time: Clock) -> None:
    first, _ = started(browser), started(browser, ALLIES)
    time.forward(minutes=2)
    refused = browser.post("/practice/", {"part": GERMANS})
    assert refused.status_code == 422
    assert "You already have 2 practice campaigns." in refused.content.decode()
    assert practice.practices_of(player).count() == Campaign.objects.count() == 2
    assert "it is removed" in browser.get(f"/c/{first.slug}/people/leave/").content.decode()
    browser.post(f"/c/{first.slug}/people/leave/")
    started(browser)


def test_a_button_that_is_pressed_twice_starts_one(browser: Client, time: Clock) -> None:
    first, other = started(browser), started(browser, ALLIES)
    for part, campaign in ((GERMANS, first), (ALLIES, other)):
        assert browser.post("/practice/", {"part": part}).headers["Location"] == f"/c/{campaign.slug}/briefing/"
    assert Campaign.objects.count() == 2
    browser.post(f"/c/{other.slug}/people/leave/")
    assert started(browser, ALLIES) != other
    time.forward(minutes=1)
    assert browser.post("/practice/", {"part": GERMANS}).status_code == 422


def test_nobody_starts_many_in_an_hour(browser: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("campaign.views.creation.PRACTICES", throttles.Limit("practices", throttles.HOUR, 1))
    started(browser)
    assert browser.post("/practice/", {"part": GERMANS}).status_code == 429
    assert Campaign.objects.count() == 1


def test_nobody_else_ever_sees_it(browser: Client) -> None:
    campaign = started(browser)
    sweep(worker="one")
    other = browser_of(new_person("Other", email="other@example.org"))
    for rest in ("", "briefing/", "people/", "rules/", "public/", "public/board/", "public/stops/0/map.png"):
        assert other.get(f"/c/{campaign.slug}/{rest}").status_code == 404, rest
        assert other.get(f"/c/no-such-campaign/{rest}").status_code == 404, rest
    assert campaign.title not in other.get("/").content.decode()
    for rest in ("desk/", "desk/settings/", "people/invite/"):
        assert browser.post(f"/c/{campaign.slug}/{rest}").status_code in (404, 405), rest


# --- playing ---------------------------------------------------------------------------------------------------------


def test_each_phase_runs_when_the_player_is_ready(browser: Client, time: Clock) -> None:
    campaign = started(browser)
    page = f"/c/{campaign.slug}/"
    assert "Fieldpost is setting up the campaign." in browser.get(f"{page}briefing/").content.decode()
    sweep(worker="one")
    assert "Open this sheet" in browser.get(f"{page}briefing/").content.decode()
    time.forward(days=20)
    sweep(worker="one")
    assert (live(campaign).key, live(campaign).state) == ("german_sheet", PhaseState.OPEN)
    assert "none: the phase closes when you are READY" in browser.get(f"{page}orders/HQ/").content.decode()
    address = submits(browser)
    assert address == f"{page}?after=1"
    waiting = browser.get(address).content.decode()
    assert "Fieldpost is resolving" in waiting
    assert "Received as version 1." in waiting
    for _ in range(3):
        sweep(worker="one")
    assert "Fieldpost is resolving" not in browser.get(address).content.decode()
    assert "german" in live(campaign).acts, "the bot has answered"
    assert set(Sheet.objects.filter(side="allied").values_list("channel", flat=True)) == {"bot"}
    assert not OutboxMessage.objects.exists()
    assert [str(fault) for fault in edits_of(campaign)] == []


def test_who_has_desks_waits_only_when_all_are_ready(browser: Client) -> None:
    campaign = started(browser)
    sweep(worker="one")
    desk = {"name": "Sixth", "holder": "Beginner", "formations": ["6th Panzer Army"]}
    browser.post(f"/c/{campaign.slug}/people/desks/german/", desk)
    assert submits(browser) == f"/c/{campaign.slug}/orders/HQ/1.0/1/"
    assert submits(browser, desk="Sixth") == f"/c/{campaign.slug}/?after=1"


def test_a_phase_that_cannot_be_resolved_is_retried_once_a_day(
    browser: Client, time: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = started(browser)
    sweep(worker="one")
    submits(browser)
    with monkeypatch.context() as patch:
        patch.setattr(sweeper, "resolve", _broken)
        for _ in range(4):
            sweep(worker="one")
    page = browser.get(f"/c/{campaign.slug}/").content.decode()
    assert "Fieldpost could not resolve this phase. It tries again once a day." in page
    assert "could not resolve" in browser.get(f"/c/{campaign.slug}/briefing/").content.decode()
    for hours, state in ((23, PhaseState.FAILED), (2, PhaseState.LOCKED)):
        time.forward(hours=hours)
        sweep(worker="one")
        assert Phase.objects.get(no=1).state == state
    sweep(worker="one")
    assert Phase.objects.get(no=1).state == PhaseState.PUBLISHED
    assert [str(fault) for fault in edits_of(campaign)] == []


def _broken(_claim: Claim) -> None:
    raise EngineError("broken")


def test_who_defends_waits_for_the_bot(browser: Client) -> None:
    campaign = started(browser, ALLIES)
    sweep(worker="one")
    assert live(campaign).key == "german_sheet"
    assert "Fieldpost is resolving" in browser.get(f"/c/{campaign.slug}/briefing/").content.decode()
    sweep(worker="one")
    assert live(campaign).key == "allied_sheet"
    assert "Open this sheet" in browser.get(f"/c/{campaign.slug}/briefing/").content.decode()


def test_an_outage_moves_no_deadline(browser: Client, time: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = started(browser)
    sweep(worker="one")
    monkeypatch.setattr(heartbeat, "OUTAGE", timedelta(minutes=15))
    Phase.objects.filter(no=1).update(deadline_at=time.now + timedelta(seconds=1))
    time.forward(hours=3)
    sweep(worker="one")
    assert live(campaign).deadline_rev == 0
    assert not OutboxMessage.objects.exists()


# --- removal ---------------------------------------------------------------------------------------------------------


def tidy(time: Clock, *, days: int) -> None:
    time.forward(days=days, minutes=1)
    sweep(worker="one")


def test_one_that_is_idle_for_30_days_is_removed_with_all_its_rows(browser: Client, time: Clock) -> None:
    before = _without_people(rows())
    started(browser)
    sweep(worker="one")
    submits(browser)
    for _ in range(3):
        sweep(worker="one")
    tidy(time, days=29)
    assert Campaign.objects.exists()
    tidy(time, days=1)
    assert not Campaign.objects.exists()
    after = _without_people(rows())
    assert {name: found for name, found in after.items() if found != before[name]} == {}
    assert "You are not in a campaign yet." in browser.get("/").content.decode()


def _without_people(tables: dict[str, list[str]]) -> dict[str, list[str]]:
    """Without what is of no campaign: who signed in when, heartbeats, pictures of scenarios."""
    return {name: found for name, found in tables.items() if not name.startswith(("campaign_user", "campaign_heart"))}


def test_a_draft_shows_that_it_is_played(browser: Client, player: User, time: Clock) -> None:
    campaign = started(browser)
    sweep(worker="one")
    time.forward(days=20)
    Draft.objects.create(phase=live(campaign), side="german", author=player, text="MOVE", saved_at=time.now)
    tidy(time, days=11)
    assert Campaign.objects.exists()


def test_a_submitted_sheet_shows_that_it_is_played(browser: Client, time: Clock) -> None:
    """Its draft is gone."""
    campaign = started(browser)
    sweep(worker="one")
    time.forward(days=20)
    form = {"stop": 1, "rev": 0, "version": 0, "newest": 0, "act": "send", "text": "ALL OTHERS HOLD", "key": "k"}
    assert browser.post(f"/c/{campaign.slug}/orders/HQ/", form).status_code == 302
    assert not Draft.objects.exists()
    tidy(time, days=11)
    assert Campaign.objects.exists()
    tidy(time, days=20)
    assert not Campaign.objects.exists()


def test_one_in_which_somebody_acts_meanwhile_stays(
    browser: Client, player: User, time: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody saves a draft between the search and the removal."""
    campaign = started(browser)
    sweep(worker="one")
    lock, phase = machine._lock, live(campaign)

    def late(locked: Campaign) -> None:
        Draft.objects.create(phase=phase, side="german", author=player, text="MOVE", saved_at=time.now)
        lock(locked)

    monkeypatch.setattr(machine, "_lock", late)
    tidy(time, days=31)
    assert Campaign.objects.exists()


def test_one_that_its_player_has_left_is_removed(browser: Client, time: Clock) -> None:
    campaign = started(browser)
    sweep(worker="one")
    browser.post(f"/c/{campaign.slug}/people/leave/")
    time.forward(hours=2)
    sweep(worker="one")
    assert not Campaign.objects.exists()


def test_other_campaigns_stay(browser: Client, time: Clock) -> None:
    campaign = started(browser)
    sweep(worker="one")
    Campaign.objects.update(practice=False)
    tidy(time, days=99)
    assert Campaign.objects.get() == campaign
