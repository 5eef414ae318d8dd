"""Versions of a sheet with their receipts, and the locked sheets of a phase."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from campaign.selectors import (
    addressed_phase,
)
from campaign.viewers import viewer_of
from campaign.views.errors import opens_dice
from orders.desks import places, side_of_sheets
from orders.selectors import (
    counted,
    line_outcomes,
    lock_of,
    version_of,
)
from orders.standing import standing_lines
from orders.views.received import compared, while_open


@login_required
@require_GET
def version(request: HttpRequest, slug: str, desk: str, *, no: int, rev: int, nth: int) -> HttpResponse:
    """A version of a desk's sheet with its receipt: proof of what was sent, and whether it counted.

    Those who may read their side's sheets can also read those of closed desks.
    """
    viewer = viewer_of(request.user, slug)
    found = version_of(viewer, desk, no=no, rev=rev, nth=nth)
    here = next((place for place in places(viewer) if place.name == desk), None)
    context = {"viewer": viewer, "sheet": found, "desk_is_there": here is not None, "counted": counted(viewer, found)}
    if context["counted"]:
        context["outcomes"] = line_outcomes(viewer, found)
    if here is not None and not found.text:
        context["has_standing"] = bool(standing_lines(viewer, here))
    phase = addressed_phase(viewer, no, rev)
    if here is not None and phase.open:
        context |= while_open(viewer, phase, here, found)
    context |= compared(request, viewer, found)
    return render(request, "orders/versions/version.html", context)


@login_required
@require_GET
def receipt_file(request: HttpRequest, slug: str, desk: str, *, no: int, rev: int, nth: int) -> HttpResponse:
    """The bytes of a receipt's digest: the text, a line end, the nonce."""
    found = version_of(viewer_of(request.user, slug), desk, no=no, rev=rev, nth=nth)
    response = HttpResponse(f"{found.text}\n{found.nonce}".encode(), content_type="text/plain; charset=utf-8")
    response.headers["Content-Disposition"] = 'attachment; filename="receipt.txt"'
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response


@login_required
@require_GET
@opens_dice
def locked(request: HttpRequest, slug: str, *, no: int, rev: int) -> HttpResponse:
    """The locked sheets of the viewer's side in a phase, and how the dice were mixed from them."""
    viewer = viewer_of(request.user, slug)
    found = lock_of(viewer, side_of_sheets(viewer), no=no, rev=rev)
    if found is None:
        raise Http404
    return render(request, "orders/versions/locked.html", {"viewer": viewer, "lock": found})
