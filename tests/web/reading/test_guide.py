"""The guide without scripts: its steps at the top of the pages, its buttons, and what it leaves out."""

import re

import pytest
from django.test import Client

from campaign.core import clock
from campaign.game import turn_package
from campaign.game.loading import find_scenario, load_scenario
from campaign.models import Campaign, Membership, Phase, PhaseState, User
from campaign.people.accounts import new_person
from campaign.people.practice import start_practice
from campaign.services import files_of
from gm.machine.sweeper import sweep
from orders.models import Draft, Sheet
from tests.gm.campaigns import Clock, blank_map, live, send
from tests.web.conftest import ANONYMOUS, OUTSIDER, Cast, rows
from tests.web.forms import forms_of

pytestmark = pytest.mark.django_db(transaction=True)

PRACTICE = "forum_campaign/st-vith-1944"
ORDERED = "ATTACK 3 FJ Q19\nMOVE KG Peiper to Büllingen\nALL OTHERS HOLD"


@pytest.fixture(autouse=True)
def maps_are_blank(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turn_package, "draw", blank_map)


class Guided:
    """Somebody who practises, reads pages without scripts and presses the guide's buttons."""

    def __init__(self, user: User, campaign: Campaign) -> None:
        self.campaign, self.browser = campaign, Client()
        self.browser.force_login(user, backend="allauth.account.auth_backends.AuthenticationBackend")
        self.path, self.page = "", ""
        self.opens("briefing/")

    def opens(self, rest: str) -> None:
        self.path = rest if rest.startswith("/") else f"/c/{self.campaign.slug}/{rest}"
        answer = self.browser.get(self.path)
        assert answer.status_code == 200, self.path
        self.page = answer.content.decode()

    @property
    def step(self) -> str:
        """The step that the page shows; empty: none."""
        found = re.search(r'data-step="([\w-]+)"', self.page)
        return found[1] if found else ""

    def presses(self, act: str, **more: str) -> None:
        """Press a button of the guide and follow where it leads."""
        form = {"guide": act, "step": self.step, "here": self.path, **more}
        answer = self.browser.post(f"/c/{self.campaign.slug}/guide/", form)
        assert answer.status_code == 302
        self.opens(answer.headers["Location"])

    def sheet(self, text: str) -> dict[str, str]:
        """What the form of the open phase's sheet sends."""
        phase = live(self.campaign)
        return {"stop": str(phase.no), "rev": str(phase.rev), "version": "0", "newest": "0", "text": text, "key": text}

    def follows(self) -> None:
        """Go to the page to which the guide leads."""
        found = re.search(r'<a\s+role="button"\s+href="([^"]+)">Go to', self.page)
        assert found
        self.opens(found[1])


@pytest.fixture
def guided(time: Clock) -> Guided:
    user = new_person("Beginner", email="beginner@example.org")
    folder = find_scenario(PRACTICE)
    campaign = start_practice(user, folder=folder, loaded=load_scenario(folder), side="german")
    sweep(worker="one")
    assert time.now == clock.now()
    return Guided(user, campaign)


def test_the_practice_campaign_begins_with_it_and_its_steps_lead_over_the_pages(guided: Guided) -> None:
    assert guided.step == "aim"
    assert "Your aim is in the first lines" in guided.page
    for step in ("map", "phase", "tap-unit", "attack", "answer", "move", "hold", "ready"):
        guided.presses("next")
        assert guided.step == step
    assert guided.path == f"/c/{guided.campaign.slug}/orders/"
    guided.browser.post(f"/c/{guided.campaign.slug}/orders/HQ/", guided.sheet(ORDERED) | {"act": "ready"})
    guided.opens("")
    assert "The guide continues when the result of your orders is published." in guided.page
    for _ in range(6):
        sweep(worker="one")
    played = Phase.objects.get(key="german_sheet", state=PhaseState.PUBLISHED)
    guided.opens("briefing/")
    assert "The guide continues at the report." in guided.page
    guided.follows()
    assert (guided.step, guided.path) == ("report", f"/c/{guided.campaign.slug}/stops/{played.no}/")
    for step in ("report-map", "again", "end", ""):
        guided.presses("next")
        assert guided.step == step
    guided.opens("")
    assert 'value="start"' not in guided.page
    guided.opens("briefing/")
    assert "Show me around again" in guided.page


def test_what_the_sheet_has_is_left_out(guided: Guided) -> None:
    Membership.objects.update(guide_step="tap-unit")
    for text, step in (
        ("", "tap-unit"),
        ("ATTACK 3 FJ Manderfeld", "answer"),
        ("ATTACK 3 FJ R20 reserve", "tap-unit"),
        ("MOVE 3 FJ to R21", "answer"),
    ):
        answer = guided.browser.post(f"/c/{guided.campaign.slug}/orders/HQ/", guided.sheet(text) | {"act": "check"})
        guided.page = answer.content.decode()
        assert guided.step == step, text


def test_a_sheet_that_is_being_written_is_not_lost(guided: Guided) -> None:
    for _ in range(3):
        guided.presses("next")
    form = guided.sheet("ATTACK 3 FJ Q19\nNOTE nothing else yet")
    guided.presses("next", **form)
    assert Draft.objects.get().text == form["text"]
    assert "NOTE nothing else yet" in guided.page
    assert guided.step == "answer", "it has the order already"
    saved = Draft.objects.get().saved_at
    guided.presses("leave", **form)
    assert Draft.objects.get().saved_at == saved, "nothing was changed"
    assert guided.step == ""
    guided.presses("start", **guided.sheet("HOLD 26 VG"))
    assert (guided.step, Draft.objects.get().text) == ("answer", "HOLD 26 VG")


def test_a_sheet_that_comes_too_late_is_shown_in_full(guided: Guided) -> None:
    form = guided.sheet("NOTE my whole plan") | {"guide": "next", "step": "aim", "here": guided.path}
    guided.browser.post(f"/c/{guided.campaign.slug}/orders/HQ/", guided.sheet("READY") | {"act": "ready"})
    sweep(worker="one")
    answer = guided.browser.post(f"/c/{guided.campaign.slug}/guide/", form)
    assert answer.status_code == 409
    assert "NOTE my whole plan" in answer.content.decode()
    assert "Draft not saved: this phase has closed." in answer.content.decode()
    assert Membership.objects.get().guide_step == ""


def test_it_is_left_and_taken_up_again_on_another_device(guided: Guided) -> None:
    guided.presses("next")
    guided.presses("leave")
    assert guided.step == ""
    assert guided.path == f"/c/{guided.campaign.slug}/"
    elsewhere = Guided(User.objects.get(username="Beginner"), guided.campaign)
    assert "Continue the guide" in elsewhere.page
    elsewhere.presses("start")
    elsewhere.follows()
    assert elsewhere.step == "map"


def test_htmx_gets_the_guide_alone(guided: Guided) -> None:
    form = {"guide": "next", "step": "aim", "here": guided.path}
    answer = guided.browser.post(f"/c/{guided.campaign.slug}/guide/", form, headers={"HX-Request": "true"})
    text = answer.content.decode()
    assert answer.status_code == 200
    assert "<main" not in text
    assert "The guide continues at the situation." in text


@pytest.mark.parametrize("here", ["https://example.org/", "//example.org", "/c/other/", "/", "/c/%s/nowhere/x/y/"])
def test_a_button_leads_nowhere_else(guided: Guided, here: str) -> None:
    slug = guided.campaign.slug
    form = {"guide": "leave", "step": "aim", "here": here.replace("%s", slug)}
    assert guided.browser.post(f"/c/{slug}/guide/", form).headers["Location"] == f"/c/{slug}/"


def test_an_old_form_changes_nothing_in_where_they_are(guided: Guided) -> None:
    guided.presses("next")
    guided.presses("next", step="of another guide")
    assert guided.step == "map"


def test_a_side_that_must_wait_reads_until_its_phase_opens(time: Clock) -> None:
    user = new_person("Beginner", email="beginner@example.org")
    folder = find_scenario(PRACTICE)
    loaded = load_scenario(folder)
    guided = Guided(user, start_practice(user, folder=folder, loaded=loaded, side="allied"))
    assert time.now == clock.now()
    guided.presses("next")
    guided.presses("next")
    assert "The guide continues when your side is asked for orders." in guided.page
    for _ in range(4):
        sweep(worker="one")
    guided.opens("")
    assert guided.step == "phase"


# --- campaigns of others ---------------------------------------------------------------------------------------------


def test_who_joins_is_offered_it(cast: Cast) -> None:
    """The large scenario has none of its own: the general one."""
    for name in ("german commander", "german deputy", "german staff", "german tactical"):
        browser = cast.browser(name)
        page = browser.get(cast.address("briefing/")).content.decode()
        assert "Show me around" in page
        form = next(form for form in forms_of(page, cast.address("briefing/")) if form.action.endswith("/guide/"))
        answer = browser.post(form.action, {"guide": "start", "here": cast.address("briefing/")})
        assert answer.headers["Location"] == cast.address("briefing/")
        assert 'data-step="general-map"' in browser.get(cast.address()).content.decode()


def test_a_tactical_player_is_led_past_the_sheet(cast: Cast) -> None:
    Membership.objects.filter(user__username="german tactical").update(guided=True, guide_step="general-sheet")
    assert 'data-step="general-report"' in cast.browser("german tactical").get(cast.address()).content.decode()


def test_a_receipt_is_a_step_where_a_sheet_waits_for_others(cast: Cast) -> None:
    Membership.objects.filter(user__username="german commander").update(guided=True, guide_step="general-receipt")
    browser = cast.browser("german commander")
    page = browser.get(cast.address("orders/")).content.decode()
    assert "The guide continues when you have submitted your orders as READY." in page
    send(live(cast.campaign), cast.user("german commander"), "READY", ready=True)
    sheet = Sheet.objects.get()
    address = cast.address(f"orders/HQ/{sheet.phase.no}.0/{sheet.version}/")
    assert f'href="{address}"' in browser.get(cast.address("orders/")).content.decode()
    assert 'data-step="general-receipt"' in browser.get(address).content.decode()


@pytest.mark.parametrize("name", ["gm", "spectator", OUTSIDER])
def test_there_is_none_for_who_plays_on_no_side(cast: Cast, name: str) -> None:
    browser = cast.browser(name)
    assert browser.post(cast.address("guide/"), {"guide": "start"}).status_code == 404
    if name != OUTSIDER:
        assert 'name="guide"' not in browser.get(cast.address()).content.decode()
    assert 'name="guide"' not in cast.browser(ANONYMOUS).get(cast.address("public/")).content.decode()


def test_reading_it_writes_nothing(cast: Cast) -> None:
    Membership.objects.filter(user__username="german commander").update(guided=True)
    browser = cast.browser("german commander")
    browser.get(cast.address())
    before = rows()
    for rest in ("", "briefing/", "orders/", "people/", "stops/0/"):
        assert 'id="guide"' in browser.get(cast.address(rest)).content.decode()
    assert rows() == before


def test_the_campaign_that_is_past_the_first_phase_has_the_general_one(guided: Guided) -> None:
    assert "guide-german.toml" in files_of(guided.campaign)
    guided.browser.post(f"/c/{guided.campaign.slug}/orders/HQ/", guided.sheet("READY") | {"act": "ready"})
    for _ in range(6):
        sweep(worker="one")
    guided.opens("")
    assert guided.step == "general-map"
