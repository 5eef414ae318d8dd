"""Invitations by mail, to addresses that may have no account yet."""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime

from django.db.models import Q
from django.template.loader import render_to_string
from django.utils import timezone

from campaign.core import clock
from campaign.engine.values.ids import PUBLIC
from campaign.mail.outbox import MailMessage, enqueue
from campaign.models import Invitation, OutboxMessage, OutboxState
from campaign.secrecy import truth

KIND = "invitation"


def mail_invitation(invitation: Invitation, *, part: str, url: str) -> None:
    """Write the mail with an invitation's link, within the transaction that makes it; it leaves when the link works.

    `part`: the role in words. Of the mail only the address stays in the outbox once it is sent.
    """
    campaign = invitation.campaign
    context = {"campaign": campaign, "inviter": invitation.created_by.username, "part": part, "link": url}
    whole = {**context, "until": invitation.expires_at}
    with timezone.override(clock.zone(campaign.time_zone)), truth.writing(PUBLIC):
        message = MailMessage(
            key=_key(invitation.token_digest),
            kind=KIND,
            user=None,
            to_addr=invitation.address,
            subject=render_to_string("emails/invitation.subject.txt", whole),
            text=render_to_string("emails/invitation.txt", whole),
            html=render_to_string("emails/invitation.html", whole),
        )
    enqueue(message, not_before=invitation.opens_at)


def states_of(invitations: Collection[Invitation]) -> Mapping[str, OutboxMessage]:
    """What became of the mails of invitations, by the digest of the link; those without a mail are left out."""
    digests = {_key(each.token_digest): each.token_digest for each in invitations}
    return {digests[row.key]: row for row in OutboxMessage.objects.filter(key__in=digests)}


def stop_mails(invitations: Iterable[Invitation]) -> None:
    """Stop the mails of withdrawn invitations that have not gone out, within the caller's transaction.

    A person who takes a campaign over stops the mails of its former game master's invitations.
    """
    keys = [_key(each.token_digest) for each in invitations]
    with truth.opened("OutboxMessage"):
        waiting = OutboxMessage.objects.filter(key__in=keys, state=OutboxState.WAITING)
        waiting.update(state=OutboxState.DEAD, trouble="withdrawn", stored=b"")


def forget_addresses(now: datetime) -> int:
    """Empty the addresses of void invitations, and delete their mails; returns how many.

    A mail that is being sent right now is left for the next time, with its address.
    """
    void = Q(used_at__isnull=False) | Q(revoked_at__isnull=False) | Q(expires_at__lte=now)
    found = list(Invitation.objects.filter(void).exclude(address=""))
    stop_mails(found)
    for each in found:
        OutboxMessage.objects.filter(key=_key(each.token_digest)).exclude(state=OutboxState.SENDING).delete()
    under_way = OutboxMessage.objects.filter(key__in=[_key(each.token_digest) for each in found])
    waited_for = set(under_way.values_list("key", flat=True))
    found = [each for each in found if _key(each.token_digest) not in waited_for]
    return Invitation.objects.filter(pk__in=[each.pk for each in found]).update(address="")


def _key(token_digest: str) -> str:
    return f"{KIND}/{token_digest[:32]}"
