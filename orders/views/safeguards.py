"""Safeguards of what is submitted: a question before READY, and the text itself if its writer is signed out."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from campaign.selectors import PhaseInfo
from campaign.viewers import Viewer
from orders import services
from orders.desks import Place
from orders.intake import TooLate, storable
from orders.services import Overtaken, TooLong
from orders.writing.annotated import annotated


def sheet_text(request: HttpRequest, name: str = "text") -> str:
    """The text of a sheet that is being written, from a field of the form."""
    return storable(request.POST.get(name, ""))


def is_filled_in(request: HttpRequest) -> bool:
    """Whether a request has forms. A script takes those away that it has put into the text already."""
    return any(name.startswith(WAS) for name in request.POST)


WAS = "was:"
"""Before the name of a form: the field with the lines that it showed."""


def question(
    request: HttpRequest,
    viewer: Viewer,
    phase: PhaseInfo,
    here: Place,
    *,
    text: str,
    version: int,
    key: str,
    for_side: bool,
) -> HttpResponse | None:
    """The page that asks whether a READY sheet with ignored lines is meant; None if there is nothing to ask.

    The text is saved as a draft first. A sheet that cannot be saved is not asked about: its submission says why.
    """
    if not phase.open:
        return None
    answer = services.answered(viewer, phase, here, text)
    if not (answer.ready and answer.faulty):
        return None
    try:
        services.save_draft(viewer, phase, here, text=text, base_version=version)
    except (TooLate, TooLong, Overtaken):
        return None
    context = {
        "viewer": viewer,
        "place": here,
        "phase": phase,
        "text": text,
        "version": version,
        "key": key,
        "for_side": for_side,
        "answer": answer,
        "annotated": annotated(text, answer),
    }
    return render(request, "orders/question.html", context)


View = Callable[..., HttpResponse]


def sign_in_required(view: View) -> View:
    """Like login_required; but a text that is submitted without a sign-in is shown, so that it can be copied.

    The page depends on nothing but the request: it is the same for campaigns and desks that do not exist.
    """
    guarded = login_required(view)

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **named: Any) -> HttpResponse:
        text = request.POST.get("text", "")
        if text and not request.user.is_authenticated:
            return render(request, "orders/signed_out.html", {"text": text}, status=403)
        return guarded(request, *args, **named)

    return answer
