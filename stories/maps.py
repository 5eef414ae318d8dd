"""Pictures of battle maps: for each place of a campaign at most ten, for the players of the next battle there.

Players of a battle see, add and remove the pictures of its place, and the GM. Nobody is told who added one, when or in
which battle: they stand in the order of their digests, under names that say nothing. They are not tied to the name
and the notes of the map (`orders.battles.maps`), which have authors of their own.
"""

from datetime import datetime
from enum import Enum, auto
from typing import IO

import msgspec
from django.http import Http404

from campaign.engine.values.value import replace
from campaign.fighting import shares
from campaign.models import Battle
from campaign.record import audit
from campaign.secrecy import truth
from campaign.viewers import Viewer
from orders.battles.reading import battle_of
from orders.battles.reporting import (
    Answered,
    Unusable,
    Which,
    checked_words,
    held,
    require_open,
    require_sharing,
    subject_of,
)
from orders.intake import NotYours
from stories import keeping
from stories.models import MapPicture, Picture
from stories.receiving import OF_MAP, Refused, received
from stories.words import LONGEST_CAPTION

MOST = 10
"""Of a map."""
ADD, RECAPTION, REMOVE = "map picture", "map picture caption", "map picture removed"
"""The acts on the record."""


class Done(Enum):
    """What became of a picture that was sent."""

    ADDED = auto()
    RECAPTIONED = auto()
    """It was there already, and has the new caption now."""
    THERE = auto()
    """It was there already, and nothing changed."""


def pictures_of(viewer: Viewer, battle: Battle) -> tuple[Picture, ...]:
    """The pictures of the map of a battle's place, for its players and the GM; none for everybody else."""
    return tuple(row.picture for row in _rows(viewer, battle))


def picture_named(viewer: Viewer, key: str, token: str) -> Picture:
    """A picture of the place of a battle that waits; Http404 alike if it is for others and if there is none."""
    found = next((each for each in pictures_of(viewer, battle_of(viewer, key)) if each.token == token), None)
    if found is None:
        raise Http404
    return found


def add_picture(viewer: Viewer, which: Which, file: IO[bytes], caption: str) -> Done:
    """Add a picture to the map of a battle's place, until the phase closes. The same picture is added only once.

    A picture that is there gets the new caption, if there is one. Raises Unusable, and NotYours, OtherPhase, TooLate.
    """
    _require(viewer, battle_of(viewer, which.key))  # nothing is decoded for others
    caption = " ".join(checked_words("caption", caption, most=LONGEST_CAPTION).split())
    try:
        with received(file, caption=caption, sayings=OF_MAP) as picture:
            return _add(viewer, which, picture)
    except Refused as refusal:
        raise Unusable(str(refusal)) from refusal


def remove_picture(viewer: Viewer, which: Which, token: str) -> None:
    """Remove a picture with its files, of any player; raises Answered if it is not there, and as `add_picture`."""
    _require(viewer, battle_of(viewer, which.key))
    try:
        with keeping.alone():
            keeping.delete_unnamed([_remove(viewer, which, token)])
    except keeping.Busy as error:
        raise Unusable("Not removed: the server is busy with pictures. Wait a minute, then try again.") from error


def _add(viewer: Viewer, which: Which, picture: Picture) -> Done:
    with held(viewer, which) as (battle, now):
        side = _require(viewer, battle)
        rows = _rows(viewer, battle)
        same = next((row for row in rows if row.picture.digest == picture.digest), None)
        said = {**subject_of(battle), "side": side}
        if same is not None:
            return _recaption(same, picture.caption, said, now)
        if len(rows) >= MOST:
            raise Unusable(f"The picture was not added: a map has at most {MOST}. Remove one first.")
        with truth.opened("MapPicture"):
            row = MapPicture.objects.create(
                campaign=viewer.campaign,
                place=battle.key,
                side=side,
                author=viewer.person,
                token=picture.token,
                stored_picture=msgspec.to_builtins(picture),
                at=now,
            )
        audit.record(viewer.campaign, ADD, said, at=now, rows=[row])
        return Done.ADDED


def _recaption(row: MapPicture, caption: str, said: audit.Subject, now: datetime) -> Done:
    if caption in ("", row.picture.caption):
        return Done.THERE
    with truth.opened("MapPicture"):
        row.stored_picture = msgspec.to_builtins(replace(row.picture, caption=caption))
        row.save(update_fields=["stored_picture"])
    audit.record(row.campaign, RECAPTION, said, at=now, rows=[row])
    return Done.RECAPTIONED


def _remove(viewer: Viewer, which: Which, token: str) -> Picture:
    with held(viewer, which) as (battle, now):
        side = _require(viewer, battle)
        row = next((row for row in _rows(viewer, battle) if row.token == token), None)
        if row is None:
            raise Answered
        audit.record(viewer.campaign, REMOVE, {**subject_of(battle), "side": side}, at=now, gone=[row])
        with truth.opened("MapPicture"):
            MapPicture.objects.filter(pk=row.pk).delete()
        return row.picture


def _require(viewer: Viewer, battle: Battle) -> str:
    """The side that the viewer writes for, or the GM; raises NotYours, TooLate. Practice has no pictures."""
    if viewer.campaign.practice:
        raise NotYours
    side = require_sharing(viewer, battle)
    require_open(battle)
    return side


def _rows(viewer: Viewer, battle: Battle) -> list[MapPicture]:
    if not shares(viewer, battle):
        return []
    with truth.opened("MapPicture"):
        rows = list(MapPicture.objects.filter(campaign=viewer.campaign, place=battle.key))
    return sorted(rows, key=lambda row: row.picture.digest)
