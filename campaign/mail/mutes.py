"""The address at which a member chooses their mails, signed in or not, and what they choose there."""

import hmac
from collections.abc import Mapping

from django.conf import settings
from django.http import Http404
from django.urls import reverse
from django.utils.crypto import constant_time_compare

from campaign.mail.choices import REPORTS, When
from campaign.models import Campaign, Membership, User


def mute_link(campaign: Campaign, user: User) -> str:
    """The address at which a member of a campaign chooses their mails."""
    return settings.SITE_URL + mute_path(campaign, user)


def mute_path(campaign: Campaign, user: User) -> str:
    """The same within the site, for the member's own pages."""
    return reverse("mute", args=[campaign.slug, _token(campaign, user, settings.SECRET_KEY)])


def unsubscribe_headers(campaign: Campaign, user: User) -> dict[str, str]:
    """Headers that let a mail program show a button that stops reports (RFC 8058)."""
    return {
        "List-Unsubscribe": f"<{mute_link(campaign, user)}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }


def member_of(slug: str, token: str) -> Membership:
    """The present member with this address, also under a key that was rotated since; Http404 if there is none."""
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    members = Membership.objects.filter(campaign__slug=slug, left_at=None).select_related("campaign", "user")
    for member in members:
        if any(constant_time_compare(_token(member.campaign, member.user, key), token) for key in keys):
            return member
    raise Http404


def mute(member: Membership) -> None:
    """Stop mails that only report."""
    choose(member, {REPORTS: When.NEVER}, quiet_from=member.mails_quiet_from, quiet_to=member.mails_quiet_to)


def choose(member: Membership, wanted: Mapping[str, When], *, quiet_from: int | None, quiet_to: int | None) -> None:
    """Set when a member gets these kinds of mail, and the hours in which they get none."""
    changed = {name: when.value for name, when in wanted.items()}
    Membership.objects.filter(pk=member.pk).update(
        mail_choices={**member.mail_choices, **changed}, mails_quiet_from=quiet_from, mails_quiet_to=quiet_to
    )


def _token(campaign: Campaign, user: User, key: str) -> str:
    secret = f"fieldpost mute|{campaign.slug}|{user.username}".encode()
    return hmac.digest(key.encode(), secret, "sha256")[:16].hex()
