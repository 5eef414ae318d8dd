"""Which mails a member gets, and when: each kind at once, in the digest or never, and none in their quiet hours."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from enum import StrEnum

from campaign.core import clock
from campaign.models import Membership, Role
from campaign.record.clock_changes import CLOSE
from campaign.schedule import Schedule, at_allowed_time
from campaign.services import fights_outside

EVENING = 19
"""The hour of the digest, by its reader's clock."""
WINDOW = timedelta(minutes=15)
"""How long the news of battles is gathered, from the first on."""


QUESTION, ANSWER, PRECEDENT = "question", "answer", "precedent"
ABOUT_QUESTIONS = (QUESTION, ANSWER, PRECEDENT)
"""The kinds of mail about questions, which stay true whatever becomes of the phase in which they were written."""

MAILED = "mailed"
"""The kind of mail that answers a mail of its reader's: at once, at whatever hour they wrote; it stays true."""


class When(StrEnum):
    NOW = "now"
    DIGEST = "digest"
    NEVER = "never"


@dataclass(frozen=True, kw_only=True)
class Kind:
    """A kind of mail about which members choose."""

    name: str
    label: str
    mails: tuple[str, ...]
    """The kinds of the outbox that belong to it."""
    usual: When
    """For who has chosen nothing."""
    of_gms: bool = False
    """Whether only game masters get it."""
    of_battles: bool = False
    """Whether it is about battles that are fought outside."""


KINDS = (
    Kind(name="orders", label="A phase waits for you", mails=("opened",), usual=When.NOW),
    Kind(
        name="battles",
        label=f"Your battles (“at once” is within {WINDOW.seconds // 60} minutes)",
        mails=("brief", "reported", "disputed", "meeting"),
        usual=When.NOW,
        of_battles=True,
    ),
    Kind(name="reports", label="Reports while you have nothing to do", mails=("report",), usual=When.DIGEST),
    Kind(name="reminders", label="Reminders before a deadline", mails=("reminder",), usual=When.NOW),
    Kind(
        name="clock",
        label="Changed deadlines and pauses",
        mails=("extend", "hold", "resume", "outage", CLOSE),
        usual=When.NOW,
    ),
    Kind(name="answers", label="The answer to your question", mails=(ANSWER,), usual=When.NOW),
    Kind(name="precedents", label="Other answers to questions", mails=(PRECEDENT,), usual=When.DIGEST),
    Kind(name="receipts", label="Receipts of your sheets", mails=("receipt",), usual=When.NEVER),
    Kind(name="drafts", label="Draft results are ready", mails=("review",), usual=When.NOW, of_gms=True),
    Kind(name="questions", label="A question waits for your answer", mails=(QUESTION,), usual=When.NOW, of_gms=True),
)
"""All other mails come at once: they are rare, and their readers must know."""

REPORTS = "reports"
"""The kind that the button of mail programs stops."""

_BY_MAIL: Mapping[str, Kind] = {mail: kind for kind in KINDS for mail in kind.mails}


def kinds_for(member: Membership) -> list[Kind]:
    """The kinds of mail that a member may get."""
    kinds = [kind for kind in KINDS if member.role == Role.GM or not kind.of_gms]
    return kinds if fights_outside(member.campaign) else [kind for kind in kinds if not kind.of_battles]


def choice(member: Membership, kind: Kind) -> When:
    """When a member gets this kind."""
    return When(member.mail_choices.get(kind.name, kind.usual))


def chosen(member: Membership, mail: str) -> When:
    """When a member gets mails of this kind of the outbox."""
    kind = _BY_MAIL.get(mail)
    return When.NOW if kind is None else choice(member, kind)


def wants(member: Membership | None, mail: str) -> bool:
    """Whether somebody gets mails of this kind of the outbox, at once or in the digest."""
    return member is not None and chosen(member, mail) is not When.NEVER


def evening(member: Membership, now: datetime) -> datetime:
    """When a member's next digest leaves, by their clock."""
    zone = clock.zone(member.user.time_zone)
    local = now.astimezone(zone)
    day = local.date() + timedelta(days=int(local.hour >= EVENING))
    return outside_quiet_hours(member, datetime.combine(day, time(EVENING), zone))


def leaves_at(member: Membership, mail: str, at: datetime) -> datetime:
    """When a mail of this kind of the outbox leaves that is due at this time: outside the member's quiet hours."""
    return at if mail == MAILED else outside_quiet_hours(member, at)


def outside_quiet_hours(member: Membership, at: datetime) -> datetime:
    """This time, or the end of the member's quiet hours if it falls into them."""
    zone, start, end = member.user.time_zone, member.mails_quiet_from, member.mails_quiet_to
    return at_allowed_time(Schedule(hours=0, zone=zone, quiet_from=start, quiet_to=end), at)
