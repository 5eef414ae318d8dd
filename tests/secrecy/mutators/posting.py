"""What game masters and players have set up to hear of others' phases elsewhere (M37): forum posts, and calls."""

from campaign.core import clock
from campaign.core.sealing import seal
from campaign.models import Membership, PhaseState
from campaign.viewers import viewer_of
from posting.calling import call_turns
from posting.destinations import KEYS, Refused, Wanted, add_destination, withdraw_destination
from posting.models import Destination, DispatchState, ThreadPost, TurnCall, TurnWebhook
from posting.sending import send_due
from posting.writing import withdraw_posts, write_posts
from tests.secrecy.campaigns import SLUG, live, person
from tests.secrecy.mutators.change import Change

NOWHERE = "http://forum.example"
"""Nobody is asked there, for want of TLS: each post is refused at once."""


def elsewhere(change: Change) -> bool:
    """Destinations of others get posts, of which different things become; one of others is called to their turn."""
    gm = viewer_of(person("gm"), SLUG)
    for side in change.foreign:
        _destination(change, side)
    newest = gm.campaign.phases.filter(state=PhaseState.PUBLISHED).order_by("-no").first()
    to_observer = Destination.objects.filter(audience=change.observer).exists()
    if newest is not None and not to_observer and not ThreadPost.objects.filter(phase=newest).exists():
        write_posts(newest, now=clock.now())
        send_due(clock.now())
        if change.chance.random() < 0.3:
            withdraw_posts(newest, now=clock.now())
    _happen(change)
    _call(change)
    return True


def _destination(change: Change, side: str) -> None:
    gm, chance = viewer_of(person("gm"), SLUG), change.chance
    thread, name = str(chance.randrange(1, 10**6)), f"umpire{chance.randrange(100)}"
    kind = chance.choice(["discourse", "xenforo"])
    wanted = Wanted(audience=side, kind=kind, address=NOWHERE, thread=thread, acts_as=name, key=f"key {thread}")
    try:
        made = add_destination(gm, wanted, now=clock.now())
    except Refused:  # there are enough
        return
    if chance.random() < 0.2:
        withdraw_destination(gm, made.no, now=clock.now())


def _happen(change: Change) -> None:
    """Something has become of each post of others."""
    for post in ThreadPost.objects.exclude(destination__audience=change.observer).order_by("pk"):
        state = change.chance.choice([DispatchState.SENT, DispatchState.DOUBT, DispatchState.DEAD])
        ThreadPost.objects.filter(pk=post.pk).update(
            state=state, remote_id=str(change.chance.randrange(10**6)), trouble="", sent_at=clock.now(), next_at=None
        )


def _call(change: Change) -> None:
    phase = live()
    member = Membership.objects.filter(campaign__slug=SLUG, side=change.enemy, left_at=None).order_by("pk").first()
    if phase is None or member is None:
        return
    key = f"{'k' * 30}{change.chance.randrange(10**6)}"
    TurnWebhook.objects.filter(user=member.user_id).delete()
    address = f"{NOWHERE}/api/webhooks/{change.chance.randrange(10**6, 10**9)}"
    TurnWebhook.objects.create(
        user=member.user, address=address, sealed_key=seal(KEYS, key.encode()), created_at=clock.now()
    )
    call_turns(phase, [member.user_id], now=clock.now())
    send_due(clock.now())
    TurnCall.objects.update(remote_id=str(change.chance.randrange(10**6)), sent_at=clock.now())
