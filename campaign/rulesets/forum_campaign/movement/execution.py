"""R4, R8 A plan carried out: what it puts on record."""

from campaign.engine.facts import Fact, Ledger
from campaign.engine.ids import SideId
from campaign.rulesets.forum_campaign.model.facts.movement import Detached, Halt, Moved, Rejoined, TaskForceDenied
from campaign.rulesets.forum_campaign.model.game_data import Theatre
from campaign.rulesets.forum_campaign.model.movement_costs import way_cost
from campaign.rulesets.forum_campaign.model.situation import Situation
from campaign.rulesets.forum_campaign.model.state import State
from campaign.rulesets.forum_campaign.movement.commandos import search
from campaign.rulesets.forum_campaign.movement.plan import Joining, Plan, Split, Step


def carry_out(ledger: Ledger[Theatre, State], side: SideId, plan: Plan) -> None:
    """R4, R8 All that comes of a side's movement, in the order of its sheet. What does not exist leaves no record."""
    for deed in plan.deeds:
        if isinstance(deed, Split):
            _split(ledger, side, deed)
        elif deed.walk.halt is not Halt.ABSENT:
            ledger.emit(_moved(plan.situation, side, deed), rule="R4")
            search(ledger, side, deed.walk.entered)


def _moved(situation: Situation, side: SideId, step: Step) -> Moved:
    walk = step.walk
    reasons = way_cost(situation.terms, step.start, walk.entered)
    return Moved(side, step.route.unit, step.start, walk.entered, walk.spent, walk.halt, walk.before, reasons, walk.met)


def _split(ledger: Ledger[Theatre, State], side: SideId, split: Split) -> None:
    rule = "R8.3" if isinstance(split.order, Joining) else "R8.1"
    fact = _fact(side, split)
    if fact is not None:
        ledger.emit(fact, rule=rule)


def _fact(side: SideId, split: Split) -> Fact | None:
    if split.force is None or split.parent is None:
        return None
    if split.denial is not None:
        return TaskForceDenied(side, split.order.unit, split.denial)
    if isinstance(split.order, Joining):
        return Rejoined(side, split.parent, split.force.id)
    return Detached(side, split.parent, split.force)
