"""Erasing a person's account: their pictures are deleted with their files, and their stories lose their name.

The texts stay, as orders do. Of battle maps too only the pictures are deleted that they have added.
"""

import logging
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.db.models.signals import pre_delete

from campaign.core import clock
from campaign.models import Campaign, User
from campaign.people.memberships import lock
from campaign.record import audit
from campaign.secrecy import truth
from stories import keeping
from stories.models import MapPicture, Picture, Story

log = logging.getLogger(__name__)

ERASE = "stories erased"
"""The act on the record."""


@dataclass(frozen=True)
class Erased:
    """How much of a person there was to erase."""

    stories: int
    of_maps: int
    """Pictures of battle maps."""


def erase(user: User) -> Erased:
    """Delete a person's pictures and take their name off their stories.

    It makes no difference whether they are still a member of a campaign.
    """
    gone: list[Picture] = []
    done, deleted = 0, 0
    for campaign in _campaigns(user):
        with transaction.atomic(), truth.opened("MapPicture"):
            lock(campaign)
            stories = list(Story.objects.filter(battle__phase__campaign=campaign, author=user))
            of_maps = list(MapPicture.objects.filter(campaign=campaign, author=user))
            gone += [picture for story in stories for picture in story.pictures] + [row.picture for row in of_maps]
            for story in stories:
                story.pictures, story.author = (), None
                story.save(update_fields=["stored_pictures", "author"])
            said = {"count": len(stories), "maps": len(of_maps)}
            audit.record(campaign, ERASE, said, at=clock.now(), rows=stories, gone=of_maps)
            MapPicture.objects.filter(campaign=campaign, author=user).delete()
        done, deleted = done + len(stories), deleted + len(of_maps)
    if gone:
        transaction.on_commit(lambda: _delete_files(gone))
    return Erased(stories=done, of_maps=deleted)


def _delete_files(gone: Collection[Picture]) -> None:
    """Delete the files now, or leave them to the sweep: the rows that named them are gone already."""
    try:
        keeping.delete(gone)
    except keeping.Busy:
        log.warning("others are adding pictures: the next sweep deletes the files of %d erased pictures", len(gone))


def _campaigns(user: User) -> list[Campaign]:
    """Where a person has written stories or added pictures of battle maps."""
    with truth.opened("MapPicture"):
        of_maps = list(MapPicture.objects.filter(author=user).values_list("campaign", flat=True))
    wrote = Q(phases__battles__all_stories__author=user)
    return list(Campaign.objects.filter(wrote | Q(pk__in=of_maps)).distinct())


def watch() -> None:
    """Erase a person's stories whenever their account is deleted."""
    pre_delete.connect(_deleted, sender=User, dispatch_uid="stories of a person")


def _deleted(*, instance: User, **_: Any) -> None:
    erase(instance)
