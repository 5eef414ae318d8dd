"""The sheets with which a phase was adjudicated, for everybody once the campaign's story is open."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from campaign.engine.values.ids import PUBLIC
from campaign.selectors import published_phase
from campaign.story import reading_as
from campaign.viewers import Viewer, public_viewer, viewer_of
from orders.selectors import opened_sheets


@login_required
@require_safe
def sheets(request: HttpRequest, slug: str, no: int, side: str) -> HttpResponse:
    """A side's locked sheets in a phase, for every member. Http404 while the story is not open."""
    return _page(request, viewer_of(request.user, slug), no, side)


@require_safe
def public_sheets(request: HttpRequest, slug: str, no: int, side: str) -> HttpResponse:
    """The same for everybody with the address."""
    return _page(request, public_viewer(request.user, slug), no, side)


def _page(request: HttpRequest, viewer: Viewer, no: int, side: str) -> HttpResponse:
    reader = reading_as(viewer, side)
    if reader.audience == PUBLIC:
        raise Http404
    phase = published_phase(viewer, no)
    context = {"viewer": viewer, "reader": reader, "phase": phase, "sheets": opened_sheets(reader, phase)}
    return render(request, "orders/versions/opened.html", context)
