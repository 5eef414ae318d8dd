"""The sheet page: write, check while typing, save a draft, submit, withdraw; every version with its receipt."""

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from campaign.briefings import first_sheet
from campaign.core.requests import number
from campaign.engine.display.views import View
from campaign.engine.orders.grammar import usage
from campaign.maps.style.adaptive import ADAPTIVE
from campaign.maps.vector import has_board
from campaign.people.throttles import SHEETS, TYPING, may
from campaign.selectors import (
    Knowledge,
    PhaseInfo,
    addressed_phase,
    knowledge,
    newest_phase,
    open_phase,
    view_and_kinds,
)
from campaign.services import base_map_of
from campaign.viewers import Viewer, viewer_of
from campaign.views.board import drawn_board
from campaign.views.errors import opens_dice
from orders import services
from orders.desks import Place, first_place, place, places
from orders.examples import remembered
from orders.intake import KeyReused, NotYours, Outdated, Receipt, TooLate
from orders.models import HQ
from orders.results import results_so_far
from orders.selectors import (
    DeskStatus,
    counted,
    desk_statuses,
    draft_of,
    line_outcomes,
    lock_of,
    orderable,
    own_units,
    unready_desks,
    unsubmitted_draft,
    version_of,
    versions,
)
from orders.services import NothingToWithdraw, Overtaken, TooLong
from orders.standing import NONE, standing_lines, with_standing
from orders.views import filling
from orders.views.beside import refused, unchecked
from orders.views.received import compared, while_open
from orders.views.safeguards import is_filled_in, question, sheet_text, sign_in_required
from orders.writing.differences import differences
from orders.writing.earlier import copied, earlier_sheet
from orders.writing.pasted import cleaned


@login_required
@require_GET
def orders(request: HttpRequest, slug: str) -> HttpResponse:
    """The sheet of the first desk that the viewer writes."""
    viewer = viewer_of(request.user, slug)
    return _page(request, viewer, first_place(viewer))


@sign_in_required
@require_http_methods(["GET", "HEAD", "POST"])
def sheet(request: HttpRequest, slug: str, desk: str) -> HttpResponse:
    """A desk's sheet for the open phase; POST saves it as a draft, submits it or withdraws it, by the button."""
    viewer = viewer_of(request.user, slug)
    here = place(viewer, desk)
    if request.method != "POST":
        return _page(request, viewer, here)
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
        return _page(request, viewer, here, text=text, before=sheet_text(request) if act == "clean" else "")
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
    context = {"viewer": viewer, "answer": services.answered(viewer, phase, here, text), "live": True}
    context["pasted"] = cleaned(text).taken_out if here.writes else ()
    if "movers" in request.POST:
        context["movers"] = services.movable(viewer, phase, here, text)
    return render(request, "orders/_answer.html", context)


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


@login_required
@require_GET
def version(request: HttpRequest, slug: str, desk: str, *, no: int, rev: int, nth: int) -> HttpResponse:
    """A version of a desk's sheet with its receipt: proof of what was sent, and whether it counted.

    Those who may read their side's sheets can also read those of closed desks.
    """
    viewer = viewer_of(request.user, slug)
    found = version_of(viewer, desk, no=no, rev=rev, nth=nth)
    here = next((place for place in places(viewer) if place.name == desk), None)
    context = {"viewer": viewer, "sheet": found, "desk_is_there": here is not None, "counted": counted(viewer, found)}
    if context["counted"]:
        context["outcomes"] = line_outcomes(viewer, found)
    if here is not None and not found.text:
        context["has_standing"] = bool(standing_lines(viewer, here))
    phase = addressed_phase(viewer, no, rev)
    if here is not None and phase.open:
        context |= while_open(viewer, phase, here, found)
    context |= compared(request, viewer, found)
    return render(request, "orders/version.html", context)


@login_required
@require_GET
def receipt_file(request: HttpRequest, slug: str, desk: str, *, no: int, rev: int, nth: int) -> HttpResponse:
    """The bytes of a receipt's digest: the text, a line end, the nonce."""
    found = version_of(viewer_of(request.user, slug), desk, no=no, rev=rev, nth=nth)
    response = HttpResponse(f"{found.text}\n{found.nonce}".encode(), content_type="text/plain; charset=utf-8")
    response.headers["Content-Disposition"] = 'attachment; filename="receipt.txt"'
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response


@login_required
@require_GET
@opens_dice
def locked(request: HttpRequest, slug: str, *, no: int, rev: int) -> HttpResponse:
    """The locked sheets of the viewer's side in a phase, and how the dice were mixed from them."""
    viewer = viewer_of(request.user, slug)
    here = places(viewer)
    found = lock_of(viewer, here[0].side, no=no, rev=rev) if here else None
    if found is None:
        raise Http404
    return render(request, "orders/locked.html", {"viewer": viewer, "lock": found})


# --- the buttons -----------------------------------------------------------------------------------------------------


def _too_fast(request: HttpRequest, viewer: Viewer, phase: PhaseInfo, here: Place, act: str) -> HttpResponse:
    """Refuse the submission, and lose nothing: the text is saved as a draft if possible, and shown."""
    text, trouble = sheet_text(request, "before" if act == "undo" else "text"), _TOO_FAST
    if act not in ("check", "withdraw"):
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
        return _page(request, viewer, here, text=text, trouble=_not_saved(refusal), status=409)
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
    return _page(request, viewer, here, text=sheet_text(request), trouble=" ".join(troubles), status=422)


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
        return _page(request, viewer, here, text=text, trouble=trouble, status=409)
    except NothingToWithdraw:
        return _page(request, viewer, here, text=text, trouble=_NOTHING, status=409)
    except (TooLate, NotYours, KeyReused) as refusal:
        return _not_received(request, viewer, phase, here, text=text, trouble=_REFUSALS[type(refusal)])
    messages.success(request, f"Withdrawn. This is recorded as version {receipt.version}.")
    return _to_receipt(viewer, phase, here, receipt)


_NOTHING = "Nothing is submitted for this desk, so nothing was withdrawn. Your text is still in the field."

_BUTTONS: Mapping[str, Callable[[HttpRequest, Viewer, PhaseInfo, Place], HttpResponse]] = {
    "draft": _keep,
    "fill": _keep,
    "withdraw": _withdraw,
}


def _send(request: HttpRequest, viewer: Viewer, phase: PhaseInfo, here: Place, act: str) -> HttpResponse:
    text = services.with_ready(sheet_text(request)) if act == "ready" else sheet_text(request)
    expected, key = number(request, "newest" if act == "replace" else "version"), _key(request)
    if act != "anyway":
        asked = question(request, viewer, phase, here, text=text, version=expected, key=key)
        if asked is not None:
            return asked
    try:
        receipt = services.send(viewer, phase, here, text=text, expected_version=expected, idem_key=key)
    except Outdated as newer:
        trouble = (
            f"Not submitted: version {newer.newest} of this sheet was submitted while you wrote. Your text"
            " is below, with"
            " that version after it. Combine the two and submit again."
        )
        return _page(request, viewer, here, text=text, trouble=trouble, status=409)
    except TooLong as refusal:
        trouble = f"Not submitted and not saved: {refusal}. Shorten it. Your text is still in the field."
        return _page(request, viewer, here, text=text, trouble=trouble, status=409)
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


# --- the page --------------------------------------------------------------------------------------------------------


def _page(
    request: HttpRequest,
    viewer: Viewer,
    here: Place,
    *,
    text: str | None = None,
    before: str = "",
    trouble: str = "",
    status: int = 200,
) -> HttpResponse:
    """The page with a text, else with the present one; with `?first` a sheet without one begins as the briefing's.

    `before`: the text before it was cleaned of what a forum post adds.
    """
    phase = open_phase(viewer)
    acts = phase is not None and here.side in phase.acts
    context: dict[str, Any] = {"viewer": viewer, "place": here, "phase": phase, "acts": acts, "trouble": trouble}
    context["unsubmitted"] = unsubmitted_draft(viewer, phase, here) if here.writes else None
    newest = newest_phase(viewer)
    seen, kinds = (None, set()) if newest is None else view_and_kinds(viewer, newest.no)
    context |= {"situation": newest, "has_map": "map" in kinds}
    lines = standing_lines(viewer, here) if phase is not None and newest is not None else None
    context |= {"standing": lines, "writes": acts or lines is not None}
    if phase is not None and context["writes"]:
        known = knowledge(viewer)
        context |= _sheet_of(request, viewer, phase, here, text, known=known)
        context["own_units"] = own_units(viewer, seen)
        context |= {"before": before, "taken_out": cleaned(before).taken_out}
        if newest is not None and seen is not None and here.writes and not viewer.is_gm:
            statuses = context["statuses"]
            context |= _board_of(viewer, phase, here, shown=newest, seen=seen, known=known, statuses=statuses)
            on_map = [counter.unit for counter in seen.counters]
            context["examples"] = remembered(viewer, newest, known, phase, here, first=on_map)
    return render(request, "orders/sheet.html", context, status=status)


def _sheet_of(
    request: HttpRequest, viewer: Viewer, phase: PhaseInfo, here: Place, text: str | None, *, known: Knowledge
) -> dict[str, Any]:
    sent = versions(viewer, phase, here)
    kept = draft_of(viewer, phase, here) if here.writes else None
    newest, newest_text = (sent[0].version, sent[0].text) if sent else (0, "")
    written, base = newest_text, newest
    if text is not None:
        written, base = text, number(request, "version")
    elif kept:
        written, base = kept.text, kept.base_version
    elif not sent and viewer.is_gm:
        written = results_so_far(viewer, known)
    apart = base < newest and written != newest_text
    first = "" if sent or kept or written or here.name != HQ or not here.writes else first_sheet(viewer, phase)
    if first and "first" in request.GET:
        written = services.begun(viewer, phase, here, first)
    earlier = earlier_sheet(viewer, phase, here) if here.writes and not (kept or written) else None
    again = copied(viewer, phase, here, earlier.text, known=known) if earlier and "earlier" in request.GET else None
    written = again.text if again else written
    return {
        "first": first,
        "earlier": earlier,
        "left_out": again.left_out if again else (),
        "fillable": filling.sheet_forms(viewer, phase, here, written, known=known) if here.writes else None,
        "statuses": desk_statuses(viewer, phase),
        "versions": sent,
        "newest": sent[0] if sent else None,
        "draft": kept,
        "text": written,
        "posted": text is not None,
        "pasted": cleaned(written).taken_out if here.writes else (),
        "saved": written == newest_text or (kept is not None and written == kept.text),
        "apart": apart,
        "changes": differences(newest_text, written) if apart else (),
        "version": base if apart else newest,
        "key": secrets.token_hex(16),
        "answer": services.answered(viewer, phase, here, written, known=known),
        "usages": [usage(kind).removeprefix("Write: ").rstrip(".") for kind in _kinds(viewer, phase, known)],
    }


def _board_of(
    viewer: Viewer,
    phase: PhaseInfo,
    here: Place,
    *,
    shown: PhaseInfo,
    seen: View,
    known: Knowledge,
    statuses: Iterable[DeskStatus],
) -> dict[str, Any]:
    """The board next to the sheet, with the units that the desk may order."""
    base = base_map_of(viewer.campaign)
    if not has_board(base):
        return {}
    desks = [status.place for status in statuses]
    units = orderable(known, phase, here, seen, desks)
    return {
        "board": drawn_board(viewer, shown, seen, ADAPTIVE, page=reverse("board", args=[viewer.campaign.slug])),
        "units": units,
        "formations": sorted({name for unit in units for name in unit.formations}),
        "desks": [desk.name for desk in desks] if here.formations is None and len(desks) > 1 else [],
        "place_words": base.signs.place,
    }


def _kinds(viewer: Viewer, phase: PhaseInfo, known: Knowledge) -> tuple[Any, ...]:
    rules = known.loaded.rules
    if viewer.is_gm or viewer.side in phase.acts:
        return rules.orders_of(rules.phase(phase.key))
    return rules.orders_for(known.state, viewer.audience)


def _addressed(request: HttpRequest, viewer: Viewer) -> PhaseInfo:
    """The phase that the form was made for. Another may be open by now, and must not receive this text."""
    return addressed_phase(viewer, number(request, "stop"), number(request, "rev"))
