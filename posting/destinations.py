"""The destinations of a campaign: added for one audience for good, and withdrawn. Only game masters deal with them."""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import F, Max
from django.http import Http404

from campaign.core.failpoints import fp
from campaign.core.sealing import SealBroken, seal, unseal
from campaign.links import linked_audiences
from campaign.people import memberships
from campaign.people.memberships import locked_member
from campaign.templatetags.fieldpost import people
from campaign.viewers import Viewer
from posting.adapters import ADAPTERS, Adapter, Place
from posting.models import Destination, DispatchState, ThreadPost, TurnWebhook
from posting.network import PATIENCE

MOST = 20
"""The most destinations of a campaign that are not withdrawn."""
KEYS = "forum keys"
"""What keys are sealed for."""
KEY_LOST = (
    "The server's secret key has changed, and the key for this forum cannot be opened any more. Withdraw or remove it,"
    " and add it again."
)

WITHDRAWN = "The destination was withdrawn."


class Refused(Exception):
    """Nothing was changed. The message says why, and what to do."""


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """A destination as a game master has entered it."""

    audience: str
    kind: str
    address: str
    thread: str
    acts_as: str
    key: str


def destinations_of(viewer: Viewer) -> list[Destination]:
    """A campaign's destinations: first those in use, by audience."""
    found = Destination.objects.filter(campaign=viewer.campaign).select_related("created_by")
    return list(found.order_by(F("withdrawn_at").asc(nulls_first=True), "audience", "no"))


def destination_of(viewer: Viewer, no: int) -> Destination:
    """A destination that is in use; Http404 if there is none with this number."""
    found = Destination.objects.filter(campaign=viewer.campaign, no=no, withdrawn_at=None).first()
    if found is None:
        raise Http404
    return found


def add_destination(viewer: Viewer, wanted: Wanted, *, now: datetime) -> Destination:
    """A new destination for an audience. Raises Refused, and Http404 for an audience that there is not."""
    if wanted.audience not in linked_audiences(viewer.campaign) or wanted.kind not in ADAPTERS:
        raise Http404
    with transaction.atomic(durable=True):
        gm = _locked(viewer)
        _require_room(gm, wanted)
        here = Destination.objects.filter(campaign=gm.campaign)
        made = Destination.objects.create(
            campaign=gm.campaign,
            no=(here.aggregate(last=Max("no"))["last"] or 0) + 1,
            audience=wanted.audience,
            kind=wanted.kind,
            address=ADAPTERS[wanted.kind].normal(wanted.address),
            thread=wanted.thread,
            acts_as=wanted.acts_as,
            sealed_key=seal(KEYS, wanted.key.encode()),
            created_by=gm.person,
            created_at=now,
        )
        said: dict[str, str | int] = {"destination": made.no, "audience": made.audience}
        memberships.record(gm, "destination", said, now, rows=[made])
        fp("destination.before_commit")
    return made


def withdraw_destination(viewer: Viewer, no: int, *, now: datetime) -> None:
    """Post nothing there any more, and forget its key. Posts that wait are given up; those in doubt wait for the GM."""
    with transaction.atomic(durable=True):
        gm = _locked(viewer)
        found = destination_of(gm, no)
        Destination.objects.filter(pk=found.pk).update(withdrawn_at=now, sealed_key=b"")
        posts = ThreadPost.objects.filter(destination=found)
        posts.filter(state=DispatchState.WAITING).update(
            state=DispatchState.DEAD, next_at=None, trouble="The destination was withdrawn before it was posted."
        )
        in_doubt = posts.filter(state__in=(DispatchState.DOUBT, DispatchState.LEAVING))
        in_doubt.update(next_at=None, lease_until=None, fence=F("fence") + 1)  # a look-up under way notes nothing
        memberships.record(gm, "withdraw destination", {"destination": no}, now, rows=[found])
        fp("destination.before_commit")


def adapter_of(where: Destination | TurnWebhook, *, patience: float = PATIENCE) -> Adapter:
    """How to post there. Raises SealBroken if the key is gone or cannot be opened."""
    if not where.sealed_key:
        raise SealBroken("withdrawn")
    key = unseal(KEYS, bytes(where.sealed_key)).decode()
    if isinstance(where, TurnWebhook):
        return ADAPTERS["discord"](Place(where.address, "", "", key, patience))
    return ADAPTERS[where.kind](Place(where.address, where.thread, where.acts_as, key, patience))


def why_closed(where: Destination | TurnWebhook) -> str:
    """Why there is no adapter for it, once adapter_of has raised SealBroken."""
    return KEY_LOST if where.sealed_key else WITHDRAWN


def _locked(viewer: Viewer) -> Viewer:
    """The game master as they are now; Http404 if they are none. Acts of the campaign wait meanwhile."""
    gm = Viewer(viewer.campaign, viewer.user, locked_member(viewer, viewer.member))
    memberships.require_gm(gm)
    return gm


def _require_room(gm: Viewer, wanted: Wanted) -> None:
    """Raise Refused if others may read this place, or might; if it is in use; or if there are too many."""
    here = list(Destination.objects.filter(campaign=gm.campaign).order_by("no"))
    others = [each for each in here if each.audience != wanted.audience and _meet(each, wanted)]
    if others:
        raise Refused(_belongs(gm, others[0], wanted))
    in_use = [each for each in here if each.withdrawn_at is None]
    if any(_place(each) == _place(wanted) for each in in_use):
        raise Refused("Not added: this thread is among your destinations. To change its key, withdraw it first.")
    if len(in_use) >= MOST:
        raise Refused(f"Not added: there are {MOST} destinations, the most that there can be. Withdraw one first.")


def _place(where: Destination | Wanted) -> tuple[str, str]:
    """An address and a thread in the form in which they are compared. Letters count alike, large or small."""
    return ADAPTERS[where.kind].normal(where.address).lower(), where.thread


def _meet(one: Destination, other: Wanted) -> bool:
    """Whether the readers of one place may read the other."""
    (address, thread), (address_too, thread_too) = _place(one), _place(other)
    return address == address_too and (thread == thread_too or not ADAPTERS[other.kind].threads_are_apart)


def _belongs(gm: Viewer, other: Destination, wanted: Wanted) -> str:
    """Why a place cannot be used: another audience has it. Only for the game master, who knows all destinations."""
    whose = f"destination {other.no}, for {people(other.audience, gm.campaign)}"
    if ADAPTERS[wanted.kind].threads_are_apart:
        return (
            f"Not added: this thread belongs to another audience, or did: {whose}. Who can read it would learn what is"
            " not for them. Open a new thread for this audience."
        )
    return (
        f"Not added: this webhook belongs to another audience, or did: {whose}. Who can read its channel can read the"
        " threads in it too, and would learn what is not for them. Make a webhook in a channel of this audience."
    )
