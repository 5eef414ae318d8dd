"""Reading pages: the situation, the history, a phase as it was received. All from published artefacts."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_safe

from campaign import selectors
from campaign.core import clock
from campaign.forms.maps import DrawingForm
from campaign.forms.people import OfferForm
from campaign.game.store import decode_view
from campaign.maps import size_of
from campaign.maps.drawing.sizes import THUMBNAIL
from campaign.maps.style.layers import layers_of
from campaign.next_steps import next_steps
from campaign.people import absences
from campaign.people.bots import bots_of, playing
from campaign.people.substitutes import may_offer, own_offer
from campaign.record.dice_log import anchors_line
from campaign.reports import tables_left_out
from campaign.services import base_map_of
from campaign.viewers import Viewer, public_viewer, viewer_of

FILES = {
    "map.png": ("map", "image/png"),
    "thumbnail.png": ("thumbnail", "image/png"),
    "chart.png": ("chart", "image/png"),
    "chart.txt": ("chart_text", "text/plain; charset=utf-8"),
    "chart.md": ("chart_markdown", "text/plain; charset=utf-8"),
    "chart.bbcode.txt": ("chart_bbcode", "text/plain; charset=utf-8"),
    "report.txt": ("text", "text/plain; charset=utf-8"),
    "report.md": ("markdown", "text/plain; charset=utf-8"),
    "report.bbcode.txt": ("bbcode", "text/plain; charset=utf-8"),
}
"""The files of a phase: name, kind of artefact, type."""


@login_required
@require_safe
def situation(request: HttpRequest, slug: str) -> HttpResponse:
    """The campaign's present situation, as the viewer's side knows it."""
    return _situation(request, viewer_of(request.user, slug))


@login_required
@require_safe
def history(request: HttpRequest, slug: str) -> HttpResponse:
    """All published phases."""
    return _history(request, viewer_of(request.user, slug))


@login_required
@require_safe
def phase(request: HttpRequest, slug: str, no: int) -> HttpResponse:
    """A phase as the viewer's side received it then."""
    return _phase(request, viewer_of(request.user, slug), no)


@login_required
@require_safe
def phase_file(request: HttpRequest, slug: str, no: int, name: str) -> HttpResponse:
    """A picture or a text of a phase, byte for byte as it was published."""
    return _file(viewer_of(request.user, slug), no, name)


@require_safe
def public_situation(request: HttpRequest, slug: str) -> HttpResponse:
    """What the public knows, for everybody with the address."""
    return _situation(request, public_viewer(request.user, slug))


@require_safe
def public_history(request: HttpRequest, slug: str) -> HttpResponse:
    return _history(request, public_viewer(request.user, slug))


@require_safe
def public_phase(request: HttpRequest, slug: str, no: int) -> HttpResponse:
    return _phase(request, public_viewer(request.user, slug), no)


@require_safe
def public_file(request: HttpRequest, slug: str, no: int, name: str) -> HttpResponse:
    return _file(public_viewer(request.user, slug), no, name)


# --- for members and the public alike --------------------------------------------------------------------------------


def _situation(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    newest, open_ = selectors.newest_phase(viewer), selectors.open_phase(viewer)
    context: dict[str, object] = {"viewer": viewer, "open": open_, "newest": newest}
    context |= {"fights": selectors.fights(viewer), "anchors": anchors_line(viewer.campaign)}
    if not viewer.side and not viewer.is_gm:
        context |= {"offer": own_offer(viewer), "offer_form": OfferForm() if may_offer(viewer) else None}
    stands_in_for = absences.stands_in_for(viewer, clock.now())
    context |= {"writes": selectors.writes_a_sheet(viewer) or bool(stands_in_for), "stands_in_for": stands_in_for}
    context |= {"waits": selectors.waits(viewer, open_, after=_after(request)), **_bots(viewer)}
    context["next_steps"] = next_steps(viewer)
    context["clock_changes"] = selectors.told_of_the_clock(viewer, open_) if open_ else ()
    if newest is not None:
        context |= _received(viewer, newest)
    return render(request, "campaign/situation.html", context)


def _bots(viewer: Viewer) -> dict[str, object]:
    """The campaign's bots, and the sides that they play now, as far as the viewer may know who is away."""
    bots = bots_of(viewer.campaign)
    absent = absences.away_now(viewer, clock.now()) if bots else ()
    return {"bots": bots, "played": {bot.side for bot in playing(viewer.campaign, absent, bots)}}


def _after(request: HttpRequest) -> int | None:
    """The phase for which the reader has just submitted a READY sheet, if the address names one."""
    written = request.GET.get("after", "")
    return int(written) if written.isascii() and written.isdigit() and len(written) < 6 else None


def _history(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    context = {
        "viewer": viewer,
        "phases": selectors.published_phases(viewer),
        "reopened": selectors.reopened(viewer),
        "pictured": selectors.phases_with(viewer, "thumbnail"),
        "size": size_of(base_map_of(viewer.campaign), THUMBNAIL),
    }
    return render(request, "campaign/history.html", context)


def _phase(request: HttpRequest, viewer: Viewer, no: int) -> HttpResponse:
    found = selectors.published_phase(viewer, no)
    return render(request, "campaign/phase.html", {"viewer": viewer, "newest": found, **_received(viewer, found)})


def _received(viewer: Viewer, phase: selectors.PhaseInfo) -> dict[str, object]:
    """The parts of a phase's page: its report and unchanged tables."""
    there = selectors.kinds_of(viewer, phase.no)
    kinds = selectors.artefacts(viewer, phase.no, ("html", "view"))
    html = kinds["html"].decode()  # written by campaign.reports, which escapes every text in it
    return {
        "report": mark_safe(html),  # noqa: S308
        "unchanged": mark_safe(tables_left_out(decode_view(kinds["view"]), html)),  # noqa: S308
        "has_map": "map" in there,
        "has_chart": "chart" in there,
        "drawing": DrawingForm(auto_id="drawing_%s", layers=layers_of(base_map_of(viewer.campaign).signs)),
    }


def _file(viewer: Viewer, no: int, name: str) -> HttpResponse:
    if name not in FILES:
        raise Http404
    kind, content_type = FILES[name]
    phase = selectors.published_phase(viewer, no)
    response = HttpResponse(selectors.artefact(viewer, no, kind), content_type=content_type)
    shown_as = f"{viewer.campaign.slug}-{phase.file_stem}-{viewer.audience}-{name}"
    response.headers["Content-Disposition"] = f'inline; filename="{shown_as}"'
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response
