"""The GM enters a sheet for a side that cannot send it; it is marked as entered by him."""

import dataclasses
import secrets

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from campaign.engine.ids import Audience
from campaign.seats import Seat, gm_seat
from campaign.selectors import Stop, knowledge, open_stop
from gm.selectors import progress
from orders import services
from orders.answers import answer
from orders.desks import Place
from orders.intake import KeyReused, Outdated, TooLate
from orders.models import HQ, Channel


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def enter(request: HttpRequest, slug: str, side: str) -> HttpResponse:
    """A sheet for a side's HQ, checked as that side would be answered; POST checks or sends it."""
    seat = gm_seat(request.user, slug)
    stop = open_stop(seat)
    if stop is None or side not in stop.acts or side not in _sides(seat, stop):
        raise Http404
    eyes = dataclasses.replace(seat, looking_as=Audience(side))
    if request.method == "POST" and request.POST.get("act") == "send":
        return _send(request, eyes, stop, side)
    return _page(request, eyes, stop, side, text=_text(request))


def _sides(seat: Seat, stop: Stop) -> set[str]:
    """Whose sheets can be entered: those of the sides; the GM's own are his battles."""
    return {each.side for each in progress(stop, seat.campaign.pk)} - {"gm"}


def _send(request: HttpRequest, eyes: Seat, stop: Stop, side: str) -> HttpResponse:
    key, version = request.POST.get("key", "")[:200] or secrets.token_hex(16), request.POST.get("version", "")
    if (str(stop.no), str(stop.rev)) != (request.POST.get("stop"), request.POST.get("rev")):
        return _page(request, eyes, stop, side, text=_text(request), trouble="Another stop is open by now.", status=409)
    try:
        receipt = services.send(
            eyes,
            stop,
            _place(side),
            text=_text(request),
            expected_version=int(version) if version.isdecimal() else 0,
            idem_key=key,
            channel=Channel.GM,
        )
    except (TooLate, Outdated, KeyReused) as refusal:
        trouble = _REFUSALS[type(refusal)]
        return _page(request, eyes, stop, side, text=_text(request), trouble=trouble, status=409)
    messages.success(request, f"Received as version {receipt.version}, marked as entered by the GM.")
    return redirect("desk", eyes.campaign.slug)


_REFUSALS: dict[type[Exception], str] = {
    TooLate: "The stop was closed before this came. It has not been received.",
    Outdated: "The side has sent a newer sheet meanwhile, so this one was not received. Send it again to replace that.",
    KeyReused: "This form was sent before with another text. It has not been received; send it again.",
}


def _page(
    request: HttpRequest, eyes: Seat, stop: Stop, side: str, *, text: str, trouble: str = "", status: int = 200
) -> HttpResponse:
    (here,) = (each for each in progress(stop, eyes.campaign.pk) if (each.side, each.desk) == (side, HQ))
    context = {
        "seat": dataclasses.replace(eyes, looking_as=None),
        "stop": stop,
        "side": side,
        "version": here.version,
        "key": secrets.token_hex(16),
        "text": text,
        "trouble": trouble,
        "answer": answer(knowledge(eyes), stop.key, _place(side), text),
    }
    return render(request, "gm/enter.html", context, status=status)


def _place(side: str) -> Place:
    return Place(side, HQ, writes=True, formations=None)


def _text(request: HttpRequest) -> str:
    return request.POST.get("text", "").replace("\r\n", "\n")
