"""Desks: whose sheet is whose, and who reads and writes it."""

from dataclasses import dataclass

from django.http import Http404

from campaign.core import clock
from campaign.engine.values.ids import GM
from campaign.models import Desk
from campaign.people.absences import stands_in_for
from campaign.viewers import COMMANDING, Viewer, memberships_of
from orders.models import HQ


@dataclass(frozen=True)
class Place:
    """A desk whose sheet a viewer reads, and may write."""

    side: str
    """The side, or the GM, that the sheet is for."""
    name: str
    writes: bool
    formations: tuple[str, ...] | None
    """What it may order; None: everything."""
    held: bool = False
    """Whether it is another desk than HQ and somebody holds it."""


def side_of_sheets(viewer: Viewer) -> str:
    """The side, or the GM, whose sheets a viewer may read; Http404 for those who write none of their side's sheets."""
    if not viewer.writes_sheets:
        raise Http404
    return GM if viewer.is_gm else viewer.side


def places(viewer: Viewer) -> list[Place]:
    """The desks whose sheets a viewer may read, HQ first. Empty for those without a part in their side's orders."""
    if viewer.is_gm:
        return [Place(GM, HQ, writes=True, formations=None)]
    if not viewer.writes_sheets:
        return []
    desks = Desk.objects.for_viewer(viewer).filter(side=viewer.side).order_by("name")
    writes_for = [viewer.member, *stands_in_for(viewer, clock.now())]
    holders = {member.pk for member in writes_for}
    staff = [
        Place(
            viewer.side, desk.name, desk.holder_id in holders, tuple(desk.formations), held=desk.holder_id is not None
        )
        for desk in desks
    ]
    return [Place(viewer.side, HQ, any(member.role in COMMANDING for member in writes_for), None), *staff]


def place(viewer: Viewer, name: str) -> Place:
    """The desk of that name; Http404 if the viewer may not read its sheet, or if there is none."""
    found = next((each for each in places(viewer) if each.name == name), None)
    if found is None:
        raise Http404
    return found


def place_for(viewer: Viewer, side: str, name: str) -> Place:
    """The desk of a side for which a game master enters a sheet; Http404 if there is none."""
    if name == HQ:
        return Place(side, HQ, writes=True, formations=None)
    desk = Desk.objects.for_viewer(viewer).filter(side=side, name=name).first()
    if desk is None:
        raise Http404
    return Place(side, name, writes=True, formations=tuple(desk.formations))


def still_writes(viewer: Viewer, place: Place) -> bool:
    """Whether the viewer, who wrote this desk's sheet when the page was made, may write it now."""
    member = memberships_of(viewer.user).filter(campaign=viewer.campaign).first()
    now = Viewer(viewer.campaign, viewer.user, member)
    if now.is_gm:
        desk = Desk.objects.for_viewer(now).filter(side=place.side, name=place.name)
        return place.name == HQ or desk.exists()
    return any(each.writes and (each.side, each.name) == (place.side, place.name) for each in places(now))


def first_place(viewer: Viewer) -> Place:
    """A viewer's first desk: the first whose sheet they write, else HQ. Http404 if they have none."""
    all_ = places(viewer)
    if not all_:
        raise Http404
    return next((each for each in all_ if each.writes), all_[0])
