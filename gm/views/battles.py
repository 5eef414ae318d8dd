"""The game master decides battles, or lets the rules decide them."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from campaign.selectors import mark_of, open_phase
from campaign.viewers import Viewer, gm_viewer
from gm.desk.resolver import let_rules_decide, undecided
from gm.phases import battles
from orders.battles.reading import require_outside
from orders.battles.reporting import Which
from orders.views.battles import attempt, fill, text_of
from orders.views.reports import lacks_what_was_filled_in


@login_required
@require_POST
def decide(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """Decide its result, whatever was reported."""
    viewer = gm_viewer(request.user, slug)
    if lacks_what_was_filled_in(request, viewer, key):
        return fill(request, viewer, key)
    return attempt(request, viewer, key, _decide)


def _decide(request: HttpRequest, viewer: Viewer, which: Which) -> str:
    battles.decide(viewer, which, text_of(request))
    return "Decided. The result is final."


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def resolver(request: HttpRequest, slug: str) -> HttpResponse:
    """The battles that the rules may decide, to confirm; POST lets them."""
    viewer = gm_viewer(request.user, slug)
    require_outside(viewer)
    phase = open_phase(viewer)
    if request.method == "POST":
        if phase is None or request.POST.get("seen") != mark_of(phase):
            messages.error(request, "This phase has already closed, so nothing was changed. Here is the current one.")
            return redirect("desk", slug)
        return _let_rules_decide(request, viewer)
    asked = request.GET.getlist("battle")
    found = undecided(viewer)
    waiting = [(battle, battle.key in asked if asked else battle.open) for battle in found]
    context = {"viewer": viewer, "phase": phase, "waiting": waiting, "seen": mark_of(phase) if phase else ""}
    return render(request, "gm/resolver.html", context)


def _let_rules_decide(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    chosen = {key: request.POST.get(f"seen-{key}", "") for key in request.POST.getlist("battle")}
    left = let_rules_decide(viewer, chosen)
    if left.decided:
        messages.success(request, f"The rules decide: {', '.join(left.decided)}.")
    if left.changed:
        which = ", ".join(left.changed)
        messages.error(request, f"Not changed, because someone else changed it after you opened the page: {which}.")
    if not chosen:
        messages.error(request, "You chose no battle, so nothing was changed.")
    return redirect("desk" if left.decided else "resolver", viewer.campaign.slug)
