"""The game master's page of destinations and posts, and a person's page for their own webhook."""

from collections.abc import Callable, Mapping

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from campaign.core import clock
from campaign.core.requests import MOST_DIGITS
from campaign.links import linked_audiences
from campaign.models import User
from campaign.people.throttles import DESTINATIONS, may, too_fast
from campaign.templatetags.fieldpost import people
from campaign.viewers import Viewer, gm_viewer
from posting.adapters import ADAPTERS, Trouble
from posting.calling import newest_call, remove_webhook, set_webhook, webhook_of
from posting.deciding import decide, decisions_for, posts_of
from posting.destinations import (
    Refused,
    add_destination,
    destination_of,
    destinations_of,
    withdraw_destination,
)
from posting.forms import DestinationForm, WebhookForm
from posting.trying import try_destination

PAGE = 50


# --- the game master's -----------------------------------------------------------------------------------------------


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def destinations(request: HttpRequest, slug: str) -> HttpResponse:
    """The destinations and the posts; POST adds a destination."""
    viewer = gm_viewer(request.user, slug)
    form = _form(viewer, request.POST if request.method == "POST" else None)
    if request.method != "POST":
        return _page(request, viewer, form)
    if not form.is_valid():
        return _page(request, viewer, form, status=422)
    if not may(request, DESTINATIONS):
        return too_fast(request, DESTINATIONS)
    try:
        made = add_destination(viewer, form.wanted(), now=clock.now())
    except Refused as why:
        form.add_error(None, str(why))
        return _page(request, viewer, form, status=422)
    messages.success(request, f"Destination {made.no} is added. Test it now: the next published phase is posted there.")
    return redirect("destinations", slug)


def _form(viewer: Viewer, data: Mapping[str, object] | None) -> DestinationForm:
    audiences = [(each, people(each, viewer.campaign)) for each in linked_audiences(viewer.campaign)]
    return DestinationForm(data, audiences=audiences)


def _page(request: HttpRequest, viewer: Viewer, form: DestinationForm, *, status: int = 200) -> HttpResponse:
    page = Paginator(posts_of(viewer), PAGE).get_page(request.GET.get("page"))
    context = {
        "viewer": viewer,
        "form": form,
        "destinations": [(each, ADAPTERS[each.kind].title) for each in destinations_of(viewer)],
        "page": page,
        "posts": [(post, decisions_for(post)) for post in page],
    }
    return render(request, "gm/destinations.html", context, status=status)


@login_required
@require_POST
def destination(request: HttpRequest, slug: str, no: int) -> HttpResponse:
    """Test or withdraw a destination, by the pressed button."""
    viewer = gm_viewer(request.user, slug)
    act = _ACTS.get(request.POST.get("act", ""))
    if act is None:
        raise Http404
    if not may(request, DESTINATIONS):
        return too_fast(request, DESTINATIONS)
    act(request, viewer, no)
    return redirect("destinations", slug)


def _test(request: HttpRequest, viewer: Viewer, no: int) -> None:
    for step in try_destination(destination_of(viewer, no)):
        say = messages.success if step.worked else messages.error
        say(request, f"Test of destination {no}: {step.said}")


def _withdraw(request: HttpRequest, viewer: Viewer, no: int) -> None:
    withdraw_destination(viewer, no, now=clock.now())
    messages.success(
        request,
        f"Destination {no} is withdrawn, and its key is forgotten. What is posted there stays; delete there what should"
        " go.",
    )


_ACTS: Mapping[str, Callable[[HttpRequest, Viewer, int], None]] = {"test": _test, "withdraw": _withdraw}


@login_required
@require_POST
def forum_post(request: HttpRequest, slug: str, mark: str) -> HttpResponse:
    """Decide about a post, by the pressed button."""
    viewer = gm_viewer(request.user, slug)
    seen = request.POST.get("seen", "")
    if not (seen.isascii() and seen.isdigit() and len(seen) <= MOST_DIGITS):
        raise Http404
    try:
        decision = decide(viewer, mark, request.POST.get("act", ""), seen=int(seen), now=clock.now())
    except Refused as why:
        messages.error(request, str(why))
    else:
        messages.success(request, decision.done)
    return redirect("destinations", slug)


# --- a person's own --------------------------------------------------------------------------------------------------


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def turn_webhook(request: HttpRequest) -> HttpResponse:
    """The webhook that says whose turn it is; POST sets or removes it."""
    user = request.user
    if not isinstance(user, User):
        raise Http404
    if request.method != "POST":
        return _webhook_page(request, user, WebhookForm())
    if request.POST.get("act") == "remove":
        remove_webhook(user)
        messages.success(request, "Removed. Fieldpost has forgotten the address.")
        return redirect("turn_webhook")
    form = WebhookForm(request.POST)
    if not form.is_valid():
        return _webhook_page(request, user, form, status=422)
    if not may(request, DESTINATIONS):
        return too_fast(request, DESTINATIONS)
    try:
        set_webhook(user, form.cleaned_data["address"], form.key)
    except Trouble as why:
        form.add_error("address", f"Not saved: the test did not arrive. {why}")
        return _webhook_page(request, user, form, status=422)
    messages.success(request, "Saved. A test is in your channel.")
    return redirect("turn_webhook")


def _webhook_page(request: HttpRequest, user: User, form: WebhookForm, *, status: int = 200) -> HttpResponse:
    webhook = webhook_of(user)
    context = {"form": form, "webhook": webhook, "call": newest_call(user) if webhook else None}
    return render(request, "posting/turn_webhook.html", context, status=status)
