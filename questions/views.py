"""The page of questions and answers, and the game master's page of one question."""

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from campaign.core import clock
from campaign.core.requests import MOST_DIGITS
from campaign.people.throttles import QUESTIONS, may, too_fast
from campaign.viewers import Viewer, gm_viewer, public_viewer, viewer_of
from questions.models import Question, Reach, RuleAnswer
from questions.opened import opened_questions
from questions.reading import (
    UnknownRule,
    every_version,
    has_questions,
    line_of,
    may_ask,
    own_questions,
    precedents,
    question_of,
    questions_for_gm,
    rule_named,
    standing_answers,
)
from questions.writing import NotSeen, Refused, Written, answer, ask, checked, state_of, withdraw

_ASKED, _WRITTEN = ("rule", "line", "text"), ("reach", "rule", "asked", "text")
"""The fields of the forms for a question and for an answer."""


# --- the page of all -------------------------------------------------------------------------------------------------


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def questions(request: HttpRequest, slug: str) -> HttpResponse:
    """The answers that a member may read, with their own questions, for a GM all; POST asks one."""
    viewer = viewer_of(request.user, slug)
    if not has_questions(viewer):
        raise Http404
    if request.method == "POST":
        return _ask(request, viewer)
    about = {"rule": request.GET.get("rule", ""), "line": _line(request, viewer), "text": ""}
    return _page(request, viewer, about)


@login_required
@require_safe
def questions_of(request: HttpRequest, slug: str, side: str) -> HttpResponse:
    """What a side was answered, once it has opened that after the end, for every member."""
    return _opened(request, viewer_of(request.user, slug), side)


@require_safe
def public_questions(request: HttpRequest, slug: str, side: str) -> HttpResponse:
    """The same, for everybody with the address."""
    return _opened(request, public_viewer(request.user, slug), side)


def _opened(request: HttpRequest, viewer: Viewer, side: str) -> HttpResponse:
    context = {"viewer": viewer, "side": side, "answers": opened_questions(viewer, side)}
    return render(request, "questions/opened.html", context)


def _page(
    request: HttpRequest, viewer: Viewer, about: Mapping[str, str], *, trouble: str = "", status: int = 200
) -> HttpResponse:
    searched, unknown = _searched(request, viewer)
    context: dict[str, Any] = {
        "viewer": viewer,
        "about": about,
        "trouble": trouble,
        "can_ask": may_ask(viewer),
        "own_questions": own_questions(viewer),
        "for_gm": questions_for_gm(viewer) if viewer.is_gm else [],
        "searched": searched,
        "unknown_rule": unknown,
        "precedents": [] if unknown else precedents(viewer, searched),
    }
    return render(request, "questions/questions.html", context, status=status)


def _searched(request: HttpRequest, viewer: Viewer) -> tuple[str, str]:
    """The rule of which answers are listed, and what is wrong with it; empty for all of them."""
    written = request.GET.get("rule", "")
    try:
        return rule_named(viewer.campaign, written), ""
    except UnknownRule as unknown:
        return written, str(unknown)


def _line(request: HttpRequest, viewer: Viewer) -> str:
    """The line of the viewer's orders that a link on their sheet's page names."""
    no = request.GET.get("line", "")
    numbered = no.isascii() and no.isdigit() and len(no) <= MOST_DIGITS
    return line_of(viewer, request.GET.get("desk", ""), int(no)) if numbered and may_ask(viewer) else ""


def _ask(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Ask. Those who cannot learn nothing from how their request fails."""
    if not may_ask(viewer):
        raise Http404
    if not may(request, QUESTIONS):
        return too_fast(request, QUESTIONS, words=_ASKED)
    about = _form(request, _ASKED)
    try:
        ask(viewer, about["text"], rule=about["rule"], line=about["line"], now=clock.now())
    except Refused as refused:
        return _page(request, viewer, about, trouble=str(refused), status=refused.status)
    messages.success(request, "Asked. The game master has been mailed. Their answer appears here.")
    return redirect(f"{reverse('questions', args=[viewer.campaign.slug])}#own")


def _form(request: HttpRequest, names: tuple[str, ...]) -> dict[str, str]:
    return {name: request.POST.get(name, "").replace("\r\n", "\n") for name in names}


# --- the game master's page of a question ----------------------------------------------------------------------------


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def question(request: HttpRequest, slug: str, side: str, no: int) -> HttpResponse:
    """A question, for a game master; POST answers it, corrects an answer or withdraws one."""
    viewer = gm_viewer(request.user, slug)
    found = question_of(viewer, side, no)
    if request.method == "POST":
        return _act(request, viewer, found)
    return _desk(request, viewer, found, _prefilled(viewer, found, request.GET.get("correct", "")))


def _desk(
    request: HttpRequest,
    viewer: Viewer,
    found: Question,
    written: Mapping[str, str],
    *,
    trouble: str = "",
    status: int = 200,
) -> HttpResponse:
    context = {
        "viewer": viewer,
        "question": found,
        "versions": list(every_version(viewer, found)),
        "written": written,
        "answers_seen": state_of(viewer, found),
        "trouble": trouble,
    }
    return render(request, "gm/questions/question.html", context, status=status)


def _prefilled(viewer: Viewer, found: Question, reach: str) -> dict[str, str]:
    """The form as it begins: empty, or with the answer that stands for these readers."""
    standing = _standing(viewer, found, reach)
    if standing is None:
        return {"reach": Reach.ASKER, "rule": found.rule, "asked": "", "text": ""}
    return {name: getattr(standing, name) for name in _WRITTEN}


def _standing(viewer: Viewer, found: Question, reach: str) -> RuleAnswer | None:
    return standing_answers(viewer).filter(question=found.pk, reach=reach).first()


def _act(request: HttpRequest, viewer: Viewer, found: Question) -> HttpResponse:
    act = _ACTS.get(request.POST.get("act", ""))
    if act is None:
        raise Http404
    if not may(request, QUESTIONS):
        return too_fast(request, QUESTIONS, words=("asked", "text"))
    return act(request, viewer, found)


def _answer(request: HttpRequest, viewer: Viewer, found: Question) -> HttpResponse:
    """Answer the asker or their side; for everybody, show first what they will read."""
    form = _form(request, _WRITTEN)
    if form["reach"] == Reach.ALL:
        return _preview(request, viewer, found, {**form, "asked": form["asked"] or _proposed(viewer, found, form)})
    try:
        answer(viewer, found, Written(**form), seen=request.POST.get("seen", ""), shown="", now=clock.now())
    except Refused as refused:
        return _desk(request, viewer, found, form, trouble=str(refused), status=refused.status)
    readers = "The player who asked reads it." if form["reach"] == Reach.ASKER else "Their side reads it."
    return _done(request, viewer, f"Answered. {readers} They have been mailed.")


def _proposed(viewer: Viewer, found: Question, form: Mapping[str, str]) -> str:
    """The question for everybody: as they read it now; else words that give away nothing of what was asked."""
    standing = _standing(viewer, found, Reach.ALL)
    about = form["rule"].strip() or "the rules"
    return standing.asked if standing else f"A question about {about}."


def _preview(
    request: HttpRequest,
    viewer: Viewer,
    found: Question,
    form: Mapping[str, str],
    *,
    trouble: str = "",
    status: int = 200,
) -> HttpResponse:
    """What everybody will read, to the letter, with the button that publishes just that."""
    try:
        shown = checked(viewer, Written(**form))
    except Refused as refused:
        shown, trouble, status = None, str(refused), refused.status
    context = {
        "viewer": viewer,
        "question": found,
        "written": form,
        "answers_seen": request.POST.get("seen", ""),
        "shown": shown,
        "trouble": trouble,
    }
    return render(request, "gm/questions/publish.html", context, status=status)


def _publish(request: HttpRequest, viewer: Viewer, found: Question) -> HttpResponse:
    """Publish to everybody what the page before showed."""
    form = {**_form(request, _WRITTEN), "reach": Reach.ALL.value}
    seen, shown = request.POST.get("seen", ""), request.POST.get("shown", "")
    try:
        answer(viewer, found, Written(**form), seen=seen, shown=shown, now=clock.now())
    except NotSeen as refused:
        return _preview(request, viewer, found, form, trouble=str(refused), status=refused.status)
    except Refused as refused:
        return _desk(request, viewer, found, form, trouble=str(refused), status=refused.status)
    return _done(request, viewer, "Published. Everyone can read it with the rules. All players are notified.")


def _change(request: HttpRequest, viewer: Viewer, found: Question) -> HttpResponse:
    """Back from what everybody would read to the form."""
    return _desk(request, viewer, found, {**_form(request, _WRITTEN), "reach": Reach.ALL})


def _withdraw(request: HttpRequest, viewer: Viewer, found: Question) -> HttpResponse:
    try:
        withdraw(viewer, found, request.POST.get("answer", ""), now=clock.now())
    except Refused as refused:
        form = _prefilled(viewer, found, "")
        return _desk(request, viewer, found, form, trouble=str(refused), status=refused.status)
    return _done(request, viewer, "Withdrawn. Those who could read it have been mailed.")


def _done(request: HttpRequest, viewer: Viewer, said: str) -> HttpResponse:
    messages.success(request, said)
    return redirect(reverse("questions", args=[viewer.campaign.slug]))


_ACTS: Mapping[str, Callable[[HttpRequest, Viewer, Question], HttpResponse]] = {
    "answer": _answer,
    "publish": _publish,
    "change": _change,
    "withdraw": _withdraw,
}
