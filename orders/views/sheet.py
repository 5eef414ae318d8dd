"""The sheet of the open phase: write it, check it while typing, save a draft, submit, withdraw."""

import secrets
from collections.abc import Callable, Mapping, Sequence

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from campaign.core.requests import number
from campaign.people.throttles import SHEETS, TYPING, may
from campaign.selectors import (
    PhaseInfo,
    addressed_phase,
    open_phase,
)
from campaign.viewers import Viewer, viewer_of
from orders import services
from orders.desks import Place, first_place, place
from orders.intake import KeyReused, NotYours, Outdated, Receipt, TooLate
from orders.selectors import (
    unready_desks,
)
from orders.services import NothingToWithdraw, NotReady, Overtaken, TooLong
from orders.standing import NONE, standing_lines, with_standing
from orders.views import filling
from orders.views.background import refused, unchecked
from orders.views.safeguards import is_filled_in, question, sheet_text, sign_in_required
from orders.views.sheet_page import sheet_page
from orders.writing.pasted import cleaned


@login_required
@require_GET
def orders(request: HttpRequest, slug: str) -> HttpResponse:
    """The sheet of the first desk that the viewer writes."""
    viewer = viewer_of(request.user, slug)
    return sheet_page(request, viewer, first_place(viewer))


@sign_in_required
@require_http_methods(["GET", "HEAD", "POST"])
def sheet(request: HttpRequest, slug: str, desk: str) -> HttpResponse:
    """A desk's sheet for the open phase; POST saves it as a draft, submits it or withdraws it, by the button."""
    viewer = viewer_of(request.user, slug)
    here = place(viewer, desk)
    if request.method != "POST":
        return sheet_page(request, viewer, here)
    phase = _addressed(request, viewer)
    if not here.writes:
        raise Http404
    act = "fill" if "fill" in request.POST else request.POST.get("act", "send")
    if act != "undo" and phase.open and is_filled_in(request):
        done = filling.filled_by(request, services.fillable(viewer, phase, here, sheet_text(request)))
        sent = request.POST.copy()
        sent["text"] = done.text
        request.POST = sent  # type: ignore[assignment] # whatever the button does, it does it to this text
        if done.troubles:
            return _filled_wrongly(request, viewer, phase, here, done.troubles)
    if not may(request, SHEETS):
        return _too_fast(request, viewer, phase, here, act)
    if act in _BUTTONS:
        return _BUTTONS[act](request, viewer, phase, here)
    if act in REWRITES:
        text = _rewritten(request, viewer, here, act)
        return sheet_page(request, viewer, here, text=text, before=sheet_text(request) if act == "clean" else "")
    return _send(request, viewer, phase, here, act)


REWRITES = ("check", "clean", "undo", "standing", "no-standing")
"""Buttons that store nothing: the page comes back with the text, changed or not."""


def _rewritten(request: HttpRequest, viewer: Viewer, here: Place, act: str) -> str:
    """The text that such a button puts into the field."""
    text = sheet_text(request)
    if act == "clean":
        return cleaned(text).text
    if act == "undo":
        return sheet_text(request, "before")
    if act == "check":
        return text
    lines = standing_lines(viewer, here) if act == "standing" else [NONE]
    return with_standing(viewer, text, lines or [])


@login_required
@require_POST
def check(request: HttpRequest, slug: str, desk: str) -> HttpResponse:
    """The answer to a sheet that is being written, to show next to it. Stores nothing."""
    viewer = viewer_of(request.user, slug)
    here = place(viewer, desk)
    phase = open_phase(viewer)
    if phase is None:
        raise Http404
    if not may(request, TYPING):
        return unchecked(request)
    text = sheet_text(request)
    context = {"viewer": viewer, "place": here, "answer": services.answered(viewer, phase, here, text), "live": True}
    context["pasted"] = cleaned(text).taken_out if here.writes else ()
    if "movers" in request.POST:
        context["movers"] = services.movable(viewer, phase, here, text)
    return render(request, "orders/answer/_answer.html", context)


@login_required
@require_POST
def draft(request: HttpRequest, slug: str, desk: str) -> HttpResponse:
    """Save a draft; answers with the time."""
    viewer = viewer_of(request.user, slug)
    here = place(viewer, desk)
    if not here.writes:
        raise Http404
    phase = _addressed(request, viewer)
    if not may(request, TYPING):
        return refused(
            request, "Draft not saved: too many requests within a minute. Your text is still in the field.", 429
        )
    try:
        kept = services.save_draft(
            viewer, phase, here, text=sheet_text(request), base_version=number(request, "version")
        )
    except (TooLate, TooLong, Overtaken) as refusal:
        return refused(request, _not_saved(refusal), 409)
    return HttpResponse(f"Draft saved at {timezone.localtime(kept.saved_at):%H:%M:%S}.")


def _too_fast(request: HttpRequest, viewer: Viewer, phase: PhaseInfo, here: Place, act: str) -> HttpResponse:
    """Refuse the submission, and lose nothing: the text is saved as a draft if possible, and shown."""
    text, trouble = sheet_text(request, "before" if act == "undo" else "text"), _TOO_FAST
    if act not in ("check", "withdraw", "cancel-ready"):
        try:
            services.save_draft(viewer, phase, here, text=text, base_version=number(request, "version"))
            trouble = f"{_TOO_FAST} Your text is saved as a draft."
        except (TooLate, TooLong, Overtaken) as refusal:
            trouble = f"{_TOO_FAST} It is not saved as a draft either: {str(refusal) or 'this phase has closed'}."
    return _not_received(request, viewer, phase, here, text=text, trouble=trouble, status=429)


_TOO_FAST = "Not submitted: too many requests within a minute. Wait a minute, then submit again."


def _keep(request: HttpRequest, viewer: Viewer, phase: PhaseInfo, here: Place) -> HttpResponse:
    """Save the text as a draft, whether its own button was pressed or that of a form next to it."""
    text = sheet_text(request)
    try:
        services.save_draft(viewer, phase, here, text=text, base_version=number(request, "version"))
    except TooLate:
        return _not_received(request, viewer, phase, here, text=text, trouble=_CLOSED)
    except (TooLong, Overtaken) as refusal:
        return sheet_page(request, viewer, here, text=text, trouble=_not_saved(refusal), status=409)
    put = "Put into the sheet. " if "fill" in request.POST else ""
    messages.success(request, f"{put}Draft saved. Not submitted yet.")
    return redirect("sheet", viewer.campaign.slug, here.name)


def _filled_wrongly(
    request: HttpRequest, viewer: Viewer, phase: PhaseInfo, here: Place, troubles: Sequence[str]
) -> HttpResponse:
    """The page with what is wrong in the forms; all else that was filled in is in the text, which is saved."""
    try:
        services.save_draft(viewer, phase, here, text=sheet_text(request), base_version=number(request, "version"))
    except (TooLate, TooLong, Overtaken) as refusal:
        troubles = [*troubles, _not_saved(refusal)]
    return sheet_page(request, viewer, here, text=sheet_text(request), trouble=" ".join(troubles), status=422)


def _not_saved(refusal: Exception) -> str:
    if isinstance(refusal, TooLate):
        return f"{_CLOSED} Your text is still in the field; copy it if you need it."
    return f"Draft not saved: {refusal}. Your text is still in the field."


_CLOSED = "This phase has closed, so drafts for it are no longer saved."


def _withdraw(request: HttpRequest, viewer: Viewer, phase: PhaseInfo, here: Place) -> HttpResponse:
    text = sheet_text(request)
    try:
        receipt = services.withdraw(
            viewer, phase, here, expected_version=number(request, "newest"), idem_key=_key(request)
        )
    except Outdated as newer:
        trouble = (
            f"Version {newer.newest} of this sheet was submitted after you opened the page, so nothing was withdrawn."
            " Check it first."
        )
        return sheet_page(request, viewer, here, text=text, trouble=trouble, status=409)
    except NothingToWithdraw:
        return sheet_page(request, viewer, here, text=text, trouble=_NOTHING, status=409)
    except (TooLate, NotYours, KeyReused) as refusal:
        return _not_received(request, viewer, phase, here, text=text, trouble=_REFUSALS[type(refusal)])
    messages.success(request, f"Withdrawn. This is recorded as version {receipt.version}.")
    return _to_receipt(viewer, phase, here, receipt)


def _cancel_ready(request: HttpRequest, viewer: Viewer, phase: PhaseInfo, here: Place) -> HttpResponse:
    try:
        receipt = services.cancel_ready(
            viewer, phase, here, expected_version=number(request, "newest"), idem_key=_key(request)
        )
    except (TooLate, NotYours, KeyReused, Outdated, NotReady) as refusal:
        messages.error(request, _NOT_CANCELLED[type(refusal)])
        return redirect("sheet", viewer.campaign.slug, here.name)
    messages.success(request, f"READY is cancelled. Your orders are now version {receipt.version}.")
    return _to_receipt(viewer, phase, here, receipt)


_NOT_CANCELLED: Mapping[type[Exception], str] = {
    TooLate: "READY was not cancelled: the phase has closed.",
    NotYours: "READY was not cancelled: you no longer hold this desk.",
    KeyReused: "READY was not cancelled: this form was already used. Try again.",
    Outdated: "READY was not cancelled: a newer version of this sheet was submitted. Check it, and try again.",
    NotReady: "This sheet is not READY, so there was nothing to cancel.",
}

_NOTHING = "Nothing is submitted for this desk, so nothing was withdrawn. Your text is still in the field."

_BUTTONS: Mapping[str, Callable[[HttpRequest, Viewer, PhaseInfo, Place], HttpResponse]] = {
    "draft": _keep,
    "fill": _keep,
    "withdraw": _withdraw,
    "cancel-ready": _cancel_ready,
}


def _send(request: HttpRequest, viewer: Viewer, phase: PhaseInfo, here: Place, act: str) -> HttpResponse:
    for_side = act == "ready-side" or (act == "anyway" and "for_side" in request.POST)
    text = services.with_ready(sheet_text(request)) if act == "ready" or for_side else sheet_text(request)
    expected, key = number(request, "newest" if act == "replace" else "version"), _key(request)
    if act != "anyway":
        asked = question(request, viewer, phase, here, text=text, version=expected, key=key, for_side=for_side)
        if asked is not None:
            return asked
    try:
        receipt = services.send(
            viewer, phase, here, text=text, expected_version=expected, idem_key=key, for_side=for_side
        )
    except Outdated as newer:
        trouble = (
            f"Not submitted: version {newer.newest} of this sheet was submitted while you wrote. Your text"
            " is below, with"
            " that version after it. Combine the two and submit again."
        )
        return sheet_page(request, viewer, here, text=text, trouble=trouble, status=409)
    except TooLong as refusal:
        trouble = f"Not submitted and not saved: {refusal}. Shorten it. Your text is still in the field."
        return sheet_page(request, viewer, here, text=text, trouble=trouble, status=409)
    except (TooLate, NotYours, KeyReused) as refusal:
        return _not_received(request, viewer, phase, here, text=text, trouble=_REFUSALS[type(refusal)])
    messages.success(request, f"Received as version {receipt.version}.", extra_tags="received")
    if viewer.campaign.practice and not unready_desks(viewer, phase):
        return redirect(f"{reverse('campaign', args=[viewer.campaign.slug])}?after={phase.no}")
    return _to_receipt(viewer, phase, here, receipt)


def _to_receipt(viewer: Viewer, phase: PhaseInfo, here: Place, receipt: Receipt) -> HttpResponse:
    return redirect("version", viewer.campaign.slug, here.name, phase.no, phase.rev, receipt.version)


def _not_received(
    request: HttpRequest, viewer: Viewer, phase: PhaseInfo, here: Place, *, text: str, trouble: str, status: int = 409
) -> HttpResponse:
    context = {"viewer": viewer, "place": here, "phase": phase, "trouble": trouble, "text": text}
    return render(request, "orders/not_received.html", context, status=status)


def _key(request: HttpRequest) -> str:
    return request.POST.get("key", "")[:200] or secrets.token_hex(16)


_REFUSALS: Mapping[type[Exception], str] = {
    TooLate: "Not submitted: this phase closed before you submitted.",
    NotYours: "Not submitted: your side has no orders to give in this phase, or you no longer hold this desk.",
    KeyReused: "Not submitted: this form was already used with a different text. Copy your text, reload the"
    " page and submit it.",
}


def _addressed(request: HttpRequest, viewer: Viewer) -> PhaseInfo:
    """The phase that the form was made for. Another may be open by now, and must not receive this text."""
    return addressed_phase(viewer, number(request, "stop"), number(request, "rev"))
