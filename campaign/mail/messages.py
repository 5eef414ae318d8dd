"""Messages to members of a campaign, from the templates in `emails/`, in the reader's time zone."""

from collections.abc import Collection, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from campaign.core import clock
from campaign.engine.values.ids import GM, Audience
from campaign.mail.mutes import mute_link
from campaign.mail.outbox import MailMessage
from campaign.models import Artefact, Campaign, Membership, Phase, Role, User
from campaign.record import audit
from campaign.secrecy import truth
from campaign.services import title_of
from campaign.viewers import Viewer


@dataclass(frozen=True, kw_only=True)
class Extras:
    """What only some messages have."""

    template: str = ""
    """Replaces the template of its kind."""
    pictures: Mapping[str, bytes] = field(default_factory=dict)
    published: Artefact | None = None
    """The stored artefact that is the picture."""
    headers: Mapping[str, str] = field(default_factory=dict)
    gist: str = ""
    """What a digest says instead of it."""
    page: str = ""
    gathered: Collection[int] = ()
    """The rows of news that it brings."""


PLAIN = Extras()


def written_to(user: User, audience: Audience) -> AbstractContextManager[None]:
    """A block that writes to one person: it reads only data for their audience."""
    return truth.reading(lambda: truth.Reader(audience, user.pk))


def to_member(member: Membership) -> AbstractContextManager[None]:
    """A block that writes to a member, of the audience that they belong to."""
    return written_to(member.user, Viewer(member.campaign, member.user, member).audience)


def present_members(campaign: Campaign) -> QuerySet[Membership]:
    """Every present player and GM with an address. Spectators receive no mail."""
    members = campaign.memberships.filter(left_at=None, user__is_active=True).exclude(user__email="")
    readers = members.exclude(role=Role.SPECTATOR).select_related("user", "campaign")
    return readers.order_by("user__username")


def message_to(
    member: Membership, *, kind: str, key: str, context: Mapping[str, Any], phase: Phase, extras: Extras = PLAIN
) -> MailMessage:
    """A message to one member about a phase. The key, of an event, gets the member's own part."""
    audience = Viewer(member.campaign, member.user, member).audience
    own = f"{key}/{member.user.username}"
    return message_for(member.user, audience=audience, kind=kind, key=own, context=context, phase=phase, extras=extras)


def message_for(
    user: User,
    *,
    audience: Audience,
    kind: str,
    key: str,
    context: Mapping[str, Any],
    phase: Phase,
    extras: Extras = PLAIN,
) -> MailMessage:
    """A message about a phase, for a reader of the audience; its three texts come from the same data."""
    name = f"emails/{extras.template or kind}"
    campaign = phase.campaign
    whole = {
        "campaign": campaign,
        "campaign_link": link("campaign", campaign.slug),
        "phase": phase,
        "title": title_of(phase),
        "reader": user.username,
        "audience": audience,
        "record_head": audit.head(campaign) if audience == GM else "",
        "choose_link": mute_link(campaign, user),
        **context,
    }
    with timezone.override(clock.zone(user.time_zone)), written_to(user, audience):
        return MailMessage(
            key=key,
            kind=kind,
            user=user,
            to_addr=user.email,
            subject=render_to_string(f"{name}.subject.txt", whole),
            text=render_to_string(f"{name}.txt", whole),
            html=render_to_string(f"{name}.html", whole),
            campaign=campaign,
            phase=phase,
            audience=audience,
            pictures=extras.pictures,
            published=extras.published,
            headers=extras.headers,
            gist=extras.gist,
            page=extras.page,
            gathered=extras.gathered,
        )


def link(name: str, *args: str | int) -> str:
    """The whole address of a page."""
    return settings.SITE_URL + reverse(name, args=args)
