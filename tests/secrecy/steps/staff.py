"""What a side's staff does in its room: it comments on lines and places, removes comments, and marks them as read."""

from random import Random

from orders.models import Sheet
from staff.models import Comment
from tests.secrecy.campaigns import live
from tests.secrecy.steps.plan import HERE, Plan
from tests.secrecy.worlds import Answer, World

ROOM = f"{HERE}staff/"
_WRITERS = ("commander", "deputy", "staff", "second staff")
_SHOWN = ("staff/", "orders/HQ/", "board/", "", "stops/")


def comment(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """Write a comment; the others of the side read it, as far as they may."""
    if not plan.playing:
        return []
    with world.present():
        phase = live()
        version = Sheet.objects.filter(phase=phase, side=plan.observer, desk="HQ").count() if phase else 0
    if phase is None:
        return []
    places = sorted(plan.loaded.scenario.game_data.board.places)
    about = chance.choice(
        [{"desk": "HQ", "version": version, "line": int(version > 0)}, {"place": chance.choice(places)}]
    )
    form = {"act": "write", "phase": f"{phase.no}.{phase.rev}", "text": f"Comment {chance.random()}.", **about}
    written = world.ask(plan.player(chance.choice(_WRITERS)), "POST", ROOM, form)
    readers = [plan.player(chance.choice(_WRITERS)), *chance.sample(sorted(plan.watchers), k=2)]
    return [written, *(world.ask(who, "GET", HERE + chance.choice(_SHOWN)) for who in readers)]


def tidy(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """Mark all comments as read, and remove one, if it is the person's own."""
    if not plan.playing:
        return []
    with world.present():
        own = Comment.objects.filter(side=plan.observer).select_related("phase")
        newest = own.order_by("phase__no", "phase__rev", "no").last()
    if newest is None:
        return comment(world, plan, chance)
    who = plan.player(chance.choice(_WRITERS))
    acts = [world.ask(who, "POST", ROOM, {"act": act, "comment": newest.mark}) for act in ("read", "remove")]
    return [*acts, world.ask(who, "GET", HERE), world.ask(plan.player(), "GET", ROOM)]
