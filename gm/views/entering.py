"""The GM enters a sheet for a desk that cannot submit it; it is marked as entered by the GM."""

import dataclasses
import secrets
from collections.abc import Mapping

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from campaign.engine.values.ids import GM, Audience
from campaign.selectors import PhaseInfo, mark_of, open_phase
from campaign.viewers import Viewer, gm_viewer
from orders import services
from orders.desks import Place, place_for
from orders.intake import KeyReused, NotYours, Outdated, TooLate, storable
from orders.models import HQ, Channel, Sheet
from orders.services import TooLong


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def enter(request: HttpRequest, slug: str, side: str, desk: str = HQ) -> HttpResponse:
    """A desk's sheet, with the answer that its side would get; POST checks or submits it."""
    viewer = gm_viewer(request.user, slug)
    phase = open_phase(viewer)
    if phase is None or side not in phase.writers or side == GM:
        raise Http404
    here = place_for(viewer, side, desk)
    eyes = dataclasses.replace(viewer, viewing_as=Audience(side))
    if request.method == "POST" and request.POST.get("act") == "send":
        return _send(request, eyes, phase, here)
    return _page(request, eyes, phase, here)


def _send(request: HttpRequest, eyes: Viewer, phase: PhaseInfo, here: Place) -> HttpResponse:
    if request.POST.get("seen") != mark_of(phase):
        return _page(
            request,
            eyes,
            phase,
            here,
            trouble="This phase has already closed, so nothing was submitted. Here is the current one.",
        )
    try:
        receipt = services.send(
            eyes,
            phase,
            here,
            text=_text(request),
            expected_version=_version(request),
            idem_key=request.POST.get("key", "")[:200] or secrets.token_hex(16),
            channel=Channel.GM,
        )
    except TooLong as refusal:
        return _page(request, eyes, phase, here, trouble=f"Not submitted: {refusal}. Shorten it.")
    except (TooLate, NotYours, Outdated, KeyReused) as refusal:
        return _page(request, eyes, phase, here, trouble=_REFUSALS[type(refusal)])
    messages.success(request, f"Received as version {receipt.version}, marked as entered by the GM.")
    return redirect("desk", eyes.campaign.slug)


_REFUSALS: Mapping[type[Exception], str] = {
    TooLate: "Not submitted: the phase closed before you submitted.",
    NotYours: "Not submitted: that side has no orders to give in this phase.",
    Outdated: "Not submitted: the side submitted a newer sheet after you opened the page. Submit again to replace it.",
    KeyReused: "Not submitted: this form was already used with a different text. Submit again.",
}


def _page(request: HttpRequest, eyes: Viewer, phase: PhaseInfo, here: Place, *, trouble: str = "") -> HttpResponse:
    sheets = Sheet.objects.filter(phase=phase.phase_id, side=here.side, desk=here.name).order_by("version")
    context = {
        "viewer": dataclasses.replace(eyes, viewing_as=None),
        "phase": phase,
        "place": here,
        "seen": mark_of(phase),
        "version": sheets.values_list("version", flat=True).last() or 0,
        "key": secrets.token_hex(16),
        "text": _text(request),
        "trouble": trouble,
        "answer": services.answered(eyes, phase, here, _text(request)),
    }
    return render(request, "gm/enter.html", context, status=409 if trouble else 200)


def _text(request: HttpRequest) -> str:
    return storable(request.POST.get("text", ""))


def _version(request: HttpRequest) -> int:
    written = request.POST.get("version", "")
    return int(written) if written.isascii() and written.isdigit() and len(written) < 10 else 0
