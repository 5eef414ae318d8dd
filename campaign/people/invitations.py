"""Invitations: links by which people join a campaign, or take it over from its game master."""

import hashlib
import math
import secrets
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404
from django.urls import reverse

from campaign.briefings import mail_briefing
from campaign.core import clock
from campaign.models import Invitation, JoiningWords, Membership, Role, User
from campaign.people.hand_over_mails import mail_hand_over
from campaign.people.invitation_mails import mail_invitation, stop_mails
from campaign.people.memberships import (
    HAND_OVER,
    Refused,
    assign,
    end_part,
    lock,
    locked_member,
    may_be,
    members,
    part,
    past,
    played,
    record,
    relieve_bot,
    require_gm,
    require_part,
)
from campaign.people.sessions import part_changed
from campaign.record import audit
from campaign.record.persons import record_join
from campaign.reports.layout import clean
from campaign.secrecy import truth
from campaign.services import takes_effect
from campaign.viewers import Viewer

INVITATION_LASTS = timedelta(days=14)
LONGEST_WORDS = 200


class UnknownInvitation(Refused):
    """No link with this secret was ever made."""


class EarlyInvitation(Refused):
    """The link does not work yet: its GM can still think again."""


class SpentInvitation(Refused):
    """The link is void: it was used, revoked or not used in time."""


def invite(
    viewer: Viewer,
    *,
    role: str,
    side: str,
    meant_for: str,
    now: datetime,
    address: str = "",
    hides_address: bool = False,
    takes_over: bool = False,
) -> str:
    """A new link by which one person joins, mailed to an address if there is one.

    `hides_address`: the address is that of their account, and the game master does not read it.

    `takes_over`: the person who joins by it is game master in the viewer's place, whose part then ends.
    Until its campaign's time to think again is over, it is not mailed and does not work. Returns its secret part, which
    is stored nowhere but in the mail until that is sent.
    """
    require_gm(viewer)
    require_part(viewer.campaign, role, side)
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
            hides_address=hides_address,
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
        same = ("role", "side", "meant_for", "address", "hides_address", "takes_over")
        return found, invite(viewer, **{name: getattr(found, name) for name in same}, now=now)


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
    require_gm(viewer)
    unused = Invitation.objects.filter(campaign=viewer.campaign, used_at=None, revoked_at=None)
    return unused.filter(expires_at__gt=clock.now()).select_related("created_by").order_by("created_at")


def revoke_invitation(viewer: Viewer, token_digest: str, *, now: datetime) -> None:
    """Revoke an invitation; no effect if it is void already. Http404 if it is not of this campaign."""
    require_gm(viewer)
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
        minutes = math.ceil((invitation.opens_at - now) / timedelta(minutes=1))
        wait = "in a minute" if minutes == 1 else f"in {minutes} minutes"
        raise EarlyInvitation(f"This link does not work yet. Open it again {wait}.")
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

    A game master who takes over from another stays what they are, and only the other's part ends.
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
        if not (invitation.takes_over and _is_gm(member)):
            _join(member, invitation, now, words=words)
        if invitation.takes_over:
            _take_over(member, invitation, now)
    return member


def _is_gm(member: Membership) -> bool:
    return member.left_at is None and member.role == Role.GM


def _join(member: Membership, invitation: Invitation, now: datetime, *, words: str) -> None:
    """Give a person their new part, within the caller's transaction."""
    assign(member, invitation.role, invitation.side)
    member.joined_at, member.left_at, member.away_until = now, None, None
    member.save()
    with truth.opened("JoiningWords"):
        JoiningWords.objects.update_or_create(membership=member, defaults={"words": clean(words)[:LONGEST_WORDS]})
    part_changed(member.user_id)
    record_join(member, at=now, rows=[invitation])
    relieve_bot(member, now)
    mail_briefing(member)


def _require_welcome(member: Membership, invitation: Invitation) -> None:
    if invitation.takes_over:
        _require_no_side(member, invitation)
        return
    if member.left_at is None:
        title = invitation.campaign.title
        raise Refused(f"You are already in {title}, as {part(member)}. Someone else can still use this invitation.")
    if not may_be(member, invitation.role, invitation.side):
        raise Refused(
            f"You cannot join as {part(invitation)}: you have been {past(member)} in this campaign."
            " Someone who knows one side's plans cannot play for the other."
        )


def _require_no_side(member: Membership, invitation: Invitation) -> None:
    """Refuse a take-over by somebody who has played in the campaign, and by the one who hands it over."""
    if member.user_id == invitation.created_by_id:
        raise Refused("You made this invitation yourself. Pass it on to the person who takes over from you.")
    if why := played(member):
        raise Refused(
            f"You cannot take over this campaign: {why}. Someone who has played in a campaign never takes it over. Ask"
            " the game master to choose someone else."
        )


def _take_over(member: Membership, invitation: Invitation, now: datetime) -> None:
    """End the part of the game master in whose place a member is now, and notify people, in the same transaction."""
    viewer = Viewer(member.campaign, member.user, member)
    before = invitation.created_by
    giver = members(viewer).filter(user=before, role=Role.GM).first()
    if giver is None:  # their invitations were revoked with their part
        raise SpentInvitation("This invitation has been withdrawn. Ask the game master for a new one.")
    end_part(viewer, giver, HAND_OVER, now, rows=[invitation])
    mail_hand_over(member.campaign, before=before, after=member.user, now=now)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
