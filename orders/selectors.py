"""What a side reads of its own sheets: versions, those that counted, drafts."""

from dataclasses import dataclass

from campaign.engine.dice import parts
from campaign.engine.display.views import Panel, View
from campaign.engine.sheets import DeskSheet
from campaign.models import Desk, Phase
from campaign.secrecy import truth
from campaign.selectors import PhaseInfo
from campaign.viewers import Viewer
from orders.desks import Place, places
from orders.entropy import NOTHING, empty_sheet, frozen_words
from orders.models import HQ, Draft, LockedSheet, LockedWords, Sheet


@dataclass(frozen=True)
class DeskStatus:
    """How far a desk of the viewer's side is with its sheet for a phase."""

    place: Place
    newest: Sheet | None
    locked: bool
    """Whether the phase is locked with this sheet."""


def versions(viewer: Viewer, phase: PhaseInfo, place: Place) -> list[Sheet]:
    """All versions of a desk's sheet, the newest first."""
    sheets = Sheet.objects.for_viewer(viewer).filter(phase=phase.phase_id, side=place.side, desk=place.name)
    return list(sheets.select_related("author").order_by("-version"))


def desk_statuses(viewer: Viewer, phase: PhaseInfo) -> list[DeskStatus]:
    """All desks that the viewer may read, with the newest version of each."""
    here = places(viewer)
    side = here[0].side if here else ""
    sheets = Sheet.objects.for_viewer(viewer).filter(phase=phase.phase_id, side=side).defer("text").order_by("version")
    newest = {sheet.desk: sheet for sheet in sheets}
    locked = set(
        LockedSheet.objects.for_viewer(viewer)
        .filter(phase=phase.phase_id, side=side)
        .values_list("sheet_id", flat=True)
    )
    found = [(place, newest.get(place.name)) for place in here]
    return [DeskStatus(place, sheet, sheet is not None and sheet.pk in locked) for place, sheet in found]


def is_ready(viewer: Viewer, phase: PhaseInfo) -> bool:
    """Whether the phase waits for no desk of the viewer's side: HQ is READY, and each desk with a holder."""
    held = Desk.objects.for_viewer(viewer).filter(side=viewer.side, holder__isnull=False)
    ready = {each.place.name for each in desk_statuses(viewer, phase) if each.newest and each.newest.ready}
    return {HQ, *held.values_list("name", flat=True)} <= ready


def other_desks(viewer: Viewer, phase: PhaseInfo, place: Place) -> list[DeskSheet]:
    """The other desks of a desk's side with their sheets for a phase; empty where the GM writes their own sheet.

    To a GM who enters a sheet for a side, the others are sealed while the phase is open.
    """
    desks = Desk.objects.for_viewer(viewer).filter(side=place.side)
    may_order = {HQ: None, **{desk.name: tuple(desk.formations) for desk in desks}}
    sheets = Sheet.objects.for_viewer(viewer).filter(phase=phase.phase_id, side=place.side).order_by("version")
    newest = dict(sheets.values_list("desk", "text"))
    sealed = viewer.is_gm and phase.open
    return [
        DeskSheet(None if sealed else newest.get(desk, ""), desk, formations)
        for desk, formations in may_order.items()
        if desk != place.name
    ]


def own_units(viewer: Viewer, seen: View | None) -> list[Panel]:
    """The tables of the viewer's units in their side's newest View; empty before there is one."""
    panels = () if seen is None else seen.panels
    return [panel for panel in panels if panel.key == f"forces-{viewer.side}"]


def draft_of(viewer: Viewer, phase: PhaseInfo, place: Place) -> Draft | None:
    """The viewer's own draft for this desk."""
    return Draft.objects.for_viewer(viewer).filter(phase=phase.phase_id, side=place.side, desk=place.name).first()


@dataclass(frozen=True)
class Lock:
    """A phase's lock as one side may see it."""

    phase: Phase
    side: str
    sheets: tuple[LockedSheet, ...]
    """The side's own sheets, by desk."""
    contribution: str
    """The side's contribution to the dice; `none` if it did not act."""
    parts: tuple[str, ...]
    """All contributions to the dice; empty until the phase is published."""
    mix: str
    """The mix of the dice; empty until then as well."""
    words: tuple[LockedWords, ...] = ()
    """At the start: what its commanders had typed."""
    nonce: str = ""
    """The nonce of the empty sheet that counted because the side sent none."""


def lock_of(viewer: Viewer, side: str, *, no: int, rev: int) -> Lock | None:
    """The lock of a phase, for one side; None while it is not locked."""
    phases = Phase.objects.filter(campaign=viewer.campaign, no=no, rev=rev, locked_at__isnull=False)
    phase = phases.first()
    if phase is None:
        return None
    sheets = LockedSheet.objects.for_viewer(viewer).filter(phase=phase, side=side).select_related("sheet")
    with truth.opened("PhaseProof"):
        proof = phase.proof
    given, mix = (proof.contributions, proof.mix) if phase.published_at else ({}, "")
    contribution = proof.contributions.get(side, NOTHING)
    nonce, digest = empty_sheet(phase, side)
    return Lock(
        phase=phase,
        side=side,
        sheets=tuple(sorted(sheets, key=lambda row: row.desk)),
        contribution=contribution,
        parts=tuple(parts(given)),
        mix=mix,
        words=tuple(frozen_words(phase, side, contribution)) if not phase.no else (),
        nonce=nonce if contribution == digest else "",
    )


def counted(viewer: Viewer, sheet: Sheet) -> bool:
    """Whether the phase was, or will be, adjudicated with this version."""
    return LockedSheet.objects.for_viewer(viewer).filter(sheet=sheet).exists()
