"""The others as people (M20): addresses, accounts, settings, sessions, second factors, and what they typed.

Open to everybody in the campaign is the roster: forum names, roles and sides of present members.
"""

from datetime import timedelta
from inspect import unwrap
from zlib import compress

from allauth.account.models import EmailAddress, EmailConfirmation
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.auth.hashers import make_password
from django.contrib.sessions.backends.db import SessionStore
from knox.models import get_digest_token

from api.models import ApiToken
from api.tokens import LASTS
from campaign.core import clock
from campaign.engine.values.ids import PUBLIC
from campaign.models import (
    Absence,
    CalendarFeed,
    Campaign,
    JoiningWords,
    LastSeen,
    Membership,
    Phase,
    SubstituteOffer,
    Tries,
    User,
)
from campaign.people import throttles
from incoming.models import Answering, LastPoll, Mailbox, MailState, ReceivedMail, ReplyAddress
from orders.models import LockedWords, Sheet
from tests.secrecy.campaigns import SLUG, game, leavers
from tests.secrecy.mutators.change import Change
from tests.secrecy.mutators.others import others, parts_of_others, written

_LIMITS = [each for each in vars(throttles).values() if isinstance(each, throttles.Limit)]


def lives(change: Change) -> bool:
    """Change all that the service keeps of others, as if they lived elsewhere, had come earlier and by other ways."""
    for user in others(change):
        _account(change, user)
        _addresses(change, user)
        _signed_in(change, user)
        _offer(change, user)
        _second_factor(change, user)
        change.world.browsers.pop(user.username, None)  # its session is void: they sign in again
    for member in parts_of_others(change):
        _part(change, member)
    _words(change)
    return True


def _account(change: Change, user: User) -> None:
    chance = change.chance
    ago = timedelta(hours=chance.randint(1, 999))
    written(
        user,
        email=f"somebody.{chance.randint(1, 10**9)}@example.net",
        first_name="Verborgener",
        last_name=f"Mensch {chance.randint(1, 99)}",
        password=make_password(None),
        time_zone=chance.choice(["Europe/Berlin", "Asia/Tokyo", "America/New_York"]),
        last_login=clock.now() - ago,
        date_joined=clock.now() - ago * 2,
        mail_works_since=clock.now() - ago,
        parts_rev=user.parts_rev + chance.randint(1, 9),
        is_active=user.username not in leavers(game()),
        is_staff=not user.is_staff,
        is_superuser=not user.is_superuser,
    )


def _addresses(change: Change, user: User) -> None:
    user.refresh_from_db()
    EmailAddress.objects.filter(user=user, primary=True).update(email=user.email)
    more = EmailAddress.objects.create(user=user, email=f"second.{user.email}", verified=False, primary=False)
    key = f"key {change.chance.random()}"
    EmailConfirmation.objects.create(email_address=more, created=clock.now(), sent=clock.now(), key=key)


def _signed_in(change: Change, user: User) -> None:
    """Another browser in which they are signed in, and codes asked for. What else they have tried counts as one try."""
    session = SessionStore()
    session["known"] = change.chance.random()
    session.save()
    UserSession.objects.create(
        user=user,
        ip=f"192.0.2.{change.chance.randint(1, 254)}",
        created_at=clock.now() - timedelta(days=1),
        last_seen_at=clock.now(),
        session_key=session.session_key,
        user_agent=f"Browser {change.chance.random()}",
        data={"place": "home"},
    )
    for _ in range(change.chance.randint(1, 3)):
        throttles.allows(throttles.CODES, user.email, most=throttles.CODES.number)
    mark = unwrap(throttles._mark)  # without noting it, as nothing is tried
    marks = [mark(limit, f"account {user.pk}", clock.now()) for limit in _LIMITS]
    Tries.objects.filter(mark__in=marks).update(count=1)


def _offer(change: Change, user: User) -> None:
    """They would step in, as the GM alone reads."""
    said = {"words": f"an offer that nobody else knows {change.chance.random()}", "offered_at": clock.now()}
    here = Campaign.objects.get(slug=SLUG)
    SubstituteOffer.objects.update_or_create(campaign=here, author=user, defaults=said)


def _second_factor(change: Change, user: User) -> None:
    data = {"secret": f"a secret {change.chance.random()}"}
    Authenticator.objects.get_or_create(
        user=user, type=Authenticator.Type.TOTP, defaults={"data": data, "last_used_at": clock.now()}
    )


_MAILS = ("orders", "battles", "reports", "reminders", "clock", "answers", "precedents", "receipts")
"""The kinds of mail that members choose."""


def _part(change: Change, member: Membership) -> None:
    """Who wants which mails, is guided and when they came; of former members also whose secrets they were told."""
    earlier = member.joined_at - timedelta(days=change.chance.randint(1, 99))
    written(
        member,
        joined_at=earlier,
        mail_choices={kind: change.chance.choice(["now", "digest", "never"]) for kind in _MAILS},
    )
    written(member, mails_quiet_from=change.chance.randint(0, 11), mails_quiet_to=change.chance.randint(12, 23))
    written(member, guided=not member.guided, guide_step=change.chance.choice(["", "general-map", "aim", "finished"]))
    if member.left_at is not None:
        written(member, left_at=earlier + timedelta(hours=1), knows="gm")
    _token(change, member)
    _feed(change, member)
    LastSeen.objects.update_or_create(member=member, defaults={"at": earlier})
    _mail(change, member)
    _absence(change, member)
    words = {"words": f"words that nobody else knows {change.chance.random()}"}
    JoiningWords.objects.update_or_create(membership=member, defaults=words)


def _token(change: Change, member: Membership) -> None:
    """A program that uses the API for them."""
    digest, token = get_digest_token()
    ApiToken(
        digest=digest,
        token_key=token[:8],
        user=member.user,
        member=member,
        label=f"program {change.chance.random()}",
        role=member.role,
        side=member.side,
        scopes=["read"],
        created=clock.now(),
        expiry=clock.now() + LASTS,
        used_at=clock.now(),
    ).save()


def _feed(change: Change, member: Membership) -> None:
    """A calendar program that reads for them."""
    fresh = {"digest": f"{change.chance.getrandbits(256):064x}", "made_at": clock.now()}
    CalendarFeed.objects.update_or_create(member=member, defaults=fresh)


def _mail(change: Change, member: Membership) -> None:
    """A mail of theirs that came to the reply address of the newest phase, and what became of it."""
    chance, now = change.chance, clock.now()
    address = ReplyAddress.objects.create(
        member=member,
        phase=Phase.objects.filter(campaign=member.campaign_id).latest("no"),
        digest=f"{chance.getrandbits(256):064x}",
        role=member.role,
        side=member.side,
        since=member.joined_at,
        template=f"# words that nobody else knows {chance.random()}",
        made_at=now,
    )
    ReceivedMail.objects.create(
        address=address,
        digest=f"{chance.getrandbits(256):064x}",
        stored=compress(f"words that nobody else knows {chance.random()}".encode()),
        from_nobody=chance.choice([True, False]),
        too_large=chance.choice([True, False]),
        received_at=now,
        state=MailState.SUBMITTED,
        why=f"a reason that nobody else knows {chance.random()}",
        tries=chance.randint(1, 99),
        lease_until=now,
        handled_at=now,
        answering=Answering.SUMMARISED,
        sheet=Sheet.objects.filter(phase__campaign=member.campaign_id, side=member.side).first(),
        told_at=now,
    )
    _mailbox(change, address.phase)


def _mailbox(change: Change, phase: Phase) -> None:
    """How far the site's mailbox is read, and that the lock of a phase waited for it."""
    chance, now = change.chance, clock.now()
    asked = {
        "deadline_rev": chance.randint(1, 9),
        "asked_at": now,
        "answered_at": now,
        "missed_at": now,
        "told_at": now,
    }
    LastPoll.objects.update_or_create(phase=phase, defaults=asked)
    Mailbox.objects.create(
        name=f"{chance.getrandbits(256):064x}",
        validity=chance.randint(1, 10**9),
        uid=chance.randint(1, 10**9),
        retries={str(chance.randint(1, 9)): [1, now.isoformat()]},
        unfiled=[chance.randint(1, 10**9)],
        unfiled_why=f"a reason that nobody else knows {chance.random()}",
        unfiled_since=now,
        read_at=now,
        tried_at=now,
        failing_since=now,
        why=f"a reason that nobody else knows {chance.random()}",
    )


def _absence(change: Change, member: Membership) -> None:
    """Another absence, with somebody else of their side to stand in, or nobody; none if they had one."""
    chance = change.chance
    if not member.side or Absence.objects.filter(member=member).exclude(audience=PUBLIC).delete()[0]:
        return
    mates = Membership.objects.filter(campaign=member.campaign_id, side=member.side, left_at=None)
    since = clock.now() - timedelta(hours=chance.randint(1, 9))
    Absence.objects.create(
        member=member,
        audience=member.side,
        starts_at=since,
        ends_at=clock.now() + timedelta(days=chance.randint(1, 30)),
        deputy=mates.exclude(pk=member.pk).order_by("user__username").first(),
        why=f"a reason that nobody else knows {chance.random()}",
        booked_at=since,
    )


def _words(change: Change) -> None:
    """What others' commanders had typed when the campaign's start was locked; the printed digest of it stays."""
    start = Phase.objects.filter(campaign__slug=SLUG, no=0, published_at__isnull=False).first()
    for side in change.foreign if start else ():
        words = {
            "words": f"other words {change.chance.random()}",
            "nonce": f"{change.chance.getrandbits(128):032x}",
            "digest": f"{change.chance.getrandbits(256):064x}",
        }
        LockedWords.objects.update_or_create(phase=start, name=f"{side} commander", defaults={"side": side, **words})
