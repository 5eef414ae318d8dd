"""Maps drawn on request: what the viewer's audience received of a phase, in other colours and sizes."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from campaign import selectors
from campaign.engine.display.signs import Layer
from campaign.forms.maps import DrawingForm
from campaign.maps import draw
from campaign.maps.style.layers import without
from campaign.people.throttles import DRAWINGS, may, too_fast
from campaign.services import base_map_of
from campaign.story import reader_of
from campaign.viewers import Viewer, public_viewer, viewer_of


@login_required
@require_safe
def phase(request: HttpRequest, slug: str, no: int) -> HttpResponse:
    """The map of a phase as the viewer's side knew it then."""
    return _drawn(request, reader_of(request, viewer_of(request.user, slug)), no)


@require_safe
def public_phase(request: HttpRequest, slug: str, no: int) -> HttpResponse:
    return _drawn(request, reader_of(request, public_viewer(request.user, slug)), no)


def _drawn(request: HttpRequest, viewer: Viewer, no: int) -> HttpResponse:
    """The picture, drawn from the frozen View alone, and not stored."""
    form = DrawingForm(request.GET)
    if not form.is_valid():
        raise Http404
    shown = selectors.published_phase(viewer, no)
    if not may(request, DRAWINGS):
        return too_fast(request, DRAWINGS)
    view = selectors.view(viewer, no)
    colours, width, left_out = (form.cleaned_data[name] for name in ("colours", "width", "without"))
    base = base_map_of(viewer.campaign)
    content = draw(base, without(base.signs, view, left_out), width=width, colours=colours)
    response = HttpResponse(content, content_type="image/png")
    of_phase = f"{viewer.campaign.slug}-{shown.file_stem}-{viewer.audience}"
    parts = "".join(f"-without-{layer.value}" for layer in Layer if layer in left_out)
    shown_as = f"{of_phase}-map-{colours.name}-{width}{parts}.png"
    response.headers["Content-Disposition"] = f'inline; filename="{shown_as}"'
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response
