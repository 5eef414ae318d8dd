"""The sheet page with a text in its field: forms, board, answer, desks, versions."""

import secrets
from collections.abc import Iterable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from campaign.briefings import first_sheet
from campaign.core.requests import number
from campaign.engine.display.views import View
from campaign.engine.orders.grammar import usage
from campaign.maps.style.adaptive import ADAPTIVE
from campaign.maps.vector import has_board
from campaign.selectors import (
    Knowledge,
    PhaseInfo,
    knowledge,
    newest_phase,
    open_phase,
    view_and_kinds,
)
from campaign.services import base_map_of
from campaign.viewers import Viewer
from campaign.views.maps.board import drawn_board
from orders import services
from orders.desks import Place
from orders.forms.examples import remembered
from orders.forms.results import results_so_far
from orders.models import HQ
from orders.selectors import (
    DeskStatus,
    desk_statuses,
    draft_of,
    orderable,
    own_units,
    speaks_for_others,
    unsubmitted_draft,
    versions,
)
from orders.standing import standing_lines
from orders.views import filling
from orders.writing.differences import differences
from orders.writing.earlier import copied, earlier_sheet
from orders.writing.pasted import cleaned


def sheet_page(
    request: HttpRequest,
    viewer: Viewer,
    here: Place,
    *,
    text: str | None = None,
    before: str = "",
    trouble: str = "",
    status: int = 200,
) -> HttpResponse:
    """The page with a text, else with the present one; with `?first` a sheet without one begins as the briefing's.

    `before`: the text before it was cleaned of what a forum post adds.
    """
    phase = open_phase(viewer)
    acts = phase is not None and here.side in phase.acts
    context: dict[str, Any] = {"viewer": viewer, "place": here, "phase": phase, "acts": acts, "trouble": trouble}
    context["unsubmitted"] = unsubmitted_draft(viewer, phase, here) if here.writes else None
    newest = newest_phase(viewer)
    seen, kinds = (None, set()) if newest is None else view_and_kinds(viewer, newest.no)
    context |= {"situation": newest, "has_map": "map" in kinds}
    lines = standing_lines(viewer, here) if phase is not None and newest is not None else None
    context |= {"standing": lines, "writes": acts or lines is not None}
    if phase is not None and context["writes"]:
        known = knowledge(viewer)
        context |= _sheet_of(request, viewer, phase, here, text, known=known, after=newest)
        context["own_units"] = own_units(viewer, seen)
        context |= {"before": before, "taken_out": cleaned(before).taken_out}
        if newest is not None and seen is not None and here.writes and not viewer.is_gm:
            statuses = context["statuses"]
            context |= _board_of(viewer, phase, here, shown=newest, seen=seen, known=known, statuses=statuses)
            on_map = [counter.unit for counter in seen.counters]
            context["examples"] = remembered(viewer, newest, known, phase, here, first=on_map)
    return render(request, "orders/sheet.html", context, status=status)


def _sheet_of(
    request: HttpRequest,
    viewer: Viewer,
    phase: PhaseInfo,
    here: Place,
    text: str | None,
    *,
    known: Knowledge,
    after: PhaseInfo | None,
) -> dict[str, Any]:
    sent = versions(viewer, phase, here)
    kept = draft_of(viewer, phase, here) if here.writes else None
    newest, newest_text = (sent[0].version, sent[0].text) if sent else (0, "")
    written, base = newest_text, newest
    if text is not None:
        written, base = text, number(request, "version")
    elif kept:
        written, base = kept.text, kept.base_version
    elif not sent and viewer.is_gm:
        written = results_so_far(viewer, known)
    apart = base < newest and written != newest_text
    first = "" if sent or kept or written or here.name != HQ or not here.writes else first_sheet(viewer, phase)
    if first and "first" in request.GET:
        written = services.begun(viewer, phase, here, first)
    earlier = earlier_sheet(viewer, phase, here) if here.writes and not (kept or written) else None
    desks = desk_statuses(viewer, phase, after=after)
    again = copied(viewer, phase, here, earlier.text, known=known) if earlier and "earlier" in request.GET else None
    written = again.text if again else written
    return {
        "first": first,
        "earlier": earlier,
        "left_out": again.left_out if again else (),
        "fillable": filling.sheet_forms(viewer, phase, here, written, known=known) if here.writes else None,
        "statuses": desks,
        "idle": any(each.idle for each in desks if each.place.name == here.name),
        "speaks_for_others": speaks_for_others(here, desks),
        "versions": sent,
        "newest": sent[0] if sent else None,
        "draft": kept,
        "text": written,
        "posted": text is not None,
        "pasted": cleaned(written).taken_out if here.writes else (),
        "saved": written == newest_text or (kept is not None and written == kept.text),
        "apart": apart,
        "changes": differences(newest_text, written) if apart else (),
        "version": base if apart else newest,
        "key": secrets.token_hex(16),
        "answer": services.answered(viewer, phase, here, written, known=known),
        "usages": [usage(kind).removeprefix("Write: ").rstrip(".") for kind in _kinds(viewer, phase, known)],
    }


def _board_of(
    viewer: Viewer,
    phase: PhaseInfo,
    here: Place,
    *,
    shown: PhaseInfo,
    seen: View,
    known: Knowledge,
    statuses: Iterable[DeskStatus],
) -> dict[str, Any]:
    """The board next to the sheet, with the units that the desk may order."""
    base = base_map_of(viewer.campaign)
    if not has_board(base):
        return {}
    desks = [status.place for status in statuses]
    units = orderable(viewer, known, phase, here, seen=seen, desks=desks, after=shown)
    return {
        "board": drawn_board(viewer, shown, seen, ADAPTIVE, page=reverse("board", args=[viewer.campaign.slug])),
        "units": units,
        "formations": sorted({name for unit in units for name in unit.formations}),
        "desks": [desk.name for desk in desks] if here.formations is None and len(desks) > 1 else [],
        "place_words": base.signs.place,
    }


def _kinds(viewer: Viewer, phase: PhaseInfo, known: Knowledge) -> tuple[Any, ...]:
    rules = known.loaded.rules
    if viewer.is_gm or viewer.side in phase.acts:
        return rules.orders_of(rules.phase(phase.key))
    return rules.orders_for(known.state, viewer.audience)
