"""Who takes part in a campaign: roles, and the ends of parts. Every act is in the audit chain.

A person who has been told one side's secrets, or the GM's, never plays on another side of the same campaign.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Model, QuerySet
from django.http import Http404

from campaign.briefings import mail_briefing
from campaign.engine.values.ids import GM
from campaign.models import (
    Battle,
    BattleState,
    Bot,
    CalendarFeed,
    Campaign,
    Invitation,
    Membership,
    Role,
    User,
)
from campaign.people.invitation_mails import stop_mails
from campaign.people.sessions import part_changed
from campaign.record import audit
from campaign.record.dice_log import has_ended
from campaign.secrecy import truth
from campaign.selectors import PhaseInfo, open_phase
from campaign.services import scenario_of
from campaign.viewers import COMMANDING, Viewer, memberships_of

HAND_OVER = "hand over"
"""The act by which a game master's part ends because another person has taken it over."""
ENDS = ("leave", "remove", HAND_OVER)
"""The acts that end a person's part."""
MAY_HOLD_A_DESK = (Role.STAFF, Role.DEPUTY, Role.COMMANDER)
WITHOUT_SIDE = (Role.GM, Role.SPECTATOR)


class Refused(Exception):
    """The request is refused. The message tells the person why, and what they can do."""


# --- roles -----------------------------------------------------------------------------------------------------------


def change_role(viewer: Viewer, member: Membership, *, role: str, side: str, now: datetime) -> None:
    """Give a member another role. A player can never change sides."""
    require_gm(viewer)
    require_part(viewer.campaign, role, side)
    with transaction.atomic():
        member = locked_member(viewer, member)
        if (member.role, member.side) == (role, side):
            return
        if role in COMMANDING or member.role in COMMANDING:
            _require_running(viewer.campaign)
        if not may_be(member, role, side):
            raise Refused(f"{member.user.username} has been {past(member)} and cannot become {_part(role, side)}.")
        _require_another_gm(member)
        taken: list[Model] = []
        joins = side != member.side
        if joins or role not in MAY_HOLD_A_DESK:
            taken += _take_desks(member)
        if joins:
            taken += _take_battles(member)
            member.joined_at = now  # what a side's staff wrote before is not for them
        assign(member, role, side)
        member.save(update_fields=["role", "side", "knows", "joined_at"])
        part_changed(member.user_id)
        if role != Role.GM:
            _take_invitations(viewer, member, now)
        record(viewer, "role", {"person": member.user_id, "role": role, "side": side}, now, rows=[member, *taken])
        relieve_bot(member, now)
        if joins:
            mail_briefing(member)


def remove(viewer: Viewer, member: Membership, *, now: datetime) -> None:
    """End another person's part in the campaign."""
    require_gm(viewer)
    if member.role in COMMANDING:
        _require_running(viewer.campaign)
    end_part(viewer, member, "remove", now)


def leave(viewer: Viewer, *, now: datetime) -> None:
    """End the viewer's own part in the campaign."""
    end_part(viewer, viewer.member, "leave", now)


def member_named(viewer: Viewer, name: str) -> Membership:
    """A present member of the campaign by forum name; Http404 if there is none."""
    member = members(viewer).filter(user__username=name).first()
    if member is None:
        raise Http404
    return member


def members(viewer: Viewer) -> QuerySet[Membership]:
    """The present members, by name."""
    present = Membership.objects.filter(campaign=viewer.campaign, left_at=None).select_related("user")
    return present.order_by("user__username")


def end_part(viewer: Viewer, member: Membership, act: str, now: datetime, *, rows: Iterable[Model] = ()) -> None:
    """End a member's part by one of ENDS. `rows`: others that the act has written."""
    with transaction.atomic():
        member = locked_member(viewer, member)
        _require_another_gm(member)
        taken = [*_take_desks(member), *_take_battles(member)]
        absences = _take_absences(member)
        assign(member, member.role, member.side)
        member.left_at = now
        _take_invitations(viewer, member, now, roles=WITHOUT_SIDE if act == HAND_OVER else Role.values)
        member.save(update_fields=["knows", "left_at"])
        part_changed(member.user_id)
        record(viewer, act, {"person": member.user_id}, now, rows=[member, *taken, *rows], gone=absences)


def relieve_bot(member: Membership, now: datetime) -> None:
    """A person who takes command of a side relieves the bot that commands it."""
    commanding = Bot.objects.filter(campaign=member.campaign, side=member.side, role=Role.COMMANDER)
    if member.role in COMMANDING and commanding.exists():
        end_bot(member.campaign, member.side, by=member.user_id, now=now)


def end_bot(campaign: Campaign, side: str, *, by: int, now: datetime) -> bool:
    """Let no bot play a side any more, within the caller's transaction; False if none does.

    `by`: who removed it, or took command in its place.
    """
    bot = Bot.objects.filter(campaign=campaign, side=side).first()
    if bot is None:
        return False
    audit.record(campaign, "no bot", {"side": side, "name": bot.name, "by": by}, at=now, gone=[bot])
    bot.delete()
    return True


def _take_desks(member: Membership) -> list[Model]:
    if not member.side:
        return []  # without a side there are none, and the query is refused: desks are for their side's eyes
    held = member.all_desks.filter(side=member.side)
    desks: list[Model] = list(held)
    held.update(holder=None)
    return desks


def _take_absences(member: Membership) -> list[Model]:
    """End the absences of who leaves, so that none is left when they come back; returns what they were."""
    booked = member.all_absences.all()
    absences: list[Model] = list(booked)
    booked.delete()
    return absences


def _take_invitations(
    viewer: Viewer, member: Membership, now: datetime, *, roles: Collection[str] = Role.values
) -> None:
    """Revoke a former GM's own invitations to these roles, so that they cannot come back by one.

    Links for players stay with their successor: a former GM cannot join by one.
    """
    made = Invitation.objects.filter(campaign=viewer.campaign, created_by=member.user, used_at=None, revoked_at=None)
    made = made.filter(role__in=roles)
    taken = list(made)
    if count := made.update(revoked_at=now):
        stop_mails(taken)
        record(viewer, "revoke", {"made by": member.user_id, "count": count}, now, rows=taken)


def _take_battles(member: Membership) -> list[Model]:
    undecided = Battle.objects.exclude(state__in=[BattleState.CONFIRMED, BattleState.ACCEPTED, BattleState.RULED])
    attacked, defended = undecided.filter(attacking_player=member), undecided.filter(defending_player=member)
    battles: list[Model] = [*attacked, *defended]
    attacked.update(attacking_player=None)
    defended.update(defending_player=None)
    return battles


def _require_another_gm(member: Membership) -> None:
    """Refuse the end of a game master's part if none stays, or only game masters who have played."""
    if member.role != Role.GM:
        return
    others = Membership.objects.filter(campaign_id=member.campaign_id, role=Role.GM, left_at=None).exclude(pk=member.pk)
    stay = list(others.select_related("campaign", "user"))
    if not stay:
        raise Refused(
            "A campaign needs a game master. Make another member game master first, or hand the campaign over on its"
            " page People."
        )
    if all(map(played, stay)) and not played(member):
        raise Refused(
            f"A campaign needs a game master who has not played in it. {stay[0].user.username} has, or may have. Hand"
            " the campaign over on its page People."
        )


def _require_running(campaign: Campaign) -> None:
    """Who commanded a side at the end decides whether its staff room opens, and nobody else may change who that is."""
    if has_ended(campaign):
        raise Refused("The campaign is over. Those who commanded a side at its end stay its commanders.")


def side_told(member: Membership) -> str:
    """Whose secrets a member has been told; the GM's include all others."""
    return member.knows or (GM if member.role == Role.GM else member.side)


def may_be(member: Membership, role: str, side: str) -> bool:
    return role in WITHOUT_SIDE or side_told(member) in ("", side)


def assign(member: Membership, role: str, side: str) -> None:
    before = side_told(member)
    member.role, member.side = role, side
    member.knows = GM if GM in (before, role) else side or before
    if member.pk is not None:
        CalendarFeed.objects.filter(member=member.pk).delete()


def require_part(campaign: Campaign, role: str, side: str) -> None:
    sides = scenario_of(campaign).rules.sides
    if role not in Role.values:
        raise Refused(f"There is no role {role!r}.")
    if role in WITHOUT_SIDE and side:
        raise Refused(f"A {Role(role).label.lower()} has no side. Leave the side empty.")
    if role not in WITHOUT_SIDE and side not in sides:
        raise Refused(f"Choose a side: a {Role(role).label.lower()} plays on one of {', '.join(sides)}.")


# --- for pages -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class OwnCampaign:
    """A campaign in a member's list."""

    viewer: Viewer
    part: str
    phase: PhaseInfo | None


def set_time_zone(user: User, name: str) -> None:
    """Set the zone in which a person reads times."""
    user.time_zone = name
    user.save(update_fields=["time_zone"])


def campaigns_of(user: User) -> list[OwnCampaign]:
    """The campaigns that a person takes part in, the newest first."""
    viewers = [Viewer(m.campaign, user, m) for m in memberships_of(user).order_by("-joined_at", "-pk")]
    return [OwnCampaign(viewer, part(viewer.member), open_phase(viewer)) for viewer in viewers]


def part(of: Membership | Invitation) -> str:
    """A role in words: German commander, game master."""
    if isinstance(of, Invitation) and of.takes_over:
        return f"{_part(of.role, of.side)} in place of {of.created_by.username}"
    return _part(of.role, of.side)


def _part(role: str, side: str) -> str:
    return f"{side.capitalize()} {Role(role).label.lower()}".strip()


def past(member: Membership) -> str:
    side = side_told(member)
    return "game master" if side == GM else on_side(side)


def played(member: Membership) -> str:
    """That somebody was ever on a side, or may have been, in words for them; empty if they never were.

    What a game master has been told includes all sides, so only the record says whether they were on one before.
    """
    if side_told(member) not in ("", GM):
        return f"you have been {past(member)} in it"
    with truth.opened("AuditEntry"):
        parts = member.campaign.audit.filter(act__in=("join", "role"), subject__person=member.user_id)
        entries = list(parts.order_by("no").values_list("act", "subject"))
    sides = [said["side"] for _, said in entries if said["side"]]
    if sides:
        return f"you have been {on_side(sides[0])} in it"
    if entries and entries[0][0] == "role":  # they joined before acts were recorded
        return "its record does not say whether you were on a side at first"
    return ""


def on_side(side: str) -> str:
    return f"on the {side.capitalize()} side"


# --- shared by all acts ----------------------------------------------------------------------------------------------


def require_gm(viewer: Viewer) -> None:
    if not viewer.is_gm:
        raise Http404


def lock(campaign: Campaign) -> None:
    """Serialise the acts of one campaign until the caller's transaction ends.

    Always lock in this order: the row of the phase, if needed; this; any other row that somebody else may change. An
    act that changes a row first and is recorded afterwards may deadlock with another.
    """
    Campaign.objects.select_for_update(no_key=True).only("pk").get(pk=campaign.pk)


def locked_member(viewer: Viewer, member: Membership) -> Membership:
    """A member's present row, locked; Http404 if they have left or are of another campaign."""
    lock(viewer.campaign)
    found = members(viewer).filter(pk=member.pk).first()
    if found is None:
        raise Http404
    return found


def record(
    viewer: Viewer,
    act: str,
    subject: audit.Subject,
    now: datetime,
    *,
    rows: Iterable[Model] = (),
    gone: Iterable[Model] = (),
) -> None:
    """Record an act of the viewer's, with the rows that it wrote and removed."""
    audit.record(viewer.campaign, act, {**subject, "by": viewer.person.pk}, at=now, rows=rows, gone=gone)
