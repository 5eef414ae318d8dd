"""Staff rooms: who may read a side's comments, and which of them.

A room is for those who write the side's sheets, from when they joined the side. The game master reads what belongs to
locked phases, as they read sheets. Everybody else finds nothing, unless the side has opened its room after the end.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Q, QuerySet
from django.http import Http404

from campaign.engine.values.ids import PUBLIC
from campaign.models import Campaign
from campaign.selectors import PhaseInfo, mark_of
from campaign.services import scenario_of
from campaign.viewers import Viewer
from orders.models import Sheet
from staff.models import Comment, Visit

NEWEST = 40
"""The number of comments that pages besides the room show."""


@dataclass(frozen=True)
class Room:
    """A side's comments, for one who may read them."""

    viewer: Viewer
    side: str

    @property
    def is_own(self) -> bool:
        """Whether the reader is of the staff that writes here."""
        return is_staff(self.viewer) and self.viewer.side == self.side


def is_staff(viewer: Viewer) -> bool:
    """Whether the viewer has a staff room: they write sheets of a side. Nobody has one in a practice campaign."""
    return bool(viewer.side) and viewer.writes_sheets and not viewer.campaign.practice


def is_closed(campaign: Campaign) -> bool:
    """Whether the game master has closed the campaign."""
    return hasattr(campaign, "closing")


def room_of(viewer: Viewer, side: str) -> Room:
    """A side's room; Http404 alike if there is none and if the viewer may not read it."""
    if side not in sides_to_read(viewer):
        raise Http404
    return Room(viewer, side)


def sides_to_read(viewer: Viewer) -> list[str]:
    """The sides whose rooms the viewer may read; their own is the first."""
    if viewer.is_gm:
        return [] if viewer.campaign.practice else list(scenario_of(viewer.campaign).rules.sides)
    own = [viewer.side] if is_staff(viewer) else []
    return own + [side for side in opened_sides(viewer) if side not in own]


def opened_sides(viewer: Viewer) -> list[str]:
    """The sides that have opened their rooms to everybody."""
    if not is_closed(viewer.campaign):
        return []
    opened = Comment.objects.for_viewer(viewer).filter(audience=PUBLIC)
    return list(opened.order_by("side").values_list("side", flat=True).distinct())


def comments(room: Room) -> QuerySet[Comment]:
    """All comments in a room that its reader may read, the newest first."""
    viewer = room.viewer
    found = Comment.objects.for_viewer(viewer).filter(_readable(room), side=room.side)
    return found.select_related("author", "phase").order_by("-written_at", "-phase__no", "-phase__rev", "-no")


def _readable(room: Room) -> Q:
    if room.viewer.is_gm:
        return Q(phase__locked_at__isnull=False) | Q(audience=PUBLIC)
    opened = Q(audience=PUBLIC)
    return opened | Q(written_at__gte=room.viewer.member.joined_at) if room.is_own else opened


def named(viewer: Viewer, found: Iterable[Comment]) -> list[Comment]:
    """Comments whose phases can be named without asking for their campaign again."""
    rows = list(found)
    for row in rows:
        row.phase.campaign = viewer.campaign
    return rows


# --- what is new -----------------------------------------------------------------------------------------------------


def unread(viewer: Viewer) -> QuerySet[Comment]:
    """Comments of others in the viewer's own room since those that they have marked as read."""
    seen_at = Visit.objects.for_viewer(viewer).filter(member=viewer.member).values_list("seen_at", flat=True).first()
    found = comments(Room(viewer, viewer.side)).filter(removed_at=None)
    found = found.exclude(author=viewer.person.pk)
    return found if seen_at is None else found.filter(written_at__gt=seen_at)


# --- next to a sheet and a board -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PageComments:
    """The comments of one phase that belong next to a sheet or a board, with what a form for another one needs."""

    on_sheet: tuple[Comment, ...]
    on_places: tuple[Comment, ...]
    phase: str
    """The phase that a new comment is for; empty if nobody can write now."""
    is_locked: bool
    """Whether that phase is locked."""
    version: int = 0
    """The newest version of the sheet."""
    lines: tuple[tuple[int, str], ...] = ()
    """Its lines, by number, without empty ones."""


def sheet_comments(viewer: Viewer, phase: PhaseInfo, desk: str, newest: Sheet | None) -> PageComments | None:
    """What belongs next to a desk's sheet; None for those without a staff room."""
    if not is_staff(viewer):
        return None
    lines = enumerate(newest.text.split("\n"), 1) if newest else ()
    found = comments(Room(viewer, viewer.side)).filter(Q(desk=desk) | ~Q(place=""), phase=phase.phase_id)
    shown = named(viewer, found[:NEWEST])
    return PageComments(
        on_sheet=tuple(each for each in shown if each.desk == desk),
        on_places=tuple(each for each in shown if each.place),
        phase=mark_of(phase),
        is_locked=not phase.open,
        version=newest.version if newest else 0,
        lines=tuple((no, line.strip()) for no, line in lines if line.strip()),
    )


def board_comments(viewer: Viewer, shown: PhaseInfo, live: PhaseInfo | None) -> PageComments | None:
    """What was said of places while this board was the newest; None for those without a staff room."""
    if not is_staff(viewer):
        return None
    found = comments(Room(viewer, viewer.side)).filter(phase__no=shown.no + 1).exclude(place="")
    now = live if live is not None and live.no == shown.no + 1 else None
    return PageComments(
        on_sheet=(),
        on_places=tuple(named(viewer, found[:NEWEST])),
        phase=mark_of(now) if now else "",
        is_locked=now is not None and not now.open,
    )
