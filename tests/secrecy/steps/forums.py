"""What the observer has posted elsewhere: their reports in a thread, and a call when it is their turn."""

from random import Random

from campaign.viewers import viewer_of
from posting.destinations import Wanted, add_destination
from posting.models import Destination
from tests.secrecy.campaigns import SLUG, person
from tests.secrecy.forum import CHANNEL, FORUM
from tests.secrecy.steps.plan import Plan
from tests.secrecy.worlds import ANONYMOUS, Answer, World


def post_elsewhere(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """The GM posts what the observer receives on a forum, and one who watches wants to be called on Discord.

    Once: the same thread is not taken a second time.
    """
    wanted = Wanted(
        audience=plan.observer, kind="discourse", address=FORUM, thread="7", acts_as="umpire", key="a key for it"
    )
    with world.present():
        if Destination.objects.filter(campaign__slug=SLUG, audience=plan.observer, withdrawn_at=None).exists():
            return []
        add_destination(viewer_of(person("gm"), SLUG), wanted, now=world.now)
    who = plan.player() if plan.playing else chance.choice([each for each in plan.watchers if each != ANONYMOUS])
    return [
        world.ask(who, "POST", "/profile/discord/", {"act": "save", "address": f"{CHANNEL}/{'k' * 30}"}),
        world.ask(who, "GET", "/profile/discord/"),
    ]
