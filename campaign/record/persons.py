"""The people of a campaign on its record: a keyed digest of everybody's names and addresses.

If somebody changed an address in the database, a side's reports would go elsewhere. The digests are keyed, so that
neither the record nor a copy of the database without the site's key lets anybody try addresses.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime
from typing import Any

from allauth.account.models import EmailAddress
from django.db import transaction
from django.db.models import Model
from django.db.models.signals import post_delete, post_save

from campaign.core import clock
from campaign.models import Campaign, Membership, User
from campaign.record import audit
from campaign.record.audit import on_record

ALL = "people"
"""The act that puts all present and former members on record: once in each campaign, before anything depends on it."""

_changed: ContextVar[set[int] | None] = ContextVar("changed", default=None)


def seal_people(campaign: Campaign, *, at: datetime) -> None:
    """Put everybody who ever was a member on record, unless that was done, within the caller's transaction.

    A campaign that is older than this act has it at its next lock.
    """
    if not audit.has(campaign, ALL):
        people = list(User.objects.filter(memberships__campaign=campaign).order_by("pk"))
        audit.record(campaign, ALL, {"count": len(people)}, at=at, rows=people)


def record_join(member: Membership, *, at: datetime, rows: Iterable[Model] = ()) -> None:
    """Record that a person has joined, with their names and addresses."""
    seal_people(member.campaign, at=at)
    subject: dict[str, str | int] = {"person": member.user_id, "role": member.role, "side": member.side}
    audit.record(member.campaign, "join", subject, at=at, rows=[member, member.user, *rows])


@contextmanager
def changing(user: User) -> Iterator[None]:
    """A transaction in which people's names or addresses may change: each is recorded once, at its end.

    `user`: the person who may be concerned; their campaigns are locked first, as every act does.
    """
    changed: set[int] = set()
    token = _changed.set(changed)
    try:
        with transaction.atomic():
            list(_campaigns_of(user.pk).select_for_update(of=("self",), no_key=True))
            yield
            for user_id in sorted(changed):
                _record(user_id)
    finally:
        _changed.reset(token)


def watch() -> None:
    """Record changes of people and their addresses wherever they are saved.

    Sign-in pages are not ours and save these rows in many places, so the rows themselves tell of it.
    """
    post_save.connect(_saved, sender=User, dispatch_uid="people on record")
    for signal in (post_save, post_delete):
        signal.connect(_saved, sender=EmailAddress, dispatch_uid="addresses on record")


def _saved(
    *, instance: Any, created: bool = False, raw: bool = False, update_fields: Any = None, **_: object
) -> None:  # a signal's own names
    of_person = isinstance(instance, User)
    if raw or (of_person and (created or _is_free(update_fields))):
        return
    user_id, changed = instance.pk if of_person else instance.user_id, _changed.get()
    if changed is not None:
        changed.add(user_id)
    else:
        _record(user_id)


def _is_free(columns: Iterable[str] | None) -> bool:
    return columns is not None and set(columns) <= set(on_record(User).free)


def _record(user_id: int) -> None:
    """Put a person on the record of each of their campaigns. Verify misses a person who is deleted."""
    with transaction.atomic():
        person = User.objects.filter(pk=user_id).first()
        if person is None:
            return
        for campaign in _campaigns_of(user_id):
            seal_people(campaign, at=clock.now())
            audit.record(campaign, "person", {"person": user_id}, at=clock.now(), rows=[person])


def _campaigns_of(user_id: int) -> Any:
    return Campaign.objects.filter(memberships__user=user_id).order_by("pk")
