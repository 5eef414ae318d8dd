"""Desks: formations of a side that its commander assigns to one of their staff. HQ orders all others."""

import re
from collections.abc import Iterable, Mapping
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404

from campaign.engine.values.ids import UnitId
from campaign.models import Desk, Membership, Role
from campaign.people.memberships import MAY_HOLD_A_DESK, Refused, lock, locked_member, record
from campaign.selectors import knowledge
from campaign.viewers import Viewer

LONGEST_DESK_NAME = 30


def set_desk(viewer: Viewer, *, name: str, formations: Iterable[str], holder: Membership, now: datetime) -> Desk:
    """Assign formations of a side to one of its staff, under a desk's name; replaces an older desk of that name."""
    side = holder.side if viewer.is_gm else viewer.side
    _require_orders(viewer, side)
    name, chosen = _desk_name(name), sorted(set(formations))
    with transaction.atomic():
        holder = locked_member(viewer, holder)
        if holder.side != side or holder.role not in MAY_HOLD_A_DESK:
            raise Refused(f"{holder.user.username} cannot hold this desk: choose a member of the side's staff.")
        known = formations_of(viewer, side)
        _require_known(chosen, known)
        _require_free(chosen, known, Desk.objects.for_viewer(viewer).filter(side=side).exclude(name=name))
        desk, _ = Desk.objects.for_viewer(viewer).update_or_create(
            campaign=viewer.campaign, side=side, name=name, defaults={"holder": holder, "formations": chosen}
        )
        record(viewer, "desk", {"side": side, "desk": name, "person": holder.user_id}, now, rows=[desk])
    return desk


def drop_desk(viewer: Viewer, *, side: str, name: str, now: datetime) -> None:
    """Close a desk: its formations go back to HQ. Http404 if the side has no such desk."""
    _require_orders(viewer, side)
    with transaction.atomic():
        lock(viewer.campaign)
        desk = Desk.objects.for_viewer(viewer).filter(side=side, name=name).first()
        if desk is None:
            raise Http404
        record(viewer, "drop_desk", {"side": side, "desk": name}, now, gone=[desk])
        desk.delete()


def desks_of(viewer: Viewer) -> QuerySet[Desk]:
    """The desks that the viewer may know of: those of their own side, all for the GM, else none."""
    return Desk.objects.for_viewer(viewer).select_related("holder__user").order_by("side", "name")


def formations_of(viewer: Viewer, side: str) -> Mapping[str, frozenset[UnitId]]:
    """A side's formations with their units, for those who assign them; none before the first publication."""
    _require_orders(viewer, side)
    commander = Membership(campaign=viewer.campaign, user=viewer.person, role=Role.COMMANDER, side=side)
    try:
        known = knowledge(Viewer(viewer.campaign, viewer.user, commander))  # the GM assigns what the side itself knows
    except Http404:
        return {}
    return known.loaded.rules.formations(known.loaded.scenario.game_data, known.state)


def _require_known(chosen: list[str], known: Mapping[str, frozenset[UnitId]]) -> None:
    if not chosen:
        raise Refused("Choose at least one formation for the desk.")
    strange = [name for name in chosen if name not in known]
    if strange:
        raise Refused(f"The side has no formation {strange[0]!r}.")


def _require_free(chosen: list[str], known: Mapping[str, frozenset[UnitId]], others: Iterable[Desk]) -> None:
    taken = [(desk, name) for desk in others for name in desk.formations]
    for wanted in chosen:
        for desk, name in taken:
            if known[wanted] & known.get(name, frozenset()):
                raise Refused(f"{wanted}: the desk {desk.name} already has {name}. A unit can have only one desk.")


def _desk_name(name: str) -> str:
    name = " ".join(name.split())
    if not re.fullmatch(rf"[^\W_](?:[^\W_]|[ -]){{0,{LONGEST_DESK_NAME - 1}}}", name):
        raise Refused(
            f"A desk's name can have letters, digits, spaces and dashes, and at most {LONGEST_DESK_NAME} characters."
        )
    if name.casefold() == "hq":
        raise Refused("Every side already has a desk HQ. Choose another name.")
    return name


def may_assign(viewer: Viewer, side: str) -> bool:
    """Whether the viewer assigns this side's desks: its commander and the GM do."""
    return viewer.is_gm or (viewer.role == Role.COMMANDER and viewer.side == side)


def _require_orders(viewer: Viewer, side: str) -> None:
    if not may_assign(viewer, side):
        raise Http404
