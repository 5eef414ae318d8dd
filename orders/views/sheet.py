"""The sheet page: written, checked as one types, kept as a draft, sent, withdrawn; every version with its receipt."""

import secrets
from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from campaign.engine.notation import usage
from campaign.seats import Seat, seat_of
from campaign.selectors import Knowledge, Stop, addressed_stop, knowledge, newest_stop, open_stop
from orders import services
from orders.answers import answer
from orders.desks import Place, first_place, place
from orders.intake import KeyReused, NotYours, Outdated, TooLate
from orders.models import Sheet
from orders.selectors import counted, desk_statuses, draft_of, versions


@login_required
@require_GET
def orders(request: HttpRequest, slug: str) -> HttpResponse:
    """The sheet of the first desk that the viewer writes."""
    seat = seat_of(request.user, slug)
    return _page(request, seat, first_place(seat))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def sheet(request: HttpRequest, slug: str, desk: str) -> HttpResponse:
    """A desk's sheet for the open stop; POST keeps it as a draft, sends it or withdraws it, as the button says."""
    seat = seat_of(request.user, slug)
    here = place(seat, desk)
    if request.method != "POST":
        return _page(request, seat, here)
    stop = _addressed(request, seat)
    if not here.writes:
        raise Http404
    act = request.POST.get("act", "send")
    if act == "draft":
        return _keep(request, seat, stop, here)
    if act == "check":
        return _page(request, seat, here, text=_text(request))
    return _send(request, seat, stop, here, withdrawn=act == "withdraw", ready=act == "ready")


@login_required
@require_POST
def check(request: HttpRequest, slug: str, desk: str) -> HttpResponse:
    """The answer to what is being written, for the page to put beside it. Keeps nothing."""
    seat = seat_of(request.user, slug)
    here = place(seat, desk)
    stop = open_stop(seat)
    if stop is None:
        raise Http404
    return render(
        request,
        "orders/_answer.html",
        {"seat": seat, "answer": answer(knowledge(seat), stop.key, here, _text(request))},
    )


@login_required
@require_POST
def draft(request: HttpRequest, slug: str, desk: str) -> HttpResponse:
    """Keep what is being written; answers with the time at which it was."""
    seat = seat_of(request.user, slug)
    here = place(seat, desk)
    if not here.writes:
        raise Http404
    stop = _addressed(request, seat)
    kept = services.keep_draft(seat.person, stop, here, text=_text(request), base_version=_number(request, "version"))
    return HttpResponse(f"Draft kept at {timezone.localtime(kept.saved_at):%H:%M:%S}.")


@login_required
@require_GET
def version(request: HttpRequest, slug: str, desk: str, no: int, number: int) -> HttpResponse:
    """A version of a desk's sheet with its receipt: proof of what was sent, and whether it counted."""
    seat = seat_of(request.user, slug)
    here = place(seat, desk)
    found = (
        Sheet.objects.filter(
            phase__campaign=seat.campaign, phase__no=no, side=here.side, desk=here.name, version=number
        )
        .select_related("author", "phase")
        .defer("phase__state_before")
        .order_by("-phase__rev")
        .first()
    )
    if found is None:
        raise Http404
    context = {"seat": seat, "sheet": found, "place": here, "counted": counted(found)}
    return render(request, "orders/version.html", context)


# --- what the buttons do ---------------------------------------------------------------------------------------------


def _keep(request: HttpRequest, seat: Seat, stop: Stop, here: Place) -> HttpResponse:
    services.keep_draft(seat.person, stop, here, text=_text(request), base_version=_number(request, "version"))
    messages.success(request, "Your draft is kept. It has not been sent.")
    return redirect("sheet", seat.campaign.slug, here.name)


def _send(request: HttpRequest, seat: Seat, stop: Stop, here: Place, *, withdrawn: bool, ready: bool) -> HttpResponse:
    text = "" if withdrawn else _with_ready(_text(request)) if ready else _text(request)
    expected, key = _number(request, "version"), request.POST.get("key", "")[:200] or secrets.token_hex(16)
    try:
        receipt = services.send(seat, stop, here, text=text, expected_version=expected, idem_key=key)
    except Outdated as newer:
        trouble = (
            f"Version {newer.newest} of this sheet came in while you wrote. Yours was not sent; it is kept below, above"
            " the other. Bring them together and send again."
        )
        return _page(request, seat, here, text=text, trouble=trouble, status=409)
    except (TooLate, NotYours, KeyReused) as refusal:
        context = {"seat": seat, "place": here, "stop": stop, "trouble": _REFUSALS[type(refusal)], "text": text}
        return render(request, "orders/not_received.html", context, status=409)
    said = "Withdrawn" if withdrawn else "Received"
    messages.success(request, f"{said}: version {receipt.version}, digest {receipt.digest[:12]}…")
    return redirect("version", seat.campaign.slug, here.name, stop.no, receipt.version)


_REFUSALS: Mapping[type[Exception], str] = {
    TooLate: "This stop takes no sheets any more: it was closed before yours came. It has not been received.",
    NotYours: "Your side does not act in this stop, so its sheet has not been received.",
    KeyReused: "This form was sent before with another text, so it has not been received. Copy it and send it anew.",
}


def _with_ready(text: str) -> str:
    """The sheet with READY as its last line, unless it says so already."""
    said = any(line.split("#")[0].strip().upper() == "READY" for line in text.splitlines())
    return text if said else f"{text.rstrip()}\nREADY\n"


# --- the page --------------------------------------------------------------------------------------------------------


def _page(
    request: HttpRequest, seat: Seat, here: Place, *, text: str | None = None, trouble: str = "", status: int = 200
) -> HttpResponse:
    stop = open_stop(seat)
    acts = stop is not None and here.side in stop.acts
    context: dict[str, Any] = {"seat": seat, "place": here, "stop": stop, "acts": acts, "trouble": trouble}
    context["situation"] = newest_stop(seat)
    if stop is not None and acts:
        context |= _sheet_of(seat, stop, here, text)
    return render(request, "orders/sheet.html", context, status=status)


def _sheet_of(seat: Seat, stop: Stop, here: Place, text: str | None) -> dict[str, Any]:
    known = knowledge(seat)
    sent = versions(stop, here)
    kept = draft_of(seat.person, stop, here) if here.writes else None
    newest = sent[0].text if sent else ""
    written = text if text is not None else kept.text if kept else newest
    return {
        "statuses": desk_statuses(seat, stop),
        "versions": sent,
        "newest": sent[0] if sent else None,
        "draft": kept,
        "text": written,
        "version": sent[0].version if sent else 0,
        "key": secrets.token_hex(16),
        "answer": answer(known, stop.key, here, written),
        "usages": [usage(kind).removeprefix("Write: ").rstrip(".") for kind in _kinds(known, stop)],
    }


def _kinds(known: Knowledge, stop: Stop) -> tuple[Any, ...]:
    return known.loaded.rules.phase(stop.key).orders


def _addressed(request: HttpRequest, seat: Seat) -> Stop:
    """The stop that the form was made for. Another may be open by now, and is not to receive this text."""
    return addressed_stop(seat, _number(request, "stop"), _number(request, "rev"))


def _text(request: HttpRequest) -> str:
    return request.POST.get("text", "").replace("\r\n", "\n")


def _number(request: HttpRequest, name: str) -> int:
    written = request.POST.get(name, "")
    return int(written) if written.isascii() and written.isdigit() else 0
