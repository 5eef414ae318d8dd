"""The statistics: plots by day on a page, as pictures for forums, and their figures as a file."""

from collections.abc import Sequence

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_safe

from campaign import statistics as service
from campaign.engine.display.plots import Plot
from campaign.engine.values.ids import PUBLIC
from campaign.forms.maps import ColoursForm
from campaign.maps.plots import draw_plot, svg_plot
from campaign.people.throttles import BOARDS, PLOTS, may, too_fast
from campaign.viewers import Viewer, public_viewer, viewer_of

FIGURES = "figures.csv"
_PICTURE = ".png"


@login_required
@require_safe
def statistics(request: HttpRequest, slug: str) -> HttpResponse:
    """For the GM; once they are open, for every member."""
    return _page(request, viewer_of(request.user, slug))


@login_required
@require_safe
def statistics_file(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """A plot as a picture, or all figures."""
    return _file(request, viewer_of(request.user, slug), name)


@require_safe
def public_statistics(request: HttpRequest, slug: str) -> HttpResponse:
    """For everybody with the address, once they are open."""
    return _page(request, public_viewer(request.user, slug))


@require_safe
def public_statistics_file(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    response = _file(request, public_viewer(request.user, slug), name)
    response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"  # forums show it in their pages
    return response


def _page(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    service.audience_of(viewer)
    if not may(request, BOARDS):
        return too_fast(request, BOARDS)
    plots = service.statistics_of(viewer)
    context = {
        "viewer": viewer,
        "plots": [(plot, mark_safe(svg_plot(plot))) for plot in plots],  # noqa: S308 # it escapes every text in it
        "are_open": service.are_open(viewer.campaign),
        "file_route": "statistics_file" if viewer.membership else "public_statistics_file",
        "addresses": _addresses(viewer, plots),
    }
    return render(request, "campaign/record/statistics.html", context)


def _addresses(viewer: Viewer, plots: Sequence[Plot]) -> list[str]:
    """The public addresses of all pictures; none while they have none that everybody may open."""
    slug = viewer.campaign.slug
    if not (viewer.campaign.public and service.are_open(viewer.campaign)):
        return []
    paths = (reverse("public_statistics_file", args=[slug, plot.key + _PICTURE]) for plot in plots)
    return [f"{settings.SITE_URL}{path}" for path in paths]


def _file(request: HttpRequest, viewer: Viewer, name: str) -> HttpResponse:
    """A file, made for each request."""
    audience, form = service.audience_of(viewer), ColoursForm(request.GET)
    if not form.is_valid() or not (name == FIGURES or name.endswith(_PICTURE)):
        raise Http404
    if not may(request, PLOTS):
        return too_fast(request, PLOTS)
    shown_as = f"{viewer.campaign.slug}-statistics-{audience}-{name}"
    if name == FIGURES:
        response = HttpResponse(service.table(service.statistics_of(viewer)), content_type="text/csv; charset=utf-8")
    else:
        plot, colours = service.plot_of(viewer, name.removesuffix(_PICTURE)), form.cleaned_data["colours"]
        title = "Public" if audience == PUBLIC else "GM only"
        content = draw_plot(plot, campaign=viewer.campaign.title, audience=title, colours=colours)
        response = HttpResponse(content, content_type="image/png")
        shown_as = f"{shown_as.removesuffix(_PICTURE)}-{colours.name}{_PICTURE}"
    response.headers["Content-Disposition"] = f'inline; filename="{shown_as}"'
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response
