"""Words that each side writes for itself alone, so that a test finds them where they must not be."""

from campaign.core import clock
from campaign.engine.values.ids import GM
from campaign.models import Campaign, Phase, PhaseState, User
from campaign.viewers import viewer_of
from gm.machine.sweeper import sweep
from gm.phases.lifecycle import approve
from gm.phases.prefaces import save_prefaces
from orders.models import Draft
from questions.writing import ask
from staff.models import Comment
from tests.gm.campaigns import live, send

COMMANDERS = {"german": "Model", "allied": "Hodges"}
KINDS = ("note", "remark", "preface", "draft", "comment", "question")


def canary(side: str, kind: str) -> str:
    """The word that stands for what a side wrote of a kind; nothing else resembles it."""
    return f"canary{side}{kind}"


def canaries(*sides: str, kinds: tuple[str, ...] = KINDS) -> list[str]:
    return [canary(side, kind) for side in sides for kind in kinds]


def play_with_secrets(campaign: Campaign) -> None:
    """Play until both sides have sent a sheet, each with something of every kind; the GM has words for themselves."""
    waiting = dict(COMMANDERS)
    while waiting:
        phase = live(campaign)
        for side in phase.acts:
            if side in waiting and phase.key.endswith("_sheet"):
                _write(phase, side, waiting.pop(side))
        _publish(phase)


def _write(phase: Phase, side: str, name: str) -> None:
    viewer, now = viewer_of(User.objects.get(username=name), phase.campaign.slug), clock.now()
    owned = {"phase": phase, "side": side, "author": viewer.person}
    Draft.objects.create(**owned, text=canary(side, "draft"), saved_at=now)
    Comment.objects.create(**owned, audience=side, no=1, text=canary(side, "comment"), written_at=now)
    ask(viewer, canary(side, "question"), rule="R4.2", line="", now=now)
    text = f"NOTE {canary(side, 'note')}\nALL OTHERS HOLD # {canary(side, 'remark')}\nREADY"
    send(phase, viewer.person, text, side=side, ready=True, for_side=True)


def _publish(phase: Phase) -> None:
    """The deadline passes if anybody has not written; the GM writes to each side and to themselves, and publishes."""
    Phase.objects.filter(pk=phase.pk, state=PhaseState.OPEN).update(deadline_at=clock.now())
    sweep(worker="one")
    phase.refresh_from_db()
    assert phase.state == PhaseState.REVIEW
    words = {side: canary(side, "preface") for side in COMMANDERS} | {GM: canary(GM, "preface")}
    assert save_prefaces(phase.pk, words)
    assert approve(phase.pk, fence=phase.fence)
    sweep(worker="one")
