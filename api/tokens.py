"""Tokens: made and shown once, listed, revoked, and what they allow."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, QuerySet
from knox.models import get_digest_token
from knox.settings import CONSTANTS

from api.models import ApiToken, Scope
from campaign.core import clock
from campaign.models import Membership, User
from campaign.people import memberships
from campaign.viewers import Viewer

LASTS = timedelta(days=365)
MOST = 10
"""The most tokens of one person in one campaign."""
_NOTED_EVERY = timedelta(hours=1)


class TooMany(Exception):
    """The person has as many tokens for this campaign as they may have."""


class NoGameMaster(Exception):
    """A token that acts as game master is only for those who are."""


def make_token(viewer: Viewer, *, label: str, scopes: Iterable[Scope]) -> str:
    """A new token for the viewer in their campaign, in place of those that have ended; raises TooMany and NoGameMaster.

    Nobody can find it out later.
    """
    now, member, may = clock.now(), viewer.member, {scope.value for scope in scopes}
    if Scope.GM.value in may and not viewer.is_gm:
        raise NoGameMaster
    with transaction.atomic():
        memberships.lock(viewer.campaign)
        own, valid = ApiToken.objects.filter(member=member), valid_tokens(now).filter(member=member)
        if valid.count() >= MOST:
            raise TooMany
        own.exclude(pk__in=valid.values("pk")).delete()
        token: str
        digest, token = get_digest_token()
        ApiToken(
            digest=digest,
            token_key=token[: CONSTANTS.TOKEN_KEY_LENGTH],
            user=viewer.person,
            member=member,
            label=label,
            role=member.role,
            side=member.side,
            scopes=sorted(may),
            created=now,
            expiry=now + LASTS,
        ).save(force_insert=True)
    return token


def valid_tokens(now: datetime) -> QuerySet[ApiToken]:
    """The tokens that can be used: their owners have had the same part in the campaign ever since."""
    same = {"role": F("member__role"), "side": F("member__side")}
    return ApiToken.objects.filter(expiry__gt=now, member__left_at=None, member__joined_at__lte=F("created"), **same)


def end_with_the_role(member: Membership) -> None:
    """Delete the tokens that somebody made in another role, so that none is valid again if they get it back."""
    ApiToken.objects.filter(member=member).exclude(role=member.role, side=member.side).delete()


def tokens_of(user: User, now: datetime) -> list[ApiToken]:
    """A person's tokens that can be used, the newest first."""
    own = valid_tokens(now).filter(user=user).select_related("member__campaign")
    return list(own.order_by("-created", "digest"))


def revoke(user: User, mark: str) -> None:
    """Delete one of a person's tokens by its mark, if they have it."""
    for each in ApiToken.objects.filter(user=user):
        if each.mark == mark:
            each.delete()


def note_use(token: ApiToken, now: datetime) -> None:
    """Write down that it was used, at most once an hour."""
    if token.used_at is None or now - token.used_at >= _NOTED_EVERY:
        ApiToken.objects.filter(pk=token.pk).update(used_at=now)
