"""The list of those who would step in, for the GM."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from campaign.core import clock
from campaign.forms.people import PartForm
from campaign.people.memberships import Refused
from campaign.people.throttles import INVITATIONS, may, too_fast
from campaign.services import scenario_of
from campaign.viewers import gm_viewer
from gm.desk.substitutes import invite_substitute, offered


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def substitutes(request: HttpRequest, slug: str) -> HttpResponse:
    """Who would step in; POST mails one of them an invitation."""
    viewer = gm_viewer(request.user, slug)
    sides = scenario_of(viewer.campaign).rules.sides
    form = PartForm(request.POST if request.method == "POST" else None, sides=sides)
    if form.is_valid():
        if not may(request, INVITATIONS):
            return too_fast(request, INVITATIONS)
        name = request.POST.get("member", "")
        try:
            invite_substitute(viewer, name, **form.cleaned_data, now=clock.now())
        except Refused as refused:
            messages.error(request, str(refused))
        else:
            messages.success(request, f"Fieldpost mails an invitation to {name}.")
        return redirect("substitutes", slug)
    found = [(each, PartForm(sides=sides, auto_id=f"offer{nth}_%s")) for nth, each in enumerate(offered(viewer), 1)]
    status = 422 if form.errors else 200
    return render(request, "gm/substitutes.html", {"viewer": viewer, "offered": found}, status=status)
