"""The page on which people make tokens for their programs, and revoke them."""

from collections.abc import Sequence

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.views.decorators.http import require_http_methods

from api.docs import Table
from api.forms import TokenForm
from api.models import ApiToken, Scope
from api.tokens import MOST, NoGameMaster, TooMany, make_token, revoke, tokens_of
from campaign.core import clock
from campaign.people.throttles import TOKENS, may, too_fast
from campaign.templatetags.fieldpost import moment
from campaign.viewers import memberships_of, viewer_of
from campaign.views.people.profile import person


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def tokens(request: HttpRequest) -> HttpResponse:
    """All tokens of the person who is signed in; a new one is shown with the answer to its form, and never again.

    No limit keeps them from revoking one.
    """
    user, made = person(request), ""
    if request.POST.get("act") == "revoke":
        revoke(user, request.POST.get("token", ""))
        messages.success(request, "No program can use this token any more.")
        return redirect("tokens")
    if request.method == "POST" and not may(request, TOKENS):
        return too_fast(request, TOKENS)
    members = list(memberships_of(user).order_by("campaign__title", "campaign__slug"))
    form = TokenForm(request.POST if request.method == "POST" else None, members=members)
    if form.is_valid():
        try:
            viewer = viewer_of(user, form.cleaned_data["campaign"])
            made = make_token(viewer, label=form.cleaned_data["label"], scopes=map(Scope, form.cleaned_data["scopes"]))
            form = TokenForm(members=members)
        except TooMany:
            form.add_error(None, f"You have {MOST} tokens for this campaign. Revoke one first.")
        except NoGameMaster:
            form.add_error("scopes", "You are not a game master of this campaign. Untick “Act as game master”.")
    context = {"form": form, "made": made, "tokens": _table(request, tokens_of(user, clock.now()))}
    status = 400 if form.errors else 200
    return render(request, "api/tokens.html", context, status=status)


def _table(request: HttpRequest, found: Sequence[ApiToken]) -> Table:
    """Tokens with what they are for, and a button for each."""
    head = ("Name", "Campaign", "May", "Last used", "Ends", "Revoke")
    rows = (
        (
            each.label,
            each.member.campaign.title,
            ", ".join(each.scopes),
            moment(each.used_at) if each.used_at else "never",
            moment(each.expiry),
            render_to_string("api/_revoke.html", {"mark": each.mark}, request),
        )
        for each in found
    )
    return Table(head, tuple(rows))
