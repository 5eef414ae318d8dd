"""The forum posts of a phase, one for each audience, on one page."""

import dataclasses

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from campaign import selectors
from campaign.posts import post_of
from campaign.reports import FORUMS
from campaign.viewers import gm_viewer
from campaign.views.posts import chosen_forum
from gm.desk.view_as import note_view_as
from gm.selectors import readers


@login_required
@require_safe
def posts(request: HttpRequest, slug: str, no: int) -> HttpResponse:
    """What each side and the public received of a phase, as posts."""
    viewer = gm_viewer(request.user, slug)
    phase, forum = selectors.published_phase(viewer, no), chosen_forum(request, viewer)
    eyes = [dataclasses.replace(viewer, viewing_as=reader) for reader in readers(viewer)]
    posts = [(each.audience, post_of(each, phase, forum)) for each in eyes]
    for each in eyes:
        note_view_as(viewer, no, each.audience)
    context = {"viewer": viewer, "phase": phase, "forum": forum, "forums": FORUMS.values(), "posts": posts}
    return render(request, "gm/posts.html", context)
