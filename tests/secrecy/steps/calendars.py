"""The calendar: somebody subscribes to it and their program reads it; they go away, and another stands in."""

from datetime import timedelta
from random import Random

from django.conf import settings

from campaign.core import clock
from campaign.people.feeds import make_feed
from campaign.viewers import viewer_of
from tests.secrecy.campaigns import SLUG, person
from tests.secrecy.chance import CHANCE
from tests.secrecy.steps.plan import HERE, Plan
from tests.secrecy.worlds import ANONYMOUS, Answer, World


def read_calendar(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """The page, with and without an address; the calendar by the address, and by one that a newer one has ended."""
    if not plan.playing:
        return []
    who, page = plan.player(), f"{HERE}calendar/"
    before = world.ask(who, "GET", page)
    with world.present():
        CHANCE.of("feed", chance.random())
        ended, path = (new_feed(who, SLUG) for _ in range(2))
    asked = [world.ask(ANONYMOUS, "GET", each) for each in (path, ended)]
    return [before, world.ask(who, "GET", page), *asked, world.ask(who, "POST", f"{page}address/", {"act": "end"})]


def be_away(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """The commander goes away, their side's staff stands in and reads the sheet of HQ; then they are back."""
    if not plan.playing:
        return []
    who, deputy = plan.player(), plan.player("staff")
    day = f"{world.now + timedelta(days=chance.randint(1, 20)):%Y-%m-%d}"
    form = {"since": "", "until": day, "deputy": deputy, "why": f"A reason {chance.random()}"}
    booked = world.ask(who, "POST", f"{HERE}people/away/", form)
    pages = ("", "people/", "calendar/", "orders/HQ/")
    read = [world.ask(each, "GET", HERE + page) for each in (deputy, *sorted(plan.watchers)[:2]) for page in pages]
    return [booked, *read, world.ask(who, "POST", f"{HERE}people/away/", {**form, "until": ""})]


def new_feed(who: str, slug: str) -> str:
    """The path of a new address of somebody's calendar, in the present world."""
    return make_feed(viewer_of(person(who), slug), now=clock.now()).removeprefix(settings.SITE_URL)
