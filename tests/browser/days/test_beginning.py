"""A new game master's way to the first sheet: a campaign, three invitations, and new people who answer them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from django.core.cache import cache
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from campaign.core import clock
from campaign.models import Campaign, Invitation, OutboxMessage
from campaign.people.accounts import new_person
from gm.machine.sweeper import sweep
from orders.models import Sheet
from tests.browser.conftest import DESK, PHONE, Site, width
from tests.mails import plain_text_of

pytestmark = pytest.mark.django_db(transaction=True)

MOST_ACTIONS = 25
"""All together: creating the campaign, inviting three people, joining, and the first sheet."""
SAYS_WHAT_IS_NEXT = re.compile(
    "What next|Open this sheet|You get a mail when you have orders to give|Join as|I am new here"
)


@dataclass
class Person:
    """Somebody in a browser of their own; whatever they press or type is counted."""

    name: str
    page: Page
    done: dict[str, int] = field(default_factory=dict)
    doing: str = ""

    def begins(self, what: str) -> None:
        self.doing = what
        self.done.setdefault(what, 0)

    def press(self, name: str, *, role: str = "button") -> None:
        self.done[self.doing] += 1
        self.page.get_by_role(role, name=name, exact=True).first.click()  # type: ignore[arg-type]
        self.page.wait_for_load_state()

    def types(self, label: str, text: str) -> None:
        self.done[self.doing] += 1
        self.page.get_by_label(label).first.fill(text)

    def ticks(self, label: str) -> None:
        self.done[self.doing] += 1
        self.page.get_by_label(label, exact=True).check()

    def chooses(self, label: str, value: str) -> None:
        self.done[self.doing] += 1
        self.page.get_by_label(label, exact=True).locator("visible=true").first.select_option(value)

    def reads_what_is_next(self) -> None:
        assert SAYS_WHAT_IS_NEXT.search(self.page.locator("main").inner_text()), self.page.url

    def tells(self) -> int:
        for what, number in self.done.items():
            print(f"actions {self.name} {what} {number}")  # noqa: T201 - the figures are the result
        return sum(self.done.values())


@pytest.fixture
def site(live_server: LiveServer, browser: Browser) -> Iterator[Site]:
    """A server with a game master who has no campaign yet."""
    cache.clear()
    new_person("Umpire", email="umpire@example.org")
    site = Site(str(live_server), browser, slug="st-vith-again")
    yield site
    for context in site.contexts:
        context.close()
    assert site.complaints == []


def creates(gm: Person) -> None:
    gm.begins("campaign")
    gm.press("Create a campaign")
    gm.types("Title", "St. Vith, again!")
    expect(gm.page.get_by_label("Short name")).to_have_value("st-vith-again")
    zone = gm.page.evaluate("Intl.DateTimeFormat().resolvedOptions().timeZone")
    expect(gm.page.get_by_label("Time zone for these days and hours")).to_have_value(zone)
    gm.ticks("St. Vith, December 1944 (Forum campaign)")
    gm.press("Create the campaign")
    gm.reads_what_is_next()


def invites(gm: Person) -> dict[str, str]:
    """Invite both commanders and an officer; returns the links by address."""
    gm.begins("invitations")
    links: dict[str, str] = {}
    for side in ("Germans", "Allies"):
        gm.press(f"Invite a commander for the {side}", role="link")
        gm.types("Mail addresses", f"{side.lower()}@example.org")
        gm.press("Create invitation")
        gm.reads_what_is_next()
        links[side] = gm.page.get_by_label(f"Link of the invitation to {side.lower()}@example.org").input_value()
    gm.chooses("Side", "german")
    gm.types("Mail addresses", "staff@example.org")
    gm.press("Create invitation")
    links["staff"] = gm.page.get_by_label("Link of the invitation to staff@example.org").input_value()
    gm.reads_what_is_next()
    return links


def joins(person: Person, link: str) -> None:
    person.begins("joining")
    person.done["joining"] += 1
    person.page.goto(link)
    person.reads_what_is_next()
    person.press("I am new here")
    person.types("Forum name", person.name)
    person.types("E-mail address", f"{person.name.lower()}@example.net")
    person.press("Send code")
    mail = OutboxMessage.objects.filter(user__username=person.name).latest("pk")
    (code,) = re.findall(r"^\s*(\S{5,})\s*$", plain_text_of(bytes(mail.message)), re.MULTILINE)[:1]
    person.types("Code", code)
    person.press("Confirm")
    person.reads_what_is_next()
    person.press(f"Join as {person.name}")
    person.reads_what_is_next()


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
def test_a_campaign_begins_with_few_actions(site: Site, viewport: dict[str, int]) -> None:
    gm = Person("Umpire", site.visit("Umpire", viewport=viewport))
    gm.page.goto(site.address)
    creates(gm)
    sweep(worker="one")
    links = {who: re.sub(r"^https?://[^/]+", site.address, link) for who, link in invites(gm).items()}
    assert Invitation.objects.filter(opens_at__gt=clock.now()).count() == 3
    Invitation.objects.update(opens_at=clock.now())  # the minute to think again is over

    commander = Person("Manteuffel", site.stranger(viewport=viewport))
    joins(commander, links["Germans"])
    commander.begins("sheet")
    commander.press("Open this sheet", role="button")
    expect(commander.page.locator("#answer")).to_contain_text("every line accepted")
    commander.press("Submit as READY")
    expect(commander.page.get_by_text("Received as version 1.")).to_be_visible()
    assert Sheet.objects.get(author__username="Manteuffel").ready
    assert gm.tells() + commander.tells() <= MOST_ACTIONS

    others = {"Hodges": "Allies", "Krebs": "staff"}
    for name, invited in others.items():
        person = Person(name, site.stranger(viewport=viewport))
        joins(person, links[invited])
        assert person.tells() <= MOST_ACTIONS
    gm.page.goto(site.here())
    assert "command" not in gm.page.locator("main").inner_text().partition("What next")[2].partition("Open now")[0]
    assert Campaign.objects.get(slug=site.slug).memberships.count() == 4


POSITION = "unit\thex\tstrength\n12 VG\tS20\t85\nfuel\t7\n"
"""As a spreadsheet copies it."""


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
def test_a_position_is_pasted_seen_on_a_map_and_played_on(site: Site, viewport: dict[str, int]) -> None:
    gm = Person("Umpire", site.visit("Umpire", viewport=viewport))
    gm.page.goto(site.address)
    gm.begins("campaign")
    gm.press("Create a campaign")
    gm.types("Title", "St. Vith, again!")
    gm.ticks("St. Vith, December 1944 (Forum campaign)")
    gm.page.get_by_text("Begin with a position that is being played elsewhere").click()
    gm.types("Day on which the campaign begins", "1944-12-18")
    gm.page.get_by_label("Position", exact=True).fill(POSITION)
    gm.press("Create the campaign")
    expect(gm.page.get_by_role("heading", name="The position on the morning of 18 December 1944")).to_be_visible()
    picture = gm.page.get_by_alt_text("Map of the position, both sides")
    assert picture.evaluate("each => each.complete && each.naturalWidth > 300")
    assert gm.page.get_by_label("Position", exact=True).input_value() == POSITION
    assert width(gm.page) <= viewport["width"]
    gm.press("Create the campaign with this position")
    gm.reads_what_is_next()
    assert Campaign.objects.get(slug=site.slug).from_position
