"""Acts that the campaigns under faults do not contain, by the failpoint that each passes.

For each there is a function that prepares it and returns the function that does it.
"""

from collections.abc import Callable, Mapping
from datetime import timedelta

from campaign.links import make_link, revoke_link
from campaign.models import Campaign, Phase, PhaseState
from campaign.services import change_settings
from campaign.viewers import Viewer
from gm.desk.closing import close
from gm.desk.corrections import write_rulings
from gm.desk.exposure import Notify, expose
from gm.desk.reminders import remind_due
from gm.desk.reopening import reopen
from gm.desk.view_as import note_view_as
from gm.machine.sweeper import sweep
from gm.phases import approval
from gm.phases.battles import accept_overdue
from gm.phases.lifecycle import MOST_ERRORS, claim, fail, fail_unclaimed, retry, undo
from gm.phases.locking import lock
from gm.phases.opening import start_complete
from gm.phases.rolls import announce, void
from tests.battles import KEY, Field
from tests.gm.campaigns import live, new_campaign, review_drafts, send

Act = Callable[[], object]
Ready = Callable[[Field], Act]


def gm_of(field: Field) -> Viewer:
    return field.viewer("gm")


def reporting(field: Field) -> Act:
    return field.report


def deciding(field: Field) -> Act:
    field.report()
    field.confirm()
    return lambda: field.decide(f"RESULT {KEY} defenders")


def accepting(field: Field) -> Act:
    field.report()
    field.time.forward(hours=field.cast.campaign.battle_hours)
    return lambda: accept_overdue(field.time.now)


def closing(field: Field) -> Act:
    return lambda: close(gm_of(field))


def exposing(field: Field) -> Act:
    make_link(gm_of(field), 1, "german", now=field.time.now)
    return lambda: expose(gm_of(field), no=1, rev=0, side="german", what="in the wrong thread", tells=Notify.ALL)


def creating(_field: Field) -> Act:
    return lambda: new_campaign("another")


def linking(field: Field) -> Act:
    return lambda: make_link(gm_of(field), 1, "german", now=field.time.now)


def unlinking(field: Field) -> Act:
    link = make_link(gm_of(field), 1, "german", now=field.time.now)
    return lambda: revoke_link(gm_of(field), link.token, now=field.time.now)


def looking(field: Field) -> Act:
    return lambda: note_view_as(gm_of(field), 1, "german")


def reminding(field: Field) -> Act:
    field.time.now = field.phase.deadline_at - timedelta(hours=1)
    return lambda: remind_due(field.time.now)


def reopening(field: Field) -> Act:
    return lambda: reopen(gm_of(field), reason="the wrong map")


def changing_settings(field: Field) -> Act:
    return lambda: change_settings(field.cast.campaign, absent_hours=3)


def starting(field: Field) -> Act:
    Phase.objects.exclude(no=0).update(state=PhaseState.WITHDRAWN)
    Phase.objects.filter(no=0).update(state=PhaseState.OPEN, held=True)
    return lambda: start_complete(field.time.now)


# --- on a locked phase ------------------------------------------------------------------------------------------------


def locked(field: Field) -> Phase:
    send(field.phase, field.cast.user("gm"), f"RESULT {KEY} attackers", side="gm", ready=True)
    assert lock(field.phase.pk)
    return live(field.cast.campaign)


def failing(field: Field) -> Act:
    mine = claim(locked(field).pk, worker="one")
    assert mine is not None
    return lambda: fail(mine)


def failing_unclaimed(field: Field) -> Act:
    phase = locked(field)
    return lambda: fail_unclaimed(phase.pk)


def retrying(field: Field) -> Act:
    phase = locked(field)
    for _ in range(MOST_ERRORS):
        fail_unclaimed(phase.pk)
    return lambda: retry(phase.pk)


# --- on a draft ------------------------------------------------------------------------------------------------------


def drafted(field: Field) -> Phase:
    review_drafts()
    phase = locked(field)
    return swept(phase)


def swept(phase: Phase) -> Phase:
    sweep(worker="one")
    phase.refresh_from_db()
    assert phase.state == PhaseState.REVIEW
    return phase


def ruling(field: Field) -> Act:
    phase = drafted(field)
    return lambda: ruled(field, phase)


def ruled(field: Field, phase: Phase) -> bool:
    return write_rulings(
        phase,
        fence=phase.fence,
        stage=phase.key,
        text="FUEL 7",
        reason="a dump burnt",
        author=field.cast.user("gm"),
    )


def taking_back(field: Field) -> Act:
    phase = drafted(field)
    assert ruled(field, phase)
    fence = swept(phase).fence
    return lambda: undo(phase.pk, fence=fence, seq=1)


def rolling(field: Field) -> Act:
    phase = drafted(field)
    return lambda: rolled(field, phase)


def rolled(field: Field, phase: Phase) -> bool:
    author = field.cast.user("gm")
    return announce(phase.pk, fence=phase.fence, audience="german", count=2, sides=6, purpose="a bridge", author=author)


def voiding(field: Field) -> Act:
    phase, author = drafted(field), field.cast.user("gm")
    assert rolled(field, phase)
    said = {"audience": "german", "label": "manual/1", "reason": "the wrong one"}
    return lambda: void(phase.pk, fence=phase.fence, author=author, **said)


def approving(field: Field) -> Act:
    phase = thought_over(field)
    return lambda: approval.give(phase.pk, fence=phase.fence, author=field.cast.user("gm"))


def cancelling(field: Field) -> Act:
    phase, author = thought_over(field), field.cast.user("gm")
    assert approval.give(phase.pk, fence=phase.fence, author=author)
    return lambda: approval.cancel(phase.pk, fence=phase.fence, author=author)


def publishing_as_approved(field: Field) -> Act:
    phase = thought_over(field)
    assert approval.give(phase.pk, fence=phase.fence, author=field.cast.user("gm"))
    field.time.forward(seconds=60)
    return lambda: approval.publish_approved(field.time.now)


def thought_over(field: Field) -> Phase:
    """A draft in a campaign in which the GM can think again."""
    phase = drafted(field)
    Campaign.objects.update(think_seconds=60)
    return phase


ACTS: Mapping[str, tuple[Ready, ...]] = {
    "approve.after_commit": (approving,),
    "approve.before_commit": (approving, cancelling),
    "approve.due": (publishing_as_approved,),
    "battle.after_commit": (reporting, deciding),
    "battle.before_commit": (reporting, deciding, accepting),
    "close.before_commit": (closing,),
    "exposure.before_commit": (exposing,),
    "fail.before_commit": (failing, failing_unclaimed),
    "found.before_commit": (creating,),
    "link.before_commit": (linking, unlinking),
    "look.before_commit": (looking,),
    "reminder.before_commit": (reminding,),
    "reopen.before_commit": (reopening,),
    "reopen.mid": (reopening,),
    "retry.before_commit": (retrying,),
    "roll.before_commit": (rolling, voiding),
    "ruling.before_commit": (ruling, taking_back),
    "settings.before_commit": (changing_settings,),
    "start.before_commit": (starting,),
}
