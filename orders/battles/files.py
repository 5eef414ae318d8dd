"""The file of a battle: its players and the GM tell each other where the newest one is."""

from campaign.fighting import shares, with_revisions
from campaign.models import Battle, BattleFile
from campaign.record import audit
from campaign.secrecy import truth
from campaign.viewers import Viewer
from orders.battles.reporting import (
    Unusable,
    Which,
    checked_link,
    checked_words,
    held,
    require_open,
    require_sharing,
    subject_of,
)

LONGEST_NOTE = 200


def battle_files(viewer: Viewer, battle: Battle) -> list[BattleFile]:
    """All links to files of a battle, the newest first, for its players and the GM; for everybody else none."""
    if not shares(viewer, battle):
        return []
    with truth.opened("BattleFile"):
        rows = BattleFile.objects.filter(battle__in=with_revisions(battle)).select_related("author")
        return list(rows.order_by("-at", "-pk"))


def give(viewer: Viewer, which: Which, link: str, note: str = "") -> None:
    """Give the link to the newest file of a battle, until the phase closes. The same link and note again add nothing.

    Raises Unusable, NotYours, TooLate.
    """
    with held(viewer, which) as (battle, now):
        side = require_sharing(viewer, battle)
        require_open(battle)
        link, note = checked_link(link), " ".join(checked_words("note", note, most=LONGEST_NOTE).split())
        if not link:
            raise Unusable("Paste the link to the file.")
        newest = next(iter(battle_files(viewer, battle)), None)
        if newest is not None and (newest.author_id, newest.link, newest.note) == (viewer.person.pk, link, note):
            return
        with truth.opened("BattleFile"):
            row = BattleFile.objects.create(
                battle=battle, side=side, author=viewer.person, link=link, note=note, at=now
            )
        audit.record(viewer.campaign, "battle file", {**subject_of(battle), "side": side}, at=now, rows=[row])
