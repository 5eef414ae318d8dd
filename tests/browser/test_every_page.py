"""Every page for everybody who may read it: fit for screen readers and phones, in light and in the dark.

A page is checked once if several readers get the same.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.urls import reverse
from playwright.sync_api import Page

from api.urls import urlpatterns
from campaign.core import clock
from campaign.engine.values.ids import Audience
from campaign.mail.mutes import mute_link
from campaign.models import Battle, Campaign, Membership, OutboxMessage, PhaseState, Role, User
from campaign.people.accounts import new_person
from campaign.people.entrances import entrance_link
from campaign.people.invitations import invitation_link, invite
from campaign.rulesets.forum_campaign.bots import BOTS
from campaign.selectors import knowledge
from campaign.viewers import gm_viewer, viewer_of
from gm.demo import CAMPAIGN
from gm.machine.sweeper import sweep
from gm.phases.lifecycle import approve
from orders.models import Sheet
from tests.browser.conftest import PHONE, Site, width
from tests.gm.campaigns import live, send
from tests.web.addresses.test_outcomes import ACTS, FILES, READ, our_routes
from tests.web.conftest import ANONYMOUS

pytestmark = pytest.mark.django_db(transaction=True)

READERS = {
    "gm": "Umpire",
    "german commander": "Model",
    "german staff": "Krebs",
    "spectator": "Watcher",
    ANONYMOUS: "",
}
"""By their part in the table of outcomes: who reads in the demonstration."""

MORE = {
    "outbox_mail": {"gm"},
    "home": set(READERS),
    "glossary": set(READERS),
    "profile": {"german commander"},
    "turn_webhook": {"german commander"},
    "new_campaign": {"german commander"},
    "new_practice": {"german commander"},
    "tokens": {"german commander"},
    "api_docs": {"german commander"},
    "entrance": {ANONYMOUS},
    "invitation": {ANONYMOUS, "spectator"},
    "mute": {ANONYMOUS},
    "account_login": {ANONYMOUS},
    "account_signup": {ANONYMOUS},
    "account_email": {"german commander"},
    "account_logout": {"german commander"},
    "mfa_index": {"german commander"},
    "usersessions_list": {"german commander"},
}
"""Pages that the table of outcomes does not have, or not for anybody, and who reads them."""

API = [str(each.name) for each in urlpatterns if str(each.pattern).startswith("api/v1/")]

NO_PAGES = {
    "picture": "a picture",
    "feed": "for calendar programs",
    "scenario_map": "a picture",
    "scenario_start": "a file",
    "substitute": "only takes what is sent",
    **dict.fromkeys(
        ("result", "public_result", "opened_sheets", "public_opened_sheets", "rematch"),
        "there once the campaign has ended; test_story.py and test_rematch.py in tests/web open them",
    ),
    **dict.fromkeys(
        ("questions_of", "public_questions"),
        "there once a side has opened its questions; tests/questions/test_opened.py opens them",
    ),
    "confirm_mailed": "there once a doubtful mail has come; tests/incoming/test_confirming.py opens it",
    "public_staff": "there once a side has opened its room; test_staff opens the same page",
    **dict.fromkeys(
        ("story", "stories", "public_stories"), "there once a battle is fought; test_stories opens the same pages"
    ),
    **dict.fromkeys(API, "for programs"),
    "healthz": "for programs",
    "take_from_provider": "for programs",
    "readyz": "for programs",
    "end_session": "only takes what is sent",
    "mail_works": "the same",
    "account_email_verification_sent": "leads on unless an address waits for its code",
    "question": "there once a player has asked; test_questions opens the same pages",
    "battle": "visited when the demonstration is played on",
}
"""Routes that are not visited, each with the reason."""

SAME = re.compile(r'name="(?:csrfmiddlewaretoken|key|here)" value="[^"]*"|form="sheet"')
"""What differs from answer to answer."""

FEWER = (
    "document.querySelectorAll('.places a:nth-child(n+20), .list article:nth-of-type(n+20)').forEach(e => e.remove())"
)
"""Of hundreds of places that are alike, a few: board/test_board.py looks at all."""


@dataclass
class Visit:
    """Somebody with a phone, who opens pages."""

    who: str
    page: Page
    seen: set[str]
    """The texts of pages that were checked."""
    faults: dict[tuple[str, str], object] = field(default_factory=dict)

    def opens(self, address: str) -> None:
        answer = self.page.goto(address)
        assert answer is not None
        assert answer.status == 200, (self.who, address, answer.status)
        self.page.locator("details").evaluate_all("all => all.forEach(each => { each.open = true })")
        text = SAME.sub("", self.page.locator("main").inner_html())
        if text not in self.seen:
            self.seen.add(text)
            self.page.evaluate(FEWER)
            self._check(address)

    def _check(self, address: str) -> None:
        if width(self.page) > PHONE["width"]:
            self.faults[address, "width"] = width(self.page)
        self._axe(address, "light")
        self.page.emulate_media(color_scheme="dark")
        self._axe(address, "dark", rules=["color-contrast"])
        self.page.emulate_media(color_scheme="light")

    def _axe(self, address: str, scheme: str, *, rules: list[str] | None = None) -> None:
        options = {"resultTypes": ["violations"]} | ({"runOnly": rules} if rules else {})
        violations = Axe().run(self.page, options=options).response["violations"]
        if violations:
            self.faults[address, scheme] = [(each["id"], each["nodes"][0]["html"][:120]) for each in violations]


class Addresses:
    """Where each route leads in the demonstration."""

    def __init__(self, site: Site) -> None:
        self.site = site

    def of(self, name: str) -> str:
        if secret := self.secrets.get(name):
            return secret.replace(settings.SITE_URL, self.site.address)
        kwargs = {key: self.values[key] for key in READ[name][0]} if name in READ else {}
        if name == "version":
            kwargs["no"] = self.sheet.phase.no
        slug = {"slug": CAMPAIGN} if name in READ else {}
        return f"{self.site.address}{reverse(name, kwargs=slug | kwargs)}"

    @cached_property
    def sheet(self) -> Sheet:
        return Sheet.objects.filter(side="german", desk="HQ", version=1).select_related("phase").latest("phase__no")

    @cached_property
    def values(self) -> Mapping[str, Any]:
        mail = OutboxMessage.objects.exclude(phase=None).latest("pk")
        return {
            "no": 10,
            "rev": 0,
            "nth": 1,
            "desk": "HQ",
            "side": "german",
            "audience": "allied",
            "mail": mail.name,
        }

    @cached_property
    def secrets(self) -> Mapping[str, str]:
        gm = gm_viewer(User.objects.get(username="Umpire"), CAMPAIGN)
        token = invite(gm, role=Role.STAFF, side="german", meant_for="", now=clock.now())
        return {
            "entrance": entrance_link(User.objects.get(username="Kean")),
            "invitation": invitation_link(token),
            "mute": mute_link(Campaign.objects.get(slug=CAMPAIGN), User.objects.get(username="Bayerlein")),
        }


def routes_for(who: str) -> Iterator[str]:
    """The pages that are for a reader."""
    yield from (name for name, (_, readers) in READ.items() if who in readers and name not in {*FILES, *NO_PAGES})
    yield from (name for name, readers in MORE.items() if who in readers)


def test_every_page_is_visited_or_has_a_reason() -> None:
    visited = {name for who in READERS for name in routes_for(who)}
    assert visited & set(NO_PAGES) == set()
    assert set(our_routes()) - visited == {*NO_PAGES, *ACTS, *(FILES - visited)} | {"public_statistics"}


def watches(site: Site) -> None:
    """Somebody new is a spectator."""
    user = new_person("Watcher", email="watcher@example.org")
    Membership.objects.create(
        campaign=Campaign.objects.get(slug=CAMPAIGN), user=user, role=Role.SPECTATOR, joined_at=clock.now()
    )
    assert site.complaints == []


def phone_of(site: Site, who: str, seen: set[str]) -> Visit:
    """Somebody with a phone; nobody is signed in on that of a visitor."""
    page = site.visit(READERS[who], viewport=PHONE) if READERS[who] else site.stranger(viewport=PHONE)
    page.emulate_media(reduced_motion="reduce")  # colours that fade into each other have no contrast
    return Visit(who, page, seen)


@pytest.mark.parametrize("readers", [("german commander", "german staff"), ("gm", "spectator", ANONYMOUS)])
def test_every_page_is_fit_for_everybody(site: Site, readers: tuple[str, ...]) -> None:
    watches(site)
    addresses, seen = Addresses(site), set[str]()
    faults: dict[tuple[str, str, str], object] = {}
    for who in readers:
        visit = phone_of(site, who, seen)
        for name in routes_for(who):
            visit.opens(addresses.of(name))
        faults |= {(who, address, kind): what for (address, kind), what in visit.faults.items()}
    assert faults == {}


def test_a_draft_and_a_battle_are_fit_for_everybody(site: Site) -> None:
    """Which the demonstration has only when it is played on."""
    attack()
    gm, player = (phone_of(site, who, set()) for who in ("gm", "german commander"))
    gm.opens(site.here("desk/draft/"))
    assert gm.page.get_by_role("button", name="Publish to everyone").count()
    gm.opens(f"{site.address}/")
    gm.opens(site.here("desk/sight/?place=Clervaux"))
    gm.opens(site.here("desk/person/?who=Krebs&phase=10"))
    gm.opens(site.here("log/"))
    publish()
    battle = Battle.objects.filter(phase__state=PhaseState.OPEN).earliest("pk")
    for visit in (gm, player):
        visit.opens(site.here(f"battles/{battle.key}/"))
        visit.opens(site.here("battles/"))
        visit.opens(f"{site.address}/")
        visit.opens(site.here())
    assert gm.faults | player.faults == {}


def attack() -> None:
    """The Germans' sheets, with attacks; their result waits for the GM."""
    viewer = viewer_of(User.objects.get(username="Model"), CAMPAIGN)
    known, phase = knowledge(viewer), live(viewer.campaign)
    text = BOTS["fist"](known.loaded.scenario.game_data, known.state, Audience("german"))
    send(phase, User.objects.get(username="Model"), text, ready=True)
    send(phase, User.objects.get(username="Krebs"), "READY", desk="Fifth", ready=True, idem_key="Fifth")
    sweep(worker="one")


def publish() -> None:
    phase = live(Campaign.objects.get(slug=CAMPAIGN))
    approve(phase.pk, fence=phase.fence)
    sweep(worker="one")
