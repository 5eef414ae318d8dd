"""A phase as a forum post, ready to copy: for members of a side, and for the public."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from campaign import selectors
from campaign.posts import post_of
from campaign.reports import FORUMS, Forum
from campaign.viewers import Viewer, public_viewer, viewer_of


@login_required
@require_safe
def post(request: HttpRequest, slug: str, no: int) -> HttpResponse:
    """What the viewer's side received of a phase, as a post; the GM is led to the page with those of all audiences."""
    viewer = viewer_of(request.user, slug)
    if viewer.is_gm:
        return redirect("posts", slug, no)
    return _post(request, viewer, no)


@require_safe
def public_post(request: HttpRequest, slug: str, no: int) -> HttpResponse:
    """What the public received of a phase, as a post."""
    return _post(request, public_viewer(request.user, slug), no)


def chosen_forum(request: HttpRequest, viewer: Viewer) -> Forum:
    """The kind of forum that the address names, else the campaign's."""
    return FORUMS.get(request.GET.get("forum", "")) or FORUMS[viewer.campaign.forum]


def _post(request: HttpRequest, viewer: Viewer, no: int) -> HttpResponse:
    phase, forum = selectors.published_phase(viewer, no), chosen_forum(request, viewer)
    written = post_of(viewer, phase, forum)
    context = {
        "viewer": viewer,
        "phase": phase,
        "forum": forum,
        "forums": FORUMS.values(),
        "post": written,
        "pastes": () if written else _pastes(viewer, no),
    }
    return render(request, "campaign/post.html", context)


def _pastes(viewer: Viewer, no: int) -> list[tuple[str, str]]:
    """The texts of the viewer's audience as an older release published them, with their titles."""
    there = selectors.kinds_of(viewer, no)
    found = selectors.artefacts(viewer, no, [kind for _, kind in _PASTES if kind in there])
    return [(title, found[kind].decode()) for title, kind in _PASTES if kind in there]


_PASTES = (
    ("Report, BBCode (phpBB)", "bbcode"),
    ("Report, Markdown", "markdown"),
    ("Report, plain text", "text"),
    ("Chart, BBCode (phpBB)", "chart_bbcode"),
    ("Chart, Markdown", "chart_markdown"),
    ("Chart, plain text", "chart_text"),
)
"""Phases that the first releases published have no chart."""
