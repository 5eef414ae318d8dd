"""How the stored campaigns are played on: what waits in them is done, then every one that is not over continues."""

from campaign.models import Battle, BattleState, Phase, PhaseState
from gm.desk import deadlines
from gm.machine.sweeper import sweep
from gm.phases import battles
from gm.phases.lifecycle import approve
from orders.battles.reading import mark_of
from orders.battles.reporting import confirm
from tests.gm.campaigns import Clock
from tests.stored.people import Group, which

PHASES_MORE = 2
"""Every campaign that is not over publishes as many at least."""


def play_on(set_clock: Clock) -> None:
    """Do what waits, then let deadlines pass."""
    _answer_report()
    deadlines.resume(Group("vith-held").viewer())
    Group("vith-open").send("Hodges", "HOLD CCB/9\nMOVE CCB/7 to P18\nREADY\n")
    set_clock.forward(minutes=10)  # the worker that had claimed a phase has lost it
    for _ in range(PHASES_MORE):
        _decide_battles()
        sweep(worker="two")
        _publish_drafts()
        set_clock.forward(hours=49)
    sweep(worker="two")
    _publish_drafts()


def _answer_report() -> None:
    """The defender confirms the report that waits for him."""
    group = Group("vith-battles")
    battle = group.phase.battles.defer(None).get(state=BattleState.REPORTED)
    confirm(group.viewer("Abrams"), which(battle), seen=mark_of(battle))


def _decide_battles() -> None:
    """The GM decides every battle that has no result, the disputed ones too."""
    undecided = Battle.objects.filter(phase__state=PhaseState.OPEN, state__in=[BattleState.OPEN, BattleState.DISPUTED])
    for battle in undecided.select_related("phase__campaign").order_by("pk"):
        viewer = Group(battle.phase.campaign.slug).viewer()
        battles.decide(viewer, which(battle), f"RESULT {battle.key} defenders")


def _publish_drafts() -> None:
    for draft in Phase.objects.filter(state=PhaseState.REVIEW).order_by("pk"):
        assert approve(draft.pk, fence=draft.fence)
