"""The page on which a GM creates a rematch."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from campaign.people.memberships import part
from campaign.people.throttles import FOUNDINGS, INVITATIONS, may, too_fast
from campaign.record.dice_log import has_ended
from campaign.services import SlugTaken
from campaign.viewers import gm_viewer
from gm.desk.deadlines import Refused
from gm.desk.rematch import invited, rematch
from gm.forms import RematchForm


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_rematch(request: HttpRequest, slug: str) -> HttpResponse:
    """The form with a proposed name; POST creates the campaign and invites everybody."""
    viewer = gm_viewer(request.user, slug)
    if not has_ended(viewer.campaign):
        raise Http404
    people = invited(viewer)
    sent = request.POST if request.method == "POST" else None
    form = RematchForm(sent, initial=RematchForm.proposed(viewer.campaign))
    if form.is_valid():
        if not (may(request, FOUNDINGS) and may(request, INVITATIONS, times=len(people))):
            return too_fast(request, FOUNDINGS, words=("title", "slug"))
        try:
            campaign = rematch(viewer, **form.cleaned_data)
        except SlugTaken:
            form.add_error("slug", "Another campaign already has this short name. Choose another one.")
        except Refused as why:
            form.add_error(None, str(why))
        else:
            messages.success(request, "Rematch created, and everyone is invited. You are its game master.")
            return redirect("people", campaign.slug)
    context = {"viewer": viewer, "form": form, "people": [(each.user.username, part(each)) for each in people]}
    return render(request, "gm/rematch.html", context, status=422 if form.errors else 200)
