"""Maps of battles: for each place of a campaign the tactical map that was used there, for the next battle there.

Players of a battle read and correct the map of its place, and the GM. It says nothing of who used it before: no
author, time or battle is shown to players, and the public learns nothing. Every change is a new version; if the
newest is withdrawn, the one before it counts again. Maps belong to places, so a reopened phase changes none.
"""

import hashlib
from dataclasses import astuple, dataclass

from campaign.fighting import shares
from campaign.models import Battle, BattleMap
from campaign.record import audit
from campaign.secrecy import truth
from campaign.viewers import Viewer
from orders.battles.reporting import (
    Answered,
    Unusable,
    Which,
    checked_link,
    checked_words,
    held,
    require_open,
    require_sharing,
    subject_of,
)

LONGEST_NAME = 100
LONGEST_NOTES = 2000


@dataclass(frozen=True)
class MapTexts:
    """What is said of a map."""

    name: str
    link: str = ""
    notes: str = ""

    @property
    def mark(self) -> str:
        """What a form is about. It follows from the words alone: a number would count earlier battles."""
        return hashlib.sha256("\n".join(astuple(self)).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class KnownMap:
    """The map of a battle's place, without who wrote it or when."""

    texts: MapTexts
    own: bool
    """Whether the viewer may withdraw it: they wrote this version, or are the GM."""


def map_of(viewer: Viewer, battle: Battle) -> KnownMap | None:
    """The map of a battle's place, for its players and the GM; None if there is none, and for everybody else."""
    newest = _newest(_versions(viewer, battle))
    return None if newest is None else KnownMap(_texts(newest), _is_own(viewer, newest))


def versions_of(viewer: Viewer, battle: Battle) -> list[BattleMap]:
    """All versions of the map of a battle's place, the newest first, for the GM alone."""
    return _versions(viewer, battle) if viewer.is_gm else []


def keep_map(viewer: Viewer, which: Which, texts: MapTexts, *, seen: str) -> None:
    """Remember a map for the place of a battle, or correct it, until the phase closes.

    Raises Unusable, NotYours, TooLate; Answered if somebody changed it after the viewer had `seen` it.
    """
    with held(viewer, which) as (battle, now):
        side = require_sharing(viewer, battle)
        require_open(battle)
        texts = _checked(texts)
        known = map_of(viewer, battle)
        if known is not None and known.texts == texts:
            return
        if seen != (known.texts.mark if known else ""):
            raise Answered
        with truth.opened("BattleMap"):
            row = BattleMap.objects.create(
                campaign=viewer.campaign,
                place=battle.key,
                side=side,
                author=viewer.person,
                name=texts.name,
                link=texts.link,
                notes=texts.notes,
                at=now,
            )
        audit.record(viewer.campaign, "battle map", {**subject_of(battle), "side": side}, at=now, rows=[row])


def withdraw_map(viewer: Viewer, which: Which, *, seen: str) -> None:
    """Withdraw the newest version of a map, of one's own or as the GM. The version before it counts again.

    Raises NotYours, TooLate; Answered if it is not theirs, or changed after they had `seen` it.
    """
    with held(viewer, which) as (battle, now):
        side = require_sharing(viewer, battle)
        require_open(battle)
        versions = _versions(viewer, battle)
        named = next((row for row in versions if _texts(row).mark == seen and _is_own(viewer, row)), None)
        if named is not None and named.withdrawn_at is not None:
            return
        newest = _newest(versions)
        if newest is None or newest != named:
            raise Answered
        with truth.opened("BattleMap"):
            BattleMap.objects.filter(pk=newest.pk).update(withdrawn_at=now)
        subject = {**subject_of(battle), "side": side}
        audit.record(viewer.campaign, "battle map withdrawn", subject, at=now, rows=[newest])


def _versions(viewer: Viewer, battle: Battle) -> list[BattleMap]:
    """All versions of the map of a battle's place, the newest first, for its players and the GM."""
    if not shares(viewer, battle):
        return []
    with truth.opened("BattleMap"):
        rows = BattleMap.objects.filter(campaign=viewer.campaign, place=battle.key).select_related("author")
        return list(rows.order_by("-at", "-pk"))


def _newest(versions: list[BattleMap]) -> BattleMap | None:
    return next((row for row in versions if row.withdrawn_at is None), None)


def _is_own(viewer: Viewer, row: BattleMap) -> bool:
    return viewer.is_gm or row.author_id == viewer.person.pk


def _texts(row: BattleMap) -> MapTexts:
    return MapTexts(row.name, row.link, row.notes)


def _checked(texts: MapTexts) -> MapTexts:
    name = " ".join(checked_words("name", texts.name, most=LONGEST_NAME).split())
    if not name:
        raise Unusable("Give the map a name.")
    return MapTexts(name, checked_link(texts.link), checked_words("notes", texts.notes, most=LONGEST_NOTES))
