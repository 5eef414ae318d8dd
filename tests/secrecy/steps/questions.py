"""Questions: the observer's side asks and is answered, and another side's question is answered for everyone."""

from random import Random

from campaign.viewers import viewer_of
from questions.models import Question, Reach, RuleAnswer
from questions.writing import Refused, Written, answer, ask, state_of, withdraw
from tests.secrecy.campaigns import SLUG, person
from tests.secrecy.steps.plan import HERE, Plan
from tests.secrecy.worlds import Answer as Page
from tests.secrecy.worlds import World

_ASKERS = ("commander", "deputy", "staff", "tactical")
_SHOWN = ("questions/", "rules/", "questions/?rule=R1", "orders/HQ/", "")


def ask_the_gm(world: World, plan: Plan, chance: Random) -> list[Page]:
    """A player of the observer's side asks, and others read what they may."""
    if not plan.playing:
        return []
    who = plan.player(chance.choice(_ASKERS))
    form = {"act": "ask", "text": f"May they? {chance.random()}", "rule": chance.choice(["", "R1"]), "line": "HOLD"}
    return [world.ask(who, "POST", f"{HERE}questions/", form), *_read(world, plan, chance)]


def answer_them(world: World, plan: Plan, chance: Random) -> list[Page]:
    """The game master answers a question of the observer's side, corrects the answer or withdraws it."""
    with world.present():
        asked = Question.objects.filter(side=plan.observer).order_by("-no").first()
        if asked is None:
            return []
        gm = viewer_of(person("gm"), SLUG)
        standing = RuleAnswer.objects.filter(question=asked, over_at=None).order_by("reach").first()
        if standing is not None and chance.random() < 0.3:
            withdraw(gm, asked, standing.mark, now=world.now)
        else:
            _answer(world, asked, chance.choice(Reach.values), f"They may. {chance.random()}")
    return _read(world, plan, chance)


def publish_anothers(world: World, plan: Plan, chance: Random) -> list[Page]:
    """Another side asks, and the game master answers for everyone: nothing says who, or how often they ask."""
    with world.present():
        side = plan.game.others(plan.observer)[0]
        viewer = viewer_of(person(f"{side} commander"), SLUG)
        try:
            asked = ask(viewer, f"May we? {chance.random()}", rule="R1", line="", now=world.now)
        except Refused:  # in one of the worlds they have asked too much already: an old question is answered
            found = Question.objects.filter(side=side, author=viewer.person).order_by("-no").first()
            assert found is not None
            asked = found
        _answer(world, asked, Reach.ALL, f"Everyone may. {chance.random()}")
    return _read(world, plan, chance)


def _answer(world: World, asked: Question, reach: str, text: str) -> None:
    gm = viewer_of(person("gm"), SLUG)
    written = Written(reach=reach, rule="R1", asked="May a unit do it?" if reach == Reach.ALL else "", text=text)
    answer(gm, asked, written, seen=state_of(gm, asked), shown=written.mark, now=world.now)


def _read(world: World, plan: Plan, chance: Random) -> list[Page]:
    readers = [chance.choice(plan.watchers) for _ in range(4)]
    own = [plan.player(chance.choice(_ASKERS))] if plan.playing else []
    return [world.ask(who, "GET", HERE + chance.choice(_SHOWN)) for who in [*own, *readers]]
