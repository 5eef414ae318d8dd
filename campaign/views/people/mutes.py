"""Choosing mails from a mail: a page with a form, and the button that mail programs show themselves."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from campaign.forms.people import MailsForm, ReportsForm
from campaign.mail import choices, mutes
from campaign.viewers import Viewer


@csrf_exempt  # the secret address is the authority; mail programs send no token of ours
@require_http_methods(["GET", "HEAD", "POST"])
def mute(request: HttpRequest, slug: str, token: str) -> HttpResponse:
    """Show the form, and save it on POST. GET changes nothing: programs that check links open the page too.

    Mails are forwarded with their links. So who is not signed in as the member sees and chooses only about reports,
    which ask for nothing.
    """
    member = mutes.member_of(slug, token)
    if "List-Unsubscribe" in request.POST:
        mutes.mute(member)
        return HttpResponse(status=204)
    whole = request.user == member.user
    form = (MailsForm if whole else ReportsForm)(request.POST or None, member=member)
    if request.method != "POST" or not form.is_valid():
        context = {"member": member, "form": form, "evening": choices.EVENING, "whole": whole}
        context |= {"viewer": Viewer(member.campaign, member.user, member)} if whole else {}
        return render(request, "campaign/people/mute.html", context)
    mutes.choose(member, form.wanted, **form.quiet_hours)
    messages.success(request, "Saved.")
    return redirect("mute", slug, token)
