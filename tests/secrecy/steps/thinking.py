"""People and the GM think again, the same in both worlds."""

from datetime import timedelta
from random import Random

from campaign.models import PhaseState
from orders.models import HQ, Sheet
from tests.secrecy.campaigns import live
from tests.secrecy.mutators.thinking import SECONDS, time_to_think
from tests.secrecy.steps.plan import API, HERE, Plan, read
from tests.secrecy.worlds import Answer, World


def think_again(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """The observer's commander is READY for the side, or the GM publishes; both cancel it before it takes effect."""
    answers = _ready_and_not(world, plan, chance)
    with world.present():
        phase = live()
    if phase is not None and phase.state == PhaseState.REVIEW:
        seen = {"seen": f"{phase.no}.{phase.rev}.{phase.fence}"}
        with world.present(), time_to_think():
            for act in ("approve", "cancel"):
                assert world.ask("gm", "POST", f"{HERE}desk/draft/", {**seen, "act": act}).status == 302
                answers += read(world, plan, chance)
    return answers


def _ready_and_not(world: World, plan: Plan, chance: Random) -> list[Answer]:
    with world.present():
        phase = live()
        if phase is None or phase.state != PhaseState.OPEN or not plan.playing or plan.observer not in phase.acts:
            return []
        newest = Sheet.objects.filter(phase=phase, side=plan.observer, desk=HQ).count()
    who, path, here = plan.player(), f"{HERE}orders/{HQ}/", {"stop": phase.no, "rev": phase.rev}
    text = f"{plan.lines(chance)}\nREADY\n"
    ready = {**here, "version": newest, "act": "anyway", "for_side": "1", "text": text, "key": f"think {newest}"}
    again = {**here, "newest": newest + 1, "act": "cancel-ready", "key": f"again {newest}"}
    answers = list[Answer]()
    with world.present(), time_to_think():
        for wait, form in ((0, ready), (SECONDS - 1, again)):
            world.now += timedelta(seconds=wait)
            answer = world.ask(who, "POST", path, form)
            shown = [path, answer.header("Location"), "/"] if answer.status == 302 else [path]
            answers += [answer, *(world.ask(who, "GET", page) for page in shown)]
            answers.append(world.ask(who, "GET", f"{API}desks/{HQ}/", json=True))
    return answers
