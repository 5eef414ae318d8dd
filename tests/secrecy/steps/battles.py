"""What the players of a battle do, and their commanders."""

from dataclasses import replace
from random import Random

from campaign.engine.values.ids import Audience
from campaign.models import Battle, BattleState, PhaseState
from orders.battles.reading import mark_of
from tests.secrecy.campaigns import SLUG, live, truth
from tests.secrecy.games.game import Position
from tests.secrecy.steps.plan import API, HERE, Plan
from tests.secrecy.worlds import Answer, World


def battle(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """The players of a battle check, answer with a line that cannot be read, then report, confirm or dispute."""
    checked = of_a_battle(world, plan, chance, "check")
    refused = of_a_battle(world, plan, chance, "confirm", reply="RETREAT nobody to nowhere")
    return checked + refused + of_a_battle(world, plan, chance, chance.choice(["report", "confirm", "dispute"]))


def assign(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """A commander names who fights a battle, or the GM. The enemy learns it as soon as both have named somebody."""
    by_commander = of_a_battle(world, plan, chance, "assign")
    return by_commander + of_a_battle(world, plan, chance, "assign", by="gm")


def the_others_fight(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """The other side reports a battle, or answers its report, in the same words in both worlds."""
    if not plan.playing:
        return []
    theirs = replace(plan, observer=Audience(plan.game.others(plan.observer)[0]))
    act = chance.choice(["report", "confirm", "dispute"]) if reported(world) else "report"
    if not of_a_battle(world, theirs, chance, act):
        return []
    return [world.ask(plan.player(), "GET", f"{HERE}battles/")]


def of_a_battle(world: World, plan: Plan, chance: Random, act: str, *, reply: str = "", by: str = "") -> list[Answer]:
    """The observer's side acts in one of the battles that wait; or the GM does for it, whose answer is left out."""
    with world.present():
        waiting = Battle.objects.filter(phase__campaign__slug=SLUG, phase__state=PhaseState.OPEN).order_by("key")
        found = [(each, each.phase.no, each.phase.rev, mark_of(each)) for each in waiting]
        phase = live()
    if not found or not plan.playing or phase is None:
        return []
    battle, no, rev, seen = chance.choice(found)
    key, player = battle.key, "tactical" if _is_named(battle, plan.observer) else "commander"
    with world.present():
        text = plan.game.report(Position(plan.game, plan.loaded, truth(phase), plan.observer), key, chance)
    form = {"stop": no, "rev": rev, "seen": seen, "act": act, "key": f"{act} {chance.random()}",
            "text": text, "reply": reply, "link": "",
            "statement": "We were not there.", "player": plan.player("tactical")}  # fmt: skip
    who, rest = (plan.player(), "") if act == "assign" else (plan.player(player), "check/" if act == "check" else "")
    answer = world.ask(by or who, "POST", f"{HERE}battles/{key}/{rest}", form)
    return [
        *([] if by else [answer]),
        world.ask(plan.player(chance.choice(["commander", "staff"])), "GET", f"{HERE}battles/{key}/"),
        world.ask(plan.player(), "GET", f"{HERE}battles/"),
        world.ask(plan.player(chance.choice(["commander", "staff"])), "GET", f"{API}battles/{key}/"),
        world.ask(plan.player(player), "POST", f"{API}battles/{key}/check/", {"text": text}, json=True),
    ]


def reported(world: World) -> Battle | None:
    """A battle that waits for an answer to its report."""
    with world.present():
        waiting = Battle.objects.filter(phase__campaign__slug=SLUG, phase__state=PhaseState.OPEN)
        return waiting.filter(state=BattleState.REPORTED).order_by("key").first()


def _is_named(battle: Battle, side: str) -> bool:
    """Whether a side has named its player, who alone reports and answers then."""
    return (battle.attacking_player_id if side == battle.attacker else battle.defending_player_id) is not None
