"""The staff room: a side's comments by phase, written, removed and marked as read; opened after the end."""

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from campaign.core import clock
from campaign.core.requests import number
from campaign.people.throttles import COMMENTS, may, too_fast
from campaign.selectors import addressed_phase, newest_phase, open_phase
from campaign.services import base_map_of
from campaign.viewers import Viewer, public_viewer, viewer_of
from orders.desks import places
from staff.opening import agree, consent_of, take_back
from staff.rooms import Room, comments, is_staff, named, opened_sides, room_of, sides_to_read, unread
from staff.writing import About, Over, Refused, mark_read, remove, write

PER_PAGE = 30


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def staff(request: HttpRequest, slug: str) -> HttpResponse:
    """The viewer's own room, or the rooms that they may read; POST writes, removes, marks as read, or agrees."""
    viewer = viewer_of(request.user, slug)
    if request.method == "POST":
        return _act(request, viewer)
    if is_staff(viewer):
        return _page(request, Room(viewer, viewer.side))
    sides = sides_to_read(viewer)
    if not sides:
        raise Http404
    return render(request, "staff/rooms.html", {"viewer": viewer, "sides": sides})


@login_required
@require_safe
def staff_of(request: HttpRequest, slug: str, side: str) -> HttpResponse:
    """A side's room, for its staff, for the GM, and once it is open for every member."""
    return _page(request, room_of(viewer_of(request.user, slug), side))


@require_safe
def public_staff(request: HttpRequest, slug: str, side: str) -> HttpResponse:
    """A room that is open, for everybody with the address."""
    return _page(request, room_of(public_viewer(request.user, slug), side))


def _page(request: HttpRequest, room: Room, *, text: str = "", trouble: str = "", status: int = 200) -> HttpResponse:
    viewer = room.viewer
    page = Paginator(comments(room), PER_PAGE).get_page(request.GET.get("page"))
    live, shown = open_phase(viewer), named(viewer, page.object_list)
    context: dict[str, Any] = {
        "viewer": viewer,
        "room": room,
        "page": page,
        "comments": shown,
        "live": live,
        "has_board": newest_phase(viewer) is not None,
        "place_words": base_map_of(viewer.campaign).signs.place,
        "live_is_locked": live is not None and not live.open,
        "text": text,
        "about": {name: request.POST.get(name, "") for name in _about(status)},
        "opened": room.side in opened_sides(viewer),
        "trouble": trouble,
        "others": [side for side in sides_to_read(viewer) if side != room.side],
    }
    if room.is_own:
        context["consent"] = consent_of(viewer)
        newest = unread(viewer).first() if page.number == 1 else None
        if newest is not None:
            context |= {"news": unread(viewer).count(), "newest_mark": newest.mark}
    return render(request, "staff/room.html", context, status=status)


def _about(status: int) -> tuple[str, ...]:
    """What a refused comment stays about: a line was of the sheet of a phase that may be over by now."""
    return ("desk", "place") if status == Over.status else ("desk", "version", "line", "place")


# --- the buttons -----------------------------------------------------------------------------------------------------


def _act(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Do what a button says. Those without a room learn nothing from how their request fails."""
    act = _ACTS.get(request.POST.get("act", ""))
    if act is None or not is_staff(viewer):
        raise Http404
    if not may(request, COMMENTS):
        return too_fast(request, COMMENTS, words=("text",))
    try:
        messages.success(request, act(request, viewer))
    except Refused as refused:
        room, text = Room(viewer, viewer.side), request.POST.get("text", "").replace("\r\n", "\n")
        return _page(request, room, text=text, trouble=str(refused), status=refused.status)
    return redirect(_back(request, viewer))


def _write(request: HttpRequest, viewer: Viewer) -> str:
    no, rev, _ = _mark(request, "phase")
    about = About(
        desk=request.POST.get("desk", ""),
        version=number(request, "version"),
        line=number(request, "line"),
        place=request.POST.get("place", ""),
    )
    phase = addressed_phase(viewer, no, rev)
    write(viewer, phase, request.POST.get("text", ""), about, now=clock.now())
    return "Comment written."


def _remove(request: HttpRequest, viewer: Viewer) -> str:
    remove(viewer, *_mark(request, "comment"), now=clock.now())
    return "Your comment is removed."


def _mark_read(request: HttpRequest, viewer: Viewer) -> str:
    mark_read(viewer, *_mark(request, "comment"))
    return "Marked as read."


def _agree(_request: HttpRequest, viewer: Viewer) -> str:
    if agree(viewer, now=clock.now()):
        return "All commanders of your side agree. Everyone who can read the campaign can read this room now."
    return "You agree. The room opens when all commanders of your side have agreed."


def _take_back(_request: HttpRequest, viewer: Viewer) -> str:
    take_back(viewer)
    return "You no longer agree. The room stays closed."


_ACTS: Mapping[str, Callable[[HttpRequest, Viewer], str]] = {
    "write": _write,
    "remove": _remove,
    "read": _mark_read,
    "agree": _agree,
    "disagree": _take_back,
}


def _mark(request: HttpRequest, name: str) -> tuple[int, int, int]:
    """The numbers of a mark in a form: of a phase, and of a comment in it. Http404 if it is none."""
    parts = request.POST.get(name, "").split(".")
    if not 2 <= len(parts) <= 3 or not all(each.isascii() and each.isdigit() and len(each) < 10 for each in parts):
        raise Http404
    no, rev, nth = (*map(int, parts), 0)[:3]
    return no, rev, nth


def _back(request: HttpRequest, viewer: Viewer) -> str:
    """The page with the form: a sheet, the board, or the room."""
    slug, desk = viewer.campaign.slug, request.POST.get("desk", "")
    if request.POST.get("back") == "sheet" and desk in [place.name for place in places(viewer)]:
        return f"{reverse('sheet', args=[slug, desk])}#comments"
    if request.POST.get("back") == "board":
        return f"{reverse('board', args=[slug])}#comments"
    return reverse("staff", args=[slug])
