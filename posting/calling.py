"""Calls to people whose turn it is, by a webhook of their own. A call says in which campaign, and nothing else."""

from collections.abc import Collection
from datetime import datetime

from django.db import transaction

from campaign.core import clock
from campaign.core.sealing import seal
from campaign.mail import choices
from campaign.mail.messages import to_member
from campaign.models import Campaign, Membership, Phase, User
from campaign.reports import Flavour, markdown_line
from campaign.secrecy import truth
from campaign.viewers import Viewer
from posting.adapters import Discord, Outgoing, Place
from posting.destinations import KEYS
from posting.models import TurnCall, TurnWebhook

IMPATIENCE = 8.0
"""Seconds for a request while somebody waits for a page."""
_TEST = "This is a test: here Fieldpost tells you when it is your turn."


def call_turns(phase: Phase, users: Collection[int], *, now: datetime) -> None:
    """Write a call for each of these people who has a webhook, in the transaction that asks them to act in a phase.

    It waits for the end of their quiet hours, and there is none for those who want no mail that asks.
    """
    webhooks = TurnWebhook.objects.filter(user__in=users)
    by_user = {each.user_id: each for each in webhooks}
    members = Membership.objects.filter(campaign=phase.campaign_id, user__in=by_user, left_at=None)
    for member in members.select_related("campaign", "user"):
        if choices.wants(member, "opened"):
            with to_member(member):
                _write(by_user[member.user_id], member, phase, now)


def _write(webhook: TurnWebhook, member: Membership, phase: Phase, now: datetime) -> None:
    """Write one call. Raises Breach unless this block writes to its reader."""
    truth.require_written(Viewer(member.campaign, member.user, member).audience, member.user_id)
    with truth.opened("TurnCall"):
        TurnCall.objects.get_or_create(
            webhook=webhook,
            member=member,
            phase=phase,
            defaults={
                "text": words(member.campaign),
                "created_at": now,
                "next_at": choices.outside_quiet_hours(member, now),
            },
        )


def words(campaign: Campaign) -> str:
    """What a call says."""
    return markdown_line(f"Your turn in {campaign.title}.", Flavour.DISCORD)


# --- a person's own webhook ------------------------------------------------------------------------------------------


def webhook_of(user: User) -> TurnWebhook | None:
    """A person's webhook, for that person."""
    with truth.opened("TurnWebhook"):
        return TurnWebhook.objects.filter(user=user).first()


def newest_call(user: User) -> TurnCall | None:
    """The newest call to a person, for that person."""
    with truth.opened("TurnCall", "TurnWebhook"):
        return TurnCall.objects.filter(webhook__user=user).order_by("-created_at", "-pk").first()


def set_webhook(user: User, address: str, key: str) -> None:
    """Keep a person's webhook in place of any other, once a test has arrived there. Raises Trouble if it has not."""
    Discord(Place(address, "", "", key, IMPATIENCE)).post(Outgoing(_TEST, ""))
    with transaction.atomic(), truth.opened("TurnWebhook", "TurnCall"):
        TurnWebhook.objects.filter(user=user).delete()
        TurnWebhook.objects.create(
            user=user, address=address, sealed_key=seal(KEYS, key.encode()), created_at=clock.now()
        )


def remove_webhook(user: User) -> None:
    """Forget a person's webhook, and the calls to it."""
    with transaction.atomic(), truth.opened("TurnWebhook", "TurnCall"):
        TurnWebhook.objects.filter(user=user).delete()
