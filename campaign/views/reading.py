"""Reading pages: the situation, the history, a phase as it was received. All from published artefacts."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_safe

from campaign import selectors
from campaign.core import clock
from campaign.ending import draw_offers, ended_in_words, may_end
from campaign.engine.display.views import View
from campaign.forms.maps import DrawingForm
from campaign.forms.people import OfferForm
from campaign.game.rulebook import rule_url
from campaign.mail.bounces import own_mail_comes_back
from campaign.maps import size_of
from campaign.maps.drawing.sizes import THUMBNAIL
from campaign.maps.style.layers import layers_of
from campaign.next_steps import next_steps
from campaign.people import absences
from campaign.people.bots import bots_of, playing
from campaign.people.substitutes import may_offer, own_offer
from campaign.record.dice_log import anchors_line, has_ended
from campaign.reports import report, tables_left_out, to_html
from campaign.services import base_map_of
from campaign.story import reader_of
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
    return _file(reader_of(request, viewer_of(request.user, slug)), no, name)


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
    return _file(reader_of(request, public_viewer(request.user, slug)), no, name)


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
    context["comes_back"] = own_mail_comes_back(viewer.person) if viewer.membership else None
    context |= _end(viewer)
    context["clock_changes"] = selectors.told_of_the_clock(viewer, open_) if open_ else ()
    if newest is not None:
        context |= _received(viewer, newest)
    return render(request, "campaign/reading/situation.html", context)


def _bots(viewer: Viewer) -> dict[str, object]:
    """The campaign's bots, and the sides that they play now, as far as the viewer may know who is away."""
    bots = bots_of(viewer.campaign)
    absent = absences.away_now(viewer, clock.now()) if bots else ()
    return {"bots": bots, "played": {bot.side for bot in playing(viewer.campaign, absent, bots)}}


def _end(viewer: Viewer) -> dict[str, object]:
    """How the campaign ended; while it runs, whether the viewer can end it, and the draws of which they know."""
    if has_ended(viewer.campaign):
        return {"how": ended_in_words(viewer.campaign.closing)}
    return {"may_end": may_end(viewer), "draw_offers": draw_offers(viewer)}


def _after(request: HttpRequest) -> int | None:
    """The phase for which the reader has just submitted a READY sheet, if the address names one."""
    written = request.GET.get("after", "")
    return int(written) if written.isascii() and written.isdigit() and len(written) < 6 else None


def _history(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    reader = reader_of(request, viewer)
    context = {
        "viewer": viewer,
        "reader": reader,
        "phases": selectors.published_phases(viewer),
        "reopened": selectors.reopened(viewer),
        "pictured": selectors.phases_with(reader, "thumbnail"),
        "size": size_of(base_map_of(viewer.campaign), THUMBNAIL),
    }
    return render(request, "campaign/record/history.html", context)


def _phase(request: HttpRequest, viewer: Viewer, no: int) -> HttpResponse:
    reader, found = reader_of(request, viewer), selectors.published_phase(viewer, no)
    context = {"viewer": viewer, "newest": found, **_received(reader, found)}
    return render(request, "campaign/reading/phase.html", context)


def _received(reader: Viewer, phase: selectors.PhaseInfo) -> dict[str, object]:
    """The parts of a phase's page: its report and unchanged tables."""
    view, there = selectors.view_and_kinds(reader, phase.no)
    html = report_of(reader, phase.no, view)  # written by campaign.reports, which escapes every text in it
    return {
        "reader": reader,
        "report": mark_safe(html),  # noqa: S308
        "unchanged": mark_safe(tables_left_out(view, html)),  # noqa: S308
        "has_map": "map" in there,
        "has_chart": "chart" in there,
        "drawing": DrawingForm(auto_id="drawing_%s", layers=layers_of(base_map_of(reader.campaign).signs)),
    }


def report_of(reader: Viewer, no: int, view: View) -> str:
    """The report as it was published; where notes stay shut, written again from what remains of the View."""
    if not reader.without_notes:
        return selectors.artefact(reader, no, "html").decode()
    return to_html(report(view), rule_url(reader.campaign.slug))


def _file(reader: Viewer, no: int, name: str) -> HttpResponse:
    if name not in FILES:
        raise Http404
    kind, content_type = FILES[name]
    phase = selectors.published_phase(reader, no)
    response = HttpResponse(selectors.artefact(reader, no, kind), content_type=content_type)
    shown_as = f"{reader.campaign.slug}-{phase.file_stem}-{reader.audience}-{name}"
    response.headers["Content-Disposition"] = f'inline; filename="{shown_as}"'
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response
