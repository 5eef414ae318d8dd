"""Mails about a hand-over: to all players and game masters, and to the former game master, who has left."""

from datetime import datetime

from django.template.loader import render_to_string
from django.utils import timezone

from campaign.core import clock
from campaign.engine.values.ids import PUBLIC
from campaign.mail.delivery import HANDED_OVER
from campaign.mail.messages import Extras, message_to, present_members, written_to
from campaign.mail.outbox import MailMessage, enqueue
from campaign.models import Campaign, User

SUCCEEDED = "succeeded"
"""The kind of mail that tells a former game master who has taken over from them."""


def mail_hand_over(campaign: Campaign, *, before: User, after: User, now: datetime) -> None:
    """Write the mails of a hand-over, within the transaction that changes the game master."""
    phase = campaign.phases.select_related("campaign").order_by("-no", "-rev").first()
    if phase is None:
        raise LookupError(f"{campaign.slug} has no phase; every campaign has one since it was created")
    what = (
        f"{after.username} has taken over from {before.username} and is game master of this campaign now."
        f" {before.username} has left it."
    )
    key = f"{HANDED_OVER}/{campaign.slug}/{now.isoformat()}"
    context = {"what": what, "now": now}
    for member in present_members(campaign):
        notice = message_to(
            member, kind=HANDED_OVER, key=key, context=context, phase=phase, extras=Extras(template="notice")
        )
        enqueue(notice)
    enqueue(_farewell(campaign, before, after, now))


def _farewell(campaign: Campaign, before: User, after: User, now: datetime) -> MailMessage:
    """The mail to a former game master.

    They belong to no audience of the campaign any more, so it names the campaign and their successor and tells nothing
    else of it. It is a mail about their account, as the campaign's own are sent to its members alone.
    """
    whole = {"campaign": campaign, "after": after.username, "reader": before.username, "now": now}
    with timezone.override(clock.zone(before.time_zone)), written_to(before, PUBLIC):
        return MailMessage(
            key=f"{SUCCEEDED}/{campaign.slug}/{now.isoformat()}/{before.username}",
            kind=SUCCEEDED,
            user=before,
            to_addr=before.email,
            subject=render_to_string("emails/succeeded.subject.txt", whole),
            text=render_to_string("emails/succeeded.txt", whole),
            html=render_to_string("emails/succeeded.html", whole),
        )
