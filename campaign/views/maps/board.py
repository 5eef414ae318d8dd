"""The board: a phase's map to explore place by place, from what the viewer's audience received."""

from collections.abc import Collection, Sequence
from typing import Any
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.core.paginator import InvalidPage, Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe

from campaign import selectors
from campaign.core.memory import MB
from campaign.engine.display.signs import Signs
from campaign.engine.display.views import BaseMap, View
from campaign.engine.values.ids import PlaceId
from campaign.forms.maps import BoardForm, ColoursForm
from campaign.game.store import digest, encode_view
from campaign.maps import vector
from campaign.maps.base.layout import Layout
from campaign.maps.drawing.edition import version_of
from campaign.maps.drawing.sizes import BOARD
from campaign.maps.furniture import shown_panels
from campaign.maps.painter import bare_sheet
from campaign.maps.place_descriptions import (
    barred,
    describe_places,
    event,
    flight,
    neighbours,
    places_with_something,
)
from campaign.maps.style.adaptive import ADAPTIVE
from campaign.maps.style.layers import layers_of
from campaign.maps.style.schemes import DARK, DEFAULT, SCHEMES, Scheme
from campaign.people.throttles import BOARDS, may, too_fast
from campaign.secrecy.memory import Key, KeyedMemory
from campaign.services import base_map_of
from campaign.story import reader_of
from campaign.viewers import Viewer, public_viewer, viewer_of


@login_required
@require_safe
def situation(request: HttpRequest, slug: str) -> HttpResponse:
    """The board of the newest phase, as the viewer's side knows it."""
    return _newest(request, viewer_of(request.user, slug))


@login_required
@require_safe
def phase(request: HttpRequest, slug: str, no: int) -> HttpResponse:
    """The board of a phase, as the viewer's side received it then."""
    viewer = viewer_of(request.user, slug)
    return _board(request, viewer, selectors.published_phase(viewer, no))


@login_required
@require_safe
def sheet(request: HttpRequest, slug: str) -> HttpResponse:
    """The base picture of all boards of the campaign."""
    return _sheet(request, viewer_of(request.user, slug))


@require_safe
def public_situation(request: HttpRequest, slug: str) -> HttpResponse:
    return _newest(request, public_viewer(request.user, slug))


@require_safe
def public_phase(request: HttpRequest, slug: str, no: int) -> HttpResponse:
    viewer = public_viewer(request.user, slug)
    return _board(request, viewer, selectors.published_phase(viewer, no))


@require_safe
def public_sheet(request: HttpRequest, slug: str) -> HttpResponse:
    return _sheet(request, public_viewer(request.user, slug))


# --- for members and the public alike --------------------------------------------------------------------------------


def _newest(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    newest = selectors.newest_phase(viewer)
    if newest is None:
        raise Http404
    return _board(request, viewer, newest)


def _board(request: HttpRequest, viewer: Viewer, shown: selectors.PhaseInfo) -> HttpResponse:
    form, reader = _asked(BoardForm(request.GET)), reader_of(request, viewer)
    if not may(request, BOARDS):
        return too_fast(request, BOARDS)
    base, view = base_map_of(viewer.campaign), selectors.view(reader, shown.no)
    context = {"viewer": viewer, "reader": reader, "newest": shown}
    context |= {"panels": shown_panels(view), "events": _events(base.signs, view)}
    context["place"], context["places"] = base.signs.place
    if vector.has_board(base):
        context |= _drawn(reader, shown, view, form.cleaned_data["colours"])
    else:
        context |= _listed(base, view, form.cleaned_data["page"])
    return render(request, "campaign/maps/board.html", context)


def _events(signs: Signs, view: View) -> list[tuple[str, list[str]]]:
    """The events in words, under their headings."""
    return [
        ("Moves and fights", [event(signs, arrow) for arrow in view.arrows]),
        ("In the air", [flight(signs, each) for each in view.flights]),
        ("Supply", [barred(signs, trace) for trace in view.traces]),
    ]


def drawn_board(
    viewer: Viewer, shown: selectors.PhaseInfo, view: View, colours: Scheme, *, page: str = ""
) -> SafeString:
    """The board of what the viewer's audience received of a phase, as an `svg` element.

    `page`: the address that its places lead to, if they are not described on the same page.
    """
    base, sheets = base_map_of(viewer.campaign), _base_sheets(viewer, colours)
    board = _BOARDS.get(
        Key(viewer.audience, viewer.campaign, shown),
        (digest(encode_view(view)), colours.name, sheets["sheet"], page),
        lambda: vector.board(view, Layout.of(base, BOARD, colours), describe_places(base, view), **sheets, page=page),
    )
    # written by campaign.maps.vector, which escapes every text in it
    return mark_safe(board)  # noqa: S308


def drawn_cutout(
    viewer: Viewer, shown: selectors.PhaseInfo, view: View, at: Sequence[PlaceId], targets: Sequence[vector.Target]
) -> SafeString:
    """The part of the board around some places, with those that may be chosen; light or dark as its reader's device."""
    base, sheets = base_map_of(viewer.campaign), _base_sheets(viewer, ADAPTIVE)
    around = neighbours(base)
    places = tuple(sorted({*at, *(near for place in at for near in around[place])}))
    cutout = _CUTOUTS.get(
        Key(viewer.audience, viewer.campaign, shown),
        (digest(encode_view(view)), sheets["sheet"], places, tuple(targets)),
        lambda: vector.cutout(view, Layout.of(base, BOARD, ADAPTIVE), places, targets, **sheets),
    )
    # the same
    return mark_safe(cutout)  # noqa: S308


def drawn_changes(viewer: Viewer, view: View, places: Collection[PlaceId]) -> SafeString:
    """The part of the board of a draft around some places, which are marked; empty without any, or without a board."""
    base = base_map_of(viewer.campaign)
    if not places or not vector.has_board(base):
        return SafeString()
    picture = vector.marked(view, Layout.of(base, BOARD, DEFAULT), places, sheet=_address(viewer, DEFAULT))
    # the same
    return mark_safe(picture)  # noqa: S308


def _drawn(viewer: Viewer, shown: selectors.PhaseInfo, view: View, colours: Scheme) -> dict[str, Any]:
    """The board with its legend, and every place in words."""
    base = base_map_of(viewer.campaign)
    projection, accounts = Layout.of(base, BOARD, colours).projection, describe_places(base, view)
    return {
        "colours": colours,
        "schemes": (ADAPTIVE, *SCHEMES.values()),
        "layers": layers_of(base.signs),
        "board": drawn_board(viewer, shown, view, colours),
        # the same
        "legend": mark_safe(vector.legend(projection, **_base_sheets(viewer, colours))),  # noqa: S308
        "told": [account for account in accounts if account.eventful],
        "quiet": [account for account in accounts if not account.eventful],
    }


def _base_sheets(viewer: Viewer, colours: Scheme) -> dict[str, str]:
    """The base picture under a board; two for one that is light or dark as its reader's device is."""
    if colours is ADAPTIVE:
        return {"sheet": _address(viewer, DEFAULT), "dark_sheet": _address(viewer, DARK)}
    return {"sheet": _address(viewer, colours)}


def _address(viewer: Viewer, colours: Scheme) -> str:
    """The address of the base picture under a board."""
    what = urlencode({"colours": colours.name, _VERSION: version_of(base_map_of(viewer.campaign))})
    return f"{reverse(_sheet_route(viewer), args=[viewer.campaign.slug])}?{what}"


_BOARDS: KeyedMemory[str] = KeyedMemory(8 * MB, len, in_story=True)
"""The boards of the members' audiences: everyone on a side opens the same one."""


_CUTOUTS: KeyedMemory[str] = KeyedMemory(2 * MB, len)


def _listed(base: BaseMap, view: View, number: int) -> dict[str, Any]:
    """A map with too many places for a board: in words the places with content, and one page of the others."""
    eventful = places_with_something(view)
    pages = Paginator([ground.id for ground in base.grounds if ground.id not in eventful], PLACES_A_PAGE)
    try:
        page = pages.page(number)
    except InvalidPage as error:
        raise Http404 from error
    return {
        "count": len(base.grounds),
        "most": vector.MOST_PLACES,
        "page": page,
        "told": describe_places(base, view, eventful),
        "quiet": describe_places(base, view, list(page.object_list)),
    }


PLACES_A_PAGE = 1_000


def _sheet(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The picture. A browser may cache it for its reader under an address that names its base map."""
    colours = _asked(ColoursForm(request.GET)).cleaned_data["colours"]
    base = base_map_of(viewer.campaign)
    if not vector.has_board(base):
        raise Http404
    if not may(request, BOARDS):
        return too_fast(request, BOARDS)
    response = HttpResponse(bare_sheet(base, width=BOARD, colours=colours), content_type="image/png")
    if request.GET.get(_VERSION) == version_of(base):
        response.headers["Cache-Control"] = "private, max-age=86400"
    return response


_VERSION = "v"
"""The parameter with the base map and the edition of the maps: on another sheet a board would not fit."""


def _asked(form: ColoursForm) -> ColoursForm:
    if not form.is_valid():
        raise Http404
    return form


def _sheet_route(viewer: Viewer) -> str:
    return "board_sheet" if viewer.membership else "public_board_sheet"
