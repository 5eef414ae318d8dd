"""News that waits for one person until a mail gathers it: the evening's digest, or the mail about their battles.

An item says where the news is, and is read again when the mail is written: by then it may be old, or its reader may
have changed sides. So it is on no record; the mail is.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from campaign.core import clock
from campaign.engine.values.ids import Audience
from campaign.mail import choices
from campaign.mail.choices import When
from campaign.models import Gathering, MailNews, Membership, Phase
from campaign.secrecy import truth
from campaign.viewers import Viewer


@dataclass(frozen=True, kw_only=True)
class NewsItem:
    """News for a member. Raises Breach if it is made elsewhere than in a block that writes to them."""

    key: str
    """What it is about: each key is kept once."""
    kind: str
    """As of a mail."""
    member: Membership
    phase: Phase
    battle: str = ""
    """The key of a battle."""
    text: str = ""
    """What the digest says of it; empty if it reads the news itself."""
    page: str = ""
    """The whole address where the reader finds more."""

    def __post_init__(self) -> None:
        truth.require_written(self.audience, self.member.user_id)

    @property
    def audience(self) -> Audience:
        return Viewer(self.member.campaign, self.member.user, self.member).audience


def keep(item: NewsItem) -> bool:
    """Keep news until it is gathered, within the caller's transaction; whether this call did it."""
    when = choices.chosen(item.member, item.kind)
    if when is When.NEVER:
        return False
    into, now = Gathering.DIGEST if when is When.DIGEST else Gathering.BATTLES, clock.now()
    with truth.opened("MailNews"):
        _, created = MailNews.objects.get_or_create(
            key=item.key,
            defaults={
                "member": item.member,
                "audience": item.audience,
                "phase": item.phase,
                "kind": item.kind,
                "battle": item.battle,
                "text": item.text,
                "page": item.page,
                "into": into,
                "created_at": now,
                "leaves_at": _leaving(item.member, into, now),
            },
        )
    return created


def _leaving(member: Membership, into: Gathering, now: datetime) -> datetime:
    """With what waits already; else in the evening, or at the end of a window that begins now."""
    first = MailNews.objects.filter(member=member, into=into, gathered_at=None).order_by("leaves_at").first()
    if first is not None:
        return first.leaves_at
    if into is Gathering.DIGEST:
        return choices.evening(member, now)
    return choices.outside_quiet_hours(member, now + choices.WINDOW)


def release(mails: Collection[int]) -> None:
    """Let the news of mails that never went out wait again: what else they said is still news."""
    with truth.opened("MailNews"):
        MailNews.objects.filter(mail__in=mails).update(mail=None, gathered_at=None)


def take_back(event: str) -> None:
    """Delete what waits to be gathered about an event, by the beginning of its keys: it is no news any more."""
    with truth.opened("MailNews"):
        MailNews.objects.filter(key__startswith=event, gathered_at=None).delete()


def forget(before: datetime) -> int:
    """Delete news that was gathered before this time; returns how much."""
    return MailNews.objects.filter(gathered_at__lt=before).delete()[0]
