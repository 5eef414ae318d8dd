"""The page on which somebody confirms a sheet that they have mailed."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from campaign.core.requests import number
from campaign.people.throttles import SHEETS, may
from campaign.viewers import viewer_of
from incoming.confirming import Unconfirmed, confirm, unconfirmed
from orders.intake import KeyReused, NotYours, Outdated, TooLate
from orders.services import TooLong


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def confirm_mailed(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """A mailed sheet that waits for its author; POST submits it."""
    viewer = viewer_of(request.user, slug)
    found = unconfirmed(viewer, name)
    if request.method != "POST":
        return _page(request, found)
    if not may(request, SHEETS):
        return _page(request, found, trouble=_TOO_FAST, status=429)
    try:
        receipt = confirm(found, expected_version=number(request, "version"))
    except Outdated as newer:
        trouble = (
            f"Not submitted: version {newer.newest} of this sheet was submitted after you opened this page. Compare,"
            " then submit again if this one must replace it."
        )
        return _page(request, unconfirmed(viewer, name), trouble=trouble, status=409)
    except TooLong as refusal:
        return _page(request, found, trouble=f"Not submitted: {refusal}.", status=409)
    except (TooLate, NotYours, KeyReused) as refusal:
        return _page(request, found, trouble=_REFUSALS[type(refusal)], status=409)
    messages.success(request, f"Received as version {receipt.version}.", extra_tags="received")
    phase, place = found.meant.phase, found.meant.place
    return redirect("version", slug, place.name, phase.no, phase.rev, receipt.version)


def _page(request: HttpRequest, found: Unconfirmed, *, trouble: str = "", status: int = 200) -> HttpResponse:
    context = {
        "viewer": found.meant.viewer,
        "mail": found.mail,
        "phase": found.meant.phase,
        "place": found.meant.place,
        "said": found.said,
        "newest": found.newest,
        "trouble": trouble,
    }
    return render(request, "incoming/confirm.html", context, status=status)


_TOO_FAST = "Not submitted: too many requests within a minute. Wait a minute, then submit again."
_REFUSALS: dict[type[Exception], str] = {
    TooLate: "Not submitted: this phase has closed, so the sheet does not count.",
    NotYours: "Not submitted: your side has no orders to give in this phase, or you no longer hold this desk.",
    KeyReused: "Not submitted: this mail was already submitted with another text.",
}
