"""The game master's desk: what needs them now, the draft with its reasons, rulings, prefaces, publication."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_GET, require_http_methods, require_POST, require_safe

from campaign.core import clock
from campaign.core.requests import number
from campaign.engine.display.views import View
from campaign.engine.values.ids import GM, Audience
from campaign.game.store import decode_view
from campaign.mail.bounces import mail_comes_back
from campaign.maps.differences import Differences
from campaign.models import PhaseState
from campaign.record.dice_log import has_ended
from campaign.reports import tables_left_out
from campaign.selectors import mark_of, open_phase, published_phases
from campaign.services import scenario_of
from campaign.viewers import Viewer, gm_viewer
from campaign.views.maps.board import drawn_changes
from gm import selectors
from gm.desk.absence import flags
from gm.desk.corrections import Unwritten, enter_roll, try_out, write_rulings
from gm.desk.pace import pace_of
from gm.desk.position import has_position
from gm.desk.resolver import undecided
from gm.desk.view_as import note_view_as
from gm.forms import CloseForm, ExtendForm, HoldForm, ReopenForm
from gm.phases import approval
from gm.phases.adjudication import rolls_to_come
from gm.phases.comparing import kept_differences
from gm.phases.judging import LONGEST as LONGEST_ANSWER
from gm.phases.judging import answer, for_you
from gm.phases.lifecycle import RulingRefused, retry, undo
from gm.phases.prefaces import LONGEST, save_prefaces
from gm.phases.rolls import MOST_DICE, RollRefused, announce, void
from gm.phases.rolls import tried as tries
from incoming.found import found_mails, missed_phases

_FILES = {
    "map.png": ("map", "image/png"),
    "chart.png": ("chart", "image/png"),
    "report.txt": ("text", "text/plain; charset=utf-8"),
}


@login_required
@require_safe
def desk(request: HttpRequest, slug: str) -> HttpResponse:
    """What needs the GM now, and what happens if they do nothing."""
    viewer = gm_viewer(request.user, slug)
    phase = open_phase(viewer)
    context: dict[str, Any] = {"viewer": viewer, "phase": phase, "published": published_phases(viewer)[:3]}
    context |= {"readers": selectors.readers(viewer), "closed": has_ended(viewer.campaign)}
    context["has_position"] = has_position(viewer.campaign)
    context |= {"found_mails": found_mails(viewer.campaign), "missed_phases": missed_phases(viewer.campaign)}
    context["unreached"] = mail_comes_back(viewer.campaign)
    if phase is not None:
        rules = scenario_of(viewer.campaign).rules
        context |= {"rules": rules, "progress": selectors.progress(phase, viewer.campaign)}
        context["pace"] = pace_of(viewer.campaign, clock.now())
        context["not_asked"] = [side for side in phase.writers if side not in phase.acts]
        initial = {"until": timezone.localtime(phase.deadline_at)}
        context |= {"battles": selectors.battles(phase), "seen": mark_of(phase)}
        context["by_rules"] = {battle.key for battle in undecided(viewer)}
        row = viewer.campaign.phases.get(pk=phase.phase_id)
        context |= {"approval": approval.waiting(row), "rolls": rolls_to_come(row) if phase.open else ()}
        context |= {
            "extend_form": ExtendForm(initial=initial, auto_id="extend_%s"),
            "close_form": CloseForm(auto_id="close_%s"),
            "hold_form": HoldForm(auto_id="hold_%s"),
            "reopen_form": ReopenForm(auto_id="reopen_%s"),
        }
    return render(request, "gm/desk.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def draft(request: HttpRequest, slug: str) -> HttpResponse:
    """The draft in review; POST acts by the pressed button."""
    viewer = gm_viewer(request.user, slug)
    found = selectors.draft(viewer)
    if request.method != "POST":
        return _approved_page(request, viewer, found) or _draft_page(request, viewer, found)
    act = _ACTS.get(request.POST.get("act", ""))
    if act is None:
        raise Http404
    if found is None or not _is_seen(found, request):
        return _not_done(request, viewer)
    if act is not _cancel and approval.waiting(found.phase) is not None:
        return _already_approved(request, viewer, found, act)
    return act(request, viewer, found)


@login_required
@require_POST
def retry_phase(request: HttpRequest, slug: str) -> HttpResponse:
    """Retry a failed phase."""
    viewer = gm_viewer(request.user, slug)
    failed = viewer.campaign.phases.filter(state=PhaseState.FAILED).values_list("pk", flat=True).first()
    if failed is None or not retry(failed):
        raise Http404
    messages.success(request, "Fieldpost is trying again now.")
    return redirect("desk", slug)


@login_required
@require_safe
def seen(request: HttpRequest, slug: str, no: int, audience: str) -> HttpResponse:
    """A phase, or the draft, as an audience receives it."""
    viewer = gm_viewer(request.user, slug)
    html = selectors.received(viewer, no, audience, "html").decode()  # campaign.reports escapes every text in it
    view = decode_view(selectors.received(viewer, no, audience, "view"))
    note_view_as(viewer, no, audience)
    context: dict[str, object] = {"viewer": viewer, "no": no, "reader": audience, "report": mark_safe(html)}  # noqa: S308
    context |= {
        "unchanged": mark_safe(tables_left_out(view, html)),  # noqa: S308
        "readers": selectors.readers(viewer),
        "has_chart": selectors.has_received(viewer, no, audience, "chart"),
    }
    context["has_map"] = selectors.has_received(viewer, no, audience, "map")
    return render(request, "gm/draft/seen.html", context)


@login_required
@require_GET
def seen_file(request: HttpRequest, slug: str, no: int, audience: str, name: str) -> HttpResponse:
    """A picture or the report of a phase, or of the draft, as an audience receives it."""
    viewer = gm_viewer(request.user, slug)
    if name not in _FILES:
        raise Http404
    kind, content_type = _FILES[name]
    response = HttpResponse(selectors.received(viewer, no, audience, kind), content_type=content_type)
    note_view_as(viewer, no, audience)
    stem = viewer.campaign.phases.filter(no=no).latest("rev").file_stem
    response.headers["Content-Disposition"] = f'inline; filename="{slug}-{stem}-{audience}-{name}"'
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response


def _is_seen(found: selectors.ReviewDraft, request: HttpRequest) -> bool:
    """Whether the form was made for this very draft: of this phase, this revision, this adjudication."""
    return request.POST.get("seen") == found.mark


# --- the draft's buttons ---------------------------------------------------------------------------------------------


def _approve(request: HttpRequest, viewer: Viewer, found: selectors.ReviewDraft) -> HttpResponse:
    fence, words, written = found.phase.fence, request.POST.get("words"), _prefaces(request, viewer)
    if not approval.give(found.phase.pk, fence=fence, words=words, author=viewer.person, messages=written):
        return _not_done(request, viewer)
    if viewer.campaign.think_seconds:
        return _to_approved(request, viewer)
    messages.success(request, "Published to everyone. The next phase is open.")
    return redirect("desk", viewer.campaign.slug)


def _to_approved(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    messages.success(request, "Approved. You can still cancel.")
    return redirect("draft", viewer.campaign.slug)


def _already_approved(request: HttpRequest, viewer: Viewer, found: selectors.ReviewDraft, act: "_Act") -> HttpResponse:
    """Nobody changes an approved draft. The same button pressed twice is no change."""
    written = {audience: request.POST.get(f"preface-{audience}", "") for audience in selectors.readers(viewer)}
    same = all(text.split() == found.prefaces.get(who, "").split() for who, text in written.items())
    return _to_approved(request, viewer) if act is _approve and same else _not_done(request, viewer, why=_APPROVED)


def _cancel(request: HttpRequest, viewer: Viewer, found: selectors.ReviewDraft) -> HttpResponse:
    if not approval.cancel(found.phase.pk, fence=found.phase.fence, author=viewer.person):
        return _not_done(request, viewer, why="These results are no longer about to be published.")
    messages.success(request, "Cancelled. Nothing was published.")
    return redirect("draft", viewer.campaign.slug)


def _preface(request: HttpRequest, viewer: Viewer, found: selectors.ReviewDraft) -> HttpResponse:
    fence, words = found.phase.fence, request.POST.get("words")
    if not save_prefaces(found.phase.pk, _prefaces(request, viewer), fence=fence, words=words):
        return _not_done(request, viewer)
    messages.success(request, "Messages saved. They are published with the phase.")
    return redirect("draft", viewer.campaign.slug)


def _prefaces(request: HttpRequest, viewer: Viewer) -> dict[str, str]:
    """The prefaces that were sent, by their audiences."""
    written = {audience: request.POST.get(f"preface-{audience}") for audience in selectors.readers(viewer)}
    return {audience: text[:LONGEST] for audience, text in written.items() if text is not None}


def _rule(request: HttpRequest, viewer: Viewer, found: selectors.ReviewDraft) -> HttpResponse:
    written = {name: request.POST.get(name, "") for name in ("stage", "text", "reason")}
    if written["stage"] not in dict(found.stages):
        raise Http404
    try:
        ruled = write_rulings(found.phase, fence=found.phase.fence, author=viewer.person, **written)
    except Unwritten as faults:
        return _draft_page(request, viewer, found, status=422, ruling=written, problems=faults.problems)
    except RulingRefused as why:
        return _draft_page(request, viewer, found, status=422, ruling=written, refusal=str(why))
    return _again(request, viewer, ruled)


def _try_out(request: HttpRequest, viewer: Viewer, found: selectors.ReviewDraft) -> HttpResponse:
    written = {name: request.POST.get(name, "") for name in ("stage", "text", "reason")}
    if written["stage"] not in dict(found.stages):
        raise Http404
    try:
        tried = try_out(found.phase, fence=found.phase.fence, author=viewer.person, **written)
    except Unwritten as faults:
        return _draft_page(request, viewer, found, status=422, ruling=written, problems=faults.problems)
    except RulingRefused as why:
        return _draft_page(request, viewer, found, status=422, ruling=written, refusal=str(why))
    if tried is None:
        return _not_done(request, viewer)
    shown = _differences(viewer, tried.view, tried.differences)
    return _draft_page(request, viewer, found, ruling=written, tried=tried, **shown)


def _answer(request: HttpRequest, viewer: Viewer, found: selectors.ReviewDraft) -> HttpResponse:
    key, text = request.POST.get("question", ""), request.POST.get("answer", "")
    if not answer(found.phase.pk, fence=found.phase.fence, key=key, text=text, author=viewer.person):
        return _not_done(request, viewer)
    messages.success(request, "Answer saved. It is published with the phase." if text.strip() else "Answer deleted.")
    return redirect("draft", viewer.campaign.slug)


def _differences(viewer: Viewer, view: View, differences: Sequence[Differences] | None) -> dict[str, Any]:
    """What changed, the GM's own first, and the part of their map on which it did."""
    gms = next((each for each in differences or () if each.audience == GM), None)
    others = [each for each in differences or () if each.audience != GM]
    at = gms.at if gms else ()
    return {"differences": gms, "for_others": others, "changed_map": drawn_changes(viewer, view, at)}


def _roll(request: HttpRequest, viewer: Viewer, found: selectors.ReviewDraft) -> HttpResponse:
    entered = {
        name: request.POST.get(field, "")
        for name, field in (("label", "label"), ("written", "dice"), ("reason", "reason"))
    }
    try:
        ruled = enter_roll(found.phase, fence=found.phase.fence, author=viewer.person, **entered)
    except RulingRefused as why:
        return _draft_page(request, viewer, found, status=422, refusal=str(why))
    return _again(request, viewer, ruled)


def _ask_for_roll(request: HttpRequest, viewer: Viewer, found: selectors.ReviewDraft) -> HttpResponse:
    try:
        done = announce(
            found.phase.pk,
            fence=found.phase.fence,
            audience=request.POST.get("audience", ""),
            count=number(request, "count"),
            sides=number(request, "sides"),
            purpose=request.POST.get("purpose", ""),
            author=viewer.person,
        )
    except RollRefused as why:
        return _draft_page(request, viewer, found, status=422, refusal=str(why))
    return _rolled(request, viewer, done, "Rolled. The result is below.")


def _void(request: HttpRequest, viewer: Viewer, found: selectors.ReviewDraft) -> HttpResponse:
    try:
        done = void(
            found.phase.pk,
            fence=found.phase.fence,
            audience=request.POST.get("audience", ""),
            label=request.POST.get("label", ""),
            reason=request.POST.get("reason", ""),
            author=viewer.person,
        )
    except RollRefused as why:
        return _draft_page(request, viewer, found, status=422, refusal=str(why))
    return _rolled(request, viewer, done, "The roll is void. It stays in the dice log, with your reason.")


def _rolled(request: HttpRequest, viewer: Viewer, done: bool, what: str) -> HttpResponse:  # noqa: FBT001
    if not done:
        return _not_done(request, viewer)
    messages.success(request, what)
    return redirect("draft", viewer.campaign.slug)


def _undo(request: HttpRequest, viewer: Viewer, found: selectors.ReviewDraft) -> HttpResponse:
    try:
        done = undo(found.phase.pk, fence=found.phase.fence, seq=number(request, "seq"))
    except RulingRefused as why:
        return _draft_page(request, viewer, found, status=422, refusal=str(why))
    return _again(request, viewer, done)


def _again(request: HttpRequest, viewer: Viewer, done: bool) -> HttpResponse:  # noqa: FBT001
    if not done:
        return _not_done(request, viewer)
    messages.success(request, "Re-run. All other rolls stay the same.")
    return redirect("draft", viewer.campaign.slug)


def _approved_page(request: HttpRequest, viewer: Viewer, found: selectors.ReviewDraft | None) -> HttpResponse | None:
    """The page of a draft that is about to be published; None if it is not approved."""
    given = approval.waiting(found.phase) if found is not None else None
    if given is None:
        return None
    context = {"viewer": viewer, "draft": found, "approval": given, "readers": selectors.readers(viewer)}
    return render(request, "gm/draft/approved.html", context)


def _not_done(request: HttpRequest, viewer: Viewer, *, why: str = "") -> HttpResponse:
    """The draft changed since the page was made, or why else nothing was done; gives back what was written, to copy."""
    texts = [str(request.POST[name]) for name in request.POST if name.startswith(_WRITTEN)]
    context = {"viewer": viewer, "written": [text for text in texts if text.strip()], "why": why}
    return render(request, "gm/draft/not_done.html", context, status=409)


_APPROVED = "These results are about to be published, so they do not change. Cancel the publication first."

_WRITTEN = ("text", "reason", "purpose", "answer", "preface-")
"""Fields of the draft's forms with texts of the GM."""

_Act = Callable[[HttpRequest, Viewer, selectors.ReviewDraft], HttpResponse]

_ACTS: Mapping[str, _Act] = {
    "approve": _approve,
    "cancel": _cancel,
    "preface": _preface,
    "rule": _rule,
    "try": _try_out,
    "answer": _answer,
    "roll": _roll,
    "ask": _ask_for_roll,
    "void": _void,
    "take-back": _undo,
}


def _draft_page(
    request: HttpRequest, viewer: Viewer, found: selectors.ReviewDraft | None, *, status: int = 200, **more: Any
) -> HttpResponse:
    unwritten = {"stage": "", "text": "", "reason": ""}
    context: dict[str, Any] = {
        "viewer": viewer,
        "draft": found,
        "phase": open_phase(viewer),
        "ruling": unwritten,
        **more,
    }
    if found is not None:
        readers: list[Audience] = selectors.readers(viewer)
        rolled = any(each.own for each in found.rolls)
        context |= {"most_dice": MOST_DICE, "may_know": ["gm", *readers], "rolled": rolled}
        context["prefaces"] = [(reader, found.prefaces.get(reader, "")) for reader in readers]
        context["has_map"] = selectors.has_received(viewer, found.phase.no, GM, "map")
        context |= {"usages": selectors.usages(viewer), "flags": flags(found.phase)}
        context |= {"tries": tries([found.phase]), "for_you": for_you(found.phase, found.events)}
        context["longest_answer"] = LONGEST_ANSWER
        if "tried" not in more:
            context |= _differences(viewer, found.view, kept_differences(found.phase))
    return render(request, "gm/draft/draft.html", context, status=status)
