"""The page of archives, and the GM's export."""

from django.contrib.auth.decorators import login_required
from django.http import FileResponse, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from archive import jobs
from archive.export import export
from campaign.core import clock
from campaign.people.throttles import ARCHIVES, may, too_fast
from campaign.viewers import gm_viewer, viewer_of


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def archives(request: HttpRequest, slug: str) -> HttpResponse:
    """The archives that a member may have; POST asks for one."""
    viewer = viewer_of(request.user, slug)
    if request.method == "POST":
        if not may(request, ARCHIVES):
            return too_fast(request, ARCHIVES)
        jobs.ask(viewer, request.POST.get("audience", ""), now=clock.now())
        return redirect("archives", slug)
    offers = jobs.offers(viewer)
    context = {"viewer": viewer, "offers": offers, "days": jobs.KEPT.days, "waits": any(map(jobs.waits, offers))}
    name = "archive/_offers.html" if "HX-Request" in request.headers else "archive/archives.html"
    return render(request, name, context)


@login_required
@require_safe
def archive_file(request: HttpRequest, slug: str, audience: str) -> HttpResponse | FileResponse:
    """The file of an archive that is ready."""
    viewer = viewer_of(request.user, slug)
    path = jobs.file_of(viewer, audience)
    name = f"{viewer.campaign.slug}-{audience}.zip"
    return FileResponse(path.open("rb"), as_attachment=True, filename=name, content_type="application/zip")


@login_required
@require_safe
def export_file(request: HttpRequest, slug: str) -> HttpResponse:
    """All that is published of a campaign, for its GM, as JSON."""
    viewer = gm_viewer(request.user, slug)
    if not may(request, ARCHIVES):
        return too_fast(request, ARCHIVES)
    response = HttpResponse(export(viewer), content_type="application/json")
    response.headers["Content-Disposition"] = f'attachment; filename="{viewer.campaign.slug}-gm.json"'
    return response
