"""The people of a campaign: who takes part, who is invited, which desks a side has."""

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from campaign.core import clock
from campaign.forms import DeskForm, InvitationForm, PartForm
from campaign.models import Membership, Role
from campaign.people import desks, memberships
from campaign.record.dice_log import anchors_line
from campaign.seats import Seat, gm_seat, seat_of
from campaign.services import scenario_of


@login_required
@require_safe
def roster(request: HttpRequest, slug: str) -> HttpResponse:
    """Everybody in the campaign; for the GM and commanders, what they can do about it."""
    return _page(request, seat_of(request.user, slug))


@login_required
@require_POST
def invite(request: HttpRequest, slug: str) -> HttpResponse:
    """Make a link and show it, this once."""
    seat = gm_seat(request.user, slug)
    form = InvitationForm(request.POST, sides=_sides(seat), prefix="invite")
    if not form.is_valid():
        return _page(request, seat, invitation_form=form)
    try:
        token = memberships.invite(seat, **form.cleaned_data, now=clock.now())
    except memberships.Refused as refused:
        form.add_error(None, str(refused))
        return _page(request, seat, invitation_form=form)
    return _page(request, seat, **_invitation(seat, token, form))


@login_required
@require_POST
def revoke(request: HttpRequest, slug: str) -> HttpResponse:
    """Make a link lead nowhere."""
    seat = gm_seat(request.user, slug)
    memberships.revoke_invitation(seat, request.POST.get("invitation", ""), now=clock.now())
    return _done(request, seat, "The invitation is withdrawn.")


@login_required
@require_POST
def change_role(request: HttpRequest, slug: str) -> HttpResponse:
    """Give a member another role."""
    seat = gm_seat(request.user, slug)
    member = memberships.member_named(seat, request.POST.get("member", ""))
    form = PartForm(request.POST, sides=_sides(seat))
    if not form.is_valid():
        return _refuse(request, seat, "Choose one of the roles and sides that are offered.")
    try:
        memberships.change_role(seat, member, **form.cleaned_data, now=clock.now())
    except memberships.Refused as refused:
        return _refuse(request, seat, str(refused))
    return _done(request, seat, "The role is changed.")


@login_required
@require_POST
def remove(request: HttpRequest, slug: str) -> HttpResponse:
    """End another person's part."""
    seat = gm_seat(request.user, slug)
    member = memberships.member_named(seat, request.POST.get("member", ""))
    try:
        memberships.remove(seat, member, now=clock.now())
    except memberships.Refused as refused:
        return _refuse(request, seat, str(refused))
    return _done(request, seat, f"{member.user.username} is no longer in the campaign.")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def leave(request: HttpRequest, slug: str) -> HttpResponse:
    """End one's own part, after a question."""
    seat = seat_of(request.user, slug)
    if request.method != "POST":
        return render(request, "campaign/leave.html", {"seat": seat, "part": memberships.part(seat.member)})
    try:
        memberships.leave(seat, now=clock.now())
    except memberships.Refused as refused:
        return _refuse(request, seat, str(refused))
    messages.success(request, f"You have left {seat.campaign.title}.")
    return redirect("home")


@login_required
@require_POST
def set_desk(request: HttpRequest, slug: str, side: str) -> HttpResponse:
    """Hand formations to a desk."""
    seat = seat_of(request.user, slug)
    form = _desk_form(seat, side, request.POST)
    if not form.is_valid():
        return _page(request, seat, desk_form=(side, form))
    try:
        desks.set_desk(
            seat,
            name=form.cleaned_data["name"],
            formations=form.cleaned_data["formations"],
            holder=memberships.member_named(seat, form.cleaned_data["holder"]),
            now=clock.now(),
        )
    except memberships.Refused as refused:
        form.add_error(None, str(refused))
        return _page(request, seat, desk_form=(side, form))
    return _done(request, seat, "The desk is handed out.")


@login_required
@require_POST
def drop_desk(request: HttpRequest, slug: str, side: str) -> HttpResponse:
    """Close a desk."""
    seat = seat_of(request.user, slug)
    desks.drop_desk(seat, side=side, name=request.POST.get("desk", ""), now=clock.now())
    return _done(request, seat, "The desk is closed. Its formations are HQ's again.")


# --- the page --------------------------------------------------------------------------------------------------------


def _page(request: HttpRequest, seat: Seat, **more: Any) -> HttpResponse:
    """The page; what is given beside the seat replaces or adds to what it shows."""
    context = {
        "seat": seat,
        "members": _members(seat),
        "desks": desks.desks_of(seat),
        "desk_forms": _desk_forms(seat, *more.pop("desk_form", ("", None))),
        **(_for_gm(seat) if seat.is_gm else {}),
        **more,
    }
    return render(request, "campaign/people.html", context, status=422 if _refused(context) else 200)


def _invitation(seat: Seat, token: str, form: InvitationForm) -> Mapping[str, Any]:
    """An invitation as it is shown this once."""
    link, line = memberships.invitation_link(token), anchors_line(seat.campaign)
    return {"link": link, "link_for": form.cleaned_data["meant_for"], "anchors": line}


def _for_gm(seat: Seat) -> Mapping[str, Any]:
    return {
        "invitations": [(memberships.part(open_), open_) for open_ in memberships.open_invitations(seat)],
        "invitation_form": InvitationForm(sides=_sides(seat), prefix="invite"),
    }


def _members(seat: Seat) -> list[Mapping[str, Any]]:
    """The roster by side and rank; for the GM each with the form that changes a role."""
    ranks = list(Role.values)
    found = sorted(memberships.members(seat), key=lambda m: (m.side, ranks.index(m.role), m.user.username.casefold()))
    return [
        {
            "name": member.user.username,
            "side": member.side,
            "part": memberships.part(member),
            "self": member == seat.membership,
            "form": _part_form(seat, member, number) if seat.is_gm else None,
        }
        for number, member in enumerate(found, 1)
    ]


def _part_form(seat: Seat, member: Membership, number: int) -> PartForm:
    now = {"role": member.role, "side": member.side}
    return PartForm(sides=_sides(seat), initial=now, auto_id=f"member{number}_%s")


def _desk_forms(seat: Seat, side: str, bound: DeskForm | None) -> list[tuple[str, DeskForm]]:
    """A form for each side whose desks the viewer hands out."""
    sides = [own for own in _sides(seat) if desks.hands_out(seat, own)]
    return [(own, bound if bound and own == side else _desk_form(seat, own)) for own in sides]


def _desk_form(seat: Seat, side: str, data: Mapping[str, Any] | None = None) -> DeskForm:
    if side not in _sides(seat):
        raise Http404
    formations = desks.formations_of(seat, side)
    holders = memberships.members(seat).filter(side=side, role__in=memberships.MAY_HOLD_A_DESK)
    names = holders.order_by("user__username").values_list("user__username", flat=True)
    return DeskForm(data, holders=names, formations=formations, auto_id=f"desk_{side}_%s")


def _sides(seat: Seat) -> tuple[str, ...]:
    return scenario_of(seat.campaign).rules.sides


def _refused(context: Mapping[str, Any]) -> bool:
    forms = [form for _, form in context["desk_forms"]]
    return any(
        form.errors for form in [*forms, *([context["invitation_form"]] if "invitation_form" in context else [])]
    )


def _done(request: HttpRequest, seat: Seat, what: str) -> HttpResponse:
    messages.success(request, what)
    return redirect("people", seat.campaign.slug)


def _refuse(request: HttpRequest, seat: Seat, why: str) -> HttpResponse:
    messages.error(request, why)
    return redirect("people", seat.campaign.slug)
