"""The GM ends the campaign, and sides say what else of their own may be read."""

from random import Random

from campaign.game.store import decode_events, unpack
from campaign.models import Campaign, PhaseState, Resolution
from campaign.services import scenario_of
from tests.secrecy.campaigns import SLUG
from tests.secrecy.steps.plan import HERE, Plan
from tests.secrecy.worlds import Answer, World

_PAGE = f"{HERE}desk/closing/"


def end(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """The GM abandons the campaign. Everything opens, but for what each side keeps to itself."""
    world.ask("gm", "POST", _PAGE, {"act": "abandon", "name": SLUG, "reason": "Nobody has time."})
    answers = []
    if plan.playing:
        agreed = chance.sample(["notes", "questions"], k=1)
        answers = [world.ask(f"{plan.observer} commander", "POST", _PAGE, {"act": each}) for each in agreed]
    paths = ["", "result/", "archive/", "questions/", "public/", "public/result/"]
    return [*answers, *(world.ask(chance.choice(plan.watchers), "GET", HERE + path) for path in paths)]


def agree_on_a_draw(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """Commanders accept a draw if one is offered, and offer one if not; the side named last acts first."""
    for side in reversed(plan.game.sides):
        for act in ("accept", "offer"):
            world.ask(f"{side} commander", "POST", _PAGE, {"act": act, "name": SLUG})
    paths = ["", "result/", "log/", "public/", "public/result/"]
    return [world.ask(chance.choice(plan.watchers), "GET", HERE + path) for path in paths]


def others_open_questions(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """The other sides open, after the end, what the GM has answered them."""
    sides = plan.game.others(plan.observer)
    for side in sides:
        world.ask(f"{side} commander", "POST", _PAGE, {"act": "questions"})
    paths = [f"{public}questions/{side}/" for side in sides for public in ("", "public/")]
    return [world.ask(chance.choice(plan.watchers), "GET", HERE + path) for path in paths]


def an_older_release(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """What is published is stored as an older release stored it, as far as its events say the same."""
    changed = 0
    with world.present():
        results = Resolution.objects.filter(phase__campaign__slug=SLUG, phase__state=PhaseState.PUBLISHED)
        for each in results.select_related("phase__campaign", "outcome"):
            rules, stored = scenario_of(each.phase.campaign).rules, unpack(each.outcome.events)
            older = min(rules.event_upgrades, default=each.event_version)
            events = decode_events(rules, stored, version=each.event_version)
            if older != each.event_version and events == decode_events(rules, stored, version=older):
                changed += results.filter(pk=each.pk).update(event_version=older)
    if not changed:
        return []
    return [world.ask(chance.choice(plan.watchers), "GET", f"{HERE}{path}") for path in ("log/", "public/log/")]


def promise_nothing(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """The campaign is one that began before stories opened after the end: it opens if both sides and the GM agree."""
    with world.present():
        Campaign.objects.filter(slug=SLUG).update(opens_story=False)
    return [world.ask(chance.choice(plan.watchers), "GET", f"{HERE}rules/")]
