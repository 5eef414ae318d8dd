"""A person's own page."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from campaign.core import clock
from campaign.forms.accounts import ProfileForm
from campaign.mail.bounces import note_works, own_mail_comes_back
from campaign.models import User
from campaign.people import memberships, sessions


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def profile(request: HttpRequest) -> HttpResponse:
    """Forum name, address and time zone."""
    user = person(request)
    form = ProfileForm(request.POST or None, initial={"time_zone": user.time_zone or "UTC"})
    if request.method == "POST" and form.is_valid():
        memberships.set_time_zone(user, form.cleaned_data["time_zone"])
        messages.success(request, "Saved.")
        return redirect("profile")
    context = {"form": form, "sessions": sessions.sessions_of(request, user)}
    return render(request, "campaign/people/profile.html", {**context, "comes_back": own_mail_comes_back(user)})


@login_required
@require_POST
def mail_works(request: HttpRequest) -> HttpResponse:
    """Note that mail to the person works again, as they say."""
    note_works(person(request), since=clock.now())
    messages.success(request, "Fieldpost will tell you if another mail to you comes back.")
    return redirect("profile")


@login_required
@require_POST
def end_session(request: HttpRequest) -> HttpResponse:
    """Sign out one of the person's other browsers, or all of them."""
    user, mark = person(request), request.POST.get("session", "")
    if mark:
        sessions.end_session(user, mark)
        messages.success(request, "That browser is now signed out.")
    else:
        messages.success(request, f"Other browsers signed out: {sessions.end_others(request, user)}.")
    return redirect("profile")


def person(request: HttpRequest) -> User:
    """The signed-in person."""
    if not isinstance(request.user, User):
        raise Http404
    return request.user
