"""The board: the map of a stop to walk about on, place by place, out of what the viewer's audience received."""

import hashlib
from functools import lru_cache
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_safe

from campaign import selectors
from campaign.engine.values import encode
from campaign.engine.views import BaseMap
from campaign.forms import ColoursForm
from campaign.maps import vector
from campaign.maps.furniture import shown_panels
from campaign.maps.gazetteer import barred, event, flight, gazetteer
from campaign.maps.layers import Layer
from campaign.maps.layout import Layout
from campaign.maps.painter import bare_sheet
from campaign.maps.schemes import SCHEMES, Scheme
from campaign.maps.sizes import BOARD
from campaign.seats import Seat, public_seat, seat_of
from campaign.services import base_map_of
from campaign.throttles import BOARDS, may, too_fast


@login_required
@require_safe
def situation(request: HttpRequest, slug: str) -> HttpResponse:
    """The board of the newest stop, as the viewer's side knows it."""
    return _newest(request, seat_of(request.user, slug))


@login_required
@require_safe
def stop(request: HttpRequest, slug: str, no: int) -> HttpResponse:
    """The board of a stop as the viewer's side received it then."""
    seat = seat_of(request.user, slug)
    return _board(request, seat, selectors.published_stop(seat, no))


@login_required
@require_safe
def sheet(request: HttpRequest, slug: str) -> HttpResponse:
    """The paper under all boards of the campaign."""
    return _sheet(request, seat_of(request.user, slug))


@require_safe
def public_situation(request: HttpRequest, slug: str) -> HttpResponse:
    return _newest(request, public_seat(request.user, slug))


@require_safe
def public_stop(request: HttpRequest, slug: str, no: int) -> HttpResponse:
    seat = public_seat(request.user, slug)
    return _board(request, seat, selectors.published_stop(seat, no))


@require_safe
def public_sheet(request: HttpRequest, slug: str) -> HttpResponse:
    return _sheet(request, public_seat(request.user, slug))


# --- for members and the public alike --------------------------------------------------------------------------------


def _newest(request: HttpRequest, seat: Seat) -> HttpResponse:
    newest = selectors.newest_stop(seat)
    if newest is None:
        raise Http404
    return _board(request, seat, newest)


def _board(request: HttpRequest, seat: Seat, shown: selectors.Stop) -> HttpResponse:
    colours = _colours(request)
    if not may(request, BOARDS):
        return too_fast(request, BOARDS)
    base, view = base_map_of(seat.campaign), selectors.view(seat, shown.no)
    layout, accounts = Layout.of(base, BOARD, colours), gazetteer(base, view)
    what = urlencode({"colours": colours.name, _VERSION: _digest(base)})
    address = f"{reverse(_sheet_route(seat), args=[seat.campaign.slug])}?{what}"
    context: dict[str, object] = {"seat": seat, "newest": shown, "view": view}
    context["colours"], context["schemes"] = colours, tuple(SCHEMES.values())
    # written by campaign.maps.vector, which escapes every text in it
    context["board"] = mark_safe(vector.board(view, layout, accounts, sheet=address))  # noqa: S308
    context["legend"] = mark_safe(vector.legend(layout.projection, sheet=address))  # noqa: S308
    context["layers"] = tuple(Layer)
    context["panels"] = shown_panels(view)
    context["told"] = [account for account in accounts if account.eventful]
    context["quiet"] = [account for account in accounts if not account.eventful]
    context["events"] = [
        ("Moves and fights", [event(arrow) for arrow in view.arrows]),
        ("In the air", [flight(each) for each in view.flights]),
        ("Supply", [barred(trace) for trace in view.traces]),
    ]
    return render(request, "campaign/board.html", context)


def _sheet(request: HttpRequest, seat: Seat) -> HttpResponse:
    """The picture. A browser may keep it for its reader under an address that says which base map it is of."""
    colours = _colours(request)
    if not may(request, BOARDS):
        return too_fast(request, BOARDS)
    base = base_map_of(seat.campaign)
    response = HttpResponse(bare_sheet(base, width=BOARD, colours=colours), content_type="image/png")
    if request.GET.get(_VERSION) == _digest(base):
        response.headers["Cache-Control"] = "private, max-age=86400"
    return response


_VERSION = "v"
"""What says of which base map a sheet is."""


def _colours(request: HttpRequest) -> Scheme:
    form = ColoursForm(request.GET)
    if not form.is_valid():
        raise Http404
    colours: Scheme = form.cleaned_data["colours"]
    return colours


def _sheet_route(seat: Seat) -> str:
    return "board_sheet" if seat.membership else "public_board_sheet"


@lru_cache(maxsize=16)
def _digest(base: BaseMap) -> str:
    return hashlib.sha256(encode(base)).hexdigest()[:16]
