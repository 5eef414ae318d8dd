"""Battles of the present phase: briefs, reports, and the actions of those concerned."""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from campaign.fighting import fights
from campaign.mail.messages import link
from campaign.models import Battle, BattleAct, BattleState, Campaign, Membership, PhaseState, Role
from campaign.people.memberships import member_named
from campaign.people.throttles import REPORTS, TYPING, may
from campaign.selectors import Knowledge, knowledge, open_phase
from campaign.viewers import Viewer, viewer_of
from orders.battles import reading
from orders.battles import reporting as service
from orders.battles.reading import Read, own_texts, result_of
from orders.battles.reporting import Answered, Faulty, OtherPhase, Unusable, Which
from orders.intake import KeyReused, NotYours, TooLate
from orders.views import kit, reports
from orders.views.background import unchecked


@dataclass(frozen=True)
class Line:
    """A battle in the list."""

    battle: Battle
    title: str
    text: str
    players: tuple[tuple[str, str], ...]
    """Side and forum name, as far as the viewer may know them."""
    to_do: str
    next: str
    """What happens if nobody acts, for the GM; for a report, `accepts_at` says it."""
    since: datetime
    accepts_at: datetime | None


@login_required
@require_safe
def battles(request: HttpRequest, slug: str) -> HttpResponse:
    """The battles that the present phase waits for."""
    viewer = viewer_of(request.user, slug)
    reading.require_outside(viewer)
    every = list(reading.battles_of(viewer))
    known = knowledge(viewer) if every else None
    lines = [_line(viewer, known, battle) for battle in every] if known else []
    return render(
        request, "orders/battles/battles.html", {"viewer": viewer, "phase": open_phase(viewer), "lines": lines}
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def battle(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """One battle; POST reports, confirms, disputes or names a player, by the button."""
    viewer = viewer_of(request.user, slug)
    if request.method != "POST":
        return page(request, viewer, key)
    if "fill" in request.POST or reports.lacks_what_was_filled_in(request, viewer, key):
        return fill(request, viewer, key)
    act = _ACTS.get(request.POST.get("act", ""))
    if act is None:
        raise Http404
    return attempt(request, viewer, key, act if may(request, REPORTS) else _wait)


@login_required
@require_POST
def check(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """The answer to a report that is being written. Stores nothing."""
    viewer = viewer_of(request.user, slug)
    battle = reading.battle_of(viewer, key)
    if not (viewer.is_gm or fights(viewer, battle)):
        raise Http404
    if not may(request, TYPING):
        return unchecked(request)
    read = reading.read_report(viewer, battle, text_of(request))
    return render(request, "orders/battles/_read.html", {"read": read, "viewer": viewer})


def fill(request: HttpRequest, viewer: Viewer, key: str) -> HttpResponse:
    """Show the page with what was filled in as lines of its text, whichever button was pressed. Stores nothing."""
    which = Which(_number(request, "stop"), _number(request, "rev"), key)
    found = reading.battles_of(viewer).filter(key=key).first()
    if found is None:
        return _gone(request, viewer, which)
    here = reports.writing(viewer, found, knowledge(viewer))
    sent: Mapping[str, str] = {**request.POST.dict(), "act": here.act if here else BattleAct.REPORT}
    if here is None and not fights(viewer, found):
        raise Http404
    if (found.phase.no, found.phase.rev) != (which.no, which.rev):
        return page(request, viewer, key, trouble=_REFUSALS[OtherPhase], status=409, sent=sent)
    if here is None:
        return page(request, viewer, key, trouble=_REFUSALS[Answered], status=409, sent=sent)
    if not may(request, REPORTS):
        return page(request, viewer, key, trouble=_TOO_FAST, status=429, sent=sent)
    sent, troubles = reports.filled(request, viewer, here)
    read = (reading.read_reply if here.act == "confirm" else reading.read_report)(viewer, found, sent[here.field])
    status, trouble = (422, " ".join(troubles)) if troubles else (200, "" if "fill" in request.POST else _NOT_YET)
    return page(request, viewer, key, read=read, trouble=trouble, status=status, sent=sent)


_NOT_YET = "Nothing is submitted yet: what you filled in is now in the text. Read it, then press the button again."


# --- acts ------------------------------------------------------------------------------------------------------------

Act = Callable[[HttpRequest, Viewer, Which], str]
"""Does what a button says and returns the message about it."""


class TooFast(Exception):
    """Too many texts within a minute, or what the message says; nothing was stored."""


def attempt(request: HttpRequest, viewer: Viewer, key: str, act: Act) -> HttpResponse:
    """Perform an act; if it is refused, the page says why and keeps the text."""
    which = Which(_number(request, "stop"), _number(request, "rev"), key)
    shown = reading.battles_of(viewer).filter(key=key).first()  # a stranger learns nothing from how their act fails
    if shown is None:
        return _gone(request, viewer, which)
    try:
        message = act(request, viewer, which)
    except Faulty as fault:
        return page(request, viewer, key, read=fault.read, trouble=_FAULTY, status=422)
    except Unusable as fault:
        return page(request, viewer, key, trouble=str(fault), status=422)
    except (Answered, KeyReused, OtherPhase, TooLate) as refusal:
        return page(request, viewer, key, trouble=_REFUSALS[type(refusal)], status=409)
    except TooFast as refusal:
        return page(request, viewer, key, trouble=str(refusal) or _TOO_FAST, status=429)
    except NotYours:
        raise Http404 from None
    messages.success(request, message)
    return redirect("battle", viewer.campaign.slug, shown.key)


def _gone(request: HttpRequest, viewer: Viewer, which: Which) -> HttpResponse:
    """Give a text about a battle of an earlier phase back to its player; Http404 for everybody else."""
    if not reading.fought_earlier(viewer, which.no, which.rev, which.key):
        raise Http404
    text = "\n".join(filter(None, (request.POST.get(name, "") for name in _WRITTEN)))
    context = {"viewer": viewer, "trouble": _REFUSALS[OtherPhase], "text": text}
    return render(request, "orders/battles/gone.html", context, status=409)


def _number(request: HttpRequest, name: str) -> int:
    """A number in a form; without one, a number that no phase has."""
    sent = request.POST.get(name, "")
    return int(sent) if len(sent) <= _LONGEST_NUMBER and sent.isascii() and sent.isdigit() else -1


def _wait(_request: HttpRequest, _viewer: Viewer, _which: Which) -> str:
    raise TooFast


def _report(request: HttpRequest, viewer: Viewer, which: Which) -> str:
    idempotent = request.POST.get("key", "")[:200] or secrets.token_hex(16)
    service.report(viewer, which, text_of(request), idempotent=idempotent)
    return "Report submitted. Now the other player confirms or disputes it."


def _confirm(request: HttpRequest, viewer: Viewer, which: Which) -> str:
    service.confirm(viewer, which, request.POST.get("reply", ""), seen=request.POST.get("seen", ""))
    return "Confirmed. The result is final."


def _dispute(request: HttpRequest, viewer: Viewer, which: Which) -> str:
    sent = request.POST
    service.dispute(viewer, which, sent.get("statement", ""), sent.get("link", ""), seen=sent.get("seen", ""))
    return "Statement saved. The GM decides."


def _assign(request: HttpRequest, viewer: Viewer, which: Which) -> str:
    member = member_named(viewer, request.POST.get("player", ""))
    service.assign(viewer, which, member)
    return f"{member.user.username} is now the player of this battle and gets the brief by mail."


_ACTS: Mapping[str, Act] = {
    "report": _report,
    "confirm": _confirm,
    "dispute": _dispute,
    "assign": _assign,
    **kit.ACTS,
}
_WRITTEN = ("text", "reply", "statement", "link", *kit.FIELDS)
_LONGEST_NUMBER = 9
_TOO_FAST = "Not saved: too many requests within a minute. Wait a minute, then submit again."
_FAULTY = "Not saved: please fix the lines listed next to your text."
_REFUSALS: Mapping[type[Exception], str] = {
    Answered: "Not saved: someone else changed this battle after you opened the page. Check it and try again.",
    KeyReused: "Not saved: this form was already used with a different text. Submit again.",
    OtherPhase: "Not saved: the phase has closed since you opened the page. Here is the current one.",
    TooLate: "Not saved: this phase is not open for results now.",
}


# --- the page --------------------------------------------------------------------------------------------------------


def page(
    request: HttpRequest,
    viewer: Viewer,
    key: str,
    *,
    read: Read | None = None,
    trouble: str = "",
    status: int = 200,
    sent: Mapping[str, str] | None = None,
) -> HttpResponse:
    """A battle as its viewer may see it, with their own text if it was refused, or as `sent` has it."""
    sent = request.POST if sent is None else sent
    battle, known = reading.battle_of(viewer, key), knowledge(viewer)
    brief = reading.whole_brief_of(viewer, known, key)
    context: dict[str, Any] = {
        "viewer": viewer,
        "line": _line(viewer, known, battle),
        "battle": battle,
        "phase": open_phase(viewer),
        "brief": brief,
        "trouble": trouble,
        "read": read,
        **_possible(viewer, battle),
        "by_rules": reading.by_rules(viewer, battle, known),
        **_typed(sent),
        "kit": kit.kit_of(viewer, battle, sent),
        "game_masters": _game_masters(viewer.campaign),
        "battle_address": link("battle", viewer.campaign.slug, key),
        "key": secrets.token_hex(16),
        "seen": reading.mark_of(battle),
        "choices": [
            (side, members) for side in reading.sides_of(battle) if (members := reading.players_to_choose(viewer, side))
        ],
        "usages": reading.lines_to_write(viewer, battle, known),
    }
    if not context["text"] and (viewer.is_gm or fights(viewer, battle)):
        context["text"] = _newest_text(viewer, battle) or brief.template
    if (here := reports.writing(viewer, battle, known)) is not None:
        context["fillable"] = here.forms(viewer, context[here.field])
    context |= _reported(viewer, battle, known)
    return render(request, "orders/battles/battle.html", context, status=status)


def _possible(viewer: Viewer, battle: Battle) -> dict[str, bool]:
    """What the viewer can do with a battle now."""
    is_open = battle.phase.state == PhaseState.OPEN
    acts = is_open and fights(viewer, battle)
    return {
        "open": is_open,
        "may_report": acts and reading.may_report(viewer, battle),
        "may_confirm": acts and reading.may_confirm(viewer, battle),
        "may_dispute": acts and reading.may_dispute(viewer, battle),
        "may_decide": is_open and viewer.is_gm,
    }


def _reported(viewer: Viewer, battle: Battle, known: Knowledge) -> dict[str, Any]:
    """What has been reported of a battle, for those who may read it."""
    if not reading.reads_report(viewer, battle):
        return {}
    return {
        "reported": reading.shown_report(viewer, battle, known),
        "texts": reading.own_texts(viewer, battle),
        "statements": reading.statements_of(battle),
    }


def _game_masters(campaign: Campaign) -> list[Membership]:
    """Whom players can ask: everyone who is a game master now, with an address or without; nobody in practice."""
    if campaign.practice:
        return []
    present = campaign.memberships.filter(role=Role.GM, left_at=None, user__is_active=True)
    return list(present.select_related("user").order_by("user__username"))


def _typed(sent: Mapping[str, str]) -> dict[str, str]:
    """What was typed into the fields of the page, and which button was pressed."""
    act = sent.get("act", "")
    text = sent.get("text", "") if act in (BattleAct.REPORT, BattleAct.DECIDE) else ""
    return {"written": act, "text": text, **{name: sent.get(name, "") for name in ("reply", "statement", "link")}}


def text_of(request: HttpRequest) -> str:
    """The text of the page's big field."""
    return request.POST.get("text", "")


def _line(viewer: Viewer, known: Knowledge, battle: Battle) -> Line:
    brief = reading.brief_of(viewer, known, battle.key)
    since = battle.settled_at or battle.reported_at or battle.phase.opens_at
    return Line(
        battle=battle,
        title=brief.title,
        text=brief.text,
        players=reading.players_told(viewer, battle),
        to_do=_to_do(viewer, battle),
        next=_next(viewer, battle),
        since=since,
        accepts_at=None if battle.phase.held else battle.accepts_at,
    )


def _to_do(viewer: Viewer, battle: Battle) -> str:
    if viewer.is_gm:
        return "Decide the result." if battle.state == BattleState.DISPUTED else ""
    if not fights(viewer, battle):
        return ""
    if reading.may_confirm(viewer, battle):
        return "Confirm or dispute the report of the other side."
    return {
        BattleState.OPEN: "Fight the battle and report the result.",
        BattleState.REPORTED: "You can change your report until the other side answers.",
        BattleState.DISPUTED: "Describe what happened. The GM decides.",
    }.get(BattleState(battle.state), "")


def _next(viewer: Viewer, battle: Battle) -> str:
    if not viewer.is_gm or battle.state == BattleState.REPORTED:
        return ""
    return {
        BattleState.OPEN: "Nothing happens until a player reports or you decide.",
        BattleState.DISPUTED: "Nothing happens until you decide.",
    }.get(BattleState(battle.state), "The result is final.")


def _newest_text(viewer: Viewer, battle: Battle) -> str:
    """The report as the viewer's own side wrote it; the GM continues from the present report."""
    if viewer.is_gm:
        return result_of(battle)
    own = own_texts(viewer, battle).filter(act=BattleAct.REPORT).order_by("-at", "-pk")
    return own.values_list("text", flat=True).first() or ""
