"""The forum posts of a phase, one for each audience, on one page."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from campaign import selectors
from campaign.reports import FORUMS
from campaign.viewers import gm_viewer
from campaign.views.posts import chosen_forum
from gm.desk.posts import posts_of


@login_required
@require_safe
def posts(request: HttpRequest, slug: str, no: int) -> HttpResponse:
    """What each side and the public received of a phase, as posts."""
    viewer = gm_viewer(request.user, slug)
    phase, forum = selectors.published_phase(viewer, no), chosen_forum(request, viewer)
    posts = posts_of(viewer, phase, forum)
    context = {"viewer": viewer, "phase": phase, "forum": forum, "forums": FORUMS.values(), "posts": posts}
    return render(request, "gm/posts.html", context)
