"""The game master decides a battle."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST

from campaign.viewers import Viewer, gm_viewer
from gm.phases import battles
from orders.battles import Which
from orders.views.battles import attempt, text_of


@login_required
@require_POST
def decide(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """Decide its result, whatever was reported."""
    return attempt(request, gm_viewer(request.user, slug), key, _decide)


def _decide(request: HttpRequest, viewer: Viewer, which: Which) -> str:
    battles.decide(viewer, which, text_of(request))
    return "Decided. The result is final."
