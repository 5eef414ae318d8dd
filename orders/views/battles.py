"""Battles of the live stop: briefs, reports, and what each of those concerned can do about them."""

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

from campaign.engine.notation import usage
from campaign.models import Battle, BattleState
from campaign.people import member_named
from campaign.seats import Seat, seat_of
from campaign.selectors import open_stop
from orders import battles as service
from orders.battles import Answered, Faulty, Read, Unusable
from orders.intake import KeyReused, NotYours, TooLate


@dataclass(frozen=True)
class Line:
    """A battle as the list shows it."""

    battle: Battle
    title: str
    text: str
    players: tuple[tuple[str, str], ...]
    """Side and forum name, as far as the viewer may know them."""
    to_do: str
    next: str
    """What happens if nobody does anything, for the GM; of a report `accepted_at` says it."""
    since: datetime
    accepted_at: datetime | None


@login_required
@require_safe
def battles(request: HttpRequest, slug: str) -> HttpResponse:
    """The battles that the live stop waits for."""
    seat = seat_of(request.user, slug)
    lines = [_line(seat, battle) for battle in service.battles_of(seat)]
    return render(request, "orders/battles.html", {"seat": seat, "stop": open_stop(seat), "lines": lines})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def battle(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """One battle; POST reports, confirms, disputes or names a player, as the button says."""
    seat = seat_of(request.user, slug)
    if request.method != "POST":
        return page(request, seat, key)
    act = _ACTS.get(request.POST.get("act", ""))
    if act is None:
        raise Http404
    return attempt(request, seat, key, act)


@login_required
@require_POST
def check(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """The answer to a report that is being written. Keeps nothing."""
    seat = seat_of(request.user, slug)
    if not (seat.is_gm or service.fights(seat, service.battle_of(seat, key))):
        raise Http404
    read = service.read_report(seat, key, text_of(request))
    return render(request, "orders/_battle_read.html", {"read": read, "seat": seat})


# --- acts ------------------------------------------------------------------------------------------------------------

Act = Callable[[HttpRequest, Seat, str], str]
"""Does what a button says and returns what is to be said of it."""


def attempt(request: HttpRequest, seat: Seat, key: str, act: Act) -> HttpResponse:
    """Do it; if it cannot be done, the page says why and keeps what was written."""
    shown = service.battle_of(seat, key)  # a stranger learns nothing from how his act fails
    try:
        said = act(request, seat, key)
    except Faulty as fault:
        return page(request, seat, key, read=fault.read, trouble=_FAULTY, status=422)
    except Unusable as fault:
        return page(request, seat, key, trouble=str(fault), status=422)
    except (Answered, KeyReused, TooLate) as refusal:
        return page(request, seat, key, trouble=_REFUSALS[type(refusal)], status=409)
    except NotYours:
        raise Http404 from None
    messages.success(request, said)
    return redirect("battle", seat.campaign.slug, shown.key)


def _report(request: HttpRequest, seat: Seat, key: str) -> str:
    idempotent = request.POST.get("key", "")[:200] or secrets.token_hex(16)
    service.report(seat, key, text_of(request), idempotent=idempotent)
    return "Reported. Now the other player confirms or disputes it."


def _confirm(request: HttpRequest, seat: Seat, key: str) -> str:
    service.confirm(seat, key, request.POST.get("retreats", ""), seen=request.POST.get("seen", ""))
    return "Confirmed. The result stands."


def _dispute(request: HttpRequest, seat: Seat, key: str) -> str:
    service.dispute(seat, key, request.POST.get("statement", ""), request.POST.get("link", ""))
    return "Your statement is kept. The GM decides."


def _assign(request: HttpRequest, seat: Seat, key: str) -> str:
    member = member_named(seat, request.POST.get("player", ""))
    service.assign(seat, key, member)
    return f"{member.user.username} fights it, and is sent the brief."


_ACTS: Mapping[str, Act] = {"report": _report, "confirm": _confirm, "dispute": _dispute, "assign": _assign}
_FAULTY = "Nothing was stored: lines of it cannot stand as they are. They are named beside what you wrote."
_REFUSALS: Mapping[type[Exception], str] = {
    Answered: "Nothing was stored: somebody was quicker, and the battle stands otherwise by now. Look at it again.",
    KeyReused: "Nothing was stored: this form was sent before with another text. Send it anew.",
    TooLate: "Nothing was stored: the stop takes no results at present.",
}


# --- the page --------------------------------------------------------------------------------------------------------


def page(
    request: HttpRequest, seat: Seat, key: str, *, read: Read | None = None, trouble: str = "", status: int = 200
) -> HttpResponse:
    """A battle as its viewer may see it, with what he wrote if it was not taken."""
    battle = service.battle_of(seat, key)
    brief = service.brief_of(seat, key)
    fights, open_ = service.fights(seat, battle), battle.phase.state == "OPEN" and not battle.phase.held
    written = request.POST.get("act", "") if request.method == "POST" else ""
    context: dict[str, Any] = {
        "seat": seat,
        "line": _line(seat, battle),
        "battle": battle,
        "brief": brief,
        "trouble": trouble,
        "read": read,
        "written": written,
        "open": open_,
        "may_report": open_ and fights and _may_report(seat, battle),
        "may_answer": open_ and fights and _may_answer(seat, battle),
        "may_state": open_ and fights and (_may_answer(seat, battle) or battle.state == BattleState.DISPUTED),
        "may_decide": open_ and seat.is_gm,
        "text": text_of(request) if written in ("report", "decide") else "",
        "retreats": request.POST.get("retreats", ""),
        "statement": request.POST.get("statement", ""),
        "link": request.POST.get("link", ""),
        "key": secrets.token_hex(16),
        "seen": service.mark_of(battle),
        "choices": [(side, members) for side in _sides(battle) if (members := service.players_to_choose(seat, side))],
        "usages": [usage(kind) for kind in service.line_kinds(seat, battle)],
    }
    if not context["text"] and (fights or seat.is_gm):
        context["text"] = _newest_text(seat, battle) or brief.template
    if service.reads_report(seat, battle):
        context |= {
            "reported": service.read_report(seat, key, battle.report) if battle.report else None,
            "texts": battle.reports.select_related("author").order_by("at", "pk"),
            "statements": battle.statements.select_related("author").order_by("side"),
        }
    return render(request, "orders/battle.html", context, status=status)


def text_of(request: HttpRequest) -> str:
    """What was written in the page's big field."""
    return request.POST.get("text", "")


def _line(seat: Seat, battle: Battle) -> Line:
    brief = service.brief_of(seat, battle.key)
    since = battle.settled_at or battle.reported_at or battle.phase.opens_at
    return Line(
        battle=battle,
        title=brief.title,
        text=brief.text,
        players=_players(seat, battle),
        to_do=_to_do(seat, battle),
        next=_next(seat, battle),
        since=since,
        accepted_at=service.accepted_at(battle, seat.campaign.battle_hours),
    )


def _players(seat: Seat, battle: Battle) -> tuple[tuple[str, str], ...]:
    """Two players must meet outside, so each side reads the other's name as soon as both are named."""
    named = {side: service.player_of(battle, side) for side in _sides(battle)}
    seen = seat.is_gm or all(named.values())
    return tuple(
        (side, member.user.username if member else "") for side, member in named.items() if seen or side == seat.side
    )


def _to_do(seat: Seat, battle: Battle) -> str:
    if seat.is_gm:
        return "Decide it." if battle.state == BattleState.DISPUTED else ""
    if not service.fights(seat, battle):
        return ""
    if _may_answer(seat, battle):
        return "Confirm or dispute what the other side has reported."
    return {
        BattleState.OPEN: "Fight it, and report the result.",
        BattleState.REPORTED: "You may report anew until the other side answers.",
        BattleState.DISPUTED: "Say what you saw; the GM decides.",
    }.get(BattleState(battle.state), "")


def _next(seat: Seat, battle: Battle) -> str:
    if not seat.is_gm or battle.state == BattleState.REPORTED:
        return ""
    return {
        BattleState.OPEN: "Nothing happens by itself: it waits for a report, or for you.",
        BattleState.DISPUTED: "Nothing happens by itself: it waits for you.",
    }.get(BattleState(battle.state), "The result stands.")


def _may_report(seat: Seat, battle: Battle) -> bool:
    own = battle.state == BattleState.REPORTED and battle.reported_by == seat.side
    return battle.state == BattleState.OPEN or own


def _may_answer(seat: Seat, battle: Battle) -> bool:
    reported = battle.state in (BattleState.REPORTED, BattleState.DISPUTED)
    return reported and battle.reported_by not in (seat.side, "")


def _newest_text(seat: Seat, battle: Battle) -> str:
    """The report as its own side wrote it; the GM goes on from whatever is reported."""
    if seat.is_gm:
        return battle.report
    own = battle.reports.filter(act="report", side=seat.side).order_by("-at", "-pk")
    return own.values_list("text", flat=True).first() or ""


def _sides(battle: Battle) -> tuple[str, str]:
    return battle.attacker, battle.defender
