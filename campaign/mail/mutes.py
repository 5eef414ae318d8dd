"""Who wants no mails that only report. One click sets it; mails that ask for something still come."""

import hmac

from django.conf import settings
from django.http import Http404
from django.utils.crypto import constant_time_compare

from campaign.mail.messages import link
from campaign.models import Membership


def mute_link(member: Membership) -> str:
    """The address at which a member mutes their reports, signed in or not."""
    return link("mute", member.campaign.slug, _token(member, settings.SECRET_KEY))


def unsubscribe_headers(member: Membership) -> dict[str, str]:
    """Headers that let a mail program show a button for it (RFC 8058)."""
    return {
        "List-Unsubscribe": f"<{mute_link(member)}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }


def member_of(slug: str, token: str) -> Membership:
    """The present member with this address, also under a key that was rotated since; Http404 if there is none."""
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    members = Membership.objects.filter(campaign__slug=slug, left_at=None).select_related("campaign", "user")
    for member in members:
        if any(constant_time_compare(_token(member, key), token) for key in keys):
            return member
    raise Http404


def mute(member: Membership) -> None:
    """Stop mails that only report."""
    Membership.objects.filter(pk=member.pk).update(mutes_reports=True)


def unmute(member: Membership) -> None:
    """Send mails that only report again."""
    Membership.objects.filter(pk=member.pk).update(mutes_reports=False)


def _token(member: Membership, key: str) -> str:
    secret = f"fieldpost mute|{member.campaign.slug}|{member.user.username}".encode()
    return hmac.digest(key.encode(), secret, "sha256")[:16].hex()
