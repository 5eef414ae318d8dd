"""The page on which the GM closes their campaign."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from campaign.people.throttles import MAILINGS, may, too_fast
from campaign.record.dice_log import has_ended
from campaign.selectors import open_phase
from campaign.viewers import gm_viewer
from gm.desk.closing import close
from gm.desk.deadlines import Refused
from gm.forms import ClosingForm


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def closing(request: HttpRequest, slug: str) -> HttpResponse:
    """What closing reveals, and the form that closes."""
    viewer = gm_viewer(request.user, slug)
    form = ClosingForm(request.POST if request.method == "POST" else None, slug=viewer.campaign.slug)
    if form.is_valid():
        if not may(request, MAILINGS):
            return too_fast(request, MAILINGS)
        try:
            close(viewer)
        except Refused as why:
            messages.error(request, str(why))
        else:
            messages.success(
                request, "The campaign is closed and everyone can read its dice. Everyone has been notified."
            )
        return redirect("closing", slug)
    context = {"viewer": viewer, "form": form, "phase": open_phase(viewer), "closed": has_ended(viewer.campaign)}
    return render(request, "gm/closing.html", context, status=422 if form.errors else 200)
