"""What a side reads of its own sheets: versions, those that counted, drafts."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import timedelta
from functools import partial

from django.http import Http404

from campaign.core import clock
from campaign.engine.dice import parts
from campaign.engine.display.outcomes import Outcomes
from campaign.engine.display.views import Panel, View
from campaign.engine.sheets import DeskSheet, units_of
from campaign.engine.values.ids import UnitId
from campaign.models import Battle, Desk, Phase
from campaign.secrecy import truth
from campaign.secrecy.memory import Key, KeyedMemory
from campaign.selectors import Knowledge, PhaseInfo, outcomes
from campaign.viewers import Viewer
from orders.choices import entering
from orders.desks import Place, places, side_of_sheets
from orders.entropy import NOTHING, empty_sheet, frozen_words
from orders.models import HQ, Draft, LockedSheet, LockedWords, Sheet
from orders.outcomes import DeskOutcomes, WrittenLine, of_sheets, with_outcomes, without_notes
from orders.readiness import StaffDesk, idle_desks, unready


@dataclass(frozen=True)
class DeskStatus:
    """How far a desk of the viewer's side is with its sheet for a phase."""

    place: Place
    newest: Sheet | None
    locked: bool
    """Whether the phase is locked with this sheet."""
    idle: bool
    """Whether it has nothing to decide while the phase is open, so that nobody waits for its sheet."""
    waited_for: bool
    """Whether the open phase closes before its deadline only with its READY, or with that of HQ for all desks."""


def versions(viewer: Viewer, phase: PhaseInfo, place: Place) -> list[Sheet]:
    """All versions of a desk's sheet, the newest first."""
    sheets = Sheet.objects.for_viewer(viewer).filter(phase=phase.phase_id, side=place.side, desk=place.name)
    return list(sheets.select_related("author").order_by("-version"))


def version_of(viewer: Viewer, desk: str, *, no: int, rev: int, nth: int) -> Sheet:
    """A version of a sheet of the viewer's side; Http404 if there is none, or if they may not read it."""
    phase = {"phase__no": no, "phase__rev": rev}
    found = Sheet.objects.for_viewer(viewer).filter(**phase, side=side_of_sheets(viewer), desk=desk, version=nth)
    sheet = found.select_related("author", "phase").first()
    if sheet is None:
        raise Http404
    return sheet


def desk_statuses(viewer: Viewer, phase: PhaseInfo, *, after: PhaseInfo | None = None) -> list[DeskStatus]:
    """All desks that the viewer may read, with the newest version of each.

    `after`: the phase published last, if the caller has it.
    """
    here = places(viewer)
    side = here[0].side if here else ""
    sheets = Sheet.objects.for_viewer(viewer).filter(phase=phase.phase_id, side=side).defer("text").order_by("version")
    newest = {sheet.desk: sheet for sheet in sheets}
    locked = set(
        LockedSheet.objects.for_viewer(viewer)
        .filter(phase=phase.phase_id, side=side)
        .values_list("sheet_id", flat=True)
    )
    idle = _idle(viewer, phase, here, after)
    found = [(place, newest.get(place.name)) for place in here]
    asks = phase.open and side in phase.acts
    return [
        DeskStatus(
            place,
            sheet,
            locked=sheet is not None and sheet.pk in locked,
            idle=place.name in idle,
            waited_for=asks and (place.name == HQ or place.held) and place.name not in idle,
        )
        for place, sheet in found
    ]


def _idle(viewer: Viewer, phase: PhaseInfo, here: Iterable[Place], after: PhaseInfo | None) -> frozenset[str]:
    """Those of a side's desks that have nothing to decide in an open phase."""
    if not phase.open or viewer.side not in phase.acts:
        return frozenset()
    staff = [StaffDesk(place.name, place.formations) for place in here if place.formations is not None]
    return idle_desks(viewer, phase.key, staff, after=after)


def newest_version(viewer: Viewer, phase: PhaseInfo, place: Place) -> int:
    """The number of the newest version of a desk's sheet; 0 if there is none."""
    sheets = Sheet.objects.for_viewer(viewer).filter(phase=phase.phase_id, side=place.side, desk=place.name)
    return sheets.order_by("-version").values_list("version", flat=True).first() or 0


def unready_desks(viewer: Viewer, phase: PhaseInfo) -> list[str]:
    """The desks of the viewer's side for which the phase waits: HQ, and those with a holder, unless READY or idle."""
    held = Desk.objects.for_viewer(viewer).filter(side=viewer.side, holder__isnull=False).order_by("name")
    statuses = desk_statuses(viewer, phase)
    ready = [each.newest for each in statuses if each.newest and each.newest.ready]
    idle = {each.place.name for each in statuses if each.idle}
    names = (HQ, *(name for name in held.values_list("name", flat=True) if name not in idle))
    desks = [(viewer.side, desk) for desk in names]
    missing = unready(desks, ready)
    return [desk for side, desk in desks if (side, desk) in missing]


def speaks_for_others(place: Place, desks: Iterable[DeskStatus]) -> bool:
    """Whether the sheet of a desk can be READY for other desks: it is HQ's, and another of these desks has a holder."""
    return place.name == HQ and any(each.place.held for each in desks)


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


@dataclass(frozen=True)
class Orderable:
    """A unit that a desk may order."""

    unit: UnitId
    label: str
    at: str
    """Where the newest View has it; empty if it is not on the map."""
    enters: bool
    """Whether it is not on the map, and an order may lead it there."""
    formations: tuple[str, ...]
    """Those that it belongs to: an army and a corps, for instance."""
    desk: str
    """The desk that may order it besides HQ; HQ if there is none."""


def orderable(
    viewer: Viewer,
    known: Knowledge,
    phase: PhaseInfo,
    place: Place,
    *,
    seen: View,
    desks: Iterable[Place],
    after: PhaseInfo,
) -> list[Orderable]:
    """The units that a desk may order, with their formations and which of the side's desks has them.

    `after`: the phase published last, which `known` and `seen` follow.
    """
    rules, game_data = known.loaded.rules, known.loaded.scenario.game_data
    names = known.names.units.usual
    at = {counter.unit: counter.at for counter in seen.counters}
    formations = rules.formations(game_data, known.state)
    own = names.keys() if place.formations is None else units_of(formations, place.formations)
    desk_of = {unit: desk.name for desk in desks for unit in units_of(formations, desk.formations or ())}
    key, of = Key(viewer.audience, viewer.campaign, after), (phase.key, place.side, place.name, place.formations)
    found = partial(_entering, known, phase, place, away=own - at.keys())
    enter = _ENTERING.get(key, of, found) if known.after == after.no else found()
    return [
        Orderable(
            unit=unit,
            label=names[unit],
            at=at.get(unit, ""),
            enters=unit in enter,
            formations=tuple(name for name, units in formations.items() if unit in units),
            desk=desk_of.get(unit, HQ),
        )
        for unit in names
        if unit in own
    ]


_ENTERING: KeyedMemory[frozenset[UnitId]] = KeyedMemory(200_000, lambda units: 300 + sum(map(len, units)))


def _entering(known: Knowledge, phase: PhaseInfo, place: Place, *, away: Collection[UnitId]) -> frozenset[UnitId]:
    sheet = DeskSheet("", place.name, place.formations)
    return entering(known, phase.key, [sheet], side=place.side, units=away)


def draft_of(viewer: Viewer, phase: PhaseInfo, place: Place) -> Draft | None:
    """The viewer's own draft for this desk."""
    return Draft.objects.for_viewer(viewer).filter(phase=phase.phase_id, side=place.side, desk=place.name).first()


def unsubmitted_draft(viewer: Viewer, phase: PhaseInfo | None, place: Place) -> Draft | None:
    """The viewer's newest draft for this desk that they did not submit before its phase closed, for some days."""
    drafts = Draft.objects.for_viewer(viewer).filter(
        phase__campaign=viewer.campaign, side=place.side, desk=place.name, saved_at__gte=clock.now() - DRAFTS_SHOWN
    )
    others = drafts.exclude(text="").exclude(phase=phase.phase_id if phase else None)
    return others.select_related("phase__campaign").order_by("-saved_at").first()


DRAFTS_SHOWN = timedelta(days=7)
"""How long a draft is shown after its phase has closed."""


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
    outcomes: tuple[DeskOutcomes, ...] = ()
    """What became of the lines; empty until the phase is published."""
    battles: tuple[Battle, ...] = ()
    """The battles whose results the phase waited for, instead of orders."""


def lock_of(viewer: Viewer, side: str, *, no: int, rev: int) -> Lock | None:
    """The lock of a phase, for one side; None while it is not locked."""
    phases = Phase.objects.filter(campaign=viewer.campaign, no=no, rev=rev, locked_at__isnull=False)
    phase = phases.first()
    if phase is None:
        return None
    rows = LockedSheet.objects.for_viewer(viewer).filter(phase=phase, side=side).select_related("sheet")
    sheets = tuple(sorted(rows, key=lambda row: row.desk))
    with truth.opened("PhaseProof"):
        proof = phase.proof
    given, mix = (proof.contributions, proof.mix) if phase.published_at else ({}, "")
    contribution = proof.contributions.get(side, NOTHING)
    nonce, digest = empty_sheet(phase, side)
    return Lock(
        phase=phase,
        side=side,
        sheets=sheets,
        contribution=contribution,
        parts=tuple(parts(given)),
        mix=mix,
        words=tuple(frozen_words(phase, side, contribution)) if not phase.no else (),
        nonce=nonce if contribution == digest else "",
        outcomes=of_sheets(sheets, outcomes(viewer, phase.pk)),
        battles=tuple(phase.battles.order_by("key")),
    )


def opened_sheets(reader: Viewer, phase: PhaseInfo) -> tuple[DeskOutcomes, ...]:
    """The sheets of the reader's audience that counted, line by line; without NOTE lines where these stay shut."""
    rows = LockedSheet.objects.for_viewer(reader).filter(phase=phase.phase_id, side=reader.audience)
    locked = sorted(rows.select_related("sheet"), key=lambda row: (row.desk != HQ, row.desk))
    found = of_sheets(locked, outcomes(reader, phase.phase_id) or Outcomes())
    return tuple(map(without_notes, found)) if reader.without_notes else found


def counted(viewer: Viewer, sheet: Sheet) -> bool:
    """Whether the phase was, or will be, adjudicated with this version."""
    return LockedSheet.objects.for_viewer(viewer).filter(sheet=sheet).exists()


def line_outcomes(viewer: Viewer, sheet: Sheet) -> tuple[WrittenLine, ...]:
    """What became of each line of a version that counted; empty until its phase is published, and in older phases."""
    found = outcomes(viewer, sheet.phase_id)
    return () if found is None else with_outcomes(sheet.text, sheet.desk, found)
