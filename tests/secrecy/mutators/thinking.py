"""Acts that others take and cancel before they take effect (M30): of those nobody else ever learns."""

from collections.abc import Iterator
from contextlib import contextmanager

from campaign.core import clock
from campaign.models import Campaign, Invitation, PhaseState, Role
from campaign.people import invitations
from campaign.services import writers_of
from campaign.viewers import Viewer, viewer_of
from gm.phases import approval
from orders.models import HQ, Sheet
from tests.secrecy.campaigns import SLUG, live, person
from tests.secrecy.mutators.change import Change

SECONDS = 60


@contextmanager
def time_to_think(seconds: int = SECONDS) -> Iterator[None]:
    """Acts of the campaign can be cancelled meanwhile."""
    here = Campaign.objects.filter(slug=SLUG)
    before = here.values_list("think_seconds", flat=True).get()
    here.update(think_seconds=seconds)
    try:
        yield
    finally:
        here.update(think_seconds=before)


def thought_again(change: Change) -> bool:
    """An enemy is READY, alone or for its side, the GM approves the draft and invites an enemy; all is cancelled."""
    viewer = viewer_of(person("gm"), SLUG)
    with time_to_think():
        _invite(viewer, change.enemy)
        _say_ready(change)
        _approve(viewer)
    return True


def _invite(viewer: Viewer, side: str) -> None:
    invitations.invite(viewer, role=Role.STAFF, side=side, meant_for="a friend", now=clock.now())
    newest = Invitation.objects.filter(campaign=viewer.campaign).order_by("-pk")[0]
    invitations.revoke_invitation(viewer, newest.token_digest, now=clock.now())


def _say_ready(change: Change) -> None:
    phase, side = live(), change.enemy
    if phase is None or phase.state != PhaseState.OPEN or side not in writers_of(phase):
        return
    sent = Sheet.objects.filter(phase=phase, side=side, desk=HQ).order_by("-version")
    text, newest = next(iter(sent.values_list("text", "version")), ("NOTE We think again.", 0))
    if any(sent.values_list("ready", flat=True)[:1]) or not text:
        return
    which = {"stop": phase.no, "rev": phase.rev}
    form = {"version": newest, "act": "anyway", "text": f"{text.rstrip()}\nREADY\n", "key": f"again {newest}"}
    form |= {"for_side": "1"} if change.chance.random() < 0.5 else {}
    who, path = f"{side} commander", f"/c/{SLUG}/orders/{HQ}/"
    change.world.ask(who, "POST", path, {**which, **form})
    if not any(sent.values_list("ready", flat=True)[:1]):  # refused: an earlier act of the example used up a limit, say
        return
    again = {"newest": newest + 1, "act": "cancel-ready", "key": f"not {newest}"}
    change.world.ask(who, "POST", path, {**which, **again})
    assert not sent[0].ready, "it is still READY"


def _approve(viewer: Viewer) -> None:
    phase = live()
    if phase is not None and phase.state == PhaseState.REVIEW:
        assert approval.give(phase.pk, fence=phase.fence, author=viewer.person)
        assert approval.cancel(phase.pk, fence=phase.fence, author=viewer.person)
