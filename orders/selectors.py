"""What a side reads of its own sheets: versions, which of them counted, what is being written."""

from collections.abc import Iterator
from dataclasses import dataclass

from campaign.dice_keys import words_nonce
from campaign.engine.dice import parts
from campaign.engine.ids import SideId
from campaign.engine.values import decode
from campaign.engine.views import Panel, View
from campaign.models import Desk, Phase, Role, User
from campaign.seats import Seat
from campaign.selectors import Stop, artefact
from orders.desks import Beside, Place, places
from orders.intake import sheet_digest
from orders.models import HQ, Draft, LockedSheet, Sheet


@dataclass(frozen=True)
class DeskStatus:
    """How far a desk of the viewer's side has come with its sheet for a stop."""

    place: Place
    newest: Sheet | None
    locked: bool
    """The stop is locked with this sheet."""


def versions(stop: Stop, place: Place) -> list[Sheet]:
    """All versions of a desk's sheet, the newest first."""
    sheets = Sheet.objects.filter(phase=stop.phase_id, side=place.side, desk=place.name)
    return list(sheets.select_related("author").order_by("-version"))


def desk_statuses(seat: Seat, stop: Stop) -> list[DeskStatus]:
    """All desks that the viewer may read, with the newest version of each."""
    here = places(seat)
    sides = {place.side for place in here}
    sheets = Sheet.objects.filter(phase=stop.phase_id, side__in=sides).defer("text").order_by("version")
    newest = {(sheet.side, sheet.desk): sheet for sheet in sheets}
    locked = set(LockedSheet.objects.filter(phase=stop.phase_id, side__in=sides).values_list("sheet_id", flat=True))
    found = [(place, newest.get((place.side, place.name))) for place in here]
    return [DeskStatus(place, sheet, sheet is not None and sheet.pk in locked) for place, sheet in found]


def beside(seat: Seat, stop: Stop, place: Place) -> list[Beside]:
    """The other desks of a desk's side, with what each has sent for a stop; none where the GM writes for himself."""
    desks = Desk.objects.filter(campaign=seat.campaign, side=place.side)
    here = [Place(place.side, HQ, writes=False, formations=None)]
    here += [Place(place.side, desk.name, writes=False, formations=tuple(desk.formations)) for desk in desks]
    sheets = Sheet.objects.filter(phase=stop.phase_id, side=place.side).order_by("version")
    newest = dict(sheets.values_list("desk", "text"))
    return [Beside(other, newest.get(other.name, "")) for other in here if other.name != place.name]


def own_units(seat: Seat, newest: Stop | None) -> list[Panel]:
    """The tables of the viewer's units, as the newest published stop shows them to his side."""
    if newest is None:
        return []
    view: View = decode(artefact(seat, newest.no, "view"), View)
    return [panel for panel in view.panels if panel.key == f"forces-{seat.side}"]


def draft_of(author: User, stop: Stop, place: Place) -> Draft | None:
    """What this writer has not sent."""
    return Draft.objects.filter(phase=stop.phase_id, side=place.side, desk=place.name, author=author).first()


@dataclass(frozen=True)
class Lock:
    """A stop's lock as one side may see it."""

    phase: Phase
    side: str
    sheets: tuple[LockedSheet, ...]
    """Its own, by desk."""
    contribution: str
    """What the side brought to the dice; `none` without a sheet."""
    parts: tuple[str, ...]
    """What every side brought; empty until the stop is published."""
    words: tuple[tuple[str, str, str], ...] = ()
    """At the start: what its commanders typed, each with the nonce and the digest."""


def lock_of(seat: Seat, side: str, *, no: int, rev: int) -> Lock | None:
    """The lock of a stop, for one side; None as long as it is not locked."""
    stops = Phase.objects.filter(campaign=seat.campaign, no=no, rev=rev, locked_at__isnull=False)
    phase = stops.defer("state_before").first()
    if phase is None:
        return None
    sheets = sorted(phase.locked_sheets.filter(side=side).select_related("sheet"), key=lambda row: row.desk)
    given = {SideId(each): what for each, what in phase.contributions.items()}
    return Lock(
        phase=phase,
        side=side,
        sheets=tuple(sheets),
        contribution=given.get(SideId(side), "none"),
        parts=tuple(parts(given)) if phase.published_at else (),
        words=tuple(words_of(phase, side)) if not phase.no else (),
    )


def words_of(phase: Phase, side: str) -> Iterator[tuple[str, str, str]]:
    """What a side's commanders typed when they joined, by when they did, each with the nonce and the digest."""
    commanders = phase.campaign.memberships.filter(side=side, role=Role.COMMANDER, left_at=None).exclude(words="")
    for words, name in commanders.order_by("joined_at", "pk").values_list("words", "user__username"):
        salt = words_nonce(phase.campaign, side, name)
        yield words, salt, sheet_digest(words, salt)


def counted(sheet: Sheet) -> bool:
    """Whether the stop was, or will be, adjudicated with this version."""
    return LockedSheet.objects.filter(sheet=sheet).exists()
