"""The result of a campaign that has ended: who has won, and its story, if that is open."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_safe

from campaign import statistics
from campaign.after_action import episodes, turning_points
from campaign.ending import ended_in_words, may_end
from campaign.maps.plots import svg_plot
from campaign.people.throttles import BOARDS, may, too_fast
from campaign.record.dice_log import has_ended
from campaign.selectors import published_phases
from campaign.services import scenario_of
from campaign.story import open_rulings, story_audiences, story_is_open
from campaign.viewers import Viewer, public_viewer, viewer_of


@login_required
@require_safe
def result(request: HttpRequest, slug: str) -> HttpResponse:
    """Who has won, and how; for every member. Http404 before the end."""
    return _page(request, viewer_of(request.user, slug))


@require_safe
def public_result(request: HttpRequest, slug: str) -> HttpResponse:
    """The same for everybody with the address."""
    return _page(request, public_viewer(request.user, slug))


def _page(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    if not has_ended(viewer.campaign):
        raise Http404
    if not may(request, BOARDS):
        return too_fast(request, BOARDS)
    told = story_is_open(viewer.campaign)
    context = {
        "viewer": viewer,
        "how": ended_in_words(viewer.campaign.closing),
        "told": told,
        "may_end": may_end(viewer),
    }
    return render(request, "campaign/end/result.html", context | (_story(viewer) if told else {}))


def _story(viewer: Viewer) -> dict[str, object]:
    """What an open story adds."""
    rules, found = scenario_of(viewer.campaign).rules, episodes(viewer)
    titles = {each.no: f"{each.title}, {each.moment}" for each in published_phases(viewer)}
    plot = statistics.plot_of(viewer, rules.score.key) if rules.score and len(found) > 1 else None
    return {
        "episodes": found,
        "turning_points": turning_points(found),
        "score": rules.score,
        "last": found[-1].score if found else (),
        "plot": mark_safe(svg_plot(plot)) if plot else "",  # noqa: S308 # it escapes every text in it
        "readers": story_audiences(viewer.campaign),
        "rulings": [(titles[each.no], each) for each in open_rulings(viewer.campaign)],
    }
