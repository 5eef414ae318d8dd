"""Choosing mails from a mail: a page with a form, and the button that mail programs show themselves."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from campaign.forms.people import MailsForm
from campaign.mail import choices, mutes


@csrf_exempt  # the secret address is the authority; mail programs send no token of ours
@require_http_methods(["GET", "HEAD", "POST"])
def mute(request: HttpRequest, slug: str, token: str) -> HttpResponse:
    """Show the form, and save it on POST. GET changes nothing: programs that check links open the page too."""
    member = mutes.member_of(slug, token)
    if "List-Unsubscribe" in request.POST:
        mutes.mute(member)
        return HttpResponse(status=204)
    form = MailsForm(request.POST or None, member=member)
    if request.method != "POST" or not form.is_valid():
        return render(request, "campaign/mute.html", {"member": member, "form": form, "evening": choices.EVENING})
    wanted, hours = form.wanted, form.cleaned_data
    mutes.choose(member, wanted, quiet_from=hours["quiet_from"], quiet_to=hours["quiet_to"])
    messages.success(request, "Saved.")
    return redirect("mute", slug, token)
