"""The position of a running campaign, to begin another one with."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from campaign.engine.pasted import spreadsheet
from campaign.people.throttles import BOARDS, may, too_fast
from campaign.viewers import gm_viewer
from gm.desk.position import position_of


@login_required
@require_safe
def position(request: HttpRequest, slug: str) -> HttpResponse:
    """The position of the newest morning, both sides, as a table."""
    viewer = gm_viewer(request.user, slug)
    if not may(request, BOARDS):
        return too_fast(request, BOARDS)
    response = HttpResponse(spreadsheet(position_of(viewer)), content_type="text/csv; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="{viewer.campaign.slug}-position.csv"'
    return response
