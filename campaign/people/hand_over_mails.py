"""Mails that tell everybody in a campaign that another person is its game master now."""

from datetime import datetime

from campaign.mail.delivery import HANDED_OVER
from campaign.mail.messages import Extras, message_to, present_members
from campaign.mail.outbox import enqueue
from campaign.models import Campaign


def mail_hand_over(campaign: Campaign, *, before: str, after: str, now: datetime) -> None:
    """Write a notice to all players and game masters, within the transaction that changes the game master."""
    phase = campaign.phases.select_related("campaign").order_by("-no", "-rev").first()
    if phase is None:
        raise LookupError(f"{campaign.slug} has no phase; every campaign has one since it was created")
    what = f"{after} has taken over from {before} and is game master of this campaign now. {before} has left it."
    key = f"{HANDED_OVER}/{campaign.slug}/{now.isoformat()}"
    context = {"what": what, "now": now}
    for member in present_members(campaign):
        notice = message_to(
            member, kind=HANDED_OVER, key=key, context=context, phase=phase, extras=Extras(template="notice")
        )
        enqueue(notice)
