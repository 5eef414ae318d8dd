"""Muting reports from a mail: a page with a button, and the button that mail programs show themselves."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from campaign.mail import mutes


@csrf_exempt  # the secret address is the authority; mail programs send no token of ours
@require_http_methods(["GET", "HEAD", "POST"])
def mute(request: HttpRequest, slug: str, token: str) -> HttpResponse:
    """Ask, and mute on POST. GET changes nothing: programs that check links open the page too."""
    member = mutes.member_of(slug, token)
    if request.method != "POST":
        return render(request, "campaign/mute.html", {"member": member})
    if request.POST.get("reports") == "on":
        mutes.unmute(member)
    else:
        mutes.mute(member)
    return redirect("mute", slug, token) if "reports" in request.POST else HttpResponse(status=204)
