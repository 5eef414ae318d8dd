"""Who takes part in a campaign: invitations, roles, leaving. Every act is in the audit chain.

A person who has been told one side's secrets, or the GM's, never plays on another side of the same campaign.
"""

import hashlib
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Model, QuerySet
from django.http import Http404
from django.urls import reverse
from sesame.utils import get_query_string

from campaign.briefings import mail_briefing
from campaign.core import clock
from campaign.engine.values.ids import GM
from campaign.models import (
    Battle,
    BattleState,
    Bot,
    CalendarFeed,
    Campaign,
    Invitation,
    JoiningWords,
    Membership,
    Role,
    User,
)
from campaign.people.hand_over_mails import mail_hand_over
from campaign.people.invitation_mails import mail_invitation, stop_mails
from campaign.people.sessions import part_changed
from campaign.record import audit
from campaign.record.dice_log import has_ended
from campaign.record.persons import record_join
from campaign.reports.layout import clean
from campaign.secrecy import truth
from campaign.selectors import PhaseInfo, open_phase
from campaign.services import scenario_of, takes_effect
from campaign.viewers import COMMANDING, Viewer, memberships_of

INVITATION_LASTS = timedelta(days=14)
LONGEST_WORDS = 200
HAND_OVER = "hand over"
"""The act by which a game master's part ends because another person has taken it over."""
MAY_HOLD_A_DESK = (Role.STAFF, Role.DEPUTY, Role.COMMANDER)
WITHOUT_SIDE = (Role.GM, Role.SPECTATOR)


class Refused(Exception):
    """The request is refused. The message tells the person why, and what they can do."""


class UnknownInvitation(Refused):
    """No link with this secret was ever made."""


class EarlyInvitation(Refused):
    """The link does not work yet: its GM can still think again."""


class SpentInvitation(Refused):
    """The link is void: it was used, revoked or not used in time."""


# --- signing in by a link --------------------------------------------------------------------------------------------


def entrance_link(user: User) -> str:
    """An address that signs this person in once, without a code, and nobody else."""
    return f"{settings.SITE_URL}{reverse('entrance')}{get_query_string(user)}"


def consume_entrance(user: User, *, at: datetime) -> bool:
    """Use a link up; False if another request used it first. Each sign-in voids the links before it."""
    before = User.objects.filter(pk=user.pk, last_login=user.last_login)
    return before.update(last_login=at) == 1


# --- invitations -----------------------------------------------------------------------------------------------------


def invite(
    viewer: Viewer,
    *,
    role: str,
    side: str,
    meant_for: str,
    now: datetime,
    address: str = "",
    takes_over: bool = False,
) -> str:
    """A new link by which one person joins, mailed to an address if there is one.

    `takes_over`: whoever joins by it is game master in the viewer's place, whose part then ends.
    Until its campaign's time to think again is over, it is not mailed and does not work. Returns its secret part, which
    is stored nowhere but in the mail until that is sent.
    """
    _require_gm(viewer)
    _require_part(viewer.campaign, role, side)
    if takes_over and role != Role.GM:
        raise Refused("Only a game master can take your place. Choose the role game master.")
    token = secrets.token_urlsafe(24)
    with transaction.atomic():
        if locked_member(viewer, viewer.member).role != Role.GM:  # removed a moment ago
            raise Http404
        invitation = Invitation.objects.create(
            campaign=viewer.campaign,
            token_digest=_digest(token),
            role=role,
            side=side,
            takes_over=takes_over,
            meant_for=meant_for,
            address=address,
            created_by=viewer.person,
            created_at=now,
            opens_at=takes_effect(viewer.campaign, now),
            expires_at=now + INVITATION_LASTS,
        )
        subject: audit.Subject = {"role": role, "side": side, **({"takes over": True} if takes_over else {})}
        record(viewer, "invite", subject, now, rows=[invitation])
        if address:
            mail_invitation(invitation, part=part(invitation), url=invitation_link(token))
    return token


def renew_invitation(viewer: Viewer, token_digest: str, *, now: datetime) -> tuple[Invitation, str]:
    """A new link in place of one that still works, which is void from now on; mailed as that was.

    Returns the void invitation and the new link's secret part. Http404 if it is not of this campaign, or void already,
    or if it hands over another game master's part.
    """
    with transaction.atomic():
        lock(viewer.campaign)
        found = open_invitations(viewer).filter(token_digest=token_digest).first()
        if found is None or not may_renew(viewer, found):
            raise Http404
        revoke_invitation(viewer, token_digest, now=now)
        again = {"role": found.role, "side": found.side, "meant_for": found.meant_for, "address": found.address}
        return found, invite(viewer, **again, takes_over=found.takes_over, now=now)


def may_renew(viewer: Viewer, invitation: Invitation) -> bool:
    """Whether a game master can make a new link in place of this one: nobody hands over another's part."""
    return not invitation.takes_over or invitation.created_by_id == viewer.person.pk


def invitation_link(token: str) -> str:
    """The address to give to the invited person."""
    return f"{settings.SITE_URL}{reverse('invitation', args=[token])}"


def opens_at(viewer: Viewer, token: str) -> datetime | None:
    """When a link of the campaign's GM begins to work; None: it worked at once."""
    return open_invitations(viewer).values_list("opens_at", flat=True).get(token_digest=_digest(token))


def open_invitations(viewer: Viewer) -> QuerySet[Invitation]:
    """The campaign's links that still work, for its GM."""
    _require_gm(viewer)
    unused = Invitation.objects.filter(campaign=viewer.campaign, used_at=None, revoked_at=None)
    return unused.filter(expires_at__gt=clock.now()).select_related("created_by").order_by("created_at")


def revoke_invitation(viewer: Viewer, token_digest: str, *, now: datetime) -> None:
    """Revoke an invitation; no effect if it is void already. Http404 if it is not of this campaign."""
    _require_gm(viewer)
    with transaction.atomic():
        lock(viewer.campaign)
        invitation = Invitation.objects.filter(campaign=viewer.campaign, token_digest=token_digest)
        if not invitation.exists():
            raise Http404
        if invitation.filter(used_at=None, revoked_at=None).update(revoked_at=now):
            stop_mails(invitation)
            record(viewer, "revoke", {"invitation": token_digest[:12]}, now, rows=invitation)


def invitation_of(token: str, *, now: datetime) -> Invitation:
    """The invitation of a link; raises UnknownInvitation, EarlyInvitation or SpentInvitation.

    One that was withdrawn before it worked was never known.
    """
    found = Invitation.objects.filter(token_digest=_digest(token)).select_related("campaign", "created_by")
    invitation = found.first()
    if invitation is None or was_cancelled(invitation):
        raise UnknownInvitation("Fieldpost does not know this invitation. Check that you copied the whole address.")
    if invitation.opens_at and now < invitation.opens_at:
        raise EarlyInvitation("This link does not work yet. Open it again in a minute.")
    if invitation.used_at:
        raise SpentInvitation(
            "This invitation has already been used. If you used it, sign in. If not, ask the game master for a new one."
        )
    if invitation.revoked_at:
        raise SpentInvitation("This invitation has been withdrawn. Ask the game master for a new one.")
    if invitation.expires_at <= now:
        raise SpentInvitation("This invitation has expired. Ask the game master for a new one.")
    return invitation


def was_cancelled(invitation: Invitation) -> bool:
    """Whether an invitation was withdrawn before it worked."""
    opens, revoked = invitation.opens_at, invitation.revoked_at
    return opens is not None and revoked is not None and revoked < opens


def accept_invitation(token: str, user: User, *, now: datetime, words: str = "") -> Membership:
    """Join by a link; raises Refused and changes nothing if that is impossible.

    A commander's `words`, whatever they are, go into the dice of the campaign's start.
    """
    with transaction.atomic():
        invitation = invitation_of(token, now=now)
        campaign = invitation.campaign
        lock(campaign)
        member = Membership.objects.filter(campaign=campaign, user=user).first()
        member = member or Membership(campaign=campaign, user=user, left_at=now)
        _require_welcome(member, invitation)
        live = Invitation.objects.filter(pk=invitation.pk, used_at=None, revoked_at=None, expires_at__gt=now)
        if not live.update(used_at=now, used_by=user):
            invitation_of(token, now=now)  # raises the reason if it is void by now
        _assign(member, invitation.role, invitation.side)
        member.joined_at, member.left_at, member.away_until = now, None, None
        member.save()
        with truth.opened("JoiningWords"):
            JoiningWords.objects.update_or_create(membership=member, defaults={"words": clean(words)[:LONGEST_WORDS]})
        part_changed(user.pk)
        record_join(member, at=now, rows=[invitation])
        if invitation.takes_over:
            _take_over(member, invitation.created_by, now)
        _relieve_bot(member, now)
        mail_briefing(member)
    return member


def _require_welcome(member: Membership, invitation: Invitation) -> None:
    if invitation.takes_over:
        _require_no_side(member, invitation)
        return
    if member.left_at is None:
        title = invitation.campaign.title
        raise Refused(f"You are already in {title}, as {part(member)}. Someone else can still use this invitation.")
    if not _may_be(member, invitation.role, invitation.side):
        raise Refused(
            f"You cannot join as {part(invitation)}: you have been {_past(member)} in this campaign."
            " Someone who knows one side's plans cannot play for the other."
        )


def _require_no_side(member: Membership, invitation: Invitation) -> None:
    """Whoever takes a campaign over has never played in it, and is not the one who hands it over."""
    if member.user_id == invitation.created_by_id:
        raise Refused("You made this invitation yourself. Pass it on to the person who takes over from you.")
    if _side_told(member) not in ("", GM):
        raise Refused(
            f"You cannot take over this campaign: you have been {_past(member)} in it. Someone who has played in a"
            " campaign never takes it over. Ask the game master to choose someone else."
        )


def _take_over(member: Membership, before: User, now: datetime) -> None:
    """End the part of the game master in whose place a member has joined, and tell everybody."""
    viewer = Viewer(member.campaign, member.user, member)
    giver = members(viewer).filter(user=before, role=Role.GM).first()
    if giver is None:  # their invitations were revoked with their part
        raise SpentInvitation("This invitation has been withdrawn. Ask the game master for a new one.")
    _end(viewer, giver, HAND_OVER, now)
    mail_hand_over(member.campaign, before=before.username, after=member.user.username, now=now)


# --- roles -----------------------------------------------------------------------------------------------------------


def change_role(viewer: Viewer, member: Membership, *, role: str, side: str, now: datetime) -> None:
    """Give a member another role. A player can never change sides."""
    _require_gm(viewer)
    _require_part(viewer.campaign, role, side)
    with transaction.atomic():
        member = locked_member(viewer, member)
        if (member.role, member.side) == (role, side):
            return
        if role in COMMANDING or member.role in COMMANDING:
            _require_running(viewer.campaign)
        if not _may_be(member, role, side):
            raise Refused(f"{member.user.username} has been {_past(member)} and cannot become {_part(role, side)}.")
        _require_another_gm(member)
        taken: list[Model] = []
        joins = side != member.side
        if joins or role not in MAY_HOLD_A_DESK:
            taken += _take_desks(member)
        if joins:
            taken += _take_battles(member)
            member.joined_at = now  # what a side's staff wrote before is not for them
        _assign(member, role, side)
        member.save(update_fields=["role", "side", "knows", "joined_at"])
        part_changed(member.user_id)
        if role != Role.GM:
            _take_invitations(viewer, member, now)
        record(viewer, "role", {"person": member.user_id, "role": role, "side": side}, now, rows=[member, *taken])
        _relieve_bot(member, now)
        if joins:
            mail_briefing(member)


def remove(viewer: Viewer, member: Membership, *, now: datetime) -> None:
    """End another person's part in the campaign."""
    _require_gm(viewer)
    if member.role in COMMANDING:
        _require_running(viewer.campaign)
    _end(viewer, member, "remove", now)


def leave(viewer: Viewer, *, now: datetime) -> None:
    """End the viewer's own part in the campaign."""
    _end(viewer, viewer.member, "leave", now)


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


def _end(viewer: Viewer, member: Membership, act: str, now: datetime) -> None:
    with transaction.atomic():
        member = locked_member(viewer, member)
        _require_another_gm(member)
        taken = [*_take_desks(member), *_take_battles(member)]
        absences = _take_absences(member)
        _assign(member, member.role, member.side)
        member.left_at = now
        _take_invitations(viewer, member, now)
        member.save(update_fields=["knows", "left_at"])
        part_changed(member.user_id)
        record(viewer, act, {"person": member.user_id}, now, rows=[member, *taken], gone=absences)


def _relieve_bot(member: Membership, now: datetime) -> None:
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


def _take_invitations(viewer: Viewer, member: Membership, now: datetime) -> None:
    """Revoke a former GM's own invitations, so that they cannot come back by one."""
    made = Invitation.objects.filter(campaign=viewer.campaign, created_by=member.user, used_at=None, revoked_at=None)
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
    others = Membership.objects.filter(campaign_id=member.campaign_id, role=Role.GM, left_at=None).exclude(pk=member.pk)
    if member.role == Role.GM and not others.exists():
        raise Refused("A campaign needs a game master. Make another member game master first.")


def _require_running(campaign: Campaign) -> None:
    """Who commanded a side at the end decides whether its staff room opens, and nobody else may change who that is."""
    if has_ended(campaign):
        raise Refused("The campaign is over. Those who commanded a side at its end stay its commanders.")


def _side_told(member: Membership) -> str:
    """Whose secrets a member has been told; the GM's include all others."""
    return member.knows or (GM if member.role == Role.GM else member.side)


def _may_be(member: Membership, role: str, side: str) -> bool:
    return role in WITHOUT_SIDE or _side_told(member) in ("", side)


def _assign(member: Membership, role: str, side: str) -> None:
    before = _side_told(member)
    member.role, member.side = role, side
    member.knows = GM if GM in (before, role) else side or before
    if member.pk is not None:
        CalendarFeed.objects.filter(member=member.pk).delete()


def _require_part(campaign: Campaign, role: str, side: str) -> None:
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


def _past(member: Membership) -> str:
    side = _side_told(member)
    return "game master" if side == GM else f"on the {side.capitalize()} side"


# --- shared by all acts ----------------------------------------------------------------------------------------------


def _require_gm(viewer: Viewer) -> None:
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


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
