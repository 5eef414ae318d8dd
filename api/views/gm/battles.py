"""Battles on the desk of the game master: decided, or left to the rules."""

from api.answers.battles import BattleDetail
from api.answers.gm.battles import BattleDecision, BattlesByRules, BattleToDecide, DecidedByRules
from api.models import Scope
from api.operations import Call, operation, reads
from api.problems import Unfit
from api.views.battles import attempt, battle_line, which_battle
from api.views.gm.clock import require_present
from campaign.people.throttles import REPORTS
from campaign.selectors import knowledge
from gm.desk.resolver import let_rules_decide, undecided
from gm.phases.battles import decide, seen_as
from orders.battles.reading import battles_of, marks_of


@reads()
def battles_to_decide(call: Call) -> tuple[BattleToDecide, ...]:
    """The battles for whose results the open phase waits, with their marks, and whether the rules may decide them.

    What the sides report and say in a dispute is with each battle.
    """
    viewer = call.game_master
    every = list(battles_of(viewer))
    if not every:
        return ()
    known, marks, by_rules = knowledge(viewer), marks_of(viewer, every), {each.key for each in undecided(viewer)}
    return tuple(
        BattleToDecide(battle_line(call, known, each), seen_as(each, marks[each.pk]), each.key in by_rules)
        for each in every
    )


@operation(scope=Scope.GM, limit=REPORTS, refuses=(409, 422))
def decide_battle(call: Call, key: str, body: BattleDecision) -> BattleDetail:
    """Decide the result of a battle, whatever was reported. You may change it until the phase is locked."""
    viewer, which = call.game_master, which_battle(key, body.phase)
    return attempt(call, which, lambda: decide(viewer, which, body.text, seen=body.seen))


@operation(scope=Scope.GM, limit=REPORTS, refuses=(409, 422))
def let_rules_decide_battles(call: Call, body: BattlesByRules) -> DecidedByRules:
    """Let the rules decide battles, where the campaign offers that. Each stays as it is if it has changed."""
    viewer = call.game_master
    require_present(viewer, body.phase)
    if not body.battles:
        raise Unfit("You chose no battle, so nothing was changed.")
    left = let_rules_decide(viewer, {each.battle: each.seen for each in body.battles})
    return DecidedByRules(left.decided, left.changed)
