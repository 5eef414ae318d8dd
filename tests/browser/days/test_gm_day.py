"""A game master's day of the large scenario, counted: one with nothing to overrule, and one with much to decide."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect
from pytest_django.live_server_helper import LiveServer

from campaign.engine.values.ids import Audience
from campaign.models import Battle, BattleState, Campaign, Phase
from campaign.rulesets.forum_campaign.bots import BOTS
from campaign.selectors import knowledge
from campaign.viewers import Viewer, viewer_of
from gm.demo import CAMPAIGN, stand
from gm.machine.sweeper import sweep
from orders.battles.reading import mark_of
from orders.battles.reporting import Which, confirm, dispute, report
from tests.browser.conftest import DESK, PHONE, Site, opened_site
from tests.browser.days.test_beginning import Person
from tests.gm.campaigns import live, send
from tests.kept import kept

pytestmark = pytest.mark.django_db(transaction=True)

QUIET, BUSY = 12, 30
"""The most that a game master presses, types or chooses on each of the two days."""
COMMANDERS = {"german": "Model", "allied": "Hodges"}
PLAYER = "fist"
"""The bot that writes the commanders' sheets: it attacks much."""


@pytest.fixture
def third_day(live_server: LiveServer, browser: Browser) -> Iterator[Site]:
    """The demonstration on the morning of its third day; its game master reviews every draft."""
    kept("third morning", lambda: stand(lambda _line: None), timeless=True)
    yield from opened_site(live_server, browser)


def commander(side: str) -> Viewer:
    return viewer_of(
        Campaign.objects.get(slug=CAMPAIGN).memberships.get(user__username=COMMANDERS[side]).user, CAMPAIGN
    )


def the_sides_order(phase: Phase) -> None:
    for side in phase.acts:
        viewer = commander(side)
        known = knowledge(viewer)
        text = BOTS[PLAYER](known.loaded.scenario.game_data, known.state, Audience(side))
        send(phase, viewer.person, text, side=side, ready=True, for_side=True)
    sweep(worker="one")


def the_players_report(phase: Phase, *, but: int = 0) -> list[str]:
    """All battles are reported and confirmed, but for some: the first of those is disputed, the others stay open."""
    left = []
    for number, battle in enumerate(phase.battles.order_by("key")):
        which, lines = Which(phase.no, phase.rev, battle.key), f"RESULT {battle.key} defenders"
        if number < but:
            left.append(battle.key)
        if number == 0 or number >= but:
            report(commander(battle.attacker), which, lines, idempotent=battle.key)
            battle.refresh_from_db()
        if number >= but:
            confirm(commander(battle.defender), which, seen=mark_of(battle))
        elif number == 0:
            dispute(commander(battle.defender), which, "They never reached the village.", seen=mark_of(battle))
    sweep(worker="one")
    return left


def reviews(gm: Person, site: Site) -> None:
    """They come when the mail calls them."""
    gm.page.goto(site.address)
    gm.press("Review the draft results")


def publishes(gm: Person) -> None:
    gm.press("Publish to everyone")
    sweep(worker="one")


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
def test_a_day_with_nothing_to_overrule(third_day: Site, viewport: dict[str, int]) -> None:
    gm = Person("Umpire", third_day.visit("Umpire", viewport=viewport))
    gm.begins("quiet-day")
    campaign = Campaign.objects.get(slug=CAMPAIGN)
    day = live(campaign).day
    while (phase := live(campaign)).day == day:
        if phase.battles.exists():
            the_players_report(phase)
        else:
            the_sides_order(phase)
        reviews(gm, third_day)
        publishes(gm)
    assert gm.tells() <= QUIET


def test_a_day_with_a_ruling_two_rolls_a_dispute_and_three_battles(third_day: Site) -> None:
    gm = Person("Umpire", third_day.visit("Umpire"))
    gm.begins("busy-day")
    campaign = Campaign.objects.get(slug=CAMPAIGN)
    day, decided, ruled = live(campaign).day, 0, False
    while (phase := live(campaign)).day == day:
        if not phase.battles.exists():
            the_sides_order(phase)
        elif not decided:
            decided = decides(gm, third_day, the_players_report(phase, but=4))
        else:
            the_players_report(phase)
        reviews(gm, third_day)
        if not ruled:
            ruled = rules_and_rolls(gm)
        publishes(gm)
    assert decided == 4
    assert gm.tells() <= BUSY


def rules_and_rolls(gm: Person) -> bool:
    gm.types("Rulings, one per line", "STRENGTH 2 Pz 80")
    gm.types("Reason, shown to the players it affects", "a fire at the depot")
    gm.press("Apply rulings and re-run")
    sweep(worker="one")
    expect(gm.page.get_by_role("button", name="Publish to everyone").first).to_be_visible()
    gm.done[gm.doing] += 1
    gm.page.get_by_text("Roll dice yourself").click()
    for purpose in ("whether the bridge holds", "how long the fire burns"):
        gm.types("Purpose", purpose)
        gm.press("Roll")
        expect(gm.page.get_by_role("cell", name=purpose)).to_be_visible()
    return True


def decides(gm: Person, site: Site, keys: list[str]) -> int:
    """The disputed battle, and those that nobody reported, each on its page."""
    for number, key in enumerate(keys):
        gm.page.goto(site.address)
        gm.press("Battle" if number else "Decide")
        gm.types("One result per line", f"RESULT {key} defenders")
        gm.press("Decide")
        assert Battle.objects.get(phase=live(Campaign.objects.get(slug=site.slug)), key=key).state == BattleState.RULED
    sweep(worker="one")
    return len(keys)
