"""Animations: the events of a phase, and the campaign so far, from what the viewer's audience received."""

from collections.abc import Sequence

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from campaign import selectors
from campaign.forms.maps import ColoursForm
from campaign.maps.replay import MOST_FRAMES, Frame, Motion, animate, of_campaign, of_phase
from campaign.maps.style.schemes import Scheme
from campaign.people.throttles import REPLAYS, may, too_fast
from campaign.services import base_map_of
from campaign.story import reader_of
from campaign.viewers import Viewer, public_viewer, viewer_of


@login_required
@require_safe
def campaign(request: HttpRequest, slug: str, motion: str) -> HttpResponse:
    """The campaign phase by phase, as the viewer's side knew it at the end of each."""
    return _of_campaign(request, reader_of(request, viewer_of(request.user, slug)), motion)


@login_required
@require_safe
def phase(request: HttpRequest, slug: str, no: int, motion: str) -> HttpResponse:
    """How the viewer's map changed in one phase."""
    return _of_phase(request, reader_of(request, viewer_of(request.user, slug)), no, motion)


@require_safe
def public_campaign(request: HttpRequest, slug: str, motion: str) -> HttpResponse:
    return _of_campaign(request, reader_of(request, public_viewer(request.user, slug)), motion)


@require_safe
def public_phase(request: HttpRequest, slug: str, no: int, motion: str) -> HttpResponse:
    return _of_phase(request, reader_of(request, public_viewer(request.user, slug)), no, motion)


_MOTIONS = {motion.value: motion for motion in Motion}


def _of_campaign(request: HttpRequest, viewer: Viewer, motion: str) -> HttpResponse:
    colours = _colours(request, motion)
    if not selectors.phases_with(viewer, "view"):
        raise Http404
    if not may(request, REPLAYS):
        return too_fast(request, REPLAYS)
    frames = of_campaign(selectors.views(viewer, most=MOST_FRAMES))
    return _answer(viewer, frames, motion, colours, name="campaign")


def _of_phase(request: HttpRequest, viewer: Viewer, no: int, motion: str) -> HttpResponse:
    colours = _colours(request, motion)
    shown = selectors.published_phase(viewer, no)
    if not may(request, REPLAYS):
        return too_fast(request, REPLAYS)
    frames = of_phase(
        base_map_of(viewer.campaign).signs, selectors.view_before(viewer, shown), selectors.view(viewer, no)
    )
    return _answer(viewer, frames, motion, colours, name=shown.file_stem)


def _colours(request: HttpRequest, motion: str) -> Scheme:
    """The requested colours; Http404 for unknown ones, and for another kind of file."""
    form = ColoursForm(request.GET)
    if motion not in _MOTIONS or not form.is_valid():
        raise Http404
    colours: Scheme = form.cleaned_data["colours"]
    return colours


def _answer(viewer: Viewer, frames: Sequence[Frame], motion: str, colours: Scheme, *, name: str) -> HttpResponse:
    """The file, made for each request: storing it for each audience would save little time and take much room."""
    content = animate(base_map_of(viewer.campaign), frames, _MOTIONS[motion], colours=colours)
    response = HttpResponse(content, content_type=f"image/{motion}")
    shown_as = f"{viewer.campaign.slug}-{name}-{viewer.audience}-replay-{colours.name}.{motion}"
    response.headers["Content-Disposition"] = f'inline; filename="{shown_as}"'
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response
