"""The Dice page: all rolls that its reader may know, and everything needed to check them."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from campaign import selectors
from campaign.record import dice_log
from campaign.viewers import Viewer, public_viewer, viewer_of
from campaign.views.errors import opens_dice


@login_required
@require_safe
@opens_dice
def dice(request: HttpRequest, slug: str) -> HttpResponse:
    """The logs that the viewer's side may read."""
    return _page(request, viewer_of(request.user, slug))


@login_required
@require_safe
@opens_dice
def dice_file(request: HttpRequest, slug: str, log: str, name: str) -> HttpResponse:
    """A file of one log, as the checking script takes it."""
    return _file(viewer_of(request.user, slug), log, name)


@require_safe
@opens_dice
def public_dice(request: HttpRequest, slug: str) -> HttpResponse:
    """The public log, for everybody with the address."""
    return _page(request, public_viewer(request.user, slug))


@require_safe
@opens_dice
def public_dice_file(request: HttpRequest, slug: str, log: str, name: str) -> HttpResponse:
    return _file(public_viewer(request.user, slug), log, name)


def _page(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    logs = dice_log.logs_for(viewer)
    context = {
        "viewer": viewer,
        "logs": logs,
        "reopened": selectors.reopened(viewer),
        "withdrawn": selectors.withdrawn_locks(viewer),
        "anchors": dice_log.anchors_line(viewer.campaign),
        "files": dice_log.FILES,
        "file_route": "dice_file" if viewer.membership else "public_dice_file",
        "ended": any(log.master for log in logs),
    }
    return render(request, "campaign/record/dice.html", context)


def _file(viewer: Viewer, name_of_log: str, name: str) -> HttpResponse:
    log = next((log for log in dice_log.logs_for(viewer) if log.name == name_of_log), None)
    if log is None or name not in dice_log.FILES:
        raise Http404
    response = HttpResponse(dice_log.file_of(log, name), content_type="text/plain; charset=utf-8")
    shown_as = f"{viewer.campaign.slug}-{log.name}-{name}"
    response.headers["Content-Disposition"] = f'attachment; filename="{shown_as}"'
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response
