"""What a member must do in an open phase: a sheet, the result of a battle, results that the GM waits for."""

from dataclasses import dataclass
from typing import Any

from campaign.core import clock
from campaign.engine.ruleset import Ruleset
from campaign.engine.values.ids import GM, PhaseKey, SideId
from campaign.fighting import fights
from campaign.mail.messages import link, to_member
from campaign.models import Battle, Desk, Membership, Phase, Role
from campaign.services import title_of
from campaign.viewers import COMMANDING, Viewer
from gm.absences import stood_in_for
from orders.models import HQ
from orders.readiness import StaffDesk, idle_desks


@dataclass(frozen=True)
class HeldDesk:
    """A desk whose sheet somebody writes."""

    name: str
    formations: tuple[str, ...] | None
    """What it may order; None: everything."""


@dataclass(frozen=True, kw_only=True)
class Todo:
    """What somebody must do in a phase, and where."""

    subject: str
    text: str
    button: str
    link: str
    desks: tuple[HeldDesk, ...] = ()
    """The desks whose sheets they write; empty if this is not about sheets."""


def todo_of(member: Membership, phase: Phase) -> Todo | None:
    """What the phase asks of a member; None if nothing."""
    if member.role == Role.GM:
        return _results(phase) if GM in phase.acts else None
    with to_member(member):
        battles = battles_of(member, phase)
        if battles:
            return _battles(member, phase, battles)
        return _sheet(member, phase) if member.side in phase.acts else None


def battles_of(member: Membership, phase: Phase) -> list[Battle]:
    """The battles of a phase that a member plays: as their player, or as commander if there is none."""
    viewer = Viewer(member.campaign, member.user, member)
    every = phase.battles.select_related("attacking_player", "defending_player").order_by("key")
    return [battle for battle in every if fights(viewer, battle)]


def _results(phase: Phase) -> Todo:
    return Todo(
        subject="battle results due",
        text=f"“{title_of(phase)}” of {phase.moment} is open. The players report the results. You can enter them too.",
        button="Battles",
        link=link("battles", phase.campaign.slug),
    )


def _battles(member: Membership, phase: Phase, battles: list[Battle]) -> Todo:
    *first, last = (battle.key for battle in battles)
    many = f"battles of {', '.join(first)} and {last}" if first else f"battle of {last}"
    return Todo(
        subject="your battle",
        text=f"“{title_of(phase)}” of {phase.moment} is open. You are the player in the {many}."
        " Report the result, or confirm the other player’s report."
        f"{' You can also assign another player of your side.' if member.role in COMMANDING else ''}",
        button="Battles",
        link=link("battles", phase.campaign.slug),
    )


def _sheet(member: Membership, phase: Phase) -> Todo | None:
    desks = asked_desks(member, phase.key)
    if not desks:
        return None
    names = " and ".join(desk.name for desk in desks)
    whose = f"the orders of the desks {names}" if len(desks) > 1 else f"the orders of your desk, {names}"
    return Todo(
        subject="your orders",
        text=f"“{title_of(phase)}” of {phase.moment} is open."
        f" Please write {'your side’s orders' if names == HQ else whose}.",
        button="Write your orders",
        link=link("sheet", phase.campaign.slug, desks[0].name),
        desks=desks,
    )


def without_sheet(rules: Ruleset[Any, Any], known: Any, side: str) -> str:
    """What happens if a side that is asked submits no sheet, as far as the side knows."""
    counts = "If no sheet is submitted by then, it counts as one without orders."
    stands = rules.standing is not None and rules.standing.of(known, SideId(side))
    return f"{counts} Your side’s standing orders stay in force." if stands else counts


def asked_desks(member: Membership, phase: str) -> tuple[HeldDesk, ...]:
    """The desks whose sheets an open phase, by its key, asks a member for: not those with nothing to decide."""
    own = desks_of(member)
    staff = [StaffDesk(desk.name, desk.formations) for desk in own if desk.formations is not None]
    if not staff:
        return own
    idle = idle_desks(Viewer(member.campaign, member.user, member), PhaseKey(phase), staff)
    return tuple(desk for desk in own if desk.name not in idle)


def desks_of(member: Membership) -> tuple[HeldDesk, ...]:
    """The desks whose sheets a member writes, also those of members for whom they stand in."""
    writes_for = [member, *stood_in_for(member, clock.now())]
    held = Desk.objects.filter(holder__in=writes_for).order_by("name").values_list("name", "formations")
    staff = (HeldDesk(name, tuple(formations)) for name, formations in held)
    return (HeldDesk(HQ, None), *staff) if any(each.role in COMMANDING for each in writes_for) else tuple(staff)
