"""The page on which a campaign ends, for its GM and for those who speak for a side, and what they open afterwards."""

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from campaign.ending import draw_offers, ended_in_words, may_end, other_side
from campaign.models import Agreed
from campaign.people.throttles import MAILINGS, may, too_fast
from campaign.record.dice_log import has_ended
from campaign.selectors import open_phase
from campaign.templatetags.fieldpost import people
from campaign.viewers import Viewer, viewer_of
from gm.desk.closing import DRAW, abandon, accept_draw, concede, results, win
from gm.desk.consents import agree, consents_of
from gm.desk.deadlines import Refused
from gm.desk.draws import offer_draw, withdraw_offer
from gm.forms import AbandonForm, ClosingForm, VictoryForm


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def closing(request: HttpRequest, slug: str) -> HttpResponse:
    """How the campaign can end, and what that opens; POST acts by the pressed button."""
    viewer = viewer_of(request.user, slug)
    if not may_end(viewer):
        raise Http404
    if request.method != "POST":
        return _page(request, viewer)
    act = request.POST.get("act", "")
    if act not in (_GMS if viewer.is_gm else _SPEAKERS):
        raise Http404
    form = _form(request, viewer, act)
    if form is not None and not form.is_valid():
        return _page(request, viewer, form, act)
    if not may(request, MAILINGS):
        return too_fast(request, MAILINGS, words=("reason",))
    try:
        messages.success(request, _ACTS[act](viewer, form.cleaned_data if form else {}))
    except Refused as why:
        if form is not None:
            form.add_error(None, str(why))
            return _page(request, viewer, form, act)
        messages.error(request, str(why))
    return redirect("closing", slug)


def _page(request: HttpRequest, viewer: Viewer, form: ClosingForm | None = None, act: str = "") -> HttpResponse:
    """The page, with the form that was sent if it is refused."""
    campaign, over = viewer.campaign, has_ended(viewer.campaign)
    context: dict[str, Any] = {"viewer": viewer, "phase": open_phase(viewer), "over": over}
    if over:
        context |= {"how": ended_in_words(campaign.closing), "consents": consents_of(viewer)}
    else:
        context |= _offers(viewer) | {"forms": _forms(viewer) | ({act: form} if form else {})}
    return render(request, "campaign/end/end.html", context, status=422 if form else 200)


def _offers(viewer: Viewer) -> dict[str, Any]:
    """The draws that are offered: all for the GM, and for others by side."""
    offered = {each.side: each for each in draw_offers(viewer)}
    if viewer.is_gm:
        return {"offers": list(offered.values())}
    other = other_side(viewer.campaign, viewer.side)
    return {"other": other, "own_offer": offered.get(viewer.side), "their_offer": offered.get(other)}


def _forms(viewer: Viewer) -> dict[str, ClosingForm]:
    """The empty forms of a page, by their acts."""
    names = ("victory", "abandon") if viewer.is_gm else ("concede", "accept")
    found = {name: _made(viewer, name, None) for name in names}
    return {name: form for name, form in found.items() if name != "victory" or form.fields["result"].choices}  # type: ignore[attr-defined]


def _form(request: HttpRequest, viewer: Viewer, act: str) -> ClosingForm | None:
    """The form that was sent; None for an act that needs none."""
    return _made(viewer, act, request.POST) if act in ("victory", "abandon", "concede", "accept") else None


def _made(viewer: Viewer, act: str, data: Any) -> ClosingForm:
    campaign = viewer.campaign
    told: dict[str, Any] = {"slug": campaign.slug, "auto_id": f"{act}_%s"}
    if act == "victory":
        named = [(each, "a draw" if each == DRAW else f"{people(each, campaign)} win") for each in results(campaign)]
        return VictoryForm(data, results=named, **told)
    return AbandonForm(data, **told) if act == "abandon" else ClosingForm(data, **told)


# --- the buttons -----------------------------------------------------------------------------------------------------


def _win(viewer: Viewer, sent: Mapping[str, Any]) -> str:
    win(viewer, sent["result"])
    return _OVER


def _abandon(viewer: Viewer, sent: Mapping[str, Any]) -> str:
    abandon(viewer, reason=sent["reason"])
    return _OVER


def _concede(viewer: Viewer, _sent: Mapping[str, Any]) -> str:
    concede(viewer)
    return _OVER


def _accept(viewer: Viewer, _sent: Mapping[str, Any]) -> str:
    accept_draw(viewer)
    return _OVER


def _offer(viewer: Viewer, _sent: Mapping[str, Any]) -> str:
    offer_draw(viewer)
    return "You have offered a draw. The commanders of the other side and the game master have been notified."


def _withdraw(viewer: Viewer, _sent: Mapping[str, Any]) -> str:
    withdraw_offer(viewer)
    return "Your side offers no draw any more."


def _agree_notes(viewer: Viewer, _sent: Mapping[str, Any]) -> str:
    agree(viewer, Agreed.NOTES)
    return "Everyone who can read the campaign can now read your side’s notes, and what the game master wrote to it."


def _agree_questions(viewer: Viewer, _sent: Mapping[str, Any]) -> str:
    agree(viewer, Agreed.QUESTIONS)
    return "Everyone who can read the campaign can now read what the game master has answered to your side."


def _agree_story(viewer: Viewer, _sent: Mapping[str, Any]) -> str:
    agree(viewer, Agreed.STORY)
    return "You have agreed. The story opens once both sides and the game master have."


_OVER = "The campaign is over. Everyone has been notified."
_ACTS: Mapping[str, Callable[[Viewer, Mapping[str, Any]], str]] = {
    "victory": _win,
    "abandon": _abandon,
    "concede": _concede,
    "accept": _accept,
    "offer": _offer,
    "withdraw": _withdraw,
    "notes": _agree_notes,
    "questions": _agree_questions,
    "story": _agree_story,
}
_GMS = ("victory", "abandon", "story")
_SPEAKERS = ("concede", "accept", "offer", "withdraw", "notes", "questions", "story")
